package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// kind is the type of a parameter.
type kind string

const (
	text    kind = "string"
	number  kind = "integer" // 0 or more
	boolean kind = "boolean"
	texts   kind = "array" // of texts; one text will do
)

// A param is a parameter of a tool.
type param struct {
	name   string
	kind   kind
	help   string
	values []string // that there are; none: any
	option string   // of the page, that it sets; "": the tool takes it itself
}

// The parameters that every tool has.
var common = []param{
	{name: "budget", kind: number, help: "bytes of the answer, 1024 to 65536 (8192)"},
	{name: "cursor", kind: text, help: "with the same arguments: continue behind the answer that gave it"},
	{name: "form", kind: text, values: []string{"md", "json"}, help: "of the answer (md)"},
}

// arguments are those of a call: texts by parameter.
type arguments map[string][]string

func (a arguments) text(name string) string {
	if v := a[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// mostTexts and mostText bound what a call brings.
const (
	mostTexts = 256
	mostText  = 64 << 10
)

// parse reads the arguments of a call of a tool.
func (t *tool) parse(raw json.RawMessage) (arguments, error) {
	given := map[string]any{}
	if len(bytes.TrimSpace(raw)) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(&given); err != nil {
			return nil, page.Usagef("%s: expected arguments as an object: %v", t.name, err)
		}
	}
	params := t.all()
	var names []string
	for i := range params {
		names = append(names, params[i].name)
	}
	out := arguments{}
	for name, v := range given {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, page.Usagef("%s: there is no parameter %q%s; there are %s", t.name, name, spelling.Nearest(name, names), strings.Join(names, ", "))
		}
		if v == nil {
			continue
		}
		values, err := params[i].read(v)
		if err != nil {
			return nil, page.Usagef("%s: %s: %v", t.name, name, err)
		}
		if len(values) > 0 {
			out[name] = values
		}
	}
	for _, name := range t.needs {
		if len(out[name]) == 0 {
			return nil, page.Usagef("%s: expected %s", t.name, name)
		}
	}
	return out, nil
}

// read takes a value for a parameter.
func (p *param) read(v any) ([]string, error) {
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	switch {
	case isList && p.kind != texts:
		return nil, fmt.Errorf("expected one %s, found a list", p.kind)
	case len(list) > mostTexts:
		return nil, fmt.Errorf("expected at most %d, found %d", mostTexts, len(list))
	}
	var out []string
	for _, v := range list {
		s, err := p.one(v)
		if err != nil {
			return nil, err
		}
		if len(p.values) > 0 && !slices.Contains(p.values, s) {
			return nil, fmt.Errorf("%q is not one of %s%s", s, strings.Join(p.values, ", "), spelling.Nearest(s, p.values))
		}
		out = append(out, s)
	}
	return out, nil
}

func (p *param) one(v any) (string, error) {
	switch v := v.(type) {
	case string:
		switch {
		case len(v) > mostText:
			return "", fmt.Errorf("expected at most %d bytes, found %d", mostText, len(v))
		case p.kind == text, p.kind == texts:
			return v, nil
		}
	case json.Number:
		f, err := v.Float64()
		if p.kind == number && err == nil && f >= 0 && f == math.Trunc(f) && f <= math.MaxInt32 {
			return fmt.Sprintf("%.0f", f), nil
		}
	case bool:
		if p.kind == boolean {
			return fmt.Sprint(v), nil
		}
	}
	want := map[kind]string{text: "a string", texts: "a list of strings", number: "a whole number, 0 or more", boolean: "true or false"}[p.kind]
	found, _ := json.Marshal(v) // what was JSON
	return "", fmt.Errorf("expected %s, found %.40s", want, found)
}

// brief is the form in which the answer is wanted.
func (a arguments) brief() *view.Brief {
	b := &view.Brief{Budget: view.DefaultBudget, Cursor: a.text("cursor"), JSON: a.text("form") == "json"}
	if s := a.text("budget"); s != "" {
		fmt.Sscan(s, &b.Budget) // a whole number: read has looked
		b.Budget = min(max(b.Budget, view.MinBudget), view.MaxBudget)
	}
	return b
}

// schema is that of the arguments, for the client.
func (t *tool) schema() map[string]any {
	properties := map[string]any{}
	for _, p := range t.all() {
		s := map[string]any{"type": p.kind}
		if p.help != "" {
			s["description"] = p.help
		}
		if p.kind == texts {
			s["items"] = map[string]any{"type": "string"}
		}
		if p.kind == number {
			s["minimum"] = 0
		}
		if len(p.values) > 0 {
			s["enum"] = p.values
		}
		properties[p.name] = s
	}
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(t.needs) > 0 {
		out["required"] = t.needs
	}
	return out
}
