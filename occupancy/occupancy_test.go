package occupancy

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestOracle computes the cases that AMD's own classes computed.
func TestOracle(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "oracle/amd/occupancy_oracle.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	for _, line := range strings.SplitAfter(string(want), "\n") {
		if c := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(c) > 6 {
			in.WriteString(strings.Join(c[:6], "\t") + "\n")
		}
	}
	for name, table := range map[string]string{"without results": in.String(), "with results": string(want)} {
		var got bytes.Buffer
		if err := Batch(context.Background(), &got, strings.NewReader(table), nil); err != nil {
			t.Fatal(err)
		}
		g, w := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
		bad := 0
		for i := range w {
			if i >= len(g) || g[i] != w[i] {
				if bad++; bad <= 5 {
					t.Errorf("%s, line %d:\n got %s\nwant %s", name, i+1, g[min(i, len(g)-1)], w[i])
				}
			}
		}
		if bad > 0 || len(g) != len(w) {
			t.Errorf("%s: %d of %d lines differ, %d lines written", name, bad, len(w), len(g))
		}
	}
}

// TestLimits checks cases worked out by hand from the cited tables.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		device   string
		k        Kernel
		active   int
		percent  float32
		limiting string
	}{
		{"Hawaii", Kernel{VGPRs: 42, SGPRs: 68, LDS: 7040, Group: 256, MaxGroup: 256}, 20, 50, "VGPR"}, // from a file of AMD's profiler
		{"gfx900", Kernel{VGPRs: 24, SGPRs: 14, Group: 64}, 40, 100, ""},
		{"Cypress", Kernel{VGPRs: 31, LDS: 32768, Group: 256}, 4, float32(4) / 24 * 100, "LDS"},
		{"gfx908", Kernel{VGPRs: 64, AGPRs: 64, Group: 256}, 16, 40, "VGPR"}, // pools of their own: 256/64 = 4 a SIMD
		{"gfx90a", Kernel{VGPRs: 64, AGPRs: 64, Group: 256}, 16, 50, "VGPR"}, // one pool: 512/128 = 4 a SIMD
		{"gfx942", Kernel{VGPRs: 64, Group: 256}, 32, 100, ""},
		{"gfx942", Kernel{VGPRs: 50, LDS: 20480, Group: 256}, 12, 37.5, "LDS"},
		{"gfx90a", Kernel{VGPRs: 50, SGPRs: 30, Group: 512}, 32, 100, ""}, // 8 a SIMD, as LLVM's calculator prints
		{"gfx90a", Kernel{VGPRs: 32, SGPRs: 96, Group: 256}, 32, 100, ""}, // 800/96 = 8
		{"gfx90a", Kernel{VGPRs: 32, SGPRs: 97, Group: 256}, 28, 87.5, "SGPR"},
		{"gfx950", Kernel{VGPRs: 50, LDS: 40960, Group: 256}, 16, 50, "LDS"},    // 160 KB are 4 of 40
		{"gfx1010", Kernel{VGPRs: 32, LDS: 10753, Group: 256}, 80, 100, ""},     // 22 blocks of 512: 11 groups, 10 by wavefronts
		{"gfx1030", Kernel{VGPRs: 32, LDS: 16385, Group: 256}, 56, 87.5, "LDS"}, // 17 blocks of 1 KB: 7 groups in 128
		{"gfx1030", Kernel{VGPRs: 72, Group: 256}, 48, 75, "VGPR"},              // 1024/80 = 12 a SIMD
		{"gfx1100", Kernel{VGPRs: 97, Group: 256}, 48, 75, "VGPR"},              // 1536/120 = 12
		{"gfx1010", Kernel{VGPRs: 128, Group: 64}, 32, 40, "VGPR"},              // 1024/128 = 8
		{"RDNA3-wave64", Kernel{VGPRs: 97, Group: 256}, 28, 43.75, "VGPR"},      // 768/108 = 7
		{"sm_90", Kernel{VGPRs: 32, Group: 256}, 64, 100, ""},
		{"H100", Kernel{VGPRs: 255, Group: 256}, 8, 12.5, "Registers"},                                    // 65536/(256*32) = 8 warps
		{"9.0", Kernel{VGPRs: 33, Group: 256}, 48, 75, "Registers"},                                       // 40 after rounding: 12 a part
		{"8.6", Kernel{VGPRs: 32, LDS: 48 * 1024, Group: 256}, 16, float32(1) / 3 * 100, "Shared memory"}, // 2 blocks of 49 KB in 100
		{"7.5", Kernel{VGPRs: 32, Group: 32}, 16, 50, "Block size"},                                       // 16 blocks
		{"6.0", Kernel{VGPRs: 128, Group: 64}, 16, 25, "Registers"},
		{"12.0", Kernel{VGPRs: 40, Group: 128}, 48, 100, ""},
		{"8.0", Kernel{VGPRs: 16, LDS: 128, Group: 64, SharedConfig: 32 * 1024}, 56, 87.5, "Shared memory"}, // 28 blocks of 1152 bytes
	} {
		d, err := Lookup(c.device)
		if err != nil {
			t.Error(err)
			continue
		}
		l, err := d.Limits(c.k)
		var words []string
		for _, r := range l.Limiting() {
			words = append(words, d.Word(r))
		}
		if got := strings.Join(words, ", "); err != nil || l.Active != c.active || l.Percent() != c.percent || got != c.limiting {
			t.Errorf("%s %+v: %d in flight, %g%%, limited by %q, %v; want %d, %g%%, %q", c.device, c.k, l.Active, l.Percent(), got, err, c.active, c.percent, c.limiting)
		}
	}
}

