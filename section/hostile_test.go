package section

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestBadFiles checks that what cannot be used is refused with one line that
// names the place, and that the rest loads.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"good":      `Identifier: "Good" DisplayName: "Good"`,
		"truncated": "Identifier: \"T\"\nHeader { Metrics { Name: \"a",
		"binary":    "\x00\x01\x7fELF\xff\xfe\x00 Identifier",
		"deep":      strings.Repeat("Body { Items { HorizontalContainer { ", 10_000),
		"empty":     "",
		"one":       "Identifier: \"One\" DisplayName: \"One\"\nExtends: \"Two\"",
		"two":       `Identifier: "Two" DisplayName: "Two" Extends: "Three"`,
		"three":     `Identifier: "Three" DisplayName: "Three" Extends: "One"`,
		"self":      `Identifier: "Self" DisplayName: "Self" Extends: "Self"`,
		"leads":     `Identifier: "Leads" DisplayName: "Leads" Extends: "One"`,
		"stray":     `Identifier: "Stray" DisplayName: "Stray" Extends: "Nowhere"`,
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name+".section"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bracesFile(t, filepath.Join(dir, "braces.section"))
	l := Load([]Folder{{Path: dir}})
	failed := map[string]string{}
	for _, err := range l.Failed {
		name, text, _ := strings.Cut(strings.TrimPrefix(err.Error(), dir+"/"), ".section:")
		if _, twice := failed[name]; twice || strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
			t.Errorf("%s: not one line: %.500s", name, err)
		}
		failed[name] = text
	}
	place := regexp.MustCompile(`^\d+:\d+: expected .*, found `)
	for _, name := range []string{"truncated", "binary", "deep", "empty", "one", "self"} {
		if !place.MatchString(failed[name]) {
			t.Errorf("%s: %q does not name place, expected and found", name, failed[name])
		}
	}
	if failed["braces"] == "" && failed[""] == "" && !strings.Contains(fmt.Sprint(l.Failed), "braces.section") {
		t.Error("100 MB of braces are taken")
	}
	if want := "2:10: expected Extends to lead to a section that extends none, found the circle One -> Two -> Three -> One"; !strings.HasSuffix(failed["one"], want[5:]) {
		t.Errorf("cyclic Extends: %q, want %q", failed["one"], want)
	}
	var got []string
	for _, f := range l.Sections {
		if !f.Stock() {
			got = append(got, f.Identifier)
		}
	}
	if fmt.Sprint(got) != "[Good Leads Stray]" {
		t.Errorf("loaded: %v", got)
	}
}

// bracesFile writes 100 MB of opening braces.
func bracesFile(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := []byte(strings.Repeat("{", 1<<20))
	for range 100 {
		if _, err := f.Write(block); err != nil {
			t.Fatal(err)
		}
	}
}

// bigSection is a section file of about the given size, built like the largest
// that are in use: rooflines with options for each architecture.
func bigSection(id string, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Identifier: %q\nDisplayName: %q\nOrder: 12\n", id, id)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `Body {
  DisplayName: "Roofline %d"
  Items {
    RooflineChart {
      Label: "Roofline"
      Rooflines {
        PeakWork { ValueCyclesPerSecondExpression {
          ValuePerCycleMetrics { Label: "Peak" Name: "sm__ops_path_%d.sum.peak_sustained"
            Options { Name: "sm__other_ops_%d.sum.peak_sustained" Filter { MinArch: CC_70 MaxArch: CC_75 } } }
          CyclesPerSecondMetric { Label: "SM Frequency" Name: "sm__cycles_elapsed.avg.per_second" }
        } }
        PeakTraffic { ValueCyclesPerSecondExpression {
          ValuePerCycleMetrics { Label: "Peak" Name: "dram__bytes.sum.peak_sustained" }
          CyclesPerSecondMetric { Label: "DRAM Frequency" Name: "dram__cycles_elapsed.avg.per_second" }
        } }
        Options { Label: "Roofline %d" Color { ColorType: ChartColorTypeArgb ColorValue: 4278190335 } }
      }
    }
    Filter { Items { MinArch: CC_70 MaxArch: CC_70 } Items { MinArch: CC_75 } }
  }
}
`, i, i, i, i)
	}
	return b.String()
}

// BenchmarkLoad loads 24 section files, the largest of 1.5 MB, beside our own.
func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	for i := range 24 {
		size := 40_000
		if i == 0 {
			size = 1_500_000
		}
		name := filepath.Join(dir, fmt.Sprintf("s%02d.section", i))
		if err := os.WriteFile(name, []byte(bigSection(fmt.Sprintf("S%d", i), size)), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if l := Load([]Folder{{Path: dir}}); len(l.Failed) > 0 {
			b.Fatal(l.Failed)
		}
	}
}
