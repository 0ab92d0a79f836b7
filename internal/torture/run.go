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
	hang         = 10 * time.Second // of processor time, or asleep: other work on the machine changes neither
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
	Keep    string         // folder for the files of finds; "": they are not kept
	Found   func(Find)     // is told of each at once; nil: nobody
	Done    func(runs int) // is told of each thousand; nil: nobody
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
	Memory  int64         // the highest peak, bytes
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
			w := worker{o, at, nil}
			defer w.stop()
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= o.From+o.Runs || ctx.Err() != nil || o.For > 0 && time.Since(begin) > o.For {
					return
				}
				t := w.one(ctx, i)
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
	outcome
	data []byte
}

func (r *Result) add(o Options, t trial) {
	r.Runs++
	r.Exits[t.Exit]++
	r.Slowest, r.Memory, r.Output = max(r.Slowest, t.Took), max(r.Memory, t.Memory), max(r.Output, t.Stdout.N)
	if r.Runs%1000 == 0 && o.Done != nil {
		o.Done(r.Runs)
	}
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
	if o.Found != nil {
		o.Found(t.Find)
	}
}

// Make makes the input of a run and its command line.
func (o Options) Make(i int) (s Seed, args []string, people, python bool) {
	r := rand.New(rand.NewPCG(o.Seed, uint64(i)))
	s = pick(r, o.Seeds)
	s.Data = mutate(r, s.Data)
	c := choose(r, s.Name)
	return s, c.args, c.people, c.python
}

// A worker runs one command after the other.
type worker struct {
	Options
	dir     string
	starter *starter // nil: to be started
}

func (w *worker) stop() {
	if w.starter != nil {
		w.starter.stop()
	}
}

func (w *worker) one(ctx context.Context, i int) (t trial) {
	s, args, people, python := w.Make(i)
	t = w.try(ctx, s, args, people, python)
	t.Run = i
	return t
}

// try runs a command on a file as it is.
func (w *worker) try(ctx context.Context, s Seed, args []string, people, python bool) (t trial) {
	t.Seed, t.data = s.Name, s.Data
	sub, err := os.MkdirTemp(w.dir, "")
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
	size := int64(unpacked(s.Data))
	j := job{Command: w.Gpuprof, Stdout: int(outputBase + outputFactor*size), Stderr: 1 << 20, Hang: hang}
	for _, a := range args {
		j.Args = append(j.Args, strings.ReplaceAll(strings.ReplaceAll(a, theFile, file), theOut, filepath.Join(sub, "out")))
		t.Args = append(t.Args, strings.ReplaceAll(strings.ReplaceAll(a, theFile, s.Name), theOut, "out")) // as one would type it
	}
	if w.starter == nil {
		if w.starter, err = start(ctx); err != nil {
			t.What = err.Error()
			return t
		}
	}
	if t.outcome, err = w.starter.run(j); err != nil {
		w.stop()
		w.starter = nil
		if ctx.Err() == nil {
			t.What = "driver: " + err.Error()
		}
		return t
	}
	allowed := memoryBase + memoryFactor*size
	if python {
		allowed += memoryPython
	}
	t.What = verdict(t.outcome, allowed, people)
	return t
}

var crash = regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*|runtime: .*|SIG[A-Z]+: .*)$|internal error in page .*|goroutine \d+ \[`)

// verdict says what must not be; "": all is well.
func verdict(o outcome, memory int64, people bool) string {
	switch {
	case o.Failed != "":
		return "driver: " + o.Failed
	case crash.Match(o.Stderr.Text):
		return "panic: " + string(crash.Find(o.Stderr.Text))
	case o.Hung != "":
		return "hang: " + o.Hung
	case o.Stdout.over():
		return fmt.Sprintf("output: %d bytes, at most %d are allowed", o.Stdout.N, o.Stdout.Limit)
	case o.Stderr.over():
		return fmt.Sprintf("messages: %d bytes, at most %d are allowed", o.Stderr.N, o.Stderr.Limit)
	case o.Exit < 0 || o.Exit > 4:
		return fmt.Sprintf("exit: status %d, which is not one of the documented", o.Exit)
	case o.Memory > memory:
		return fmt.Sprintf("memory: %d MiB, at most %d are allowed", o.Memory>>20, memory>>20)
	}
	if at := raw(o.Stderr.Text); at >= 0 {
		return fmt.Sprintf("escape: stderr has %q", around(o.Stderr.Text, at))
	}
	if at := raw(o.Stdout.Text); at >= 0 && people {
		return fmt.Sprintf("escape: stdout has %q", around(o.Stdout.Text, at))
	}
	return ""
}

func around(b []byte, at int) []byte { return b[max(0, at-20):min(len(b), at+20)] }

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
	Text     []byte
	N, Limit int
}

func (c *capture) Write(p []byte) (int, error) {
	c.N += len(p)
	c.Text = append(c.Text, p[:max(0, min(len(p), kept-len(c.Text)))]...)
	return len(p), nil
}

func (c *capture) over() bool { return c.N > c.Limit }
