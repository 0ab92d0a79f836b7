// Package cut writes parts of profiles in the format that they have. What is not
// known of a file stays in it; texts that nothing refers to any more are left out.
//
// Launches of Nsight Compute are cut by load.Report.Cut, as their model tells which
// results they are. This package cuts databases, row by row, and Chrome traces, event
// by event, and puts databases together that are parts of one.
package cut
