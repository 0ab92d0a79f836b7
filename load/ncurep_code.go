package load

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/cufilt"
)

// ncuCodes keeps the decoded programs of a report: its actions share them.
type ncuCodes struct {
	mu       sync.Mutex
	bySource map[*ncurep.Source]*ncuCode
}

// ncuCode is the program of a source: all of profile.Code that does not depend
// on the action.
type ncuCode struct {
	code     profile.Code
	sections map[string]string // mangled name of a kernel -> section of the binary
	err      error
}

func (c *ncuCodes) get(src *ncurep.Source, file *ncurep.File) *ncuCode {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok := c.bySource[src]
	if !ok {
		n = &ncuCode{sections: map[string]string{}}
		n.decode(src, ncuFunctionNames(file))
		n.place(src, file)
		n.code.Index()
		if c.bySource == nil {
			c.bySource = map[*ncurep.Source]*ncuCode{}
		}
		c.bySource[src] = n
	}
	return n
}

// decode fills n; names maps mangled to demangled names where the report has
// both.
func (n *ncuCode) decode(src *ncurep.Source, names map[string]string) {
	c := &n.code
	c.Entries = len(src.Entries)
	c.Arch = ncuArch(src.SMRevision.Or(0))
	loaded := map[string][]uint64{}
	for _, f := range src.Functions {
		if !slices.Contains(loaded[f.MangledName], f.Address) {
			loaded[f.MangledName] = append(loaded[f.MangledName], f.Address)
		}
	}
	files, err := src.Files()
	n.note(err)
	for _, f := range files {
		c.Files = append(c.Files, profile.SourceFile{Path: path.Clean(f.Path), Text: f.Text})
	}
	c.Binary, err = src.Binary()
	n.note(err)
	cubin, err := src.Cubin()
	n.note(err)
	if cubin == nil {
		for _, f := range src.Functions {
			c.Functions = append(c.Functions, profile.Function{Name: f.MangledName, Demangled: ncuFunctionName(f.MangledName, names), Address: f.Address})
		}
		return
	}
	if len(cubin.Problems) > 0 {
		n.note(cubin.Problems)
	}
	var again []profile.Function // loaded a second time
	for _, t := range cubin.Texts() {
		f := profile.Function{Name: t.Kernel, Demangled: ncuFunctionName(t.Kernel, names), Size: uint64(len(t.Code)), Text: t.Code}
		at := loaded[t.Kernel]
		// Tools before 2022.3 write no table of load addresses; their binaries are
		// images of the loaded code, with addresses as the values of symbols.
		if s := cubin.Function(t.Kernel); len(at) == 0 && s != nil && s.Offset >= t.Size {
			at = []uint64{s.Offset}
		}
		if len(at) > 0 {
			f.Address = at[0]
		}
		n.sections[t.Kernel] = t.Section
		c.Functions = append(c.Functions, f)
		for _, f.Address = range at[min(1, len(at)):] {
			again = append(again, f)
		}
	}
	c.Functions = append(c.Functions, again...)
	if text := cubin.PTX(); text != "" {
		c.PTX = strings.Split(text, "\n")
	}
	if t := n.lines(cubin.Lines()); t != nil {
		c.Lines = t
	}
	if t := n.lines(cubin.PTXLines()); t != nil {
		c.PTXLines = t
	}
}

func (n *ncuCode) note(err error) {
	if n.err == nil {
		n.err = err
	}
}

// ncuArch is 10 times the compute capability: the revision holds the major
// version in its upper half.
func ncuArch(revision uint32) int {
	return int(revision>>16)*10 + int(revision&0xffff)
}

// ncuLines is a profile.LineTable: it finds the section that an address was
// loaded from and asks the table of the binary.
type ncuLines struct {
	code  *ncuCode
	table *ncurep.LineTable
	files []string // cleaned paths
}

// lines makes a table, nil if t is empty.
func (n *ncuCode) lines(t *ncurep.LineTable) *ncuLines {
	if len(t.Problems) > 0 {
		n.note(t.Problems)
	}
	if len(t.Sequences) == 0 {
		return nil
	}
	l := &ncuLines{code: n, table: t, files: make([]string, len(t.Files))}
	for i, f := range t.Files {
		l.files[i] = path.Clean(f)
	}
	return l
}

// maxLines bounds the lines of an instruction: calls do not nest so deep.
const maxLines = 64

func (l *ncuLines) At(pc uint64) []profile.SourceLine {
	f := l.code.code.FunctionAt(pc)
	if f == nil {
		return nil
	}
	rows, _ := l.table.Find(l.code.sections[f.Name], pc-f.Address)
	var out []profile.SourceLine
	for i := range rows[:min(len(rows), maxLines)] {
		if rows[i].Line <= 0 {
			continue
		}
		s := profile.SourceLine{Line: int(rows[i].Line), Function: l.table.Line(&rows[i]).Function}
		if k := rows[i].File; k >= 0 && int(k) < len(l.files) {
			s.File = l.files[k]
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// place fills load addresses in that neither the source nor its binary tells,
// from what the results say of their kernels.
func (n *ncuCode) place(src *ncurep.Source, file *ncurep.File) {
	missing := map[string]*profile.Function{}
	for i := range n.code.Functions {
		if f := &n.code.Functions[i]; f.Address == 0 {
			missing[f.Name] = f
		}
	}
	for _, r := range file.Results {
		f := missing[r.MangledName]
		if f == nil || f.Address != 0 || r.SourceOf() != src {
			continue
		}
		ms, _ := r.Metrics()
		m := ms.Lookup("launch__function_pcs")
		if m == nil {
			continue
		}
		if in, _ := m.Instances(); in.Len() > 0 {
			_, v := in.At(0)
			f.Address, _ = v.Uint64()
		}
	}
}

// ncuFunctionNames maps the mangled names of a report's kernels to the names
// that the report gives them.
func ncuFunctionNames(file *ncurep.File) map[string]string {
	names := make(map[string]string, len(file.Results))
	for _, r := range file.Results {
		if r.DemangledName != "" {
			names[r.MangledName] = r.DemangledName
		}
	}
	return names
}

func ncuFunctionName(mangled string, names map[string]string) string {
	if n, ok := names[mangled]; ok {
		return n
	}
	return cufilt.Filter(mangled)
}

// Code gathers what the report stores of the program that the result ran.
func (l *ncuLoader) Code() (*profile.Code, error) {
	c := new(profile.Code)
	var err error
	if src := l.result.SourceOf(); src != nil {
		n := l.report.codes.get(src, l.report.file)
		*c, err = n.code, n.err
	}
	sections, serr := l.result.Sections()
	if err == nil {
		err = serr
	}
	c.Metrics = ncuSourceMetrics(sections, ncuArchFilter{arch: c.Arch})
	return c, err
}
