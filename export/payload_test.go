package export

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/trace"
)

// ranges is a trace of two NVTX ranges and a mark, of which the second range and
// the mark carry a number.
type ranges struct{}

func (ranges) Tables() []trace.TableInfo {
	info := trace.TableInfo{Name: trace.TableNvtx}
	for _, c := range []string{"start", "end", "eventType", "globalTid", "domainId", "uint64Value"} {
		info.Columns = append(info.Columns, trace.ColumnInfo{Name: c})
	}
	return []trace.TableInfo{info}
}

func (ranges) Read(_ context.Context, name string, columns []trace.ColumnInfo, _ *trace.Strings) (*trace.Table, []error, error) {
	t := &trace.Table{Name: name, Rows: 3}
	for _, c := range columns {
		v := map[string][]int64{"start": {10, 20, 30}, "end": {50, 40, 0}, "eventType": {59, 59, 34}, "globalTid": {1 << 24, 1 << 24, 1 << 24},
			"domainId": {0, 0, 0}, "uint64Value": {0, 4096, 7}, "rowid": {1, 2, 3}}[c.Name]
		var null []bool
		switch c.Name {
		case "uint64Value":
			null = []bool{true, false, false}
		case "end":
			null = []bool{false, false, true}
		}
		t.AddInts(c.Name, v, null)
	}
	return t, nil, nil
}

func TestPayloadsOfEvents(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "x.json")
	if err := Chrome(context.Background(), trace.New("made", ranges{}), out); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		TraceEvents []struct {
			Ph   string
			Ts   float64
			Args struct{ Payload string }
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	got := map[float64]string{}
	for _, e := range doc.TraceEvents {
		if e.Ph == "X" || e.Ph == "i" {
			got[e.Ts] = e.Args.Payload
		}
	}
	if len(got) != 3 || got[0.01] != "" || got[0.02] != "value=4096" || got[0.03] != "value=7" {
		t.Errorf("payloads by time: %v", got)
	}

	out = filepath.Join(dir, "x.pftrace")
	if err := Perfetto(context.Background(), trace.New("made", ranges{}), out); err != nil {
		t.Fatal(err)
	}
	if b, err = os.ReadFile(out); err != nil {
		t.Fatal(err)
	}
	var payloads []string
	fields(t, b, func(_ int, _ uint64, packet []byte) {
		fields(t, packet, func(num int, _ uint64, sub []byte) {
			if num != packetTrackEvent {
				return
			}
			fields(t, sub, func(num int, _ uint64, note []byte) {
				if num != eventAnnotation {
					return
				}
				fields(t, note, func(num int, _ uint64, s []byte) { payloads = append(payloads, string(rune('0'+num/10))+string(s)) })
			})
		})
	})
	if len(payloads) != 4 || payloads[0] != "0value=4096" || payloads[1] != "1payload" || payloads[2] != "0value=7" {
		t.Errorf("annotations: %q", payloads)
	}
}
