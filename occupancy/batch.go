package occupancy

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The result columns of a batch, in order.
var results = map[Vendor][]string{
	AMD:    {"max_waves_cu_after", "w_vgpr", "w_sgpr", "w_lds", "w_wg", "occupancy_pct"},
	NVIDIA: {"max_warps_sm", "w_registers", "w_shared", "w_block", "occupancy_pct"},
}

// inputs are the names of the columns that Batch understands.
var inputs = map[string]int{"gen": inDevice, "device": inDevice, "vgpr": inVGPR, "vgprs": inVGPR, "registers": inVGPR,
	"agpr": inAGPR, "agprs": inAGPR, "sgpr": inSGPR, "sgprs": inSGPR, "lds": inLDS, "shared": inLDS, "wg": inGroup, "workgroup": inGroup, "block": inGroup,
	"maxwg": inMaxGroup}

const (
	inDevice = iota
	inVGPR
	inAGPR
	inSGPR
	inLDS
	inGroup
	inMaxGroup
	numInputs
)

// A BatchError says which line of a batch cannot be computed.
type BatchError struct {
	Line int
	Text string
}

func (e *BatchError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// BatchErrors are the lines of a batch that were written without results.
type BatchErrors struct {
	First []*BatchError // at most 20
	Rows  int           // all of them
}

const shownErrors = 20

func (e *BatchErrors) Error() string {
	var b strings.Builder
	for i, p := range e.First {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(p.Error())
	}
	if more := e.Rows - len(e.First); more > 0 {
		fmt.Fprintf(&b, "\nand %d more lines", more)
	}
	return b.String()
}

func (e *BatchErrors) add(line int, err error) {
	if e.Rows++; len(e.First) < shownErrors {
		e.First = append(e.First, &BatchError{line, err.Error()})
	}
}

// Batch copies a table of kernels from r to w and appends the result columns to
// each line. Cells are set apart by tabs; the first line names the columns: gen
// or device, vgpr or registers, sgpr, lds or shared, wg or block, maxwg, in any
// order and case. Columns of other names are copied, result columns that are
// there already replaced. device is used where the table has no such column; it
// may be nil.
//
// A line that cannot be computed gets NA for results; when all lines are written
// Batch returns them as BatchErrors.
func Batch(ctx context.Context, w io.Writer, r io.Reader, device *Device) error {
	b := batch{device: device, devices: map[string]*Device{}}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, maxLine), maxLine)
	out := bufio.NewWriterSize(w, 1<<20)
	n := 1
	for ; in.Scan(); n++ {
		line := bytes.TrimSuffix(in.Bytes(), []byte("\r"))
		if n&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		b.line, b.written = b.line[:0], 0
		if b.cells = appendCells(b.cells[:0], line); b.names == nil {
			if err := b.header(); err != nil {
				return &BatchError{n, err.Error()}
			}
			continue
		}
		if b.keep == nil {
			b.begin()
		}
		begun := len(b.line)
		if err := b.row(); err != nil {
			b.bad.add(n, err)
			b.line, b.written = b.line[:begun], 0
			b.missing()
		}
		b.line = append(b.line, '\n')
		if _, err := out.Write(b.line); err != nil {
			return err
		}
	}
	if b.names != nil && b.keep == nil { // no line but that of the names
		b.line, b.written, b.cells = b.line[:0], 0, nil
		b.begin()
		if _, err := out.Write(b.line); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &BatchError{n, fmt.Sprintf("expected a line of less than %d bytes", maxLine)}
	case err != nil:
		return err
	case b.names == nil:
		return &BatchError{1, "expected the names of the columns, found the end of the table"}
	case b.bad.Rows > 0:
		return &b.bad
	}
	return nil
}

// maxLine is how long a line may be.
const maxLine = 1 << 20

type batch struct {
	device  *Device
	devices map[string]*Device
	at      [numInputs]int // place of each input, -1 if absent
	head    []string       // the names of the columns as they stand there
	names   []string       // and as they are compared
	keep    []int          // columns that are copied
	width   int
	vendor  Vendor
	cells   [][]byte
	line    []byte
	written int // cells of line
	percent [129][129]string
	bad     BatchErrors
}

func appendCells(dst [][]byte, line []byte) [][]byte {
	for {
		i := bytes.IndexByte(line, '\t')
		if i < 0 {
			return append(dst, line)
		}
		dst = append(dst, line[:i])
		line = line[i+1:]
	}
}

// header reads the names of the columns; what is written of them depends on the
// vendor, which the first line with a device tells.
func (b *batch) header() error {
	for i := range b.at {
		b.at[i] = -1
	}
	b.width = len(b.cells)
	b.names = make([]string, b.width)
	for i, c := range b.cells {
		b.head = append(b.head, string(c))
		b.names[i] = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(string(c), "\ufeff")))
		if in, ok := inputs[b.names[i]]; ok && b.at[in] < 0 {
			b.at[in] = i
		}
		if s := b.names[i]; s == "registers" || s == "shared" || s == "block" {
			b.vendor = NVIDIA
		}
	}
	switch {
	case b.at[inDevice] < 0 && b.device == nil:
		return fmt.Errorf("expected a column gen or device")
	case b.at[inGroup] < 0:
		return fmt.Errorf("expected a column wg or block")
	}
	return nil
}

