package export

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/trace"
)

// Chrome writes a trace in the JSON of chrome://tracing: complete events with
// times in microseconds, flows from calls to the work that they caused. That of a
// trace of PyTorch is one that its profiler could have written.
func Chrome(ctx context.Context, tr *trace.Trace, path string) error {
	places, err := readPlaces(ctx, tr)
	if err != nil {
		return err
	}
	torch, err := newKinetoForm(ctx, tr)
	if err != nil {
		return err
	}
	var head []byte
	if torch != nil {
		if head, err = torch.head(ctx); err != nil {
			return err
		}
	}
	return writeFile(path, func(w *bufio.Writer) error {
		c := &chrome{w: w, tr: tr, places: places, torch: torch, pids: map[gpuPlace]int64{}, known: map[int64]bool{}, named: map[[2]int64]bool{}, quoted: map[trace.Sym][]byte{}}
		if _, err := fmt.Fprintf(w, `{"displayTimeUnit":"ns",%s"traceEvents":[`, head); err != nil {
			return err
		}
		if err := walk(ctx, tr, c); err != nil {
			return err
		}
		if torch != nil {
			if err := torch.memory(ctx, c); err != nil {
				return err
			}
		}
		_, err := w.WriteString("\n]}\n")
		return err
	})
}

type chrome struct {
	w      *bufio.Writer
	tr     *trace.Trace
	places *places
	pids   map[gpuPlace]int64 // of GPUs, which are processes of their own
	known  map[int64]bool     // processes that have their name
	torch  *kinetoForm        // nil: the trace is not of PyTorch
	named  map[[2]int64]bool  // threads that have their name, where all slices of one share its line
	quoted map[trace.Sym][]byte
	b      []byte
	some   bool
}

func quoteJSON(s string) []byte {
	b, _ := json.Marshal(s) // cannot fail for a string
	return b
}

// event begins an event and returns the buffer to go on with.
func (c *chrome) event(ph string, t *track) []byte {
	b := c.b[:0]
	if c.some {
		b = append(b, ',')
	}
	c.some = true
	b = append(b, "\n{\"ph\":\""...)
	b = append(append(b, ph...), "\",\"pid\":"...)
	b = strconv.AppendInt(b, c.pid(t), 10)
	b = append(b, ",\"tid\":"...)
	return strconv.AppendUint(b, c.tid(t), 10)
}

// tid is the number of a line within its process: traces of PyTorch have all that a
// thread did on one.
func (c *chrome) tid(t *track) uint64 {
	if c.torch != nil && !t.gpu && !t.alone {
		return uint64(t.thread.TID())
	}
	return t.id
}

func (c *chrome) put(b []byte) error {
	c.b = append(b, '}')
	_, err := c.w.Write(c.b)
	return err
}

// alonePID is the process of tracks that are of none.
const alonePID = gpuPIDs - 1

// pid is the process of a track: of the host, or of a GPU.
func (c *chrome) pid(t *track) int64 {
	switch {
	case t.alone:
		return alonePID
	case !t.gpu:
		return t.process.PID()
	}
	g := gpuPlace{t.process, t.device}
	n, ok := c.pids[g]
	if !ok {
		n = gpuPIDs + int64(len(c.pids))
		c.pids[g] = n
	}
	return n
}

// process names the process of a track when it is met first. GPUs come after the
// processes of the host.
func (c *chrome) process(t *track) error {
	pid := c.pid(t)
	if c.known[pid] {
		return nil
	}
	c.known[pid] = true
	name, place := "", int64(0)
	switch {
	case t.alone:
		name, place = "Counters, critical path", 1
	case t.gpu:
		name, place = c.places.gpu(gpuPlace{t.process, t.device}, ""), 2
	default:
		name = c.places.process(t.process)
	}
	b := append(c.event("M", t), `,"name":"process_name","args":{"name":`...)
	if err := c.put(append(append(b, quoteJSON(name)...), '}')); err != nil {
		return err
	}
	b = append(c.event("M", t), `,"name":"process_sort_index","args":{"sort_index":`...)
	return c.put(append(strconv.AppendInt(b, place, 10), '}'))
}

func (c *chrome) track(t *track) error {
	if err := c.process(t); err != nil {
		return err
	}
	name := t.name
	if t.thread != 0 {
		name = c.places.threads[t.thread].Name + " " + strconv.FormatInt(t.thread.TID(), 10) + " " + t.name
	}
	if c.torch != nil && !t.gpu && !t.alone {
		k := [2]int64{c.pid(t), t.thread.TID()}
		if c.named[k] {
			return nil
		}
		c.named[k] = true
		if name = c.places.threads[t.thread].Name; name == "" {
			name = "thread " + strconv.FormatInt(t.thread.TID(), 10)
		}
	}
	b := append(c.event("M", t), `,"name":"thread_name","args":{"name":`...)
	return c.put(append(append(b, quoteJSON(name)...), '}'))
}

