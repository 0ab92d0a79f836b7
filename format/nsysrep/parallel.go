package nsysrep

import (
	"context"
	"runtime"

	"github.com/gpuprof/gpuprof/internal/carry"
)

// inOrder does n pieces of work on as many workers as there are processors, and
// yields what they made in order. At most a few pieces are ahead of yield. It
// stops at the first error that yield returns and returns it; no worker is left
// behind.
func inOrder[W, R any](ctx context.Context, n int, worker func() W, do func(W, int) R, yield func(int, R) error) error {
	ctx, cancel := context.WithCancel(ctx)
	workers := min(n, runtime.GOMAXPROCS(0))
	type piece struct {
		i   int
		out chan R
	}
	queue := make(chan piece, 2*workers)
	jobs := make(chan piece, 2*workers)
	wg := carry.Group{Stop: cancel}
	defer wg.Wait()
	defer cancel()
	for range workers {
		wg.Go(func() {
			w := worker()
			for p := range jobs {
				p.out <- do(w, p.i)
			}
		})
	}
	wg.Go(func() {
		defer close(jobs)
		defer close(queue)
		for i := range n {
			p := piece{i, make(chan R, 1)}
			select {
			case queue <- p:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- p:
			case <-ctx.Done():
				return
			}
		}
	})
	next := 0
	for p := range queue {
		select {
		case r := <-p.out:
			if err := yield(p.i, r); err != nil {
				return err
			}
			next++
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if next < n {
		return ctx.Err()
	}
	return nil
}
