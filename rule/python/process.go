package python

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// A Program is Python for a host to run: a module of this package or one of
// Files, whose function main is called.
type Program struct {
	Main  string   // module with a function main(connection)
	Args  []string // sys.argv from its second element on
	Files []File   // what the program can read besides the modules
	Write File     // a folder in which it can write, too; Host "" for none
	Env   map[string]string
	Dir   string // working folder; "" is the root
}

// A File is a file, or a folder with all below it, that a program can read.
type File struct {
	Path string // slash-separated and absolute, as the program sees it
	Host string // path on this machine; "" where Text is the content
	Text []byte
}

// A Process is a program that runs. Its owner answers its requests with Serve
// until that returns.
type Process struct {
	requests io.ReadCloser  // lines from the program
	answers  io.WriteCloser // lines to it
	kill     func()
	once     sync.Once
	done     chan struct{}
	err      error
}

// ErrStopped is how a program ends that was stopped.
var ErrStopped = errors.New("the program was stopped")

// An ExitError is the end of a program with a status other than 0.
type ExitError struct{ Status int }

func (e *ExitError) Error() string { return fmt.Sprintf("Python ended with status %d", e.Status) }

// newProcess returns a process and the program's ends of the two pipes.
func newProcess() (p *Process, in *io.PipeReader, out *io.PipeWriter) {
	in, answers := io.Pipe()
	requests, out := io.Pipe()
	return &Process{requests: requests, answers: answers, done: make(chan struct{})}, in, out
}

// end notes how the program ended.
func (p *Process) end(err error) {
	p.err = err
	close(p.done)
}

// Stop ends the program at once. It does not wait: Done tells when it is gone.
func (p *Process) Stop() {
	p.once.Do(func() {
		p.kill()
		p.answers.Close()
		p.requests.Close()
	})
}

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits for the end of the program and tells how it ended: nil,
// an *ExitError, ErrStopped or an error of the host.
func (p *Process) Wait() error {
	<-p.done
	return p.err
}
