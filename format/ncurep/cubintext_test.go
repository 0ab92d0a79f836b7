package ncurep

import (
	"path/filepath"
	"testing"
)

// TestTexts finds the code of every kernel whole.
func TestTexts(t *testing.T) {
	seen := 0
	for _, name := range corpusFiles(t) {
		f, err := OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.Sources {
			c, err := s.Cubin()
			check(t, err)
			for _, x := range c.Texts() {
				seen++
				fn := c.Function(x.Kernel)
				if fn == nil || fn.Section != x.Section || fn.Size != x.Size || uint64(len(x.Code)) != x.Size {
					t.Errorf("%s: section %s of %d bytes, %d of them code; function %+v", filepath.Base(name), x.Section, x.Size, len(x.Code), fn)
				}
			}
		}
		f.Close()
	}
	if seen == 0 {
		t.Error("no section of code")
	}
}
