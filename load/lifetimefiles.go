package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sort"

	"github.com/gpuprof/gpuprof/lifetime"
	"github.com/gpuprof/gpuprof/profile"
)

// What `gpuprof lifetimes -o` and GainSight's front end write can be opened again: kernel
// tables and lifetime files as launches, reports as what they say.

func isKernelTable(head []byte, _ string) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(head, []byte("\ufeff")), []byte("Kernel ID,Mangled Names,"))
}

func isLifetimeFile(head []byte, _ string) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(head, []byte("\ufeff")), []byte("kernel_id,address,lifetime_cycles"))
}

func openKernelTable(f *File) error {
	r, err := lifetime.TableLaunches(io.NewSectionReader(f.in, 0, f.Size), f.Name)
	return f.fromLifetimes(r, err)
}

func openLifetimeFile(f *File) error {
	r, err := lifetime.LifetimeLaunches(io.NewSectionReader(f.in, 0, f.Size), f.Name)
	return f.fromLifetimes(r, err)
}

func (f *File) fromLifetimes(r *profile.Report, err error) error {
	if err != nil {
		return err
	}
	r.Format = f.Format
	f.Report = &Report{Report: r}
	return nil
}

// maxLifetimeReport bounds a report of lifetimes, in bytes.
const maxLifetimeReport = 64 << 20

// openLifetimeReport reads a report of lifetimes: what it says of the run becomes
// attributes of the session, by the names of the report.
func openLifetimeReport(f *File) error {
	if f.Size > maxLifetimeReport {
		return fmt.Errorf("%s: expected a report of lifetimes of at most %d bytes, found %d", f.Name, maxLifetimeReport, f.Size)
	}
	var top map[string]any
	b, err := io.ReadAll(io.NewSectionReader(f.in, 0, f.Size))
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(b, []byte("\ufeff"))))
	d.UseNumber()
	if err := d.Decode(&top); err != nil {
		return fmt.Errorf("%s: at byte %d: expected a report of lifetimes: %w", f.Name, d.InputOffset(), err)
	}
	r := &profile.Report{File: f.Name, Format: f.Format}
	addAttributes(&r.Session.Info, "", top, 0)
	f.Report = &Report{Report: r}
	return nil
}

// addAttributes lists what an object says, by name; what lies deeper has the names that
// lead to it.
func addAttributes(to *[]profile.Attribute, name string, v any, depth int) {
	switch x := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			inner := k
			if name != "" {
				inner = name + ", " + k
			}
			if depth < 4 {
				addAttributes(to, inner, x[k], depth+1)
			}
		}
	case []any:
		for _, e := range x {
			if s, ok := e.(string); ok {
				*to = append(*to, profile.Attribute{Name: name, Value: s})
			}
		}
	case nil:
		*to = append(*to, profile.Attribute{Name: name, Value: "not known"})
	default:
		*to = append(*to, profile.Attribute{Name: name, Value: fmt.Sprint(x)})
	}
}
