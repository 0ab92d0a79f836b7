// Package carry brings panics of goroutines to who waits for them.
//
// A panic in a goroutine of its own ends the program with a stack, whatever its
// starter would have done about it. Input is hostile and we are not perfect, so
// the workers that read files run in a [Group], whose Wait panics in their place:
// then one recover, in the runner of pages, serves all.
package carry

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// A Fault is a panic that was caught.
type Fault struct {
	Value any    // of the panic
	Stack []byte // of the goroutine that panicked
}

func (f *Fault) Error() string { return fmt.Sprintf("panic: %v", f.Value) }

// Catch calls f and returns its panic; nil if there is none.
func Catch(f func()) (fault *Fault) {
	defer func() {
		if v := recover(); v != nil {
			fault = from(v)
		}
	}()
	f()
	return nil
}

// from is the fault of what recover returned. One that was carried stays what it
// is.
func from(v any) *Fault {
	if f, ok := v.(*Fault); ok {
		return f
	}
	return &Fault{Value: v, Stack: debug.Stack()}
}

// Throw panics with the fault; of nil it does nothing.
func (f *Fault) Throw() {
	if f != nil {
		panic(f)
	}
}

// A Group is a [sync.WaitGroup] that carries the first panic of its goroutines.
type Group struct {
	// Stop, if not nil, is called when a goroutine has panicked: it ends those that
	// wait for it.
	Stop func()

	wg    sync.WaitGroup
	once  sync.Once
	fault *Fault
}

// Go calls f in a new goroutine.
func (g *Group) Go(f func()) {
	g.wg.Go(func() {
		fault := Catch(f)
		if fault == nil {
			return
		}
		g.once.Do(func() { g.fault = fault })
		if g.Stop != nil {
			g.Stop()
		}
	})
}

// Wait waits for all goroutines, and panics with a *Fault if one of them did.
func (g *Group) Wait() {
	g.wg.Wait()
	g.fault.Throw()
}
