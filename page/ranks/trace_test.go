package ranks

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/ranksgen"
	"github.com/gpuprof/gpuprof/page"
)

// walk calls yield with the fields of a protobuf message.
func walk(t *testing.T, b []byte, yield func(num int, v uint64, sub []byte)) {
	t.Helper()
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			t.Fatal("a tag is cut")
		}
		b = b[n:]
		switch tag & 7 {
		case 0:
			v, n := binary.Uvarint(b)
			if n <= 0 {
				t.Fatal("a number is cut")
			}
			b = b[n:]
			yield(int(tag>>3), v, nil)
		case 1:
			yield(int(tag>>3), binary.LittleEndian.Uint64(b), nil)
			b = b[8:]
		case 2:
			l, n := binary.Uvarint(b)
			if n <= 0 || l > uint64(len(b)-n) {
				t.Fatal("a message is cut")
			}
			yield(int(tag>>3), 0, b[n:uint64(n)+l])
			b = b[uint64(n)+l:]
		default:
			t.Fatalf("wire type %d", tag&7)
		}
	}
}

// TestTrace reads the joint timeline back: a process for each rank, slices that
// nest on their tracks, and collectives of several ranks that are tied together
// and overlap on the common clock.
func TestTrace(t *testing.T) {
	dir := t.TempDir()
	s := ranksgen.Default(11)
	s.ClockOffset = 5e8
	if err := ranksgen.Make(s).Write(dir); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "run.pftrace")
	d, err := Trace.Do(context.Background(), &page.Request{Args: []string{dir}, Output: to})
	if err != nil || d.Failed {
		t.Fatal(d, err)
	}
	b, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	type slice struct{ start, end, track uint64 }
	flows, open, last := map[uint64][]*slice{}, map[uint64][]*slice{}, map[uint64]uint64{}
	ranks, pids := 0, map[uint64]bool{}
	walk(t, b, func(_ int, _ uint64, packet []byte) {
		var at, typ, track, flow uint64
		event := false
		walk(t, packet, func(num int, v uint64, sub []byte) {
			switch num {
			case 8:
				at = v
			case 11:
				event = true
				walk(t, sub, func(num int, v uint64, _ []byte) {
					switch num {
					case 9:
						typ = v
					case 11:
						track = v
					case 47:
						flow = v
					}
				})
			case 60:
				walk(t, sub, func(num int, _ uint64, sub []byte) {
					if num == 3 {
						walk(t, sub, func(num int, v uint64, _ []byte) {
							if num == 1 && v <= uint64(s.Ranks) {
								ranks++
								pids[v] = true
							}
						})
					}
				})
			}
		})
		if !event {
			return
		}
		if at < last[track] {
			t.Fatalf("track %d goes back from %d to %d", track, last[track], at)
		}
		last[track] = at
		switch typ {
		case 1:
			x := &slice{start: at, track: track}
			open[track] = append(open[track], x)
			if flow != 0 {
				flows[flow] = append(flows[flow], x)
			}
		case 2:
			n := len(open[track])
			if n == 0 {
				t.Fatalf("track %d ends a slice that it did not begin", track)
			}
			open[track][n-1].end = at
			open[track] = open[track][:n-1]
		}
	})
	if ranks != s.Ranks || len(pids) != s.Ranks {
		t.Errorf("%d processes are ranks, want %d", ranks, s.Ranks)
	}
	tied := 0
	for _, l := range flows {
		if len(l) < 2 {
			continue // of a call to its kernel
		}
		tied++
		for _, x := range l[1:] {
			if x.track == l[0].track || x.start > l[0].end || l[0].start > x.end {
				t.Errorf("tied collectives do not overlap: %v and %v", *l[0], *x)
			}
		}
	}
	if want := 2 + s.Steps*s.Layers*(2*4+2); tied != want {
		t.Errorf("%d collectives are tied, want %d", tied, want)
	}
}
