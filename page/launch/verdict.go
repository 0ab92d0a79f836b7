package launch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view"
)

// busyShare is what memory or compute reach of their peak, in percent, where they are
// said to bound a kernel. Below it latency does. The threshold is the one that
// rules of this field use; that it tells what bounds a kernel is ours.
const busyShare = 60

// mostKernels are those of most time that people are shown: the launches follow.
const mostKernels = 20

// A kernelTime is what the launches of a kernel took together.
type kernelTime struct {
	launches []*summaryLine
	longest  *summaryLine
	ns       float64
	share    float64 // of the time of all kernels of its file, in percent
}

// kernelTimes are the kernels of each file, by time. Files are in the order of the
// operands; those whose launches have no duration have none.
func kernelTimes(lines []summaryLine) (out []*kernelTime) {
	type key struct {
		operand int
		kernel  string
	}
	by, total := map[key]*kernelTime{}, map[int]float64{}
	for i := range lines {
		l := &lines[i]
		k := by[key{l.operand, l.FullName()}]
		if k == nil {
			k = &kernelTime{longest: l}
			by[key{l.operand, l.FullName()}], out = k, append(out, k)
		}
		k.launches, k.ns, total[l.operand] = append(k.launches, l), k.ns+l.ns(), total[l.operand]+l.ns()
		if l.ns() > k.longest.ns() {
			k.longest = l
		}
	}
	out = slices.DeleteFunc(out, func(k *kernelTime) bool { return total[k.longest.operand] == 0 })
	for _, k := range out {
		k.share = 100 * k.ns / total[k.longest.operand]
	}
	slices.SortStableFunc(out, func(a, b *kernelTime) int {
		return cmp.Or(cmp.Compare(a.longest.operand, b.longest.operand), cmp.Compare(b.ns, a.ns))
	})
	return out
}

// bound is what bounds the longest launch of a kernel: the one of memory and compute that is
// nearer to its peak, or latency where neither is near; "" where they were not measured.
// Of memory it names the unit, where the report tells it.
func (k *kernelTime) bound(q *page.Request) string {
	compute, memory := k.longest.values[columnCompute], k.longest.values[columnMemory]
	switch {
	case compute.Kind() == view.KindNull && memory.Kind() == view.KindNull:
		return ""
	case max(compute.Float64(), memory.Float64()) < busyShare:
		return "latency"
	case compute.Float64() > memory.Float64():
		return "compute"
	}
	return busiestMemory(q, k.longest.Launch)
}

// memoryUnits are the units of memory by the beginning of the names of their metrics.
var memoryUnits = []struct{ prefix, words string }{
	{"dram__", "device memory"}, {"fbpa__", "device memory"}, {"lts__", "the L2 cache"}, {"ltc__", "the L2 cache"}, {"l1tex__", "the L1 cache"},
}

// busiestMemory is the unit of memory that is nearest to its peak, by the breakdown that the report has.
func busiestMemory(q *page.Request, l page.Launch) string {
	ms, unit, most := page.MetricsOf(q, l), "memory", 0.0
	for _, name := range summaryMetrics[columnMemory].metrics {
		list := ms.Lookup("breakdown:" + name)
		if list == nil {
			continue
		}
		for _, part := range strings.Split(list.Value.Text(), ",") {
			m := ms.Lookup(part)
			if m == nil || m.Value.Kind() == metric.KindString || m.Value.Double() <= most { // of nothing, Double is 0
				continue
			}
			most, unit = m.Value.Double(), "memory"
			for _, u := range memoryUnits {
				if strings.HasPrefix(part, u.prefix) {
					unit = u.words
				}
			}
		}
		break
	}
	return unit
}

