package timeline

import "testing"

func TestTablesWanted(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"kernel", "CUPTI_ACTIVITY_KIND_KERNEL", true},
		{"^OSRT", "OSRT_API", true},
		{"^OSRT", "PROFILER_OSRT", false},
		{"_API$", "OSRT_API", true},
		{`ME\(MCPY\|MSET\)`, "CUPTI_ACTIVITY_KIND_MEMSET", true},
		{"ME(MCPY|MSET)", "CUPTI_ACTIVITY_KIND_MEMSET", false},
		{"S.*Ids", "StringIds", true},
		{"[+]", "a+b", true},
		{"a+b", "a+b", true},
		{"a+b", "aab", false},
	} {
		wanted, err := tablesWanted([]string{c.pattern})
		if err != nil {
			t.Fatal(err)
		}
		if wanted(c.name) != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.pattern, c.name, !c.want, c.want)
		}
	}
	if _, err := tablesWanted([]string{`\(`}); err == nil {
		t.Error("an open group is taken")
	}
	if wanted, err := tablesWanted(nil); wanted != nil || err != nil {
		t.Error("no pattern does not stand for all tables")
	}
}
