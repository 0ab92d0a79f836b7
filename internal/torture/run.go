package torture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpuprof/gpuprof/view/visible"
)

// Limits of a run.
const (
	Hang         = 10 * time.Second // of processor time, which other work on the machine does not change
	patience     = 12 * Hang        // on the clock
	memoryBase   = 64 << 20
	memoryFactor = 20        // of the unpacked file
	memoryPython = 320 << 20 // where rules run
	outputBase   = 16 << 20
	outputFactor = 100 // of the unpacked file
)

// Options say what is tried.
type Options struct {
	Gpuprof string // the built command
	Runs    int
	From    int // the first run
	Seed    uint64
	Workers int           // 0: one for each processor
	For     time.Duration // end earlier; 0: no
	Seeds   []Seed
	Keep    string // folder for the files of finds; "": they are not kept
}

// A Find is a run in which something happened that must not.
type Find struct {
	Run  int
	Seed string // name of the file that was broken
	Args []string
	What string // in a line; equal finds have equal first words
	File string // where its input is kept
}

// A Result sums up runs.
type Result struct {
	Runs    int
	Finds   []Find
	Exits   map[int]int   // runs by exit status
	Slowest time.Duration // processor time
	Memory  int64         // the highest peak of a run that had more than the driver itself, bytes; 0: none had
	Output  int           // the longest, bytes
	Took    time.Duration
}

// Run does all runs.
func Run(ctx context.Context, o Options) (*Result, error) {
	if len(o.Seeds) == 0 {
		return nil, errors.New("torture: expected files to break, found none")
	}
	dir, err := os.MkdirTemp("", "torture")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	begin := time.Now()
	res := &Result{Exits: map[int]int{}}
	var mu sync.Mutex
	next := o.From
	var wg sync.WaitGroup
	for w := range o.Workers {
		at := filepath.Join(dir, fmt.Sprint(w))
		if err := os.Mkdir(at, 0o700); err != nil {
			return nil, err
		}
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= o.From+o.Runs || ctx.Err() != nil || o.For > 0 && time.Since(begin) > o.For {
					return
				}
				t := o.one(ctx, at, i)
				mu.Lock()
				res.add(o, t)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	res.Took = time.Since(begin)
	slices.SortFunc(res.Finds, func(a, b Find) int { return a.Run - b.Run })
	return res, ctx.Err()
}

// Known are the seeds that the command knows as profiles: others would only try its
// refusal.
func Known(ctx context.Context, gpuprof string, seeds []Seed) (out []Seed, err error) {
	dir, err := os.MkdirTemp("", "torture")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	known := make([]bool, len(seeds))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, s := range seeds {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			name := filepath.Join(dir, fmt.Sprintf("%d-%s", i, s.Name))
			if os.WriteFile(name, s.Data, 0o600) == nil {
				err := exec.CommandContext(ctx, gpuprof, "info", name).Run()
				var exit *exec.ExitError
				known[i] = err == nil || errors.As(err, &exit) && exit.ExitCode() == 1
			}
			os.Remove(name)
		})
	}
	wg.Wait()
	for i, ok := range known {
		if ok {
			out = append(out, seeds[i])
		}
	}
	return out, ctx.Err()
}

// A trial is one run.
type trial struct {
	Find
	data   []byte
	exit   int
	took   time.Duration
	memory int64
	output int
}

func (r *Result) add(o Options, t trial) {
	r.Runs++
	r.Exits[t.exit]++
	r.Slowest, r.Memory, r.Output = max(r.Slowest, t.took), max(r.Memory, t.memory), max(r.Output, t.output)
	if t.What == "" {
		return
	}
	if o.Keep != "" {
		t.File = filepath.Join(o.Keep, fmt.Sprintf("%d-%d-%s", o.Seed, t.Run, t.Seed))
		if err := os.WriteFile(t.File, t.data, 0o600); err != nil {
			t.File = ""
		}
	}
	r.Finds = append(r.Finds, t.Find)
}

// Make makes the input of a run and its command line.
func (o Options) Make(i int) (s Seed, args []string, people, python bool) {
	r := rand.New(rand.NewPCG(o.Seed, uint64(i)))
	s = pick(r, o.Seeds)
	s.Data = Mutate(r, s.Data)
	c := choose(r, s.Name)
	return s, c.args, c.people, c.python
}

