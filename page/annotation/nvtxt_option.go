package annotation

import (
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/page"
)

// nvtxtOptions say how annotation files are read; those of the modes are
// spelled as the importer of Nsight Systems does, with - for _.
var nvtxtOptions = []page.Option{
	{Name: "dialect", Remote: true, Kind: page.Choice, Values: []string{"guide", "nsys"}, Default: "guide",
		Help: "the documented language, or what the importer of Nsight Systems makes of it"},
	{Name: "mode", Kind: page.Choice, Values: []string{"", "lerp", "lin"},
		Help: "map the times of the file by two points of both clocks, or by a point and a frequency"},
	{Name: "ns-a", Kind: page.Text, Arg: "NS", Help: "session time of the first point"},
	{Name: "ns-b", Kind: page.Text, Arg: "NS", Help: "session time of the second point, for lerp"},
	{Name: "nvtxt-a", Kind: page.Text, Arg: "N", Help: "time of the first point in the file; default: the least of its times"},
	{Name: "nvtxt-b", Kind: page.Text, Arg: "N", Help: "time of the second point in the file; default: the greatest of its times"},
	{Name: "freq", Kind: page.Text, Arg: "HZ", Help: "ticks a second, for lin; without a mode those of Qpc and CNTVCT times"},
	{Name: "session", Kind: page.Text, Arg: "START:END", Help: "the window of the report that the events are meant for, in ns"},
	{Name: "update-report-time", Kind: page.Flag, Help: "widen the session rather than leave out what is outside"},
}

// nvtxtLoadOptions reads nvtxtOptions.
func nvtxtLoadOptions(q *page.Request) (o annotate.LoadOptions, err error) {
	if o.Dialect, err = nvtxt.ParseDialect(q.Text("dialect")); err != nil {
		return o, page.Usagef("--dialect: %v", err)
	}
	if o.Mode.Kind, err = annotate.ParseModeKind(q.Text("mode")); err != nil {
		return o, page.Usagef("--mode: %v", err)
	}
	for _, p := range []struct {
		name string
		to   **int64
	}{{"ns-a", &o.Mode.NsA}, {"ns-b", &o.Mode.NsB}, {"nvtxt-a", &o.Mode.NvtxtA}, {"nvtxt-b", &o.Mode.NvtxtB}} {
		if *p.to, err = optionInt(q, p.name); err != nil {
			return o, err
		}
	}
	if s := q.Text("freq"); s != "" {
		freq, err := strconv.ParseFloat(s, 64)
		if err != nil || !(freq > 0) || freq > 1e18 {
			return o, page.Usagef("--freq: %q is no number above 0", s)
		}
		o.Mode.Freq, o.Frequency = freq, freq
	}
	if o.Session, err = optionWindow(q, "session"); err != nil {
		return o, err
	}
	o.Widen = q.Flag("update-report-time")
	if err := o.Mode.Validate(); err != nil {
		return o, page.Usagef("%v", err)
	}
	return o, nil
}

// optionInt reads an option that is a whole number; nil if it is not given.
func optionInt(q *page.Request, name string) (*int64, error) {
	s := q.Text(name)
	if s == "" {
		return nil, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return nil, page.Usagef("--%s: %q is not a whole number", name, s)
	}
	return &n, nil
}

func optionWindow(q *page.Request, name string) (*annotate.Window, error) {
	s := q.Text(name)
	if s == "" {
		return nil, nil
	}
	from, to, _ := strings.Cut(s, ":")
	start, err1 := strconv.ParseInt(from, 10, 64)
	end, err2 := strconv.ParseInt(to, 10, 64)
	if err1 != nil || err2 != nil || end < start {
		return nil, page.Usagef("--%s: %q is no window such as 0:1000000000", name, s)
	}
	return &annotate.Window{Start: start, End: end}, nil
}
