package lifetime_test

import (
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/lifetime"
)

// TestPublishedDevices: every device of the default table has a source and a process,
// and no number is without.
func TestPublishedDevices(t *testing.T) {
	p := lifetime.PublishedDevices()
	if len(p.Devices) < 5 || p.Find(p.Reference) == nil || len(p.Nodes()) < 3 {
		t.Fatalf("%+v", p)
	}
	for _, d := range p.Devices {
		if d.Source == "" || d.Node == "" {
			t.Errorf("%s has no source or process", d.Key)
		}
	}
	// 77 us of the 16 nm cell: 1 ms takes 12 refreshes, 12 x 2^20 x 20.3 fJ = 255 nJ for a Mbit.
	si := p.Find("si16")
	if r := si.RetentionNS(1000); r != 77000 || *si.RefreshEnergy*12*(1<<20)/1e6 < 255 || *si.RefreshEnergy*12*(1<<20)/1e6 > 256 {
		t.Errorf("retention %v ns", r)
	}
}

// TestDeviceForms: GainSight's own forms are read, and mistakes are told in the words
// of the file.
func TestDeviceForms(t *testing.T) {
	d, err := lifetime.ReadDevices(strings.NewReader(`{"SRAM": {"area": 0.05}, "Silicon": {"100": 2000, "1000": 500}}`), "simple_gc_list.json")
	if err != nil || d.Reference != "SRAM" || d.Find("Silicon").RetentionNS(500) != 500 || !strings.Contains(d.Note, "guess") {
		t.Errorf("%+v, %v", d, err)
	}
	d, err = lifetime.ReadDevices(strings.NewReader(`{"SRAM": {"area": 0.05, "read_power": 2, "refresh_power": 0}}`), "area_power.json")
	if err != nil || *d.Find("SRAM").ReadEnergy != 2 {
		t.Errorf("%+v, %v", d, err)
	}
	for text, want := range map[string]string{
		"{\"name\": \"x\",\n \"devices\": [{\"key\": 5}]}":     "line 2, column 23: expected a text for devices.key, found a number",
		"{\"devices\": [{\"key\": \"a\", \"areaperbit\": 1}]}": "area_per_bit",
		"{\"devices\": [\n":     "found the end of the file",
		`{"SRAM": {"aera": 1}}`: `device "SRAM": unknown field "aera"`,
	} {
		if _, err := lifetime.ReadDevices(strings.NewReader(text), "d.json"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
