package source

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/flow"
	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// programOptions choose what of a file is shown.
var programOptions = []page.Option{
	{Name: "kernel", Kind: page.List, Arg: "NAME", NoComma: true,
		Help: "only the functions of this name, mangled or not, or with regex:EXPR those in whose name EXPR is found"},
	{Name: "sm", Kind: page.Count, Arg: "N", Default: "0", Help: "only programs for this architecture, as 80; 0: all"},
}

// Program is the page of the instructions of a binary.
var Program = &page.Page{
	Name:  "sass",
	Title: "SASS",
	Short: "Show the instructions of a CUDA binary",
	Long: `The file is a cubin, a fat binary, or an executable, object or library for Linux that
holds CUDA code; a report shows the programs that it carries. Each instruction comes
with what it tells the scheduler, the number of live registers, and the instructions
that it waits for: those that may have set a scoreboard that it waits on. Addresses
count from the start of the function.

--diff compares functions of one name. Two instructions are the same if they differ in
the numbers of registers and the targets of branches only: compilers choose these
anew whenever anything changes.

Control bits read: scoreboards waited for, read barrier, write barrier, yield, stall
cycles. Instructions of Volta to Hopper are known; others are shown as hex, and those
few that are unlike all that were learned from. For GPUs after Hopper the control bits
are unverified.`,
	Example: `gpuprof sass kernel.cubin
gpuprof sass --kernel regex:gemm --sm 80 ./app
gpuprof sass --diff old.cubin new.cubin
gpuprof sass --kernel add --cfg dot kernel.cubin | dot -Tsvg -o add.svg`,
	Group: page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Needs: load.Programs | load.Launches,
	Options: slices.Concat([]page.Option{
		{Name: "cfg", Kind: page.Choice, Values: []string{"dot"}, Help: "print the graph of blocks, in the language of Graphviz"},
		{Name: "mix", Kind: page.Flag, Help: "count the instructions of each class, show none"},
		{Name: "diff", Kind: page.Flag, Help: "compare the functions of two files, the old one and the new one: instructions removed and added"},
	}, programOptions),
	Build: func(ctx context.Context, q *page.Request) (*view.Document, error) {
		return buildProgram(ctx, q, q.Whole())
	},
	CSV:     func(ctx context.Context, q *page.Request) (*view.Document, error) { return buildProgram(ctx, q, true) },
	Stream:  streamGraph,
	Streams: func(q *page.Request) bool { return q.Text("cfg") != "" },
}

// A shownFunction is a function that the request asks for.
type shownFunction struct {
	*profile.Function
	arch  int
	title string
}

// functions yields the functions that q asks for, in the order of the files.
func functions(ctx context.Context, q *page.Request) ([]shownFunction, error) {
	var out []shownFunction
	for _, f := range q.Files {
		fns, err := functionsOf(ctx, q, f)
		if err != nil {
			return nil, err
		}
		out = append(out, fns...)
	}
	return out, lacking(q, q.Files, len(out))
}

// lacking is the error where --kernel names no function of the files.
func lacking(q *page.Request, files []*load.File, found int) error {
	if found > 0 || len(q.List("kernel")) == 0 {
		return nil
	}
	var names []string
	for _, f := range files {
		codes, err := codesOf(context.Background(), q, f)
		if err != nil {
			return err
		}
		for _, c := range codes {
			for i := range c.Functions {
				base, _, _ := strings.Cut(c.Functions[i].Demangled, "(")
				names = append(names, c.Functions[i].Name, base)
			}
		}
	}
	slices.Sort(names)
	wanted := q.List("kernel")[0]
	return page.Usagef("--kernel: no function is called %q%s", wanted, spelling.Nearest(wanted, slices.Compact(names)))
}

