package view

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view/visible"
)

// defaultWidth is the width of drawings where the terminal's is not known, and
// minWidth the least in which there is something to see.
const (
	defaultWidth = 80
	minWidth     = 40
)

func (o Options) width() int {
	if o.Width == 0 {
		return defaultWidth
	}
	return max(o.Width, minWidth)
}

// chart draws c; where nothing can be drawn it prints the table, unless muted.
// The values behind the numbers stand in no drawing, so who asks for them gets
// the table, too.
func (t *textWriter) chart(c *Chart, at int, titles, muted bool) {
	if !t.o.Charts && !c.Table.Layout.or().Drawn {
		if !muted {
			t.table(&c.Table, at, titles)
		}
		return
	}
	p := plot{o: t.o, width: t.o.width() - at, cell: &cells{visible: true}, paint: t.painted}
	lines := p.draw(c)
	asked := t.o.Instances == InstancesValues || t.o.Instances == InstancesDetails
	if !muted && (lines == nil || asked) {
		t.table(&c.Table, at, titles)
		titles = false
	}
	if lines == nil {
		return
	}
	if titles && c.Table.Title != "" {
		t.folded(at, visible.String(c.Table.Title), "", 2)
	}
	for _, l := range lines {
		t.line(at, l)
	}
	t.line(0, "")
}

// plot draws charts as lines of at most width characters.
type plot struct {
	o     Options
	width int
	cell  *cells
	paint func(style, s string) string
}

// draw returns nil if there is nothing to draw.
func (p *plot) draw(c *Chart) []string {
	switch c.Kind {
	case BarChart:
		rows := expanded(p.rows(&c.Table))
		if c.Upright {
			if lines := p.columns(rows, c); lines != nil {
				return lines
			}
		}
		return p.bars(rows, c.Y)
	case HistogramChart:
		return p.histogram(c)
	case LineChart, TimelineChart:
		if cv := curveOf(c); cv != nil {
			return p.curve(c, cv)
		}
		rows := p.rows(&c.Table)
		if cv := seriesCurve(c, rows); cv != nil {
			return p.named(c, cv, p.curve(c, cv))
		}
		return p.sparklines(c)
	case HeatChart:
		return p.sparklines(c)
	case RooflineChart:
		return p.roofline(c)
	}
	return nil
}

// A plotRow is a row of a metric table: its label, its number as people read it,
// and the series behind it.
type plotRow struct {
	label, text string
	name        string // of the metric, "" for none
	value       float64
	unit        string // base unit of the number
	ok          bool   // has a number
	points      []Point
	listed      bool // the series is part of what the definition shows
}

// rows reads a table of metrics: the first column shown is the label, the column
// Any the number, beside a unit.
func (p *plot) rows(t *Table) []plotRow {
	label, value := -1, -1
	for i, c := range t.Columns {
		switch {
		case label < 0 && c.Type == Text && c.For.people():
			label = i
		case value < 0 && (c.Type == Any || c.Type == Number):
			value = i
		}
	}
	if label < 0 || value < 0 {
		return nil
	}
	o := p.o
	o.Instances = InstancesNone
	var out []plotRow
	for _, row := range t.Rows {
		if len(row) <= max(label, value) {
			continue
		}
		text := slices.Clone(p.cell.row(t, row, o))
		r := plotRow{label: text[label], text: text[value], value: row[value].Float64(), ok: row[value].Aggregate().IsNumber()}
		for i, v := range row {
			if v.kind == KindUnit && text[i] != "" {
				r.text, r.unit = r.text+" "+text[i], metric.ParseUnit(v.text).String()
			}
			if v.kind == KindSeries {
				r.points, r.listed = v.points, v.form == formListed
			}
			if i < len(t.Columns) && t.Columns[i].Role == RoleMetric {
				r.name = v.text
			}
		}
		out = append(out, r)
	}
	return toldApart(out)
}