func (o Options) one(ctx context.Context, dir string, i int) (t trial) {
	s, args, people, python := o.Make(i)
	t = o.try(ctx, dir, s, args, people, python)
	t.Run = i
	return t
}

// try runs a command on a file as it is.
func (o Options) try(ctx context.Context, dir string, s Seed, args []string, people, python bool) (t trial) {
	t.Seed, t.data = s.Name, s.Data
	sub, err := os.MkdirTemp(dir, "")
	if err != nil {
		t.What = err.Error()
		return t
	}
	defer os.RemoveAll(sub)
	file := filepath.Join(sub, s.Name)
	if err := os.WriteFile(file, s.Data, 0o600); err != nil {
		t.What = err.Error()
		return t
	}
	for _, a := range args {
		a = strings.ReplaceAll(strings.ReplaceAll(a, FILE, file), OUT, filepath.Join(sub, "out"))
		t.Args = append(t.Args, a)
	}
	size := int64(unpacked(s.Data))
	run, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(run, o.Gpuprof, t.Args...)
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "GPUPROF_NO_RECENT=1")
	stdout, stderr := &capture{limit: int(outputBase + outputFactor*size)}, &capture{limit: 1 << 20}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err = cmd.Run()
	t.output = stdout.n
	if cmd.ProcessState == nil {
		t.What = err.Error()
		return t
	}
	t.took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	t.exit, t.memory = cmd.ProcessState.ExitCode(), peak(cmd.ProcessState)
	if t.memory <= own() { // a child begins with the peak of its parent: it had no more
		t.memory = 0
	}
	if ctx.Err() != nil {
		return t
	}
	allowed := memoryBase + memoryFactor*size
	if python {
		allowed += memoryPython
	}
	t.What = verdict(t, run.Err() != nil || t.took > Hang, allowed, people, stdout, stderr)
	for k := range t.Args { // as one would type it
		t.Args[k] = strings.ReplaceAll(t.Args[k], sub+string(filepath.Separator), "")
	}
	return t
}

var crash = regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*|runtime: .*|SIG[A-Z]+: .*)$|internal error in page .*|goroutine \d+ \[`)

// verdict says what must not be; "": all is well.
func verdict(t trial, hung bool, memory int64, people bool, stdout, stderr *capture) string {
	switch {
	case crash.Match(stderr.b.Bytes()):
		return "panic: " + string(crash.Find(stderr.b.Bytes()))
	case hung:
		return fmt.Sprintf("hang: over %v of processor time, or %v", Hang, patience)
	case stdout.over():
		return fmt.Sprintf("output: %d bytes, at most %d are allowed", stdout.n, stdout.limit)
	case stderr.over():
		return fmt.Sprintf("messages: %d bytes, at most %d are allowed", stderr.n, stderr.limit)
	case t.exit < 0 || t.exit > 4:
		return fmt.Sprintf("exit: status %d, which is not one of the documented", t.exit)
	case t.memory > memory:
		return fmt.Sprintf("memory: %d MiB, at most %d are allowed", t.memory>>20, memory>>20)
	}
	for _, c := range []struct {
		name string
		out  *capture
		look bool
	}{{"stderr", stderr, true}, {"stdout", stdout, people}} {
		if !c.look {
			continue
		}
		if at := raw(c.out.b.Bytes()); at >= 0 {
			b := c.out.b.Bytes()
			return fmt.Sprintf("escape: %s has %q", c.name, b[max(0, at-20):min(len(b), at+20)])
		}
	}
	return ""
}

// raw is where text has a character that is dangerous to show; -1: nowhere.
func raw(b []byte) int {
	for at := 0; at < len(b); {
		end := bytes.IndexAny(b[at:], "\n\t")
		if end < 0 {
			end = len(b) - at
		}
		line := b[at : at+end]
		if shown := visible.Append(nil, line); !bytes.Equal(shown, line) {
			return at + same(shown, line)
		}
		at += end + 1
	}
	return -1
}

// same is the length of what two texts begin with.
func same(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// kept is how much of an output is looked at.
const kept = 1 << 20

// A capture keeps the beginning of what is written, and counts the rest.
type capture struct {
	b     bytes.Buffer
	n     int
	limit int
}

func (c *capture) Write(p []byte) (int, error) {
	c.n += len(p)
	c.b.Write(p[:max(0, min(len(p), kept-c.b.Len()))])
	return len(p), nil
}

func (c *capture) over() bool { return c.n > c.limit }
