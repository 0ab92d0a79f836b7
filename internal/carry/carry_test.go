package carry

import (
	"context"
	"strings"
	"testing"
)

func TestGroup(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g := Group{Stop: cancel}
	g.Go(func() { <-ctx.Done() }) // waits for what never comes
	g.Go(func() { var none []int; _ = none[len(none)] })
	outer := Catch(func() {
		inner := Catch(g.Wait)
		inner.Throw()
	})
	if outer == nil || !strings.Contains(outer.Error(), "index out of range") || !strings.Contains(string(outer.Stack), "TestGroup.func2") {
		t.Errorf("carried %v\n%s", outer, outer.Stack)
	}
	var quiet Group
	n := 0
	quiet.Go(func() { n++ })
	if f := Catch(quiet.Wait); f != nil || n != 1 {
		t.Errorf("without a panic: %v, %d", f, n)
	}
}
