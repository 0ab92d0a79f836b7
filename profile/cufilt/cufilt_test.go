package cufilt

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/corpustest"
)

func TestName(t *testing.T) {
	for _, c := range []struct{ mangled, want string }{
		{"_Z4axpyfPKfPf", "axpy(float, const float *, float *)"},
		{"_Z5emptyv", "empty()"},
		{"_Z4tileILi4EEvPiS0_", "void tile<(int)4>(int *, int *)"},
		{"_Z4tileILin4EEvv", "void tile<(int)-4>()"},
		{"_Z4tileILb1EjEvPT0_", "void tile<(bool)1, unsigned int>(T2 *)"},
		{"_Z4takePPf", "take(float **)"},
		{"_Z4takePKPKf", "take(const float *const *)"},
		{"_Z4takeRKSt6vectorIiE", "take(const std::vector<int> &)"},
		{"_Z4takeOi", "take(int &&)"},
		{"_Z4takePFvifE", "take(void (*)(int, float))"},
		{"_Z4takeRA4_i", "take(int (&)[4])"},
		{"_ZN12_GLOBAL__N_14hereEi", "<unnamed>::here(int)"},
		{"_Z4packIJifEEvDpT_", ""}, // how a pack is spelled is not known
		{"main", ""},
		{"_Z", ""},
	} {
		got, ok := Name(c.mangled)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("Name(%q) = %q, %v; want %q", c.mangled, got, ok, c.want)
		}
	}
}

// TestNameCorpus compares with the names that reports hold beside the mangled
// ones. Reports from before 2021 spell them in other ways.
func TestNameCorpus(t *testing.T) {
	seen := map[string]bool{}
	equal := 0
	for _, name := range corpustest.Files(t, "corpus/ncu/*rep*") {
		f, err := ncurep.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		v := f.Session.Version("Nsight Compute Target")
		if v < "2021" {
			continue
		}
		for _, r := range f.Results {
			if seen[r.MangledName] || r.DemangledName == "" {
				continue
			}
			seen[r.MangledName] = true
			got, ok := Name(r.MangledName)
			switch {
			case !strings.HasPrefix(r.MangledName, "_Z"):
			case !ok:
				t.Errorf("%s: %s: no name, want %s", filepath.Base(name), r.MangledName, r.DemangledName)
			case got != r.DemangledName:
				t.Errorf("%s: %s:\n got %s\nwant %s", filepath.Base(name), r.MangledName, got, r.DemangledName)
			default:
				equal++
			}
		}
	}
	if equal == 0 {
		t.Error("nothing compared")
	}
	t.Logf("%d names are equal", equal)
}

func TestFilter(t *testing.T) {
	for _, c := range []struct{ mangled, want string }{
		{"_Z4takePKf", "take(const float *)"},
		{"_Z4packIJifEEvDpT_", "void pack<int, float>(int, float)"},
		{"_ZF", "_ZF"},
		{"main", "main"},
	} {
		if got := Filter(c.mangled); got != c.want {
			t.Errorf("Filter(%q) = %q, want %q", c.mangled, got, c.want)
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add("_ZN2at6native9templates4cuda20normal_and_transformIffPNS_17CUDAGeneratorImplEZZZNS4_13normal_kernelIS7_EEvRKNS_10TensorBaseEddT_ENKUlvE_clEvENKUlvE0_clEvEUlfE_EEvv")
	f.Add("_Z4takePKPKf")
	f.Fuzz(func(t *testing.T, mangled string) {
		name, ok := Name(mangled)
		if ok && (name == "" || len(name) > 1<<maxName) {
			t.Errorf("Name(%q) is of %d bytes", mangled, len(name))
		}
		Filter(mangled)
	})
}
