package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/gpuprof/gpuprof/timeline"
)

// Bounds of a timeline in an exported file: its bytes when compressed unless
// [Options] say otherwise, the levels of detail, and the pixels of a window.
const (
	savedBytes  = 4 << 20
	savedLevels = 13
	savedPixels = 2048
)

// A savedTimeline is a timeline for pages without a server. It has levels of
// detail: windows of 1/2^k of the file, each of which begins in the middle of
// the one before, so that whatever is at most half as wide lies in one of them.
// Levels end where nothing is merged any more, or where no room is left.
type savedTimeline struct {
	Tracks   json.RawMessage `json:"tracks"`   // what the server answers
	Levels   [][]int         `json:"levels"`   // where the windows of each begin in the data, and where the last ends
	Complete bool            `json:"complete"` // the last level has every slice by itself
	Finest   int64           `json:"finest"`   // ns that a pixel of the last level has at most
	Data     string          `json:"data"`     // base64 of gzip of the windows
}

// saveTimeline makes the levels of a timeline. Each window is the length of its
// slices as u32, these as the server sends them, the length of its counters and
// these: JSON, by track. All have at most so many bytes when compressed, save
// that the first level, the whole file, is always there.
func saveTimeline(ctx context.Context, x *timeline.Index, most int64) (*savedTimeline, error) {
	tracks, err := timelineTracks(x, nil)
	if err != nil {
		return nil, err
	}
	out := &savedTimeline{}
	if out.Tracks, err = json.Marshal(tracks); err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	before, at := 0, 0
	for k := range savedLevels {
		level := []int{at}
		out.Complete, out.Finest = true, 0
		for i := range 2<<k - 1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			window, whole, err := saveWindow(x, k, i)
			if err != nil {
				return nil, err
			}
			zip.Write(window) // to memory: cannot fail
			merged := int64(binary.LittleEndian.Uint32(window[8:]))
			out.Finest = max(out.Finest, ((x.End-x.First)>>k)*merged/savedPixels)
			at += len(window)
			level, out.Complete = append(level, at), out.Complete && whole
		}
		out.Levels = append(out.Levels, level)
		zip.Flush()
		took := packed.Len() - before
		// A window of the next level spans half as much at twice the detail: it takes no more than one of this.
		next := took/(2<<k-1) + 1
		if before = packed.Len(); out.Complete || int64(before+next*(4<<k-1)) > most {
			break
		}
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	out.Data = base64.StdEncoding.EncodeToString(packed.Bytes())
	return out, nil
}

// saveWindow is window i of level k, and whether it has every slice by itself.
func saveWindow(x *timeline.Index, k, i int) (b []byte, whole bool, err error) {
	wide := max(1, (x.End-x.First)>>k)
	t0 := x.First + int64(i)*(wide/2)
	t1 := t0 + wide
	if i == 2<<k-2 {
		t1 = x.End
	}
	var tracks []int
	counters := map[int][]timeline.Sample{}
	for n := range x.Tracks {
		tracks = append(tracks, n)
		if c := x.Tracks[n].Counter; c != nil {
			counters[n] = c.View(t0, t1, savedPixels/4)
		}
	}
	view := x.Wire(timeline.Request{T0: t0, T1: t1, Pixels: savedPixels, Tracks: tracks})
	samples, err := json.Marshal(counters)
	if err != nil {
		return nil, false, err
	}
	b = binary.LittleEndian.AppendUint32(nil, uint32(len(view)))
	b = append(b, view...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(samples)))
	for _, c := range counters {
		whole = whole || slices.ContainsFunc(c, func(s timeline.Sample) bool { return s.Count > 1 })
	}
	return append(b, samples...), timeline.Whole(view) && !whole, nil
}
