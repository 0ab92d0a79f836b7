package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view/visible"
)

// short and long bound the bytes of a text in a cell, and of one that is the point
// of its row.
func (b *briefing) short() int { return max(b.Budget/40, 100) }
func (b *briefing) long() int  { return max(b.Budget/12, 240) }

// words is a text that may come from a file: in quotes, with what does not fit
// counted behind them.
func (b *briefing) words(s string, most int) string {
	rest := 0
	if len(s) > most+8 {
		at := most
		for at > 0 && !utf8.RuneStart(s[at]) {
			at--
		}
		s, rest = s[:at], len(s)-at
	}
	if b.JSON {
		if rest > 0 {
			s += fmt.Sprintf("… +%d bytes", rest)
		}
		return quoted(s)
	}
	q := `"` + briefEscaper.Replace(visible.String(strings.ReplaceAll(s, `\`, `\\`))) + `"`
	if rest > 0 {
		q += fmt.Sprintf("+%d", rest)
	}
	return q
}

// briefEscaper keeps a text within its quotes, its cell and its line.
var briefEscaper = strings.NewReplacer(`"`, `\"`, "|", `\|`, "\n", `\n`, "\t", `\t`)

// word is a name: bare where it is one word, else as any text.
func (b *briefing) word(s string) string {
	if b.JSON || !isWord(s) {
		return b.words(s, b.short())
	}
	return s
}

// isWord reports whether a text is a name that needs no quotes.
func isWord(s string) bool {
	if s == "" || len(s) > 80 {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("_.:%/+-#", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// cells are the key of a row and its shown cells.
func (b *briefing) cells(t *Table, p *briefPart, row []Value, key string) []string {
	out := make([]string, 1, 1+len(p.cols))
	out[0] = b.word(key)
	for _, i := range p.cols {
		if i >= len(row) {
			out = append(out, b.null())
			continue
		}
		most := b.short()
		if r := t.Columns[i].Role; r == RoleFinding || r == RoleCode {
			most = b.long()
		}
		out = append(out, b.value(row[i], most))
	}
	return out
}

// mostKeys is how many keys of a table are told from each other.
const mostKeys = 1 << 16

// keyOf is the key of a row: its cells that name it, counted where they name more
// than one; else its number.
func (p *briefPart) keyOf(row []Value, number int) string {
	var b []byte
	for _, i := range p.key {
		if i >= len(row) {
			continue
		}
		if v := row[i].Aggregate(); v.kind == KindString || v.IsNumber() {
			if len(b) > 0 {
				b = append(b, '/')
			}
			b = v.appendPlain(append(b, v.text...))
		}
	}
	if len(b) == 0 {
		return "#" + strconv.Itoa(number)
	}
	if p.named {
		b = fmt.Appendf(b[:0], "k%08x", sumOf(string(b)))
	}
	if len(p.seen) < mostKeys {
		if p.seen == nil {
			p.seen = map[string]int{}
		}
		p.seen[string(b)]++
	}
	if n := p.seen[string(b)]; n > 1 {
		b = strconv.AppendInt(append(b, '#'), int64(n), 10)
	}
	return string(b)
}

func (b *briefing) null() string {
	if b.JSON {
		return "null"
	}
	return ""
}

// value is a cell: raw.
func (b *briefing) value(v Value, most int) string {
	v = v.Aggregate()
	switch {
	case v.kind == KindString && v.text == "", v.kind == KindNull:
		return b.null()
	case v.kind == KindString:
		return b.words(v.text, most)
	case v.kind == KindUnit:
		if u := unitText(v.text, b.o); u != "" {
			return b.word(u)
		}
		return b.null()
	case v.kind == KindFloat:
		return b.float(v.Float64())
	case v.form == formNamed && v.text != "":
		return b.words(v.text, most)
	case v.form == formHex && b.JSON:
		return `"` + string(v.appendPlain(nil)) + `"`
	}
	return string(v.appendPlain(nil))
}

// float is a number: exact where it is whole, else to six digits, and to all of
// those before the point.
func (b *briefing) float(x float64) string {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		s := strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64))
		if b.JSON {
			return `"` + s + `"`
		}
		return s
	case x == math.Trunc(x) && a < 1<<53:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case a >= 1e6 && a < 1<<53:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

func unitText(unit string, o Options) string {
	return metric.ParseUnit(unit).Base().UnitString(o.dialect())
}

// heading is the name of a column with the unit of the numbers below.
func (b *briefing) heading(c *Column) string {
	name := c.Name
	if u := unitText(c.Unit, b.o); u != "" {
		name += "[" + u + "]"
	}
	if b.JSON {
		return b.words(name, b.short())
	}
	if isWord(strings.NewReplacer("[", "", "]", "").Replace(name)) {
		return name
	}
	return b.words(name, b.short())
}

// keyHeading says what the key is made of.
func (b *briefing) keyHeading(p *briefPart) string {
	var names []string
	for _, i := range p.key {
		names = append(names, p.table.Columns[i].Name)
	}
	switch {
	case len(names) == 0:
		names = []string{"row"}
	case p.named:
		names = []string{"key:" + strings.Join(names, ":")}
	}
	return b.word(strings.Join(names, "/"))
}

// lead is what stands before the text of a message: how serious it is, what it
// may gain, and who says it.
func (b *briefing) lead(m *Message) string {
	if b.JSON {
		s := `"type":"` + string(m.Type) + `"`
		if m.Speedup != nil {
			s += `,"speedup":` + b.float(m.Speedup.Percent) + `,"scope":"` + m.Speedup.Scope() + `"`
		}
		if m.Source != "" {
			s += `,"source":` + b.word(m.Source)
		}
		if m.Title != "" && m.Title != m.Source {
			s += `,"title":` + b.words(m.Title, b.short())
		}
		return s
	}
	s := "- " + string(m.Type)
	if m.Speedup != nil {
		s += " " + m.Speedup.Scope() + " speedup " + b.float(m.Speedup.Percent) + "%"
	}
	if m.Source != "" {
		s += " " + b.word(m.Source)
	}
	if m.Title != "" && m.Title != m.Source {
		s += " " + b.words(m.Title, b.short())
	}
	return s + ": "
}

// text is the answer.
func (b *briefing) text(title string) string {
	if b.JSON {
		return b.object(title)
	}
	var s strings.Builder
	s.WriteString("# " + b.word(title) + "\n")
	for _, p := range b.parts {
		for _, h := range p.path {
			if h.shown && p.shown > 0 {
				h.shown = false // said
				s.WriteString(b.headText(h))
			}
		}
		switch {
		case p.shown == 0:
		case p.table == nil && len(p.rows[0].cells) > 0:
			s.WriteString(p.lead + p.rows[0].cells[0] + "\n")
		case p.table != nil:
			s.WriteString(b.tableHead(p))
			for i := range p.shown {
				s.WriteString(strings.Join(p.rows[i].cells[:p.width()], "|") + "\n")
			}
		}
	}
	for _, l := range b.footer() {
		s.WriteString("> " + l[0] + ": " + l[1] + "\n")
	}
	return s.String()
}

func (b *briefing) headText(h *briefHead) string {
	s := strings.Repeat("#", min(h.depth+2, 6))
	if h.id != "" {
		s += " " + b.word(h.id)
	}
	if h.title != "" && !strings.EqualFold(h.title, h.id) {
		s += " " + b.words(h.title, b.long())
	}
	return s + "\n"
}

func (b *briefing) tableHead(p *briefPart) string {
	var s strings.Builder
	if own := p.path[len(p.path)-1]; p.id != "" && p.id != own.id || p.title != "" {
		s.WriteString("table " + b.word(p.id))
		if p.title != "" && !strings.EqualFold(p.title, p.id) {
			s.WriteString(" " + b.words(p.title, b.short()))
		}
		s.WriteString("\n")
	}
	for k, i := range p.all {
		lead := ", "
		if k == 0 {
			lead = "all rows: "
		}
		s.WriteString(lead + b.heading(&p.table.Columns[i]) + " " + p.rows[0].cells[p.width()+k])
	}
	if len(p.all) > 0 {
		s.WriteString("\n")
	}
	s.WriteString(b.keyHeading(p))
	for _, i := range p.cols {
		s.WriteString("|" + b.heading(&p.table.Columns[i]))
	}
	return s.String() + "\n---" + strings.Repeat("|---", len(p.cols)) + "\n"
}

// footer are the words of the tool behind an answer, each under its name.
func (b *briefing) footer() (lines [][2]string) {
	var notes []string
	if b.Notes != nil {
		notes = b.Notes()
	}
	for i, n := range notes {
		if i == 4 {
			lines = append(lines, [2]string{"note", fmt.Sprintf("and %d notes more", len(notes)-i)})
			break
		}
		lines = append(lines, [2]string{"note", b.words(n, max(b.Budget/32, 160))})
	}
	if left := b.left(); left != "" {
		lines = append(lines, [2]string{"left out", left})
		if b.latest.rank >= 0 {
			lines = append(lines, [2]string{"cursor", b.cursor()})
		}
		if b.Narrow != "" {
			lines = append(lines, [2]string{"narrow", b.Narrow})
		}
	}
	if len(b.Next) > 0 {
		lines = append(lines, [2]string{"next", strings.Join(b.Next, "; ")})
	}
	return lines
}

// most is how many tables the account of what is left out names.
const most = 4

// left says what is left out behind the rows that are shown, "" for nothing.
func (b *briefing) left() string {
	var named []string
	parts, rows, sure := 0, 0, true
	for _, p := range b.parts {
		n := p.total - p.passed - p.shown
		if p.total < 0 {
			n, sure = len(p.rows)-p.shown, false
		}
		if n <= 0 && p.total >= 0 {
			continue
		}
		parts++
		rows += n
		if parts > most {
			continue
		}
		name := p.id
		if own := p.path[len(p.path)-1].id; own != "" && own != p.id {
			name = own + "/" + p.id
		}
		more := ""
		if p.total < 0 {
			more = " and more"
		}
		named = append(named, fmt.Sprintf("%d%s of %s", n, more, b.bare(name)))
	}
	var s string
	switch {
	case parts == 0 && !b.cut:
		return ""
	case parts <= most:
		s = "rows: " + strings.Join(named, ", ")
	default:
		s = fmt.Sprintf("%d rows in %d tables: %s, …", rows, parts, strings.Join(named, ", "))
		if !sure {
			s = "more than " + s
		}
	}
	if parts == 0 {
		s = "further sections"
	} else if b.cut {
		s += "; further sections"
	}
	return s
}

// bare is a name within a sentence of the tool.
func (b *briefing) bare(s string) string {
	if isWord(s) {
		return s
	}
	json := b.JSON
	b.JSON = false
	defer func() { b.JSON = json }()
	return b.words(s, 40)
}

// object is the answer in JSON.
func (b *briefing) object(title string) string {
	var s strings.Builder
	s.WriteString(`{"schema":"` + briefSchema + `","title":` + b.word(title) + `,"data":[`)
	first := true
	for _, p := range b.parts {
		if p.shown == 0 {
			continue
		}
		if !first {
			s.WriteString(",")
		}
		first = false
		s.WriteString(b.partObject(p))
	}
	s.WriteString("]")
	var notes []string
	for _, l := range b.footer() {
		switch l[0] {
		case "note":
			if !strings.HasPrefix(l[1], `"`) {
				l[1] = quoted(l[1])
			}
			notes = append(notes, l[1])
		default:
			s.WriteString(`,"` + strings.ReplaceAll(l[0], " ", "_") + `":` + quoted(l[1]))
		}
	}
	if len(notes) > 0 {
		s.WriteString(`,"notes":[` + strings.Join(notes, ",") + "]")
	}
	return s.String() + "}\n"
}

// quoted is a text in JSON; as nobody puts it into a page of HTML, < stays.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // cannot fail for a string
	j := jsonWriter{}
	j.quoted(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return string(j.b)
}

// partObject is a table or a message in JSON, with the sections that it is in.
func (b *briefing) partObject(p *briefPart) string {
	var s strings.Builder
	s.WriteString(b.objectHead(p))
	if p.table == nil {
		if len(p.rows[0].cells) > 0 {
			s.WriteString("," + p.lead + `,"text":` + p.rows[0].cells[0])
		}
		return s.String() + "}"
	}
	for i := range p.shown {
		if i > 0 {
			s.WriteString(",")
		}
		s.WriteString("[" + strings.Join(p.rows[i].cells[:p.width()], ",") + "]")
	}
	return s.String() + "]}"
}

func (b *briefing) objectHead(p *briefPart) string {
	var s strings.Builder
	s.WriteString(`{"section":[`)
	for i, h := range p.path {
		if i > 0 {
			s.WriteString(",")
		}
		s.WriteString(b.word(h.id))
	}
	own := p.path[len(p.path)-1]
	s.WriteString("]")
	if title := own.title; title != "" && !strings.EqualFold(title, own.id) {
		s.WriteString(`,"section_title":` + b.words(title, b.long()))
	}
	if p.table == nil {
		return s.String()
	}
	s.WriteString(`,"table":` + b.word(p.id))
	for k, i := range p.all {
		lead := ","
		if k == 0 {
			lead = `,"all_rows":{`
		}
		s.WriteString(lead + b.heading(&p.table.Columns[i]) + ":" + p.rows[0].cells[p.width()+k])
	}
	if len(p.all) > 0 {
		s.WriteString("}")
	}
	s.WriteString(`,"columns":[` + b.keyHeading(p))
	for _, i := range p.cols {
		s.WriteString("," + b.heading(&p.table.Columns[i]))
	}
	return s.String() + `],"rows":[`
}

// rowCost, partCost and frame are bytes: of a row, of what stands around the rows
// of a part, and of what stands around all of it.
func (b *briefing) rowCost(cells []string) int {
	n := 3 + len(cells)
	for _, c := range cells {
		n += len(c)
	}
	return n
}

func (b *briefing) partCost(p *briefPart) int {
	if b.JSON {
		return len(b.objectHead(p)) + 8
	}
	n := 0
	for _, h := range p.path {
		if !h.shown {
			n += len(b.headText(h))
		}
	}
	if p.table != nil {
		n += len(b.tableHead(p))
	}
	return n
}

func (b *briefing) frame(title string) int {
	n := len(title) + 100
	for _, l := range b.footer() {
		if l[0] == "note" || l[0] == "next" {
			n += len(l[0]) + len(l[1]) + 6
		}
	}
	return n + len(b.Narrow) + 340 // of what is left out, and a cursor
}
