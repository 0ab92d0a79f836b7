package torture

import (
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// A process begins with the peak of the memory of who starts it, and the driver,
// which makes databases, has more than what it looks for. So commands are started by
// another process, which does nothing else: the same program, called with this as
// its one argument, asked and answering by gob.
const lean = "start commands for who breaks profiles"

// Lean reports whether this process is the one that starts commands; it has done so
// then. Programs that call Run, and their tests, ask it first of all.
func Lean() bool {
	if len(os.Args) != 2 || os.Args[1] != lean {
		return false
	}
	in, out := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	for {
		var j job
		if in.Decode(&j) != nil || out.Encode(j.run()) != nil {
			return true
		}
	}
}

// A job is a command line.
type job struct {
	Command        string
	Args           []string
	Stdout, Stderr int // what it may write, bytes
	Hang           time.Duration
}

// An outcome is what came of it.
type outcome struct {
	Failed         string // why it could not be started
	Stdout, Stderr capture
	Exit           int
	Took           time.Duration // processor time
	Memory         int64         // its peak, bytes; at least that of the process that started it, some 20 MB
	Hung           string        // why it was ended, or should have been; "": it was not
}

func (j job) run() (o outcome) {
	o.Stdout.Limit, o.Stderr.Limit = j.Stdout, j.Stderr
	cmd := exec.Command(j.Command, j.Args...)
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "GPUPROF_NO_RECENT=1")
	cmd.Stdout, cmd.Stderr = &o.Stdout, &o.Stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		o.Failed = err.Error()
		return o
	}
	done, watched := make(chan struct{}), make(chan string)
	go func() { watched <- watch(cmd.Process, j.Hang, done) }()
	err := cmd.Wait()
	close(done)
	o.Hung = <-watched
	p := cmd.ProcessState
	if p == nil {
		o.Failed = err.Error()
		return o
	}
	o.Took, o.Exit, o.Memory = p.UserTime()+p.SystemTime(), p.ExitCode(), peak(p)
	if o.Hung == "" && o.Took > j.Hang {
		o.Hung = fmt.Sprintf("took %v of processor time", o.Took)
	}
	return o
}

// watch ends a process that computes for too long, or does nothing for as long, and
// says so. The time in which it waits for its turn on a busy machine counts for
// neither.
func watch(p *os.Process, hang time.Duration, done <-chan struct{}) string {
	const every = time.Second / 4
	tick := time.NewTicker(every)
	defer tick.Stop()
	begin := time.Now()
	var before, idle time.Duration
	for {
		select {
		case <-done:
			return ""
		case <-tick.C:
		}
		spent, asleep, known := activity(p.Pid)
		if idle += every; spent > before || !asleep {
			idle = 0
		}
		before = spent
		var why string
		switch {
		case spent > hang:
			why = fmt.Sprintf("ended after %v of processor time", spent)
		case known && idle > hang:
			why = fmt.Sprintf("ended after it had done nothing for %v", idle)
		case !known && time.Since(begin) > 12*hang: // other work counts here
			why = fmt.Sprintf("ended after %v", 12*hang)
		default:
			continue
		}
		if p.Kill() != nil {
			return "" // it has just ended
		}
		return why
	}
}

// A starter is the lean process as the driver sees it.
type starter struct {
	cmd  *exec.Cmd
	ask  *gob.Encoder
	hear *gob.Decoder
	in   io.Closer
}

func start(ctx context.Context) (*starter, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, name, lean)
	cmd.Stderr = os.Stderr
	together(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &starter{cmd, gob.NewEncoder(in), gob.NewDecoder(out), in}, nil
}

func (s *starter) run(j job) (o outcome, err error) {
	if err = s.ask.Encode(j); err == nil {
		err = s.hear.Decode(&o)
	}
	return o, err
}

func (s *starter) stop() {
	s.in.Close()
	s.cmd.Wait()
}
