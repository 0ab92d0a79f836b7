package expr

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// postfix writes the code of an expression with the kinds of its constants.
func postfix(e *Expr) string {
	var out []string
	for _, s := range e.code {
		switch s.op {
		case opName:
			out = append(out, e.names[s.index])
		case opConstant:
			out = append(out, fmt.Sprintf("%v:%v", s.value.Kind(), s.value.Double()))
		default:
			out = append(out, s.op.String())
		}
	}
	return strings.Join(out, " ")
}

func TestParse(t *testing.T) {
	for in, want := range map[string]string{
		"a":                         "a",
		"a+b":                       "a b +",
		"a / b":                     "a b /",
		" a\t*\n2 ":                 "a uint64:2 *",
		"a.sum.per_second*5.":       "a.sum.per_second double:5 *",
		"0.3109 - x":                "double:0.3109 x -",
		"1e3*2.5E-1":                "double:1000 double:0.25 *",
		"18446744073709551615":      "uint64:1.8446744073709552e+19",
		"a - b - c":                 "a b - c -",
		"a - (b - c)":               "a b c - -",
		"a + b * c / d":             "a b c * d / +",
		"( x * 100 ) / y":           "x uint64:100 * y /",
		"32-derived__z":             "uint64:32 derived__z -",
		"a-1":                       "a uint64:1 -",
		"a.1":                       "a.1",
		"pmsampling:a.b:c+_x9":      "pmsampling:a.b:c _x9 +",
		"simplify + nan_as_zero":    "simplify nan_as_zero +",
		"simplify (a)":              "a simplify",
		"größe*2":                   "größe uint64:2 *",
		"((((a))))":                 "a",
		"nan_as_zero(a / (b+b)) +a": "a b b + / nan_as_zero a +",
		"100.0 * nan_as_zero(simplify(a) / (simplify(b) + simplify(c)))": "double:100 a simplify b simplify c simplify + / nan_as_zero *",
	} {
		e, err := Parse(in)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if got := postfix(e); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
		if e.String() != in {
			t.Errorf("%q: String is %q", in, e.String())
		}
	}
}

func TestNames(t *testing.T) {
	e, err := Parse("a + simplify(b.c) * a - 3 / b.c + d")
	if d := cmp.Diff([]string{"a", "b.c", "d"}, e.Names()); d != "" || err != nil {
		t.Error(err, d)
	}
}

func TestSyntaxErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                         `"": column 1: expected a metric, a number or '(', found the end`,
		"   ":                      `"   ": column 4: expected a metric, a number or '(', found the end`,
		"a +":                      `"a +": column 4: expected a metric, a number or '(', found the end`,
		"a b":                      `"a b": column 3: expected an operator or the end, found "b"`,
		"a ^ b":                    `"a ^ b": column 3: expected an operator or the end, found "^"`,
		"a * -1":                   `"a * -1": column 5: expected a metric, a number or '(', found "-"`,
		"(a + b":                   `"(a + b": column 7: expected an operator or ')', found the end`,
		"(a + b c)":                `"(a + b c)": column 8: expected an operator or ')', found "c"`,
		"a + b)":                   `"a + b)": column 6: expected an operator or the end, found ")"`,
		"()":                       `"()": column 2: expected a metric, a number or '(', found ")"`,
		"sqrt(a)":                  `"sqrt(a)": column 1: expected simplify or nan_as_zero before '(', found "sqrt"`,
		"2x":                       `"2x": column 2: expected an operator after the number 2, found "x"`,
		"1.5.2":                    `"1.5.2": column 4: expected an operator after the number 1.5, found "."`,
		"3e*a":                     `"3e*a": column 2: expected an operator after the number 3, found "e"`,
		".5":                       `".5": column 1: expected a metric, a number or '(', found "."`,
		"ü + 99999999999999999999": `"ü + 99999999999999999999": column 5: expected a number of 64 bits, found "99999999999999999999"`,
		"1e999":                    `"1e999": column 1: expected a number of 64 bits, found "1e999"`,
		"a + \xff":                 `"a + \xff": column 5: expected a metric, a number or '(', found "\xff"`,
	} {
		_, err := Parse(in)
		var se *SyntaxError
		if !errors.As(err, &se) || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", in, err, want)
		}
	}
}

func TestLimits(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")", n) }
	if _, err := Parse(deep(maxDepth)); err != nil {
		t.Error(err)
	}
	for in, want := range map[string]string{
		deep(maxDepth + 1):                            "column 101: expected parentheses at most 100 deep, found more",
		strings.Repeat("simplify(", 400):              "expected parentheses at most 100 deep",
		strings.Repeat("a+", maxLength):               "column 1: expected at most 4096 bytes, found 8192",
		strings.Repeat("9", maxLength/2) + " + b + a": "expected a number of 64 bits",
	} {
		_, err := Parse(in)
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 600 {
			t.Errorf("%.20q: %v, want %s", in, err, want)
		}
	}
	long := "1." + strings.Repeat("+a", maxLength/2-1)
	e, err := Parse(long)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Eval([]*Operand{{Value: metric.Double(1)}}, guide)
	if err != nil || got.Value.Double() != maxLength/2 {
		t.Error(got, err)
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a+b*c", " a + ( b * c ) ", true},
		{"a+b*c", "(a+b)*c", false},
		{"a+b", "b+a", false},
		{"a*2", "a*2.", false},
	} {
		a, _ := Parse(c.a)
		b, _ := Parse(c.b)
		if a.Equal(b) != c.want {
			t.Errorf("%q, %q: Equal is not %v", c.a, c.b, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a + b", "( l__x * 100 ) / d_y ", "100.0 * nan_as_zero(simplify(a) / (simplify(b) + simplify(c)))",
		"32 - derived__z", "a.sum.per_second*128", "1e", "((((", "\xff", "a:b.c-5."} {
		f.Add(s)
	}
	in := func(ids ...uint64) (out []profile.Instance) {
		for _, id := range ids {
			out = append(out, profile.Instance{ID: metric.Uint64(id), Value: metric.Uint64(id / 2)})
		}
		return out
	}
	kinds := []Operand{
		{Value: metric.Double(math.NaN())},
		{Value: metric.Uint64(0), instances: in(3, 1, 1, 2)},
		{Value: metric.Float(2), instances: in(1, 5)},
		{instances: in(7)},
		{Value: metric.String("7")},
		{Value: metric.Uint32(9), instances: []profile.Instance{{Value: metric.String("x")}, {}}},
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := Parse(s)
		if err != nil {
			var se *SyntaxError
			if !errors.As(err, &se) || se.Offset < 0 || se.Offset > len(s) || se.Column() > len(s)+1 {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		for _, rules := range []Rules{guide, tool} {
			operands := make([]*Operand, len(e.Names()))
			for i := range operands {
				o := kinds[(i+len(s))%len(kinds)]
				operands[i] = &o
			}
			out, err := e.Eval(operands, rules)
			if (out == nil) == (err == nil) {
				t.Fatalf("%q: %v, %v", s, out, err)
			}
		}
	})
}
