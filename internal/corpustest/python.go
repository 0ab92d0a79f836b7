package corpustest

import (
	"os"
	"os/exec"
	"testing"
)

// Python returns the path of a Python of the machine, 3.11 or later: python3 or
// what GPUPROF_TEST_PYTHON names. Without one it skips the test, or fails it if
// GPUPROF_REQUIRE_ALL is 1.
func Python(tb testing.TB) string {
	tb.Helper()
	name := os.Getenv("GPUPROF_TEST_PYTHON")
	if name == "" {
		name = "python3"
	}
	path, err := exec.LookPath(name)
	if err == nil {
		err = exec.Command(path, "-c", "import sys; sys.exit(sys.version_info < (3, 11))").Run()
	}
	if err != nil {
		if os.Getenv("GPUPROF_REQUIRE_ALL") == "1" {
			tb.Fatalf("no Python 3.11: %v", err)
		}
		tb.Skipf("no Python 3.11: %v", err)
	}
	return path
}
