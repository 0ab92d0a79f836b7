package policy

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/internal/spelling"
)

// maxBytes bounds a policy file.
const maxBytes = 4 << 20

// Parse reads a policy. Errors are of type *Error.
func Parse(file string, text []byte) (*Policy, error) {
	d := &decoder{file: file}
	if len(text) > maxBytes {
		return nil, &Error{file, 1, 1, fmt.Sprintf("expected at most %d bytes, found %d", maxBytes, len(text))}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, d.syntax(err)
	}
	if doc.Kind == 0 || len(doc.Content) == 0 {
		return nil, &Error{file, 1, 1, "expected a policy, found an empty file"}
	}
	p := &Policy{File: file, Defaults: Defaults{Alpha: 0.05, MaxIncrease: Bound{Share: 0.02}, Least: 3, Undecided: Fail, Missing: Fail, New: Note}}
	root := doc.Content[0]
	version := 0
	err := d.mapping(root, fields{
		"version":    func(n *yaml.Node) (err error) { version, err = d.whole(n); return err },
		"defaults":   func(n *yaml.Node) error { return d.defaults(n, &p.Defaults) },
		"baseline":   func(n *yaml.Node) (err error) { p.Baseline, err = d.texts(n); return err },
		"rename":     func(n *yaml.Node) error { return d.list(n, func(n *yaml.Node) error { return d.rename(n, p) }) },
		"comparable": func(n *yaml.Node) error { return d.comparable(n, p) },
		"kernels":    func(n *yaml.Node) error { return d.list(n, func(n *yaml.Node) error { return d.kernel(n, p) }) },
		"timeline":   func(n *yaml.Node) error { return d.list(n, func(n *yaml.Node) error { return d.timeline(n, p) }) },
		"benchmarks": func(n *yaml.Node) error { return d.list(n, func(n *yaml.Node) error { return d.benchmark(n, p) }) },
	})
	switch {
	case err != nil:
		return nil, err
	case version != 1:
		return nil, d.fail(root, "expected version: 1, found %d", version)
	case len(p.Kernels)+len(p.Timeline)+len(p.Benchmarks) == 0:
		return nil, d.fail(root, "expected rules under kernels, timeline or benchmarks, found none: such a gate lets everything pass")
	}
	return p, nil
}

type decoder struct {
	file  string
	depth int
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) error {
	return &Error{d.file, n.Line, n.Column, fmt.Sprintf(format, args...)}
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntax is an error of the YAML itself, of which only the line is known.
func (d *decoder) syntax(err error) error {
	text := err.Error()
	var many *yaml.TypeError
	if errors.As(err, &many) && len(many.Errors) > 0 {
		text = "yaml: " + many.Errors[0]
	}
	m := yamlLine.FindStringSubmatch(text)
	line := 1
	if m != nil {
		text = text[len(m[0]):]
		if v, err := strconv.Atoi(m[1]); err == nil {
			line = v
		}
	}
	return &Error{d.file, line, 1, text}
}

type fields map[string]func(*yaml.Node) error

// resolve follows aliases.
func resolve(n *yaml.Node) *yaml.Node {
	for i := 0; n.Kind == yaml.AliasNode && i < 16; i++ {
		n = n.Alias
	}
	return n
}

// maxDepth bounds the nesting of a policy.
const maxDepth = 16

func (d *decoder) mapping(n *yaml.Node, f fields) error {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		return d.fail(n, "expected keys and values, found %s", kindOf(n))
	}
	if d.depth++; d.depth > maxDepth {
		return d.fail(n, "expected at most %d levels", maxDepth)
	}
	defer func() { d.depth-- }()
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		set, ok := f[k.Value]
		if !ok {
			var known []string
			for name := range f {
				known = append(known, name)
			}
			return d.fail(k, "unknown key %q%s", k.Value, spelling.Nearest(k.Value, known))
		}
		if seen[k.Value] {
			return d.fail(k, "the key %q stands here twice", k.Value)
		}
		seen[k.Value] = true
		if err := set(resolve(n.Content[i+1])); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) list(n *yaml.Node, item func(*yaml.Node) error) error {
	n = resolve(n)
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return d.fail(n, "expected a list, found %s", kindOf(n))
	}
	for _, c := range n.Content {
		if err := item(resolve(c)); err != nil {
			return err
		}
	}
	return nil
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys and values"
	case yaml.SequenceNode:
		return "a list"
	}
	return strconv.Quote(n.Value)
}

