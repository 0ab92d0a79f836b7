package export

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/gpuprof/gpuprof/trace"
)

// Chrome writes a trace in the JSON of chrome://tracing: complete events with
// times in microseconds, flows from calls to the work that they caused.
func Chrome(ctx context.Context, tr *trace.Trace, path string) error {
	threads, err := tr.Threads(ctx)
	if err != nil {
		return err
	}
	return writeFile(path, func(w *bufio.Writer) error {
		c := &chrome{w: w, tr: tr, threads: threads, quoted: map[trace.Sym][]byte{}}
		if _, err := w.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`); err != nil {
			return err
		}
		if err := walk(ctx, tr, c); err != nil {
			return err
		}
		_, err := w.WriteString("\n]}\n")
		return err
	})
}

type chrome struct {
	w       *bufio.Writer
	tr      *trace.Trace
	threads map[trace.GlobalID]trace.Thread
	quoted  map[trace.Sym][]byte
	b       []byte
	some    bool
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
	b = strconv.AppendInt(b, t.process.PID(), 10)
	b = append(b, ",\"tid\":"...)
	return strconv.AppendUint(b, t.id, 10)
}

func (c *chrome) put(b []byte) error {
	c.b = append(b, '}')
	_, err := c.w.Write(c.b)
	return err
}

func (c *chrome) track(t *track) error {
	name := t.name
	if t.thread != 0 {
		name = c.threads[t.thread].Name + " " + strconv.FormatInt(t.thread.TID(), 10) + " " + t.name
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
	b := append(c.event(ph, t), `,"cat":"`...)
	b = append(append(b, s.category...), `","name":`...)
	b = append(b, name...)
	if facts := s.facts(); len(facts) > 0 {
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
	b = append(c.event(ph, t), `,"cat":"flow","name":"launch","id":`...)
	b = strconv.AppendUint(b, s.flow, 10)
	b = micros(append(append(b, more...), `,"ts":`...), s.start)
	return c.put(b)
}

func (c *chrome) end(*track) error { return nil }

// counter prepares the name that every sample repeats.
func (c *chrome) counter(k *counter) error {
	k.quoted = quoteJSON(fmt.Sprintf("%s %d: %s", k.group, k.device, k.name))
	return nil
}

func (c *chrome) sample(k *counter, at, v int64) error {
	b := append(append(c.event("C", &track{id: k.id}), `,"name":`...), k.quoted...)
	b = micros(append(b, `,"ts":`...), at)
	b = strconv.AppendInt(append(b, `,"args":{"value":`...), v, 10)
	return c.put(append(b, '}'))
}
