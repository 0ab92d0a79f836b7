package view

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"slices"
)

// A Brief asks for an answer that fits a budget, for readers who pay by the byte.
//
// A document is then read breadth first: the first row of every table and the
// first message of every section, then the second ones, and so on, as far as the
// budget goes. What is shown stands in the order of the document, each row under a
// key that names the same row whenever it is asked for. The answer says what is
// left out; a Cursor continues behind it.
//
// Numbers are raw, in base units: whole ones exact, others to six digits or more.
// Every text that may come from a file stands in double quotes, its control
// characters and quotes escaped, so that none can pass for a word of the tool.
type Brief struct {
	Budget int    // bytes of the answer; 0 means DefaultBudget
	Cursor string // of an answer to the same question: what comes behind it
	JSON   bool   // else compact Markdown

	Notes  func() []string // what was told beside the answer; may be nil
	Narrow string          // how to ask for less, told where something is left out
	Next   []string        // questions that may follow
}

// The bounds of budgets, in bytes.
const (
	DefaultBudget = 8 << 10
	MinBudget     = 1 << 10
	MaxBudget     = 64 << 10
)

// briefSchema is the first member of a brief answer in JSON.
const briefSchema = "gpuprof.brief/1"

// ErrCursor is the error for a cursor that is of another answer.
var ErrCursor = errors.New("the cursor is not of this answer: the question or the file is another; ask again without it")

// A place is that of a row in the order in which a document is read: by rank,
// then by part.
type place struct{ rank, part int }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.rank, q.rank), cmp.Compare(p.part, q.part))
}

// A briefPart is a table, or a message, on its way into a brief answer.
type briefPart struct {
	path  []*briefHead // sections, outermost first
	id    string
	title string
	lead  string // a message, but for its text
	base  int    // rank of the first row
	table *Table // nil: a message, or a bare heading
	cols  []int  // shown columns of table
	key   []int  // columns that make the key; none: the row's number
	named bool   // these are names of any length: the key is a sum of them
	all   []int  // shown columns whose cells are all alike

	rows   []briefRow // behind the cursor, in order
	passed int        // rows before it
	total  int        // rows of the part; -1: more than were looked at
	shown  int        // of rows

	seen map[string]int // how often a key came
}

type briefHead struct {
	id, title string
	depth     int
	shown     bool
}

type briefRow struct {
	cells []string // of the shown columns, before them the key
	sum   uint32   // of all the row says
}

// A briefing makes a brief answer.
type briefing struct {
	*Brief
	o      Options
	parts  []*briefPart
	after  place // the cursor's
	sum    uint32
	met    bool // the cursor's row was met
	floor  int  // bytes of rows of the least rank
	cut    bool // sections follow that were not looked at
	latest place
	last   uint32 // sum of the row at latest
}

func renderBrief(w io.Writer, d *Document, o Options) error {
	b := &briefing{Brief: o.Brief, o: o, after: place{-1, -1}, latest: place{-1, -1}}
	switch {
	case b.Budget == 0:
		b.Budget = DefaultBudget
	default:
		b.Budget = min(max(b.Budget, MinBudget), MaxBudget)
	}
	if b.Cursor != "" {
		if err := b.parse(b.Cursor); err != nil {
			return err
		}
	}
	for s := range d.All() {
		b.section(s, nil)
		if b.floor > b.Budget {
			b.cut = true
			break
		}
	}
	if b.Cursor != "" && !b.met {
		return ErrCursor
	}
	for _, p := range b.parts {
		p.gather()
	}
	var text string
	for spare := 0; ; spare += 256 { // what is around the rows is known once they are chosen
		b.choose(d.Title, spare)
		if text = b.text(d.Title); len(text) <= b.Budget || spare > b.Budget {
			break
		}
	}
	_, err := io.WriteString(w, text)
	return err
}

// parse reads a cursor.
func (b *briefing) parse(cursor string) error {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < 6 {
		return ErrCursor
	}
	rank, n := binary.Uvarint(raw)
	if n <= 0 || rank > 1<<40 {
		return ErrCursor
	}
	part, k := binary.Uvarint(raw[n:])
	if k <= 0 || part > 1<<40 || len(raw) != n+k+4 {
		return ErrCursor
	}
	b.after, b.sum = place{int(rank), int(part)}, binary.LittleEndian.Uint32(raw[n+k:])
	return nil
}

// cursor is that of the last row that is shown.
func (b *briefing) cursor() string {
	raw := binary.AppendUvarint(nil, uint64(b.latest.rank))
	raw = binary.AppendUvarint(raw, uint64(b.latest.part))
	return base64.RawURLEncoding.EncodeToString(binary.LittleEndian.AppendUint32(raw, b.last))
}

