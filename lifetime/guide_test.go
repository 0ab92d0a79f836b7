package lifetime_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/lifetime"
)

// The example of GainSight's data-format guide, to the printed digit. The guide
// shows results, not the log they come from; the log made here has the properties
// that the results reveal: 2,996 and 141,436 lifetimes that all end with the
// kernel at cycle 22,571, whose sums, medians, 90 % quantiles and maxima are the
// whole numbers of cycles behind the printed times.

const guideKernel = "_ZN8internal5gemvx6kernelIiiffffLb0ELb1ELb1ELb0ELi6ELb0E16cublasGemvParamsI30cublasGemvTensorStridedBatchedIKfES5_S3_IfEfEEENSt9enable_ifIXntT5_EvE4typeET11_"

const guideRow = "25," + guideKernel + ",3.596146539905556,3.4937360178970915,6.696868008948546,7.658165548098434,4.194980254624459,4.3,7.182102908277405,7.609395973154362,1193.795578397058,8.71383633866466,425.39364671481104,12.674671038057685,0.7802083333333333,122880,2996,0.08632568359375,52428800,141436,1.6191892251118694,0.021388507376722345,22571"

const guideLifetimes = `kernel_id,address,lifetime_cycles,lifetime_ns
25,2479779712.00,17116.00,7658.17
25,2479779584.00,17115.00,7657.72
25,2479779456.00,17114.00,7657.27
25,2479779328.00,17113.00,7656.82
25,2479779200.00,17112.00,7656.38
25,2479779072.00,17111.00,7655.93
`

// spread makes n ascending numbers with a given sum that pass through given
// points (position -> value), starting from the least sum that is possible.
func spread(n int, sum int64, points map[int]int64) []int64 {
	v := make([]int64, n)
	hi := make([]int64, n)
	low, at := int64(1), 0
	for i := range n {
		if p, ok := points[i]; ok {
			for j := at; j < i; j++ {
				hi[j] = p
			}
			low, at = p, i+1
			hi[i] = p
		}
		v[i] = low
		sum -= low
	}
	for i := n - 1; i >= 0 && sum > 0; i-- {
		d := min(sum, hi[i]-v[i])
		v[i] += d
		sum -= d
	}
	if sum != 0 {
		panic("these numbers do not exist")
	}
	return v
}

// guideLog writes a log with the properties of the guide's kernel.
func guideLog() string {
	const end = 22571
	type access struct {
		cycle int64
		text  string
	}
	var log []access
	level := func(lives []int64, loads, stores int, place string, addr func(i int) uint64) {
		slices.Reverse(lives) // the longest begins first
		for i, life := range lives {
			verb := "Load"
			if i >= len(lives)-stores {
				verb = "Store"
			}
			log = append(log, access{end - life, fmt.Sprintf("%s instr from %s addr %x status 2", verb, place, addr(i))})
		}
		for i := range loads + stores - len(lives) { // the rest are hits on what is there
			log = append(log, access{end - lives[0] + 1, fmt.Sprintf("Load instr from %s addr %x status 0", place, addr(i%2))})
		}
	}
	l1 := map[int]int64{1497: 7808, 1498: 7809, 2695: 14967, 2696: 14968}
	for i := range 6 {
		l1[2995-i] = int64(17116 - i)
	}
	level(spread(2996, 24080013, l1), 12056, 88, "L1D cache at SM 0 bank 0", func(i int) uint64 { return 2479779712 - uint64(i)*128 })
	level(spread(141436, 1326072943, map[int]int64{70717: 9610, 70718: 9611, 127291: 16052, 127292: 16052, 141435: 17007}), 137472, 4096, "L2 cache at partition 3",
		func(i int) uint64 { return 0x7f5800000000 - uint64(i)*32 })
	slices.SortStableFunc(log, func(a, b access) int { return cmp.Compare(a.cycle, b.cycle) })
	var b strings.Builder
	fmt.Fprintf(&b, "Processing kernel $PROJECT_ROOT/logs/generate/traces/kernel-25.traceg\n-kernel name = %s\n-kernel id = 25\nGPGPU-Sim: Reconfigure L1 cache to 120KB\n", guideKernel)
	for _, a := range log {
		fmt.Fprintf(&b, "GPGPU-Sim Cycle %d: %s\n", a.cycle, a.text)
	}
	fmt.Fprintf(&b, "gpu_sim_cycle = %d\ngpu_tot_sim_cycle = 103839\n", end)
	return b.String()
}

// guideMachine states what the guide's log does not: the size of the L2. The clock
// of 2235 MHz and the division of L2 frequencies by 32 are the defaults.
func guideMachine() lifetime.Machine {
	return lifetime.Machine{Sizes: map[string]int64{"L2": 52428800}}
}

