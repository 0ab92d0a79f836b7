package lifetime

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// Files writes the results of a run into a folder, under GainSight's names:
//
//	NAME.sim_l1.csv, NAME.sim_l2.csv   one line for each lifetime
//	NAME.sim.csv                       one line for each kernel
//	NAME.json                          the report
//	NAME_histogram.svg, NAME_cdf.svg
//
// Levels other than these two have files of their own name. A file appears when
// it is complete; what was there under its name before is replaced then.
type Files struct {
	Dir, Name string
	Time      time.Time // of the report
	Lifetimes bool      // write the files with one line for each lifetime
	Charts    bool

	open []*pending
}

// pending is a file being written under another name.
type pending struct {
	name string
	f    *atomicfile.File
	w    *bufio.Writer
}

// create begins a file.
func (o *Files) create(name string) (io.Writer, error) {
	path := filepath.Join(o.Dir, name)
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	p := &pending{name: path, f: f, w: bufio.NewWriterSize(f, 1<<16)}
	o.open = append(o.open, p)
	return p.w, nil
}

// commit completes all open files and returns their names.
func (o *Files) commit() (names []string, err error) {
	for _, p := range o.open {
		e := p.w.Flush()
		if e == nil {
			e = p.f.Commit()
		}
		if e != nil {
			p.f.Discard()
			err = errors.Join(err, e)
			continue
		}
		names = append(names, p.name)
	}
	o.open = nil
	return names, err
}

// abandon removes what is not complete.
func (o *Files) abandon() {
	for _, p := range o.open {
		p.f.Discard()
	}
	o.open = nil
}

// lifetimeFile is the name of a level's lifetime file.
func lifetimeFile(name, level string) string {
	level = strings.ToLower(levelName(level))
	level = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, level)
	return name + ".sim_" + level + ".csv"
}

// AnalyzeToFiles is Analyze with its results written into a folder, which is made
// if need be. Lifetimes stream to their files while they are computed. The names of
// the files written are returned. An input that breaks off still gives files, of
// what came before, and its error.
func AnalyzeToFiles(ctx context.Context, src simlog.Source, s Settings, o Files) (*Analysis, []string, error) {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, nil, err
	}
	defer o.abandon()
	if o.Lifetimes {
		s.Lifetimes = func(level string) (io.Writer, error) { return o.create(lifetimeFile(o.Name, level)) }
	}
	a, err := Analyze(ctx, src, s)
	if a == nil || ctx.Err() != nil {
		return a, nil, err
	}
	err = errors.Join(err, o.writeTables(a))
	names, e := o.commit()
	return a, names, errors.Join(err, e)
}

// WriteFiles writes the report and the charts of an analysis, and the kernel table,
// into a folder. The files are complete when they appear.
func (a *Analysis) WriteFiles(o Files) ([]string, error) {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	defer o.abandon()
	if err := o.writeTables(a); err != nil {
		return nil, err
	}
	return o.commit()
}

// writeTables writes the files that need the whole run.
func (o *Files) writeTables(a *Analysis) error {
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{o.Name + ".sim.csv", func(w io.Writer) error { return WriteKernelCSV(w, a.KernelRows()) }},
		{o.Name + ".json", func(w io.Writer) error { return a.WriteReport(w, o.Name, o.Time) }},
		{o.Name + "_histogram.svg", func(w io.Writer) error {
			return WriteHistogramSVG(w, o.Name+": lifetimes", a.Series())
		}},
		{o.Name + "_cdf.svg", func(w io.Writer) error {
			return WriteCDFSVG(w, o.Name+": lifetimes (dashed: weighted by length)", a.Series())
		}},
	}
	if !o.Charts {
		files = files[:2]
	}
	for _, f := range files {
		w, err := o.create(f.name)
		if err == nil {
			err = f.write(w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// KernelRows are the rows of the kernel table.
func (a *Analysis) KernelRows() []KernelRow {
	rows := make([]KernelRow, len(a.Kernels))
	for i := range a.Kernels {
		rows[i] = a.Kernels[i].KernelRow
	}
	return rows
}

// Series are the levels' lifetimes as chart data.
func (a *Analysis) Series() []Series {
	var s []Series
	for _, t := range a.Totals {
		s = append(s, Series{Name: levelName(t.Name), Bins: a.Machine.Histogram(&t.Lifetimes), Points: a.Machine.CDF(&t.Lifetimes, 400)})
	}
	return s
}
