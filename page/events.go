package page

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
)

// TraceOptions choose the events that pages of a timeline look at.
var TraceOptions = []Option{
	{Name: "device", Remote: true, Kind: List, Arg: "N", Help: "only work of these devices, and the calls that caused it"},
	{Name: "pid", Remote: true, Kind: List, Arg: "PID", Help: "only these processes"},
	{Name: "stream", Remote: true, Kind: List, Arg: "N", Help: "only work on these streams, and the calls that caused it"},
	threadOption,
	{Name: "rank", Remote: true, Kind: List, Arg: "N", Help: "only these ranks of a distributed program; 'gpuprof ranks' tells where their numbers come from"},
	{Name: "kernel-regex", Remote: true, Kind: Text, Arg: "REGEX", Help: "of the work of GPUs only kernels whose name, short or long, matches, and the calls that launched them"},
	{Name: "range-regex", Remote: true, Kind: Text, Arg: "REGEX", Help: "of NVTX only events whose text matches, and of the rest what began, or was launched, inside such a range on its thread"},
	{Name: "fold", Remote: true, Kind: Flag, Help: "texts of NVTX that differ only in numbers are one: seq = 12 becomes seq = N"},
}

var threadOption = Option{Name: "thread", Remote: true, Kind: List, Arg: "[PID:]TID", Help: "only calls and ranges of these threads, and the work that they caused"}

// TimeOptions restrict pages of a timeline to a part of it.
var TimeOptions = []Option{
	{Name: "filter-time", Remote: true, Kind: Text, Arg: "[START]/[END]", Help: "only events that have to do with this span; with a unit (1.5s, 20ms), nanoseconds without"},
	{Name: "filter-nvtx", Remote: true, Kind: Text, Arg: "RANGE[@DOMAIN][/INDEX]", Help: "only events while this NVTX range was open; INDEX counts from 0"},
}

// SelectTrace is the trace of a file with what the options choose.
func SelectTrace(ctx context.Context, q *Request, f *load.File) (*trace.Trace, error) {
	var s trace.Selection
	for option, to := range map[string]*[]int64{"device": &s.Devices, "pid": &s.Processes, "stream": &s.Streams} {
		for _, text := range q.List(option) {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return nil, Usagef("--%s: %q is not a whole number", option, text)
			}
			*to = append(*to, n)
		}
	}
	if err := selectThreads(q, &s); err != nil {
		return nil, err
	}
	for option, to := range map[string]**regexp.Regexp{"kernel-regex": &s.Kernels, "range-regex": &s.Ranges} {
		if text := q.Text(option); text != "" {
			re, err := regexp.Compile(text)
			if err != nil {
				return nil, Usagef("--%s: %v", option, err)
			}
			*to = re
		}
	}
	s.Fold = q.Flag("fold")
	if wanted := q.List("rank"); len(wanted) > 0 {
		if err := selectRanks(ctx, q, f, wanted, &s); err != nil {
			return nil, err
		}
	}
	if s.IsZero() {
		return f.Trace, nil
	}
	unmet, err := f.Trace.Unmet(ctx, &s)
	if err != nil {
		return nil, err
	}
	for _, u := range unmet {
		q.Notef("%s: %s", f.Name, tellUnmet(u))
	}
	return f.Trace.Pick(s), nil
}