// section takes up what a section holds.
func (b *briefing) section(s *Section, above []*briefHead) {
	if s.hidden() {
		return
	}
	path := append(slices.Clip(above), &briefHead{id: s.ID, title: s.Title, depth: len(above)})
	tables, messages, before := 0, 0, len(b.parts)
	for i := range s.Items {
		it := &s.Items[i]
		switch {
		case !it.For.people():
		case it.Message != nil:
			b.message(path, messages, it.Message)
			messages++
		case it.Table != nil:
			b.rows(path, tables, it.Table)
			tables++
		case it.Chart != nil:
			b.rows(path, tables, &it.Chart.Table)
			tables++
		}
	}
	for i := range s.Sections {
		b.section(&s.Sections[i], path)
	}
	if len(b.parts) == before && s.Title != "" {
		b.add(&briefPart{path: path, total: 1}, briefRow{sum: sumOf(s.Title)})
	}
}

// add takes up a part that is one row.
func (b *briefing) add(p *briefPart, r briefRow) {
	at := place{p.base, len(b.parts)}
	b.parts = append(b.parts, p)
	if b.before(at, func() uint32 { return r.sum }) {
		p.passed = 1
		return
	}
	p.rows = []briefRow{r}
	b.weigh(at, len(p.lead)+b.rowCost(r.cells))
}

// before reports whether a row is not behind the cursor; at the cursor itself it
// looks whether the row is the one that was there.
func (b *briefing) before(at place, sum func() uint32) bool {
	c := at.compare(b.after)
	if c == 0 && sum() == b.sum {
		b.met = true
	}
	return c <= 0
}

// weigh counts a row among those of the least rank that any row yet to come can
// have: where these fill the budget, the rest of the document is not looked at.
func (b *briefing) weigh(at place, cost int) {
	if at.rank <= max(b.after.rank, 0) {
		b.floor += cost
	}
}

// message takes up what a rule says.
func (b *briefing) message(path []*briefHead, rank int, m *Message) {
	p := &briefPart{path: path, base: rank, id: "messages", total: 1, lead: b.lead(m)}
	b.add(p, briefRow{cells: []string{b.words(m.Text, b.long())}, sum: sumOf(m.Source, m.Title, m.Text)})
}

// rows takes up a table, as far as it can be of use.
func (b *briefing) rows(path []*briefHead, rank int, t *Table) {
	t = t.In(FormatJSON)
	p := &briefPart{path: path, base: rank, id: t.ID, title: t.Title, table: t}
	p.cols, p.key = briefColumns(t)
	if len(p.key) == 0 {
		p.key = namesOf(t)
		p.named = len(p.key) > 0
	}
	part := len(b.parts)
	b.parts = append(b.parts, p)
	own := 0
	p.total = -1
	r := 0
	for row := range t.All() {
		at := place{rank + r, part}
		key := p.keyOf(row, r)
		r++
		if b.before(at, func() uint32 { return sumRow(row) }) {
			p.passed++
			continue
		}
		line := briefRow{cells: b.cells(t, p, row, key), sum: sumRow(row)}
		p.rows = append(p.rows, line)
		cost := b.rowCost(line.cells)
		b.weigh(at, cost)
		if own += cost; own > b.Budget {
			if t.More == nil {
				p.total = len(t.Rows)
			}
			return
		}
	}
	p.total = r
	if r == 0 { // which is an answer, too
		b.parts = b.parts[:part]
		*p = briefPart{path: path, base: rank, id: t.ID, total: 1, lead: "table " + b.word(t.ID) + ": "}
		none := "no rows"
		if b.JSON {
			p.lead, none = `"table":`+b.word(t.ID), `"no rows"`
		}
		b.add(p, briefRow{cells: []string{none}, sum: sumOf(t.ID)})
	}
}

// briefColumns are the columns that are shown, and those of the key.
func briefColumns(t *Table) (cols, key []int) {
	metric, launch := false, false
	for _, c := range t.Columns {
		metric = metric || c.Role == RoleMetric
		launch = launch || c.Role == RoleLaunch
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		switch c.Role {
		case RoleOperand, RoleLaunch:
			key = append(key, i)
			continue
		case RoleMetric, RoleRule, RoleSection, RoleSet, RoleLine, RoleAddress, RoleOrder:
			if c.For.people() { // else it is more about the row than its name
				key = append(key, i)
				continue
			}
		case RoleID:
			if !launch {
				key = append(key, i)
				continue
			}
		case RoleLabel:
			if metric {
				continue
			}
		}
		if c.For.people() && c.Type != List {
			cols = append(cols, i)
		}
	}
	slices.SortStableFunc(key, func(x, y int) int { return cmp.Compare(keyOrder[t.Columns[x].Role], keyOrder[t.Columns[y].Role]) })
	return cols, key
}

