package source

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// Hot is the page hot.
var Hot = &page.Page{
	Name:  "hot",
	Title: "Hot Spots",
	Short: "Show the source lines and instructions that cost most, and what they wait for",
	Long: `The lines with most warp stall samples, or, where none were taken, with most
executions; then the instructions. --at shows one place in place of the hottest:
FILE:LINE, where FILE is the end of its path, or the address of an instruction,
with the instructions around it. Stalls are samples by reason, the most first.`,
	Example: "gpuprof hot report.ncu-rep\ngpuprof hot -k sgemm --at kernel.cu:74 --around 4 report.ncu-rep",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Needs: load.Launches,
	Options: slices.Concat([]page.Option{
		{Name: "top", Remote: true, Kind: page.Count, Default: "10", Arg: "N", Help: "at most N lines and N instructions of each launch"},
		{Name: "at", Remote: true, Kind: page.Text, Arg: "PLACE", Help: "FILE:LINE or 0xADDRESS"},
		{Name: "around", Remote: true, Kind: page.Count, Default: "3", Arg: "N", Help: "with --at: show N instructions before and behind"},
		{Name: "resolve-source-file", Kind: page.List, Arg: "FILE,...",
			Help: "read the text of source lines from these files; in a folder the recorded path is looked for, from its end"},
	}, page.KernelOptions),
	Build: buildHot,
}

func buildHot(ctx context.Context, q *page.Request) (*view.Document, error) {
	launches, err := page.SelectLaunches(q)
	if err != nil {
		return nil, err
	}
	where, err := parsePlace(q.Text("at"))
	if err != nil {
		return nil, err
	}
	b := &hotBuilder{where: where, sourceBuilder: sourceBuilder{Request: q, ctx: ctx, rocm: ofROCm(q.Files),
		files: source.NewFiles(q.List("resolve-source-file")), sass: source.NewDisassembler("")}}
	d := &view.Document{Title: "hot"}
	for i, l := range launches {
		q.Progress(i, len(launches))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := l.Heading()
		if b.tables(&s, b.listing(l)); where.given && len(s.Items) == 0 {
			continue
		}
		d.Sections = append(d.Sections, s)
	}
	slices.Sort(b.places)
	b.places = slices.Compact(b.places)
	if where.given && !b.found && len(launches) > 0 {
		return nil, page.Usagef("--at: no launch has code at %q%s", q.Text("at"), spelling.Nearest(q.Text("at"), b.places))
	}
	return d, nil
}

// A hotPlace is what --at names.
type hotPlace struct {
	given bool
	pc    uint64 // 0: a line
	file  string
	line  int
}

func parsePlace(s string) (p hotPlace, err error) {
	if s == "" {
		return p, nil
	}
	if hex, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		p.pc, err = strconv.ParseUint(hex, 16, 64)
	} else {
		i := strings.LastIndexByte(s, ':')
		p.file = s[:max(i, 0)]
		p.line, err = strconv.Atoi(s[i+1:])
	}
	if err != nil || p.pc == 0 && (p.file == "" || p.line <= 0) {
		return p, page.Usagef("--at: %q; expected FILE:LINE or the address of an instruction, 0x...", s)
	}
	p.given = true
	return p, nil
}

