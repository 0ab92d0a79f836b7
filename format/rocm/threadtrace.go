package rocm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// maxThreadTrace bounds a JSON file of a thread trace, in bytes.
const maxThreadTrace = 1 << 28

// readThreadTrace reads a file of the folder that the viewer of thread traces and
// of samples reads: code.json, filenames.json, occupancy.json, realtime.json,
// snapshots.json, wstates*.json and one file for each wave.
func (s *Session) readThreadTrace(ctx context.Context, in io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(&guard{r: in, left: maxThreadTrace}, maxThreadTrace))
	if err != nil {
		return &FormatError{File: s.Name, Want: "a file of a thread trace", Found: err.Error(), Err: ErrUnknown}
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(b, &top); err != nil {
		begun, ok := begunJSON(b)
		if !ok || json.Unmarshal(begun, &top) != nil {
			return &FormatError{File: s.Name, Offset: -1, Want: "a file of a thread trace", Found: err.Error(), Err: ErrUnknown}
		}
		s.problem(FormatError{Offset: int64(len(b)), Want: "the rest of a thread trace's JSON", Found: "the end of the file", Err: cursor.ErrTruncated})
		b = begun
	}
	base := path.Base(unpackedName(strings.ReplaceAll(s.Name, `\`, "/")))
	switch {
	case top["code"] != nil:
		return s.codeListing(top)
	case top["wave"] != nil:
		return s.wave(b)
	case top["state"] != nil:
		return s.waveStates(b)
	case top["wave_filenames"] != nil || top["counter_names"] != nil:
		s.plainFacts("thread trace", top)
	case base == "snapshots.json":
		s.snapshots("", b, 0)
	case base == "realtime.json" || top["SE0"] != nil:
		s.clocks(top)
	default:
		s.waveEvents(top)
	}
	return nil
}

// begunJSON makes an object whole that ends before it does: what is whole in it stays. It
// is false where the text ends as an object does, or where nothing is whole.
func begunJSON(b []byte) ([]byte, bool) {
	var closing, then []byte // the brackets that end what is open, and what was at the last comma
	last := 0
	g := guard{}
	for i, c := range b {
		if !g.text {
			switch c {
			case '{', '[':
				closing = append(closing, c+2) // the bracket that ends it
			case '}', ']':
				if len(closing) == 0 || closing[len(closing)-1] != c {
					return nil, false
				}
				closing = closing[:len(closing)-1]
			case ',':
				last, then = i, append(then[:0], closing...)
			}
		}
		if !g.step(c) {
			return nil, false
		}
	}
	if last == 0 || len(closing) == 0 {
		return nil, false
	}
	slices.Reverse(then)
	return append(b[:last:last], then...), true
}

func (s *Session) notThreadTrace(what string, err error) error {
	return &FormatError{File: s.Name, Want: what, Found: err.Error(), Err: ErrUnknown}
}

// codeListing reads code.json: rows, whose columns header names, as a text or as a
// list.
func (s *Session) codeListing(top map[string]json.RawMessage) error {
	var rows [][]json.RawMessage
	if err := json.Unmarshal(top["code"], &rows); err != nil {
		return s.notThreadTrace("the rows of a listing", err)
	}
	var header []string
	if json.Unmarshal(top["header"], &header) != nil {
		var text string
		if json.Unmarshal(top["header"], &text) == nil {
			header = strings.Split(text, ", ")
		}
	}
	if header == nil {
		header = strings.Split("ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle", ", ")
	}
	for n, row := range rows {
		if !s.take(callTakes) {
			break
		}
		var x Instruction
		for i, cell := range row {
			if i >= len(header) {
				break
			}
			name := header[i]
			var v uint64
			var text string
			number := json.Unmarshal(cell, &v) == nil
			if !number && json.Unmarshal(cell, &text) != nil {
				text = string(cell) // a list
			}
			switch name {
			case "ISA":
				x.Text = text
			case "Source":
				x.Source = text
			case "LineNumber":
				x.Line = int64(v)
			case "Codeobj":
				x.CodeObject = int64(v)
			case "Vaddr":
				x.Address = v
			case "Hit":
				x.Hits = v
			case "Latency":
				x.Latency = v
			case "Stall":
				x.Stall = v
			case "Idle":
				x.Idle = v
			case "PC_Issued":
				x.Issued = v
			case "PC_Stalled":
				x.Stalled = v
			case "Stall_Reasons":
				x.Reasons = text
			default:
				if name != "_" && s.take(counterTakes) {
					s.Kept = append(s.Kept, Kept{Row: n + 1, Column: name, Value: string(cell)})
				}
			}
		}
		s.Code = append(s.Code, x)
	}
	return nil
}

// wave reads the file of one wave. Of an instruction there are its cycle, category,
// stall, duration and line of the listing.
func (s *Session) wave(b []byte) error {
	var f struct {
		Name string `json:"name"`
		Wave struct {
			Begin, End, CU, ID, SIMD, Slot uint64
			Instructions                   [][]int64 `json:"instructions"`
		} `json:"wave"`
	}
	if err := json.Unmarshal(b, &f); err != nil {
		return s.notThreadTrace("a wave", err)
	}
	if f.Wave.End == 0 && len(f.Wave.Instructions) == 0 {
		return &FormatError{File: s.Name, Offset: -1, Want: "when a wave began and ended", Found: "neither", Err: cursor.ErrCorrupt}
	}
	engine, _ := strconv.ParseUint(strings.TrimPrefix(f.Name, "SE"), 10, 32)
	w := Wave{Engine: engine, SIMD: f.Wave.SIMD, Slot: f.Wave.Slot, ID: f.Wave.ID, CU: f.Wave.CU, Begin: f.Wave.Begin, End: f.Wave.End, Instructions: len(f.Wave.Instructions)}
	for _, x := range f.Wave.Instructions {
		if len(x) > 2 && x[2] > 0 {
			w.Stall += uint64(x[2])
		}
	}
	s.Waves = append(s.Waves, w)
	return nil
}

// waveStates reads how many waves were in a state, over time.
func (s *Session) waveStates(b []byte) error {
	var f struct {
		Name  string
		State []float64
		Time  []uint64
	}
	if err := json.Unmarshal(b, &f); err != nil {
		return s.notThreadTrace("states of waves", err)
	}
	name := strings.TrimSuffix(f.Name, ".json")
	for i := range min(len(f.State), len(f.Time)) {
		if s.take(copyTakes) {
			s.Monitors = append(s.Monitors, Monitor{Name: name, Start: f.Time[i], Value: f.State[i]})
		}
	}
	return nil
}

// waveEvents reads occupancy.json: for each shader engine [time, CU, SIMD, slot,
// begin or end, kernel], and adds up how many waves there are.
func (s *Session) waveEvents(top map[string]json.RawMessage) {
	engines := make([]string, 0, len(top))
	for name := range top {
		engines = append(engines, name)
	}
	slices.Sort(engines)
	for _, engine := range engines {
		var rows [][]float64
		if json.Unmarshal(top[engine], &rows) != nil {
			var text map[string]string
			if engine == "dispatches" && json.Unmarshal(top[engine], &text) == nil {
				for _, id := range slices.Sorted(mapKeys(text)) {
					s.Facts = append(s.Facts, Fact{Of: "kernels of the thread trace", Name: id, Value: text[id]})
				}
			}
			continue
		}
		waves := 0.0
		for _, r := range rows {
			if len(r) < 5 || !s.take(copyTakes) {
				continue
			}
			if r[4] != 0 {
				waves++
			} else {
				waves--
			}
			s.Monitors = append(s.Monitors, Monitor{Device: "shader engine", Name: "waves", Start: uint64(max(r[0], 0)), Value: waves})
		}
	}
}

// clocks reads pairs of the shader's clock and real time.
func (s *Session) clocks(top map[string]json.RawMessage) {
	for _, engine := range slices.Sorted(mapKeys(top)) {
		var rows [][]uint64
		if json.Unmarshal(top[engine], &rows) != nil {
			continue
		}
		for _, r := range rows {
			if len(r) >= 2 && s.take(counterTakes) {
				s.Facts = append(s.Facts, Fact{Of: "clock of " + engine, Name: strconv.FormatUint(r[0], 10), Value: strconv.FormatUint(r[1], 10)})
			}
		}
	}
}

func mapKeys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// plainFacts keeps numbers and texts of an object.
func (s *Session) plainFacts(of string, top map[string]json.RawMessage) {
	for _, name := range slices.Sorted(mapKeys(top)) {
		var v any
		if json.Unmarshal(top[name], &v) != nil {
			continue
		}
		switch v.(type) {
		case string, float64, bool:
			s.Facts = append(s.Facts, Fact{Of: of, Name: name, Value: fmt.Sprint(v)})
		}
	}
}

// snapshots reads which file keeps the text of which source file: an object for
// each folder.
func (s *Session) snapshots(folder string, b []byte, depth int) {
	var top map[string]json.RawMessage
	if depth > maxDepth || json.Unmarshal(b, &top) != nil {
		return
	}
	for _, name := range slices.Sorted(mapKeys(top)) {
		var file string
		if json.Unmarshal(top[name], &file) != nil {
			s.snapshots(path.Join(folder, name), top[name], depth+1)
		} else if s.take(counterTakes) {
			s.Facts = append(s.Facts, Fact{Of: "source files", Name: path.Join(folder, name), Value: file})
		}
	}
}