// namesOf are the columns whose texts name what the rows are about; none where each
// is about a moment.
func namesOf(t *Table) (cols []int) {
	var devices []int // name a row where nothing else does
	for i := range t.Columns {
		switch t.Columns[i].Role {
		case RoleTime:
			return nil
		case RoleKernel, RoleOperation, RoleNVTX, RoleBenchmark, RoleFunction, RoleGrid, RoleBlock, RoleFile, RoleReport:
			cols = append(cols, i)
		case RoleDevice:
			devices = append(devices, i)
		}
	}
	if cols == nil {
		return devices
	}
	return cols
}

// keyOrder puts what is wider first.
var keyOrder = map[Role]int{RoleOperand: 0, RoleLaunch: 1, RoleID: 2, RoleLine: 3}

func init() {
	for i, r := range []Role{RoleOrder, RoleAddress, RoleSet, RoleSection, RoleRule, RoleMetric} {
		keyOrder[r] = 4 + i
	}
}

// gather leaves out the columns of a table without a value, and notes those whose
// cells are all alike.
func (p *briefPart) gather() {
	if p.table == nil || len(p.rows) == 0 {
		return
	}
	var keep []int
	for i := range p.cols {
		empty, alike := true, len(p.rows) > 2
		for _, r := range p.rows {
			empty = empty && (r.cells[i+1] == "" || r.cells[i+1] == "null" || r.cells[i+1] == `""`)
			alike = alike && r.cells[i+1] == p.rows[0].cells[i+1]
		}
		switch {
		case empty:
		case alike && len(p.rows[0].cells[i+1]) > 2:
			p.all = append(p.all, i)
		default:
			keep = append(keep, i)
		}
	}
	pick := func(from []int, of []int) (out []int) {
		for _, i := range of {
			out = append(out, from[i])
		}
		return out
	}
	for k := range p.rows {
		r := &p.rows[k]
		cells := []string{r.cells[0]}
		for _, i := range keep {
			cells = append(cells, r.cells[i+1])
		}
		for _, i := range p.all { // the first row carries them, behind its own
			if k == 0 {
				cells = append(cells, r.cells[i+1])
			}
		}
		r.cells = cells
	}
	p.all, p.cols = pick(p.cols, p.all), pick(p.cols, keep)
}

// choose takes rows in the order of their places as long as they fit.
func (b *briefing) choose(title string, spare int) {
	left := b.Budget - spare - b.frame(title)
	var order []place
	for i, p := range b.parts {
		p.shown = 0
		for _, h := range p.path {
			h.shown = false
		}
		for k := range p.rows {
			order = append(order, place{p.base + p.passed + k, i})
		}
	}
	slices.SortFunc(order, place.compare)
	b.latest = b.after
	for n, at := range order {
		p := b.parts[at.part]
		r := &p.rows[p.shown]
		cost := b.rowCost(r.cells[:p.width()]) + len(p.lead)
		if p.shown == 0 {
			cost += b.partCost(p)
		}
		if cost > left {
			if n > 0 || spare > 0 {
				return
			}
			b.shorten(p, r, left-b.partCost(p)-len(p.lead))
		}
		left -= cost
		for _, h := range p.path {
			h.shown = true
		}
		p.shown++
		b.latest, b.last = at, r.sum
	}
}

// width is the number of cells of a row as it is printed.
func (p *briefPart) width() int {
	if p.table == nil {
		return len(p.rows[0].cells)
	}
	return 1 + len(p.cols)
}

// shorten makes a row fit that alone is too long: its longest cells are emptied.
func (b *briefing) shorten(p *briefPart, r *briefRow, most int) {
	for b.rowCost(r.cells) > most {
		long := 0
		for i := range r.cells {
			if len(r.cells[i]) > len(r.cells[long]) {
				long = i
			}
		}
		if len(r.cells[long]) <= len(tooLong) {
			return
		}
		r.cells[long] = tooLong
	}
}

// tooLong stands for a text that does not fit at all.
const tooLong = `"…"`

func sumOf(texts ...string) uint32 {
	h := fnv.New32a()
	for _, s := range texts {
		io.WriteString(h, s)
		h.Write([]byte{0})
	}
	return h.Sum32()
}

func sumRow(row []Value) uint32 {
	h := fnv.New32a()
	var b []byte
	for i := range row {
		b = append(row[i].Aggregate().appendPlain(append(b[:0], row[i].text...)), 0)
		h.Write(b)
	}
	return h.Sum32()
}