// begin writes the names of the columns, before the first line of cells.
func (b *batch) begin() {
	if b.device != nil {
		b.vendor = b.device.Vendor
	} else if i := b.at[inDevice]; i < len(b.cells) {
		if d := Find(string(b.cells[i])); d != nil {
			b.vendor = d.Vendor
		}
	}
	result := map[string]bool{}
	for _, n := range results[b.vendor] {
		result[n] = true
	}
	b.keep = []int{}
	for i, c := range b.head {
		if !result[b.names[i]] {
			b.keep = append(b.keep, i)
			b.cell([]byte(c))
		}
	}
	for _, n := range results[b.vendor] {
		b.cell([]byte(n))
	}
	b.line = append(b.line, '\n')
	b.written = 0
}

// cell appends a cell to the line.
func (b *batch) cell(c []byte) {
	if b.written++; b.written > 1 {
		b.line = append(b.line, '\t')
	}
	b.line = append(b.line, c...)
}

// unknown is the error for a device; looking for names like it takes time, so
// only those that are shown are looked up.
func (b *batch) unknown(name string) error {
	if b.bad.Rows >= shownErrors {
		return ErrDevice
	}
	_, err := Lookup(name)
	return err
}

func (b *batch) row() error {
	if len(b.cells) != b.width {
		return fmt.Errorf("expected %d cells, found %d", b.width, len(b.cells))
	}
	d := b.device
	if i := b.at[inDevice]; i >= 0 {
		name := b.cells[i]
		if d = b.devices[string(name)]; d == nil {
			if d = index[fold(string(name))]; d == nil {
				return b.unknown(string(name))
			}
			b.devices[string(name)] = d
		}
		if d.Vendor != b.vendor {
			return fmt.Errorf("device %s in a table whose columns are those of another vendor", d.Name)
		}
	}
	var v [numInputs]int
	for in := inVGPR; in < numInputs; in++ {
		i := b.at[in]
		if i < 0 {
			continue
		}
		n, ok := parse(bytes.TrimSpace(b.cells[i]))
		if !ok {
			return fmt.Errorf("expected a whole number from 0 to 2147483647, found %.64q", b.cells[i])
		}
		v[in] = n
	}
	if v[inGroup] == 0 {
		return fmt.Errorf("expected at least 1 of %s in a %s, found 0", d.words().items, d.words().group)
	}
	l := d.limits(Kernel{VGPRs: v[inVGPR], AGPRs: v[inAGPR], SGPRs: v[inSGPR], LDS: v[inLDS], Group: v[inGroup], MaxGroup: v[inMaxGroup]})
	for _, i := range b.keep {
		b.cell(b.cells[i])
	}
	b.number(l.MaxWaves)
	b.number(d.shownVGPR(l.Waves[VGPR], v[inGroup], v[inVGPR]))
	if d.Vendor == AMD {
		b.number(l.Waves[SGPR])
	}
	b.number(l.Waves[LDS])
	b.number(l.Waves[Group])
	b.line = append(append(b.line, '\t'), b.percentOf(&l)...)
	return nil
}

// missing makes a line without results.
func (b *batch) missing() {
	if len(b.cells) == b.width {
		for _, i := range b.keep {
			b.cell(b.cells[i])
		}
	} else {
		for _, c := range b.cells {
			b.cell(c)
		}
	}
	for range results[b.vendor] {
		b.line = append(b.line, "\tNA"...)
	}
}

// shownVGPR is the number of the w_vgpr column. Where not one work-group has room
// AMD's classes answer that there is no number, and a table that asks them shows
// that of the line before, in the tables at hand one of a smaller work-group of a
// power of two; occupancy_pct is 0 all the same.
func (d *Device) shownVGPR(waves, group, vgprs int) int {
	if d.model != gcn || waves > 0 || group <= 0 {
		return waves
	}
	room := d.VGPRs / roundUp(max(vgprs, 1), d.VGPRGranule) * d.SIMDs
	for w := ceilDiv(group, d.Wave); w > 0 && waves == 0; w /= 2 {
		waves = room / w * w
	}
	return waves
}

func (b *batch) number(v int) {
	b.line = strconv.AppendInt(append(b.line, '\t'), int64(v), 10)
}

// percentOf prints an occupancy with six digits, as C++ streams do.
func (b *batch) percentOf(l *Limits) string {
	if l.Active < 0 || l.MaxWaves < 0 || l.Active >= len(b.percent) || l.MaxWaves >= len(b.percent) {
		return strconv.FormatFloat(float64(l.Percent()), 'g', 6, 64)
	}
	s := &b.percent[l.Active][l.MaxWaves]
	if *s == "" {
		*s = strconv.FormatFloat(float64(l.Percent()), 'g', 6, 64)
	}
	return *s
}

// parse parses a decimal below 2^31.
func parse(s []byte) (int, bool) {
	if len(s) == 0 || len(s) > 10 {
		return 0, false
	}
	v := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int(c-'0')
	}
	return v, v < 1<<31
}
