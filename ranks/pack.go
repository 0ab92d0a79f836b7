package ranks

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/steps"
)

// A packer appends numbers: variable-length integers as encoding/binary has them,
// texts behind their length.
type packer struct{ b []byte }

func (p *packer) uint(v uint64)     { p.b = binary.AppendUvarint(p.b, v) }
func (p *packer) int(v int64)       { p.b = binary.AppendVarint(p.b, v) }
func (p *packer) float(v float64)   { p.b = binary.LittleEndian.AppendUint64(p.b, math.Float64bits(v)) }
func (p *packer) text(s string)     { p.uint(uint64(len(s))); p.b = append(p.b, s...) }
func (p *packer) bytes(s []byte)    { p.uint(uint64(len(s))); p.b = append(p.b, s...) }
func (p *packer) span(s steps.Span) { p.int(s.Start); p.int(s.End - s.Start) }
func (p *packer) bool(v bool)       { p.b = append(p.b, byte(b2i(v))) }
func b2i(v bool) int {
	if v {
		return 1
	}
	return 0
}

// An unpacker reads what a packer wrote. The first error stays; behind it
// everything is 0.
type unpacker struct {
	b    []byte
	size int // of all, for offsets
	err  error
}

func newUnpacker(b []byte) *unpacker { return &unpacker{b: b, size: len(b)} }

func (u *unpacker) fail(format string, args ...any) {
	if u.err == nil {
		u.err = fmt.Errorf("offset %d of the partial: "+format, append([]any{u.size - len(u.b)}, args...)...)
		u.b = nil
	}
}

func (u *unpacker) uint() uint64 {
	v, n := binary.Uvarint(u.b)
	if n <= 0 {
		u.fail("expected a number")
		return 0
	}
	u.b = u.b[n:]
	return v
}

func (u *unpacker) int() int64 {
	v, n := binary.Varint(u.b)
	if n <= 0 {
		u.fail("expected a number")
		return 0
	}
	u.b = u.b[n:]
	return v
}

func (u *unpacker) byte() byte {
	if len(u.b) == 0 {
		u.fail("expected a byte")
		return 0
	}
	v := u.b[0]
	u.b = u.b[1:]
	return v
}

func (u *unpacker) float() float64 {
	if len(u.b) < 8 {
		u.fail("expected 8 bytes, found %d", len(u.b))
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(u.b))
	u.b = u.b[8:]
	return v
}

func (u *unpacker) bytes() []byte {
	n := u.uint()
	if n > uint64(len(u.b)) {
		u.fail("expected %d bytes, found %d", n, len(u.b))
		return nil
	}
	v := u.b[:n:n]
	u.b = u.b[n:]
	return v
}

func (u *unpacker) text() string { return string(u.bytes()) }

func (u *unpacker) bool() bool { return u.byte() != 0 }

func (u *unpacker) span() steps.Span {
	s := u.time()
	return steps.Span{Start: s, End: s + u.duration()}
}

// time is a number that arithmetic on times can bear.
func (u *unpacker) time() int64 {
	v := u.int()
	if v <= -1<<62 || v >= 1<<62 {
		u.fail("expected a time within 2^62 ns of zero, found %d", v)
		return 0
	}
	return v
}

func (u *unpacker) duration() int64 {
	v := u.int()
	if v < 0 || v >= 1<<62 {
		u.fail("expected a duration, found %d", v)
		return 0
	}
	return v
}

// count is a number of things each of which takes at least a byte.
func (u *unpacker) count(what string) int {
	n := u.uint()
	if n > uint64(len(u.b)) {
		u.fail("expected %s, found a count of %d before %d bytes", what, n, len(u.b))
		return 0
	}
	return int(n)
}

// pack writes a partial. docs/formats/gpr.md describes it.
func (x *Partial) pack() []byte {
	p := &packer{}
	x.packIdentity(p)
	p.span(x.Span)
	for _, v := range []int64{x.Kernels, x.Copies, x.Unplaced, x.Closed} {
		p.int(v)
	}
	p.uint(uint64(len(x.Problems)))
	for _, s := range x.Problems {
		p.text(s)
	}
	p.uint(uint64(x.StepSource))
	p.text(x.StepText)
	p.bool(x.Numbered)
	p.uint(uint64(len(x.Steps)))
	for i := range x.Steps {
		p.int(x.Steps[i].Number)
		packTimes(p, &x.Steps[i].Times)
	}
	packTimes(p, &x.Whole)
	packMatrix(p, &x.Overlap)
	p.uint(uint64(len(x.Channels)))
	for _, c := range x.Channels {
		p.uint(c.Communicator)
		p.int(c.Ranks)
		p.int(c.Stream)
		p.uint(uint64(c.Class))
		p.bool(c.InSteps)
		p.uint(uint64(c.Count))
		p.bytes(c.packed)
	}
	p.b = append(p.b, x.sums...)
	for _, l := range []spanList{x.computing, x.busy} {
		p.uint(uint64(l.count))
		p.b = append(p.b, l.packed...)
	}
	return p.b
}

func (x *Partial) packIdentity(p *packer) {
	for _, s := range []string{x.File, x.Host, x.GPU, x.Executable, x.Job} {
		p.text(s)
	}
	for _, v := range []int64{x.Process, x.Device, x.Node, x.Slot, x.UTC, x.Boot} {
		p.int(v)
	}
	p.uint(uint64(len(x.Claims)))
	for _, c := range x.Claims {
		p.uint(sourceCodes[c.Source])
		p.int(c.Rank)
		p.int(c.Size)
	}
}

// sourceCodes are the numbers that files have for sources: a source keeps its
// number whatever its precedence, and a new one gets the next.
var sourceCodes = [...]uint64{FromList: 0, FromMPI: 1, FromTorch: 2, FromCommunicator: 3, FromEnvironment: 4, FromFile: 5, FromThread: 6, FromOrder: 7}