func (d *decoder) text(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		return "", d.fail(n, "expected a text, found %s", kindOf(n))
	}
	return n.Value, nil
}

// texts are one text or a list of them.
func (d *decoder) texts(n *yaml.Node) ([]string, error) {
	if n.Kind == yaml.ScalarNode {
		s, err := d.text(n)
		return []string{s}, err
	}
	var out []string
	err := d.list(n, func(n *yaml.Node) error {
		s, err := d.text(n)
		out = append(out, s)
		return err
	})
	return out, err
}

func (d *decoder) whole(n *yaml.Node) (int, error) {
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || v < 0 || v > 1<<30 {
		return 0, d.fail(n, "expected a whole number, found %s", kindOf(n))
	}
	return v, nil
}

func (d *decoder) truth(n *yaml.Node) (bool, error) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		return false, d.fail(n, "expected true or false, found %s", kindOf(n))
	}
	return strings.EqualFold(n.Value, "true"), nil
}

func (d *decoder) action(n *yaml.Node, allowed ...Action) (Action, error) {
	for _, a := range allowed {
		if n.Kind == yaml.ScalarNode && n.Value == string(a) {
			return a, nil
		}
	}
	var words []string
	for _, a := range allowed {
		words = append(words, string(a))
	}
	return "", d.fail(n, "expected one of %s, found %s", strings.Join(words, ", "), kindOf(n))
}

func (d *decoder) defaults(n *yaml.Node, v *Defaults) error {
	return d.mapping(n, fields{
		"alpha": func(n *yaml.Node) error {
			a, err := strconv.ParseFloat(n.Value, 64)
			if n.Kind != yaml.ScalarNode || err != nil || !(a > 0 && a < 1) {
				return d.fail(n, "expected a share between 0 and 1, found %s", kindOf(n))
			}
			v.Alpha = a
			return nil
		},
		"max_increase": func(n *yaml.Node) (err error) { v.MaxIncrease, err = d.bound(n); return err },
		"runs": func(n *yaml.Node) error {
			return d.mapping(n, fields{"least": func(n *yaml.Node) (err error) { v.Least, err = d.whole(n); return err }})
		},
		"on_undecided": func(n *yaml.Node) (err error) { v.Undecided, err = d.action(n, Fail, Warn); return err },
		"on_missing":   func(n *yaml.Node) (err error) { v.Missing, err = d.action(n, Fail, Warn, Note); return err },
		"on_new":       func(n *yaml.Node) (err error) { v.New, err = d.action(n, Note, Warn, Fail); return err },
		"allow_single": func(n *yaml.Node) (err error) { v.AllowSingle, err = d.truth(n); return err },
		"skip_steps":   func(n *yaml.Node) (err error) { v.SkipSteps, err = d.whole(n); return err },
	})
}

// allowed are the words under comparable: allow.
var allowed = []string{"device", "clock", "graphs", "work", "window", "same", "order", "partition", "power", "ecc", "clock-control", "cache-control", "replay", "build",
	"passes", "driver", "cuda", "tool", "traced", "command", "together"}

func (d *decoder) comparable(n *yaml.Node, p *Policy) error {
	return d.mapping(n, fields{"allow": func(n *yaml.Node) error {
		return d.list(n, func(n *yaml.Node) error {
			for _, w := range allowed {
				if n.Value == w {
					p.Allow = append(p.Allow, w)
					return nil
				}
			}
			return d.fail(n, "unknown difference %q%s", n.Value, spelling.Nearest(n.Value, allowed))
		})
	}})
}

func (d *decoder) rename(n *yaml.Node, p *Policy) error {
	var r compare.Rename
	err := d.mapping(n, fields{
		"from": func(n *yaml.Node) (err error) { r.From, err = d.expression(n); return err },
		"to":   func(n *yaml.Node) (err error) { r.To, err = d.text(n); return err },
	})
	if err == nil && (r.From == nil || r.To == "") {
		err = d.fail(n, "expected from and to")
	}
	p.Rename = append(p.Rename, r)
	return err
}

func (d *decoder) expression(n *yaml.Node) (*regexp.Regexp, error) {
	s, err := d.text(n)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return nil, d.fail(n, "expected a regular expression (RE2): %v", err)
	}
	return re, nil
}

// pattern is a regular expression that is found in a name.
func (d *decoder) pattern(n *yaml.Node) (Pattern, error) {
	re, err := d.expression(n)
	return Pattern{n.Value, re}, err
}

