package source

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// PTX is the page of the intermediate code in a file.
var PTX = &page.Page{
	Name:  "ptx",
	Title: "PTX",
	Short: "Show the PTX in a CUDA binary or a report",
	Long: `The file is a fat binary, an executable, object or library for Linux that holds CUDA
code, a cubin built with -lineinfo, or a report with such programs.`,
	Example: "gpuprof ptx ./app\ngpuprof ptx --sm 80 --csv lib.so",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Needs: load.Programs | load.Launches,
	Options: slices.Clone(programOptions[1:]),
	Build:   buildPTX,
}

func buildPTX(ctx context.Context, q *page.Request) (*view.Document, error) {
	d := &view.Document{Title: "ptx"}
	var others []string // architectures that --sm leaves out
	add := func(arch int, lines []string) {
		if len(lines) == 0 {
			return
		}
		if n := q.Count("sm"); n > 0 && arch != n {
			others = append(others, strconv.Itoa(arch))
			return
		}
		t := &view.Table{ID: "ptx", Columns: []view.Column{
			{Name: "line", Label: "Line", Type: view.Number, Role: view.RoleLine}, {Name: "source", Label: "Source", Type: view.Text, Role: view.RoleCode}}}
		for i, l := range lines {
			t.Rows = append(t.Rows, []view.Value{view.Uint(uint64(i+1), ""), view.String(source.Printable(l))})
		}
		s := view.Section{Title: fmt.Sprintf("PTX %d (sm_%d)", len(d.Sections)+1, arch)}
		s.AddTable(t)
		d.Sections = append(d.Sections, s)
	}
	for _, f := range q.Files {
		for _, p := range f.Programs {
			if !p.PTX {
				continue
			}
			text, err := p.Text()
			if err != nil {
				q.Damage(err)
				continue
			}
			add(p.SM, strings.Split(strings.TrimRight(text, "\n"), "\n"))
		}
		codes, err := codesOf(ctx, q, f)
		if err != nil {
			return nil, err
		}
		for _, c := range codes {
			add(c.Arch, c.PTX)
		}
	}
	switch {
	case len(d.Sections) > 0:
	case len(others) > 0:
		slices.Sort(others)
		q.Notef("no PTX for --sm %d; there is some for %s", q.Count("sm"), strings.Join(slices.Compact(others), ", "))
	default:
		q.Notef("no PTX to show: compilers keep it in executables and libraries where asked (-gencode with code=compute_XX), in cubins with -lineinfo")
	}
	return d, nil
}
