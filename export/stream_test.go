package export

import (
	"bufio"
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/trace"
)

// inParts yields tables in parts.
type inParts struct{ tables }

func (s inParts) Scan(ctx context.Context, name string, columns []trace.ColumnInfo, in *trace.Strings, yield func(*trace.Table) error) ([]error, error) {
	all, _, err := s.Read(ctx, name, columns, in)
	if err != nil {
		return nil, err
	}
	for from := 0; from < all.Rows; from += 1000 {
		to := min(from+1000, all.Rows)
		p := &trace.Table{Name: name, Rows: to - from}
		for _, c := range all.Columns {
			p.AddInts(c.Name, c.Ints[from:to], nil)
		}
		if err := yield(p); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// kernels are kernels of some streams, that overlap, in an order that is out of
// that of time by so many rows.
func kernels(n, disorder int) *trace.Table {
	r := rand.New(rand.NewPCG(1, uint64(disorder)))
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for from := 0; disorder > 0 && from < n; from += disorder {
		part := order[from:min(n, from+disorder)]
		r.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
	}
	columns := map[string][]int64{}
	for _, i := range order {
		at := int64(i) / 3 * 100
		for name, v := range map[string]int64{"start": at, "end": at + int64(i*7919%400), "globalPid": gid(7, 0), "deviceId": int64(i % 2), "streamId": int64(i % 5), "correlationId": int64(i + 1)} {
			columns[name] = append(columns[name], v)
		}
	}
	t := &trace.Table{Name: trace.TableKernel, Rows: n}
	for name, v := range columns {
		t.AddInts(name, v, nil)
	}
	return t
}

// TestStreamHoldsFewRows hands tables over in pieces, and the file says the same
// as one of a table that was held whole. Slices must come by time on every track,
// which readPerfetto checks.
func TestStreamHoldsFewRows(t *testing.T) {
	const rows = 100_000
	for _, disorder := range []int{0, 10, 3000, rows} {
		k := kernels(rows, disorder)
		read := func(name string, held int, src trace.Source) (*perfettoFile, *sinkSpy) {
			path := filepath.Join(t.TempDir(), name)
			tr := trace.New("made", src)
			spy := &sinkSpy{}
			err := writeFile(path, func(out *bufio.Writer) error {
				spy.sink = newPerfetto(out, tr, 0, &places{})
				_, err := walkHolding(context.Background(), tr, spy, held)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return readPerfetto(t, path), spy
		}
		want, _ := read("whole", heldRows, tables{k})
		got, spy := read("pieces", 2000, inParts{tables{k}})
		if want.begins != rows || got.begins != rows || got.ends != rows || got.total != want.total {
			t.Errorf("disorder %d: %d slices begin, %d end, %d ns; want %d and %d ns", disorder, got.begins, got.ends, got.total, rows, want.total)
		}
		names := func(p *perfettoFile) []string {
			var out []string
			for _, n := range p.trackNames {
				out = append(out, n)
			}
			slices.Sort(out)
			return out
		}
		if d := cmp.Diff(names(want), names(got)); d != "" {
			t.Errorf("disorder %d: tracks %s", disorder, d)
		}
		// Rows in order go out long before the last came in: on tracks by turns.
		if turns := spy.turns; disorder < rows && turns < 3*len(got.trackNames) {
			t.Errorf("disorder %d: %d turns of %d tracks: the table was held whole", disorder, turns, len(got.trackNames))
		}
	}
}

// A sinkSpy counts how often the track changes.
type sinkSpy struct {
	sink
	last  *track
	turns int
}

func (s *sinkSpy) slice(t *track, sl *slice) error {
	if t != s.last {
		s.last = t
		s.turns++
	}
	return s.sink.slice(t, sl)
}