func TestLookupNames(t *testing.T) {
	for name, want := range map[string]string{"sm_90a": "sm_90", "cc 12.1": "sm_121", "compute_75": "sm_75", "B200": "sm_100", "mi300x": "CDNA3", "vi_gfx9": "VI_GFX9", "GFX1100": "RDNA3"} {
		if d, err := Lookup(name); err != nil || d.Name != want {
			t.Errorf("%s: %v, %v; want %s", name, d, err, want)
		}
	}
	for name, want := range map[string]string{
		"sm_42": "sm_52", "gfx1104": "gfx1100", "hoper": "Hopper", "mi300c": "MI300", "cdna": "CDNA1", "tesla xyz gpu": "there are EG_NI, ",
		strings.Repeat("x", 1<<20): "there are EG_NI",
	} {
		if _, err := Lookup(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: %.200v, want %s in it", name, err, want)
		}
	}
}

func TestDoesNotFit(t *testing.T) {
	d, _ := Lookup("sm_80")
	small, _ := Lookup("sm_53")
	// 5 warps of 5376 registers fit into 32 K, but the hardware counts 8.
	if _, err := small.Limits(Kernel{Group: 160, VGPRs: 168}); !errors.Is(err, ErrKernel) {
		t.Errorf("sm_53: error %v", err)
	}
	for _, k := range []Kernel{{Group: 0}, {Group: 2048}, {Group: 64, VGPRs: 256}, {Group: 64, LDS: 200 << 10}, {Group: 1024, VGPRs: 255}, {Group: -1}} {
		if _, err := d.Limits(k); !errors.Is(err, ErrKernel) {
			t.Errorf("%+v: error %v", k, err)
		}
	}
}

// TestSweepMemory: between the places of a curve over local memory the number of
// wavefronts is that of the place before.
func TestSweepMemory(t *testing.T) {
	for _, name := range []string{"Hawaii", "gfx90a", "gfx1100", "gfx950", "sm_75", "sm_90"} {
		d, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		k := Kernel{VGPRs: 24, Group: 192}
		curves, err := d.Sweep(k)
		if err != nil {
			t.Fatal(err)
		}
		c := curves[len(curves)-1]
		if c.X[0] != 0 || c.X[len(c.X)-1] != d.MaxLDS || len(c.X) > 128 {
			t.Errorf("%s: %d places from %d to %d", name, len(c.X), c.X[0], c.X[len(c.X)-1])
		}
		at := 0
		for k.LDS = 0; k.LDS <= d.MaxLDS; k.LDS += 37 {
			for at+1 < len(c.X) && c.X[at+1] <= k.LDS {
				at++
			}
			if l, _ := d.Limits(k); l.Active != c.Waves[at] {
				t.Fatalf("%s: %d wavefronts with %d bytes, the curve has %d", name, l.Active, k.LDS, c.Waves[at])
			}
		}
	}
}

