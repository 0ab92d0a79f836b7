package occupancy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/occupancy"
	"github.com/gpuprof/gpuprof/profile"
)

// TestOccupancyOfReports computes the occupancy of every launch of the real
// reports and compares limits and result with what Nsight Compute stored there.
func TestOccupancyOfReports(t *testing.T) {
	files := append(corpustest.Files(t, "corpus/ncu/*.ncu-rep"), corpustest.Files(t, "corpus/ncu/*.nsight-cuprof-report")...)
	launches, seen := 0, map[string]bool{}
	for _, file := range files {
		f, err := load.Open(context.Background(), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Report.Ranges {
			for _, a := range r.Actions {
				cc, err := sameOccupancy(a)
				if err != nil {
					t.Errorf("%s, launch %d: %v", filepath.Base(file), a.ID, err)
				}
				if cc != "" {
					launches++
					seen[cc] = true
				}
			}
		}
		f.Close()
	}
	if launches < 100 || len(seen) < 5 {
		t.Errorf("only %d launches on %d architectures hold what is compared", launches, len(seen))
	}
	t.Logf("%d launches on %v", launches, seen)
}

// sameOccupancy compares a launch; it names no architecture where the report
// lacks the numbers.
func sameOccupancy(a *profile.Action) (cc string, err error) {
	set, err := a.Metrics()
	if err != nil {
		return "", err
	}
	get := func(name string) float64 {
		if m := set.Lookup(name); m != nil {
			return m.Value.Double()
		}
		return math.NaN()
	}
	percent := get("sm__maximum_warps_per_active_cycle_pct")
	major, minor := a.CC()
	if math.IsNaN(percent+get("launch__block_size")) || major == 0 {
		return "", nil
	}
	d, err := occupancy.Lookup(fmt.Sprintf("%d.%d", major, minor))
	if err != nil {
		return "", err
	}
	return d.Name, errors.Join(compareDevice(d, get), compareLimits(d, get, percent))
}

// compareDevice compares the pools of d with the attributes that a report holds
// of its device.
func compareDevice(d *occupancy.Device, get func(string) float64) error {
	var problems []error
	for name, want := range map[string]int{
		"max_blocks_per_multiprocessor":        d.Groups,
		"max_warps_per_multiprocessor":         d.MaxWaves,
		"max_registers_per_multiprocessor":     d.VGPRs,
		"max_registers_per_block":              d.MaxRegs,
		"max_registers_per_thread":             d.MaxVGPRs,
		"max_shared_memory_per_multiprocessor": d.LDS,
		"max_shared_memory_per_block_optin":    d.MaxLDS,
		"reserved_shared_memory_per_block":     d.ReservedLDS,
		"max_threads_per_block":                d.MaxGroup,
	} {
		if v := get("device__attribute_" + name); !math.IsNaN(v) && v != float64(want) {
			problems = append(problems, fmt.Errorf("%s: %s is %v, the table has %d", d.Name, name, v, want))
		}
	}
	return errors.Join(problems...)
}

func compareLimits(d *occupancy.Device, get func(string) float64, percent float64) error {
	shared := get("launch__shared_mem_per_block_static") + get("launch__shared_mem_per_block_dynamic")
	k := occupancy.Kernel{VGPRs: int(get("launch__registers_per_thread")), LDS: int(shared), Group: int(get("launch__block_size"))}
	var problem error
	// Early versions took the limit by shared memory of the largest configuration.
	for _, config := range []float64{get("launch__shared_mem_config_size"), 0} {
		k.SharedConfig = 0
		if !math.IsNaN(config) {
			k.SharedConfig = int(config)
		}
		l, err := d.Limits(k)
		if err != nil {
			return err
		}
		limit := func(name string) int {
			if v := get("launch__occupancy_limit_" + name); v*float64(l.Group) < float64(d.MaxWaves) {
				return int(v) * l.Group
			}
			return d.MaxWaves
		}
		want := [...]int{limit("registers"), limit("shared_mem"), min(limit("blocks"), limit("warps"))}
		got := [...]int{l.Waves[occupancy.VGPR], l.Waves[occupancy.LDS], l.Waves[occupancy.Group]}
		if got == want && math.Abs(float64(l.Percent())-percent) < 0.01 {
			return nil
		}
		if problem == nil {
			problem = fmt.Errorf("%s %+v: warps by registers, shared memory, blocks %v, %.2f%%; the report has %v, %.2f%%", d.Name, k, got, l.Percent(), want, percent)
		}
	}
	return problem
}

// TestDevicesOfTimelines compares the pools of devices with what the GPUs of the
// real timelines say of themselves.
func TestDevicesOfTimelines(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range corpustest.Files(t, "corpus/nsys/*.sqlite") {
		f, err := load.Open(context.Background(), file)
		if err != nil {
			t.Fatal(err)
		}
		columns := []string{"computeMajor", "computeMinor", "threadsPerWarp", "maxWarpsPerSm", "maxBlocksPerSm", "maxRegistersPerSm", "maxRegistersPerBlock",
			"maxShmemPerSm", "maxShmemPerBlockOptin", "maxThreadsPerBlock"}
		gpus, err := f.Trace.Table(context.Background(), "TARGET_INFO_GPU", columns...)
		for i := 0; err == nil && gpus != nil && i < gpus.Rows; i++ {
			got := make([]int, len(columns))
			for j, c := range columns {
				if col := gpus.Col(c); col != nil && !gpus.IsNull(c, i) {
					got[j] = int(col.Ints[i])
				}
			}
			if got[0] == 0 || got[4] == 0 {
				continue // not a CUDA device, or an early version that does not tell
			}
			d, err := occupancy.Lookup(fmt.Sprintf("%d.%d", got[0], got[1]))
			if err != nil {
				t.Errorf("%s: %v", filepath.Base(file), err)
				continue
			}
			seen[d.Name] = true
			want := []int{got[0], got[1], d.Wave, d.MaxWaves, d.Groups, d.VGPRs, d.MaxRegs, d.LDS, d.MaxLDS, d.MaxGroup}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s is %v, the table has %v", filepath.Base(file), d.Name, got, want)
			}
		}
		f.Close()
	}
	if len(seen) < 4 {
		t.Errorf("only %v seen", seen)
	}
}
