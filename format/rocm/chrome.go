package rocm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// A chromeEvent is an element of results.json of rocprof v1. Numbers are texts
// there; the times of args are exact, those of ts and dur whole microseconds.
type chromeEvent struct {
	Phase string         `json:"ph"`
	Name  string         `json:"name"`
	PID   any            `json:"pid"` // of the viewer: 1 copies, 2 and on calls, 6 and on GPUs
	Args  map[string]any `json:"args"`
}

// text is an argument as text.
func (e *chromeEvent) text(name string) string {
	switch v := e.Args[name].(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

func (e *chromeEvent) number(name string) uint64 {
	v, _ := strconv.ParseUint(strings.TrimSpace(e.text(name)), 10, 64)
	return v
}

// readChrome reads the Chrome trace that rocprof v1 writes.
func (s *Session) readChrome(ctx context.Context, in io.Reader) error {
	g := &guard{r: in, left: maxValue}
	r := &jsonReader{s: s, guard: g, d: json.NewDecoder(bufio.NewReaderSize(g, 1<<20)), ctx: ctx}
	places := map[string]string{} // names of what the viewer calls processes
	err := r.object(func(key string) error {
		switch key {
		case "traceEvents":
			return r.array(func() error {
				var e chromeEvent
				ok, err := r.decode(&e)
				if ok && s.take(dispatchTakes) {
					s.chromeEvent(&e, places)
				}
				return err
			})
		case "otherData":
			return r.facts("run")
		}
		return r.skip()
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !errors.Is(err, errFull) {
		cause := cursor.ErrCorrupt
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			cause = cursor.ErrTruncated
		}
		s.problem(FormatError{Offset: r.d.InputOffset(), Want: "the rest of the JSON text", Found: err.Error(), Err: cause})
	}
	return nil
}

// facts reads an object of texts and numbers.
func (r *jsonReader) facts(of string) error {
	return r.object(func(key string) error {
		var v any
		if _, err := r.decode(&v); err != nil {
			return err
		}
		switch v.(type) {
		case string, float64, bool:
			if r.s.take(counterTakes) {
				r.s.Facts = append(r.s.Facts, Fact{Of: of, Name: key, Value: fmt.Sprint(v)})
			}
		}
		return nil
	})
}

func (s *Session) chromeEvent(e *chromeEvent, places map[string]string) {
	viewer := fmt.Sprint(e.PID)
	switch e.Phase {
	case "M":
		if e.Name == "process_name" && len(places) < 1<<16 {
			places[viewer] = e.text("name")
		}
		return
	case "X":
	default:
		return
	}
	c := Call{Domain: strings.TrimPrefix(places[viewer], "CPU "), Name: e.Name, Args: e.text("args"), PID: e.number("pid"), TID: e.number("tid"), Correlation: e.number("Index"),
		Start: e.number("BeginNs"), End: e.number("EndNs")}
	_, device := e.Args["dev-id"]
	switch place := places[viewer]; {
	case !device && (place == "Markers and Ranges" || strings.Contains(strings.ToLower(place), "roctx")):
		s.Ranges = append(s.Ranges, Range{Domain: "ROCTX", Text: e.Name, PID: c.PID, TID: c.TID, Start: c.Start, End: c.End, Mark: c.Start == c.End})
	case !device:
		s.Calls = append(s.Calls, c)
	case place == "COPY" || strings.HasPrefix(e.Name, "Copy"):
		s.Copies = append(s.Copies, Copy{Direction: e.Name, Bytes: -1, From: e.number("dev-id"), To: e.number("dev-id"), PID: c.PID, Queue: e.number("queue-id"), Stream: e.number("stream-id"),
			Correlation: c.Correlation, Start: c.Start, End: c.End})
	default:
		s.Dispatches = append(s.Dispatches, Dispatch{ID: c.Correlation, Kernel: e.Name, Agent: e.number("dev-id"), Queue: e.number("queue-id"), Stream: e.number("stream-id"), PID: c.PID, TID: c.TID,
			Correlation: c.Correlation, Start: c.Start, End: c.End, LDS: -1, Scratch: -1, VGPRs: -1, AGPRs: -1, SGPRs: -1})
	}
}
