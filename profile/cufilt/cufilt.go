// Package cufilt writes C++ names as NVIDIA's tools do.
//
// The demangler of the CUDA toolkit (cu++filt, and Nsight Compute since 2021)
// spells names in another way than those of GCC and LLVM: "const float *" for
// "float const*", "(int)4" for "4", T1 for a parameter of the template that the
// function is made from, "[lambda(float) (instance 1)]", "<unnamed>".
// [Name] writes that form. The rules are read off names that reports hold in
// both forms; names with rarer constructs, such as expressions in template
// arguments, are left to the other spelling.
package cufilt

import (
	"strconv"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// maxName is the length in bytes, as a power of two, beyond which a name is not
// written: a short mangled name can stand for one that fills memory.
const maxName = 14

// Name demangles a C++ name; ok is false if it is none or has a construct whose
// spelling is not known.
func Name(mangled string) (name string, ok bool) {
	rewritten, ok := keepParams(mangled)
	if !ok {
		return "", false
	}
	ast := parse(rewritten)
	if ast == nil {
		return "", false
	}
	w := &writer{}
	w.node(ast)
	return w.b.String(), !w.failed
}

// Filter demangles a C++ or Rust name: as [Name] does, else in LLVM's spelling.
// Other names stay as they are.
func Filter(mangled string) string {
	if n, ok := Name(mangled); ok {
		return n
	}
	return filter(mangled)
}

// filter has the demangler's own spelling.
func filter(mangled string) (name string) {
	defer func() {
		if recover() != nil {
			name = mangled
		}
	}()
	return demangle.Filter(mangled, demangle.LLVMStyle, demangle.MaxLength(maxName))
}

// parse returns nil for what is no mangled name.
func parse(mangled string) (ast demangle.AST) {
	// The demangler panics on some broken names, such as "_ZF".
	defer func() {
		if recover() != nil {
			ast = nil
		}
	}()
	ast, err := demangle.ToAST(mangled, demangle.NoClones)
	if err != nil {
		return nil
	}
	return ast
}

// maxDepth bounds how deep nodes nest.
const maxDepth = 256

type writer struct {
	b      strings.Builder
	depth  int
	failed bool
}

func (w *writer) put(s string) {
	if w.b.Len()+len(s) > 1<<maxName {
		w.failed = true
		return
	}
	w.b.WriteString(s)
}

// node writes a name or a type.
func (w *writer) node(a demangle.AST) {
	if w.depth++; w.depth > maxDepth {
		w.failed = true
	}
	defer func() { w.depth-- }()
	if w.failed {
		return
	}
	switch n := a.(type) {
	case *demangle.Name:
		w.put(anonymous(n.Name))
	case *demangle.Typed:
		w.typed(n)
	case *demangle.Qualified:
		w.node(n.Scope)
		w.put("::")
		w.node(n.Name)
	case *demangle.Template:
		w.node(n.Name)
		w.list("<", n.Args, ">")
	case *demangle.Closure:
		w.list("[lambda(", n.Types, ") (instance "+strconv.Itoa(n.Num+1)+")]")
	case *demangle.Literal:
		w.literal(n)
	case *demangle.ArgumentPack:
		w.list("", n.Args, "")
	case *demangle.Operator:
		w.put("operator " + n.Name)
	case *demangle.MethodWithQualifiers:
		w.node(n.Method)
		w.put(methodQualifiers(n))
	default:
		w.typ(a)
	}
}

// anonymous is a name as it is shown: GCC and the CUDA front end mark anonymous
// namespaces in their own ways.
func anonymous(name string) string {
	if name == "(anonymous namespace)" || strings.HasPrefix(name, "_GLOBAL__N_") {
		return "<unnamed>"
	}
	return name
}

// typed writes a function: "ret name(args) const". Only the names of templates
// hold a return type.
func (w *writer) typed(n *demangle.Typed) {
	qualifiers := ""
	t := n.Type
	if m, ok := t.(*demangle.MethodWithQualifiers); ok {
		qualifiers, t = methodQualifiers(m), m.Method
	}
	f, ok := t.(*demangle.FunctionType)
	if !ok {
		w.failed = true
		return
	}
	if f.Return != nil {
		w.node(f.Return)
		w.put(" ")
	}
	w.node(n.Name)
	w.list("(", f.Args, ")")
	w.put(qualifiers)
}

func methodQualifiers(m *demangle.MethodWithQualifiers) string {
	s := ""
	for _, q := range qualifierNames(m.Qualifiers) {
		s += " " + q
	}
	if m.RefQualifier != "" {
		s += " " + m.RefQualifier
	}
	return s
}

func (w *writer) list(open string, args []demangle.AST, end string) {
	w.put(open)
	first := true
	for _, a := range args {
		if p, ok := a.(*demangle.ArgumentPack); ok && len(p.Args) == 0 {
			continue
		}
		if b, ok := a.(*demangle.BuiltinType); ok && b.Name == "void" && len(args) == 1 && strings.HasSuffix(open, "(") {
			continue // f(void)
		}
		if !first {
			w.put(", ")
		}
		first = false
		w.node(a)
	}
	w.put(end)
}

// literal writes "(int)4"; of a pointer to an object only its name.
func (w *writer) literal(n *demangle.Literal) {
	w.put("(")
	w.node(n.Type)
	w.put(")")
	if n.Neg {
		w.put("-")
	}
	w.put(n.Val)
}
