package ncurep

import "fmt"

// Block is one block of the file: a header, which may carry a piece of the
// session and of the string table, and a payload of entries.
type Block struct {
	Offset  int64 // of the header's size, in the (decompressed) file
	Header  *BlockHeader
	Results []int // indices into File.Results

	header   span
	payload  span
	sources  []span   // source entries, without their size
	refs     []uint64 // references of the sources
	results  []span
	ranges   []span
	damaged  bool // the header did not decode in full
	doubtful bool // strings may be missing from the header
}

// PayloadOffset is the file offset of the block's payload.
func (b *Block) PayloadOffset() int64 { return b.payload.off }

// PayloadSize is the size of the payload found, in bytes.
func (b *Block) PayloadSize() int64 { return b.payload.n }

// BlockHeader is the head of a block.
type BlockHeader struct {
	NumSources      Opt[uint32]
	NumResults      Opt[uint32]
	Session         *Session // a piece of it
	Strings         *StringTable
	PayloadSize     Opt[uint32] // bytes
	Process         *Process    // that the block's results come from
	NumRangeResults Opt[uint32]
	Unknown         Unknown
}

var blockHeaderTable = newTable(func(m *BlockHeader) *Unknown { return &m.Unknown },
	optInt(1, func(m *BlockHeader) *Opt[uint32] { return &m.NumSources }),
	optInt(2, func(m *BlockHeader) *Opt[uint32] { return &m.NumResults }),
	optMessage(3, func(m *BlockHeader) **Session { return &m.Session }),
	optMessage(4, func(m *BlockHeader) **StringTable { return &m.Strings }),
	optInt(5, func(m *BlockHeader) *Opt[uint32] { return &m.PayloadSize }),
	optMessage(6, func(m *BlockHeader) **Process { return &m.Process }),
	optInt(7, func(m *BlockHeader) *Opt[uint32] { return &m.NumRangeResults }),
)

func (*BlockHeader) table() *table[BlockHeader] { return blockHeaderTable }

// StringTable is a block's addition to the strings of the file.
type StringTable struct {
	Strings []string
	Unknown Unknown
}

var stringTableTable = newTable(func(m *StringTable) *Unknown { return &m.Unknown },
	repString(1, func(m *StringTable) *[]string { return &m.Strings }),
)

func (*StringTable) table() *table[StringTable] { return stringTableTable }

// FileHeader opens the file.
type FileHeader struct {
	Version uint32 // 7 in every report known, whatever the tool's version
	Unknown Unknown
}

var fileHeaderTable = newTable(func(m *FileHeader) *Unknown { return &m.Unknown },
	reqInt(1, func(m *FileHeader) *uint32 { return &m.Version }),
)

func (*FileHeader) table() *table[FileHeader] { return fileHeaderTable }

// NumRangeResults counts the range results of the report. What is in them is not
// known: no tool wrote any into the reports seen.
func (f *File) NumRangeResults() int {
	n := 0
	for _, b := range f.Blocks {
		n += len(b.ranges)
	}
	return n
}

// RangeResult returns the encoded message of range result i.
func (f *File) RangeResult(i int) ([]byte, error) {
	at := i
	for _, b := range f.Blocks {
		if at >= 0 && at < len(b.ranges) {
			return f.in.bytes(b.ranges[at])
		}
		at -= len(b.ranges)
	}
	return nil, fmt.Errorf("%s: no range result %d", f.Name, i)
}
