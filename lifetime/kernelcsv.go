package lifetime

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// KernelRow is a row of GainSight's kernel table (.sim.csv): times in us,
// frequencies in MHz, the totals in GHz, sizes in bytes. NaN is an empty cell.
type KernelRow struct {
	ID     int64
	Name   string
	L1, L2 LevelRow
	// The totals are the sums of the two levels' frequencies. They add the rate of
	// one SM and that of one slice, and are kept since readers expect them.
	TotalReadGHz, TotalWriteGHz float64
	Cycles                      int64
}

// LevelRow is the part of a KernelRow that describes one level.
type LevelRow struct {
	MeanUS, MedianUS, P90US, MaxUS float64
	ReadMHz, WriteMHz              float64
	Utilization                    float64
	Size                           int64
	Unique                         int64
}

// KernelColumns are the 23 columns of the kernel table, in order.
var KernelColumns = []string{
	"Kernel ID", "Mangled Names",
	"L1 Lifetime", "L1 Lifetime Median", "L1 Lifetime 90%-tile", "L1 Lifetime Max",
	"L2 Lifetime", "L2 Lifetime Median", "L2 Lifetime 90%-tile", "L2 Lifetime Max",
	"L1 Read Frequency", "L1 Write Frequency", "L2 Read Frequency", "L2 Write Frequency",
	"L1 Utilization", "L1 Size", "L1 Unique Addresses", "L2 Utilization", "L2 Size", "L2 Unique Addresses",
	"Total Read Frequency", "Total Write Frequency", "Total Cycles",
}

// kernelRow computes the table's row for a kernel.
func (m *Machine) kernelRow(r *KernelResult) KernelRow {
	row := KernelRow{ID: r.Kernel.ID, Name: r.Kernel.Name, Cycles: r.Cycles}
	row.L1, row.L2 = m.levelRow(r, "L1D"), m.levelRow(r, "L2")
	// Accesses are summed before they become a rate: the guide's last digits tell.
	var reads, writes float64
	for _, name := range []string{"L1D", "L2"} {
		if l := r.level(name); l != nil {
			reads += float64(l.reads()) / m.share(l)
			writes += float64(l.Stores) / m.share(l)
		}
	}
	row.TotalReadGHz, row.TotalWriteGHz = m.gHz(reads, r.Cycles), m.gHz(writes, r.Cycles)
	return row
}

func (m *Machine) levelRow(r *KernelResult, name string) LevelRow {
	nan := math.NaN()
	row := LevelRow{MeanUS: nan, MedianUS: nan, P90US: nan, MaxUS: nan, Size: m.size(name, r.Kernel.L1Bytes)}
	l := r.level(name)
	if l == nil {
		return row
	}
	if d := l.Lifetimes; d.N() > 0 {
		row.MeanUS, row.MedianUS, row.P90US, row.MaxUS = m.US(d.Mean()), m.US(d.Quantile(0.5)), m.US(d.Quantile(0.9)), m.US(float64(d.Max()))
	}
	by := m.share(l)
	row.ReadMHz, row.WriteMHz = m.MHz(float64(l.reads())/by, r.Cycles), m.MHz(float64(l.Stores)/by, r.Cycles)
	row.Unique = l.Unique
	row.Size *= int64(max(len(l.Units), 1)) // of all units that were logged, as Unique is
	row.Utilization = m.utilization(l, r.Kernel)
	return row
}

func (k *KernelRow) cells() []string {
	f, i := pythonFloat, func(n int64) string { return strconv.FormatInt(n, 10) }
	return []string{
		i(k.ID), k.Name,
		f(k.L1.MeanUS), f(k.L1.MedianUS), f(k.L1.P90US), f(k.L1.MaxUS),
		f(k.L2.MeanUS), f(k.L2.MedianUS), f(k.L2.P90US), f(k.L2.MaxUS),
		f(k.L1.ReadMHz), f(k.L1.WriteMHz), f(k.L2.ReadMHz), f(k.L2.WriteMHz),
		f(k.L1.Utilization), i(k.L1.Size), i(k.L1.Unique), f(k.L2.Utilization), i(k.L2.Size), i(k.L2.Unique),
		f(k.TotalReadGHz), f(k.TotalWriteGHz), i(k.Cycles),
	}
}

