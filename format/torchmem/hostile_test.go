package torchmem

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

func readBytes(b []byte) (*Snapshot, error) {
	return Read(context.Background(), bytes.NewReader(b), int64(len(b)), "t.pickle")
}

func TestHostile(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "corpus/torch-memory/hostile")
	want := map[string]string{ // what the error says; "load" and what the problems say
		"global-reduce.pickle": "found GLOBAL", "stack-global.pickle": "found STACK_GLOBAL", "inst.pickle": "found INST", "obj-build.pickle": "found GLOBAL",
		"newobj.pickle": "found GLOBAL", "ext.pickle": "found EXT1", "persid.pickle": "found BINPERSID", "ordereddict.pickle": "the file holds objects",
		"after-good.pickle": "found GLOBAL", "trailing.pickle": "load: more, which is not read", "two-pickles.pickle": "load: more, which is not read", "zeros-after.pickle": "load",
		"truncated.pickle": "the end of the file", "no-stop.pickle": "expected STOP", "empty.pickle": "an empty file", "bad-memo.pickle": "GET of memo 7, which never was",
		"sparse-memo.pickle": "expected a snapshot", "long-string.pickle": "9223372036854775807 bytes announced, 4 there", "long-frame.pickle": "expected a snapshot",
		"odd-setitems.pickle": "an odd number of items, 1", "underflow.pickle": "expected a MARK", "unhashable-key.pickle": "expected a key that can be one, found a list",
		"bad-utf8.pickle": "expected a snapshot", "deep.pickle": "expected a snapshot", "laughs.pickle": "expected a snapshot", "cycle.pickle": "expected a snapshot",
		"negative-sizes.pickle": "expected 0 or more in", "big-ints.pickle": "a number beyond 64 bits", "wrong-types.pickle": "in ", "legacy-list.pickle": "load",
		"device-out-of-range.pickle": "load", "state-dict-neighbour.pickle": "a dict without segments", "zip-neighbour.pt": "a zip, as of torch.save",
	}
	for _, name := range corpustest.Files(t, "corpus/torch-memory/hostile/*.p*") {
		base := filepath.Base(name)
		b, err := os.ReadFile(filepath.Join(dir, base))
		if err != nil {
			t.Fatal(err)
		}
		expect, known := want[base]
		if !known {
			t.Errorf("%s: no expectation", base)
		}
		s, err := readBytes(b)
		text, load := strings.CutPrefix(expect, "load")
		switch {
		case load && err != nil:
			t.Errorf("%s: %v", base, err)
		case load:
			all := ""
			for _, p := range s.Problems {
				all += p.Error()
			}
			if text = strings.TrimPrefix(text, ": "); text == "" && all != "" || !strings.Contains(all, text) {
				t.Errorf("%s: problems %q, want %q", base, all, text)
			}
		case err == nil:
			t.Errorf("%s: loads, want %q", base, expect)
		case !strings.Contains(err.Error(), expect):
			t.Errorf("%s: %v, want %q", base, err, expect)
		default:
			t.Logf("%s: %v", base, err)
		}
	}
}