// micros appends nanoseconds as microseconds, exactly.
func micros(b []byte, ns int64) []byte {
	if ns < 0 {
		b, ns = append(b, '-'), -ns
	}
	b = strconv.AppendInt(b, ns/1000, 10)
	f := ns % 1000
	return append(b, '.', byte('0'+f/100), byte('0'+f/10%10), byte('0'+f%10))
}

func (c *chrome) slice(t *track, s *slice) error {
	name, ok := c.quoted[s.name]
	if !ok {
		name = quoteJSON(c.tr.Strings.Text(s.name))
		c.quoted[s.name] = name
	}
	ph := "X"
	if s.instant {
		ph = "i"
	}
	facts, category := s.facts(), s.category
	if c.torch != nil {
		text := c.tr.Strings.Text(s.name)
		if own := c.torch.ownName(facts); own != "" {
			name = quoteJSON(own)
		}
		category = c.torch.category(s, text, facts)
	}
	b := append(c.event(ph, t), `,"cat":"`...)
	b = append(append(b, category...), `","name":`...)
	b = append(b, name...)
	switch {
	case len(facts) == 0:
	case c.torch != nil:
		b = c.torch.args(append(b, `,"args":`...), facts)
	default:
		b = append(b, `,"args":`...)
		for i, f := range facts {
			b = append(append(append(b, "{,"[min(i, 1)]), quoteJSON(f.Name)...), ':')
			if f.IsText {
				b = append(b, quoteJSON(f.Text)...)
			} else {
				b = strconv.AppendInt(b, f.Number, 10)
			}
		}
		b = append(b, '}')
	}
	if argb := s.argb(); argb != noColor {
		b = append(append(append(b, `,"cname":"`...), chromeColor(argb)...), '"')
	}
	b = append(b, `,"ts":`...)
	if s.instant {
		return c.put(append(micros(b, s.start), `,"s":"t"`...)) // of its thread
	}
	b = append(micros(b, s.start), `,"dur":`...)
	if err := c.put(micros(b, s.end-s.start)); err != nil || s.flow == 0 {
		return err
	}
	more := ""
	ph = "s"
	if s.work {
		ph, more = "f", `,"bp":"e"`
	}
	flow := `,"cat":"flow","name":"launch","id":`
	if c.torch != nil {
		flow = `,"cat":"ac2g","name":"ac2g","id":`
	}
	b = append(c.event(ph, t), flow...)
	b = strconv.AppendUint(b, s.flow, 10)
	b = micros(append(append(b, more...), `,"ts":`...), s.start)
	return c.put(b)
}

func (c *chrome) end(*track) error { return nil }

// counter prepares the name that every sample repeats.
func (c *chrome) counter(k *counter) error {
	k.quoted = quoteJSON(fmt.Sprintf("%s %d: %s", k.group, k.device, k.name))
	return c.process(&track{id: k.id, alone: true})
}

func (c *chrome) sample(k *counter, at, v int64) error {
	b := append(append(c.event("C", &track{id: k.id, alone: true}), `,"name":`...), k.quoted...)
	b = micros(append(b, `,"ts":`...), at)
	b = strconv.AppendInt(append(b, `,"args":{"value":`...), v, 10)
	return c.put(append(b, '}'))
}

// chromeColors are names of colours that chrome://tracing reserves, and what they
// look like (tracing/tracing/base/color_scheme.html of
// github.com/catapult-project/catapult).
var chromeColors = []struct {
	name    string
	r, g, b int64
}{
	{"terrible", 180, 0, 0}, {"bad", 180, 125, 0}, {"good", 0, 125, 0}, {"black", 0, 0, 0}, {"grey", 221, 221, 221}, {"white", 255, 255, 255}, {"yellow", 255, 255, 0},
	{"olive", 100, 100, 0}, {"vsync_highlight_color", 0, 0, 255}, {"generic_work", 125, 125, 125}, {"background_memory_dump", 0, 180, 180}, {"light_memory_dump", 0, 0, 180},
	{"detailed_memory_dump", 180, 0, 180}, {"thread_state_iowait", 255, 140, 0}, {"thread_state_running", 126, 200, 148}, {"thread_state_runnable", 133, 160, 210},
	{"rail_response", 67, 135, 253}, {"rail_animation", 244, 74, 63}, {"rail_load", 13, 168, 97}, {"startup", 230, 230, 0},
}

// chromeColor is the reserved colour that is nearest to one: the viewer takes no
// others. The colour itself is a fact of the slice.
func chromeColor(argb int64) string {
	best, name := int64(math.MaxInt64), ""
	for _, c := range chromeColors {
		r, g, b := argb>>16&255-c.r, argb>>8&255-c.g, argb&255-c.b
		if d := r*r + g*g + b*b; d < best {
			best, name = d, c.name
		}
	}
	return name
}
