package sass

import (
	"embed"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// The tables are made by internal/sasslearn/learn; docs/formats/sass.md tells of
// what.
//
//go:embed tables/*.zst
var tables embed.FS

// architectures maps an architecture to the name of its table.
var architectures = map[int]string{70: "sm70", 75: "sm75", 80: "sm80", 86: "sm86", 89: "sm89", 90: "sm90"}

// maxTable bounds a table when it is unpacked, bytes.
const maxTable = 32 << 20

var unpacked = struct {
	sync.Mutex
	bytes map[int][]byte
}{bytes: map[int][]byte{}}

// tableOf is the table of an architecture, nil if there is none.
func tableOf(sm int) *table.Table {
	name := architectures[sm]
	if name == "" {
		return nil
	}
	unpacked.Lock()
	defer unpacked.Unlock()
	b := unpacked.bytes[sm]
	if b == nil {
		z, err := tables.ReadFile("tables/" + name + ".zst")
		if err != nil {
			return nil
		}
		r, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxTable), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil
		}
		defer r.Close()
		if b, err = r.DecodeAll(z, nil); err != nil {
			return nil
		}
		unpacked.bytes[sm] = b
	}
	t, err := table.Decode(b)
	if err != nil {
		return nil
	}
	return t
}
