package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/trace"
)

// annotationsBeside are the annotation files that belong to a report: those of its
// name in its folder and in the session's, which is the one above, and all in the
// folder that the environment variable of the guide names.
func annotationsBeside(report string) []string {
	dir, stem := filepath.Dir(report), strings.TrimSuffix(filepath.Base(report), filepath.Ext(report))
	var out []string
	for _, name := range []string{filepath.Join(dir, stem+".nvtxt"), filepath.Join(dir, "..", stem+".nvtxt")} {
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
			out = append(out, name)
		}
	}
	if session := os.Getenv(annotate.SessionFolderVariable); session != "" {
		if more, err := annotate.Locate(session, ""); err == nil {
			for _, name := range more {
				if !slices.ContainsFunc(out, func(o string) bool { return sameFile(o, name) }) {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// annotate lays the annotation files beside a report of Nsight Systems on its
// timeline. One that is broken is told, and the report opens without it.
func (f *File) annotate(ctx context.Context) error {
	if f.Trace == nil || f.rep == nil && !f.database {
		return nil
	}
	paths := annotationsBeside(f.Name)
	if len(paths) == 0 {
		return nil
	}
	window, target, err := annotate.SessionWindow(ctx, f.Trace)
	if err != nil {
		return err
	}
	var files []*annotate.File
	for _, l := range annotate.LoadFiles(ctx, paths, annotate.LoadOptions{Session: &window}) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if l.Err != nil {
			f.problems = append(f.problems, l.Err.Error())
			continue
		}
		for _, d := range l.Diagnostics.Messages() {
			switch {
			case d.Severity == nvtxt.Error:
				f.problems = append(f.problems, d.Error())
			case d.Severity == nvtxt.Warning:
				f.notes = append(f.notes, d.Error())
			}
		}
		if l.Outside > 0 {
			f.notes = append(f.notes, fmt.Sprintf("%s: event calls that lie outside the session and are left out: %d", l.Path, l.Outside))
		}
		merged, err := f.hasAll(ctx, l.File)
		if err != nil {
			return err
		}
		if merged {
			f.notes = append(f.notes, fmt.Sprintf("%s: its events are on the timeline of %s already", l.Path, f.Name))
			continue
		}
		files = append(files, l.File)
	}
	if len(files) == 0 {
		return nil
	}
	f.bare = f.Trace
	tr, notes, err := Annotate(ctx, f.Trace, files, AnnotationOptions{Target: target})
	if err != nil {
		return err
	}
	f.Trace, f.notes = tr, append(f.notes, notes...)
	f.Trace.Tool, f.Trace.Version = f.bare.Tool, f.bare.Version
	f.laid = func(tr *trace.Trace) (*trace.Trace, error) {
		out, _, err := Annotate(ctx, tr, files, AnnotationOptions{Target: target})
		return out, err
	}
	f.annotations = files
	return nil
}

// hasAll reports whether the timeline has all events of an annotation file already,
// because they were merged into it.
func (f *File) hasAll(ctx context.Context, n *annotate.File) (bool, error) {
	type event struct {
		start int64
		text  string
	}
	t, err := f.Trace.Table(ctx, trace.TableNvtx, "start", "text")
	if err != nil || t == nil || n.Events.Len() == 0 || t.Rows < n.Events.Len() {
		return false, err
	}
	text := t.Col("text")
	if text == nil || text.Kind != trace.Texts {
		return false, nil
	}
	there := make(map[event]bool, t.Rows)
	for i, at := range t.Ints("start") {
		there[event{at, f.Trace.Strings.Text(text.Syms[i])}] = true
	}
	for i := range n.Events.Len() {
		if e := n.Events.At(i); !there[event{e.Start, e.Text}] {
			return false, nil
		}
	}
	return true, nil
}

// Annotations are the files that were laid on the timeline when it was opened,
// because they lie beside it.
func (f *File) Annotations() []*annotate.File { return f.annotations }

// Bare is the timeline without the annotations that lie beside its file.
func (f *File) Bare() *trace.Trace {
	if f.bare != nil {
		return f.bare
	}
	return f.Trace
}

// Notes are what is worth knowing about what was opened, and nothing wrong with it:
// warnings about annotations, a line each.
func (f *File) Notes() []string { return f.notes }
