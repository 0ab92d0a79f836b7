package simlog

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

var errNotTable = errors.Join(errors.New("not a generic access log"), cursor.ErrCorrupt)

// The columns by position in [Columns].
const (
	colCycle = iota
	colLevel
	colBank
	colAddress
	colSize
	colOp
	colStatus
	colKernel
	colTime
	numColumns
)

// rowReader turns the rows of a generic log into accesses and kernel events,
// whether they come as text or from Parquet.
type rowReader struct {
	at     [numColumns]int // position of each column in a line; -1 absent
	fields int
	notes  *notes
	meta   tableMeta

	open      bool
	kernel    Kernel
	lastCycle int64
	began     tick // the first row of the kernel, in a log of times
	kernels   int64
	ids       map[int64]int64

	cells      [numColumns][]byte
	levelText  []byte // the level met last, and its number
	levelFound LevelID
}

func newRowReader(n *notes) rowReader {
	return rowReader{notes: n, meta: tableMeta{kernels: map[int64]*Kernel{}, levels: map[string]int64{}}, ids: map[int64]int64{}}
}

// tableRow is one row with its values parsed.
type tableRow struct {
	cycle, kernel, bank, size int64
	addr                      uint64
	time                      tick
	op                        Op
	status                    Status
	end                       bool // the row states a kernel's end, it is no access
	noAddr                    bool
	level                     []byte
}

// What is wrong with a row, by column.
var rowErrors = [numColumns]string{
	colCycle:   "a cycle that is no integer; the line is left out",
	colLevel:   "a level without a usable name, or more than 64 levels; the line is left out",
	colBank:    "a bank that is no number below 65536; the line is left out",
	colAddress: "an address that is no number; the line is left out",
	colSize:    "a size that is no number of bytes up to 64 KiB; the line is left out",
	colOp:      "an op that is neither load nor store; the line is left out",
	colStatus:  "a status that is none of the declared ones; the line is left out",
	colKernel:  "a kernel that is no integer; the line is left out",
	colTime:    "a time_ns that is no decimal number; the line is left out",
}

// line takes one line of text. It reports whether the line was an access (false:
// a kernel's end), or what is wrong with it.
func (r *rowReader) line(b *Batch, line []byte, levels *levelNames, number int64) (bool, string) {
	if !r.split(line) {
		return false, "a line with too few columns; it is left out"
	}
	row := tableRow{status: StatusUnknown}
	for c, cell := range r.cells {
		if r.at[c] >= 0 && !row.set(c, cell) {
			return false, rowErrors[c]
		}
	}
	return r.put(b, &row, levels, number)
}

// set parses the text of column c.
func (row *tableRow) set(c int, cell []byte) (ok bool) {
	switch c {
	case colCycle:
		row.cycle, ok = parseInt(cell)
	case colLevel:
		row.level, ok = cell, true
	case colBank:
		row.bank, ok = parseInt(cell)
		ok = ok || len(cell) == 0
	case colAddress:
		row.addr, ok = parseAddress(cell)
		row.noAddr = len(cell) == 0 // as in the rows that end a kernel
		ok = ok || row.noAddr
	case colSize:
		row.size, ok = parseInt(cell)
		ok = ok || len(cell) == 0
	case colOp:
		row.op, row.end, ok = parseOp(cell)
	case colStatus:
		row.status, ok = parseStatus(cell)
	case colKernel:
		row.kernel, ok = parseInt(cell)
	case colTime:
		row.time, ok = parseTick(cell)
	}
	return ok
}

// put adds a parsed row to the batch.
func (r *rowReader) put(b *Batch, row *tableRow, levels *levelNames, number int64) (bool, string) {
	if row.bank < 0 || row.bank > math.MaxUint16 {
		return false, rowErrors[colBank]
	}
	if row.size < 0 || row.size > 1<<16 {
		return false, rowErrors[colSize]
	}
	if r.at[colCycle] < 0 && !r.timed(row) {
		return false, rowErrors[colTime]
	}
	if row.end {
		r.begin(b, row.kernel, row.cycle, number)
		r.kernel.EndCycle, r.kernel.EndKnown = row.cycle, true
		return false, ""
	}
	if row.noAddr {
		return false, rowErrors[colAddress]
	}
	level, ok := r.level(row.level, levels)
	if !ok {
		return false, rowErrors[colLevel]
	}
	r.begin(b, row.kernel, row.cycle, number)
	b.Cycle, b.Addr = append(b.Cycle, row.cycle), append(b.Addr, row.addr)
	b.Info = append(b.Info, MakeInfo(level, row.op, row.status, uint16(row.bank), uint16(row.bank)))
	if r.at[colSize] >= 0 {
		b.Size = append(b.Size, uint32(row.size))
	}
	return true, ""
}