// WriteKernelCSV writes the kernel table.
func WriteKernelCSV(w io.Writer, rows []KernelRow) error {
	c := csv.NewWriter(w)
	c.Write(KernelColumns)
	for i := range rows {
		c.Write(rows[i].cells())
	}
	c.Flush()
	return c.Error()
}

// ReadKernelCSV reads a kernel table, ours or GainSight's: columns are found by
// name, unknown ones are ignored, missing numbers are NaN or 0. An error that comes with
// rows is about others, which are left out.
func ReadKernelCSV(r io.Reader, name string) ([]KernelRow, error) {
	c := csv.NewReader(bufio.NewReader(r))
	c.ReuseRecord = true
	c.FieldsPerRecord = -1
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: reading the header of a kernel table: %w", name, err)
	}
	at := map[string]int{}
	for i, h := range head {
		at[strings.TrimSpace(strings.TrimPrefix(h, "\ufeff"))] = i
	}
	for _, need := range []string{"Kernel ID", "Total Cycles"} {
		if _, ok := at[need]; !ok {
			return nil, fmt.Errorf("%s:1: no column %q: this is no kernel table (.sim.csv)", name, need)
		}
	}
	var rows []KernelRow
	var first error // of what is wrong with rows, which are left out
	wrong := 0
	for {
		rec, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var parse *csv.ParseError
		if err != nil && !errors.As(err, &parse) {
			return rows, fmt.Errorf("%s: %w", name, err)
		}
		row, found := kernelRowOf(rec, at, len(head), err)
		if found == "" {
			rows = append(rows, row)
			continue
		}
		if wrong++; first == nil {
			line, _ := c.FieldPos(0)
			first = fmt.Errorf("%s:%d: %s: the row is left out", name, line, found)
		}
	}
	if wrong > 1 {
		first = fmt.Errorf("%w (and %d more like it)", first, wrong-1)
	}
	return rows, first
}

// kernelRowOf makes a row of the cells of a record; found is what is wrong with them.
func kernelRowOf(rec []string, at map[string]int, columns int, err error) (row KernelRow, found string) {
	switch {
	case err != nil:
		return row, err.Error()
	case len(rec) < columns:
		return row, fmt.Sprintf("expected %d cells, found %d", columns, len(rec))
	}
	p := cellReader{rec: rec, at: at}
	row = KernelRow{ID: p.int("Kernel ID"), Name: p.text("Mangled Names"), L1: p.level("L1"), L2: p.level("L2"),
		TotalReadGHz: p.float("Total Read Frequency"), TotalWriteGHz: p.float("Total Write Frequency"), Cycles: p.int("Total Cycles")}
	if p.bad != "" {
		return row, fmt.Sprintf("column %q: %q is no number", p.bad, p.text(p.bad))
	}
	return row, ""
}

// cellReader takes the cells of one record by column name.
type cellReader struct {
	rec []string
	at  map[string]int
	bad string // first column whose cell is no number
}

func (p *cellReader) text(column string) string {
	if i, ok := p.at[column]; ok && i < len(p.rec) {
		return strings.TrimSpace(p.rec[i])
	}
	return ""
}

func (p *cellReader) float(column string) float64 {
	s := p.text(column)
	if s == "" {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && p.bad == "" {
		p.bad = column
	}
	return v
}

// int takes whole numbers also where pandas has written them as floats.
func (p *cellReader) int(column string) int64 {
	v := p.float(column)
	if math.IsNaN(v) || math.Abs(v) > 1<<62 {
		return 0
	}
	return int64(v)
}

func (p *cellReader) level(l string) LevelRow {
	return LevelRow{MeanUS: p.float(l + " Lifetime"), MedianUS: p.float(l + " Lifetime Median"), P90US: p.float(l + " Lifetime 90%-tile"), MaxUS: p.float(l + " Lifetime Max"),
		ReadMHz: p.float(l + " Read Frequency"), WriteMHz: p.float(l + " Write Frequency"),
		Utilization: p.float(l + " Utilization"), Size: p.int(l + " Size"), Unique: p.int(l + " Unique Addresses")}
}
