package timeline

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"
)

// MaxWire is the most bytes that an answer of [Index.Wire] has before names.
const MaxWire = 128 << 10

const (
	wireHead = 40
	rowHead  = 12
	itemSize = 12

	itemWide  = 2 // offsets in an item
	itemName  = 4
	itemFlags = 7
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
//	       (255: busy all of the time), flags u8 (1: one slice; the other bits
//	       are a number that all items of one name share), value u32 (the
//	       SliceID of one slice, else the number of slices)
//	name   length u32, UTF-8
//
// Names of wide items come first; a name of 65535 found no room among them.
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

// A wireName is a name in an answer.
type wireName struct {
	id     NameID
	widest uint16 // item of that name, in 1/65535 of the window
	hue    byte
	number uint16 // in the answer
}

// wireNames are the names of the items of an answer.
type wireNames struct {
	of    map[NameID]int32 // in list
	list  []wireName
	items []int32 // of each item its name in list
}

// nameRoom is how many bytes of names an answer has at most, and nameCut how
// much of one.
const (
	nameRoom = 20 << 10
	nameCut  = 200
)

// add notes the name of the next item and returns its hue.
func (w *wireNames) add(x *Index, id NameID, wide uint16) (hue byte) {
	k, ok := w.of[id]
	if !ok {
		k = int32(len(w.list))
		w.of[id] = k
		w.list = append(w.list, wireName{id: id, hue: hue7(x.Text(id))})
	}
	n := &w.list[k]
	n.widest = max(n.widest, wide)
	w.items = append(w.items, k)
	return n.hue
}

// write numbers the names, those of the widest items first as far as there is
// room, and returns them as an answer has them: nobody can read the names of
// narrow items anyway.
func (w *wireNames) write(x *Index) (text []byte, n uint32) {
	order := make([]int32, len(w.list))
	for k := range order {
		order[k] = int32(k)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(w.list[b].widest, w.list[a].widest) })
	for _, k := range order {
		s := x.Text(w.list[k].id)
		s = s[:min(len(s), nameCut)]
		w.list[k].number = math.MaxUint16
		if len(text)+4+len(s) <= nameRoom {
			w.list[k].number = uint16(n)
			n++
			text = append(binary.LittleEndian.AppendUint32(text, uint32(len(s))), s...)
		}
	}
	return text, n
}

// hue7 is a number from 0 to 127 that all items of a name share.
func hue7(name string) byte {
	h := uint32(2166136261) // FNV-1a
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return byte(h >> 9 & 0x7f)
}

func (x *Index) wire(q Request, merge int) (out []byte, left uint32) {
	names := wireNames{of: map[NameID]int32{}}
	out = make([]byte, wireHead, MaxWire)
	var items []item
	var rows []int // where the items of each row begin in out
	for _, k := range q.Tracks {
		if k < 0 || k >= len(x.Tracks) {
			continue
		}
		for d := range x.Tracks[k].Rows {
			if q.Depth > 0 && d >= q.Depth {
				break
			}
			items = x.view(items[:0], &x.Tracks[k].Rows[d], q.T0, q.T1, max(1, q.Pixels/merge))
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
			out = binary.LittleEndian.AppendUint32(out, uint32(k))
			out = binary.LittleEndian.AppendUint32(out, uint32(d))
			out = binary.LittleEndian.AppendUint32(out, uint32(len(items)))
			rows = append(rows, len(out))
			for i := range items {
				out = items[i].wire(out, &q)
				it := out[len(out)-itemSize:]
				it[itemFlags] |= names.add(x, items[i].Name, binary.LittleEndian.Uint16(it[itemWide:])) << 1
			}
		}
	}
	text, n := names.write(x)
	next := 0
	for _, at := range rows {
		for range binary.LittleEndian.Uint32(out[at-4:]) {
			binary.LittleEndian.PutUint16(out[at+itemName:], names.list[names.items[next]].number)
			at += itemSize
			next++
		}
	}
	copy(out, "GTL1")
	for at, v := range map[int]uint32{4: uint32(merge), 24: uint32(len(rows)), 28: n, 32: left} {
		binary.LittleEndian.PutUint32(out[at:], v)
	}
	binary.LittleEndian.PutUint64(out[8:], uint64(q.T0))
	binary.LittleEndian.PutUint64(out[16:], uint64(q.T1))
	return append(out, text...), left
}

// wire appends the item without its name.
func (it *item) wire(out []byte, q *Request) []byte {
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
	out = binary.LittleEndian.AppendUint16(out, 0)
	out = append(out, byte(density), flags)
	return binary.LittleEndian.AppendUint32(out, value)
}

// track returns the number of the track of a key, -1 where there is none.
func (x *Index) track(key string) int {
	for i := range x.Tracks {
		if x.Tracks[i].Key == key {
			return i
		}
	}
	return -1
}

// at is the slice of a row that lasts at a time, else the first after it; None
// past the last.
func (x *Index) at(r *row, t int64) SliceID {
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
