package simlog_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/simlog"
)

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		name, log string
		ok        bool
		want      string
	}{
		{"guide", guide, true, "id present 1/1, unique id present 1/1, name present 1/1, execution time present 1/1, clock missing, size of L1D present, " +
			"timestamp, address, level present 2/2, timestamps in order present 2/2, type (load or store) present 2/2, size inferred 0/2, cache state present 2/2"},
		{"stock", strings.ReplaceAll(access1, "Load instr from L2 cache at partition 1 addr 1000 status 2", "MEMORY_SUBPARTITION_UNIT -  1 - Probing L2 cache Address=1000, status=3"), true,
			"id inferred 0/1, unique id present 1/1, name missing 0/1, execution time inferred 0/1, clock missing, size of L2 missing, " +
				"timestamp, address, level present 1/1, timestamps in order present 1/1, type (load or store) missing 0/1, size inferred 0/1, cache state present 1/1, retries marked present 1/1"},
		{"table", table, true, "id present 2/2, unique id present 2/2, name partial 1/2, execution time present 2/2, clock present, size of L1D present, size of L2 missing, size of SMEM present, " +
			"timestamp, address, level present 5/5, timestamps in order present 5/5, type (load or store) present 5/5, size present 5/5, cache state partial 4/5, retries marked present 1/5"},
		{"another program's log", "hello\nworld\n", false, "id inferred, unique id missing, name missing, execution time inferred, clock missing, " +
			"timestamp, address, level missing, timestamps in order missing, type (load or store) missing, size inferred, cache state missing"},
		{"disorder", header1 + access2 + access1 + trailer1, true, "id present 1/1, unique id present 1/1, name present 1/1, execution time present 1/1, clock missing, size of L2 missing, " +
			"timestamp, address, level present 2/2, timestamps in order partial 1/2, type (load or store) present 2/2, size inferred 0/2, cache state present 2/2"},
	} {
		src, err := simlog.NewSource(context.Background(), test.name, strings.NewReader(test.log), simlog.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := simlog.Validate(src)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range v.Checks {
			s := fmt.Sprint(c.Fact, " ", c.Finding)
			if c.Of > 0 {
				s += fmt.Sprintf(" %d/%d", c.Have, c.Of)
			}
			got = append(got, s)
		}
		if d := cmp.Diff(test.want, strings.Join(got, ", ")); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
		if v.OK() != test.ok {
			t.Errorf("%s: OK is %v", test.name, v.OK())
		}
	}
}
