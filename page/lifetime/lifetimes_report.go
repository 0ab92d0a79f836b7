package lifetime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/lifetime"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Report is the page lifetimes report.
var Report = &page.Page{
	Name:  "lifetimes report",
	Short: "Report on lifetimes from their files",
	Long: `From a kernel table NAME.sim.csv, ours or GainSight's, and the lifetime files beside
it, NAME.sim_l1.csv and NAME.sim_l2.csv; any of them, or the report NAME.json, names the
run. 'gpuprof info' and 'gpuprof raw' open each by itself, and 'gpuprof diff' compares two
kernel tables. The clock they were made with is the one that
the JSON report states or that the times of the lifetime files tell; where neither is
there give --clock, or 2235 MHz is assumed. With -o the JSON report and the charts are
written.`,
	Example: "gpuprof lifetimes report --clock 1132 --devices cells.json run.sim.csv -o results",
	Group:   page.GroupSim, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Unopened: true, Output: page.OwnFolder,
	Options: lifetimeReportOptions,
	Build:   buildLifetimesReport,
}

func buildLifetimesReport(ctx context.Context, q *page.Request) (*view.Document, error) {
	s, err := lifetimeSettings(q)
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "lifetimes report"}
	for _, given := range q.Args {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		name, err := kernelTable(given)
		if err != nil {
			return nil, err
		}
		a, err := analysisOfFiles(s, name)
		if err != nil {
			return nil, err
		}
		if q.Output != "" {
			files, err := a.WriteFiles(lifetime.Files{Dir: q.Output, Name: tableName(name), Time: time.Now(), Charts: true})
			if err != nil {
				return nil, err
			}
			for _, f := range files {
				q.Notef("wrote %s", f)
			}
		}
		sections, _, err := lifetimeSections(q, a)
		if err != nil {
			return nil, err
		}
		if len(q.Args) > 1 {
			sections = []view.Section{{ID: name, Title: name, Sections: sections}}
		}
		d.Sections = append(d.Sections, sections...)
	}
	return d, nil
}

// tableName is the name of the run that a kernel table belongs to.
func tableName(file string) string {
	base := filepath.Base(file)
	return strings.TrimSuffix(strings.TrimSuffix(base, ".csv"), ".sim")
}

// kernelTable is the kernel table of the run that a file belongs to: the file itself, or
// the one beside a lifetime file or a report of the run.
func kernelTable(file string) (string, error) {
	for _, end := range []string{".sim_l1.csv", ".sim_l2.csv", ".json", "_histogram.svg", "_cdf.svg"} {
		stem, ok := strings.CutSuffix(file, end)
		if !ok {
			continue
		}
		table := stem + ".sim.csv"
		if _, err := os.Stat(table); err != nil {
			return "", fmt.Errorf("%s: expected the kernel table of its run beside it, %s: %w; 'gpuprof info' and 'gpuprof raw' show the file by itself", file, filepath.Base(table), errors.Unwrap(err))
		}
		return table, nil
	}
	return file, nil
}

// analysisOfFiles opens a kernel table and what lies beside it.
func analysisOfFiles(s lifetime.Settings, name string) (*lifetime.Analysis, error) {
	table, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer table.Close()
	if s.Machine.ClockMHz == 0 {
		s.Machine.ClockMHz, s.Machine.ClockFrom = clockOfFiles(filepath.Join(filepath.Dir(name), tableName(name)))
	}
	lifetimes := map[string]io.Reader{}
	for level, suffix := range map[string]string{"L1D": ".sim_l1.csv", "L2": ".sim_l2.csv"} {
		f, err := os.Open(filepath.Join(filepath.Dir(name), tableName(name)+suffix))
		if os.IsNotExist(err) {
			continue // the analysis says so
		}
		if err != nil {
			return nil, err
		}
		defer f.Close()
		lifetimes[level] = f
	}
	return lifetime.FromCSV(s, table, name, lifetimes)
}

// clockOfFiles is the clock in MHz that the files of a run tell, and which of them; 0
// where none does.
func clockOfFiles(stem string) (mhz float64, from string) {
	for _, c := range []struct {
		suffix, from string
		read         func(io.Reader) (float64, bool)
	}{
		{".json", "stated by ", lifetime.ReportClock},
		{".sim_l1.csv", "from the times in ", lifetime.FileClock},
		{".sim_l2.csv", "from the times in ", lifetime.FileClock},
	} {
		f, err := os.Open(stem + c.suffix)
		if err != nil {
			continue // may be there or not
		}
		mhz, ok := c.read(f)
		f.Close()
		if ok {
			return mhz, c.from + filepath.Base(stem) + c.suffix
		}
	}
	return 0, ""
}
