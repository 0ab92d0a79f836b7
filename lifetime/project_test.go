package lifetime_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/lifetime"
)

// Two kernels of 1000 and 3000 cycles at 1 GHz. In the first, block 0 is written
// at 100 and 400 and lives 300 and 600 ns; in the second, block 0 is written at
// 1000 and lives 2000 ns, block 1 is loaded at 2900 and lives 100 ns.
const twoKernels = `# clock_mhz = 1000
# level L2 bytes = 1024
# kernel 1 end = 1000
# kernel 2 end = 3000
cycle,level,address,op,status,kernel
100,L2,0,store,MISS,1
200,L2,0,load,HIT,1
400,L2,0,store,HIT,1
1000,L2,0,store,MISS,2
2900,L2,32,load,MISS,2
`

const devices = `{"name": "test", "reference": "sram", "devices": [
 {"key": "sram", "area_per_bit": 4, "read_energy_per_bit": 1, "write_energy_per_bit": 2, "leakage_per_bit": 3},
 {"key": "gc", "name": "Gain cell", "area_per_bit": 1, "read_energy_per_bit": 0.5, "write_energy_per_bit": 1, "leakage_per_bit": 0,
  "retention": [{"write_mhz": 10, "ns": 500}, {"write_mhz": 0.05, "ns": 900}]},
 {"key": "slow", "area_per_bit": 0.5, "retention": [{"write_mhz": 0.03, "ns": 90}]},
 {"key": "odd", "retention_unknown": true}
]}`

