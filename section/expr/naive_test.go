package expr

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// A tree is an expression as the naive evaluator sees it: nothing of it has gone
// through the parser.
type tree struct {
	op          string // "" for a leaf
	name        string
	constant    string
	value       metric.Value
	left, right *tree
}

// text writes the tree with as few parentheses as precedence allows, or more.
func (n *tree) text(t *rapid.T) string {
	space := func() string { return rapid.SampledFrom([]string{"", " ", "\t ", "\n"}).Draw(t, "space") }
	var out string
	switch {
	case n.op == "":
		out = n.name + n.constant
	case n.right == nil:
		return n.op + space() + "(" + n.left.text(t) + space() + ")"
	default:
		side := func(c *tree, least int) string {
			s := c.text(t)
			if c.rank() < least {
				return "(" + s + ")"
			}
			return s
		}
		out = side(n.left, n.rank()) + space() + n.op + space() + side(n.right, n.rank()+1)
	}
	if n.op == "" && rapid.IntRange(0, 3).Draw(t, "extra") == 0 {
		out = "(" + space() + out + space() + ")"
	}
	return out
}

func (n *tree) rank() int {
	switch n.op {
	case "+", "-":
		return 1
	case "*", "/":
		return 2
	}
	return 3
}

// A naive operand keeps the instances in a map, as the guide thinks of them.
type naive struct {
	value metric.Value
	bare  []metric.Value
	byID  map[uint64]metric.Value
	order []uint64 // of the instances as recorded; nil: ascending
}

func (n *tree) eval(metrics map[string]naive) naive {
	switch {
	case n.constant != "":
		return naive{value: n.value}
	case n.name != "":
		return metrics[n.name]
	case n.op == "simplify":
		return naive{value: n.left.eval(metrics).value}
	}
	a, b := n.left.eval(metrics), n.right.eval(metrics)
	out := naive{value: naiveApply(n.op, a.value, b.value)}
	switch {
	case a.byID == nil && b.byID == nil:
		for i, v := range a.bare {
			if i < len(b.bare) {
				v = naiveApply(n.op, v, b.bare[i])
			}
			out.bare = append(out.bare, v)
		}
	case a.byID != nil && b.byID != nil:
		out.byID = map[uint64]metric.Value{}
		for id, v := range b.byID {
			out.byID[id] = naiveConvert(v, a.kind())
		}
		for id, v := range a.byID {
			if w, ok := b.byID[id]; ok {
				v = naiveApply(n.op, v, w)
			}
			out.byID[id] = v
		}
	case a.byID != nil:
		out.byID, out.order = map[uint64]metric.Value{}, a.order
		for id, v := range a.byID {
			out.byID[id] = naiveApply(n.op, v, b.value)
		}
	default:
		out.value = a.value
		for _, id := range b.ids() {
			out.value = naiveApply(n.op, out.value, b.byID[id])
		}
	}
	return out
}

