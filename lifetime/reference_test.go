package lifetime_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/lifetime"
	"pgregory.net/rapid"
)

// The definition of a lifetime once more, as plainly as it can be said: maps, one
// access after the other. What the engine computes must be the same.

type refLife struct {
	kernel int
	level  simlog.LevelID
	unit   uint16
	addr   uint64
	cycles int64
}

type refBlock struct {
	start, last int64
	alive       bool
	arrived     bool
	reads       int
	begun       int // position of the access that began the lifetime
}

type refKey struct {
	level simlog.LevelID
	unit  uint16
	block uint64
}

type reference struct {
	o      lifetime.Options
	blocks map[refKey]*refBlock
	order  int
	lives  []refLife
	kernel int
	merged int64
	reuse  [8]int64
	unique int64
}

func (r *reference) access(cycle int64, addr uint64, info simlog.Info) {
	if info.Status() == simlog.ReservationFail {
		return
	}
	r.order++
	k := refKey{info.Level(), info.Unit(), addr / r.o.Block}
	b := r.blocks[k]
	if b == nil {
		b = &refBlock{}
		r.blocks[k] = b
		r.unique++
	}
	isHit := info.Status() == simlog.Hit
	isMiss := info.Status() == simlog.Miss || info.Status() == simlog.SectorMiss
	isStore := info.Op() == simlog.OpStore
	begin := func() {
		*b = refBlock{start: cycle, last: cycle, alive: true, arrived: isHit, begun: r.order}
	}
	if isStore {
		if b.alive {
			r.close(k, b, cycle)
		}
		if isMiss && r.o.NoWriteAllocate {
			b.alive = false
			return
		}
		begin()
		return
	}
	if !b.alive {
		begin()
		return
	}
	if isMiss && (b.arrived || cycle-b.start > r.o.MergeWindow) {
		r.close(k, b, cycle)
		begin()
		b.arrived = false
		return
	}
	if isMiss {
		r.merged++
	}
	b.arrived = b.arrived || isHit
	b.reads++
	b.last = max(b.last, cycle)
}

func (r *reference) close(k refKey, b *refBlock, at int64) {
	if r.o.End == lifetime.AtLastRead {
		at = b.last
	}
	r.reuse[min(b.reads, 7)]++
	r.lives = append(r.lives, refLife{r.kernel, k.level, k.unit, k.block * r.o.Block, max(at-b.start, 0)})
}

func (r *reference) end(at int64) {
	var open []refKey
	for k, b := range r.blocks {
		if b.alive {
			open = append(open, k)
		}
	}
	slices.SortFunc(open, func(a, b refKey) int { return cmp.Compare(r.blocks[a].begun, r.blocks[b].begun) })
	for _, k := range open {
		r.close(k, r.blocks[k], at)
	}
	r.blocks = map[refKey]*refBlock{}
	r.kernel++
}

// list is a source made of accesses: kernels end where marked.
type list struct {
	cycle []int64
	addr  []uint64
	info  []simlog.Info
	ends  []int   // kernels end before these positions; the last is len
	at    []int64 // the cycles where they end
	batch int     // accesses in a batch
	pos   int
	k     int
}

func (l *list) Next() (*simlog.Batch, error) {
	if l.pos == len(l.cycle) && l.k == len(l.ends) {
		return nil, io.EOF
	}
	hi := min(l.pos+l.batch, len(l.cycle))
	b := &simlog.Batch{Cycle: l.cycle[l.pos:hi], Addr: l.addr[l.pos:hi], Info: l.info[l.pos:hi]}
	if l.pos == 0 {
		b.Events = append(b.Events, simlog.Event{Kind: simlog.KernelStart, Kernel: &simlog.Kernel{ID: 1}})
	}
	for l.k < len(l.ends) && l.ends[l.k] <= hi {
		k := &simlog.Kernel{Index: l.k, ID: int64(l.k) + 1, EndCycle: l.at[l.k], EndKnown: true}
		b.Events = append(b.Events, simlog.Event{Kind: simlog.KernelEnd, At: l.ends[l.k] - l.pos, Kernel: k})
		l.k++
		if l.k < len(l.ends) {
			b.Events = append(b.Events, simlog.Event{Kind: simlog.KernelStart, At: l.ends[l.k-1] - l.pos, Kernel: &simlog.Kernel{ID: int64(l.k) + 1}})
		}
	}
	l.pos = hi
	return b, nil
}