// glob is a pattern for a whole name in which * and ? stand for any text and any
// character.
func (d *decoder) glob(n *yaml.Node) (Pattern, error) {
	s, err := d.text(n)
	if err != nil {
		return Pattern{}, err
	}
	expr := regexp.QuoteMeta(s)
	expr = strings.ReplaceAll(strings.ReplaceAll(expr, `\*`, `.*`), `\?`, `.`)
	re, err := regexp.Compile(`(?s)^` + expr + `$`)
	if err != nil {
		return Pattern{}, d.fail(n, "%v", err)
	}
	return Pattern{s, re}, nil
}

// matches are the fields that choose names.
func (d *decoder) matches(to *Pattern) fields {
	return fields{
		"match": func(n *yaml.Node) (err error) { *to, err = d.pattern(n); return err },
		"glob":  func(n *yaml.Node) (err error) { *to, err = d.glob(n); return err },
	}
}

func (f fields) and(more fields) fields {
	for k, v := range more {
		f[k] = v
	}
	return f
}

func (d *decoder) kernel(n *yaml.Node, p *Policy) error {
	k := Kernel{Place: Place{n.Line, n.Column}}
	err := d.mapping(n, d.matches(&k.Match).and(fields{
		"ignore": func(n *yaml.Node) (err error) { k.Ignore, err = d.truth(n); return err },
		"limits": func(n *yaml.Node) error {
			return d.list(n, func(n *yaml.Node) error {
				l, err := d.limit(n, fields{})
				k.Limits = append(k.Limits, l)
				if err == nil && l.Metric == "" {
					err = d.fail(n, "expected a metric")
				}
				return err
			})
		},
		"count": func(n *yaml.Node) error {
			return d.mapping(n, fields{
				"min": func(n *yaml.Node) (err error) { k.Min, err = d.whole(n); return err },
				"max": func(n *yaml.Node) (err error) { k.Max, err = d.whole(n); return err },
			})
		},
		"findings": func(n *yaml.Node) error {
			return d.mapping(n, fields{
				"forbid":  func(n *yaml.Node) (err error) { k.Forbid, err = d.findings(n); return err },
				"require": func(n *yaml.Node) (err error) { k.Require, err = d.findings(n); return err },
			})
		},
	}))
	if err == nil && k.Match.re == nil {
		err = d.fail(n, "expected match or glob: which kernels is this rule about?")
	}
	p.Kernels = append(p.Kernels, k)
	return err
}

func (d *decoder) findings(n *yaml.Node) ([]Finding, error) {
	var out []Finding
	err := d.list(n, func(n *yaml.Node) error {
		f := Finding{Place: Place{n.Line, n.Column}}
		var err error
		if n.Kind == yaml.ScalarNode {
			f.Rule, err = d.text(n)
		} else {
			err = d.mapping(n, fields{
				"rule": func(n *yaml.Node) (err error) { f.Rule, err = d.text(n); return err },
				"min_speedup": func(n *yaml.Node) error {
					b, err := d.bound(n)
					if err == nil && b.Units {
						err = d.fail(n, "expected a percentage, found %q", n.Value)
					}
					f.MinSpeedup = b.Share * 100
					return err
				},
			})
			if err == nil && f.Rule == "" {
				err = d.fail(n, "expected a rule")
			}
		}
		out = append(out, f)
		return err
	})
	return out, err
}

func (d *decoder) limit(n *yaml.Node, more fields) (Limit, error) {
	l := Limit{Place: Place{n.Line, n.Column}}
	bound := func(to **Bound) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			b, err := d.bound(n)
			*to = &b
			return err
		}
	}
	quantity := func(to **Quantity) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			q, err := d.quantity(n)
			*to = &q
			return err
		}
	}
	err := d.mapping(n, fields{
		"metric":       func(n *yaml.Node) (err error) { l.Metric, err = d.text(n); return err },
		"max_increase": bound(&l.MaxIncrease),
		"max_decrease": bound(&l.MaxDecrease),
		"max":          quantity(&l.Max),
		"min":          quantity(&l.Min),
		"equals":       quantity(&l.Equals),
		"better": func(n *yaml.Node) error {
			a, err := d.action(n, "lower", "higher")
			l.Better = map[Action]compare.Better{"lower": compare.Lower, "higher": compare.Higher}[a]
			return err
		},
		"allow_single": func(n *yaml.Node) (err error) { l.AllowSingle, err = d.truth(n); return err },
	}.and(more))
	return l, err
}

