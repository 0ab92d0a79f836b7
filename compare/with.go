package compare

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/compare/sample"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// A Detail is something that goes with the change of a kernel's time: it does
// not say why, but where to look.
type Detail struct {
	Kind     DetailKind
	What     string // in words, or a line of source
	Metric   string // "" for findings and lines
	Unit     string
	Old, New float64  // NaN where it is a text or absent
	Texts    []string // old and new, of an attribute that is a text
	Finding  *Finding
	Ratio    float64 // NaN where it means nothing
	Better   Better  // which way is the better one
	File     string  // of a line, as the new side has it
	Line     int
}

// DetailKind is what a Detail tells of.
type DetailKind string

// The kinds, in the order in which they are told.
const (
	Attribute     DetailKind = "attribute" // exact: one run suffices
	FindingGained DetailKind = "new finding"
	FindingLost   DetailKind = "finding gone"
	MetricMoved   DetailKind = "metric"
	LineMoved     DetailKind = "source line" // share of the stalled samples
)

// attributeWords names attributes of a launch as people do, in the order of
// interest; others follow under their own names.
var attributeWords = []struct{ metric, words string }{
	{"launch__registers_per_thread", "registers"},
	{"launch__shared_mem_per_block_dynamic", "dynamic shared memory"},
	{"launch__shared_mem_per_block_static", "static shared memory"},
	{"launch__grid_size", "blocks"},
	{"launch__block_size", "threads per block"},
	{"launch__cluster_size", "cluster size"},
	{"launch__waves_per_multiprocessor", "waves"},
	{"launch__occupancy_limit_registers", "blocks per SM by registers"},
	{"launch__occupancy_limit_shared_mem", "blocks per SM by shared memory"},
	{"launch__occupancy_limit_warps", "blocks per SM by warps"},
	{"launch__func_cache_config", "cache configuration"},
}

// noAttribute are names of launch__ that are addresses, numbers of things, sums
// of curves, or follow from others.
var noAttribute = map[string]bool{
	"launch__function_pcs": true, "launch__context_id": true, "launch__stream_id": true, "launch__device_id": true, "launch__kernel_name": true,
	"launch__occupancy_per_block_size": true, "launch__occupancy_per_register_count": true, "launch__occupancy_per_shared_mem_size": true,
	"launch__block_dim_x": true, "launch__block_dim_y": true, "launch__block_dim_z": true, "launch__grid_dim_x": true, "launch__grid_dim_y": true,
	"launch__grid_dim_z": true, "launch__thread_count": true, "launch__registers_per_thread_allocated": true, "launch__shared_mem_per_block": true,
	"launch__shared_mem_per_block_allocated": true, "launch__shared_mem_config_size": true, "launch__func_id": true, "launch__graph_id": true,
	"launch__graph_node_id": true, "launch__launch_id": true, "launch__green_context_id": true,
}

// tellingMetrics are the metrics of which a change is told beside that of the
// time, with words for them, and the least change as a share.
var tellingMetrics = []struct {
	words, metric string
	least         float64
}{
	{"instructions executed", "smsp__inst_executed.sum", 0.02},
	{"instructions executed", "sm__inst_executed.sum", 0.02},
	{"DRAM traffic", "dram__bytes.sum", 0.05},
	{"DRAM reads", "dram__bytes_read.sum", 0.05},
	{"DRAM writes", "dram__bytes_write.sum", 0.05},
	{"L2 sectors", "lts__t_sectors.sum", 0.05},
	{"L2 hit rate", "lts__t_sector_hit_rate.pct", 0.05},
	{"L1 hit rate", "l1tex__t_sector_hit_rate.pct", 0.05},
	{"achieved occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", 0.05},
	{"issue slots busy", "sm__inst_issued.avg.pct_of_peak_sustained_active", 0.05},
	{"warp latency", "smsp__average_warp_latency_per_inst_issued.ratio", 0.05},
	{"bank conflicts", "l1tex__data_bank_conflicts_pipe_lsu.sum", 0.05},
	{"local memory loads", "smsp__sass_inst_executed_op_local_ld.sum", 0.02},
	{"local memory stores", "smsp__sass_inst_executed_op_local_st.sum", 0.02},
	{"threads per instruction", "smsp__thread_inst_executed_per_inst_executed.ratio", 0.02},
	{"thread instructions", "smsp__thread_inst_executed.sum", 0.02},
}

