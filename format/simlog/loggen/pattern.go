package loggen

// pattern is the access behaviour of a kernel.
type pattern struct {
	name   string
	l1KB   int64
	stores uint64 // percent of accesses
	next   func(p *stream, r *rng) uint64
}

// patterns take turns.
var patterns = []pattern{
	{name: "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEEEEviT0_", l1KB: 128, stores: 33, next: streaming},
	{name: "ampere_sgemm_128x64_slice1_tn", l1KB: 120, stores: 3, next: tiled},
	{name: "_Z16embedding_gatherPKfPKiPfi", l1KB: 120, stores: 10, next: gather},
	{name: "_Z7softmaxPfS_ii", l1KB: 128, stores: 50, next: skewed},
}

// stream is the state of one SM's walk through its part of memory.
type stream struct {
	base, size uint64 // bytes; size is a power of two
	pos        uint64
	pass       uint64
}

// streaming goes through memory once, downwards within each 1 KB.
func streaming(s *stream, _ *rng) uint64 {
	p := s.pos
	s.pos += 256
	return s.base + (p&^1023+768-p&1023)&(s.size-1)
}

// tiled goes over a tile of 32 KB eight times before it takes the next.
func tiled(s *stream, _ *rng) uint64 {
	const tile = 32 << 10
	p := s.pos
	if s.pos += 256; s.pos%tile == 0 {
		if s.pass++; s.pass%8 != 0 {
			s.pos -= tile
		}
	}
	return s.base + p&(s.size-1)
}

// gather takes any place.
func gather(s *stream, r *rng) uint64 { return s.base + r.next()&(s.size-1)&^31 }

// skewed takes nine accesses of ten from a sixteenth of its memory, and most of
// those from a sixteenth of that.
func skewed(s *stream, r *rng) uint64 {
	m := s.size - 1
	for range 2 {
		if !r.percent(90) {
			break
		}
		m >>= 4
	}
	return s.base + r.next()&m&^255
}