// TestGain: with the use that Gain names more wavefronts are in flight, with one
// more register or byte there are not.
func TestGain(t *testing.T) {
	for _, c := range []struct {
		device string
		k      Kernel
		r      Resource
		use    int
		waves  int
	}{
		{"gfx90a", Kernel{VGPRs: 64, LDS: 16384, Group: 256}, LDS, 12800, 20},
		{"gfx1100", Kernel{VGPRs: 97, Group: 256}, VGPR, 96, 64},
		{"gfx908", Kernel{SGPRs: 97, Group: 64}, SGPR, 96, 32},
		{"sm_90", Kernel{VGPRs: 40, LDS: 49152, Group: 256}, LDS, 45568, 40},
		{"sm_90", Kernel{VGPRs: 40, LDS: 49152, Group: 256}, VGPR, 0, 0}, // memory limits
		{"sm_90", Kernel{VGPRs: 32, Group: 256}, VGPR, 0, 0},             // nothing to gain
		{"sm_75", Kernel{Group: 32}, Group, 0, 0},
	} {
		d, err := Lookup(c.device)
		if err != nil {
			t.Fatal(err)
		}
		use, waves, ok := d.Gain(c.k, c.r)
		if use != c.use || waves != c.waves || ok != (c.waves > 0) {
			t.Errorf("%s %+v: %d gives %d, %v; want %d, %d", c.device, c.k, use, waves, ok, c.use, c.waves)
		}
	}
}

// TestMonotonic: more of a resource never gives more wavefronts, and no limit
// exceeds the compute unit.
func TestMonotonic(t *testing.T) {
	for _, d := range Devices() {
		curves, err := d.Sweep(Kernel{VGPRs: 20, SGPRs: 20, LDS: 1024, Group: 128})
		if err != nil {
			t.Fatal(d.Name, err)
		}
		for _, c := range curves {
			for i := range c.X {
				if c.Waves[i] < 0 || c.Waves[i] > d.MaxWaves || c.Resource != Group && i > 0 && c.Waves[i] > c.Waves[i-1] {
					t.Errorf("%s: %s %d gives %d", d.Name, d.Word(c.Resource), c.X[i], c.Waves[i])
				}
			}
		}
	}
}

