package lifetime

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDevicesYAML reads the same table in both forms, and refuses in YAML what is
// refused in JSON.
func TestDevicesYAML(t *testing.T) {
	const asJSON = `{"name": "mine", "reference": "s", "devices": [{"key": "s", "area_per_bit": 0.05, "source": "book"},
		{"key": "g", "name": "Gain", "retention": [{"write_mhz": 10, "ns": 2e3}], "leakage_per_bit": 1}]}`
	const asYAML = `# comment
name: mine
reference: s
devices:
  - {key: s, area_per_bit: 0.05, source: book}
  - key: g
    name: Gain
    retention:
      - write_mhz: 10
        ns: 2e3
    leakage_per_bit: 1
`
	want, err := ReadDevices(strings.NewReader(asJSON), "a.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadDevices(strings.NewReader(asYAML), "a.YAML")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'j'; c++ {
		p := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+p+",", 8) + "*" + p + "]\n"
	}
	for name, text := range map[string]string{"unknown key": asYAML + "colour: red\n", "syntax": "a: [", "no devices": "name: x\n", "aliases": bomb,
		"keys that are no text": "devices:\n  - {1: 2}\n", "negative": "devices: [{key: a, area_per_bit: -1}]\n", "empty": "", "long": strings.Repeat("#", maxDeviceBytes+1)} {
		if _, err := ReadDevices(strings.NewReader(text), "a.yml"); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Log(name, err)
		}
	}
}
