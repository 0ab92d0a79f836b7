package source

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/rocm"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// What code of AMD's GPUs cost stands beside launches, not in them: thread traces and
// samples of ROCm are of instructions, whichever launch ran them.

// A codeRow is an instruction, or a source line: the sum over its instructions.
type codeRow struct {
	text, source               string
	number                     int64 // in the listing; -1: none
	address                    uint64
	hits, latency, stall, idle uint64 // of a thread trace, in cycles but for hits
	issued, stalled, plain     uint64 // samples: that issued, that stalled, of which neither is known
	lanes                      uint64 // active in all plain and other samples of a mask
	masked                     uint64 // samples with a mask
	reasons                    map[string]uint64
}

func (r *codeRow) samples() uint64 { return r.issued + r.stalled + r.plain }

func (r *codeRow) add(x *codeRow) {
	r.hits, r.latency, r.stall, r.idle = r.hits+x.hits, r.latency+x.latency, r.stall+x.stall, r.idle+x.idle
	r.issued, r.stalled, r.plain = r.issued+x.issued, r.stalled+x.stalled, r.plain+x.plain
	r.lanes, r.masked = r.lanes+x.lanes, r.masked+x.masked
	for name, n := range x.reasons {
		r.stalledFor(name, n)
	}
}

func (r *codeRow) stalledFor(reason string, n uint64) {
	if r.reasons == nil {
		r.reasons = map[string]uint64{}
	}
	r.reasons[reason] += n
}

// A codeFunction is the code of a function, or of a kernel that samples were taken of.
type codeFunction struct {
	name string
	rows []*codeRow
}

// stallReasons are what the numbers in a list of samples by reason count, as ROCprofiler
// SDK numbers the reasons for which a wave did not issue (rocprofiler-sdk/pc_sampling.h).
var stallReasons = []string{"none", "no instruction available", "ALU dependency", "waitcnt", "internal instruction", "barrier wait", "arbiter not won",
	"arbiter won, execution stalled", "other wait", "sleep wait"}

// reasonOf is a reason in words, as it is called in files.
func reasonOf(name string) string {
	short := strings.TrimPrefix(name, "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_")
	words := strings.ReplaceAll(strings.ToLower(short), "_", " ")
	switch words {
	case "alu dependency":
		return "ALU dependency"
	case "arbiter not win":
		return "arbiter not won"
	case "arbiter win ex stall":
		return "arbiter won, execution stalled"
	}
	return words
}

// listed are the functions of thread traces and listings with samples.
func listed(s *rocm.Session) []*codeFunction {
	var out []*codeFunction
	for i := range s.Code {
		x := &s.Code[i]
		if name, ok := strings.CutPrefix(x.Text, "; "); ok {
			out = append(out, &codeFunction{name: cmp.Or(x.Source, name)})
			continue
		}
		if len(out) == 0 {
			out = append(out, &codeFunction{})
		}
		r := &codeRow{text: x.Text, source: x.Source, number: x.Line, address: x.Address, hits: x.Hits, latency: x.Latency, stall: x.Stall, idle: x.Idle,
			issued: x.Issued, stalled: x.Stalled}
		var counts []uint64
		if x.Reasons != "" && json.Unmarshal([]byte(x.Reasons), &counts) == nil {
			for k, n := range counts {
				if n > 0 && k < len(stallReasons) {
					r.stalledFor(stallReasons[k], n)
				} else if n > 0 {
					r.stalledFor("reason "+strconv.Itoa(k), n)
				}
			}
		}
		f := out[len(out)-1]
		f.rows = append(f.rows, r)
	}
	return once(out)
}

// once leaves out functions that two files of a folder tell of.
func once(all []*codeFunction) []*codeFunction {
	type key struct {
		rows             int
		address, latency uint64
	}
	known := map[key][]*codeFunction{}
	var out []*codeFunction
	for _, f := range all {
		k := key{rows: len(f.rows)}
		for i, r := range f.rows {
			if k.latency += r.latency; i == 0 {
				k.address = r.address
			}
		}
		if !slices.ContainsFunc(known[k], f.same) {
			known[k] = append(known[k], f)
			out = append(out, f)
		}
	}
	return out
}

// same reports whether two functions are one that two files of a folder tell of: the
// table that a thread trace comes with, and its listing.
func (f *codeFunction) same(x *codeFunction) bool {
	return slices.EqualFunc(f.rows, x.rows, func(a, b *codeRow) bool {
		return a.text == b.text && a.address == b.address && a.hits == b.hits && a.latency == b.latency && a.stall == b.stall && a.idle == b.idle && a.samples() == b.samples()
	})
}