func (l *list) Levels() []string      { return []string{"L1D", "L2", "X"} }
func (l *list) Config() simlog.Config { return simlog.Config{} }
func (l *list) Tally() simlog.Tally   { return simlog.Tally{} }
func (l *list) Notes() []simlog.Note  { return nil }
func (l *list) Close() error          { return nil }

// keep is a sink that keeps everything.
type keep struct {
	lives   []refLife
	kernel  int
	spilled bool
	merged  int64
	unique  int64
	reuse   [8]int64
	n       uint64
}

func (k *keep) Begin(*simlog.Kernel) error { return nil }
func (k *keep) Rows(rows []lifetime.Row) error {
	for _, r := range rows {
		k.lives = append(k.lives, refLife{k.kernel, r.Level(), r.Unit(), r.Addr, r.Cycles})
	}
	return nil
}
func (k *keep) End(r *lifetime.KernelResult) error {
	k.kernel++
	k.spilled = k.spilled || r.Spilled
	for _, l := range r.Levels {
		k.merged += l.Merged
		k.unique += l.Unique
		k.n += l.Lifetimes.N()
		for i, n := range l.Reuse {
			k.reuse[i] += n
		}
	}
	return nil
}

func drawList(t *rapid.T) *list {
	l := &list{batch: rapid.IntRange(1, 50).Draw(t, "batch")}
	n := rapid.IntRange(1, 300).Draw(t, "accesses")
	cycle := rapid.Int64Range(-10, 5000).Draw(t, "first")
	for i := range n {
		cycle += rapid.Int64Range(0, 3).Draw(t, "step")
		if rapid.IntRange(0, 30).Draw(t, "jump") == 0 {
			cycle += 1000
		}
		l.cycle = append(l.cycle, cycle)
		l.addr = append(l.addr, rapid.Uint64Range(0, 20).Draw(t, "block")*16+rapid.Uint64Range(0, 1).Draw(t, "far")<<40)
		l.info = append(l.info, simlog.MakeInfo(simlog.LevelID(rapid.IntRange(0, 2).Draw(t, "level")), simlog.Op(rapid.IntRange(0, 2).Draw(t, "op")),
			simlog.Status(rapid.IntRange(0, 6).Draw(t, "status")), uint16(rapid.IntRange(0, 2).Draw(t, "unit")), uint16(rapid.IntRange(0, 9).Draw(t, "bank"))))
		if i == n-1 || rapid.IntRange(0, 100).Draw(t, "end") == 0 {
			l.ends, l.at = append(l.ends, i+1), append(l.at, cycle+rapid.Int64Range(0, 100).Draw(t, "tail"))
		}
	}
	return l
}

func runReference(l *list, o lifetime.Options) *reference {
	r := &reference{o: o, blocks: map[refKey]*refBlock{}}
	k := 0
	for i := range l.cycle {
		for k < len(l.ends) && l.ends[k] == i {
			r.end(l.at[k])
			k++
		}
		r.access(l.cycle[i], l.addr[i], l.info[i])
	}
	r.end(l.at[k])
	return r
}

func TestAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawList(t)
		o := lifetime.Options{
			Block:           rapid.SampledFrom([]uint64{1, 16, 32, 128}).Draw(t, "block size"),
			End:             lifetime.End(rapid.IntRange(0, 1).Draw(t, "end rule")),
			NoWriteAllocate: rapid.Bool().Draw(t, "no write allocate"),
			MergeWindow:     rapid.SampledFrom([]int64{-1, 2, 500}).Draw(t, "window"),
		}
		want := runReference(l, o)
		for i, shards := range []int{1, 1, 2, 4} {
			o.Jobs, o.Shards = i+1, shards
			l.pos, l.k = 0, 0
			var got keep
			if _, err := lifetime.Run(context.Background(), l, o, &got); err != nil {
				t.Fatal(err)
			}
			if d := gocmp.Diff(want.lives, got.lives, gocmp.AllowUnexported(refLife{})); d != "" {
				t.Fatalf("%d shards: %s", shards, d)
			}
			if got.merged != want.merged || got.unique != want.unique || got.reuse != want.reuse || got.n != uint64(len(want.lives)) {
				t.Fatalf("%d shards: merged %d, unique %d, reuse %v, n %d; want %d, %d, %v, %d", shards, got.merged, got.unique, got.reuse, got.n, want.merged, want.unique, want.reuse, len(want.lives))
			}
		}
	})
}

