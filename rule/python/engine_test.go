package python

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// testEngine is shared by tests: compiling takes a second.
var testEngine = sync.OnceValues(func() (*Engine, error) {
	return NewEngine(context.Background(), CacheDir(), Limits{})
})

func engine(tb testing.TB) *Engine {
	tb.Helper()
	e, err := testEngine()
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// host starts programs: the engine, or the user's own Python.
type host interface {
	Start(context.Context, Program) (*Process, error)
}

// runScript runs a script and returns what it printed.
func runScript(tb testing.TB, ctx context.Context, h host, script string, args ...string) (string, error) {
	tb.Helper()
	p, err := h.Start(ctx, Program{Main: "gpuprof_script", Args: append([]string{"/script.py"}, args...),
		Files: []File{{Path: "/script.py", Text: []byte(script)}}})
	if err != nil {
		tb.Fatal(err)
	}
	var out strings.Builder
	err = p.Serve(ctx, &Service{}, Output{Print: func(_ string, text []byte) error {
		out.Write(text)
		if out.Len() > 1<<20 {
			return errors.New("too much output")
		}
		return nil
	}})
	return out.String(), err
}

func TestScript(t *testing.T) {
	out, err := runScript(t, context.Background(), engine(t), "import sys\nprint(sys.argv, sum(range(10)))\nsys.exit(3)\n", "a", "b")
	var exit *ExitError
	if out != "['/script.py', 'a', 'b'] 45\n" || !errors.As(err, &exit) || exit.Status != 3 {
		t.Errorf("printed %q, ended with %v", out, err)
	}
}

func TestStop(t *testing.T) {
	for name, script := range map[string]string{
		"python": "while True: pass\n",
		"caught": "while True:\n  try:\n    while True: pass\n  except BaseException: pass\n",
		"in C":   "import re\nprint(re.match('(a*)*b', 'a'*60))\nsum(iter(int, 1))\n",
		"number": "print(len(str(7**(10**9))))\n",
		"sleep":  "import time\ntime.sleep(1000)\n",
		"input":  "import sys\nwhile True: sys.stdin.read()\n",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
			defer cancel()
			start := time.Now()
			out, err := runScript(t, ctx, engine(t), script)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("printed %q, ended with %v", out, err)
			}
			t.Log(time.Since(start))
		})
	}
}
