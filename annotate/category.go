package annotate

import (
	"context"
	"fmt"
	"math"

	"github.com/gpuprof/gpuprof/trace"
)

// A category is an id that a process gives to annotations of the default domain.
type category struct {
	process trace.GlobalID
	id      uint32
}

// A categoryOwner is who used a category's id first, and the name it gave it.
type categoryOwner struct {
	who, name string
}

const theReport = "the report"

// Categories keeps the categories of files apart: no file shares its ids with
// another (NVTXT file extension, "NVTXT Report Files"), but on a timeline all
// are in the default domain.
type Categories struct {
	owner map[category]categoryOwner
	moved map[*File]map[category]uint32 // of a file: the id that one of its ids becomes
	next  map[trace.GlobalID]uint64     // above all ids of a process
	Notes []string                      // tell which categories of which file have another number
}

// NewCategories knows none yet.
func NewCategories() *Categories {
	return &Categories{owner: map[category]categoryOwner{}, moved: map[*File]map[category]uint32{}, next: map[trace.GlobalID]uint64{}}
}

// use notes that an owner uses an id.
func (c *Categories) use(k category, o categoryOwner) {
	if old, ok := c.owner[k]; !ok || old.name == "" && old.who == o.who {
		c.owner[k] = o
	}
	c.next[k.process] = max(c.next[k.process], uint64(k.id)+1)
}

// Trace takes the names that a timeline has for the categories of the default
// domain.
func (c *Categories) Trace(ctx context.Context, tr *trace.Trace) error {
	if err := tr.LoadNames(ctx); err != nil {
		return err
	}
	t, err := tr.Table(ctx, trace.TableNvtx, "eventType", "globalTid", "domainId", "category", "text", "textId")
	if err != nil || t == nil {
		return err
	}
	typ, tid, domain := t.Ints("eventType"), t.Ints("globalTid"), t.Ints("domainId")
	id := t.Col("category")
	if id == nil || id.Kind != trace.Integers {
		return nil
	}
	for i, ty := range typ {
		if id.IsNull(i) || domain[i] != 0 || id.Ints[i] < 0 || id.Ints[i] > 1<<32-1 {
			continue
		}
		o := categoryOwner{who: theReport}
		if ty == trace.NvtxCategory {
			o.name = tr.NvtxText(t, i)
		}
		c.use(category{trace.GlobalID(tid[i]).Process(), uint32(id.Ints[i])}, o)
	}
	return nil
}

// Separate gives the categories of a file ids of their own where another owner
// has named them otherwise. Without a name of its own, an id means what the
// report says; the ids of another file it never means.
func (c *Categories) Separate(f *File, target Target) {
	names := map[category]string{}
	var order []category
	add := func(process, id uint32, name string) {
		k := category{trace.GlobalID(target.GlobalProcess(process)).Process(), id}
		if _, ok := names[k]; !ok {
			order = append(order, k)
		}
		if name != "" || names[k] == "" {
			names[k] = name
		}
	}
	for _, n := range f.Categories {
		add(n.Process, n.Category, n.Name)
	}
	lastProcess, lastID := uint32(0), uint32(0)
	for _, e := range f.Events.All() {
		if e.HasCategory && e.Category != 0 && (e.Process != lastProcess || e.Category != lastID) {
			add(e.Process, e.Category, "")
			lastProcess, lastID = e.Process, e.Category
		}
	}
	for _, k := range order { // first all, so that no new id is one of the file's own
		c.next[k.process] = max(c.next[k.process], uint64(k.id)+1)
	}
	for _, k := range order {
		mine := categoryOwner{f.Path, names[k]}
		o, taken := c.owner[k]
		if !taken || mine.means(o) {
			c.use(k, mine)
			continue
		}
		to := c.free(k.process, names)
		if c.moved[f] == nil {
			c.moved[f] = map[category]uint32{}
		}
		c.moved[f][k] = to
		c.use(category{k.process, to}, mine)
		c.Notes = append(c.Notes, fmt.Sprintf("%s: category %d of process %d becomes %d, for %s has another of this number", f.Path, k.id, k.process.PID(), to, o.who))
	}
}

// free returns an id that neither others nor the file use in a process: the one
// after the largest if there is one, else the least.
func (c *Categories) free(process trace.GlobalID, own map[category]string) uint32 {
	if to := c.next[process]; to <= math.MaxUint32 {
		return uint32(to)
	}
	for k := (category{process, 1}); ; k.id++ { // there are fewer in use than numbers
		_, others := c.owner[k]
		if _, mine := own[k]; !others && !mine {
			return k.id
		}
	}
}

// means reports whether an id that o uses is the same category to a file that
// uses it, too.
func (mine categoryOwner) means(o categoryOwner) bool {
	if o.who == theReport && (o.name == "" || mine.name == "") {
		return true
	}
	return o.name == mine.name
}

// ID is the category of an annotation of a file.
func (c *Categories) ID(f *File, target Target, process, id uint32) uint32 {
	if m := c.moved[f]; m != nil {
		if to, ok := m[category{trace.GlobalID(target.GlobalProcess(process)).Process(), id}]; ok {
			return to
		}
	}
	return id
}
