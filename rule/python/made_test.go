package python

import (
	"context"
	"math"
	"path/filepath"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// madeReport is the name under which openReport gives a report with what those
// at hand lack.
const madeReport = "made"

// openReport opens a report for the tests.
func openReport(ctx context.Context, name string) (*profile.Report, error) {
	if filepath.Base(name) != madeReport {
		f, err := load.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		return f.Report.Report, nil
	}
	a := profile.NewAction(made{})
	a.Function, a.Demangled, a.Mangled = "made", "made(int)", "_Z4madei"
	return &profile.Report{Ranges: []profile.Range{{Actions: []*profile.Action{a}}}}, nil
}

// made has every kind of value, of NVTX payload and of result.
type made struct{}

func (made) Metrics() (*profile.MetricSet, error) {
	in := []profile.Instance{{ID: metric.Uint64(16), Value: metric.Double(math.Inf(1))},
		{ID: metric.Uint64(32), Value: metric.Double(math.NaN())}, {ID: metric.Uint64(48), Value: metric.Double(-2.5)}}
	named := []profile.Instance{{ID: metric.String("FFMA"), Value: metric.Uint64(math.MaxUint64)}, {ID: metric.String("é\x00\"\\"), Value: metric.Uint64(1)}}
	return profile.NewMetricSet([]profile.Metric{
		profile.NewMetric("gpu__time_duration.sum", metric.Uint64(1), nil),
		profile.NewMetric("made__float", metric.Float(0.1), nil),
		profile.NewMetric("made__inf", metric.Double(math.Inf(-1)), nil),
		profile.NewMetric("made__text", metric.String("a\nb \u2028 \U0001f600 \xff"), nil),
		profile.NewMetric("made__uint32", metric.Uint32(math.MaxUint32), nil),
		profile.NewMetric("made__none", metric.Value{}, nil),
		profile.NewMetric("made__instances", metric.Value{}, in),
		profile.NewMetric("made__per_opcode", metric.Uint64(7), named),
		profile.NewMetric("pmsampling:made", metric.Double(0.5), in),
	}), nil
}

func (made) RuleResults() ([]profile.RuleResult, error) {
	return []profile.RuleResult{{Identifier: "Made", DisplayName: "Made up", Section: "SpeedOfLight",
		Messages: []profile.RuleMessage{
			{ID: 1, Type: profile.MessageOptimization, Name: "T", Text: "text", Speedup: &profile.Speedup{Type: profile.SpeedupGlobal, Percent: 12.5},
				Focus: []profile.FocusMetric{{MessageID: 1, Name: "made__float", Value: math.NaN(), Severity: 2, Info: "i"}}},
			{ID: 2, Type: profile.MessageOK, Text: "fine"}},
		Tables: []profile.RuleTable{
			{Kind: "bar", Label: "B", Metrics: []profile.RuleTableMetric{{Name: "made__float", Label: "F"}}},
			{Kind: "data", Label: "D", MessageID: 1, Columns: []string{"a", "b"}, SortBy: -1,
				Rows: [][]metric.Value{{metric.Uint64(1), metric.String("x")}, {metric.Double(math.NaN()), {}}}}},
		Markers: []profile.SourceMarker{{Source: true, File: "a.cu", Line: 3, Text: "line", Type: profile.MessageWarning}, {Address: 16, Text: "pc"}},
	}, {Identifier: "Silent"}}, nil
}

func (made) NvtxState() (*profile.NvtxState, error) {
	kinds := []profile.NvtxRange{
		{Name: "none"},
		{Name: "u64", PayKind: profile.NvtxPayloadUint64, Payload: metric.Uint64(math.MaxUint64)},
		{Name: "i64", PayKind: profile.NvtxPayloadInt64, Signed: math.MinInt64},
		{Name: "double", PayKind: profile.NvtxPayloadDouble, Payload: metric.Double(1.5)},
		{Name: "u32", PayKind: profile.NvtxPayloadUint32, Payload: metric.Uint64(7)},
		{Name: "i32", PayKind: profile.NvtxPayloadInt32, Signed: -7},
		{Name: "float", PayKind: profile.NvtxPayloadFloat, Payload: metric.Double(math.NaN())},
		{Name: "all", Category: 5, Color: 0xff00ff00, HasColor: true, Message: "m", MsgKind: profile.NvtxMessageASCII},
	}
	return &profile.NvtxState{ThreadID: 1, Domains: []profile.NvtxDomain{
		{ID: 0, Name: profile.DefaultDomain, PushPop: kinds, StartEnd: kinds[:3]}, {ID: 7, Name: "own", StartEnd: kinds}}}, nil
}

func (made) CallStack() ([]profile.Frame, error) { return nil, nil }

func (made) Code() (*profile.Code, error) {
	return &profile.Code{Files: []profile.SourceFile{{Path: "/src/a.cu", Text: "line one\nline two\n"}, {Path: "/src/b.cu"}}}, nil
}
