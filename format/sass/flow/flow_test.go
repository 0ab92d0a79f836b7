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

func TestTargets(t *testing.T) {
	p := add()
	for i := range p.Instructions {
		var want []int
		if i == 11 { // the loop behind the end
			want = []int{11}
		}
		if got := p.Targets(i); !slices.Equal(got, want) {
			t.Errorf("%s leads to %v, want %v", p.Text(i, sass.Nvdisasm), got, want)
		}
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
		3: {2},       // @P0 EXIT: ISETP
		6: {1, 4},    // IMAD.WIDE: S2R, HFMA2
		7: {5, 6},    // LDG: ULDC loads the descriptor, which the text does not show; IMAD.WIDE
		9: {5, 6, 8}, // STG: ULDC, IMAD.WIDE, IADD3
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

// called is a program of two functions: the first calls the second, which multiplies
// R17 by R2 and goes back to R4.
func called() *flow.Program {
	words := [][2]uint64{
		{0x0000009000047802, 0x000fc60000000f00}, // MOV R4, 0x90
		{0x0000000000007944, 0x021fea0003c00000}, // CALL.REL.NOINC
		{0x0000001102117210, 0x000fe20007ffe004}, // IADD3 R17, R2, R17, R4
		{0x000000000000794d, 0x000fea0003800000}, // EXIT
		{0x0000000211117224, 0x000fc400078e0211}, // IMAD R17, R17, R2, R17
		{0xfffff1a004007950, 0x000fea0003c3ffff}, // RET.REL.NODEC R4
	}
	words[1][0] |= 2 * sass.Size << 32 // to the fifth instruction, from the third
	return flow.Of(sass.NewDecoder(80), code(words), 0)
}

func TestLiveAcrossCalls(t *testing.T) {
	p := called()
	var got []int
	for i := range p.Instructions {
		got = append(got, p.Live(i))
	}
	// R1, R2 and R17 for the function called, and R4:R5 for it to return to; behind the
	// call R4 in place of those.
	if want := []int{5, 5, 4, 1, 5, 5}; !slices.Equal(got, want) {
		t.Errorf("live %v, want %v", got, want)
	}
	if e := p.Effects(1); e.Reads.String() != "R2 R4 R5 R17" || e.Writes.String() != "R17" {
		t.Errorf("the call reads %v and writes %v", &e.Reads, &e.Writes)
	}
	if got := p.Sources(2); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("what is added was made by %v", got)
	}
}

// TestConvention checks a call that leads out of the program: it may take what was
// put where arguments are passed, and leaves what is preserved.
func TestConvention(t *testing.T) {
	p := flow.Of(sass.NewDecoder(80), code([][2]uint64{
		{0x0000009000047802, 0x000fc60000000f00}, // MOV R4, 0x90
		{0x0000040000007944, 0x021fea0003c00000}, // CALL.REL.NOINC, past the end
		{0x0000001102117210, 0x000fe20007ffe004}, // IADD3 R17, R2, R17, R4
		{0x000000000000794d, 0x000fea0003800000}, // EXIT
	}), 0)
	if e := p.Effects(1); e.Reads.String() != "R1 R4" || e.Writes.String() != "R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15" {
		t.Errorf("the call reads %v and writes %v", &e.Reads, &e.Writes)
	}
	if got := p.Live(0); got != 4 { // R1, R2, R17, and R4 that is written
		t.Errorf("%d live registers, want 4", got)
	}
}
