package source

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// placeWidth is how many characters of a place are shown.
const placeWidth = 18

// shortPlace is a place in a file without the folders, and without the beginning
// of a long name.
func shortPlace(file string, line int) string {
	s := []rune(fmt.Sprintf("%s:%d", path.Base(strings.ReplaceAll(file, `\`, "/")), line))
	if len(s) > placeWidth {
		s = append([]rune{'…'}, s[len(s)-placeWidth+1:]...)
	}
	return string(s)
}

// A lineKey is a line of a source file.
type lineKey struct {
	file string
	line int
}

// lineRows gathers the instructions of each line in the order of the code. An
// instruction belongs to every line that the table has for it.
func lineRows(s *source.Listing, t profile.LineTable) map[lineKey][]int32 {
	m := map[lineKey][]int32{}
	var none lineKey
	for i, pc := range s.PCs {
		lines := t.At(pc)
		if len(lines) == 0 {
			m[none] = append(m[none], int32(i))
		}
		for _, l := range lines {
			k := lineKey{l.File, l.Line}
			if r := m[k]; len(r) == 0 || r[len(r)-1] != int32(i) {
				m[k] = append(r, int32(i))
			}
		}
	}
	return m
}

func sortedLines(m map[lineKey][]int32) []lineKey {
	keys := make([]lineKey, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b lineKey) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	return keys
}

// cudaTables has a table for each source file, with a line for each source line
// that has instructions, and below it these, if they are wanted. Nsight Compute
// 2024.1 has one for each function in a file.
func (b *sourceBuilder) cudaTables(s *source.Listing, instructions bool) []*view.Table {
	rows := lineRows(s, s.Code.Lines)
	b.dropUnmeasured(s, rows)
	v, id := lineView, "cuda"
	if instructions {
		v, id = lineSassView, "cuda-sass"
	}
	var out []*view.Table
	var hottest []float64
	keys := sortedLines(rows)
	for len(keys) > 0 {
		file := keys[0].file
		n := slices.IndexFunc(keys, func(k lineKey) bool { return k.file != file })
		if n < 0 {
			n = len(keys)
		}
		name := file
		if file == "" {
			name = "(no source line)"
		}
		path := [][]view.Value{{view.String("File Path"), view.String(name)}}
		for _, part := range b.parts(s) {
			var groups []rowGroup
			for _, k := range keys[:n] {
				if g, ok := b.lineGroup(s, k, rows[k], part, instructions); ok {
					groups = append(groups, g)
				}
			}
			if len(groups) == 0 {
				continue
			}
			t := b.table(s, v, groups)
			t.Title = name
			t.Layout.Preamble = append(path, []view.Value{view.String("Function Name"), view.String(part.Name)})
			path = nil
			out = append(out, t)
			hottest = append(hottest, b.sortValue(s, groups))
		}
		keys = keys[n:]
	}
	return sortTables(out, hottest, id)
}

// sortTables puts the table with the largest value first and numbers the tables.
func sortTables(ts []*view.Table, value []float64, id string) []*view.Table {
	order := make([]int, len(ts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(value[k], value[i]) })
	out := make([]*view.Table, len(ts))
	for i, k := range order {
		out[i] = ts[k]
		out[i].ID = tableID(id, i)
	}
	return out
}

// dropUnmeasured drops the instructions without a line where they say nothing:
// always for the vendor's tool, else if none was executed or sampled.
func (b *sourceBuilder) dropUnmeasured(s *source.Listing, m map[lineKey][]int32) {
	var none lineKey
	for _, c := range []*source.Column{s.Samples, s.Issued} {
		if c != nil && c.Sum(m[none]) > 0 && !b.Compat2024() {
			return
		}
	}
	delete(m, none)
}

// parts are the functions one after the other, by mangled name, for Nsight
// Compute 2024.1, else all together.
func (b *sourceBuilder) parts(s *source.Listing) []source.Block {
	if !b.Compat2024() {
		return []source.Block{{Name: s.Action.FullName(), To: len(s.PCs)}}
	}
	parts := slices.Clone(s.Blocks)
	slices.SortFunc(parts, func(x, y source.Block) int { return strings.Compare(x.Mangled, y.Mangled) })
	return parts
}

// lineGroup is a line with its instructions in part; the values of the line are
// those of all its instructions. ok is false if part has none of them.
func (b *sourceBuilder) lineGroup(s *source.Listing, k lineKey, rows []int32, part source.Block, instructions bool) (g rowGroup, ok bool) {
	g.head = sourceRow{line: k.line, rows: rows}
	if k.line > 0 {
		g.head.text, g.head.lost = b.files.Line(s.Code, k.file, k.line)
	}
	last := int32(-1)
	for range b.copies(s) {
		for _, i := range rows {
			if int(i) < part.From || int(i) >= part.To {
				continue
			}
			ok = true
			if !instructions {
				return g, ok
			}
			if last >= 0 && i != last && i != last+1 {
				g.body = append(g.body, sourceRow{gap: true})
			}
			g.body = append(g.body, sourceRow{pc: s.PCs[i], rows: s.One(int(i))})
			last = i
		}
	}
	return g, ok
}

// ptxTables has a table for each function, with a line for each line of its PTX.
func (b *sourceBuilder) ptxTables(s *source.Listing) []*view.Table {
	rows := lineRows(s, s.Code.PTXLines)
	byLine := map[int][]int32{}
	for k, r := range rows {
		if k.line > 0 {
			byLine[k.line] = append(byLine[k.line], r...)
		}
	}
	words := ptxWords(s.Code.PTX)
	var out []*view.Table
	for _, bl := range s.Blocks {
		from, to := ptxRange(s.Code.PTX, words[bl.Mangled])
		var groups []rowGroup
		for n := from; n < to; n++ {
			groups = append(groups, rowGroup{head: sourceRow{line: n + 1, text: s.Code.PTX[n], rows: byLine[n+1]}})
		}
		if len(groups) == 0 {
			continue
		}
		t := b.table(s, lineView, groups)
		t.ID = tableID("ptx", len(out))
		if len(s.Blocks) > 1 {
			t.Title = bl.Name
		}
		t.Layout.Preamble = [][]view.Value{{view.String("Kernel Name"), view.String(bl.Name)}}
		out = append(out, t)
	}
	return out
}

// ptxWords maps every word of the lines that begin a function to these lines, as
// indices.
func ptxWords(lines []string) map[string][]int {
	m := map[string][]int{}
	for i, l := range lines {
		if !strings.Contains(l, ".entry") && !strings.Contains(l, ".func") {
			continue
		}
		for _, w := range strings.FieldsFunc(l, notInName) {
			m[w] = append(m[w], i)
		}
	}
	return m
}

func notInName(r rune) bool {
	return !(r == '_' || r == '$' || r == '.' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
}

// ptxRange finds the lines of the function that begins at one of the given
// indices, up to and with the brace that closes it, as a half-open range.
func ptxRange(lines []string, begins []int) (from, to int) {
	for _, i := range begins {
		depth, body := 0, false
		for k := i; k < len(lines); k++ {
			l := lines[k]
			depth += strings.Count(l, "{") - strings.Count(l, "}") // calls and vectors have braces, too
			body = body || strings.Contains(l, "{")
			if body && depth <= 0 {
				return i, k + 1
			}
			if !body && strings.Contains(l, ";") {
				break // a declaration
			}
		}
	}
	return 0, 0
}
