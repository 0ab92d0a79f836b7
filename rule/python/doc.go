// Package python runs Python programs that read profiles, with nothing to
// install and nothing to fear from them.
//
// A [Program] is run by one of two hosts. An [Engine] is CPython compiled to
// WebAssembly, carried in this package and run by wazero: the program sees the
// standard library, the modules of this package and the files that it is given,
// all of them read only, and nothing else of the machine. A [Native] host is the
// user's own Python as a child process, on Linux confined by landlock, seccomp
// and rlimits.
//
// Both hosts run the same modules (folder modules) and speak the same protocol:
//
//	Python  0x1e ["op", {arguments}] \n
//	gpuprof [true, result] \n  or  [false, "ErrorClass", "message"] \n
//
// Python always asks and gpuprof always answers, a line each, in JSON. Requests
// go out on the program's standard output and answers come in on its standard
// input; what the program prints travels as a request too ("print"), and a line
// that does not begin with 0x1e is taken for something printed past Python.
// [Serve] is gpuprof's side; a [Service] answers the questions about reports:
//
//	engine, _ := python.NewEngine(ctx, python.CacheDir())
//	p, _ := engine.Start(ctx, python.Program{Main: "gpuprof_script", Files: files})
//	err := p.Serve(ctx, &python.Service{Open: open}, python.Output{Stdout: os.Stdout, Stderr: os.Stderr})
//
// The same Service answers the package ncu_report in a Python of the user's that
// starts gpuprof, rather than being started by it.
//
// dist holds the interpreter, its standard library and the script that rebuilds
// both from Debian's source package; interruptible is a step of it.
package python
