package web

import (
	"net/http"

	"github.com/gpuprof/gpuprof/timeline"
)

// timelineRoutes adds the routes of the timeline: /api/timeline/FILE/ and what
// TimelineHandler answers. The index of a file is made when it is first asked.
func (s *Server) timelineRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/timeline/{file}/{ask}", func(w http.ResponseWriter, r *http.Request) {
		o, err := s.lookup(r.PathValue("file"))
		if err == nil && o.file.Trace == nil {
			http.Error(w, o.Name+" has no timeline", http.StatusUnprocessableEntity)
			return
		}
		var h http.Handler
		if err == nil {
			h, err = s.timelineOf(r, o)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		http.StripPrefix("/api/timeline/"+o.ID, h).ServeHTTP(w, r)
	})
}

func (s *Server) timelineOf(r *http.Request, o *openFile) (http.Handler, error) {
	s.work.Lock()
	defer s.work.Unlock()
	if o.timeline == nil {
		x, err := timeline.Build(r.Context(), o.file.Trace)
		if err != nil {
			return nil, err
		}
		o.timeline = TimelineHandler(x)
	}
	return o.timeline, nil
}
