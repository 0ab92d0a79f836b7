package expr

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// show writes a value with its kind: 7u, 7U, 7f, 7d, "7" and -.
func show(v metric.Value) string {
	switch v.Kind() {
	case metric.KindUint32:
		return fmt.Sprintf("%du", v.Uint64())
	case metric.KindUint64:
		return fmt.Sprintf("%dU", v.Uint64())
	case metric.KindFloat:
		return fmt.Sprintf("%gf", float32(v.Double()))
	case metric.KindDouble:
		return fmt.Sprintf("%gd", v.Double())
	case metric.KindString:
		return fmt.Sprintf("%q", v.Text())
	}
	return "-"
}

// showOperand writes a regular value and the instances, as in "7d 1U:2d 3d".
func showOperand(o *Operand) string {
	out := []string{show(o.Value)}
	for _, in := range o.Instances() {
		s := show(in.Value)
		if in.ID.Kind() != metric.KindNone {
			s = show(in.ID) + ":" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func d(f float64) metric.Value { return metric.Double(f) }
func f(f float32) metric.Value { return metric.Float(f) }
func u(n uint64) metric.Value  { return metric.Uint64(n) }
func w(n uint32) metric.Value  { return metric.Uint32(n) }
func s(t string) metric.Value  { return metric.String(t) }

var none metric.Value

// bare are instances without ids.
func bare(values ...metric.Value) (out []profile.Instance) {
	for _, v := range values {
		out = append(out, profile.Instance{Value: v})
	}
	return out
}

// with are instances of alternating ids and values.
func with(list ...metric.Value) (out []profile.Instance) {
	for i := 0; i < len(list); i += 2 {
		out = append(out, profile.Instance{ID: list[i], Value: list[i+1]})
	}
	return out
}

func eval(t *testing.T, text string, rules Rules, operands map[string]Operand) (*Operand, error) {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var list []*Operand
	for _, n := range e.Names() {
		o, ok := operands[n]
		if !ok {
			t.Fatalf("%s: no operand %s", text, n)
		}
		list = append(list, &o)
	}
	return e.Eval(list, rules)
}

// TestCases has the five cases of the guide, each with each operator.
func TestCases(t *testing.T) {
	four := Operand{Value: d(90), instances: bare(d(10), d(20), d(30), d(40))}
	two := Operand{Value: d(9), instances: bare(d(4), d(5))}
	left := Operand{Value: d(70), instances: with(u(1), d(10), u(2), d(20), u(4), d(40))}
	right := Operand{Value: d(7), instances: with(u(1), d(4), u(3), d(3), u(4), d(5), u(5), d(6))}
	value := Operand{Value: d(100)}
	for _, c := range []struct {
		name string
		a, b Operand
		want map[string]string
	}{
		{"1 regular values", value, Operand{Value: d(8)},
			map[string]string{"+": "108d", "-": "92d", "*": "800d", "/": "12.5d"}},
		{"2 no ids", four, two, map[string]string{
			"+": "99d 14d 25d 30d 40d", "-": "81d 6d 15d 30d 40d", "*": "810d 40d 100d 30d 40d", "/": "10d 2.5d 4d 30d 40d"}},
		{"2 no ids, more on the right", two, four, map[string]string{
			"+": "99d 14d 25d", "-": "-81d -6d -15d", "*": "810d 40d 100d", "/": "0.1d 0.4d 0.25d"}},
		{"2 no ids, none on the right", two, value, map[string]string{
			"+": "109d 4d 5d", "-": "-91d 4d 5d", "*": "900d 4d 5d", "/": "0.09d 4d 5d"}},
		{"2 no ids, none on the left", value, two, map[string]string{
			"+": "109d", "-": "91d", "*": "900d", "/": "11.11111111111111d"}},
		{"3 ids", left, right, map[string]string{
			"+": "77d 1U:14d 2U:20d 3U:3d 4U:45d 5U:6d", "-": "63d 1U:6d 2U:20d 3U:3d 4U:35d 5U:6d",
			"*": "490d 1U:40d 2U:20d 3U:3d 4U:200d 5U:6d", "/": "10d 1U:2.5d 2U:20d 3U:3d 4U:8d 5U:6d"}},
		{"4 ids on the left", left, Operand{Value: d(10)}, map[string]string{
			"+": "80d 1U:20d 2U:30d 4U:50d", "-": "60d 1U:0d 2U:10d 4U:30d",
			"*": "700d 1U:100d 2U:200d 4U:400d", "/": "7d 1U:1d 2U:2d 4U:4d"}},
		{"4 ids on the left, instances on the right", left, two, map[string]string{
			"+": "79d 1U:19d 2U:29d 4U:49d", "-": "61d 1U:1d 2U:11d 4U:31d",
			"*": "630d 1U:90d 2U:180d 4U:360d", "/": "7.777777777777778d 1U:1.1111111111111112d 2U:2.2222222222222223d 4U:4.444444444444445d"}},
		{"5 ids on the right", Operand{Value: d(7200)}, right, map[string]string{
			"+": "7218d", "-": "7182d", "*": "2.592e+06d", "/": "20d"}},
		{"5 ids on the right, instances on the left", two, right, map[string]string{
			"+": "27d", "-": "-9d", "*": "3240d", "/": "0.024999999999999998d"}},
	} {
		for _, op := range []string{"+", "-", "*", "/"} {
			out, err := eval(t, "a "+op+" b", guide, map[string]Operand{"a": c.a, "b": c.b})
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, op, err)
			} else if got := showOperand(out); got != c.want[op] {
				t.Errorf("%s, %s: got %s, want %s", c.name, op, got, c.want[op])
			}
		}
	}
}

// TestToolRules has what releases since 2023.3 do differently.
func TestToolRules(t *testing.T) {
	left := Operand{Value: d(70), instances: with(u(1), u(10), u(2), u(20), u(4), u(40))}
	right := Operand{Value: u(7), instances: with(u(1), u(4), u(3), u(3), u(4), u(7))}
	for text, want := range map[string]string{
		"a/b":                     "27d 1U:2U 2U:20U 4U:5U",
		"a+b":                     "84d 1U:14U 2U:20U 3U:3U 4U:47U",
		"a*100/48":                "144d 1U:20U 2U:41U 4U:83U",
		"9/b":                     "6U 1U:2U 3U:3U 4U:1U",
		"9-b*0":                   "27U 1U:9U 3U:9U 4U:9U",
		"x/y":                     "0.5d",
		"simplify(a)/simplify(b)": "10d",
	} {
		out, err := eval(t, text, tool, map[string]Operand{"a": left, "b": right, "x": {Value: d(1)}, "y": {Value: d(2)}})
		if err != nil {
			t.Error(err)
		} else if got := showOperand(out); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	nan := d(math.NaN())
	for _, c := range []struct {
		text string
		a, b metric.Value
		want string
	}{
		{"a/b", d(7), u(2), "3.5d"}, {"a/b", d(7), w(2), "3.5d"}, {"a/b", d(7), f(2), "3.5d"},
		{"a/b", u(7), d(2.9), "3U"}, {"a/b", u(7), w(2), "3U"}, {"a/b", u(7), f(2), "3U"},
		{"a/b", w(7), d(2.9), "3u"}, {"a/b", w(7), u(2), "3u"}, {"a/b", w(7), f(2), "3u"},
		{"a/b", f(7), d(2), "3.5f"}, {"a/b", f(7), u(2), "3.5f"}, {"a/b", f(7), w(2), "3.5f"},
		{"a+b", f(1), d(1e-9), "1f"}, {"a+b", d(1), f(0.5), "1.5d"},
		{"a-b", u(1), u(2), "18446744073709551615U"}, {"a-b", w(1), w(2), "4294967295u"},
		{"a+b", w(1), u(1<<32 + 1), "2u"}, {"a*b", u(1 << 63), u(2), "0U"},
		{"a+b", u(5), d(-3), "5U"}, {"a+b", u(5), nan, "5U"}, {"a+b", d(5), nan, "NaNd"},
		// integer zero divisors, by kind and by conversion
		{"a/b", d(7), u(0), "7d"}, {"a/b", f(7), w(0), "7f"}, {"a/b", u(7), u(0), "7U"}, {"a/b", w(7), w(0), "7u"},
		{"a/b", u(7), d(0), "7U"}, {"a/b", u(7), d(0.5), "7U"}, {"a/b", w(7), u(1 << 32), "7u"},
		{"a/b", d(7), d(0), "+Infd"}, {"a/b", d(0), d(0), "NaNd"}, {"a/b", d(7), f(0), "+Infd"},
		{"a/0", d(7), none, "7d"}, {"a/0.", d(7), none, "+Infd"},
		// text
		{"a+b", s("x"), d(1), `"x"`}, {"a/b", s("7"), u(0), `"7"`},
		{"a+b", d(1), s("2"), "3d"}, {"a+b", u(1), s("2.5"), "3U"}, {"a+b", d(1), s("x"), "-"}, {"a/b", d(7), s("0"), "+Infd"},
		{"a+b", s("x"), none, `"x"`},
		// constants have a kind, too
		{"32 - a", d(1.5), none, "31U"}, {"32. - a", d(1.5), none, "30.5d"}, {"a * 2", f(1.5), none, "3f"},
		// no value
		{"a+b", d(1), none, "-"}, {"a+b", none, d(1), "-"},
		// functions
		{"nan_as_zero(a/b)", d(0), d(0), "0d"}, {"nan_as_zero(a)", f(float32(math.NaN())), none, "0f"},
		{"nan_as_zero(a)", d(math.Inf(1)), none, "+Infd"}, {"nan_as_zero(a)", s("x"), none, `"x"`}, {"nan_as_zero(a)", none, none, "-"},
		{"nan_as_zero(a)", u(3), none, "3U"}, {"simplify(a)", d(3), none, "3d"},
		{"a", d(3), none, "3d"},
	} {
		out, err := eval(t, c.text, guide, map[string]Operand{"a": {Value: c.a}, "b": {Value: c.b}})
		if err != nil {
			t.Error(err)
		} else if got := showOperand(out); got != c.want {
			t.Errorf("%s with a %s, b %s: got %s, want %s", c.text, show(c.a), show(c.b), got, c.want)
		}
	}
}

// TestInstances has kinds, ids and orders beside those of TestCases.
func TestInstances(t *testing.T) {
	operands := map[string]Operand{
		"text":    {Value: s("x"), instances: with(u(1), u(2))},
		"opcodes": {Value: d(60), instances: with(s("FADD"), u(10), s("MOV"), u(50))},
		"cycles":  {Value: d(4), instances: with(s("FADD"), d(2), s("LDG"), d(2.5))},
		"names":   {Value: u(2), instances: with(u(0), s("A"), u(1), s("B"))},
		"pc":      {Value: d(3), instances: with(u(1), d(1), u(2), d(2))},
		"pcs":     {Value: d(3), instances: with(u(3), d(30), u(1), d(10), u(2), d(20))},
		"twice":   {Value: u(9), instances: with(u(1), u(10), u(1), u(20), u(2), u(30))},
		"partly":  {Value: u(9), instances: append(bare(u(7)), with(u(1), u(5))...)},
		"small":   {Value: d(1), instances: with(w(2), d(5))},
		"nan":     {Value: d(math.NaN()), instances: with(u(1), d(math.NaN()), u(2), f(float32(math.NaN())), u(3), d(4))},
		"bare":    {Value: u(8), instances: bare(u(3), d(4))},
		"only":    {instances: with(u(1), u(10))},
		"two":     {Value: u(2)},
		"onlyb":   {instances: bare(u(10))},
	}
	for text, want := range map[string]string{
		"text * two":             `"x" 1U:2U`,
		"opcodes / cycles":       `15d "FADD":5U "LDG":2U "MOV":50U`,
		"names * two":            `4U 0U:"A" 1U:"B"`,
		"names + pc":             `5U 0U:"A" 1U:"B"`,
		"pc + names":             `5d 0U:- 1U:- 2U:2d`,
		"pc + pcs":               "6d 1U:11d 2U:22d 3U:30d",
		"pcs + pc":               "6d 1U:11d 2U:22d 3U:30d",
		"pcs * two":              "6d 3U:60d 1U:20d 2U:40d",
		"twice + pc":             "12U 1U:11U 1U:20U 2U:32U",
		"pc + twice":             "12d 1U:11d 1U:20d 2U:32d",
		"partly + pc":            "12U 7U 1U:6U 2U:2U",
		"partly + partly":        "18U 7U 1U:10U",
		"pc + small":             "4d 1U:1d 2U:7d",
		"nan_as_zero(nan)":       "0d 1U:0d 2U:0f 3U:4d",
		"nan_as_zero(nan) + nan": "NaNd 1U:NaNd 2U:NaNf 3U:8d",
		"simplify(pcs) * two":    "6d",
		"two * simplify(pcs)":    "6U",
		"bare + bare":            "16U 6U 8d",
		"only + pc":              "- 1U:11U 2U:2U",
		"only * two":             "- 1U:20U",
		"pc * 100 / 48":          "6.25d 1U:2.0833333333333335d 2U:4.166666666666667d",
		"100 - pcs":              "40U",
	} {
		out, err := eval(t, text, guide, operands)
		if err != nil {
			t.Error(err)
		} else if got := showOperand(out); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"two + pc / onlyb": `"two + pc / onlyb": column 10: the right side of / has instances but no value of its own, which the other side's instances need`,
		"onlyb * pc":       `"onlyb * pc": column 7: the left side of * has instances but no value of its own, which the other side's instances need`,
	} {
		_, err := eval(t, text, guide, operands)
		var ve *ValueError
		if !errors.As(err, &ve) || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

type countingSource struct{ n int }

func (c *countingSource) Instances(int) []profile.Instance { c.n++; return with(u(1), d(2)) }

// TestDecodesOnce checks that instances are decoded once and only if needed.
func TestDecodesOnce(t *testing.T) {
	var src countingSource
	m := profile.LazyMetric("a", d(2), 1, &src, 0)
	o := Of(&m)
	for text, want := range map[string]int{"simplify(a)": 0, "simplify(a) + simplify(a)*2": 0, "a + a * a": 1} {
		src.n = 0
		fresh := o
		e, _ := Parse(text)
		if _, err := e.Eval([]*Operand{&fresh}, guide); err != nil || src.n != want {
			t.Errorf("%s: decoded %d times, want %d (%v)", text, src.n, want, err)
		}
	}
}

func TestMetric(t *testing.T) {
	m := profile.NewMetric("samples", d(3), with(u(10), d(1), u(20), d(2)))
	m.Series = true
	a, two := Of(&m), Operand{Value: u(2)}
	for text, series := range map[string]bool{"a * b": true, "a - a": true, "simplify(a) * b": false, "b * a": false} {
		e, _ := Parse(text)
		list := map[string]*Operand{"a": &a, "b": &two}
		var operands []*Operand
		for _, n := range e.Names() {
			operands = append(operands, list[n])
		}
		out, err := e.Eval(operands, guide)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Metric("x"); got.Series != series || got.Name != "x" || got.Value != out.Value {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

func TestRulesOf(t *testing.T) {
	for release, want := range map[string]Rules{
		"2023.2.0.0 (build 32895467) (public-release)": guide, "2023.3.1.0 (build 33474944)": tool,
		"2022.4": guide, "2024.1": tool, "2025.2.1.0": tool, "": guide, "x.y": guide, "2024": guide,
	} {
		if got := RulesOf(release); got != want {
			t.Errorf("%q: got %d, want %d", release, got, want)
		}
	}
}
