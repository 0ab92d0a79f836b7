package load

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
)

// A session of AMD's profilers is up to three files: the trace, the counters and
// the occupancy of its kernels. They belong together if they have one name but
// for the extension and lie in one folder, or if they were given together and
// nothing else of their kind fits; unless their headers name two applications.

// joinSession joins the files that lie beside f. What is wrong with an occupancy
// file does not keep the others from being read; a .csv that holds no counters
// is no part of the session.
func (f *File) joinSession() {
	if f.AMD == nil || f.AMD.Occupancy != nil {
		return
	}
	stem := strings.TrimSuffix(f.Name, filepath.Ext(f.Name))
	if in, size := regular(stem + ".occupancy"); in != nil {
		defer in.Close()
		o, err := amd.ReadOccupancy(in, size, in.Name())
		switch {
		case err != nil:
			f.problems = append(f.problems, err.Error())
		case f.AMD.sameProgram(o.Get):
			f.note(o.Problems)
			f.AMD.Occupancy = o
		}
	}
	if in, size := regular(stem + ".csv"); in != nil && f.AMD.IsTrace() {
		defer in.Close()
		head := make([]byte, min(size, headSize))
		if _, err := in.ReadAt(head, 0); err == nil && bytes.Contains(head, []byte("Method")) && bytes.Contains(head, []byte("ExecutionOrder")) {
			if c, err := amd.ReadCounters(in, size, in.Name()); err == nil && f.AMD.sameProgram(c.Get) {
				f.note(c.Problems)
				f.AMD.Counters = c
			}
		}
	}
	f.launches()
}

// regular opens a file if it is there and a regular one.
func regular(name string) (in *os.File, size int64) {
	in, err := os.Open(name)
	if err != nil {
		return nil, 0
	}
	st, err := in.Stat()
	if err != nil || !st.Mode().IsRegular() {
		in.Close()
		return nil, 0
	}
	return in, st.Size()
}

func (f *File) note(problems []*amd.FormatError) {
	for _, p := range problems {
		f.problems = append(f.problems, p.Error())
	}
}

// sameProgram reports whether another file's header, of which get returns values,
// names the same application as that of a, as far as they say.
func (a *AMD) sameProgram(get func(key string) (string, bool)) bool {
	other, _ := get("Application")
	mine := a.program()
	return mine == "" || other == "" || mine == other
}

func (a *AMD) program() string {
	name, _ := a.header("Application")
	return name
}

// header looks a key up in the header of the file itself.
func (a *AMD) header(key string) (string, bool) {
	for _, e := range a.Header() {
		if e.Key == key {
			return e.Value, true
		}
	}
	return "", false
}

// launches makes the report of what a session holds.
func (f *File) launches() {
	switch a := f.AMD; {
	case a.Counters != nil:
		if a.Occupancy != nil {
			a.joined = joinOccupancy(a.Counters, a.Occupancy)
		}
		if f.Report == nil {
			f.Report = counterReport(f, a.Counters)
		}
		if a.Occupancy != nil {
			f.Report.names = nil // what the occupancy file adds differs from row to row
		}
	case a.IsTrace() && a.Occupancy != nil && f.Report == nil:
		f.Report = occupancyReport(f, a.Occupancy)
	}
}

// JoinSessions joins files that were given together and belong to one session of
// AMD's profilers, and returns those that are left: counters and occupancy
// become part of the trace, occupancy of the counters.
func JoinSessions(files []*File) []*File {
	var out []*File
	for _, f := range files {
		host := f.host(files)
		if host == nil {
			out = append(out, f)
			continue
		}
		if f.AMD.Counters != nil && host.AMD.Counters == nil {
			host.AMD.Counters = f.AMD.Counters
		}
		if f.AMD.Occupancy != nil && host.AMD.Occupancy == nil {
			host.AMD.Occupancy = f.AMD.Occupancy
		}
		host.Report = nil
		host.launches()
	}
	return out
}

// host is the file of which f becomes a part, or nil.
func (f *File) host(files []*File) *File {
	rank := f.AMD.rank()
	var named, only *File // that fits by its name; by the application
	doubt := rank == 0
	for _, o := range files {
		r := o.AMD.rank()
		switch {
		case r == 0 || r > rank || o == f || !o.AMD.sameProgram(f.AMD.header):
		case r == rank:
			doubt = true // another of its kind fits as well
		case stem(o.Name) == stem(f.Name):
			if named == nil || r < named.AMD.rank() {
				named = o
			}
		case only == nil || r < only.AMD.rank():
			only = o
		case r == only.AMD.rank():
			doubt = true
		}
	}
	if named != nil {
		return named
	}
	if doubt || only == nil || f.AMD.program() == "" || only.AMD.program() == "" {
		return nil
	}
	return only
}

// rank orders the files of a session: trace, counters, occupancy; 0 is no file
// of one.
func (a *AMD) rank() int {
	switch {
	case a == nil:
		return 0
	case a.IsTrace():
		return 1
	case a.Counters != nil:
		return 2
	}
	return 3
}

func stem(name string) string {
	return strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
}