// Where memory does not suffice the lifetimes are the same, only their order is
// another.
func TestSpill(t *testing.T) {
	l := &list{batch: 3000}
	rng := uint64(7)
	next := func(n uint64) uint64 { rng = rng*6364136223846793005 + 1442695040888963407; return (rng >> 33) % n }
	for i := range 60000 {
		l.cycle = append(l.cycle, int64(i/4))
		l.addr = append(l.addr, next(30000)*32)
		l.info = append(l.info, simlog.MakeInfo(simlog.LevelID(next(2)), simlog.OpLoad+simlog.Op(next(4)/3), simlog.Status(next(3)), uint16(next(2)), 0))
	}
	l.ends, l.at = []int{20000, 21000, 60000}, []int64{5100, 5300, 15100}
	o := lifetime.Options{Block: 32, MergeWindow: 100}
	want := runReference(l, o)
	slices.SortFunc(want.lives, compareLives)
	dir := t.TempDir()
	for _, shards := range []int{1, 2} {
		o.Jobs, o.Shards, o.TableBytes, o.TempDir = shards, shards, 1, dir
		l.pos, l.k = 0, 0
		var got keep
		if _, err := lifetime.Run(context.Background(), l, o, &got); err != nil {
			t.Fatal(err)
		}
		if !got.spilled {
			t.Fatal("nothing was spilled: the test does not test")
		}
		slices.SortFunc(got.lives, compareLives)
		if d := gocmp.Diff(want.lives, got.lives, gocmp.AllowUnexported(refLife{})); d != "" {
			t.Fatalf("%d shards: %s", shards, d)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files left: %v, %v", left, err)
	}
	o.TempDir = dir + "/missing"
	l.pos, l.k = 0, 0
	if _, err := lifetime.Run(context.Background(), l, o, &keep{}); err == nil || !strings.Contains(err.Error(), "no temporary file") {
		t.Errorf("error %v", err)
	}
}

func compareLives(a, b refLife) int {
	return cmp.Or(cmp.Compare(a.kernel, b.kernel), cmp.Compare(a.level, b.level), cmp.Compare(a.unit, b.unit), cmp.Compare(a.addr, b.addr), cmp.Compare(a.cycles, b.cycles))
}

type failing struct {
	at string
}

func (f *failing) Begin(k *simlog.Kernel) error { return f.fail("begin") }
func (f *failing) Rows(r []lifetime.Row) error  { return f.fail("rows") }
func (f *failing) End(r *lifetime.KernelResult) error {
	return f.fail("end")
}
func (f *failing) fail(at string) error {
	if f.at == at {
		return fmt.Errorf("no room for %s", at)
	}
	return nil
}

func TestSinkError(t *testing.T) {
	for _, shards := range []int{1, 2, 4} {
		for _, at := range []string{"begin", "rows", "end"} {
			l := &list{cycle: []int64{1, 2}, addr: []uint64{0, 0}, info: []simlog.Info{simlog.MakeInfo(0, simlog.OpStore, 0, 0, 0), simlog.MakeInfo(0, simlog.OpStore, 0, 0, 0)}, ends: []int{2}, at: []int64{5}, batch: 1}
			_, err := lifetime.Run(context.Background(), l, lifetime.Options{Jobs: shards}, &failing{at: at})
			if err == nil || !strings.Contains(err.Error(), "no room for "+at) {
				t.Errorf("%d jobs, %s: error %v", shards, at, err)
			}
		}
	}
}