// tellUnmet says what an option asks for that is not there, and what is.
func tellUnmet(u trace.Unmet) string {
	of := map[string][3]string{ // by condition: option, what nothing is found of, what there is
		"device":  {"device", "no work ran on device %s", "devices"},
		"process": {"pid", "no event is of process %s", "processes"},
		"stream":  {"stream", "no work ran on stream %s", "streams"},
		"thread":  {"thread", "no event is of thread %s", "threads"},
		"kernel":  {"kernel-regex", "no kernel's name matches %q", "kernels"},
		"range":   {"range-regex", "no NVTX event's text matches %q", "texts"},
	}[u.Condition]
	sep, most := ", ", mostListed
	if strings.HasSuffix(of[0], "-regex") {
		sep, most = "; ", 5
	}
	text := fmt.Sprintf("--%s: "+of[1], of[0], u.Asked)
	if len(u.Has) == 0 {
		return text + "; the file has no " + of[2]
	}
	has := u.Has[:min(len(u.Has), most)]
	text += "; " + of[2] + ": " + strings.Join(has, sep)
	if more := len(u.Has) - len(has); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// selectThreads adds the threads.
func selectThreads(q *Request, s *trace.Selection) error {
	if o := q.Option("thread"); o == nil || o.Kind != List {
		return nil // the page has an option of its own of that name
	}
	for _, text := range q.List("thread") {
		t := trace.ThreadID{PID: -1}
		pid, tid, both := strings.Cut(text, ":")
		var err error
		if !both {
			tid = pid
		} else if t.PID, err = strconv.ParseInt(pid, 10, 64); err != nil {
			return Usagef("--thread: %q is not TID or PID:TID", text)
		}
		if t.TID, err = strconv.ParseInt(tid, 10, 64); err != nil {
			return Usagef("--thread: %q is not TID or PID:TID", text)
		}
		s.Threads = append(s.Threads, t)
	}
	return nil
}

// selectRanks adds what the ranks of some numbers use.
func selectRanks(ctx context.Context, q *Request, f *load.File, wanted []string, s *trace.Selection) error {
	all, err := rankUnits(ctx, f)
	if err != nil {
		return err
	}
	for _, text := range wanted {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return Usagef("--rank: %q is not a whole number", text)
		}
		for _, u := range all {
			if u.rank == n {
				s.Units = append(s.Units, u.Unit)
			}
		}
	}
	if len(s.Units) == 0 { // nothing of this file: another may have it
		var has []string
		for _, u := range all {
			if text := strconv.FormatInt(u.rank, 10); u.rank >= 0 && !slices.Contains(has, text) {
				has = append(has, text)
			}
		}
		if has == nil {
			has = []string{"not known"}
		}
		q.Notef("%s: holds none of the ranks %s; its ranks: %s", f.Name, strings.Join(wanted, ", "), strings.Join(has, ", "))
		s.Units = []trace.Unit{{Process: -1, Device: -1}}
	}
	return nil
}

// A rankUnit is what a rank uses.
type rankUnit struct {
	rank int64 // -1: not known
	trace.Unit
}

// rankUnits are the processes and devices of a file by rank. A process with one
// rank is its, whatever it did on other devices.
func rankUnits(ctx context.Context, f *load.File) ([]rankUnit, error) {
	devices, err := steps.Read(ctx, f.Trace, &steps.Options{})
	if err != nil {
		return nil, err
	}
	numbers, err := ranks.Numbers(ctx, f.Trace, devices)
	if err != nil {
		return nil, err
	}
	of := map[trace.GlobalID]map[int64]bool{}
	for i, d := range devices {
		if of[d.Process] == nil {
			of[d.Process] = map[int64]bool{}
		}
		of[d.Process][numbers[i]] = true
	}
	var out []rankUnit
	for i, d := range devices {
		u := rankUnit{numbers[i], trace.Unit{Process: d.Process, Device: d.ID}}
		if len(of[d.Process]) == 1 {
			u.Device = -1
		}
		out = append(out, u)
	}
	return out, nil
}

// RankOf is the number of the one rank of a file, or -1.
func RankOf(ctx context.Context, f *load.File) (int64, error) {
	all, err := rankUnits(ctx, f)
	if err != nil || len(all) == 0 {
		return -1, err
	}
	for _, u := range all {
		if u.rank != all[0].rank {
			return -1, nil
		}
	}
	return all[0].rank, nil
}

// TimeFilter makes the filter that the options ask for, or nil.
func TimeFilter(ctx context.Context, q *Request, f *load.File) (*stats.Filter, error) {
	var filter *stats.Filter
	if s := q.Text("filter-time"); s != "" {
		var err error
		if filter, err = parseSpan(s); err != nil {
			return nil, Usagef("--filter-time: %v", err)
		}
		meets, first, last, err := f.Trace.Meets(ctx, filter.Start, filter.End)
		if err != nil {
			return nil, err
		}
		if !meets && first <= last {
			q.Notef("%s: --filter-time: no event has to do with this span; events: %s/%s", f.Name, seconds(first), seconds(last))
		}
	}
	if s := q.Text("filter-nvtx"); s != "" {
		n, err := stats.RangeFilter(ctx, f.Trace, s)
		if err != nil {
			return nil, err
		}
		if filter != nil {
			n.Start, n.End = max(n.Start, filter.Start), min(n.End, filter.End)
		}
		filter = n
	}
	return filter, nil
}

// seconds writes a time as --filter-time takes it.
func seconds(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'f', -1, 64) + "s" }

// parseSpan reads START/END; either may be missing.
func parseSpan(s string) (*stats.Filter, error) {
	from, to, ok := strings.Cut(s, "/")
	if !ok {
		return nil, fmt.Errorf("%q: expected START/END", s)
	}
	f := &stats.Filter{Start: -1 << 63, End: 1<<63 - 1}
	var err error
	if from != "" {
		if f.Start, err = stats.ParseTime(from); err != nil {
			return nil, err
		}
	}
	if to != "" {
		if f.End, err = stats.ParseTime(to); err != nil {
			return nil, err
		}
	}
	if f.End < f.Start {
		return nil, fmt.Errorf("%q: the end is before the start", s)
	}
	return f, nil
}
