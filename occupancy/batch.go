package occupancy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
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

// Batch copies a table of kernels from r to w and appends the result columns to
// each line. Cells are set apart by tabs; the first line names the columns: gen
// or device, vgpr or registers, sgpr, lds or shared, wg or block, maxwg. Columns
// of other names are copied, result columns that are there already replaced.
// device is used where the table has no such column; it may be nil.
func Batch(ctx context.Context, w io.Writer, r io.Reader, device *Device) error {
	b := batch{device: device, devices: map[string]*Device{}}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 1<<20), 1<<20)
	out := bufio.NewWriterSize(w, 1<<20)
	for n := 1; in.Scan(); n++ {
		line := bytes.TrimSuffix(in.Bytes(), []byte("\r"))
		if n&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var err error
		if b.cells = appendCells(b.cells[:0], line); b.keep == nil {
			err = b.header()
		} else {
			err = b.row()
		}
		if err != nil {
			return &BatchError{n, err.Error()}
		}
		b.line = append(b.line, '\n')
		if _, err := out.Write(b.line); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return err
	}
	if b.keep == nil {
		return &BatchError{1, "expected the names of the columns, found the end of the table"}
	}
	return out.Flush()
}

type batch struct {
	device  *Device
	devices map[string]*Device
	at      [numInputs]int // place of each input, -1 if absent
	keep    []int          // columns that are copied
	width   int
	vendor  Vendor
	cells   [][]byte
	line    []byte
	percent [129][129]string
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

func (b *batch) header() error {
	for i := range b.at {
		b.at[i] = -1
	}
	b.width = len(b.cells)
	result := map[string]bool{}
	for _, c := range b.cells {
		if s := string(c); s == "registers" || s == "shared" || s == "block" {
			b.vendor = NVIDIA
		}
	}
	if b.device != nil {
		b.vendor = b.device.Vendor
	}
	for _, n := range results[b.vendor] {
		result[n] = true
	}
	b.keep = []int{}
	for i, c := range b.cells {
		if in, ok := inputs[string(c)]; ok && b.at[in] < 0 {
			b.at[in] = i
		}
		if !result[string(c)] {
			b.keep = append(b.keep, i)
			b.cell(c)
		}
	}
	switch {
	case b.at[inDevice] < 0 && b.device == nil:
		return fmt.Errorf("expected a column gen or device")
	case b.at[inGroup] < 0:
		return fmt.Errorf("expected a column wg or block")
	}
	for _, n := range results[b.vendor] {
		b.cell([]byte(n))
	}
	return nil
}

// cell appends a cell to the line; the first cell begins it.
func (b *batch) cell(c []byte) {
	if len(b.line) > 0 && b.line[len(b.line)-1] == '\n' {
		b.line = b.line[:0]
	} else if len(b.line) > 0 {
		b.line = append(b.line, '\t')
	}
	b.line = append(b.line, c...)
}

func (b *batch) row() error {
	if len(b.cells) != b.width {
		return fmt.Errorf("expected %d cells, found %d", b.width, len(b.cells))
	}
	d := b.device
	if i := b.at[inDevice]; i >= 0 {
		name := b.cells[i]
		if d = b.devices[string(name)]; d == nil {
			var err error
			if d, err = Lookup(string(name)); err != nil {
				return err
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
		n, ok := parse(b.cells[i])
		if !ok {
			return fmt.Errorf("expected a whole number below 2147483648, found %q", b.cells[i])
		}
		v[in] = n
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

// shownVGPR is the number of the w_vgpr column. Where not one work-group has room
// AMD's classes give no number, and tables made with them show that of the work-
// groups before, half as large; occupancy_pct is 0 all the same.
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
