package python

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"
)

// The first byte of a line says what it is.
const (
	markCall = 0x1e // wants an answer
	markTell = 0x1d // wants none
)

// maxRequest bounds a request, in bytes: a program's memory is bounded, and so is
// what it can have gpuprof hold beside it. A piece of print, a million characters,
// takes 12 MB at most.
const maxRequest = 16 << 20

// A Request is a question of a program.
type Request struct {
	Op   string
	args json.RawMessage
	out  []byte // the answer as JSON
}

// Decode stores the arguments in the struct that v points to.
func (q *Request) Decode(v any) error {
	if err := json.Unmarshal(q.args, v); err != nil {
		return &Error{"TypeError", q.Op + ": " + err.Error()}
	}
	return nil
}

// Answer sets the answer to v as JSON.
func (q *Request) Answer(v any) error {
	b, err := json.Marshal(v)
	q.out = append(q.out[:0], b...)
	return err
}

// A Handler answers the requests of a program, one at a time.
type Handler interface {
	Handle(ctx context.Context, q *Request) error
}

// An Error becomes an exception of a class in the program.
type Error struct{ Class, Message string }

func (e *Error) Error() string { return e.Message }

// errUnknown is the answer to an operation that no handler has.
func errUnknown(op string) error { return &Error{"RuntimeError", "gpuprof knows no operation " + op} }

// Output takes what a program prints. The functions are called one at a time.
type Output struct {
	Print func(stream string, text []byte) error // stream is stdout or stderr
	Input func() (line string, err error)        // nil: no input
}

// Serve answers the requests of p until it ends and tells how it did. It stops
// p when ctx is done.
func (p *Process) Serve(ctx context.Context, h Handler, o Output) error {
	defer context.AfterFunc(ctx, p.Stop)()
	err := Serve(ctx, p.requests, p.answers, h, o)
	if err != nil {
		p.Stop()
	}
	end := p.Wait()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && !errors.Is(err, io.ErrClosedPipe):
		return err
	}
	return end
}

// Serve answers the requests that it reads from in on out until in ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, h Handler, o Output) error {
	r := bufio.NewReaderSize(in, 64<<10)
	q := &Request{}
	var line, answer []byte
	for {
		var err error
		if line, err = readLine(r, line[:0]); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		if line[0] != markCall && line[0] != markTell {
			if err := o.print("stdout", line); err != nil {
				return err
			}
			continue
		}
		err = handle(ctx, q, bytes.TrimSuffix(line[1:], []byte("\n")), h, o)
		var stop *stopError
		if errors.As(err, &stop) {
			return stop.err
		}
		if line[0] == markTell {
			continue
		}
		answer = appendAnswer(answer[:0], q, err)
		if _, err := out.Write(answer); err != nil {
			return err
		}
	}
}

func appendAnswer(b []byte, q *Request, err error) []byte {
	if err != nil {
		class := "RuntimeError"
		var e *Error
		if errors.As(err, &e) {
			class = e.Class
		}
		b = append(b, "[false,"...)
		b = append(appendString(b, class), ',')
		b = appendString(b, err.Error())
		return append(b, "]\n"...)
	}
	b = append(b, "[true,"...)
	if len(q.out) == 0 {
		b = append(b, "null"...)
	}
	b = append(b, q.out...)
	return append(b, "]\n"...)
}

// A stopError ends the conversation rather than being answered.
type stopError struct{ err error }

func (e *stopError) Error() string { return e.err.Error() }

// Stop returns an error that a Handler ends the conversation with: Serve
// returns err.
func Stop(err error) error { return &stopError{err} }

func handle(ctx context.Context, q *Request, line []byte, h Handler, o Output) error {
	var parts [2]json.RawMessage
	q.out = q.out[:0]
	if err := json.Unmarshal(line, &parts); err != nil {
		return &Error{"ValueError", "not a request: " + err.Error()}
	}
	if err := json.Unmarshal(parts[0], &q.Op); err != nil {
		return &Error{"ValueError", "not a request: " + err.Error()}
	}
	q.args = parts[1]
	switch q.Op {
	case "print":
		var a struct{ Stream, Text string }
		if err := q.Decode(&a); err != nil {
			return err
		}
		if err := o.print(a.Stream, []byte(a.Text)); err != nil {
			return Stop(err)
		}
		return nil
	case "sleep":
		var a struct{ Seconds float64 }
		if err := q.Decode(&a); err != nil {
			return err
		}
		return sleep(ctx, a.Seconds)
	case "input":
		if o.Input == nil {
			return q.Answer("")
		}
		return input(ctx, q, o.Input)
	}
	if h == nil {
		return errUnknown(q.Op)
	}
	return h.Handle(ctx, q)
}

// input answers with a line. Whoever types may take their time, so the end of
// ctx does not wait for it.
func input(ctx context.Context, q *Request, read func() (string, error)) error {
	type result struct {
		line string
		err  error
	}
	got := make(chan result, 1)
	go func() {
		line, err := read()
		got <- result{line, err}
	}()
	select {
	case r := <-got:
		if r.err != nil {
			return &Error{"OSError", r.err.Error()}
		}
		return q.Answer(r.line)
	case <-ctx.Done():
		return Stop(context.Cause(ctx))
	}
}

// sleep waits for the given time, a year at most.
func sleep(ctx context.Context, seconds float64) error {
	if !(seconds >= 0) {
		return &Error{"ValueError", "sleep length must be non-negative"}
	}
	t := time.NewTimer(time.Duration(min(seconds, 3e7) * float64(time.Second)))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return Stop(context.Cause(ctx))
	}
}

func (o *Output) print(stream string, text []byte) error {
	if o.Print == nil {
		return nil
	}
	return o.Print(stream, text)
}

// readLine appends a line with its end to b. A line that is too long is an
// error.
func readLine(r *bufio.Reader, b []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		b = append(b, part...)
		switch {
		case len(b) > maxRequest:
			return nil, fmt.Errorf("the program sent a line of more than %d bytes", maxRequest)
		case err == nil, err == io.EOF && len(b) > 0:
			return b, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// appendString appends s as a JSON string; bytes that are no UTF-8 become
// U+FFFD.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < 0x20 || c == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c < utf8.RuneSelf:
			b = append(b, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r)
			i += n
			continue
		}
		i++
	}
	return append(b, '"')
}