// sourceOf is the source of a number; of one that a later version gave, none of
// those that are known.
func sourceOf(code uint64) Source {
	if k := slices.Index(sourceCodes[:], code); k >= 0 {
		return Source(k)
	}
	return sources
}

func packTimes(p *packer, t *steps.Times) {
	p.span(t.Span)
	for _, v := range t.Together {
		p.int(v)
	}
	p.span(t.Gap)
	p.bool(t.HostLate)
	p.int(int64(t.Kernels))
	p.int(int64(t.Launches))
}

func packMatrix(p *packer, m *steps.Matrix) {
	for a := range m {
		for b := range a + 1 {
			p.int(m[a][b])
		}
	}
}

func packSums(sums []KernelSum, costs []Cost) []byte {
	p := &packer{}
	p.uint(uint64(len(sums)))
	for i := range sums {
		s := &sums[i]
		p.text(s.Name)
		p.uint(uint64(s.Class))
		for _, v := range []int64{s.Count, s.Sum, s.Min, s.Max} {
			p.int(v)
		}
		p.float(s.Squares)
		p.uint(uint64(len(s.Sketch.Bucket)))
		var before int32
		for k, b := range s.Sketch.Bucket {
			p.int(int64(b - before))
			p.int(s.Sketch.Count[k])
			before = b
		}
	}
	p.uint(uint64(len(costs)))
	var last Cost
	for _, c := range costs {
		p.int(int64(c.Step - last.Step))
		p.int(int64(c.Kernel - last.Kernel))
		p.int(c.Count)
		p.int(c.Sum)
		last = c
	}
	return p.b
}

// unpack reads a partial, which keeps b.
func unpack(b []byte) (*Partial, error) {
	u, x := newUnpacker(b), &Partial{}
	x.unpackIdentity(u)
	x.Span = u.span()
	for _, v := range []*int64{&x.Kernels, &x.Copies, &x.Unplaced, &x.Closed} {
		*v = u.int()
	}
	for range u.count("problems") {
		x.Problems = append(x.Problems, u.text())
	}
	x.StepSource, x.StepText, x.Numbered = steps.Source(min(u.uint(), 255)), u.text(), u.bool()
	for range u.count("steps") {
		s := Step{Number: u.int()}
		unpackTimes(u, &s.Times)
		x.Steps = append(x.Steps, s)
	}
	unpackTimes(u, &x.Whole)
	for a := range x.Overlap {
		for b := range a + 1 {
			x.Overlap[a][b] = u.int()
			x.Overlap[b][a] = x.Overlap[a][b]
		}
	}
	for range u.count("channels") {
		c := Channel{Communicator: u.uint(), Ranks: u.int(), Stream: u.int(), Class: steps.Class(min(u.uint(), uint64(steps.Classes))), InSteps: u.bool()}
		n := u.uint()
		if c.packed = u.bytes(); n > uint64(len(c.packed)) {
			u.fail("expected %d collectives, found %d bytes", n, len(c.packed))
			break
		}
		c.Count = int(n)
		if err := c.index(len(x.Steps)); err != nil && u.err == nil {
			u.err = err
		}
		x.Channels = append(x.Channels, c)
	}
	from := u.b
	u.sums(len(x.Steps)) // only checked
	x.sums = from[:len(from)-len(u.b)]
	x.computing, x.busy = u.spans(), u.spans()
	if u.err == nil && len(u.b) > 0 {
		u.fail("expected the end, found %d bytes", len(u.b))
	}
	return x, u.err
}

func (x *Partial) unpackIdentity(u *unpacker) {
	for _, s := range []*string{&x.File, &x.Host, &x.GPU, &x.Executable, &x.Job} {
		*s = u.text()
	}
	for _, v := range []*int64{&x.Process, &x.Device, &x.Node, &x.Slot} {
		*v = u.int()
	}
	x.UTC, x.Boot = u.time(), u.time()
	for range u.count("claims") {
		x.Claims = append(x.Claims, Claim{sourceOf(u.uint()), u.int(), u.int()})
	}
}

func unpackTimes(u *unpacker, t *steps.Times) {
	t.Span = u.span()
	for k := range t.Together {
		t.Together[k] = u.duration()
	}
	t.Gap = u.span()
	t.HostLate = u.bool()
	t.Kernels, t.Launches = int(u.duration()), int(u.duration())
}

// sums reads the kernels of a partial of so many steps, and what they took in each.
func (u *unpacker) sums(steps int) (sums []KernelSum, costs []Cost) {
	for range u.count("kernels") {
		sums = append(sums, u.sum())
	}
	var step, kernel int64
	for range u.count("costs") {
		step, kernel = step+u.int(), kernel+u.int()
		c := Cost{int32(step), int32(kernel), u.duration(), u.duration()}
		if step < 0 || step >= int64(steps) || kernel < 0 || kernel >= int64(len(sums)) {
			u.fail("expected a step and a kernel of the partial, found %d and %d", step, kernel)
			break
		}
		costs = append(costs, c)
	}
	return sums, costs
}

func (u *unpacker) sum() KernelSum {
	s := KernelSum{Name: u.text(), Class: steps.Class(min(u.uint(), uint64(steps.Classes)))}
	for _, v := range []*int64{&s.Count, &s.Sum, &s.Min, &s.Max} {
		*v = u.duration()
	}
	s.Squares = u.float()
	var bucket int64
	for range u.count("buckets") {
		bucket += u.int()
		s.Sketch.Bucket, s.Sketch.Count = append(s.Sketch.Bucket, int32(bucket)), append(s.Sketch.Count, u.duration())
	}
	return s
}
