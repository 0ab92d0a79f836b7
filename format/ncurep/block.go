package ncurep

import "fmt"

// Block is one block of the file: a header, which may carry a piece of the
// session and of the string table, and a payload of entries.
type Block struct {
	Offset  int64 // of the header's size, in the (decompressed) file
	Header  *blockHeader
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

// blockHeader is the head of a block.
type blockHeader struct {
	NumSources      Opt[uint32]  `ncu:"1"`
	NumResults      Opt[uint32]  `ncu:"2"`
	Session         *Session     `ncu:"3"` // a piece of it
	Strings         *stringTable `ncu:"4"`
	PayloadSize     Opt[uint32]  `ncu:"5"` // bytes
	Process         *Process     `ncu:"6"` // that the block's results come from
	NumRangeResults Opt[uint32]  `ncu:"7"`
	Unknown         Unknown
}

// stringTable is a block's addition to the strings of the file.
type stringTable struct {
	Strings []string `ncu:"1"`
	Unknown Unknown
}

// FileHeader opens the file.
type FileHeader struct {
	Version uint32 `ncu:"1"` // 7 in every report known, whatever the tool's version
	Unknown Unknown
}

// numRangeResults counts the range results of the report. What is in them is not
// known: no tool wrote any into the reports seen.
func (f *File) numRangeResults() int {
	n := 0
	for _, b := range f.Blocks {
		n += len(b.ranges)
	}
	return n
}

// rangeResult returns the encoded message of range result i.
func (f *File) rangeResult(i int) ([]byte, error) {
	at := i
	for _, b := range f.Blocks {
		if at >= 0 && at < len(b.ranges) {
			return f.in.bytes(b.ranges[at])
		}
		at -= len(b.ranges)
	}
	return nil, fmt.Errorf("%s: no range result %d", f.Name, i)
}
