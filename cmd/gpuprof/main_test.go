package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gpuprof/gpuprof/internal/cubingen"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/ranksgen"
)

// asCommand in the environment makes the test the command.
const asCommand = "GPUPROF_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){
		"gpuprof": main,
	})
}

// TestScripts runs testdata/script/*.txtar: a behaviour of the command each.
// UPDATE=1 rewrites the expected output.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: os.Getenv("UPDATE") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exec-status": execStatus,
			"timeline":    timeline,
			"ranks":       ranksRun,
			"terminal":    onTerminal,
			"cut":         cutFile,
			"cuda":        cudaFile,
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", examples)
			// Scripts have no home; compiled code is kept where other tests keep it.
			if dir, err := os.UserCacheDir(); err == nil {
				e.Setenv("XDG_CACHE_HOME", dir)
			}
			return nil
		},
	})
}

// timeline makes a small database as Nsight Systems exports them.
func timeline(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(nsysgen.Write(ts.MkAbs(args[0]), nsysgen.Size{Kernels: 40, Ranges: 12, Copies: 6, Threads: 2, Devices: 1, Names: 3, Seed: 1}))
}

// cudaFile makes a file of the kind given first that holds CUDA code.
func cudaFile(ts *testscript.TestScript, _ bool, args []string) {
	cubin := cubingen.Cubin(80, cubingen.Add())
	fat := func() []byte {
		return cubingen.Fatbin(cubingen.Image{Kind: 2, SM: 80, Data: cubin}, cubingen.Image{Kind: 2, SM: 120, Data: cubingen.Cubin(120, cubingen.Add())},
			cubingen.Image{Kind: 1, SM: 80, Data: []byte("\n.version 8.0\n.target sm_80\n")})
	}
	switch args[0] {
	case "fatbin":
		cubin = fat()
	case "executable":
		cubin = cubingen.Executable(fat())
	case "changed": // the sum is not stored, but the constant once more loaded
		f := cubingen.Add()
		f.Words = slices.Insert(slices.Delete(f.Words, 9, 10), 1, f.Words[0])
		cubin = cubingen.Cubin(80, f)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), cubin, 0o666))
}

// ranksRun makes the reports of a distributed run of 4 ranks, of which rank 2 is
// slow; a second argument leaves out that rank.
func ranksRun(ts *testscript.TestScript, _ bool, args []string) {
	s := ranksgen.Default(5)
	s.Ranks, s.PerHost, s.Straggler, s.Factor = 4, 2, 2, 1.25
	if len(args) > 1 {
		missing, err := strconv.Atoi(args[1])
		ts.Check(err)
		s.Missing = missing
	}
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o755))
	ts.Check(ranksgen.Make(s).Write(ts.MkAbs(args[0])))
}

// execStatus runs a command and fails unless it exits with the status given
// first.
func execStatus(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = strconv.Itoa(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// cutFile copies the first bytes of a file: cut FROM TO BYTES.
func cutFile(ts *testscript.TestScript, _ bool, args []string) {
	b, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b[:n], 0o600))
}