// functionsOf are those of one file.
func functionsOf(ctx context.Context, q *page.Request, f *load.File) ([]shownFunction, error) {
	match, err := nameMatcher(q.List("kernel"))
	if err != nil {
		return nil, err
	}
	codes, err := codesOf(ctx, q, f)
	if err != nil {
		return nil, err
	}
	var out []shownFunction
	for _, c := range codes {
		if n := q.Count("sm"); n > 0 && c.Arch != n {
			continue
		}
		for i := range c.Functions {
			fn := &c.Functions[i]
			if !match(fn) {
				continue
			}
			name := fn.Demangled
			if name == "" {
				name = fn.Name
			}
			out = append(out, shownFunction{fn, c.Arch, fmt.Sprintf("%s (sm_%d)", source.Printable(name), c.Arch)})
		}
	}
	return out, nil
}

// codesOf are the programs of a file: of a binary, or those that the launches of a
// report ran.
func codesOf(ctx context.Context, q *page.Request, f *load.File) ([]*profile.Code, error) {
	var out []*profile.Code
	if f.Report != nil {
		seen := map[string]bool{}
		for _, r := range f.Report.Ranges {
			for _, a := range r.Actions {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				c, err := a.Code()
				q.Damage(err)
				if c != nil && len(c.Functions) > 0 && !seen[programKey(c)] {
					seen[programKey(c)] = true
					out = append(out, c)
				}
			}
		}
		return out, nil
	}
	if f.Programs == nil {
		return nil, page.Usagef("%s: expected a CUDA binary or a report of Nsight Compute, found %s", f.Name, f.Format)
	}
	for _, p := range f.Programs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p.PTX || q.Count("sm") > 0 && p.SM > 0 && p.SM != q.Count("sm") {
			continue
		}
		c, err := p.Code()
		q.Damage(err)
		if c != nil {
			out = append(out, c)
		}
	}
	return out, nil
}

// programKey tells the programs of a report apart: launches share them.
func programKey(c *profile.Code) string {
	return fmt.Sprintf("%d %d %d %s %x", c.Arch, len(c.Binary), len(c.Functions), c.Functions[0].Name, c.Functions[0].Address)
}

// nameMatcher makes a match of the names that --kernel gives.
func nameMatcher(names []string) (func(*profile.Function) bool, error) {
	if len(names) == 0 {
		return func(*profile.Function) bool { return true }, nil
	}
	var exprs []*regexp.Regexp
	for _, n := range names {
		if e, ok := strings.CutPrefix(n, "regex:"); ok {
			x, err := regexp.Compile(e)
			if err != nil {
				return nil, page.Usagef("--kernel: %v", err)
			}
			exprs = append(exprs, x)
		}
	}
	return func(f *profile.Function) bool {
		base, _, _ := strings.Cut(f.Demangled, "(")
		return slices.Contains(names, f.Name) || f.Demangled != "" && (slices.Contains(names, f.Demangled) || slices.Contains(names, base)) ||
			slices.ContainsFunc(exprs, func(x *regexp.Regexp) bool { return x.MatchString(f.Name) || x.MatchString(f.Demangled) })
	}, nil
}

// buildProgram has a section for each function. Programs, and readers of csv, get all that is known of
// an instruction: to trace where its values come from takes longer than all else.
func buildProgram(ctx context.Context, q *page.Request, whole bool) (*view.Document, error) {
	if q.Flag("diff") {
		return buildDiff(ctx, q)
	}
	fns, err := functions(ctx, q)
	if err != nil {
		return nil, err
	}
	dis := source.NewDisassembler("")
	d := &view.Document{Title: "sass"}
	for i := range fns {
		q.Progress(i, len(fns))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := &fns[i]
		s := view.Section{ID: f.Name, Title: f.title}
		dec := dis.Decoder(f.arch)
		p := flow.Of(dec, f.Text, f.Address)
		if q.Flag("mix") {
			s.AddTable(mixTable(p))
		} else {
			s.AddTable(instructionTable(dec, p, f.arch, whole))
		}
		d.Sections = append(d.Sections, s)
	}
	if len(fns) == 0 {
		q.Notef("no function to show")
	}
	return d, nil
}