func TestBatchErrors(t *testing.T) {
	const head = "gen\tvgpr\twg\tmax_waves_cu_after\tw_vgpr\tw_sgpr\tw_lds\tw_wg\toccupancy_pct\n"
	const good = "\t40\t40\t40\t40\t40\t100\n"
	for _, c := range []struct{ name, in, want, err string }{
		{"empty", "", "", "line 1: expected the names"},
		{"blank", "\n \n", "", "line 1: expected the names"},
		{"no device", "vgpr\twg\n1\t64\n", "", "line 1: expected a column gen"},
		{"no group", "gen\tvgpr\nSI_CI\t64\n", "", "line 1: expected a column wg"},
		{"short line", "gen\tvgpr\twg\nSI_CI\nSI_CI\t1\t64\n", head + "SI_CI\tNA\tNA\tNA\tNA\tNA\tNA\nSI_CI\t1\t64" + good, "line 2: expected 3 cells, found 1"},
		{"no number", "gen\tvgpr\twg\nSI_CI\t1\tx\nSI_CI\t1\t64", head + "SI_CI\t1\tx\tNA\tNA\tNA\tNA\tNA\tNA\nSI_CI\t1\t64" + good, `line 2: expected a whole number from 0 to 2147483647, found "x"`},
		{"negative", "gen\tvgpr\twg\nSI_CI\t-1\t64\n", head + "SI_CI\t-1\t64\tNA\tNA\tNA\tNA\tNA\tNA\n", `line 2: expected a whole number from 0 to 2147483647, found "-1"`},
		{"huge", "gen\tvgpr\twg\nSI_CI\t2147483648\t64\n", head + "SI_CI\t2147483648\t64\tNA\tNA\tNA\tNA\tNA\tNA\n", "line 2: expected a whole number"},
		{"beyond all", "gen\tvgpr\twg\nSI_CI\t2147483647\t2147483647\n", head + "SI_CI\t2147483647\t2147483647\t40\t0\t0\t0\t0\t0\n", ""},
		{"no work-items", "gen\tvgpr\twg\nSI_CI\t1\t0\n", head + "SI_CI\t1\t0\tNA\tNA\tNA\tNA\tNA\tNA\n", "line 2: expected at least 1"},
		{"device", "gen\tvgpr\twg\n\nSI_CJ\t1\t64\n", head + "SI_CJ\t1\t64\tNA\tNA\tNA\tNA\tNA\tNA\n", `line 3: device is unknown: "SI_CJ"; did you mean `},
		{"vendor", "gen\tvgpr\twg\nsi\t1\t64\nsm_80\t1\t64\n", head + "si\t1\t64" + good + "sm_80\t1\t64\tNA\tNA\tNA\tNA\tNA\tNA\n", "line 3: device sm_80 in a table"},
		{"names of the other vendor", "gen\tvgpr\twg\nH100\t1\t64\n", "gen\tvgpr\twg\tmax_warps_sm\tw_registers\tw_shared\tw_block\toccupancy_pct\nH100\t1\t64\t64\t64\t64\t64\t100\n", ""},
		{"no lines", "gen\tvgpr\twg\n", head, ""},
		{"order, case, spaces, ends of lines", "\ufeffnote\tWG\t VGPR\tGen\r\n\tn\t1\tx\r\n\r\n\t 64\t1 \tsi_ci\r\n",
			"\ufeffnote\tWG\t VGPR\tGen" + strings.TrimPrefix(head, "gen\tvgpr\twg") + "\tn\t1\tx\tNA\tNA\tNA\tNA\tNA\tNA\n\t 64\t1 \tsi_ci" + good, "line 2: "},
	} {
		var got bytes.Buffer
		err := Batch(context.Background(), &got, strings.NewReader(c.in), nil)
		if got.String() != c.want || (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%s: %v, want %s\n got %q\nwant %q", c.name, err, c.err, got.String(), c.want)
		}
	}
}

// TestBatchManyErrors: a table of nothing but faults is written whole, and told
// of in a bounded message.
func TestBatchManyErrors(t *testing.T) {
	const rows = 50000
	in := "gen\twg\n" + strings.Repeat("gfx1104\t64\n", rows)
	var got bytes.Buffer
	err := Batch(context.Background(), &got, strings.NewReader(in), nil)
	var bad *BatchErrors
	if !errors.As(err, &bad) || bad.Rows != rows || len(err.Error()) > 4096 || strings.Count(got.String(), "\n") != rows+1 {
		t.Errorf("%d lines, error %.200v", strings.Count(got.String(), "\n"), err)
	}
	if err := Batch(context.Background(), &got, strings.NewReader("gen\twg\n"+strings.Repeat("x", 2<<20)), nil); err == nil || !strings.HasPrefix(err.Error(), "line 2: expected a line of less") {
		t.Errorf("long line: %v", err)
	}
}

func TestBatchNVIDIA(t *testing.T) {
	var got bytes.Buffer
	if err := Batch(context.Background(), &got, strings.NewReader("name\tdevice\tregisters\tshared\tblock\nk\tH100\t33\t0\t256\n"), nil); err != nil {
		t.Fatal(err)
	}
	want := "name\tdevice\tregisters\tshared\tblock\tmax_warps_sm\tw_registers\tw_shared\tw_block\toccupancy_pct\nk\tH100\t33\t0\t256\t64\t48\t64\t64\t75\n"
	if got.String() != want {
		t.Errorf("got %q", got.String())
	}
}

func BenchmarkBatch(b *testing.B) {
	var in bytes.Buffer
	in.WriteString("gen\tvgpr\tsgpr\tlds\twg\tmaxwg\n")
	const rows = 100000
	for range rows / 2 {
		in.WriteString("SI_CI\t42\t68\t7040\t256\t1024\nVI_GFX9\t24\t8\t0\t65\t256\n")
	}
	b.ResetTimer()
	for b.Loop() {
		var out bytes.Buffer
		out.Grow(4 * in.Len())
		if err := Batch(context.Background(), &out, bytes.NewReader(in.Bytes()), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
