package timeline

import (
	"encoding/binary"
	"math"
	"sort"
)

// MaxWire is the most bytes that an answer of [Index.Wire] has before names.
const MaxWire = 128 << 10

const (
	wireHead = 40
	rowHead  = 12
	itemSize = 12
)

// A Request asks for a window of tracks.
type Request struct {
	T0, T1 int64 // ns
	Pixels int
	Tracks []int // in Index.Tracks
	Depth  int   // rows of each track at most; 0: all
}

// Wire answers a request in at most MaxWire bytes and the names. Where the
// items of all rows are more than that, pixels are merged in twos, fours and so
// on; rows that find no room even then are left out, and the head counts them.
// All numbers are little-endian.
//
//	head   "GTL1", pixels merged into one u32, t0 i64, t1 i64 (ns), rows u32,
//	       names u32, rows left out u32, 0 u32
//	row    track u32, depth u32, items u32; then its items
//	item   x u16, width u16 (in 1/65535 of the window), name u16, density u8
//	       (255: busy all of the time), flags u8 (1: one slice), value u32
//	       (the SliceID of one slice, else the number of slices)
//	name   length u32, UTF-8
//
// A name of 65535 is one that found no room among the names.
func (x *Index) Wire(q Request) []byte {
	q.T1 = max(q.T1, q.T0+1)
	q.Pixels = min(max(q.Pixels, 1), 16384)
	merge := x.mergeOf(q)
	out, left := x.wire(q, merge)
	for left > 0 && merge < q.Pixels {
		merge *= 2
		out, left = x.wire(q, merge)
	}
	for merge > 1 && left == 0 && len(out) <= MaxWire/2 { // slices in heaps with nothing between: fewer items than feared
		finer, lost := x.wire(q, merge/2)
		if lost > 0 {
			break
		}
		out, merge = finer, merge/2
	}
	return out
}

// mergeOf is how many pixels to merge so that the answer fits if every pixel of
// every row has an item, or every slice.
func (x *Index) mergeOf(q Request) int {
	var counts []int
	for _, k := range q.Tracks {
		if k < 0 || k >= len(x.Tracks) {
			continue
		}
		for d := range x.Tracks[k].Rows {
			if q.Depth > 0 && d >= q.Depth {
				break
			}
			if from, to := x.span(&x.Tracks[k].Rows[d], q.T0, q.T1); to > from {
				counts = append(counts, to-from)
			}
		}
	}
	for merge := 1; ; merge *= 2 {
		size := wireHead
		for _, n := range counts {
			size += rowHead + itemSize*min(n, q.Pixels/merge)
		}
		if size <= MaxWire || merge >= q.Pixels {
			return merge
		}
	}
}

type wireNames struct {
	number map[NameID]uint16
	text   []byte
	n      uint32
}

// nameRoom is how many bytes of names an answer has at most, and nameCut how
// much of one.
const (
	nameRoom = 20 << 10
	nameCut  = 200
)

func (w *wireNames) of(x *Index, y NameID) uint16 {
	if k, ok := w.number[y]; ok {
		return k
	}
	s := x.Text(y)
	s = s[:min(len(s), nameCut)]
	k := uint16(math.MaxUint16)
	if len(w.text)+4+len(s) <= nameRoom {
		k = uint16(w.n)
		w.n++
		w.text = append(binary.LittleEndian.AppendUint32(w.text, uint32(len(s))), s...)
	}
	w.number[y] = k
	return k
}

func (x *Index) wire(q Request, merge int) (out []byte, left uint32) {
	names := wireNames{number: map[NameID]uint16{}}
	out = make([]byte, wireHead, MaxWire)
	var items []Item
	nrows := uint32(0)
	for _, k := range q.Tracks {
		if k < 0 || k >= len(x.Tracks) {
			continue
		}
		for d := range x.Tracks[k].Rows {
			if q.Depth > 0 && d >= q.Depth {
				break
			}
			items = x.View(items[:0], &x.Tracks[k].Rows[d], q.T0, q.T1, max(1, q.Pixels/merge))
			if len(items) == 0 {
				continue
			}
			if len(out)+rowHead+itemSize*len(items) > MaxWire {
				left++
				if merge < q.Pixels { // the caller tries again
					return out, left
				}
				continue
			}
			nrows++
			out = binary.LittleEndian.AppendUint32(out, uint32(k))
			out = binary.LittleEndian.AppendUint32(out, uint32(d))
			out = binary.LittleEndian.AppendUint32(out, uint32(len(items)))
			for i := range items {
				out = items[i].wire(out, &q, names.of(x, items[i].Name))
			}
		}
	}
	copy(out, "GTL1")
	for at, v := range map[int]uint32{4: uint32(merge), 24: nrows, 28: names.n, 32: left} {
		binary.LittleEndian.PutUint32(out[at:], v)
	}
	binary.LittleEndian.PutUint64(out[8:], uint64(q.T0))
	binary.LittleEndian.PutUint64(out[16:], uint64(q.T1))
	return append(out, names.text...), left
}

func (it *Item) wire(out []byte, q *Request, name uint16) []byte {
	scale := math.MaxUint16 / float64(uint64(q.T1)-uint64(q.T0))
	s, e := max(it.Start, q.T0), min(it.End, q.T1)
	x0 := float64(uint64(s)-uint64(q.T0)) * scale
	wide := float64(uint64(e)-uint64(s)) * scale
	density, flags, value := 255.0, byte(1), uint32(it.First)
	if it.Slice == None {
		density, flags, value = 0, 0, uint32(it.Count)
		if e > s {
			density = min(255, 255*float64(it.Busy)/float64(uint64(e)-uint64(s)))
		}
	}
	out = binary.LittleEndian.AppendUint16(out, uint16(x0))
	out = binary.LittleEndian.AppendUint16(out, uint16(min(wide, math.MaxUint16-math.Floor(x0))))
	out = binary.LittleEndian.AppendUint16(out, name)
	out = append(out, byte(density), flags)
	return binary.LittleEndian.AppendUint32(out, value)
}

// Track returns the number of the track of a key, -1 where there is none.
func (x *Index) Track(key string) int {
	for i := range x.Tracks {
		if x.Tracks[i].Key == key {
			return i
		}
	}
	return -1
}

// At is the slice of a row that lasts at a time, else the first after it; None
// past the last.
func (x *Index) At(r *Row, t int64) SliceID {
	first := int(r.First)
	k := sort.Search(int(r.Len), func(k int) bool { return x.end[first+k] > t || x.start[first+k] >= t })
	if k == int(r.Len) {
		return None
	}
	return SliceID(first + k)
}

// Whole reports whether an answer of [Index.Wire] has every slice of its window
// as an item of its own.
func Whole(answer []byte) bool {
	le := binary.LittleEndian
	if len(answer) < wireHead || le.Uint32(answer[32:]) > 0 {
		return false
	}
	at := wireHead
	for range le.Uint32(answer[24:]) {
		for n := le.Uint32(answer[at+8:]); n > 0; n-- {
			if answer[at+rowHead+7]&1 == 0 {
				return false
			}
			at += itemSize
		}
		at += rowHead
	}
	return true
}
