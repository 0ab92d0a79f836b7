package export

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/trace"
)

// fields splits a protobuf message.
func fields(t *testing.T, b []byte, yield func(num int, v uint64, sub []byte)) {
	t.Helper()
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			t.Fatal("a tag that is no varint")
		}
		b = b[n:]
		switch key & 7 {
		case 0:
			v, n := binary.Uvarint(b)
			if n <= 0 {
				t.Fatal("a value that is no varint")
			}
			b = b[n:]
			yield(int(key>>3), v, nil)
		case 1:
			yield(int(key>>3), binary.LittleEndian.Uint64(b), nil)
			b = b[8:]
		case 2:
			l, n := binary.Uvarint(b)
			if n <= 0 || int(l) > len(b)-n {
				t.Fatal("a length that does not fit")
			}
			yield(int(key>>3), 0, b[n:n+int(l)])
			b = b[n+int(l):]
		default:
			t.Fatalf("wire type %d", key&7)
		}
	}
}

// A perfettoFile is what a reader of the file sees.
type perfettoFile struct {
	begins, ends  int
	instants      int
	tracks        map[uint64]bool
	stacks        map[uint64]int
	last          map[uint64]uint64
	flows, endsOf map[uint64]bool
	names         map[uint64]string
	total         uint64                 // ns of all slices
	derived       map[string][][2]uint64 // of tracks that no table has, by the name: start, end
	begun         map[uint64][]uint64    // of these
	trackNames    map[uint64]string
	parents       map[uint64]uint64
	processes     map[uint64]string     // by pid
	threads       map[[2]uint64]string  // by pid and tid
	samples       map[uint64][][2]int64 // of counter tracks: time, value
}

func readPerfetto(t *testing.T, path string) *perfettoFile {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &perfettoFile{tracks: map[uint64]bool{}, stacks: map[uint64]int{}, last: map[uint64]uint64{}, flows: map[uint64]bool{}, endsOf: map[uint64]bool{}, names: map[uint64]string{},
		trackNames: map[uint64]string{}, parents: map[uint64]uint64{}, processes: map[uint64]string{}, threads: map[[2]uint64]string{}, samples: map[uint64][][2]int64{}, derived: map[string][][2]uint64{}, begun: map[uint64][]uint64{}}
	fields(t, b, func(num int, _ uint64, packet []byte) {
		if num != 1 {
			t.Fatalf("field %d in a trace", num)
		}
		p.packet(t, packet)
	})
	return p
}

func (p *perfettoFile) packet(t *testing.T, b []byte) {
	var at uint64
	var event []byte
	fields(t, b, func(num int, v uint64, sub []byte) {
		switch num {
		case 8:
			at = v
		case 11:
			event = sub
		case 12:
			fields(t, sub, func(num int, _ uint64, sub []byte) {
				var id uint64
				fields(t, sub, func(n int, v uint64, s []byte) {
					if n == 1 {
						id = v
					} else if num == 2 {
						p.names[id] = string(s)
					}
				})
			})
		case 60:
			p.descriptor(t, sub)
		}
	})
	if event == nil {
		return
	}
	var typ, track, name, value uint64
	fields(t, event, func(num int, v uint64, _ []byte) {
		switch num {
		case 9:
			typ = v
		case 10:
			name = v
		case 11:
			track = v
		case 30:
			value = v
		case 47:
			p.flows[v] = true
		case 48:
			p.endsOf[v] = true
		}
	})
	if !p.tracks[track] {
		t.Fatalf("an event on track %d, which was not announced", track)
	}
	if at < p.last[track] {
		t.Fatalf("track %d goes back from %d to %d", track, p.last[track], at)
	}
	p.last[track] = at
	if n := p.trackNames[track]; typ <= 3 && isDerived(n) {
		switch begun := p.begun[track]; typ {
		case 1:
			p.begun[track] = append(begun, at)
		case 2:
			if len(begun) == 0 {
				t.Fatalf("track %s ends a slice that did not begin", n)
			}
			p.derived[n] = append(p.derived[n], [2]uint64{begun[len(begun)-1], at})
			p.begun[track] = begun[:len(begun)-1]
		}
		return
	}
	switch typ {
	case 1:
		if _, ok := p.names[name]; !ok {
			t.Fatalf("name %d was not announced", name)
		}
		p.begins++
		p.stacks[track]++
		p.total -= at
	case 2:
		p.ends++
		if p.stacks[track]--; p.stacks[track] < 0 {
			t.Fatalf("track %d ends a slice that did not begin", track)
		}
		p.total += at
	case 3:
		p.instants++
	case 4:
		if _, ok := p.samples[track]; !ok {
			t.Fatalf("a sample on track %d, which is of no counter", track)
		}
		p.samples[track] = append(p.samples[track], [2]int64{int64(at), int64(value)})
	default:
		t.Fatalf("event of type %d", typ)
	}
}

var derivedTrack = regexp.MustCompile(`^Stream \d+ NVTX( \(\d+\))?$`)

// isDerived reports whether a track has slices that are not rows of a table.
func isDerived(name string) bool {
	return name == "Critical path" || derivedTrack.MatchString(name)
}