// toldApart gives rows of one label, such as the rollups of a metric, what their names
// have behind the first dot.
func toldApart(rows []plotRow) []plotRow {
	count := map[string]int{}
	for _, r := range rows {
		count[r.label]++
	}
	for i, r := range rows {
		if _, rest, ok := strings.Cut(r.name, "."); ok && count[r.label] > 1 {
			rows[i].label += " (" + rest + ")"
		}
	}
	return rows
}

// mostInstances is how many bars a metric has whose instances are shown.
const mostInstances = 40

// expanded are rows with those in place of each whose instances are shown, the largest
// first: an instruction mix has a bar for each opcode.
func expanded(rows []plotRow) []plotRow {
	var out []plotRow
	for _, r := range rows {
		if !r.listed || len(r.points) == 0 {
			out = append(out, r)
			continue
		}
		points := slices.DeleteFunc(slices.Clone(r.points), func(x Point) bool { return !x.Value.IsNumber() || !finite(x.Value.Float64()) })
		slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(b.Value.Float64(), a.Value.Float64()) })
		for i, x := range points {
			if i == mostInstances {
				out = append(out, plotRow{label: "…", text: strconv.Itoa(len(points)-i) + " more"})
				break
			}
			label := x.ID.Text()
			if x.ID.IsNumber() {
				if label = string(x.ID.appendPlain(nil)); x.ID.Float64() >= 1<<32 { // an address
					label = string(Hex(x.ID.bits).appendPlain(nil))
				}
			}
			if label == "" {
				label = r.label + " " + strconv.Itoa(i)
			}
			out = append(out, plotRow{label: visible.String(label), text: prefixed(x.Value.Float64()), value: x.Value.Float64(), unit: r.unit, ok: true})
		}
	}
	return out
}

// columnsHeight is the height of bars that stand side by side.
const columnsHeight = 8

// columns draws bars side by side, with one scale; nil where they do not fit or have
// several units.
func (p *plot) columns(rows []plotRow, c *Chart) []string {
	units := scales(rows, c.Y)
	if len(units) != 1 || len(rows) == 0 || p.width/len(rows) < 6 {
		return nil
	}
	wide := min(p.width/len(rows), 24)
	labels := make([]string, len(rows))
	for i, r := range rows {
		labels[i] = r.label
	}
	short := shorten(labels, wide-1)
	var out []string
	if c.Y.Label != "" {
		out = append(out, fit(c.Y.Label, p.width))
	}
	for line := columnsHeight; line > 0; line-- {
		var b strings.Builder
		for _, r := range rows {
			part := 0.0
			if s := units[r.unit]; r.ok && s != nil {
				part = s.part(r.value) * columnsHeight
			}
			glyph := columnEighths[int(math.Round(max(0, min(1, part-float64(line-1)))*8))]
			b.WriteString(strings.Repeat(string(glyph), wide-2) + "  ")
		}
		out = append(out, p.paint(cyan, strings.TrimRight(b.String(), " ")))
	}
	var names, values strings.Builder
	for i, r := range rows {
		l := labels[i]
		if s, ok := short[l]; ok {
			l = s
		}
		names.WriteString(fit(l, wide-1) + " ")
		values.WriteString(fit(r.text, wide-1) + " ")
	}
	return append(out, strings.TrimRight(values.String(), " "), strings.TrimRight(names.String(), " "))
}

// labels are the labels of rows, all of one width: what they need, at most 40 % of a
// line. Longer ones are shortened in the middle, so that what tells them apart stays.
func (p *plot) labels(rows []plotRow) (labels []string, width int) {
	for _, r := range rows {
		labels = append(labels, r.label)
		width = max(width, utf8.RuneCountInString(r.label))
	}
	width = min(width, p.width*2/5)
	short := shorten(labels, width)
	for i, l := range labels {
		if s, ok := short[l]; ok {
			l = s
		}
		labels[i] = fit(l, width)
	}
	return labels, width
}

