package rule

import (
	"context"
	"testing"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/rule/python"
)

// BenchmarkFirstLaunch starts the interpreter from compiled code, loads the stock
// rules and applies them once: what a command takes besides its page.
func BenchmarkFirstLaunch(b *testing.B) {
	ctx := context.Background()
	for b.Loop() {
		h, err := NewHost(ctx, Options{Cache: python.CacheDir()})
		if err != nil {
			b.Fatal(err)
		}
		s, err := h.Load(ctx, Stock())
		if err != nil {
			b.Fatal(err)
		}
		r, a := report(profile.NewMetric("x", metric.Double(1.5), nil))
		if _, err := h.Apply(ctx, Job{Report: r, Action: a, Rules: s.Rules}); err != nil {
			b.Fatal(err)
		}
		h.Close()
	}
}

// BenchmarkLaunch applies the stock rules with a warm interpreter.
func BenchmarkLaunch(b *testing.B) {
	ctx := context.Background()
	h := newHost(b, Options{})
	s, err := h.Load(ctx, Stock())
	if err != nil {
		b.Fatal(err)
	}
	r, a := report(profile.NewMetric("x", metric.Double(1.5), nil))
	for b.Loop() {
		if _, err := h.Apply(ctx, Job{Report: r, Action: a, Rules: s.Rules}); err != nil {
			b.Fatal(err)
		}
	}
}
