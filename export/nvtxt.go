package export

import (
	"bufio"
	"context"

	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/trace"
)

// Nvtxt writes the NVTX annotations of a trace, whether a program or a text file
// made them, as an NVTXT file: markers, ranges, and the names of processes,
// threads and categories. The language knows no domains: a text of a domain with
// a name begins with that name and a colon.
func Nvtxt(ctx context.Context, tr *trace.Trace, path string) error {
	return writeFile(path, func(out *bufio.Writer) error {
		a := &annotations{tr: tr, w: nvtxt.NewWriter(out, nvtxt.WriterOptions{})}
		if err := tr.LoadNames(ctx); err != nil {
			return err
		}
		if err := a.names(ctx); err != nil {
			return err
		}
		var err error
		if a.domains, err = tr.Domains(ctx); err != nil {
			return err
		}
		tr.Forget(trace.TableNvtx)
		err = tr.Scan(ctx, trace.TableNvtx, func(t *trace.Table) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return a.events(t)
		})
		if err != nil {
			return err
		}
		return a.w.Flush()
	})
}

// annotations writes the rows of a trace.
type annotations struct {
	tr      *trace.Trace
	w       *nvtxt.Writer
	domains *trace.Domains
	named   bool // the file has its display name
}

func (a *annotations) names(ctx context.Context) error {
	p, err := a.tr.Table(ctx, "PROCESSES", "globalPid", "name")
	if err != nil {
		return err
	}
	if c := p.Col("name"); c != nil && c.Kind == trace.Texts {
		for i, g := range p.Ints("globalPid") {
			if err := a.w.NameProcess(uint32(trace.GlobalID(g).PID()), a.tr.Strings.Text(c.Syms[i])); err != nil {
				return err
			}
		}
	}
	t, err := a.tr.Table(ctx, "ThreadNames", "nameId", "globalTid")
	if err != nil || t == nil {
		return err
	}
	id := t.Ints("nameId")
	for i, g := range t.Ints("globalTid") {
		n := trace.GlobalID(g)
		if err := a.w.NameOsThread(uint32(n.PID()), uint32(n.TID()), a.tr.NameText(id[i])); err != nil {
			return err
		}
	}
	return nil
}

// events writes some rows of NVTX_EVENTS.
func (a *annotations) events(t *trace.Table) error {
	typ, start, tid, domain := t.Ints("eventType"), t.Ints("start"), t.Ints("globalTid"), t.Ints("domainId")
	end, category, color, rng := t.Col("end"), t.Col("category"), t.Col("color"), t.Col("rangeId")
	for i, ty := range typ {
		g := trace.GlobalID(tid[i])
		e := nvtxt.Event{Start: start[i], End: start[i], Process: uint32(g.PID()), Thread: uint32(g.TID()), Text: a.tr.NvtxText(t, i)}
		switch ty {
		case trace.NvtxCategory, int64(nvtxt.TypeCategory):
			if category != nil {
				if err := a.w.NameCategory(e.Process, uint32(category.Ints[i]), e.Text); err != nil {
					return err
				}
			}
			continue
		case int64(nvtxt.TypeFile):
			if err := a.fileName(e.Text, color, i); err != nil {
				return err
			}
			continue
		case trace.NvtxMark, int64(nvtxt.TypeMarker):
			e.Type = nvtxt.TypeMarker
		case trace.NvtxPushPop, trace.NvtxtPushPop:
			e.Type = nvtxt.TypePushPopRange
		case trace.NvtxStartEnd, trace.NvtxtStartEnd:
			e.Type = nvtxt.TypeStartEndRange
		default:
			continue
		}
		if name := a.domains.Name(g, domain[i]); name != "" {
			e.Text = name + ": " + e.Text
		}
		if e.Type != nvtxt.TypeMarker {
			if e.Open = end == nil || end.IsNull(i); !e.Open {
				e.End = end.Ints[i]
			}
		}
		if category != nil && !category.IsNull(i) && category.Ints[i] != 0 {
			e.Category, e.HasCategory = uint32(category.Ints[i]), true
		}
		if color != nil && !color.IsNull(i) {
			e.Color, e.HasColor = uint32(color.Ints[i]), true
		}
		if e.Open && e.Type == nvtxt.TypeStartEndRange && rng != nil && !rng.IsNull(i) {
			e.ID, e.HasID = rng.Ints[i], true
		}
		e.Payload = payload(t, i)
		if err := a.w.Event(&e); err != nil {
			return err
		}
	}
	return nil
}

// fileName names the file as the first of the files that the annotations of the
// trace came from.
func (a *annotations) fileName(name string, color *trace.Column, i int) error {
	if a.named {
		return nil
	}
	a.named = true
	if err := a.w.SetFileDisplayName(name); err != nil || color == nil || color.IsNull(i) {
		return err
	}
	return a.w.SetFileDisplayColor(uint32(color.Ints[i]))
}

func payload(t *trace.Table, i int) nvtxt.Payload {
	for _, name := range []string{"int64Value", "uint64Value", "int32Value", "uint32Value"} {
		if c := t.Col(name); c != nil && !c.IsNull(i) && c.Kind == trace.Integers {
			return nvtxt.PayloadOfInt(c.Ints[i])
		}
	}
	for _, name := range []string{"doubleValue", "floatValue"} {
		if c := t.Col(name); c != nil && !c.IsNull(i) && c.Kind == trace.Reals {
			return nvtxt.PayloadOfFloat(c.Reals[i])
		}
	}
	return nvtxt.Payload{}
}
