package section

import (
	"fmt"
	"strings"
	"testing"
)

// TestArchitectures applies options and filters to every compute capability from
// 5.0 to 12.1. Each run in want is "first-last:metric"; what it does not name
// has no metric.
func TestArchitectures(t *testing.T) {
	archs := []int{50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121}
	for _, c := range []struct{ name, metric, want string }{
		{"no filter", `Name: "base"`, "50-121:base"},
		{"min only", `Name: "base" Filter { MinArch: CC_80 }`, "80-121:base"},
		{"max only", `Name: "base" Filter { MaxArch: CC_75 }`, "50-75:base"},
		{"min and max", `Name: "base" Filter { MinArch: CC_70 MaxArch: CC_90 }`, "70-90:base"},
		{"one", `Name: "base" Filter { MinArch: CC_86 MaxArch: CC_86 }`, "86-86:base"},
		{"items", `Name: "base" Filter { Items { MaxArch: CC_53 } Items { MinArch: CC_70 MaxArch: CC_72 } Items { MinArch: CC_120 } }`,
			"50-53:base 70-72:base 120-121:base"},
		{"items before min and max", `Name: "base" Filter { MinArch: CC_90 Items { MinArch: CC_60 MaxArch: CC_62 } }`, "60-62:base"},
		{"option min only", `Name: "base" Options { Name: "new" Filter { MinArch: CC_100 } }`, "50-90:base 100-121:new"},
		{"option max only", `Name: "base" Options { Name: "old" Filter { MaxArch: CC_62 } }`, "50-62:old 70-121:base"},
		{"first match counts", `Name: "base" Options { Name: "a" Filter { MinArch: CC_70 } } Options { Name: "b" Filter { MinArch: CC_80 } }`,
			"50-62:base 70-121:a"},
		{"options from new to old", `Name: "base" Options { Name: "b" Filter { MinArch: CC_80 } } Options { Name: "a" Filter { MinArch: CC_70 } }`,
			"50-62:base 70-75:a 80-121:b"},
		{"option of items", `Name: "base" Options { Name: "x" Filter { Items { MinArch: CC_86 MaxArch: CC_89 } Items { MinArch: CC_120 MaxArch: CC_120 } } }`,
			"50-80:base 86-89:x 90-110:base 120-120:x 121-121:base"},
		{"base filtered out", `Name: "base" Filter { MaxArch: CC_62 } Options { Name: "x" Filter { MinArch: CC_90 } }`,
			"50-62:base 90-121:x"},
		{"option without filter", `Name: "base" Filter { MaxArch: CC_62 } Options { Name: "x" }`, "50-121:x"},
		{"newest of the writer", `Name: "base" Filter { MinArch: CC_90 MaxArch: MaxArch }`, "90-121:base"},
		{"empty range", `Name: "base" Filter { MinArch: CC_90 MaxArch: CC_80 }`, ""},
	} {
		def, warnings, err := ParseFile(c.name, `Identifier: "S" DisplayName: "S" Header { Metrics { `+c.metric+` } }`)
		if err != nil || len(warnings) > 0 {
			t.Fatal(c.name, err, warnings)
		}
		var runs []string
		first, last, name := 0, 0, ""
		end := func() {
			if name != "" {
				runs = append(runs, fmt.Sprintf("%d-%d:%s", first, last, name))
			}
		}
		for _, a := range archs {
			now := ""
			for _, m := range resolve(def, Target{Arch: a}, noUnit).Header {
				now = m.Name
			}
			if now != name {
				end()
				first, name = a, now
			}
			last = a
		}
		end()
		if got := strings.Join(runs, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
