package cufilt

import (
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// typ writes a type without a name: "const float *", "int (*)(float)".
func (w *writer) typ(a demangle.AST) {
	switch n := a.(type) {
	case *demangle.BuiltinType:
		w.put(n.Name)
	case *demangle.PointerType:
		w.pointer(n.Base, "*")
	case *demangle.ReferenceType:
		w.pointer(n.Base, "&")
	case *demangle.RvalueReferenceType:
		w.pointer(n.Base, "&&")
	case *demangle.TypeWithQualifiers:
		w.qualified(n)
	case *demangle.FunctionType:
		w.function(n, "")
	case *demangle.ArrayType:
		w.array(n, "")
	default:
		w.failed = true
	}
}

// pointer writes a pointer or reference to base: the sign stands apart from a
// name, but next to other signs.
func (w *writer) pointer(base demangle.AST, sign string) {
	switch n := base.(type) {
	case *demangle.FunctionType:
		w.function(n, "("+sign+")")
		return
	case *demangle.ArrayType:
		w.array(n, "("+sign+")")
		return
	}
	w.node(base)
	if s := w.b.String(); !strings.HasSuffix(s, "*") && !strings.HasSuffix(s, "&") {
		w.put(" ")
	}
	w.put(sign)
}

// qualified writes the qualifiers before the name of a type and behind the sign
// of a pointer.
func (w *writer) qualified(n *demangle.TypeWithQualifiers) {
	names := qualifierNames(n.Qualifiers)
	if names == nil {
		w.failed = true
		return
	}
	q := strings.Join(names, " ")
	switch n.Base.(type) {
	case *demangle.PointerType, *demangle.ReferenceType, *demangle.RvalueReferenceType:
		w.node(n.Base)
		w.put(q)
	default:
		w.put(q + " ")
		w.node(n.Base)
	}
}

func qualifierNames(a demangle.AST) []string {
	qs, ok := a.(*demangle.Qualifiers)
	if !ok {
		return nil
	}
	var names []string
	for _, q := range qs.Qualifiers {
		if q, ok := q.(*demangle.Qualifier); ok {
			names = append(names, q.Name)
		}
	}
	return names
}

// function writes a function type, with inner where a name would stand.
func (w *writer) function(n *demangle.FunctionType, inner string) {
	if n.Return != nil {
		w.node(n.Return)
		w.put(" ")
	}
	w.put(inner)
	w.list("(", n.Args, ")")
}

func (w *writer) array(n *demangle.ArrayType, inner string) {
	w.node(n.Element)
	w.put(" ")
	w.put(inner + "[")
	if d, ok := n.Dimension.(*demangle.Name); ok {
		w.put(d.Name)
	} else {
		w.failed = true
	}
	w.put("]")
}
