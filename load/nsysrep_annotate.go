package load

import (
	"context"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/trace"
)

// AnnotateNative writes a native report of Nsight Systems with the annotations of files
// as NVTX events. Notes tell what of them such a report has no known place for.
func (f *File) AnnotateNative(ctx context.Context, files []*annotate.File, opt AnnotationOptions, to io.Writer) (notes []string, err error) {
	opt.Native = true
	tr, notes := NewAnnotations(files, opt)
	t, err := tr.Table(ctx, trace.TableNvtx, "start", "end", "eventType", "rangeId", "category", "color", "text", "globalTid", "int64Value", "doubleValue")
	if err != nil {
		return nil, err
	}
	rows := &annotationRows{trace: tr, table: t}
	var written []int
	categories, names := 0, 0
	if t != nil {
		typ, category := t.Ints("eventType"), t.Col("category")
		for i := range t.Rows {
			if typ[i] == trace.NvtxCategory {
				names++
				continue
			}
			if category != nil && !category.IsNull(i) {
				categories++
			}
			written = append(written, i)
		}
	}
	if categories+names > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d events lose their category and %d names of categories are left out: where reports keep them is not known", f.Name, categories, names))
	}
	if p, err := tr.CountRows(ctx, "PROCESSES"); err == nil && p > 0 {
		notes = append(notes, fmt.Sprintf("%s: names of processes are left out: %d", f.Name, p))
	}
	return notes, f.rep.file.AddNVTX(to, len(written), func(yield func(*nsysrep.NVTXEvent, error) bool) {
		for _, i := range written {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(rows.event(i), nil) {
				return
			}
		}
	})
}

// annotationRows are rows of NVTX_EVENTS.
type annotationRows struct {
	trace *trace.Trace
	table *trace.Table
}

func (r *annotationRows) event(i int) *nsysrep.NVTXEvent {
	whole := func(name string) *int64 {
		c := r.table.Col(name)
		if c == nil || c.IsNull(i) {
			return nil
		}
		v := c.Ints[i]
		return &v
	}
	e := &nsysrep.NVTXEvent{Type: *whole("eventType"), Start: *whole("start"), End: whole("end"), Range: whole("rangeId"), Int: whole("int64Value"),
		Text: r.trace.CellText(r.table.Col("text"), i), Thread: uint64(*whole("globalTid"))}
	if c := whole("color"); c != nil {
		v := uint32(*c)
		e.Color = &v
	}
	if c := r.table.Col("doubleValue"); c != nil && !c.IsNull(i) {
		v := c.Reals[i]
		e.Float = &v
	}
	return e
}