// fit cuts s to a width, or pads it.
func fit(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n <= width {
		return s + strings.Repeat(" ", width-n)
	}
	r := []rune(s)
	return string(r[:max(0, width-1)]) + "…"
}

// A scale is the range of numbers that a width stands for.
type scale struct {
	least, most float64
}

// part is where v lies within the range, between 0 and 1.
func (s *scale) part(v float64) float64 {
	if !finite(v) || s.most <= s.least {
		return 0
	}
	return min(1, max(0, (v-s.least)/(s.most-s.least)))
}

// scales are those of the units of rows: bars of bytes and of percent have nothing in
// common. The range of an axis holds for all.
func scales(rows []plotRow, axis Axis) map[string]*scale {
	out := map[string]*scale{}
	for _, r := range rows {
		if !r.ok || !finite(r.value) {
			continue
		}
		s := out[r.unit]
		if s == nil {
			s = &scale{}
			out[r.unit] = s
		}
		s.least, s.most = min(s.least, r.value), max(s.most, r.value)
	}
	for _, s := range out {
		if axis.HasMin {
			s.least = axis.Min
		}
		if axis.HasMax && axis.Max > s.least {
			s.most = axis.Max
		}
	}
	return out
}

// bars draws a bar for each row, from 0 or the axis' minimum, with one scale a unit.
func (p *plot) bars(rows []plotRow, axis Axis) []string {
	units := scales(rows, axis)
	if len(units) == 0 {
		return nil
	}
	labels, label := p.labels(rows)
	text := 0
	for _, r := range rows {
		text = max(text, utf8.RuneCountInString(r.text))
	}
	text = min(text, p.width/3)
	room := p.width - label - text - 2
	var out []string
	if axis.Label != "" {
		out = append(out, strings.TrimRight(fit(fit("", label+1)+axis.Label, p.width), " "))
	}
	for i, r := range rows {
		n := 0.0
		if s := units[r.unit]; r.ok && s != nil {
			n = s.part(r.value)
		}
		bar := barOf(n, room)
		out = append(out, labels[i]+" "+p.paint(cyan, bar)+strings.Repeat(" ", room-utf8.RuneCountInString(bar)+1)+right(r.text, text))
	}
	if len(units) == 1 && (axis.HasMin || axis.HasMax || axis.Ticks > 1) {
		for _, s := range units {
			out = append(out, strings.TrimRight(fit("", label+1)+tickLine(s, axis.Ticks, room), " "))
		}
	}
	return out
}

// tickLine is the axis below bars: its ends, and as many places as are asked for.
func tickLine(s *scale, ticks, width int) string {
	ticks = max(2, min(ticks, width/6))
	line := []rune(strings.Repeat(" ", width))
	for i := range ticks {
		v := s.least + (s.most-s.least)*float64(i)/float64(ticks-1)
		text := []rune(prefixed(v))
		at := max(0, min(width-len(text), int(math.Round(float64(width-1)*float64(i)/float64(ticks-1)))-len(text)/2))
		copy(line[at:], text)
	}
	return string(line)
}

func right(s string, width int) string {
	if n := utf8.RuneCountInString(s); n < width {
		return strings.Repeat(" ", width-n) + s
	}
	return strings.TrimRight(fit(s, width), " ")
}

var eighths = []rune(" ▏▎▍▌▋▊▉")