// With collects what goes with the change of a row. lines asks for source lines,
// which takes decoding the code of both sides.
func (c *Comparison) With(r *Row, lines bool) []Detail {
	out := c.Attributes(r)
	out = append(out, findingsMoved(r)...)
	out = append(out, c.metricsMoved(r)...)
	if lines {
		out = append(out, linesMoved(r)...)
	}
	return out
}

// Attributes are the attributes of the launch that differ.
func (c *Comparison) Attributes(r *Row) []Detail {
	old, new := r.OldEntity(), r.NewEntity()
	if old == nil || new == nil || c.Kind != Launches {
		return nil
	}
	words := map[string]string{}
	var names []string
	for _, a := range attributeWords {
		words[a.metric] = a.words
		names = append(names, a.metric)
	}
	mine := attributesOf(new)
	for _, name := range attributesOf(old) {
		if _, known := words[name]; known || noAttribute[name] || !strings.HasPrefix(name, attribute) {
			continue
		}
		if _, both := slices.BinarySearch(mine, name); both {
			names = append(names, name)
		}
	}
	var out []Detail
	for _, name := range names {
		d := Detail{Kind: Attribute, Metric: name, What: cmp.Or(words[name], strings.ReplaceAll(strings.TrimPrefix(name, attribute), "_", " ")), Ratio: math.NaN()}
		a, unit, ok1 := old.Value(name)
		b, _, ok2 := new.Value(name)
		if ok1 && ok2 {
			if a != b {
				d.Old, d.New, d.Unit = a, b, unit
				out = append(out, d)
			}
			continue
		}
		ta, tb := old.Source.Texts(name), new.Source.Texts(name)
		if len(ta) > 0 && len(tb) > 0 && !slices.Equal(ta, tb) {
			d.Old, d.New = math.NaN(), math.NaN()
			d.Texts = []string{strings.Join(ta, ", "), strings.Join(tb, ", ")}
			out = append(out, d)
		}
	}
	return out
}

// findingsOf are the findings of a side, each once. Runs of a side have the same
// program, so that what most of them say is its finding.
func findingsOf(side []*Entity) []Finding {
	count := map[[2]string]int{}
	var all []Finding
	runs := 0
	for _, e := range side {
		if e == nil {
			continue
		}
		runs++
		for _, f := range e.Source.Findings() {
			k := [2]string{f.Rule, f.Title}
			if count[k] == 0 {
				all = append(all, f)
			}
			count[k]++
		}
	}
	return slices.DeleteFunc(all, func(f Finding) bool { return 2*count[[2]string{f.Rule, f.Title}] <= runs })
}

// findingsMoved are findings that one side alone has, where both have any rules.
func findingsMoved(r *Row) []Detail {
	old, new := findingsOf(r.Old), findingsOf(r.New)
	if !hasRules(r.Old) || !hasRules(r.New) {
		return nil
	}
	var out []Detail
	for _, way := range []struct {
		kind       DetailKind
		have, lack []Finding
	}{{FindingGained, new, old}, {FindingLost, old, new}} {
		for _, f := range way.have {
			if !slices.ContainsFunc(way.lack, func(o Finding) bool { return o.Rule == f.Rule && o.Title == f.Title }) {
				d := Detail{Kind: way.kind, What: f.Title, Finding: &f, Old: math.NaN(), New: math.NaN(), Ratio: math.NaN(), File: f.File, Line: f.Line}
				out = append(out, d)
			}
		}
	}
	return out
}

// hasRules reports whether rules were applied to an entity of a side.
func hasRules(side []*Entity) bool {
	for _, e := range side {
		if e == nil {
			continue
		}
		for _, a := range e.actions() {
			if rs, _ := a.RuleResults(); len(rs) > 0 {
				return true
			}
		}
		if len(e.Source.Findings()) > 0 {
			return true
		}
	}
	return false
}

func (c *Comparison) metricsMoved(r *Row) []Detail {
	var out []Detail
	told := map[string]bool{}
	for _, m := range tellingMetrics {
		if told[m.words] || !has(r.OldEntity(), m.metric) || !has(r.NewEntity(), m.metric) {
			continue
		}
		ch := c.change(r, m.metric)
		old, new := ch.Medians()
		moved := old != new && (old <= 0 || new <= 0) || ch.Ratio.OK && math.Abs(math.Log(ch.Ratio.Value)) >= math.Log1p(m.least)
		if !moved {
			continue
		}
		told[m.words] = true
		d := Detail{Kind: MetricMoved, What: m.words, Metric: m.metric, Unit: ch.Unit, Old: old, New: new, Ratio: math.NaN(), Better: DirectionOf(m.metric).Better}
		if ch.Ratio.OK {
			d.Ratio = ch.Ratio.Value
		}
		out = append(out, d)
	}
	return out
}

