package amd

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Counters is the content of a .csv file: a row for each kernel dispatch and, in
// files from before 2011, for each transfer.
type Counters struct {
	Sheet
	base    baseColumns
	Counter []CounterColumn
}

// A CounterColumn is a column that holds a performance counter.
type CounterColumn struct {
	Name   string // as in the file, without "_pass_N"
	Pass   int    // of a merged file: which run it was counted in; else -1
	Column int
}

// baseColumns are the places of what is no counter; -1 where absent.
type baseColumns struct {
	method, order, thread, call, global, group, time, lds, vgprs, sgprs, scratch, stacks, bytes int
}

// ReadCounters reads a .csv file of performance counters.
func ReadCounters(in io.ReaderAt, size int64, name string) (*Counters, error) {
	s, p, err := readSheet(in, size, name, "the columns of a counter file: Method, ExecutionOrder, …")
	if err != nil {
		return nil, err
	}
	c := &Counters{Sheet: *s}
	if c.column("Method") < 0 {
		return nil, &FormatError{File: name, Line: c.Line - 1, Want: "a column Method", Found: quote(c.title), Err: ErrCorrupt}
	}
	c.resolve()
	c.check(p)
	c.Problems = p.done()
	return c, nil
}

// check notes rows that do not fit their columns, and cells that should be numbers or
// sizes and are none.
func (c *Counters) check(p *problems) {
	var cells []string
	for i := range c.Rows {
		var ok bool
		if cells, ok = c.Cells(cells[:0], i); !ok {
			p.add(ErrCorrupt, c.RowLine(i), 0, fmt.Sprintf("%d cells", len(c.Columns)), "%d", len(cells))
			continue
		}
		for k, cell := range cells[:min(len(cells), len(c.Columns))] {
			switch {
			case k == c.base.method:
			case k == c.base.global || k == c.base.group:
				if _, _, ok := ParseDims(cell); !ok && cell != "" && !unknown(strings.Trim(cell, "{ }")) {
					p.add(ErrCorrupt, c.RowLine(i), 0, "a size {x y z} in column "+c.Columns[k], "%s", quote(cell))
				}
			default:
				c.checkNumber(p, i, k, cell)
			}
		}
	}
}

// resolve finds the columns by their names in any version.
func (c *Counters) resolve() {
	used := map[int]bool{}
	col := func(names ...string) int {
		for i, n := range c.Columns {
			plain, _ := passOf(n)
			for _, want := range names {
				if plain == want {
					used[i] = true
				}
			}
		}
		for i, n := range c.Columns {
			plain, _ := passOf(n)
			for _, want := range names {
				if plain == want {
					return i
				}
			}
		}
		return -1
	}
	c.base = baseColumns{
		method: col("Method"), order: col("ExecutionOrder"), thread: col("ThreadID"), call: col("CallIndex"),
		global: col("GlobalWorkSize"), group: col("WorkGroupSize", "GroupWorkSize"), time: col("Time", "KernelTime"),
		lds: col("LocalMemSize", "LocalMem", "LDSSize"), vgprs: col("VGPRs", "GPR"), sgprs: col("SGPRs"),
		scratch: col("ScratchRegs", "ScratchReg"), stacks: col("FCStacks"), bytes: col("MemTransferSize"),
	}
	c.Counter = nil
	for i, n := range c.Columns {
		if !used[i] && n != "" {
			plain, pass := passOf(n)
			c.Counter = append(c.Counter, CounterColumn{plain, pass, i})
		}
	}
}

// passOf splits "Wavefronts_pass_1"; pass is -1 where there is none.
func passOf(name string) (plain string, pass int) {
	if i := strings.LastIndex(name, "_pass_"); i > 0 {
		if n, ok := number(name[i+6:]); ok && n < 1<<16 {
			return name[:i], int(n)
		}
	}
	return name, -1
}

// A Kernel is a row of a counter file without its counters. Numbers that the row
// does not have are -1 or, if floating, NaN.
type Kernel struct {
	Method    string // as written
	Name      string // of the kernel; "" for a transfer
	Device    string // that ran it, where Method says so
	ID        int    // of the kernel in its session
	Order     int64  // of execution
	Thread    int64
	CallIndex int64
	Global    [3]uint64
	Group     [3]uint64
	HasGlobal bool
	HasGroup  bool
	Time      float64 // ms
	LDS       int64   // bytes
	VGPRs     int64
	SGPRs     int64
	Scratch   int64
	Stacks    int64
	Bytes     int64 // of a transfer, which files from before 2011 list as rows
}

// Kernel takes the base cells of a row apart.
func (c *Counters) Kernel(cells []string) Kernel {
	at := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return cells[i]
	}
	whole := func(i int) int64 {
		if v, ok := number(at(i)); ok && v <= math.MaxInt64 {
			return int64(v)
		}
		return -1
	}
	b := &c.base
	k := Kernel{Method: at(b.method), ID: -1, Order: whole(b.order), Thread: whole(b.thread), CallIndex: whole(b.call),
		LDS: whole(b.lds), VGPRs: whole(b.vgprs), SGPRs: whole(b.sgprs), Scratch: whole(b.scratch),
		Stacks: whole(b.stacks), Bytes: whole(b.bytes), Time: Float(at(b.time))}
	k.Global, _, k.HasGlobal = ParseDims(at(b.global))
	k.Group, _, k.HasGroup = ParseDims(at(b.group))
	if k.Bytes >= 0 && !k.HasGlobal {
		return k // a transfer
	}
	k.splitMethod(c)
	return k
}

// splitMethod takes name, id and device from "vadd__k1_gfx9001", or, of HSA,
// from "vadd_gfx900".
func (k *Kernel) splitMethod(c *Counters) {
	k.Name = k.Method
	if i := strings.LastIndex(k.Method, "__k"); i >= 0 {
		id, device, ok := strings.Cut(k.Method[i+3:], "_")
		if n, isNumber := number(id); ok && isNumber && n < 1<<31 {
			k.Name, k.ID, k.Device = k.Method[:i], int(n), device
			return
		}
	}
	if api, _ := c.Get("API"); api == "HSA" {
		if i := strings.LastIndexByte(k.Method, '_'); i > 0 {
			k.Name, k.Device = k.Method[:i], Unescape(k.Method[i+1:])
		}
	}
	k.Name = Unescape(k.Name)
}

// Float parses a cell; NaN where it is empty, "NA" or no number. A comma may
// stand for the point.
func Float(s string) float64 {
	if s == "" {
		return math.NaN()
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return v
	}
	if strings.Count(s, ",") == 1 {
		if v, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64); err == nil {
			return v
		}
	}
	return math.NaN()
}
