// Package terminal is the face of gpuprof at a command line, as package web is the one
// in a browser and package mcp the one for agents.
//
// An App makes a command of every page: its options become flags, a command line a
// page.Request, and the Answer what a terminal, files and pipes get. It knows three
// ways of speaking: one command a page (gpuprof details -k sgemm report.ncu-rep), flags
// with lists of parts and forms as nsys has them (stats -r A,B -f table,csv), and ncu's
// (gpuprof --import report.ncu-rep --page raw), of which it takes every flag and says
// which are about collecting.
//
// What is shown on a terminal fits its width and brings nothing that the terminal
// obeys; files and pipes get lines as long as they are. Files appear when they are
// whole, and one that exists is replaced only where the command line says so.
//
//	a := terminal.New(catalogue.Pages(), "1.0", os.Stdout, os.Stderr)
//	os.Exit(a.Run(ctx, os.Args[1:]))
package terminal