// kernelsSection says in a sentence for each file which kernel takes the time, what bounds it
// and what would save most, and has a row for each kernel.
func kernelsSection(q *page.Request, times []*kernelTime, found []*finding) view.Section {
	s := view.Section{ID: "kernels", Title: "Kernels"}
	launches, bounds := 0, make([]string, len(times))
	for i, k := range times {
		bounds[i] = k.bound(q)
	}
	told := slices.ContainsFunc(bounds, func(b string) bool { return b != "" })
	t := &view.Table{ID: "kernels", Layout: &view.Layout{Most: mostKernels, Others: "--format json has all"}, Link: &view.Link{To: view.ToLaunch, Cell: "kernel", At: []string{"operand", "number"}}, Columns: slices.Concat([]view.Column{
		{Name: "time", Label: "Time (us)", Unit: "ns", Type: view.Number, Number: microseconds, Role: view.RoleTotal}, {Name: "share", Label: "Time (%)", Unit: "%", Type: view.Number, Number: percentStyle},
		{Name: "count", Label: "Launches", Type: view.Number, Role: view.RoleCount}, {Name: "kernel", Label: "Kernel", Type: view.Text, Role: view.RoleKernel, MaxWidth: 40, Break: true},
		{Name: "bound", Label: "Bound by", Type: view.Text, For: view.EveryoneIf(told)}, {Name: "compute", Type: view.Number, Unit: "%", For: view.Programs}, {Name: "memory", Type: view.Number, Unit: "%", For: view.Programs}}, launchPlace)}
	for i, k := range times {
		if i == 0 || times[i-1].longest.operand != k.longest.operand {
			s.AddMessage(&view.Message{Type: view.OK, Source: "verdict", Text: verdict(q, times, k, bounds[i], found)})
		}
		launches += len(k.launches)
		t.Rows = append(t.Rows, append([]view.Value{view.Float(k.ns, "ns"), view.Float(k.share, "%"), view.Int(int64(len(k.launches)), ""), view.String(k.longest.FullName()),
			view.String(bounds[i]), k.longest.values[columnCompute], k.longest.values[columnMemory]}, k.longest.place()...))
	}
	s.Items = append(s.Items, view.Item{Table: t, For: view.EveryoneIf(launches > len(times))})
	return s
}

// verdict is the sentence about the kernel that takes most time of its file.
func verdict(q *page.Request, times []*kernelTime, k *kernelTime, bound string, found []*finding) string {
	var b strings.Builder
	if len(q.Files) > 1 {
		fmt.Fprintf(&b, "%s: ", k.longest.File.Name)
	}
	share := view.Words(view.Float(k.share, "%"))
	if others := slices.ContainsFunc(times, func(o *kernelTime) bool { return o != k && o.longest.operand == k.longest.operand }); !others {
		share = "all"
	}
	fmt.Fprintf(&b, "%s takes %s of the GPU time, %s", k.longest.NameAs("function"), share, view.Words(view.Float(k.ns, "ns")))
	if n := len(k.launches); n > 1 {
		fmt.Fprintf(&b, " in %d launches", n)
	}
	compute, memory := view.Words(k.longest.values[columnCompute]), view.Words(k.longest.values[columnMemory])
	switch bound {
	case "":
		b.WriteString(".")
	case "latency":
		fmt.Fprintf(&b, ", and waits: latency bounds it (memory at %s, compute at %s of their peaks).", memory, compute)
	case "compute":
		fmt.Fprintf(&b, ", and is bound by compute, at %s of its peak (memory: %s).", compute, memory)
	default:
		fmt.Fprintf(&b, ", and is bound by %s, at %s of its peak (compute: %s).", bound, memory, compute)
	}
	if i := slices.IndexFunc(found, func(g *finding) bool { return g.line.operand == k.longest.operand }); i >= 0 && found[i].ns > 0 {
		where := ""
		if found[i].line.FullName() != k.longest.FullName() {
			where = " in " + found[i].line.NameAs("function")
		}
		fmt.Fprintf(&b, " %q%s could save %s at most.", found[i].title(), where, view.Words(view.Float(found[i].ns, "ns")))
	}
	return b.String()
}