// sampled are the kernels that samples were taken of, with a row for each instruction and
// line: addresses are not in these files.
func sampled(s *rocm.Session) []*codeFunction {
	type launch struct {
		process  int
		dispatch uint64
	}
	kernels := map[launch]string{}
	for i := range s.Dispatches {
		kernels[launch{s.Dispatches[i].Process, s.Dispatches[i].ID}] = s.Dispatches[i].Kernel
	}
	type place struct{ kernel, text, source string }
	known, rows := map[string]*codeFunction{}, map[place]*codeRow{}
	var out []*codeFunction
	for i := range s.Samples {
		x := &s.Samples[i]
		k := place{kernels[launch{x.Process, x.Dispatch}], x.Instruction, x.Source}
		f := known[k.kernel]
		if f == nil {
			f = &codeFunction{name: k.kernel}
			known[k.kernel] = f
			out = append(out, f)
		}
		r := rows[k]
		if r == nil {
			r = &codeRow{text: x.Instruction, source: x.Source, number: -1}
			rows[k] = r
			f.rows = append(f.rows, r)
		}
		switch {
		case x.Stall != "" && !x.Issued:
			r.stalled++
			r.stalledFor(reasonOf(x.Stall), 1)
		case x.Type != "":
			r.issued++
		default: // a sample of the host trap tells neither
			r.plain++
		}
		if x.Exec != 0 {
			r.lanes += uint64(bits.OnesCount64(x.Exec))
			r.masked++
		}
	}
	return out
}

// lines adds the rows of a function up by source line.
func (f *codeFunction) lines() []*codeRow {
	var out []*codeRow
	of := map[string]*codeRow{}
	for _, r := range f.rows {
		l := of[r.source]
		if l == nil {
			l = &codeRow{source: r.source, number: -1}
			of[r.source] = l
			out = append(out, l)
		}
		l.add(r)
	}
	slices.SortStableFunc(out, func(a, b *codeRow) int {
		fileA, lineA := splitPlace(a.source)
		fileB, lineB := splitPlace(b.source)
		return cmp.Or(cmp.Compare(fileA, fileB), cmp.Compare(lineA, lineB))
	})
	return out
}

// splitPlace takes FILE:LINE apart; line is 0 where there is none.
func splitPlace(s string) (file string, line int) {
	if i := strings.LastIndexByte(s, ':'); i > 0 {
		if n, err := strconv.Atoi(s[i+1:]); err == nil {
			return s[:i], n
		}
	}
	return s, 0
}

// A codeColumn is a column of numbers of the tables.
type codeColumn struct {
	name, label string
	role        view.Role
	cell        func(r *codeRow) view.Value
	of          func(r *codeRow) uint64 // to sort by, and to tell whether there is any
}

func codeColumns() []codeColumn {
	count := func(name, label string, role view.Role, of func(r *codeRow) uint64) codeColumn {
		return codeColumn{name, label, role, func(r *codeRow) view.Value { return view.Uint(of(r), "") }, of}
	}
	return []codeColumn{
		count("samples", "Samples", view.RoleSamples, (*codeRow).samples),
		count("issued", "Issued", view.RoleMeasure, func(r *codeRow) uint64 { return r.issued }),
		count("stalled", "Stalled", view.RoleMeasure, func(r *codeRow) uint64 { return r.stalled }),
		{"lanes", "Lanes", view.RoleMeasure, func(r *codeRow) view.Value {
			if r.masked == 0 {
				return view.Null
			}
			return view.Float(float64(r.lanes)/float64(r.masked), "")
		}, func(r *codeRow) uint64 { return r.lanes }},
		count("hits", "Hits", view.RoleMeasure, func(r *codeRow) uint64 { return r.hits }),
		count("latency", "Latency (cycles)", view.RoleMeasure, func(r *codeRow) uint64 { return r.latency }),
		count("stall", "Stall (cycles)", view.RoleMeasure, func(r *codeRow) uint64 { return r.stall }),
		count("idle", "Idle (cycles)", view.RoleMeasure, func(r *codeRow) uint64 { return r.idle }),
	}
}

// An amdCode builds the tables of a file.
type amdCode struct {
	q      *page.Request
	files  *source.Files
	sorted bool
}

// sections are the functions of a file, those in which nothing happened left out.
func (b *amdCode) sections(f *load.File) []view.Section {
	var out []view.Section
	lines, instructions := strings.HasPrefix(b.q.Text("print-source"), "cuda"), strings.HasSuffix(b.q.Text("print-source"), "sass")
	idle := 0
	for i, fn := range append(listed(f.ROCm), sampled(f.ROCm)...) {
		var used []codeColumn
		for _, c := range codeColumns() {
			if slices.ContainsFunc(fn.rows, func(r *codeRow) bool { return c.of(r) > 0 }) {
				used = append(used, c)
			}
		}
		if len(used) == 0 {
			idle++
			continue
		}
		s := view.Section{ID: fmt.Sprintf("code-%d", i), Title: cmp.Or(fn.name, "Instructions")}
		if lines {
			s.AddTable(b.table("lines", fn.lines(), used, true))
		}
		if instructions {
			s.AddTable(b.table("instructions", fn.rows, used, false))
		}
		out = append(out, s)
	}
	if idle > 0 {
		b.q.Notef("%s: nothing was measured in %d of the functions, which are left out", f.Name, idle)
	}
	return out
}

