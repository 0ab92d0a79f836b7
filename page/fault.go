package page

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/view"
)

// An InternalError is a mistake of gpuprof that a request has brought to light: a
// panic, caught by Run.
type InternalError struct {
	Page   string
	Files  []string // one of which did it, as they were named; none: the page has none
	Offset int64    // of what was read last, if it was one file; -1: not known
	Stack  []byte   // with the panic, for its mender
}

// Internal is the error of a fault that did not come through Run.
func Internal(page string, files []string, f *carry.Fault) *InternalError {
	return &InternalError{Page: page, Files: files, Offset: -1, Stack: fmt.Appendf(nil, "panic: %v\n%s", f.Value, f.Stack)}
}

func (e *InternalError) Error() string {
	text := "internal error in page " + e.Page
	if len(e.Files) > 0 {
		text += " of file " + strings.Join(e.Files, ", ")
	}
	if e.Offset >= 0 {
		text += fmt.Sprintf(" (after offset %d)", e.Offset)
	}
	return text + ", please report"
}

// guard calls f, and turns a panic in it, or one that a goroutine has handed on as
// an error, into an InternalError about the names.
func (w *work) guard(names []string, f func() error) (err error) {
	fault := carry.Catch(func() { err = f() })
	if fault == nil && !errors.As(err, &fault) {
		return err
	}
	e := Internal(w.Page.Name, names, fault)
	if len(names) == 1 {
		for _, f := range w.Files {
			if f.Name == names[0] {
				e.Offset = f.LastRead()
			}
		}
	}
	return e
}

// internal reports whether an error is one of gpuprof itself.
func internal(err error) (*InternalError, bool) {
	var e *InternalError
	return e, errors.As(err, &e)
}

// forgo tells of an internal error in place of giving up: there are other files.
func (w *work) forgo(e *InternalError) {
	w.worsen(Broken)
	w.to.Note(e.Error())
	if w.Debug {
		w.to.Note(string(e.Stack))
	}
}

// make makes the document; where a file makes the builder panic, that of the
// others.
func (w *work) make(ctx context.Context) (doc *view.Document, err error) {
	try := func(files []*load.File) error {
		w.Files, w.Overlay = files, &profile.Overlay{}
		return w.guard(names(files), func() (err error) {
			doc, err = w.build(ctx)
			return err
		})
	}
	all := w.Files
	whole := try(all)
	if _, ok := internal(whole); !ok || len(all) < 2 {
		return doc, whole
	}
	note := w.Note
	w.Note = nil
	var sound []*load.File
	var broken []*InternalError
	for _, f := range all {
		if e, ok := internal(try([]*load.File{f})); ok {
			broken = append(broken, e)
		} else {
			sound = append(sound, f)
		}
	}
	w.Note = note
	if len(sound) == 0 || len(broken) == 0 {
		return nil, whole
	}
	for _, e := range broken {
		w.forgo(e)
	}
	err = try(sound)
	return doc, err
}

func names(files []*load.File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Name)
	}
	return out
}

// Fresh is an error if a file stands where an output shall go, or a folder that is not
// empty, unless the request says that outputs are replaced. What is no file, such as
// a pipe, is written to as it is.
func (q *Request) Fresh(output string) error {
	if q.Replace || output == "" || output == "-" || output[0] == '@' {
		return nil
	}
	st, err := os.Stat(output)
	switch {
	case err != nil:
		return nil // what is wrong shows when it is written
	case st.IsDir():
		if in, err := os.ReadDir(output); err != nil || len(in) == 0 || q.Page == nil || q.Page.Output != OwnFolder {
			return nil
		}
		return Usagef("--output: the folder %s holds files already; --force-overwrite replaces those of the same names", output)
	case !st.Mode().IsRegular():
		return nil
	}
	return Usagef("%s exists already; --force-overwrite replaces it", output)
}

// Overwrites is an error if an output is one of the inputs. Both may be links or
// other spellings of a name; what is no file is never overwritten.
func Overwrites(output string, inputs []string) error {
	if output == "" || output == "-" || output[0] == '@' {
		return nil
	}
	to, err := os.Stat(output)
	if err != nil || !to.Mode().IsRegular() {
		return nil
	}
	for _, name := range inputs {
		if st, err := os.Stat(name); err == nil && os.SameFile(to, st) {
			return Usagef("--output: %s is the input %s, which would be lost: expected another name", output, name)
		}
	}
	return nil
}
