package expr

import (
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// Rules say how instances are combined.
type Rules uint8

const (
	// guide are the rules of the vendor's guide. Reports of releases before
	// 2023.3 agree with them.
	guide Rules = iota

	// tool are the rules of releases since 2023.3, as their reports show. They
	// differ in that
	//   - the regular value of a result with instances is the sum of these, in
	//     the kind that the guide's value has;
	//   - ids on the right side alone give an instance for each: the left
	//     regular value with that of the right side;
	//   - a quotient has no instance for an id of the right side alone.
	// That the last holds for division alone is a guess: no known report has
	// differing ids in a sum.
	tool
)

// RulesOf are the rules of a release, such as "2024.1.0.0 (build 33894964)"; of
// one that cannot be read, those of the guide.
func RulesOf(release string) Rules {
	var year, minor int
	if n, _ := fmt.Sscanf(release, "%d.%d", &year, &minor); n == 2 && (year > 2023 || year == 2023 && minor >= 3) {
		return tool
	}
	return guide
}

// An Operand is what expressions compute with: a regular value and instances.
type Operand struct {
	Value     metric.Value // KindNone if it has none
	series    bool         // the instances are samples over time
	instances []profile.Instance
	metric    *profile.Metric // has instances that are not decoded yet
}

// Of returns a metric as an operand. Its instances are decoded when they are
// needed, and once.
func Of(m *profile.Metric) Operand {
	o := Operand{Value: m.Value, series: m.Series}
	if m.NumInstances() > 0 {
		o.metric = m
	}
	return o
}

// Instances returns the instances. The result is shared: do not change it.
func (o *Operand) Instances() []profile.Instance {
	if o.metric != nil {
		o.instances, o.metric = o.metric.Instances(), nil
	}
	return o.instances
}

// Metric returns the operand as a metric.
func (o *Operand) Metric(name string) profile.Metric {
	m := profile.NewMetric(name, o.Value, o.Instances())
	m.Series = o.series && m.NumInstances() > 0
	return m
}

// Eval computes the expression. The operands are those of [Expr.Names], in that
// order; their instances are decoded where needed. The error is a *[ValueError].
func (e *Expr) Eval(operands []*Operand, rules Rules) (*Operand, error) {
	stack := make([]*Operand, 0, 4)
	for i, s := range e.code {
		top := len(stack) - 1
		switch s.op {
		case opName:
			stack = append(stack, operands[s.index])
		case opConstant:
			stack = append(stack, &Operand{Value: s.value})
		case opSimplify:
			stack[top] = &Operand{Value: stack[top].Value}
		case opNaNAsZero:
			stack[top] = mapValues(stack[top], nanAsZero)
		default:
			c := combination{op: s.op, rules: rules, a: stack[top-1], b: stack[top]}
			out, side := c.combine()
			if side != "" {
				return nil, &ValueError{Text: e.text, Offset: e.offsets[i], Op: s.op.String(), Side: side}
			}
			stack, stack[top-1] = stack[:top], out
		}
	}
	return stack[0], nil
}

func mapValues(o *Operand, f func(metric.Value) metric.Value) *Operand {
	out := &Operand{Value: f(o.Value), series: o.series, instances: slices.Clone(o.Instances())}
	for i := range out.instances {
		out.instances[i].Value = f(out.instances[i].Value)
	}
	return out
}

// A combination is one operator between two operands.
type combination struct {
	op    op
	rules Rules
	a, b  *Operand
}

// combine returns the result, or the side whose regular value is missing.
func (c *combination) combine() (out *Operand, missing string) {
	if c.a.Value.Kind() == metric.KindString {
		return c.a, ""
	}
	out = &Operand{Value: apply(c.op, c.a.Value, c.b.Value), series: c.a.series || c.b.series}
	a, b := c.a.Instances(), c.b.Instances()
	left, right := haveIDs(a), haveIDs(b)
	switch {
	case !left && !right:
		out.instances = c.zip(a, b)
	case left && right:
		out.instances = c.join(a, b)
	case left:
		if c.b.Value.Kind() == metric.KindNone {
			return nil, "right"
		}
		out.instances = make([]profile.Instance, len(a))
		for i := range a {
			out.instances[i] = profile.Instance{ID: a[i].ID, Value: apply(c.op, a[i].Value, c.b.Value)}
		}
	default:
		if c.a.Value.Kind() == metric.KindNone {
			return nil, "left"
		}
		c.right(out, b)
	}
	if c.rules == tool {
		out.sum()
	}
	return out, ""
}

// zip combines instances without ids by position.
func (c *combination) zip(a, b []profile.Instance) []profile.Instance {
	if len(a) == 0 {
		return nil
	}
	out := slices.Clone(a)
	for i := range min(len(a), len(b)) {
		out[i].Value = apply(c.op, a[i].Value, b[i].Value)
	}
	return out
}

// right combines the regular value of the left side with the instances of the
// right one.
func (c *combination) right(out *Operand, b []profile.Instance) {
	if c.rules == tool {
		out.instances = make([]profile.Instance, len(b))
		for i := range b {
			out.instances[i] = profile.Instance{ID: b[i].ID, Value: apply(c.op, c.a.Value, b[i].Value)}
		}
		return
	}
	out.Value = c.a.Value
	for i := range b {
		out.Value = apply(c.op, out.Value, b[i].Value)
	}
}

// sum makes the regular value the sum of the instances.
func (o *Operand) sum() {
	if len(o.instances) == 0 || o.Value.Kind() == metric.KindNone {
		return
	}
	sum := o.instances[0].Value
	if sum.Kind() == metric.KindString {
		return
	}
	for i := range o.instances[1:] {
		sum = apply(opAdd, sum, o.instances[i+1].Value)
	}
	o.Value = convert(sum, o.Value.Kind())
}
