package sasslearn

import (
	"runtime"
	"slices"
	"sync"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// Learn learns all operations of the pairs.
func Learn(pairs []Pair, opt Options) []*table.Op {
	by := map[int][]Pair{}
	for _, p := range pairs {
		by[p.Word.Op()] = append(by[p.Word.Op()], p)
	}
	codes := make([]int, 0, len(by))
	for c := range by {
		codes = append(codes, c)
	}
	slices.SortFunc(codes, func(a, b int) int { return len(by[b]) - len(by[a]) })
	next := make(chan int)
	var mu sync.Mutex
	var ops []*table.Op
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for c := range next {
				if op := learnOp(c, by[c], opt); op != nil {
					mu.Lock()
					ops = append(ops, op)
					mu.Unlock()
				}
			}
		})
	}
	for _, c := range codes {
		next <- c
	}
	close(next)
	wg.Wait()
	slices.SortFunc(ops, func(a, b *table.Op) int { return a.Code - b.Code })
	return ops
}
