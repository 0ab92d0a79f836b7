package web

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/timeline"
)

// An index is that of a file's timeline: it is made while pages ask for it.
type index struct {
	progress atomic.Uint32 // in thousandths
	done     chan struct{} // closed when the rest is there
	stop     context.CancelFunc
	handler  http.Handler
	made     *timeline.Index
	err      error
}

// patience is how long a request waits for an index before it is told how far
// that is.
const patience = 400 * time.Millisecond

// timelineRoutes adds the routes of the timeline: /api/timeline/FILE/ and what
// timelineHandler answers. The index of a file is made when it is first asked;
// until it is there the answer is 202 with {"progress": 0 to 1}.
func (s *Server) timelineRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/timeline/{file}/{ask}", func(w http.ResponseWriter, r *http.Request) {
		o, err := s.lookup(r.PathValue("file"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		if o.file.Trace == nil {
			http.Error(w, o.Name+" has no timeline", http.StatusUnprocessableEntity)
			return
		}
		x := s.indexOf(o)
		select {
		case <-x.done:
		case <-time.After(patience):
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusAccepted)
			writeJSON(w, map[string]float64{"progress": float64(x.progress.Load()) / 1000})
			return
		}
		if x.err != nil {
			http.Error(w, x.err.Error(), http.StatusUnprocessableEntity)
			return
		}
		if r.PathValue("ask") == "facts" {
			sliceFacts(w, r, x.made)
			return
		}
		http.StripPrefix("/api/timeline/"+o.ID, x.handler).ServeHTTP(w, r)
	})
}

// indexOf is the index of a file. The first call starts to make it: for the
// server, not for the request, as others may ask for it when this one is gone.
func (s *Server) indexOf(o *openFile) *index {
	o.indexing.Lock()
	defer o.indexing.Unlock()
	if o.index == nil {
		x := &index{done: make(chan struct{})}
		ctx, stop := context.WithCancel(s.life)
		x.stop, o.index = stop, x
		s.tasks.Go(func() {
			defer close(x.done)
			defer stop()
			o.work.Lock()
			defer o.work.Unlock()
			if fault := carry.Catch(func() {
				made, err := timeline.BuildProgress(ctx, o.file.Trace, func(done float64) { x.progress.Store(uint32(1000 * done)) })
				if x.err = err; err == nil {
					x.made, x.handler = made, timelineHandler(made)
				}
			}); fault != nil {
				x.err = page.Internal("timeline", []string{o.Name}, fault)
			}
		})
	}
	return o.index
}

// forget ends the making of an index that nobody will ask for.
func (o *openFile) forget() {
	o.indexing.Lock()
	defer o.indexing.Unlock()
	if o.index != nil {
		o.index.stop()
	}
}
