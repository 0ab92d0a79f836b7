package web

import "net/http"

// timelineRoutes adds the routes of the timeline.
func (s *Server) timelineRoutes(*http.ServeMux) {}
