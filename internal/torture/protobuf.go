package torture

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// A span is a message of protobuf behind its length, four bytes.
type span struct{ at, end int }

// framed finds such messages that fill their length, among the first.
func framed(b []byte) (out []span) {
	for i := 0; i+4 < len(b) && len(out) < 200; {
		n := int(binary.LittleEndian.Uint32(b[i:]))
		if n >= 4 && n <= len(b)-i-4 && parse(b[i+4:i+4+n], 0) != nil {
			out = append(out, span{i + 4, i + 4 + n})
			if i += 4 + n; n > 64 {
				continue
			}
		}
		i++
		if i > 1<<20 {
			break
		}
	}
	return out
}

// A node is a field. Its bytes are its children where they parse as a message.
type node struct {
	key      uint64
	number   uint64 // of a varint or a fixed
	bytes    []byte
	children []*node
}

const maxDepth = 12

// parse reads a message; nil if it is none, or is empty.
func parse(b []byte, depth int) (out []*node) {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 || key>>3 == 0 || key>>3 > 1<<16 {
			return nil
		}
		b = b[n:]
		f := &node{key: key}
		switch key & 7 {
		case 0:
			if f.number, n = binary.Uvarint(b); n <= 0 {
				return nil
			}
			b = b[n:]
		case 1:
			if len(b) < 8 {
				return nil
			}
			f.number, b = binary.LittleEndian.Uint64(b), b[8:]
		case 5:
			if len(b) < 4 {
				return nil
			}
			f.number, b = uint64(binary.LittleEndian.Uint32(b)), b[4:]
		case 2:
			size, n := binary.Uvarint(b)
			if n <= 0 || size > uint64(len(b)-n) {
				return nil
			}
			f.bytes, b = b[n:n+int(size)], b[n+int(size):]
			if depth < maxDepth {
				f.children = parse(f.bytes, depth+1)
			}
		default:
			return nil
		}
		out = append(out, f)
	}
	return out
}

func encode(b []byte, fields []*node) []byte {
	for _, f := range fields {
		b = binary.AppendUvarint(b, f.key)
		switch f.key & 7 {
		case 0:
			b = binary.AppendUvarint(b, f.number)
		case 1:
			b = binary.LittleEndian.AppendUint64(b, f.number)
		case 5:
			b = binary.LittleEndian.AppendUint32(b, uint32(f.number))
		default:
			inner := f.bytes
			if f.children != nil {
				inner = encode(nil, f.children)
			}
			b = append(binary.AppendUvarint(b, uint64(len(inner))), inner...)
		}
	}
	return b
}

// protobuf changes a field somewhere in a message. The lengths around it are made
// right; half the time the message keeps its own, so that what counts bytes from
// outside still finds the next.
func protobuf(r *rand.Rand, b []byte) []byte {
	all := framed(b)
	if len(all) == 0 {
		return flip(r, b)
	}
	s := pick(r, all)
	root := &node{key: 2, children: parse(b[s.at:s.end], 0)}
	at := root
	for len(at.children) > 0 && (at == root || r.IntN(5) > 0) {
		next := pick(r, at.children)
		if next.children == nil || r.IntN(6) == 0 {
			break
		}
		at = next
	}
	change(r, at, s.end-s.at)
	out := encode(nil, root.children)
	framedOut := binary.LittleEndian.AppendUint32(nil, uint32(len(out)))
	if n := s.end - s.at; r.IntN(2) == 0 && len(out) <= n {
		// A field that nobody knows fills the room.
		if pad := n - len(out); pad >= 12 {
			out = binary.AppendUvarint(out, 15000<<3|2)
			rest := n - len(out)
			fill := rest - 1
			for len(binary.AppendUvarint(nil, uint64(fill)))+fill > rest {
				fill--
			}
			out = append(binary.AppendUvarint(out, uint64(fill)), make([]byte, fill)...)
		}
		framedOut = binary.LittleEndian.AppendUint32(nil, uint32(len(out)))
	}
	return slices.Concat(b[:s.at-4], framedOut, out, b[s.end:])
}

// change changes a field among the children of a node.
func change(r *rand.Rand, in *node, size int) {
	if len(in.children) == 0 {
		return
	}
	i := r.IntN(len(in.children))
	f := *in.children[i]
	in.children = slices.Clone(in.children)
	switch how := r.IntN(8); {
	case how == 0 && len(in.children) > 1:
		in.children = slices.Delete(in.children, i, i+1)
		return
	case how == 1:
		for range 1 + r.IntN(50) {
			in.children = append(in.children, &f)
		}
		return
	case how == 2:
		k := r.IntN(len(in.children))
		in.children[i], in.children[k] = in.children[k], in.children[i]
		return
	case how == 3: // of another kind
		f.key = f.key&^7 | pick(r, []uint64{0, 1, 2, 5})
	case f.key&7 != 2:
		f.number = pick(r, words)
	case how == 4 && f.children != nil: // far too deep
		inner := f.children
		for range 1 + r.IntN(200) {
			inner = []*node{{key: f.key, children: inner}}
		}
		f.children = inner
	case how == 5:
		f.bytes, f.children = flip(r, f.bytes), nil
	default:
		f.bytes, f.children = []byte(pick(r, evil)), nil
	}
	in.children[i] = &f
}
