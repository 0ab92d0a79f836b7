package torch

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/torch"
	"github.com/gpuprof/gpuprof/view"
)

// Shapes is the page shapes.
var Shapes = &page.Page{
	Name:  "shapes",
	Short: "Show sizes and rates of matrix products, convolutions and attention in PyTorch",
	Long: `A row for each operator of known arithmetic and each of its shapes: FLOP of a call,
bytes that it moves at least, FLOP per byte, the rate that it reached, and what part
that is of what the device allows at this intensity.

A product of M×K and K×N takes 2·M·N·K, one with a bias M·N more; a convolution
2·(elements of the output)·(input channels of a group)·(elements of the kernel),
backward that for each gradient it makes; attention 2·B·H·Nq·Nk·(depth of keys + depth
of values), backward 2·B·H·Nq·Nk·(3·depth of keys + 2·depth of values), as it makes the
first product again; half of it where it is causal.
Bytes: every input is read once, the output is written once. Peak rates are those of
data sheets, dense; --peak sets others.`,
	Example: "gpuprof shapes trace.pt.trace.json.gz\ngpuprof shapes --peak half=989.4,memory=3.35 trace.pt.trace.json.gz",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Operators,
	Options: []page.Option{
		{Name: "peak", Remote: true, Kind: page.Text, Arg: "NAME=N,...", Help: "peak rates: float64, float32, tf32, half, float8, int8 in TFLOP/s, memory in TB/s"},
		{Name: "rows", Remote: true, Kind: page.Count, Arg: "N", Default: "0", Help: "only the first N rows; 0: all"},
	},
	Build: buildShapes,
}

func buildShapes(ctx context.Context, q *page.Request) (*view.Document, error) {
	d := &view.Document{Title: "shapes"}
	var err error
	d.Sections, err = each(q, func(f *load.File) ([]view.Section, error) {
		t, err := operators(ctx, f, false)
		if err != nil {
			return nil, err
		}
		list, err := t.Shapes(ctx)
		if err != nil {
			return nil, err
		}
		s := view.Section{ID: "shapes", Title: "Sizes and rates"}
		if len(list) == 0 {
			why := "No operator of known arithmetic launched a kernel."
			if !hasShapes(f.Trace) {
				why = "The trace has no shapes: they are recorded with record_shapes=True."
			}
			s.Items = append(s.Items, message("Nothing to show", why))
			return []view.Section{s}, nil
		}
		peak, device, err := peakOf(ctx, q, f)
		if err != nil {
			return nil, err
		}
		if peak == nil {
			why := fmt.Sprintf("The rates of %q are not known; the option peak sets them.", device)
			if device == "" {
				why = "The trace does not name the GPU, so its rates are not known; the option peak sets them."
			}
			s.Items = append(s.Items, message("No peak rates", why))
		} else {
			s.Description = fmt.Sprintf("Peak rates of %s: %s.", device, peak.Source)
		}
		s.AddTable(shapesTable(first(list, q.Count("rows")), peak))
		return []view.Section{s}, nil
	})
	return d, err
}

func peakOf(ctx context.Context, q *page.Request, f *load.File) (*torch.Peak, string, error) {
	gpus, err := f.Trace.GPUs(ctx)
	if err != nil {
		return nil, "", err
	}
	name := gpus[0]
	for _, id := range slices.Sorted(maps.Keys(gpus)) {
		name = cmp.Or(name, gpus[id]) // a program that sees one GPU of several may give it another number
	}
	p := torch.PeakOf(name)
	if o := q.Text("peak"); o != "" {
		if p == nil {
			p = &torch.Peak{}
		}
		if err := p.Override(o); err != nil {
			return nil, "", page.Usagef("--peak: %v", err)
		}
	}
	return p, name, nil
}

func shapesTable(list []torch.Shape, peak *torch.Peak) *view.Table {
	real := func(name, label string, decimals int) view.Column {
		return view.Column{Name: name, Label: label, Type: view.Number, Number: &view.NumberStyle{Decimals: decimals}}
	}
	t := &view.Table{ID: "shapes", Layout: ragged(), Columns: []view.Column{ns("time", "Kernels"), text("size", "Size"), function("operator", "Operator"), count("calls", "Calls"), real("gflop", "GFLOP a call", 3),
		real("mbytes", "MB a call", 2), real("intensity", "FLOP per byte", 1), real("rate", "TFLOP/s", 2), real("roof", "Roof (%)", 1), text("bound", "Bound by"), text("type", "Type"), {Name: "dims", Label: "Input Dims", Type: view.Text, For: view.Programs}}}
	for i := range list {
		s := &list[i]
		roof, bound := view.Null, ""
		if r := s.Roof(peak); r > 0 && s.Rate() > 0 {
			roof = view.Float(100*s.Rate()/r, "%")
			bound = "memory"
			if math.Abs(r-peak.Rate(s.Type)*1e12) < 1 {
				bound = "arithmetic"
			}
		}
		bytes, intensity := view.Null, view.Null
		if s.Bytes > 0 {
			bytes, intensity = view.Float(s.Bytes/1e6, ""), view.Float(s.Intensity(), "")
		}
		t.Rows = append(t.Rows, []view.Value{view.Int(s.Time, "ns"), view.String(s.Text), view.String(s.Operator), view.Int(int64(s.Calls), ""), view.Float(s.FLOP/1e9, ""), bytes, intensity, view.Float(s.Rate()/1e12, ""),
			roof, view.String(bound), view.String(strings.TrimPrefix(s.Type, "c10::")), view.String(s.Dims)})
	}
	return t
}
