package rule

import "testing"

func TestPlainText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"},
		{"Look at the @section:MemoryWorkloadAnalysis:Memory Workload Analysis@ section", "Look at the Memory Workload Analysis section"},
		{"See the @url:Guide:https://example.com/a:b#c@.", "See the Guide (https://example.com/a:b#c)."},
		{"@sass:0x10:LDG@ and @source:/a:b/c.cu:12:line 12@", "LDG and line 12"},
		{"mail me@example.com or you@example.com", "mail me@example.com or you@example.com"},
		{"@unknown:a:b@ @section:Occupancy:Occupancy@", "@unknown:a:b@ Occupancy"},
		{"@section:broken", "@section:broken"},
		{"@@url@", "@@url@"},
	} {
		if got := PlainText(c.in); got != c.want {
			t.Errorf("PlainText(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}
