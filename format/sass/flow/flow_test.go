package flow_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/flow"
	"github.com/gpuprof/gpuprof/internal/cubingen"
)

func code(words [][2]uint64) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, w[0]), w[1])
	}
	return b
}

func add() *flow.Program {
	return flow.Of(sass.NewDecoder(80), code(cubingen.Add().Words), 0x1000)
}

func TestBlocks(t *testing.T) {
	p := add()
	// MOV to @P0 EXIT, the body, the loop behind the end.
	var got [][3]int
	for _, b := range p.Blocks {
		got = append(got, [3]int{b.From, b.To, len(b.Next)})
	}
	if want := [][3]int{{0, 4, 1}, {4, 11, 0}, {11, 12, 1}}; !slices.Equal(got, want) {
		t.Errorf("blocks %v, want %v", got, want)
	}
	if n := p.Blocks[2].Next; !slices.Equal(n, []int{2}) {
		t.Errorf("the last branch leads to %v", n)
	}
}

func TestWaits(t *testing.T) {
	p := add()
	for i := range p.Instructions {
		var want []int
		switch i {
		case 2: // ISETP waits for S2R
			want = []int{1}
		case 8: // IADD3 waits for LDG
			want = []int{7}
		}
		if got := p.Waits(i); !slices.Equal(got, want) {
			t.Errorf("%s waits for %v, want %v", p.Text(i, sass.Nvdisasm), got, want)
		}
	}
}

func TestSources(t *testing.T) {
	p := add()
	for i, want := range map[int][]int{
		3: {2},    // @P0 EXIT: ISETP
		6: {1, 4}, // IMAD.WIDE: S2R, HFMA2
		7: {6},    // LDG: IMAD.WIDE; the text does not show the descriptor that ULDC loads
		9: {6, 8}, // STG: IMAD.WIDE, IADD3
	} {
		if got := p.Sources(i); !slices.Equal(got, want) {
			t.Errorf("%s: made by %v, want %v", p.Text(i, sass.Nvdisasm), got, want)
		}
	}
}

func TestLive(t *testing.T) {
	p := add()
	var got []int
	for i := range p.Instructions {
		got = append(got, p.Live(i))
	}
	// R1 to the end; R5; R5 and R2; R2:R3 and R5; those and R0.
	if want := []int{1, 2, 2, 2, 3, 3, 4, 5, 5, 4, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("live %v, want %v", got, want)
	}
}

func TestDot(t *testing.T) {
	var b bytes.Buffer
	if err := add().Dot(&b, "a\"b\n"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"digraph \"a\\\"b \" {", "b0 -> b1", "b2 -> b2", "1030  @P0   EXIT"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

// FuzzOf takes any bytes apart. A block follows another as often as it is followed.
func FuzzOf(f *testing.F) {
	f.Add(code(cubingen.Add().Words), 80)
	d := map[int]*sass.Decoder{80: sass.NewDecoder(80), 90: sass.NewDecoder(90), 100: sass.NewDecoder(100)}
	f.Fuzz(func(t *testing.T, b []byte, sm int) {
		dec := d[sm]
		if dec == nil || len(b) > 64<<10 {
			return
		}
		p := flow.Of(dec, b, 0)
		for i := range p.Instructions {
			p.Live(i)
			for _, k := range p.Waits(i) {
				if k < 0 || k >= len(p.Instructions) {
					t.Fatalf("%d waits for %d", i, k)
				}
			}
			p.Sources(i)
		}
		for k, bl := range p.Blocks {
			for _, n := range bl.Next {
				if !slices.Contains(p.Blocks[n].Previous, k) {
					t.Fatalf("block %d is followed by %d, which does not know", k, n)
				}
			}
		}
	})
}