// descriptor reads a TrackDescriptor.
func (p *perfettoFile) descriptor(t *testing.T, b []byte) {
	var id uint64
	fields(t, b, func(num int, v uint64, sub []byte) {
		switch num {
		case 1:
			id = v
			if p.tracks[id] {
				t.Fatalf("track %d was announced twice", id)
			}
			p.tracks[id] = true
		case 2:
			p.trackNames[id] = string(sub)
		case 3:
			var pid uint64
			fields(t, sub, func(num int, v uint64, sub []byte) {
				switch num {
				case 1:
					pid = v
				case 6:
					p.processes[pid] = string(sub)
				}
			})
		case 4:
			var at [2]uint64
			fields(t, sub, func(num int, v uint64, sub []byte) {
				switch num {
				case 1, 2:
					at[num-1] = v
				case 5:
					p.threads[at] = string(sub)
				}
			})
		case 5:
			if p.parents[id] = v; !p.tracks[v] {
				t.Fatalf("track %d is below %d, which was not announced", id, v)
			}
		case 8:
			p.samples[id] = nil
		default:
			t.Fatalf("field %d in a track descriptor", num)
		}
	})
}

// rowsOf counts the rows that become slices, the time that they take, and those
// that have no duration.
func rowsOf(t *testing.T, tr *trace.Trace) (rows int, total uint64, instants int) {
	t.Helper()
	r, err := tr.Ranges(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if r != nil {
		for i := range r.Start {
			rows++
			total += uint64(max(r.End[i], r.Start[i]) - r.Start[i])
		}
	}
	nvtx, err := tr.Table(context.Background(), trace.TableNvtx, "eventType")
	if err != nil {
		t.Fatal(err)
	}
	if nvtx != nil {
		for _, ty := range nvtx.Ints("eventType") {
			if ty == 34 || ty == 65 {
				instants++
			}
		}
	}
	for _, s := range tr.SliceTables() {
		tb, err := tr.Table(context.Background(), s.Table, s.Start, s.End, s.Place)
		if err != nil {
			t.Fatal(err)
		}
		if s.Until { // up to the next of the thread
			byThread := map[int64][]int64{}
			for i, st := range tb.Ints(s.Start) {
				g := tb.Ints(s.Place)[i]
				byThread[g] = append(byThread[g], st)
			}
			for _, all := range byThread {
				rows += len(all)
				total += uint64(slices.Max(all) - slices.Min(all))
			}
			continue
		}
		if tb.Col(s.End) == nil {
			instants += tb.Rows
			continue
		}
		end := tb.Ints(s.End)
		for i, st := range tb.Ints(s.Start) {
			rows++
			total += uint64(max(end[i], st) - st)
		}
	}
	return rows, total, instants
}

func TestPerfettoCorpus(t *testing.T) {
	flows := 0
	for _, path := range corpustest.Files(t, "corpus/nsys/*.sqlite") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			to := filepath.Join(t.TempDir(), "x.pftrace")
			if err := Perfetto(context.Background(), open(t, path), to); err != nil {
				t.Fatal(err)
			}
			p := readPerfetto(t, to)
			rows, total, instants := rowsOf(t, open(t, path))
			if p.begins != rows || p.ends != rows || p.total != total || p.instants != instants {
				t.Errorf("%d slices begin and %d end, %d ns, %d instants; want %d, %d ns, %d", p.begins, p.ends, p.total, p.instants, rows, total, instants)
			}
			for f := range p.endsOf {
				if p.flows[f] {
					flows++
				}
			}
		})
	}
	if flows < 10000 {
		t.Errorf("%d flows lead from a call to its work", flows)
	}
}

func TestChromeCorpus(t *testing.T) {
	for _, path := range corpustest.Files(t, "corpus/nsys/GindaChen__nsys-ai__tests_fixtures_m*.sqlite") {
		to := filepath.Join(t.TempDir(), "x.json")
		if err := Chrome(context.Background(), open(t, path), to); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			TraceEvents []struct {
				Ph, Name, Cat string
				Ts, Dur       json.Number
			}
		}
		if err := json.Unmarshal(b, &doc); err != nil {
			t.Fatal(err)
		}
		n, marks := 0, 0
		for _, e := range doc.TraceEvents {
			switch e.Ph {
			case "X":
				if e.Cat != "nvtx_projected" && e.Cat != "critical_path" {
					n++
				}
			case "i":
				marks++
			}
		}
		if rows, _, instants := rowsOf(t, open(t, path)); n != rows || marks != instants {
			t.Errorf("%d slices and %d instants, want %d and %d", n, marks, rows, instants)
		}
	}
}

func TestCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sqlite")
	if err := nsysgen.Write(path, nsysgen.Size{Kernels: 10, Ranges: 7, Copies: 3, Threads: 1, Devices: 1, Names: 2}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if err := CSV(context.Background(), open(t, path), dir); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "CUPTI_ACTIVITY_KIND_KERNEL.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(string(b), "\n"); len(lines) != 12 || !strings.HasPrefix(lines[0], "start,end,deviceId,") {
		t.Errorf("%d lines, the first %q", len(lines), lines[0])
	}
}

func BenchmarkPerfetto(b *testing.B) {
	size := nsysgen.Default
	size.Kernels, size.Ranges, size.Copies = 250_000, 70_000, 10_000
	path := filepath.Join(b.TempDir(), "x.sqlite")
	if err := nsysgen.Write(path, size); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f := openBench(b, path)
		if err := Perfetto(context.Background(), f, filepath.Join(b.TempDir(), "x.pftrace")); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(2*size.Kernels+2*size.Copies+size.Ranges)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mslices/s")
}
