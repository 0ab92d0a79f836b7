package load

import (
	"context"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/format/kineto"
	"github.com/gpuprof/gpuprof/format/nsysrep"
)

// Merge writes timelines of one kind, in their own format: native reports and .atp
// traces that are parts of one recording, and Chrome traces. Shift moves the times of
// each onto the clock of the first, in ns of the timelines; nil where that is not known,
// or where they are of one recording.
func Merge(ctx context.Context, to io.Writer, files []*File, shift []int64) error {
	for _, f := range files {
		if f.MergeKind() != files[0].MergeKind() || f.MergeKind() == "" {
			return fmt.Errorf("%s is %s and %s is %s: expected files of one kind", files[0].Name, files[0].Kind(), f.Name, f.Kind())
		}
	}
	switch {
	case files[0].rep != nil:
		var list []*nsysrep.File
		for _, f := range files {
			list = append(list, f.rep.file)
		}
		return nsysrep.Merge(to, list...)
	case files[0].chrome:
		return mergeChrome(ctx, to, files, shift)
	}
	var list []*amd.Trace
	for _, f := range files {
		t, err := f.AMD.Trace()
		if err != nil {
			return err
		}
		list = append(list, t)
	}
	return amd.Merge(to, list...)
}

// MergeKind names the kind of files that the file can be merged with: "launches",
// "database", "native", "chrome", "atp", or "" for none.
func (f *File) MergeKind() string {
	switch {
	case f.Report != nil && f.Trace == nil && f.Report.ncu != nil:
		return "launches"
	case f.database:
		return "database"
	case f.rep != nil:
		return "native"
	case f.chrome:
		return "chrome"
	case f.AMD.IsTrace():
		return "atp"
	}
	return ""
}

func mergeChrome(ctx context.Context, to io.Writer, files []*File, shift []int64) error {
	var parts []*kineto.Part
	var origin int64
	for i, f := range files {
		k, places, err := kineto.Locate(ctx, f.in, f.Size, f.Name)
		if err != nil {
			return err
		}
		p := &kineto.Part{In: f.in, Size: f.Size, Trace: k, Places: places}
		a := &kinetoAdapter{k: k}
		a.span()
		p.Origin = a.origin
		if i == 0 {
			origin = a.origin
		}
		if shift != nil {
			p.Time = shift[i] + origin - a.origin
		}
		parts = append(parts, p)
	}
	return kineto.Merge(to, parts)
}
