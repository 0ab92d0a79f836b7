package occupancy

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// FuzzBatch: a table of any bytes is computed or refused; where it is computed,
// each line that is not blank comes back with the same number of cells more.
func FuzzBatch(f *testing.F) {
	f.Add([]byte("gen\tvgpr\tsgpr\tlds\twg\tmaxwg\nSI_CI\t42\t68\t7040\t256\t256\n"))
	f.Add([]byte("device\tregisters\tshared\tblock\noccupancy_pct\nH100\t33\t0\t256\n\n\tx\n"))
	f.Add([]byte("\ufeffgen\twg\tw_vgpr\r\nEG_NI\t2147483647\t1\r\n"))
	f.Add([]byte("gen\twg\tagpr\tvgpr\nMI300\t1024\t512\t512\ngfx1100\t0\t0\t0\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		err := Batch(context.Background(), &out, bytes.NewReader(in), nil)
		var bad *BatchErrors
		if err != nil && !errors.As(err, &bad) {
			return
		}
		want, got := lines(in), lines(out.Bytes())
		if len(got) != len(want) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
		more := 0
		for i := range got {
			n := bytes.Count(got[i], []byte("\t")) - bytes.Count(want[i], []byte("\t"))
			if i == 0 {
				more = n
			} else if n != more && bad == nil {
				t.Errorf("line %d: %d cells more, want %d", i+1, n, more)
			}
		}
	})
}

func lines(b []byte) [][]byte {
	var out [][]byte
	for _, l := range bytes.Split(b, []byte("\n")) {
		if len(bytes.TrimSpace(l)) > 0 {
			out = append(out, l)
		}
	}
	return out
}