// barOf is a bar of a part of width, in eighths of a character.
func barOf(part float64, width int) string {
	n := int(math.Round(part * float64(width) * 8))
	if part > 0 && n == 0 {
		n = 1
	}
	s := strings.Repeat("█", n/8)
	if n%8 > 0 {
		s += string(eighths[n%8])
	}
	return s
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// maxBins bounds the bins of a histogram; a definition can ask for any number.
const maxBins = 64

// histogram counts the values of the series in bins of equal width.
func (p *plot) histogram(c *Chart) []string {
	var values []float64
	unit := ""
	for _, r := range p.rows(&c.Table) {
		unit = p.unit(r.points)
		for _, x := range r.points {
			if f := x.Value.Float64(); x.Value.IsNumber() && finite(f) {
				values = append(values, f)
			}
		}
	}
	if len(values) == 0 {
		return nil
	}
	low, high := slices.Min(values), slices.Max(values)
	bins := 10
	if c.Bins > 0 {
		bins = min(c.Bins, maxBins)
	}
	if low == high {
		bins = 1
	}
	counts := make([]int, bins)
	for _, v := range values {
		counts[binOf(v, low, high, bins)]++
	}
	rows := make([]plotRow, bins)
	for i, n := range counts {
		from := low + (high-low)*float64(i)/float64(bins)
		to := low + (high-low)*float64(i+1)/float64(bins)
		rows[i] = plotRow{label: prefixed(from) + " – " + prefixed(to) + unit, text: strconv.Itoa(n), value: float64(n), ok: true}
	}
	return p.bars(rows, c.Y)
}

// binOf is the bin of v among those between low and high.
func binOf(v, low, high float64, bins int) int {
	if high <= low {
		return 0
	}
	// Halves, so that the distance of two doubles is one, too.
	at := (v/2 - low/2) / (high/2 - low/2) * float64(bins)
	return min(bins-1, max(0, int(at)))
}

var sparks = []rune("▁▂▃▄▅▆▇█")

// sparklines draws each series as one line, with its least and largest value.
func (p *plot) sparklines(c *Chart) []string {
	var rows []plotRow
	ends := [2]float64{math.Inf(1), math.Inf(-1)}
	for _, r := range p.rows(&c.Table) {
		if r.points = within(ordered(r.points), c); len(r.points) == 0 {
			continue
		}
		if c.Kind == TimelineChart || c.Kind == HeatChart {
			sinceFirst(r.points)
		}
		low, high := valueRange(r.points)
		r.text = prefixed(low) + " – " + prefixed(high) + p.unit(r.points)
		if r.points[0].ID.IsNumber() {
			ends[0] = min(ends[0], r.points[0].ID.Float64())
			ends[1] = max(ends[1], r.points[len(r.points)-1].ID.Float64())
		}
		rows = append(rows, r)
	}
	if rows == nil {
		return nil
	}
	if c.Kind == LineChart && ends[1] >= ends[0] {
		if c.X.HasMin {
			ends[0] = min(ends[0], c.X.Min)
		}
		if c.X.HasMax {
			ends[1] = max(ends[1], c.X.Max)
		}
	}
	labels, label := p.labels(rows)
	text := 0
	for _, r := range rows {
		text = max(text, utf8.RuneCountInString(r.text))
	}
	room := max(8, p.width-label-text-2)
	var out []string
	for i, r := range rows {
		out = append(out, strings.TrimRight(labels[i]+" "+p.paint(cyan, spark(r.points, ends, c.Y, room))+" "+right(r.text, text), " "))
	}
	if ends[1] > ends[0] {
		from, to := prefixed(ends[0]), prefixed(ends[1])
		if c.Kind == TimelineChart || c.Kind == HeatChart {
			from, to = "0", prefixed((ends[1]-ends[0])/1e9)+"s"
		}
		axis := from + strings.Repeat(" ", max(1, room-utf8.RuneCountInString(from+to))) + to
		if c.Kind == LineChart && c.X.Ticks > 1 {
			axis = tickLine(&scale{ends[0], ends[1]}, c.X.Ticks, room)
		}
		if n := utf8.RuneCountInString(axis) + 1 + utf8.RuneCountInString(c.X.Label); c.X.Label != "" && label+1+n <= p.width {
			axis += " " + c.X.Label
		}
		out = append(out, fit("", label+1)+axis)
		for _, g := range c.X.Guides {
			if g.At < ends[0] || g.At > ends[1] {
				continue
			}
			at := binOf(g.At, ends[0], ends[1], room)
			out = append(out, fit("", label+1)+fit(strings.Repeat(" ", at)+"▲ "+prefixed(g.At)+" "+visible.String(g.Label), max(room, p.width-label-1)))
		}
	}
	if c.Kind == LineChart && c.Y.HasMin && c.Y.HasMax && c.Y.Max > c.Y.Min {
		out = append(out, fit(fit("", label+1)+"height of a line: "+strings.TrimSpace(prefixed(c.Y.Min)+" – "+prefixed(c.Y.Max)+" "+visible.String(c.Y.Label)), p.width))
	}
	for i := range out {
		out[i] = strings.TrimRight(out[i], " ")
	}
	return out
}

// within are the points of a series that lie in the range of the x axis of a line chart.
func within(points []Point, c *Chart) []Point {
	if c.Kind != LineChart || !c.X.HasMin && !c.X.HasMax {
		return points
	}
	return slices.DeleteFunc(points, func(x Point) bool {
		at := x.ID.Float64()
		return x.ID.IsNumber() && (c.X.HasMin && at < c.X.Min || c.X.HasMax && at > c.X.Max)
	})
}

// unit is the unit of a series, with a blank before; prefixes stand with the
// numbers.
func (p *plot) unit(points []Point) string {
	if len(points) == 0 {
		return ""
	}
	if u := metric.ParseUnit(points[0].Value.Unit()).Base().UnitString(p.o.dialect()); u != "" {
		return " " + u
	}
	return ""
}

// ordered are the numbers of a series in the order of their ids.
func ordered(points []Point) []Point {
	var out []Point
	for _, x := range points {
		if x.Value.IsNumber() && finite(x.Value.Float64()) {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b Point) int { return cmp.Compare(a.ID.Float64(), b.ID.Float64()) })
	return out
}

// sinceFirst counts times from the first of a series: each pass over a workload
// that is run again and again samples other metrics, at another time.
func sinceFirst(points []Point) {
	if first := points[0].ID; first.IsNumber() {
		for i := range points {
			points[i].ID = Float(points[i].ID.Float64()-first.Float64(), "")
		}
	}
}

func valueRange(points []Point) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range points {
		low, high = min(low, x.Value.Float64()), max(high, x.Value.Float64())
	}
	return low, high
}

