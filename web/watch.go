package web

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/gpuprof/gpuprof/page"
)

// quiet is how long nothing must happen to a file before it is read anew, so
// that what writes it has ended; lookEvery how often files are looked at where
// the system does not tell of changes.
const (
	quiet     = 250 * time.Millisecond
	lookEvery = 2 * time.Second
)

// watch reads files anew when they change, and counts changes of section and
// rule files, until the context ends. What the system tells only says when to
// look: the time and size of the files say whether they changed.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var events chan fsnotify.Event
	var lost chan error
	w, err := fsnotify.NewWatcher()
	if err == nil {
		defer w.Close()
		events, lost = w.Events, w.Errors
	}
	watched := map[string]bool{}
	var still <-chan time.Time // fires when nothing happened for a while
	sections := s.sectionStamp()
	for {
		told := w != nil && s.watchFolders(w, watched)
		select {
		case <-ctx.Done():
			return
		case <-lost: // such as too many events: look at once
			still = time.After(quiet)
			continue
		case <-events:
			still = time.After(quiet)
			continue
		case <-still:
		case <-tick.C:
			if told {
				continue
			}
		}
		s.look(ctx)
		if now := s.sectionStamp(); !slices.Equal(now, sections) {
			sections = now
			s.mu.Lock()
			s.changes++
			s.mu.Unlock()
		}
	}
}

// look reads those files anew that changed. One that is gone is kept as it was.
func (s *Server) look(ctx context.Context) {
	s.mu.RLock()
	files := slices.Clone(s.files)
	s.mu.RUnlock()
	for _, o := range files {
		select {
		case <-o.ready:
		default:
			continue
		}
		if now, err := stampOf(o.path); err == nil && now != o.stamp {
			s.reread(ctx, o)
		}
	}
}

// watchFolders watches the folders of the files, of what they link to, and of
// sections, and reports whether that can be done. Files are often replaced
// rather than written, which only their folder tells.
func (s *Server) watchFolders(w *fsnotify.Watcher, watched map[string]bool) bool {
	var folders []string
	s.mu.RLock()
	for _, o := range s.files {
		folders = append(folders, filepath.Dir(o.path))
		if to, err := filepath.EvalSymlinks(o.path); err == nil && to != o.path {
			folders = append(folders, filepath.Dir(to))
		}
	}
	s.mu.RUnlock()
	s.walkSections(func(path string, d fs.DirEntry) {
		if d.IsDir() {
			folders = append(folders, path)
		}
	})
	all := true
	for _, f := range folders {
		if _, tried := watched[f]; !tried {
			watched[f] = w.Add(f) == nil
		}
		all = all && watched[f]
	}
	return all
}

// maxSectionFiles bounds how much of a folder of sections is looked at.
const maxSectionFiles = 10_000

// walkSections visits the folders of sections and rules and what is in them.
func (s *Server) walkSections(visit func(path string, d fs.DirEntry)) {
	n := 0
	for _, top := range s.sectionFolders() {
		filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if n++; err != nil || n > maxSectionFiles {
				return fs.SkipDir // what cannot be read, the Sections page tells
			}
			visit(path, d)
			return nil
		})
	}
}

func (s *Server) sectionFolders() []string {
	out := slices.Concat(s.options.Sections, s.options.SectionsBelow)
	if base, err := os.UserConfigDir(); err == nil {
		out = append(out, filepath.Join(base, "gpuprof", "sections"))
	}
	return out
}

// addSections gives a page that takes them the folders that the user named when
// the viewer was started. No request can name any.
func (s *Server) addSections(p *page.Page, q *page.Request) {
	for name, folders := range map[string][]string{"section-folder": s.options.Sections, "section-folder-recursive": s.options.SectionsBelow} {
		if len(folders) > 0 && slices.ContainsFunc(p.Options, func(o page.Option) bool { return o.Name == name }) {
			q.Values[name] = folders
		}
	}
}

// A sectionFile is a file of sections or rules at a time.
type sectionFile struct {
	path string
	stamp
}

func (s *Server) sectionStamp() []sectionFile {
	var out []sectionFile
	s.walkSections(func(path string, d fs.DirEntry) {
		if st, err := d.Info(); err == nil && !d.IsDir() {
			out = append(out, sectionFile{path, stamp{st.ModTime(), st.Size()}})
		}
	})
	return out
}
