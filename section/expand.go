package section

import (
	"regexp"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// expand returns the metrics that the prefix of m asks for among ms, nil if m has
// no prefix, the launch does not have the group, or an expression is broken.
func (b *Builder) expand(m *Metric, arch int, ms *profile.MetricSet) []Metric {
	expr, isRegex := strings.CutPrefix(m.Name, "regex:")
	if !isRegex && !strings.HasPrefix(m.Name, "group:") && !strings.HasPrefix(m.Name, "breakdown:") {
		return nil
	}
	if isRegex {
		return b.expandRegex(m, arch, expr, ms)
	}
	v := ms.Lookup(m.Name)
	if v == nil {
		return nil
	}
	key := expansion{m.Name, m.Label, v.Value.Text(), arch}
	out, ok := b.expansions[key]
	if !ok {
		for _, name := range strings.Split(key.list, ",") {
			if name != "" {
				out = append(out, b.named(m, arch, name))
			}
		}
		b.expansions[key] = out
	}
	return out
}

// An expansion is what the members of a group of metrics depend on.
type expansion struct {
	name, label, list string
	arch              int
}

// expandRegex finds the metrics in whose names expr is found, by name; nil if
// expr is no expression.
func (b *Builder) expandRegex(m *Metric, arch int, expr string, ms *profile.MetricSet) []Metric {
	re, ok := b.regexps[expr]
	if !ok {
		re, _ = regexp.Compile(expr)
		b.regexps[expr] = re
	}
	if re == nil {
		return nil
	}
	out := []Metric{}
	for _, v := range ms.Sorted() {
		if re.MatchString(v.Name) {
			out = append(out, b.named(m, arch, v.Name))
		}
	}
	return out
}

// named is the member called name of the group m. Members of a group share its
// label, so the name follows in parentheses, unless the label is a pattern.
func (b *Builder) named(m *Metric, arch int, name string) Metric {
	out := *m
	out.Name, out.Unit = name, b.options.Unit(name, arch)
	switch {
	case !m.HasLabel:
	case strings.Contains(m.Label, "{UNIT}") || strings.Contains(m.Label, "{COMPOUND_NAME}"):
		p := metric.Split(name)
		unit, ok := unitNames[p.Unit]
		if !ok {
			unit = strings.ToUpper(p.Unit)
		}
		out.Label = strings.NewReplacer("{UNIT}", unit, "{COMPOUND_NAME}", compoundName(p)).Replace(m.Label)
	default:
		out.Label = m.Label + " (" + name + ")"
	}
	return out
}

// unitNames are the names of hardware units in labels where they differ from
// the words in metric names.
var unitNames = map[string]string{"l1tex": "L1", "lts": "L2", "fbpa": "DRAM"}

// compoundName is the quantity of a metric in words: "Inst Executed Pipe Lsu".
func compoundName(p metric.Parts) string {
	words := strings.Split(strings.TrimPrefix(p.Base, p.Unit+"__"), "_")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}