// mostLines is how many lines are told, and leastShare the least move of a
// line's share of the stalled samples that is, in percent points.
const (
	mostLines  = 5
	leastShare = 1.0
)

// linesMoved are source lines whose share of the stalled samples moved most,
// joined by their text where lines shifted.
func linesMoved(r *Row) []Detail {
	old, new := lineShares(r.OldEntity()), lineShares(r.NewEntity())
	if len(old) == 0 || len(new) == 0 {
		return nil
	}
	var out []Detail
	for k, n := range new {
		if o := old[k].share; math.Abs(n.share-o) >= leastShare {
			out = append(out, Detail{Kind: LineMoved, What: n.text, Unit: "%", Old: o, New: n.share, File: n.file, Line: n.line, Ratio: math.NaN()})
		}
	}
	for k, o := range old {
		if _, both := new[k]; !both && o.share >= leastShare {
			out = append(out, Detail{Kind: LineMoved, What: o.text, Unit: "%", Old: o.share, New: 0, File: o.file, Line: o.line, Ratio: math.NaN()})
		}
	}
	slices.SortFunc(out, func(a, b Detail) int {
		return cmp.Or(cmp.Compare(math.Abs(b.New-b.Old), math.Abs(a.New-a.Old)), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out[:min(len(out), mostLines)]
}

// A lineKey is what stays of a line when others shift it: its file and text, and
// which of equal ones it is.
type lineKey struct {
	file, text string
	nth        int
}

type lineShare struct {
	file, text string
	line       int
	share      float64 // % of the stalled samples
}

// lineShares are the shares of the lines of a kernel in its stalled samples.
func lineShares(e *Entity) map[lineKey]lineShare {
	actions := e.actions()
	if len(actions) == 0 {
		return nil
	}
	a := actions[0]
	code, err := a.Code()
	if err != nil || code == nil || code.Lines == nil {
		return nil
	}
	type at struct {
		file string
		line int
	}
	count := map[at]float64{}
	total := 0.0
	ms, _ := a.Metrics()
	for _, m := range ms.All() {
		if !strings.HasPrefix(m.Name, "smsp__pcsamp_warps_issue_stalled_") || strings.HasSuffix(m.Name, "_not_issued") || strings.HasSuffix(m.Name, "_selected") {
			continue
		}
		for _, in := range m.Instances() {
			v := in.Value.Double()
			if in.ID.Kind() == metric.KindNone || !(v > 0) {
				continue
			}
			total += v
			if lines := code.Lines.At(in.ID.Uint64()); len(lines) > 0 {
				l := lines[len(lines)-1]
				count[at{l.File, l.Line}] += v
			}
		}
	}
	if total == 0 {
		return nil
	}
	text := map[string][]string{}
	for _, f := range code.Files {
		text[f.Path] = strings.Split(f.Text, "\n")
	}
	places := make([]at, 0, len(count))
	for p := range count {
		places = append(places, p)
	}
	slices.SortFunc(places, func(a, b at) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line)) })
	out := map[lineKey]lineShare{}
	for _, p := range places {
		s := lineShare{file: p.file, line: p.line, share: 100 * count[p] / total}
		k := lineKey{file: path.Base(strings.ReplaceAll(p.file, `\`, "/"))}
		if lines := text[p.file]; p.line >= 1 && p.line <= len(lines) {
			s.text = strings.TrimSpace(lines[p.line-1])
			k.text = strings.Join(strings.Fields(s.text), " ")
		} else {
			k.nth = p.line // without the source only the number is left
		}
		for _, taken := out[k]; taken; _, taken = out[k] {
			k.nth++
		}
		out[k] = s
	}
	return out
}

// Metrics compares every metric that both sides of a row have and wanted takes.
func (c *Comparison) Metrics(r *Row, wanted func(string) bool) []Change {
	old, new := r.OldEntity(), r.NewEntity()
	if old == nil || new == nil {
		return nil
	}
	mine := new.Source.Metrics()
	var out []Change
	for _, name := range old.Source.Metrics() {
		if wanted != nil && !wanted(name) {
			continue
		}
		if _, both := slices.BinarySearch(mine, name); !both {
			continue
		}
		ch := c.Change(r, name)
		if len(numbers(ch.Old)) == 0 || len(numbers(ch.New)) == 0 {
			continue
		}
		ch.Rank = sample.MannWhitney(numbers(ch.Old), numbers(ch.New))
		out = append(out, ch)
	}
	return out
}
