package sass

import "testing"

// BenchmarkText writes lines of a kernel; ns/op is for one.
func BenchmarkText(b *testing.B) {
	d := NewDecoder(80)
	var words []Word
	for _, v := range vectors {
		if v.sm == 80 {
			words = append(words, word(b, v.word))
		}
	}
	buf := make([]byte, 0, 256)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		buf, _ = d.AppendText(buf[:0], words[i%len(words)], uint64(i)*Size, Nvdisasm)
	}
}

// BenchmarkNewDecoder is the time before the first line.
func BenchmarkNewDecoder(b *testing.B) {
	w := word(b, vectors[3].word)
	for range b.N {
		NewDecoder(80).Text(w, 0, Nvdisasm)
	}
}
