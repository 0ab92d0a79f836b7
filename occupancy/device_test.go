package occupancy

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestDevicesOfROCm compares the pools of devices with what ROCm's profilers
// wrote of real ones.
func TestDevicesOfROCm(t *testing.T) {
	check := func(arch string, simds, maxWaves, wave, maxGroup int) {
		d, err := Lookup(arch)
		if err != nil {
			t.Error(err)
			return
		}
		if got := [...]int{simds, maxWaves, wave, maxGroup}; got != [...]int{d.SIMDs, d.MaxWaves, d.Wave, d.MaxGroup} {
			t.Errorf("%s has SIMDs, wavefronts, wavefront size, work-group size %v; the table has %d, %d, %d, %d", arch, got, d.SIMDs, d.MaxWaves, d.Wave, d.MaxGroup)
		}
	}
	for _, file := range corpustest.Files(t, "corpus/amd/*_sysinfo.csv") {
		row := sysinfo(t, file)
		number := func(name string) int { n, _ := strconv.Atoi(row[name]); return n }
		check(row["gpu_arch"], number("simd_per_cu"), number("max_waves_per_cu"), number("wave_size"), number("workgroup_max_size"))
	}
	for _, a := range agents(t, filepath.Join(corpustest.Dir(t), "corpus/amd/AMD-AGI__TraceLens__908_results.json.gz")) {
		if a.SIMDs == 0 {
			continue // a processor
		}
		check(a.Name, a.SIMDs, a.Waves, a.Wave, a.Group)
		if d, err := Lookup(a.Name); err == nil && d.LDS != a.LDS*kb {
			t.Errorf("%s has %d KB of local memory, the table %d bytes", a.Name, a.LDS, d.LDS)
		}
	}
}

func sysinfo(t *testing.T, file string) map[string]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatal(file, len(rows), err)
	}
	out := map[string]string{}
	for i, name := range rows[0] {
		out[name] = rows[1][i]
	}
	return out
}

type agent struct {
	Name  string `json:"name"`
	SIMDs int    `json:"simd_per_cu"`
	Waves int    `json:"max_waves_per_cu"`
	Wave  int    `json:"wave_front_size"`
	Group int    `json:"workgroup_max_size"`
	LDS   int    `json:"lds_size_in_kb"`
}

// agents reads the devices of a rocprofv3 file, which come before its long lists.
func agents(t *testing.T, file string) []agent {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(z)
	for {
		tok, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		if tok != "agents" {
			continue
		}
		var out []agent
		if err := d.Decode(&out); err != nil {
			t.Fatal(err)
		}
		return out
	}
}