func TestGuideKernel(t *testing.T) {
	files := map[string]*bytes.Buffer{}
	s := lifetime.Settings{Machine: guideMachine(), Lifetimes: func(level string) (io.Writer, error) {
		files[level] = new(bytes.Buffer)
		return files[level], nil
	}}
	log := guideLog()
	for _, jobs := range []int{1, 2, 4} {
		s.Options.Jobs = jobs
		a, err := lifetime.Analyze(context.Background(), simlog.NewReader(context.Background(), strings.NewReader(log), simlog.Options{}), s)
		if err != nil {
			t.Fatal(err)
		}
		var table bytes.Buffer
		if err := lifetime.WriteKernelCSV(&table, a.KernelRows()); err != nil {
			t.Fatal(err)
		}
		_, got, _ := strings.Cut(strings.TrimSpace(table.String()), "\n")
		if got != guideRow {
			t.Errorf("kernel table:\n got %s\nwant %s", got, guideRow)
		}
		if got := files["L1D"].String(); !strings.HasPrefix(got, guideLifetimes) {
			t.Errorf("lifetimes begin\n%.400s", got)
		}
		if n := strings.Count(files["L2"].String(), "\n"); n != 141436+1 {
			t.Errorf("%d lines of L2 lifetimes", n)
		}
		if want := "assumed: the clock of the guide's examples, as none is stated"; a.Machine.ClockFrom != want {
			t.Errorf("clock %s", a.Machine.ClockFrom)
		}
	}
}

func TestGuideHeader(t *testing.T) {
	const want = "Kernel ID,Mangled Names,L1 Lifetime,L1 Lifetime Median,L1 Lifetime 90%-tile,L1 Lifetime Max,L2 Lifetime,L2 Lifetime Median,L2 Lifetime 90%-tile,L2 Lifetime Max,L1 Read Frequency,L1 Write Frequency,L2 Read Frequency,L2 Write Frequency,L1 Utilization,L1 Size,L1 Unique Addresses,L2 Utilization,L2 Size,L2 Unique Addresses,Total Read Frequency,Total Write Frequency,Total Cycles"
	if got := strings.Join(lifetime.KernelColumns, ","); got != want || len(lifetime.KernelColumns) != 23 {
		t.Errorf("%d columns: %s", len(lifetime.KernelColumns), got)
	}
}

// The first fills lie where the guide's numbers put them: 5455 in the L1, and 109
// cycles later in the L2.
func TestGuideStarts(t *testing.T) {
	if l1, l2 := 22571-17116, 22571-17007; l1 != 5455 || l2-l1 != 109 {
		t.Error(l1, l2)
	}
}

// The greatest write frequencies of the guide's report: 4432 stores in 29577
// cycles, 449 in 9835.
func TestGuideWriteFrequency(t *testing.T) {
	m := guideMachine()
	a := analyze(t, simlog.NewReader(context.Background(), strings.NewReader(""), simlog.Options{}), lifetime.Settings{Machine: m})
	for _, test := range []struct {
		stores float64
		cycles int64
		want   float64
	}{{4432, 29577, 334.9061770970687}, {449, 9835, 102.03507880020337}} {
		if got := a.Machine.MHz(test.stores, test.cycles); got != test.want {
			t.Errorf("%v stores in %d cycles: %v, want %v", test.stores, test.cycles, got, test.want)
		}
	}
}

// The areas of the guide's report, as it prints them.
func TestGuideAreas(t *testing.T) {
	s := lifetime.Settings{Machine: guideMachine(), Capacity: map[string]int64{"L1D": 1 << 22, "L2": 1 << 21}}
	a := analyze(t, simlog.NewReader(context.Background(), strings.NewReader(guideLog()), simlog.Options{}), s)
	var b bytes.Buffer
	if err := a.WriteReport(&b, "generate", time.Date(2025, 3, 3, 18, 20, 21, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"{\n    \"Name\": \"generate\",\n    \"Date\": \"2025-03-03\",\n    \"Time\": \"18-20-21\",\n    \"L1 Lifetime Count\": 2996,\n    \"L2 Lifetime Count\": 141436,\n",
		`    "L1 Write Frequency": {
        "max": 8.71383633866466,
        "maxidx": 0,
        "90%-tile": 8.71383633866466,
        "weighted": 8.71383633866466
    },
`,
		`    "L1 Refreshes": {
        "5nm Silicon": null,
        "16nm Silicon": null,
        "Hybrid": null,
        "Oxide": null
    },
`,
		`    "L1 Area": {
        "sram": 1691702.6133333333,
        "silicon": 879685.3589333334,
        "hybrid": 873813.3333333334,
        "oxide": 1342177.28
    },
    "L2 Area": {
        "sram": 845851.3066666666,
        "silicon": 439842.6794666667,
        "hybrid": 436906.6666666667,
        "oxide": 671088.64
    },
`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report lacks\n%s\nin\n%.1500s", want, b.String())
		}
	}
	for _, p := range a.Project(a.Total("L1D")) {
		want := map[string]float64{"sram": 1, "silicon": 0.52, "hybrid": 125.0 / 242, "oxide": 96.0 / 121}[p.Device]
		if want != 0 && math.Abs(p.AreaRatio-want) > 1e-12 {
			t.Errorf("%s: area ratio %v, want %v", p.Device, p.AreaRatio, want)
		}
	}
}