func (d *decoder) timeline(n *yaml.Node, p *Policy) error {
	t := Timeline{Place: Place{n.Line, n.Column}}
	set := func(w What) error {
		if t.What != "" {
			return d.fail(n, "a rule is about one thing, this one about %s and %s", t.What, w)
		}
		t.What = w
		return nil
	}
	whole := func(w What) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			if err := set(w); err != nil {
				return err
			}
			l, err := d.limit(n, fields{})
			t.Limit = l
			return err
		}
	}
	var flat Limit
	flat, err := d.limit(n, fields{
		"range": func(n *yaml.Node) (err error) {
			folded := *n
			folded.Value = compare.Fold(n.Value) // as the names of ranges are
			if t.Match, err = d.glob(&folded); err != nil {
				return err
			}
			return set(Ranges)
		},
		"kernel": func(n *yaml.Node) (err error) {
			if t.Match, err = d.pattern(n); err != nil {
				return err
			}
			return set(Kernels)
		},
		"device_idle":           whole(DeviceIdle),
		"exposed_communication": whole(Exposed),
		"of": func(n *yaml.Node) error {
			a, err := d.action(n, "total", "per_step", "median", "count")
			t.Of = string(a)
			return err
		},
	})
	switch {
	case err != nil:
		return err
	case t.What == "":
		return d.fail(n, "expected range, kernel, device_idle or exposed_communication")
	case t.What == Ranges || t.What == Kernels:
		t.Limit = flat
	}
	p.Timeline = append(p.Timeline, t)
	return nil
}

func (d *decoder) benchmark(n *yaml.Node, p *Policy) error {
	b := Benchmark{Place: Place{n.Line, n.Column}}
	var err error
	b.Limit, err = d.limit(n, d.matches(&b.Match))
	if err == nil && b.Match.re == nil {
		err = d.fail(n, "expected match or glob: which benchmarks is this rule about?")
	}
	p.Benchmarks = append(p.Benchmarks, b)
	return err
}

// bound reads "3%", "1ms".
func (d *decoder) bound(n *yaml.Node) (Bound, error) {
	q, err := d.quantity(n)
	if err != nil {
		return Bound{}, err
	}
	if q.V < 0 {
		return Bound{}, d.fail(n, "expected a bound of zero or more, found %q", n.Value)
	}
	if q.Kind == "%" {
		return Bound{Share: q.V / 100}, nil
	}
	if q.Kind == "" {
		return Bound{}, d.fail(n, "expected a percentage or an amount with a unit, such as 3%% or 1ms, found %q", n.Value)
	}
	return Bound{Amount: q, Units: true}, nil
}

var number = regexp.MustCompile(`^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([^\s\d]*)\s*$`)

// unitWords are the units that a quantity may have, with their size in what
// metrics are stored in.
var unitWords = map[string]struct {
	kind string
	size float64
}{
	"": {"", 1}, "%": {"%", 1},
	"ns": {"second", 1}, "us": {"second", 1e3}, "µs": {"second", 1e3}, "ms": {"second", 1e6}, "s": {"second", 1e9},
	"byte": {"byte", 1}, "B": {"byte", 1}, "Kbyte": {"byte", 1e3}, "KB": {"byte", 1e3}, "kB": {"byte", 1e3}, "Mbyte": {"byte", 1e6}, "MB": {"byte", 1e6},
	"Gbyte": {"byte", 1e9}, "GB": {"byte", 1e9}, "KiB": {"byte", 1024}, "MiB": {"byte", 1 << 20}, "GiB": {"byte", 1 << 30},
	"hz": {"hz", 1}, "Hz": {"hz", 1}, "Khz": {"hz", 1e3}, "Mhz": {"hz", 1e6}, "MHz": {"hz", 1e6}, "Ghz": {"hz", 1e9}, "GHz": {"hz", 1e9},
}

func (d *decoder) quantity(n *yaml.Node) (Quantity, error) {
	m := number.FindStringSubmatch(n.Value)
	if n.Kind != yaml.ScalarNode || m == nil {
		return Quantity{}, d.fail(n, "expected a number with a unit, such as 480ms, found %s", kindOf(n))
	}
	u, ok := unitWords[m[2]]
	if !ok {
		var known []string
		for w := range unitWords {
			known = append(known, w)
		}
		return Quantity{}, d.fail(n, "unknown unit %q%s", m[2], spelling.Nearest(m[2], known))
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil || math.IsInf(v*u.size, 0) {
		return Quantity{}, d.fail(n, "expected a number, found %q", n.Value)
	}
	return Quantity{Text: strings.TrimSpace(n.Value), V: v * u.size, Kind: u.kind}, nil
}