func table(t *testing.T, s string) *lifetime.DeviceTable {
	t.Helper()
	d, err := lifetime.ReadDevices(strings.NewReader(s), "devices.json")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func analyzeText(t *testing.T, log string, s lifetime.Settings) *lifetime.Analysis {
	t.Helper()
	src, err := simlog.NewSource(context.Background(), "log", strings.NewReader(log), simlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analyze(t, src, s)
}

func TestProject(t *testing.T) {
	a := analyzeText(t, twoKernels, lifetime.Settings{Devices: table(t, devices)})
	l2 := a.Total("L2")
	// Write frequencies under the guide's convention: 2/32 in 1 us, 1/32 in 3 us.
	if l2.Write.Max != 0.0625*1000/1000 || l2.Write.MaxIndex != 0 {
		t.Errorf("write frequency %+v", l2.Write)
	}
	if want := (0.0625*1000 + 1.0/96*3000) / 4000; math.Abs(l2.Write.Weighted-want) > 1e-12 {
		t.Errorf("weighted %v, want %v", l2.Write.Weighted, want)
	}
	var got []string
	for _, p := range a.Project(l2) {
		got = append(got, fmt.Sprintf("%s ret %v..%v refreshes %v within %v %v fast %d area %v ratio %v read %v write %v refresh %v leak %v ratio %.4f",
			p.Device, p.MinRetention, p.MaxRetention, p.Refreshes, p.WithinShare, p.WithinTime, p.TooFast, p.Area, p.AreaRatio, p.Read, p.Write, p.Refresh, p.Leakage, p.EnergyRatio))
	}
	want := []string{
		// 2 loads and 3 stores of 256 bits; 8192 bits leak 3 nW for 4 us.
		"sram ret +Inf..+Inf refreshes 0 within 1 1 fast 0 area 32768 ratio 1 read 0.512 write 1.536 refresh 0 leak 98.304 ratio 1.0000",
		// Kernel 1 writes at 0.0625 MHz: 500 ns, once for the 600 ns. Kernel 2 at
		// 0.0104 MHz: 900 ns, twice for the 2000 ns.
		"gc ret 500..900 refreshes 3 within 0.5 0.13333333333333333 fast 0 area 8192 ratio 0.25 read 0.256 write 0.768 refresh 1.152 leak 0 ratio 0.0217",
		"slow ret NaN..NaN refreshes NaN within NaN NaN fast 1 area 4096 ratio 0.125 read NaN write NaN refresh NaN leak NaN ratio NaN",
		"odd ret NaN..NaN refreshes NaN within NaN NaN fast 0 area NaN ratio NaN read NaN write NaN refresh NaN leak NaN ratio NaN",
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCompose(t *testing.T) {
	a := analyzeText(t, twoKernels, lifetime.Settings{Devices: table(t, devices)})
	c, ok := a.Compose(a.Total("L2"))
	if !ok {
		t.Fatal("no composition")
	}
	// At the highest write frequency the gain cell keeps 500 ns: 300 and 100 fit.
	want := lifetime.Composition{Level: "L2", AreaRatio: 400.0/3000*0.25 + 2600.0/3000, Shares: []lifetime.Share{
		{Device: "gc", Name: "Gain cell", Lifetimes: 0.5, Capacity: 400.0 / 3000},
		{Device: "sram", Name: "sram", Lifetimes: 0.5, Capacity: 2600.0 / 3000},
	}}
	if d := gocmp.Diff(want, c); d != "" {
		t.Error(d)
	}
	b := analyzeText(t, twoKernels, lifetime.Settings{Devices: table(t, `{"reference": "a", "devices": [{"key": "a", "area_per_bit": 1, "retention": [{"write_mhz": 1000, "ns": 1}]}]}`)})
	if _, ok := b.Compose(b.Total("L2")); ok {
		t.Error("a composition without a static device")
	}
}

func TestWeights(t *testing.T) {
	for _, test := range []struct {
		file string
		want lifetime.Weights
		err  string
	}{
		{"kernel_id,weight\n1,2.5\n2,0\n", lifetime.Weights{1: 2.5, 2: 0}, ""},
		{"cluster,kernel_id\na,1\nb,2\na,3\na,4\n", lifetime.Weights{1: 3, 2: 1, 3: 0, 4: 0}, ""},
		{"id,w\n", nil, "clusters.csv:1: expected the columns kernel_id and weight"},
		{"kernel_id,weight\nx,1\n", nil, `clusters.csv:2: kernel id "x" is no integer`},
		{"kernel_id,weight\n1,-1\n", nil, `weight "-1" is no number from 0`},
		{"kernel_id,weight\n1,NaN\n", nil, `no number from 0`},
		{"", nil, "reading the header"},
	} {
		w, err := lifetime.ReadWeights(strings.NewReader(test.file), "clusters.csv")
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%q: error %v", test.file, err)
			}
			continue
		}
		if d := gocmp.Diff(test.want, w); d != "" || err != nil {
			t.Error(d, err)
		}
	}
	plain := analyzeText(t, twoKernels, lifetime.Settings{Devices: table(t, devices)})
	a := analyzeText(t, twoKernels, lifetime.Settings{Devices: table(t, devices), Weights: lifetime.Weights{2: 10}})
	if p, q := plain.Project(plain.Total("L2"))[1], a.Project(a.Total("L2"))[1]; q.Refreshes != 1+2*10 || q.Write != p.Write/3*(2+10) {
		t.Errorf("weighted refreshes %v, write energy %v (plain %v)", q.Refreshes, q.Write, p.Write)
	}
	if a.Total("L2").Lifetimes.N() != 4 {
		t.Error("weights change the count of lifetimes")
	}
}

// TestDeviceProcess: the process of a device is its node by either name, and a mark of
// byte order is no part of a table.
func TestDeviceProcess(t *testing.T) {
	for name, text := range map[string]string{
		"d.json": "\ufeff{\"reference\": \"a\", \"devices\": [{\"key\": \"a\", \"node\": \"16 nm\"}, {\"key\": \"b\", \"process\": \"45 nm\"}]}",
		"d.yaml": "reference: a\ndevices:\n  - {key: a, process: 16 nm}\n  - {key: b, node: 45 nm}\n",
	} {
		d, err := lifetime.ReadDevices(strings.NewReader(text), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := strings.Join(d.Nodes(), ","); got != "16 nm,45 nm" {
			t.Errorf("%s: %s", name, got)
		}
	}
	_, err := lifetime.ReadDevices(strings.NewReader("reference: a\ndevices:\n  - key: a\n    proces: 16 nm\n"), "d.yml")
	if err == nil || !strings.Contains(err.Error(), `d.yml: line 4, column 5: unknown field "proces"; did you mean process?`) {
		t.Error(err)
	}
}

func TestReadDevices(t *testing.T) {
	for _, test := range []struct{ json, err string }{
		{`{`, "found the end of the file"},
		{`{"devices": [], "reference": "a"}`, "without devices"},
		{`{"devices": [{"name": "x"}]}`, "device 1 has no key"},
		{`{"devices": [{"key": "a"}, {"key": "a"}]}`, "two devices have the key"},
		{`{"devices": [{"key": "a"}]}`, "names no reference"},
		{`{"devices": [{"key": "a"}], "reference": "b"}`, `reference device "b" is not in the table`},
		{`{"devices": [{"key": "a", "area_per_bit": -1}], "reference": "a"}`, "area_per_bit is negative"},
		{`{"devices": [{"key": "a", "retention": [{"write_mhz": 1, "ns": 0}]}], "reference": "a"}`, "both must be positive"},
		{`{"devices": [{"key": "a", "areaperbit": 1}], "reference": "a"}`, "line 1, column 28: unknown field \"areaperbit\"; did you mean area_per_bit?; a table has name, note"},
		{`{"devices": [{"key": "sram"}], "reference": "srm"}`, `reference device "srm" is not in the table; did you mean sram?`},
		{`[{"key": "a"}]`, `expected an object with the list "devices", found a list`},
		{`{"devices": {"key": "a"}}`, "expected a list for devices, found an object"},
		{"\ufeff{", "found the end of the file"},
	} {
		if _, err := lifetime.ReadDevices(strings.NewReader(test.json), "devices.json"); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %s", test.json, err, test.err)
		}
	}
	g := lifetime.GuideDevices()
	if g.Find("sram") == nil || !g.Find("sram").Static() || g.Find("oxide").Static() || g.Find("none") != nil {
		t.Errorf("guide's devices %+v", g)
	}
	for _, d := range g.Devices {
		if d.Source == "" {
			t.Errorf("device %s without a source", d.Key)
		}
	}
}

func TestRetention(t *testing.T) {
	d := lifetime.Device{Retention: []lifetime.Retention{{WriteMHz: 100, NS: 5}, {WriteMHz: 1, NS: 50}}}
	for _, test := range []struct{ mhz, want float64 }{{0, 50}, {1, 50}, {1.5, 5}, {100, 5}} {
		if got := d.RetentionNS(test.mhz); got != test.want {
			t.Errorf("at %v MHz %v ns, want %v", test.mhz, got, test.want)
		}
	}
	if got := d.RetentionNS(101); !math.IsNaN(got) {
		t.Errorf("beyond the table %v ns", got)
	}
}

func TestConventions(t *testing.T) {
	for _, test := range []struct {
		m      lifetime.Machine
		l1, l2 float64
	}{
		// 2 SMs with one store each, 64 L2 stores, in 1 us.
		{lifetime.Machine{}, 2, 2},
		{lifetime.Machine{L2Slices: 4}, 2, 16},
		{lifetime.Machine{Convention: lifetime.PerUnit}, 1, 64},
		{lifetime.Machine{Convention: lifetime.Logged}, 2, 64},
		{lifetime.Machine{Convention: lifetime.PerUnit, Config: simlog.Config{L2Slices: 8}}, 1, 64}, // the log's own configuration counts, and it states none
	} {
		var b strings.Builder
		b.WriteString("# clock_mhz = 1000\n# kernel 1 end = 1000\ncycle,level,bank,address,op,kernel\n1,L1D,0,0,store,1\n1,L1D,1,0,store,1\n")
		for i := range 64 {
			fmt.Fprintf(&b, "2,L2,0,%d,store,1\n", i*32)
		}
		a := analyzeText(t, b.String(), lifetime.Settings{Machine: test.m})
		k := a.Kernels[0]
		if k.L1.WriteMHz != test.l1 || k.L2.WriteMHz != test.l2 {
			t.Errorf("%v: %v and %v MHz, want %v and %v", test.m.Convention, k.L1.WriteMHz, k.L2.WriteMHz, test.l1, test.l2)
		}
	}
	for _, c := range []lifetime.Convention{lifetime.Seed, lifetime.PerUnit, lifetime.Logged} {
		if got, err := lifetime.ParseConvention(c.String()); err != nil || got != c {
			t.Errorf("%v came back as %v, %v", c, got, err)
		}
	}
	if _, err := lifetime.ParseConvention("x"); err == nil {
		t.Error("x is a convention")
	}
}

func TestOptions(t *testing.T) {
	src := func() simlog.Source {
		return simlog.NewReader(context.Background(), bytes.NewReader(nil), simlog.Options{})
	}
	if _, err := lifetime.Run(context.Background(), src(), lifetime.Options{Block: 48}, lifetime.Discard{}); err == nil {
		t.Error("a block of 48 bytes")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := lifetime.Run(ctx, src(), lifetime.Options{}, lifetime.Discard{}); err == nil {
		t.Error("cancelled and no error")
	}
	for _, e := range []lifetime.End{lifetime.AtKernelEnd, lifetime.AtLastRead} {
		if got, err := lifetime.ParseEnd(e.String()); err != nil || got != e {
			t.Errorf("%v came back as %v, %v", e, got, err)
		}
	}
	if _, err := lifetime.ParseEnd("x"); err == nil {
		t.Error("x is an end")
	}
}