func (b *amdCode) table(id string, rows []*codeRow, used []codeColumn, lines bool) *view.Table {
	rows = b.chosen(rows, used)
	any := func(has func(r *codeRow) bool) view.Audience { return view.EveryoneIf(slices.ContainsFunc(rows, has)) }
	t := &view.Table{ID: id, Layout: &view.Layout{Ragged: true}, Columns: []view.Column{
		{Name: "number", Label: "#", Type: view.Number, Role: view.RoleOrder, For: any(func(r *codeRow) bool { return r.number >= 0 })},
		{Name: "address", Label: "Address", Type: view.Number, Role: view.RoleAddress, For: any(func(r *codeRow) bool { return r.address > 0 })}}}
	if lines {
		t.Columns = nil
	}
	for _, c := range used {
		t.Columns = append(t.Columns, view.Column{Name: c.name, Label: c.label, Type: view.Number, Role: c.role})
	}
	t.Columns = append(t.Columns, view.Column{Name: "stalls", Label: "Stalls", Type: view.Text, MaxWidth: 40, For: any(func(r *codeRow) bool { return len(r.reasons) > 0 })})
	code := view.Column{Name: "code", Label: "Code", Type: view.Text, Role: view.RoleCode, MaxWidth: 60}
	if lines {
		code.For = any(func(r *codeRow) bool { return b.lineText(r) != "" })
	}
	t.Columns = append(t.Columns, code,
		view.Column{Name: "place", Label: "Line", Type: view.Text, MaxWidth: 60, Break: true, For: any(func(r *codeRow) bool { return r.source != "" })})
	for _, r := range rows {
		var cells []view.Value
		if !lines {
			number := view.Null
			if r.number >= 0 {
				number = view.Int(r.number, "")
			}
			cells = append(cells, number, view.Hex(r.address))
		}
		for _, c := range used {
			cells = append(cells, c.cell(r))
		}
		text := r.text
		if lines {
			text = b.lineText(r)
		}
		t.Rows = append(t.Rows, append(cells, view.String(stallWords(r.reasons)), view.String(text), view.String(r.source)))
	}
	return t
}

// lineText is the text of a source line, where it is at hand.
func (b *amdCode) lineText(r *codeRow) string {
	file, line := splitPlace(r.source)
	if line == 0 {
		return ""
	}
	text, lost := b.files.Line(noCode, file, line)
	if lost != "" {
		return ""
	}
	return strings.TrimSpace(source.Printable(text))
}

// noCode stands for a program that has no sources in it.
var noCode = &profile.Code{}

// chosen are the rows in the order of --sort, as many as --limit says.
func (b *amdCode) chosen(rows []*codeRow, used []codeColumn) []*codeRow {
	by := b.q.Text("sort")
	for _, c := range used {
		if by == "hot" && (c.name == "samples" || c.name == "latency") || strings.EqualFold(by, c.name) || strings.EqualFold(by, c.label) {
			b.sorted = true
			rows = slices.Clone(rows)
			slices.SortStableFunc(rows, func(x, y *codeRow) int { return cmp.Compare(c.of(y), c.of(x)) })
			break
		}
	}
	if n := b.q.Count("limit"); n > 0 && n < len(rows) {
		rows = rows[:n]
	}
	return rows
}

// stallWords names the reasons for which most samples stalled.
func stallWords(reasons map[string]uint64) string {
	names := make([]string, 0, len(reasons))
	for name := range reasons {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(reasons[b], reasons[a]), cmp.Compare(a, b)) })
	var parts []string
	for _, name := range names[:min(len(names), mostStalls)] {
		parts = append(parts, fmt.Sprintf("%s %d", name, reasons[name]))
	}
	return strings.Join(parts, ", ")
}

// amdSource makes the page of files that tell of code beside launches.
func amdSource(ctx context.Context, q *page.Request) (*view.Document, error) {
	if q.Text("print-source") == "ptx" {
		return nil, page.Usagef("--print-source ptx: programs of AMD's GPUs have no PTX")
	}
	b := &amdCode{q: q, files: source.NewFiles(q.List("resolve-source-file"))}
	d := &view.Document{Title: "source"}
	for _, f := range q.Files {
		sections := []view.Section(nil)
		if f.AMD != nil {
			s, err := b.calls(ctx, f)
			if err != nil {
				return nil, err
			}
			sections = append(sections, s)
		} else {
			sections = b.sections(f)
		}
		if len(q.Files) > 1 {
			sections = []view.Section{{ID: f.Name, Title: f.Name, Sections: sections}}
		}
		d.Sections = append(d.Sections, sections...)
	}
	if by := q.Text("sort"); by != "" && !b.sorted && len(d.Sections) > 0 {
		return nil, page.Usagef("--sort: there is no column %q", by)
	}
	return d, nil
}
