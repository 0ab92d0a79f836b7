package fleet

import (
	"context"
	"errors"
	"sync"
)

// Local maps the shards that lack in this process, several at a time; done is told
// of each. A shard that fails does not stop the others; its error is in the folder.
func (f *Folder) Local(ctx context.Context, job Job, shards []int, workers int, done func(*Manifest)) error {
	next := make(chan int)
	var all sync.WaitGroup
	var mu sync.Mutex
	for range max(min(workers, len(shards)), 1) {
		all.Go(func() {
			for n := range next {
				m, _ := f.Work(ctx, job, n)
				mu.Lock()
				if m != nil && done != nil {
					done(m)
				}
				mu.Unlock()
			}
		})
	}
	var err error
	for _, n := range shards {
		select {
		case next <- n:
			continue
		case <-ctx.Done():
			err = ctx.Err()
		}
		break
	}
	close(next)
	all.Wait()
	return errors.Join(err, ctx.Err())
}
