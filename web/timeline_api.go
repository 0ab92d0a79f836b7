package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/timeline"
)

// timelineHandler answers what the timeline page asks of one file. Its paths:
//
//	tracks     the tracks, JSON
//	view       ?t0 t1 (ns) pixels tracks (numbers with commas) depth: the
//	           bytes of timeline.Index.Wire
//	counter    ?track t0 t1 pixels: samples, JSON
//	search     ?q (regular expression) after (ns) id (of the slice there) back: names, count, next or last slice, JSON
//	aggregate  ?t0 t1 tracks: totals by name, JSON
//	slice      ?id: details of a slice, JSON
func timelineHandler(x *timeline.Index) http.Handler {
	mux := http.NewServeMux()
	for path, answer := range map[string]func(*timeline.Index, *asked) (any, error){
		"tracks": timelineTracks, "counter": timelineCounter, "search": timelineSearch, "aggregate": timelineAggregate, "slice": timelineSlice,
	} {
		mux.HandleFunc("GET /"+path, func(w http.ResponseWriter, r *http.Request) {
			q := &asked{r: r}
			v, err := answer(x, q)
			if q.err != nil {
				err = q.err
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(v)
		})
	}
	var whole wholeViews
	mux.HandleFunc("GET /view", func(w http.ResponseWriter, r *http.Request) {
		q := &asked{r: r}
		ask := timeline.Request{T0: q.number("t0", x.First), T1: q.number("t1", x.End), Pixels: int(q.number("pixels", 1280)), Tracks: q.tracks(x), Depth: int(q.number("depth", 0))}
		if q.err != nil {
			http.Error(w, q.err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(whole.of(x, ask))
	})
	return mux
}

// maxWhole is how many answers of the whole file are kept: pages begin with it
// and come back to it.
const maxWhole = 16

// wholeViews keeps the answers of the whole file, which take longest.
type wholeViews struct {
	mu      sync.Mutex
	answers map[string][]byte
}

func (v *wholeViews) of(x *timeline.Index, q timeline.Request) []byte {
	if q.T0 > x.First || q.T1 < x.End {
		return x.Wire(q)
	}
	key := fmt.Sprint(q)
	v.mu.Lock()
	b := v.answers[key]
	v.mu.Unlock()
	if b == nil {
		b = x.Wire(q)
		v.mu.Lock()
		if v.answers == nil || len(v.answers) >= maxWhole {
			v.answers = map[string][]byte{}
		}
		v.answers[key] = b
		v.mu.Unlock()
	}
	return b
}

// asked reads the parameters of a request and keeps the first error.
type asked struct {
	r   *http.Request
	err error
}

func (q *asked) number(name string, absent int64) int64 {
	s := q.r.FormValue(name)
	if s == "" {
		return absent
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil && q.err == nil {
		q.err = fmt.Errorf("%s: expected a whole number, found %q", name, s)
	}
	return v
}

// tracks are those asked for, or all.
func (q *asked) tracks(x *timeline.Index) []int {
	var out []int
	s := q.r.FormValue("tracks")
	if s == "" {
		for k := range x.Tracks {
			out = append(out, k)
		}
		return out
	}
	seen := map[int]bool{}
	for f := range strings.SplitSeq(s, ",") {
		k, err := strconv.Atoi(f)
		if (err != nil || k < 0 || k >= len(x.Tracks)) && q.err == nil {
			q.err = fmt.Errorf("tracks: expected numbers from 0 to %d, found %q", len(x.Tracks)-1, f)
		}
		if q.err == nil && !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	return out
}

// A timelineTrack is a track as the page gets it. Times are texts: they can
// have more digits than a JavaScript number.
type timelineTrack struct {
	Key    string        `json:"key"`
	Parent int           `json:"parent"`
	Name   string        `json:"name"`
	Kind   timeline.Kind `json:"kind"`
	Rows   int           `json:"rows"`
	Slices int           `json:"slices"`
	Min    float64       `json:"min,omitempty"`
	Max    float64       `json:"max,omitempty"`
}

func timelineTracks(x *timeline.Index, _ *asked) (any, error) {
	out := struct {
		First  int64           `json:"first,string"`
		End    int64           `json:"end,string"`
		Slices int             `json:"slices"`
		Notes  []string        `json:"notes,omitempty"` // what is left out or not drawn as the file says
		Tracks []timelineTrack `json:"tracks"`
	}{x.First, x.End, x.Len(), x.Notes, []timelineTrack{}}
	for i := range x.Tracks {
		t := &x.Tracks[i]
		v := timelineTrack{Key: t.Key, Parent: t.Parent, Name: t.Name, Kind: t.Kind, Rows: len(t.Rows)}
		for d := range t.Rows {
			v.Slices += int(t.Rows[d].Len)
		}
		if t.Counter != nil {
			v.Min, v.Max = t.Counter.Min, t.Counter.Max
		}
		out.Tracks = append(out.Tracks, v)
	}
	return out, nil
}

func timelineCounter(x *timeline.Index, q *asked) (any, error) {
	k := q.number("track", -1)
	if k < 0 || k >= int64(len(x.Tracks)) || x.Tracks[k].Counter == nil {
		return nil, fmt.Errorf("track: expected the number of a counter, found %q", q.r.FormValue("track"))
	}
	return x.Tracks[k].Counter.View(q.number("t0", x.First), q.number("t1", x.End), int(min(q.number("pixels", 1280), 16384))), nil
}

// A timelineName is a name with what it adds up to.
type timelineName struct {
	Name  string `json:"name"`
	Full  string `json:"full"`
	Count int    `json:"count"`
	Total int64  `json:"total,string,omitempty"`
}

// maxNames is how many names an answer has at most.
const maxNames = 1000

func timelineSearch(x *timeline.Index, q *asked) (any, error) {
	re, err := regexp.Compile(q.r.FormValue("q"))
	if err != nil {
		return nil, err
	}
	m, total := x.Search(re)
	after := timeline.None
	if id := q.number("id", -1); id >= 0 && id < int64(x.Len()) {
		after = timeline.SliceID(id) // what is searched for comes after this one, not at its time
	}
	out := struct {
		Total int             `json:"total"`
		Names []timelineName  `json:"names"`
		Next  *timeline.Slice `json:"next"`
	}{total, []timelineName{}, x.Slice(x.Next(m, q.number("after", x.First-1), after, q.r.FormValue("back") != ""))}
	for _, v := range m[:min(len(m), maxNames)] {
		out.Names = append(out.Names, timelineName{Name: x.Text(v.Name), Full: x.FullText(v.Name), Count: v.Count})
	}
	return out, nil
}

func timelineAggregate(x *timeline.Index, q *asked) (any, error) {
	a, err := x.Aggregate(q.r.Context(), q.tracks(x), q.number("t0", x.First), q.number("t1", x.End))
	out := []timelineName{}
	for _, v := range a[:min(len(a), maxNames)] {
		out = append(out, timelineName{x.Text(v.Name), x.FullText(v.Name), v.Count, v.Total})
	}
	return out, err
}

func timelineSlice(x *timeline.Index, q *asked) (any, error) {
	id := q.number("id", -1)
	if id < 0 || id >= int64(x.Len()) {
		return nil, fmt.Errorf("id: expected 0 to %d, found %q", x.Len()-1, q.r.FormValue("id"))
	}
	d, err := x.Details(q.r.Context(), timeline.SliceID(id))
	if err != nil {
		return nil, err
	}
	return struct {
		*timeline.Slice
		*timeline.Details
	}{x.Slice(timeline.SliceID(id)), d}, nil
}
