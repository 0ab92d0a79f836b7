package nsysrep

import (
	"bytes"
	"testing"
)

func FuzzOpen(f *testing.F) {
	f.Add([]byte(Magic + "1." + rawMagic + "\x00\x00\x03\x05\x20\x04\x0a\x00"))
	f.Fuzz(func(t *testing.T, b []byte) { all(b) })
}

// FuzzFrame unpacks and decodes a frame, given with its head.
func FuzzFrame(f *testing.F) {
	f.Add(pack([]byte{10, 7, 8, 79, 0xda, 6, 2, 8, 1}))
	f.Add(pack([]byte{10, 11, 8, 47, 0xe2, 6, 6, 0x30, 0, 0x7a, 2, 8, 1}))
	f.Fuzz(func(t *testing.T, b []byte) {
		file := &File{in: bytes.NewReader(b), size: int64(len(b))}
		fr, err := file.frame(0, int64(len(b)))
		if err != nil {
			return
		}
		if fr.Size > maxRatio*len(b) {
			t.Errorf("%d bytes from %d", fr.Size, len(b))
		}
		readFrame(file, fr)
	})
}

// FuzzEvent decodes an event: of whatever it holds, no more rows come than it has
// bytes.
func FuzzEvent(f *testing.F) {
	f.Add([]byte{8, 79, 0xda, 6, 2, 8, 1})
	f.Add([]byte{8, 47, 0xe2, 6, 6, 0x30, 0, 0x7a, 2, 8, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		var w walker
		out := walked{unknown: map[Unknown]int{}}
		w.event(b, 0, len(b), &out)
		p := page{msg: b}
		p.sort(&w)
		x := &Index{Unknown: out.unknown, frames: []frameIndex{{out.count, &p}}}
		var batch Batch
		for k := range Kinds {
			for _, stacks := range []bool{false, true} {
				x.read(&reader{}, 0, Want{Kind: k, Stacks: stacks, Columns: 1<<maxColumns - 1}, &batch)
				if batch.N > len(b) {
					t.Errorf("%d rows from %d bytes", batch.N, len(b))
				}
			}
		}
	})
}
