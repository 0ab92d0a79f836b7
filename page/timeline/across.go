package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// mostAcross is how many rows a comparison of files has, the largest first.
const mostAcross = 50

// across compares the reports of several files: for each name, or for a rule, the
// least, median and most of the total in a file, and the file that has most.
func across(q *page.Request, pieces [][]*page.Piece) []view.Section {
	var out []view.Section
	var order []string
	of := map[string][]*page.Piece{} // by report, a piece of each file
	for i, all := range pieces {
		for _, p := range all {
			if p.Table == nil {
				continue
			}
			if of[p.Section.ID] == nil {
				order = append(order, p.Section.ID)
				of[p.Section.ID] = make([]*page.Piece, len(pieces))
			}
			of[p.Section.ID][i] = p
		}
	}
	for _, id := range order {
		if s, ok := acrossOf(q, id, of[id]); ok {
			out = append(out, s)
		}
	}
	if out == nil {
		return nil
	}
	return []view.Section{{ID: "across", Title: "All files side by side", Sections: out}}
}

// A sideRow is what the files have of one name.
type sideRow struct {
	cells  []view.Value // what the row is about
	totals []float64    // of each file; those without are 0
	files  int          // that have it
}

// acrossOf compares a report; false where fewer than two files have it, or where
// there is nothing to add up.
func acrossOf(q *page.Request, id string, pieces []*page.Piece) (view.Section, bool) {
	first := slices.IndexFunc(pieces, func(p *page.Piece) bool { return p != nil })
	n := 0
	for _, p := range pieces {
		if p != nil {
			n++
		}
	}
	like := pieces[first].Table
	total := slices.IndexFunc(like.Columns, func(c view.Column) bool { return c.Role == view.RoleTotal })
	if n < 2 || total < 0 {
		return view.Section{}, false
	}
	var about []int
	for i, c := range like.Columns {
		if (c.Type == view.Text || strings.HasPrefix(c.Name, "part_")) && !strings.HasPrefix(c.Name, "from_") {
			about = append(about, i)
		}
	}
	rows, order := sumsOf(pieces, about, total)
	t := &view.Table{ID: id, Layout: &view.Layout{Unquoted: true}}
	unit := like.Columns[total]
	for _, label := range []string{"Min", "Med", "Max"} {
		c := unit
		c.Name, c.Role = strings.ToLower(label), ""
		c.Label = strings.Replace(strings.Replace(unit.Label, "Total Time", label, 1), "Total", label, 1)
		t.Columns = append(t.Columns, c)
	}
	t.Columns = append(t.Columns, view.Column{Name: "most_in", Label: "Most in", Type: view.Text}, view.Column{Name: "rank", Label: "Rank", Type: view.Number, Number: &view.NumberStyle{}},
		view.Column{Name: "files", Label: "Files", Type: view.Number, Number: &view.NumberStyle{}})
	for _, i := range about {
		t.Columns = append(t.Columns, like.Columns[i])
	}
	for _, r := range order[:min(len(order), mostAcross)] {
		t.Rows = append(t.Rows, sideCells(rows[r], pieces, unit.Unit))
	}
	s := view.Section{ID: id, Title: pieces[first].Section.Title}
	if len(order) > mostAcross {
		s.AddMessage(&view.Message{Type: view.OK, Source: id, Text: fmt.Sprintf("%d of %d rows, those that take most in a file.", mostAcross, len(order))})
	}
	s.AddTable(t)
	return s, true
}

// sumsOf adds up a column of the tables by what their rows are about, and puts
// those first that have most in one file.
func sumsOf(pieces []*page.Piece, about []int, total int) (rows map[string]*sideRow, order []string) {
	rows = map[string]*sideRow{}
	for i, p := range pieces {
		if p == nil {
			continue
		}
		for row := range p.Table.All() {
			var cells []view.Value
			var key strings.Builder
			for _, k := range about {
				cells = append(cells, row[k])
				fmt.Fprintf(&key, "%s\x00%v\x00", row[k].Text(), row[k].Float64())
			}
			r := rows[key.String()]
			if r == nil {
				r = &sideRow{cells: cells, totals: make([]float64, len(pieces))}
				rows[key.String()] = r
				order = append(order, key.String())
			}
			if r.totals[i] == 0 {
				r.files++
			}
			r.totals[i] += row[total].Float64()
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(slices.Max(rows[b].totals), slices.Max(rows[a].totals)) })
	return rows, order
}

// sideCells are the cells of a row: a file without the name has spent nothing.
func sideCells(r *sideRow, pieces []*page.Piece, unit string) []view.Value {
	most := 0
	for i, v := range r.totals {
		if v > r.totals[most] {
			most = i
		}
	}
	sorted := slices.Clone(r.totals)
	slices.Sort(sorted)
	whole := func(v float64) view.Value { return view.Int(int64(v), unit) }
	row := []view.Value{whole(sorted[0]), whole(sorted[(len(sorted)-1)/2]), whole(sorted[len(sorted)-1])}
	file, rank := view.Null, view.Null
	if p := pieces[most]; p != nil {
		for i, c := range p.Table.Columns {
			for first := range p.Table.All() {
				switch c.Name {
				case "from_file":
					file = first[i]
				case "from_rank":
					rank = first[i]
				}
				break
			}
		}
	}
	return append(append(row, file, rank, view.Int(int64(r.files), "")), r.cells...)
}
