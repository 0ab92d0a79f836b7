package python

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

type metricList []profile.Metric

func (l metricList) Metrics() (*profile.MetricSet, error)     { return profile.NewMetricSet(l), nil }
func (metricList) RuleResults() ([]profile.RuleResult, error) { return nil, nil }
func (metricList) NvtxState() (*profile.NvtxState, error)     { return nil, nil }
func (metricList) CallStack() ([]profile.Frame, error)        { return nil, nil }
func (metricList) Code() (*profile.Code, error)               { return nil, nil }

func service() *Service {
	s := &Service{}
	a := profile.NewAction(metricList{
		profile.NewMetric("a", metric.Double(math.NaN()), nil),
		profile.NewMetric("b", metric.Uint64(1<<63), []profile.Instance{{ID: metric.String("x\x00\"\xff"), Value: metric.Double(math.Inf(-1))}}),
	})
	s.Add(&profile.Report{Ranges: []profile.Range{{Actions: []*profile.Action{a}}}})
	return s
}

func TestServe(t *testing.T) {
	in := strings.Join([]string{
		"\x1e[\"action\",{\"report\":0,\"range\":0,\"action\":0}]",
		"\x1e[\"instances\",{\"report\":0,\"range\":0,\"action\":0,\"metric\":\"b\"}]",
		"\x1e[\"action\",{\"report\":0,\"range\":0,\"action\":1}]",
		"\x1e[\"open\",{\"file\":\"/etc/passwd\"}]",
		"\x1e[\"nonsense\",{}]",
		"\x1e[\"action\",[]]",
		"\x1enonsense",
		"printed past Python",
		"\x1d[\"print\",{\"stream\":\"stderr\",\"text\":\"told\"}]",
		"\x1e[\"by_nvtx\",{\"report\":9,\"range\":0,\"includes\":[],\"excludes\":[]}]",
	}, "\n")
	var out bytes.Buffer
	var printed []string
	err := Serve(context.Background(), strings.NewReader(in), &out, service(), Output{Print: func(s string, b []byte) error {
		printed = append(printed, s+":"+strings.TrimSpace(string(b)))
		return nil
	}})
	want := `[true,{"names":["","",""],"workload":0,"schema":0,"set":{"names":["a","b"],"kinds":[4,6],"units":["",""],"types":[0,0],"subtypes":[0,0],"rollups":[0,0]},"values":[NaN,9223372036854775808],"counts":[[1,1]]}]
[true,{"values":[-Infinity],"kinds":4,"ids":["x\u0000\"` + "\uFFFD" + `"],"id_kinds":2}]
[false,"IndexError","there is no such action"]
[false,"OSError","/etc/passwd: this program may open no reports"]
[false,"RuntimeError","gpuprof knows no operation nonsense"]
`
	if err != nil || !strings.HasPrefix(out.String(), want) {
		t.Errorf("%v\n%s\nwant\n%s", err, out.String(), want)
	}
	if got := strings.Count(out.String(), "\n"); got != 8 {
		t.Errorf("%d answers", got)
	}
	if strings.Join(printed, " ") != "stdout:printed past Python stderr:told" {
		t.Errorf("%q", printed)
	}
}

// FuzzServe: whatever a program sends, each call has one answer that is JSON but
// for the numbers that Python adds to it.
func FuzzServe(f *testing.F) {
	for _, op := range []string{"action", "instances", "place", "nvtx", "source_files", "rule_results", "by_nvtx", "describe", "open", "input"} {
		f.Add([]byte("\x1e[\"" + op + "\",{\"report\":0,\"range\":0,\"action\":0,\"metric\":\"b\",\"address\":16,\"includes\":[\"a@b\"]}]\n"))
	}
	f.Add([]byte("\x1e[\"sleep\",{\"seconds\":-1}]\n\x1e[1]\n\x1e\nx\n"))
	numbers := strings.NewReplacer("-Infinity", "0", "Infinity", "0", "NaN", "0")
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Contains(in, []byte("sleep")) && bytes.ContainsAny(in, "123456789") {
			return
		}
		calls := 0
		for _, line := range bytes.SplitAfter(in, []byte("\n")) {
			if len(line) > 0 && line[0] == markCall {
				calls++
			}
		}
		var out bytes.Buffer
		_ = Serve(context.Background(), bytes.NewReader(in), &out, service(), Output{}) // how it ends is not the matter
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if calls > 0 && len(lines) != calls {
			t.Fatalf("%d answers to %d calls", len(lines), calls)
		}
		for _, l := range lines {
			if calls > 0 && !json.Valid([]byte(numbers.Replace(l))) {
				t.Errorf("not JSON: %s", l)
			}
		}
	})
}
