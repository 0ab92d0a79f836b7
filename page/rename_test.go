package page

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/load"
)

// TestRename calls kernels as a list says, whichever spelling of the name it has, and
// tells what is wrong with one.
func TestRename(t *testing.T) {
	file := reports(t, "a.ncu-rep")[0]
	in, err := load.Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	dir := t.TempDir()
	put := func(text string) string {
		name := filepath.Join(dir, "ncu-kernel-renames.yaml")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	names := func(values map[string][]string) (string, error) {
		q := &Request{Files: []*load.File{in}, Values: values}
		launches, err := SelectLaunches(q)
		var out []string
		for _, l := range launches {
			out = append(out, l.FullName())
		}
		return strings.Join(out, ", "), err
	}
	const own = "transpose_naive(const float *, float *, int), transpose_tiled(const float *, float *, int), block_sum(const float *, float *, int)"
	list := put("- {Original: transpose_naive, Renamed: plain}\n- {Original: _Z9block_sumPKfPfi, Renamed: sum}\n- {Original: 'transpose_tiled(const float *, float *, int)', Renamed: tiled}\n- {Original: other, Renamed: none}\n")
	for _, c := range []struct {
		values map[string][]string
		want   string
	}{
		{map[string][]string{"rename-kernels-path": {list}}, "plain, tiled, sum"}, {map[string][]string{"rename-kernels-path": {dir}}, "plain, tiled, sum"},
		{map[string][]string{"rename-kernels-path": {list}, "rename-kernels": {"off"}}, own}, {nil, own},
	} {
		if got, err := names(c.values); err != nil || got != c.want {
			t.Errorf("%v: %q %v", c.values, got, err)
		}
	}
	if got, err := names(map[string][]string{"rename-kernels-path": {put("")}}); err != nil || got != own {
		t.Errorf("an empty list: %q %v", got, err)
	}
	for _, bad := range []string{"a: b", "- {Original: a, Other: b}", "- [", "- 7"} {
		if _, err := names(map[string][]string{"rename-kernels-path": {put(bad)}}); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "renames.yaml") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := names(map[string][]string{"rename-kernels-path": {filepath.Join(dir, "absent")}}); !errors.Is(err, ErrUsage) {
		t.Errorf("a list that is not there: %v", err)
	}
}