// spark draws the means of a series in columns between the ends. Where a column
// has no point it is blank, unless the series has fewer points than columns: then
// the point before holds. The range of the axis is the height, else that of the series.
func spark(points []Point, ends [2]float64, y Axis, width int) string {
	sum, n := make([]float64, width), make([]int, width)
	for i, x := range points {
		at := binOf(float64(i), 0, float64(len(points)), width)
		if x.ID.IsNumber() && ends[1] > ends[0] {
			at = binOf(x.ID.Float64(), ends[0], ends[1], width)
		}
		sum[at] += x.Value.Float64()
		n[at]++
	}
	low, high := valueRange(points)
	low = min(low, 0)
	if y.HasMin {
		low = y.Min
	}
	if y.HasMax && y.Max > low {
		high = y.Max
	}
	out := make([]rune, width)
	last := ' '
	for i := range out {
		if n[i] > 0 {
			last = sparks[binOf(sum[i]/float64(n[i]), low, high, len(sparks))]
		} else if len(points) >= width {
			last = ' '
		}
		out[i] = last
	}
	return string(out)
}

// prefixed is a number with three digits and a decimal prefix: "1.52G".
func prefixed(v float64) string {
	if !finite(v) || v == 0 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	const names = "num kMGTPE" // the blank stands for none
	step := int(math.Floor(math.Log10(math.Abs(v)) / 3))
	step = max(-3, min(step, 6))
	m := v / math.Pow(1000, float64(step))
	if math.Abs(m) >= 999.5 && step < 6 {
		m, step = m/1000, step+1
	}
	s := strconv.FormatFloat(m, 'g', 3, 64)
	if step != 0 {
		s += names[step+3 : step+4]
	}
	return s
}
