package page

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gpuprof/gpuprof/load"
)

// mostInFolder is how many profiles of a folder a page reads side by side.
const mostInFolder = 64

// profilesIn are the profiles of an operand that could not be opened because it is a
// folder of several, such as the traces of a job's ranks; nothing where it is none, or
// the page takes but one.
func (w *work) profilesIn(name string, cause error) ([]string, error) {
	if !errors.Is(cause, load.ErrUnknown) || w.Runner.Open != nil || w.Page.MaxArgs >= 0 || w.Page.Output != Rendered {
		return nil, nil
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, nil // it is no folder: cause says what is wrong
	}
	var out []string
	endings := load.Endings(load.Launches | load.Timeline | load.Memory)
	for _, e := range entries {
		if e.Type().IsRegular() && load.EndsIn(e.Name(), endings) {
			out = append(out, filepath.Join(name, e.Name()))
		}
	}
	if len(out) > mostInFolder {
		return nil, Usagef("%s: expected a folder of at most %d profiles to be set side by side, found %d: name those to read; 'gpuprof ranks' reads any number", name, mostInFolder, len(out))
	}
	return out, nil
}

// openFolder opens the profiles of a folder that hold what the page is about. One that cannot
// be read is told, and the others open.
func (w *work) openFolder(ctx context.Context, name string, profiles []string) error {
	before, broken := len(w.Files), 0
	for _, p := range profiles {
		var f *load.File
		err := w.guard([]string{p}, func() (err error) {
			f, err = w.openOne(ctx, p)
			return err
		})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, load.ErrUnknown):
			continue
		case err != nil:
			w.Note(err.Error())
			w.worsen(Finding)
			broken++
			continue
		case w.Page.Needs != 0 && f.Holds()&w.Page.Needs == 0:
			continue
		}
		if err := w.tell(f); err != nil {
			return err
		}
		w.Files = append(w.Files, f)
	}
	if left := len(profiles) - broken - (len(w.Files) - before); left > 0 {
		w.Note(fmt.Sprintf("%s: %d of %d files hold nothing that this page is about; they are left out", name, left, len(profiles)))
	}
	if len(w.Files) == before {
		return Unread(fmt.Errorf("%s: expected a folder with profiles that this page is about, found none", name))
	}
	return nil
}