func (o naive) ids() []uint64 {
	if o.order != nil {
		return o.order
	}
	var ids []uint64
	for id := range o.byID {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (o naive) kind() metric.Kind { return o.byID[o.ids()[0]].Kind() }

func (o naive) String() string {
	out := []string{show(o.value)}
	for _, v := range o.bare {
		out = append(out, show(v))
	}
	for _, id := range o.ids() {
		out = append(out, fmt.Sprintf("%dU:%s", id, show(o.byID[id])))
	}
	return strings.Join(out, " ")
}

// naiveApply does integers of 32 bits by way of 64, and zero first.
func naiveApply(op string, a, b metric.Value) metric.Value {
	if op == "/" && b.IsInteger() && b.Uint64() == 0 {
		return a
	}
	if a.IsInteger() {
		x, y := a.Uint64(), naiveConvert(b, a.Kind()).Uint64()
		switch {
		case op == "+":
			x += y
		case op == "-":
			x -= y
		case op == "*":
			x *= y
		case y != 0:
			x /= y
		}
		return naiveConvert(metric.Uint64(x), a.Kind())
	}
	x, y := a.Double(), naiveConvert(b, a.Kind()).Double()
	r := map[string]float64{"+": x + y, "-": x - y, "*": x * y, "/": x / y}[op]
	return naiveConvert(metric.Double(r), a.Kind())
}

func naiveConvert(v metric.Value, kind metric.Kind) metric.Value {
	switch kind {
	case metric.KindFloat:
		return metric.Float(float32(v.Double()))
	case metric.KindDouble:
		return metric.Double(v.Double())
	case metric.KindUint32:
		return metric.Uint32(uint32(v.Uint64() & 0xffffffff))
	}
	return metric.Uint64(v.Uint64())
}

func drawValue(t *rapid.T, kind metric.Kind) metric.Value {
	small := rapid.Uint64Range(0, 6).Draw(t, "number")
	if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
		small = rapid.Uint64().Draw(t, "number")
	}
	v := metric.Uint64(small)
	if kind == metric.KindDouble || kind == metric.KindFloat {
		v = metric.Double(float64(small) / 4)
	}
	return naiveConvert(v, kind)
}

var naiveKinds = []metric.Kind{metric.KindDouble, metric.KindFloat, metric.KindUint32, metric.KindUint64}

func drawMetric(t *rapid.T) naive {
	kind := func() metric.Kind { return rapid.SampledFrom(naiveKinds).Draw(t, "kind") }
	o := naive{value: drawValue(t, kind())}
	k := kind()
	switch rapid.IntRange(0, 2).Draw(t, "instances") {
	case 1:
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			o.bare = append(o.bare, drawValue(t, k))
		}
	case 2:
		o.byID = map[uint64]metric.Value{}
		for range rapid.IntRange(1, 5).Draw(t, "n") {
			o.byID[rapid.Uint64Range(1, 7).Draw(t, "id")] = drawValue(t, k)
		}
		o.order = rapid.Permutation(o.ids()).Draw(t, "order")
	}
	return o
}

func (o naive) operand() *Operand {
	out := &Operand{Value: o.value, instances: bare(o.bare...)}
	for _, id := range o.ids() {
		out.instances = append(out.instances, profile.Instance{ID: metric.Uint64(id), Value: o.byID[id]})
	}
	return out
}

func drawTree(t *rapid.T, depth int) *tree {
	switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
	case depth == 0 || what < 2:
		if rapid.IntRange(0, 3).Draw(t, "leaf") > 0 {
			return &tree{name: rapid.SampledFrom([]string{"a", "b.sum", "c:d_1"}).Draw(t, "name")}
		}
		if rapid.Bool().Draw(t, "double") {
			f := float64(rapid.IntRange(0, 99).Draw(t, "constant")) / 8
			return &tree{constant: fmt.Sprintf("%.3f", f), value: metric.Double(f)}
		}
		n := rapid.Uint64Range(0, 9).Draw(t, "constant")
		return &tree{constant: fmt.Sprint(n), value: metric.Uint64(n)}
	case what == 2:
		return &tree{op: "simplify", left: drawTree(t, depth-1)}
	}
	op := rapid.SampledFrom([]string{"+", "-", "*", "/"}).Draw(t, "op")
	return &tree{op: op, left: drawTree(t, depth-1), right: drawTree(t, depth-1)}
}

// TestNaive compares with an evaluator that follows the guide word by word over
// trees that have never been text.
func TestNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		metrics := map[string]naive{"a": drawMetric(t), "b.sum": drawMetric(t), "c:d_1": drawMetric(t)}
		n := drawTree(t, 4)
		text := n.text(t)
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var operands []*Operand
		for _, name := range e.Names() {
			operands = append(operands, metrics[name].operand())
		}
		got, err := e.Eval(operands, guide)
		if err != nil {
			t.Fatal(err)
		}
		if g, want := showOperand(got), n.eval(metrics).String(); g != want {
			t.Fatalf("%q\n a = %v\n b.sum = %v\n c:d_1 = %v\n got %s\nwant %s", text, metrics["a"], metrics["b.sum"], metrics["c:d_1"], g, want)
		}
	})
}