// split cuts a line at its commas. Cells may be quoted but hold no comma.
func (r *rowReader) split(line []byte) bool {
	var cell [64][]byte
	n := 0
	for n < len(cell) {
		c, rest, more := bytes.Cut(line, []byte{','})
		cell[n] = bytes.Trim(c, ` "`)
		n++
		if line = rest; !more {
			break
		}
	}
	for c, at := range r.at {
		r.cells[c] = nil
		if at >= n {
			return false
		}
		if at >= 0 {
			r.cells[c] = cell[at]
		}
	}
	return true
}

// level finds the number of a level; rows come in runs of one level.
func (r *rowReader) level(name []byte, levels *levelNames) (LevelID, bool) {
	if len(name) > 0 && bytes.Equal(name, r.levelText) {
		return r.levelFound, true
	}
	id, ok := levels.id(string(name))
	if ok {
		r.levelText, r.levelFound = append(r.levelText[:0], name...), id
	}
	return id, ok
}

// begin makes id the running kernel.
func (r *rowReader) begin(b *Batch, id, cycle, line int64) {
	if r.open && r.kernel.ID == id {
		if cycle < r.lastCycle {
			r.notes.add(line, "cycles that fall within a kernel; lifetimes across that point are not to be trusted")
		}
		r.lastCycle = cycle
		return
	}
	r.end(b)
	k := Kernel{Index: int(r.kernels), ID: id, HeaderLine: line}
	if m := r.meta.kernels[id]; m != nil {
		k.Name, k.L1Bytes = m.Name, m.L1Bytes
	}
	if first, dup := r.ids[id]; dup {
		r.notes.add(line, "kernel id "+strconv.FormatInt(id, 10)+" was used before (line "+strconv.FormatInt(first, 10)+"); both are kept, apart")
	} else if len(r.ids) < 1<<20 {
		r.ids[id] = line
	}
	r.kernels++
	r.kernel, r.open, r.lastCycle = k, true, cycle
	start := k
	b.Events = append(b.Events, Event{Kind: KernelStart, At: b.Len(), Kernel: &start})
}

// end ends the running kernel, if any.
func (r *rowReader) end(b *Batch) {
	if !r.open {
		return
	}
	k := r.kernel
	if m := r.meta.kernels[k.ID]; m != nil {
		if m.EndKnown && !k.EndKnown {
			k.EndCycle, k.EndKnown = m.EndCycle, true
			if r.meta.timed {
				k.EndCycle, k.EndKnown = r.cycles(tick{ns: m.EndCycle})
			}
		}
		k.Name, k.L1Bytes = m.Name, max(m.L1Bytes, k.L1Bytes)
		delete(r.meta.kernels, k.ID)
	}
	if k.EndKnown {
		k.Cycles = k.EndCycle
	} else {
		r.notes.add(k.HeaderLine, "a kernel whose end is not stated: it is taken to be its last access")
	}
	b.Events = append(b.Events, Event{Kind: KernelEnd, At: b.Len(), Kernel: &k})
	r.open = false
}

func parseInt(b []byte) (int64, bool) {
	v, err := strconv.ParseInt(string(b), 10, 64)
	return v, err == nil
}

func parseAddress(b []byte) (uint64, bool) {
	s := string(b)
	base := 10
	if len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		s, base = s[2:], 16
	}
	v, err := strconv.ParseUint(s, base, 64)
	return v, err == nil
}

func parseOp(b []byte) (op Op, end, ok bool) {
	switch string(b) {
	case "load":
		return OpLoad, false, true
	case "store":
		return OpStore, false, true
	}
	switch strings.ToLower(string(b)) {
	case "load", "read", "r", "ld":
		return OpLoad, false, true
	case "store", "write", "w", "st", "atomic":
		return OpStore, false, true
	case "unknown", "":
		return OpUnknown, false, true
	case "end":
		return 0, true, true
	}
	return 0, false, false
}

func parseStatus(b []byte) (Status, bool) {
	if len(b) == 0 {
		return StatusUnknown, true
	}
	if len(b) == 1 && b[0] >= '0' && b[0] <= '5' {
		return Status(b[0] - '0'), true
	}
	for i, name := range statusNames {
		if strings.EqualFold(name, string(b)) {
			return Status(i), true
		}
	}
	return 0, false
}