// takes reports whether a line is the one that is asked for.
func (p *hotPlace) takes(k lineKey) bool {
	file := strings.ReplaceAll(k.file, `\`, "/")
	return k.line == p.line && (file == p.file || strings.HasSuffix(file, "/"+p.file))
}

// A hotBuilder builds the page.
type hotBuilder struct {
	sourceBuilder
	where  hotPlace
	found  bool     // some launch has the place
	places []string // that there are, for a message
}

// A hotRow is a line or an instruction with the instructions that it is made of.
type hotRow struct {
	key    lineKey
	number int // of an instruction; -1 for lines
	rows   []int32
	cost   uint64
}

func (b *hotBuilder) tables(s *view.Section, l *source.Listing) {
	cost := l.Samples
	if cost == nil || cost.Sum(all(l)) == 0 {
		cost = l.Issued
	}
	if cost == nil && !b.where.given {
		collect := "collect the section SourceCounters"
		if b.rocm {
			collect = rocmCode
		}
		s.AddMessage(&view.Message{Type: view.None, Source: "hot", Text: "Neither samples nor executions of instructions were measured: " + collect + "."})
	}
	if cost == nil {
		return
	}
	var lines []hotRow
	if l.Code.Lines != nil {
		for k, rows := range lineRows(l, l.Code.Lines) {
			if k.line > 0 {
				lines = append(lines, hotRow{k, -1, rows, cost.Sum(rows)})
				b.places = append(b.places, fmt.Sprintf("%s:%d", path.Base(strings.ReplaceAll(k.file, `\`, "/")), k.line))
			}
		}
	}
	instructions := make([]hotRow, len(l.PCs))
	for i := range l.PCs {
		instructions[i] = hotRow{b.lineOf(l, l.PCs[i]), i, l.One(i), cost.Sum(l.One(i))}
	}
	if b.where.given {
		lines, instructions = b.around(l, lines, instructions)
	} else {
		lines, instructions = b.hottest(lines), b.hottest(instructions)
	}
	if len(lines) > 0 {
		s.AddTable(b.hotTable(l, "lines", "Lines", lines))
	}
	if len(instructions) > 0 {
		s.AddTable(b.hotTable(l, "instructions", "Instructions", instructions))
	}
}

// all are the rows of all instructions.
func all(l *source.Listing) []int32 {
	out := make([]int32, len(l.PCs))
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// lineOf is the first line that the table has for an instruction.
func (b *hotBuilder) lineOf(l *source.Listing, pc uint64) lineKey {
	if l.Code.Lines == nil {
		return lineKey{}
	}
	at := l.Code.Lines.At(pc)
	if len(at) == 0 {
		return lineKey{}
	}
	return lineKey{at[0].File, at[0].Line}
}

// hottest are the rows that cost most, as many as are asked for.
func (b *hotBuilder) hottest(rows []hotRow) []hotRow {
	rows = slices.DeleteFunc(rows, func(r hotRow) bool { return r.cost == 0 })
	slices.SortFunc(rows, func(x, y hotRow) int {
		return cmp.Or(cmp.Compare(y.cost, x.cost), cmp.Compare(x.number, y.number), cmp.Compare(x.key.file, y.key.file), cmp.Compare(x.key.line, y.key.line))
	})
	return rows[:min(b.Count("top"), len(rows))]
}

// around are the lines that are asked for, and the instructions of these, or the
// one that is asked for, with those before and behind.
func (b *hotBuilder) around(l *source.Listing, lines, instructions []hotRow) (_, _ []hotRow) {
	wanted := map[int]bool{}
	near := func(i int) {
		for k := max(0, i-b.Count("around")); k <= min(len(instructions)-1, i+b.Count("around")); k++ {
			wanted[k] = true
		}
	}
	lines = slices.DeleteFunc(lines, func(r hotRow) bool { return b.where.pc != 0 || !b.where.takes(r.key) })
	slices.SortFunc(lines, func(x, y hotRow) int { return cmp.Compare(x.key.file, y.key.file) })
	for _, r := range lines {
		for _, i := range r.rows {
			near(int(i))
		}
	}
	for i, pc := range l.PCs {
		if b.where.pc != 0 && pc == b.where.pc {
			near(i)
		}
	}
	b.found = b.found || len(wanted) > 0
	var out []hotRow
	for i := range instructions {
		if wanted[i] {
			out = append(out, instructions[i])
		}
	}
	return lines, out
}

// mostStalls is how many reasons of a row are named.
const mostStalls = 3

func (b *hotBuilder) hotTable(l *source.Listing, id, title string, rows []hotRow) *view.Table {
	instructions := id == "instructions"
	t := &view.Table{ID: id, Title: title, Layout: &view.Layout{Ragged: true}}
	add := func(c view.Column) { t.Columns = append(t.Columns, c) }
	if instructions {
		add(view.Column{Name: "number", Label: "#", Type: view.Number, Role: view.RoleOrder})
		add(view.Column{Name: "address", Label: "Address", Type: view.Number, Role: view.RoleAddress})
	}
	place := view.Role(view.RoleLine)
	if instructions {
		place = ""
	}
	add(view.Column{Name: "place", Label: "Line", Type: view.Text, Role: place})
	add(view.Column{Name: "samples", Label: "Samples", Type: view.Number, Role: view.RoleSamples, For: view.EveryoneIf(l.Samples != nil)})
	add(view.Column{Name: "share", Label: "%", Unit: "%", Type: view.Number, Number: &view.NumberStyle{Decimals: 1}, Role: view.RoleShare, For: view.EveryoneIf(l.Samples != nil)})
	add(view.Column{Name: "executed", Label: "Executed", Type: view.Number, Role: view.RoleMeasure, For: view.EveryoneIf(l.Issued != nil)})
	add(view.Column{Name: "stalls", Label: "Stalls", Type: view.Text, MaxWidth: 40, For: view.EveryoneIf(len(l.Stalls) > 0)})
	if instructions {
		add(view.Column{Name: "waits", Label: "Waits For", Type: view.Text})
	}
	add(view.Column{Name: "code", Label: "Code", Type: view.Text, Role: view.RoleCode, MaxWidth: 60})
	for _, r := range rows {
		var cells []view.Value
		where := view.Null
		if r.key.line > 0 {
			where = view.String(fmt.Sprintf("%s:%d", path.Base(strings.ReplaceAll(r.key.file, `\`, "/")), r.key.line))
		}
		code := view.Null
		if instructions {
			cells = append(cells, view.Uint(uint64(r.number), ""), view.Hex(l.PCs[r.number]))
			if text := b.sass.Text(b.ctx, b.Notef, l.Code, l.PCs[r.number]); text != "" {
				code = view.String(source.Plain(text))
			}
		} else if text, lost := b.files.Line(l.Code, r.key.file, r.key.line); lost == "" {
			code = view.String(strings.TrimSpace(source.Printable(text)))
		}
		samples, share, executed := view.Null, view.Null, view.Null
		if l.Samples != nil {
			n := l.Samples.Sum(r.rows)
			samples = view.Uint(n, "")
			if l.Total > 0 {
				share = view.Float(100*float64(n)/float64(l.Total), "%")
			}
		}
		if l.Issued != nil {
			executed = view.Uint(l.Issued.Sum(r.rows), "")
		}
		t.Rows = append(t.Rows, append(cells, where, samples, share, executed, view.String(stallText(l, r.rows))))
		if instructions {
			t.Rows[len(t.Rows)-1] = append(t.Rows[len(t.Rows)-1], view.String(b.waitsText(l, l.PCs[r.number], 0)))
		}
		t.Rows[len(t.Rows)-1] = append(t.Rows[len(t.Rows)-1], code)
	}
	return t
}

// stallText names the reasons for which most samples stalled, with their numbers.
func stallText(l *source.Listing, rows []int32) string {
	type reason struct {
		label string
		n     uint64
	}
	var all []reason
	for i := range l.Stalls {
		if n := l.Stalls[i].Sum(rows); n > 0 {
			all = append(all, reason{l.Stalls[i].Metric.Label, n})
		}
	}
	slices.SortStableFunc(all, func(x, y reason) int { return cmp.Compare(y.n, x.n) })
	var parts []string
	for _, r := range all[:min(len(all), mostStalls)] {
		parts = append(parts, fmt.Sprintf("%s %d", r.label, r.n))
	}
	return strings.Join(parts, ", ")
}
