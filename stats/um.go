package stats

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// The kinds of copies that are migrations of managed memory.
const (
	umHostToDevice = 11
	umDeviceToHost = 12
)

// A umPage is what happened to the managed memory at an address.
type umPage struct {
	address    int64
	htod, dtoh int64 // bytes
	cpu, gpu   int64 // page faults
	took       int64 // ns of migration
}

// unifiedMemory gathers migrations and page faults by address.
func unifiedMemory(ctx context.Context, q *Request) ([]*umPage, error) {
	pages := map[int64]*umPage{}
	at := func(a int64) *umPage {
		p := pages[a]
		if p == nil {
			p = &umPage{address: a}
			pages[a] = p
		}
		return p
	}
	for _, name := range []string{trace.TableMemcpy, "CUDA_UM_CPU_PAGE_FAULT_EVENTS", "CUDA_UM_GPU_PAGE_FAULT_EVENTS"} {
		t, err := q.table(ctx, "managed memory", name, "start", "end", "virtualAddress", "bytes", "copyKind", "address", "numberOfPageFaults")
		if _, skip := err.(*Skip); skip {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i := range t.Rows {
			switch kind := t.Ints("copyKind"); {
			case name == "CUDA_UM_CPU_PAGE_FAULT_EVENTS":
				at(t.Ints("address")[i]).cpu++
			case name == "CUDA_UM_GPU_PAGE_FAULT_EVENTS":
				at(t.Ints("address")[i]).gpu += t.Ints("numberOfPageFaults")[i]
			case kind[i] == umHostToDevice, kind[i] == umDeviceToHost:
				p := at(t.Ints("virtualAddress")[i])
				if kind[i] == umHostToDevice {
					p.htod += t.Ints("bytes")[i]
				} else {
					p.dtoh += t.Ints("bytes")[i]
				}
				p.took += t.Ints("end")[i] - t.Ints("start")[i]
			}
		}
	}
	if len(pages) == 0 {
		return nil, skipf("the trace has neither migrations nor page faults of managed memory")
	}
	var out []*umPage
	for _, p := range pages {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *umPage) int {
		return cmp.Or(cmp.Compare(b.htod+b.dtoh, a.htod+a.dtoh), cmp.Compare(uint64(a.address), uint64(b.address)))
	})
	return out, nil
}

func address(label string) view.Column {
	return view.Column{Name: name(label), Label: label, Type: view.Any}
}

var umSum = &Report{
	Name: "um_sum", Old: []string{"umsum"}, Title: "Unified Memory Analysis Summary", Args: []Arg{{Name: "rows", Value: true, Default: "10", Help: "show so many addresses; -1 for all"}},
	Short: "migrations and page faults of managed memory, by address",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		pages, err := unifiedMemory(ctx, q)
		if err != nil {
			return nil, err
		}
		speed := bytes("Migration Throughput")
		speed.Label, speed.Unit = "Migration Throughput (MB/s)", "byte_per_second"
		t := table(address("Virtual Address"), bytes("HtoD Migration Size"), bytes("DtoH Migration Size"), count("CPU Page Faults"), count("GPU Page Faults"), speed)
		for _, p := range pages {
			rate := view.Null
			if p.took > 0 {
				rate = view.Float(float64(p.htod+p.dtoh)/float64(p.took)*1e9, "byte_per_second")
			}
			t.Rows = append(t.Rows, []view.Value{view.Hex(uint64(p.address)), view.Int(p.htod, octet), view.Int(p.dtoh, octet), view.Int(p.cpu, ""), view.Int(p.gpu, ""), rate})
		}
		if n := q.integer("rows", 10); n >= 0 && int64(len(t.Rows)) > n {
			t.Rows = t.Rows[:n]
		}
		return t, nil
	},
}

var umTotalSum = &Report{
	Name: "um_total_sum", Old: []string{"umtotalsum"}, Title: "Unified Memory Totals Summary",
	Short: "migrations and page faults of managed memory altogether",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		pages, err := unifiedMemory(ctx, q)
		if err != nil {
			return nil, err
		}
		var all umPage
		lo, hi := uint64(pages[0].address), uint64(pages[0].address)
		for _, p := range pages {
			all.htod, all.dtoh, all.cpu, all.gpu = all.htod+p.htod, all.dtoh+p.dtoh, all.cpu+p.cpu, all.gpu+p.gpu
			lo, hi = min(lo, uint64(p.address)), max(hi, uint64(p.address))
		}
		t := table(bytes("Total HtoD Migration Size"), bytes("Total DtoH Migration Size"), count("Total CPU Page Faults"), count("Total GPU PageFaults"),
			address("Minimum Virtual Address"), address("Maximum Virtual Address"))
		t.Rows = [][]view.Value{{view.Int(all.htod, octet), view.Int(all.dtoh, octet), view.Int(all.cpu, ""), view.Int(all.gpu, ""), view.Hex(lo), view.Hex(hi)}}
		return t, nil
	},
}

var umCPUPageFaultsSum = &Report{
	Name: "um_cpu_page_faults_sum", Old: []string{"umcpupagefaults"}, Title: "Unified Memory CPU Page Faults Summary",
	Short: "page faults of the CPU on managed memory, by instruction",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		f, err := q.table(ctx, "page faults of the CPU", "CUDA_UM_CPU_PAGE_FAULT_EVENTS", "CpuInstruction")
		if err != nil {
			return nil, err
		}
		g, ids := groupInts(f.Ints("CpuInstruction"))
		g, names := merge(g, func(i int) string { return q.Trace.NameText(ids[i]) })
		n := make([]sumRow, g.n)
		for i := range n {
			n[i].name = names[i]
		}
		for _, x := range g.of {
			n[x].d.sum++
		}
		t := table(count("CPU Page Faults"), text("CPU Instruction Address"))
		for _, i := range bySum(n) {
			t.Rows = append(t.Rows, []view.Value{view.Int(n[i].d.sum, ""), view.String(n[i].name)})
		}
		return t, nil
	},
}