// instructionTable has a line for each instruction.
func instructionTable(dec *sass.Decoder, p *flow.Program, arch int, whole bool) *view.Table {
	control := view.Column{Name: "control", Label: "Control", Type: view.Text}
	if arch > 90 {
		control.Label = "Control (unverified)"
	}
	t := &view.Table{ID: "instructions", Columns: []view.Column{
		{Name: "address", Label: "Address", Type: view.Number, Role: view.RoleAddress}, control,
		{Name: "live", Label: "Live", Type: view.Number, Role: view.RoleCount}, {Name: "instruction", Label: "Instruction", Type: view.Text, Role: view.RoleCode, MaxWidth: 70},
		{Name: "waits", Label: "Waits For", Type: view.Text},
	}}
	if whole {
		t.Columns = append(t.Columns, []view.Column{
			{Name: "class", Label: "Class", Type: view.Text}, {Name: "block", Label: "Block", Type: view.Number},
			{Name: "reads", Label: "Reads", Type: view.Text}, {Name: "writes", Label: "Writes", Type: view.Text},
			{Name: "sources", Label: "Sources", Type: view.Text}, {Name: "spill", Label: "Spill", Type: view.Text},
		}...)
	}
	t.Rows = make([][]view.Value, 0, len(p.Instructions))
	for i := range p.Instructions {
		in := &p.Instructions[i]
		row := []view.Value{view.Hex(p.Address(i)), view.String(in.Control.String()), view.Uint(uint64(p.Live(i)), ""),
			view.String(source.Plain(p.Text(i, sass.Nvdisasm))), view.String(addresses(p, p.Waits(i)))}
		if !dec.Known() {
			row[2] = view.Missing("-")
			if arch < 70 {
				row[1] = view.Missing("-")
			}
		}
		if whole {
			row = append(row, knownCells(p, i)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// knownCells are the cells of an instruction that programs read besides.
func knownCells(p *flow.Program, i int) []view.Value {
	class, spill, e := "unknown", "", p.Effects(i)
	if in := &p.Instructions[i]; in.Known() {
		class = in.Class().String()
	}
	if p.Spill(i) {
		spill = "yes"
	}
	return []view.Value{view.String(class), view.Uint(uint64(p.Block(i)), ""), view.String(e.Reads.String()), view.String(e.Writes.String()),
		view.String(addresses(p, p.Sources(i))), view.String(spill)}
}

// addresses lists the addresses of instructions.
func addresses(p *flow.Program, list []int) string {
	var b strings.Builder
	for k, i := range list {
		if k > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%#x", p.Address(i))
	}
	return b.String()
}

// mixTable counts the instructions of each class.
func mixTable(p *flow.Program) *view.Table {
	t := &view.Table{ID: "mix", Columns: []view.Column{
		{Name: "class", Label: "Class", Type: view.Text}, {Name: "instructions", Label: "Instructions", Type: view.Number, Role: view.RoleCount}, {Name: "share", Label: "%", Type: view.Number, Role: view.RoleShare}}}
	counts, unknown := map[sass.Class]uint64{}, uint64(0)
	for i := range p.Instructions {
		if in := &p.Instructions[i]; in.Known() {
			counts[in.Class()]++
		} else {
			unknown++
		}
	}
	all := uint64(len(p.Instructions))
	add := func(name string, n uint64) {
		if n > 0 {
			t.Rows = append(t.Rows, []view.Value{view.String(name), view.Uint(n, ""), percent(n, all)})
		}
	}
	for _, c := range sass.Classes() {
		add(c.String(), counts[c])
	}
	add("unknown", unknown)
	return t
}

// streamGraph writes the graphs of --cfg.
func streamGraph(ctx context.Context, q *page.Request, w io.Writer) error {
	fns, err := functions(ctx, q)
	if err != nil {
		return err
	}
	dis := source.NewDisassembler("")
	for i := range fns {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := &fns[i]
		if err := flow.Of(dis.Decoder(f.arch), f.Text, f.Address).Dot(w, f.title); err != nil {
			return err
		}
	}
	return nil
}
