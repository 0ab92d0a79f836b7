package torch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
)

// A Shape is the runs of an operator with the same shapes and types, of those
// whose arithmetic is known: matrix products, convolutions, attention.
type Shape struct {
	Operator, Kind string // Kind: GEMM, convolution, attention
	Text           string // M×N×K and the like
	Dims           string // as recorded
	Type           string // of the first input
	Calls          int
	Time           int64   // ns, of the kernels that it launched, itself and inside
	FLOP           float64 // of one call
	Bytes          float64 // of one call: each input read once, the output written once
}

// Rate is FLOP/s.
func (s *Shape) Rate() float64 {
	if s.Time == 0 {
		return 0
	}
	return s.FLOP * float64(s.Calls) / (float64(s.Time) / 1e9)
}

// Intensity is FLOP/byte.
func (s *Shape) Intensity() float64 {
	if s.Bytes == 0 {
		return 0
	}
	return s.FLOP / s.Bytes
}

// Roof is the rate, in FLOP/s, that a device allows at this intensity: the lesser
// of its arithmetic and of its memory times the intensity; 0 if not known.
func (s *Shape) Roof(p *Peak) float64 {
	rate := p.Rate(s.Type) * 1e12
	if p == nil || p.Memory == 0 || rate == 0 {
		return rate
	}
	return min(rate, p.Memory*1e12*s.Intensity())
}

// work is the arithmetic of a call.
type arithmetic struct {
	kind, text  string
	flop, bytes float64
}

// Shapes adds up the operators whose arithmetic is known, the largest time first.
// It needs a trace with shapes.
//
// The formulas: a product of M×K and K×N takes 2·M·N·K, of a batch B times that,
// and M·N more where it adds a bias. A convolution takes 2·(elements of the
// output)·(input channels of a group)·(elements of the kernel), and backward that for
// each gradient it makes. Attention takes 2·B·H·Nq·Nk·(d of keys + d of values), backward
// 2·B·H·Nq·Nk·(3·d of keys + 2·d of values), half of that where it is causal.
func (t *Timeline) Shapes(ctx context.Context) ([]Shape, error) {
	ops, err := t.Trace.Table(ctx, trace.TableOps, "dimsId", "typesId", "inputsId")
	if err != nil || ops == nil {
		return nil, err
	}
	dims, types, inputs := ops.Col("dimsId"), ops.Col("typesId"), ops.Col("inputsId")
	if dims == nil {
		return nil, nil
	}
	h := &t.Host
	device := make([]int64, len(h.Start)) // with what is inside
	for i := range t.Work.Start {
		if t.Work.Kind[i] != Kernel {
			continue
		}
		for s := t.Work.Owner[i]; s >= 0; s = h.Parent[s] {
			device[s] += t.Work.End[i] - t.Work.Start[i]
		}
	}
	id := func(c *trace.Column, row int32) int64 {
		if c == nil || c.IsNull(int(row)) {
			return -1
		}
		return c.Ints[row]
	}
	type key [4]int64
	found := map[key]*Shape{}
	for i := range h.Start {
		if h.Kind[i] != Op || device[i] == 0 {
			continue
		}
		k := key{h.Name[i], id(dims, h.Row[i]), id(types, h.Row[i]), id(inputs, h.Row[i])}
		s, ok := found[k]
		if !ok {
			if a := arithmeticOf(t.Name(k[0]), t.text(k[1]), t.text(k[2]), t.text(k[3])); a != nil {
				s = &Shape{Operator: t.Name(k[0]), Kind: a.kind, Text: a.text, Dims: t.text(k[1]), Type: firstType(t.text(k[2])), FLOP: a.flop, Bytes: a.bytes}
			}
			found[k] = s
		}
		if s != nil && !t.counted(int32(i)) {
			s.Calls++
			s.Time += device[i]
		}
	}
	var out []Shape
	for _, s := range found {
		if s != nil && s.Calls > 0 {
			out = append(out, *s)
		}
	}
	slices.SortFunc(out, func(a, b Shape) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Dims, b.Dims), cmp.Compare(a.Type, b.Type), cmp.Compare(b.Calls, a.Calls))
	})
	return out, nil
}

func (t *Timeline) text(id int64) string {
	if id < 0 {
		return ""
	}
	return t.Name(id)
}

// counted reports whether an operator around this one has its arithmetic
// counted: aten::convolution around aten::cudnn_convolution.
func (t *Timeline) counted(slice int32) bool {
	for p := t.Host.Parent[slice]; p >= 0; p = t.Host.Parent[p] {
		if t.Host.Kind[p] == Op && arithmeticKinds[t.Name(t.Host.Name[p])] != "" {
			return true
		}
	}
	return false
}

// arithmeticKinds are the operators whose arithmetic is known.
var arithmeticKinds = map[string]string{
	"aten::mm": "GEMM", "aten::addmm": "GEMM", "aten::_scaled_mm": "GEMM", "aten::bmm": "GEMM", "aten::baddbmm": "GEMM",
	"aten::convolution": "convolution", "aten::convolution_backward": "convolution", "aten::_flash_attention_forward": "attention",
	"aten::_scaled_dot_product_flash_attention": "attention", "aten::_scaled_dot_product_flash_attention_backward": "attention",
	"aten::_scaled_dot_product_efficient_attention": "attention", "aten::_scaled_dot_product_efficient_attention_backward": "attention",
	"aten::_scaled_dot_product_cudnn_attention": "attention", "aten::_scaled_dot_product_cudnn_attention_backward": "attention",
}

// causalInput is which input of attention says whether it is causal. Others are true or
// false, too.
var causalInput = map[string]int{
	"aten::_scaled_dot_product_flash_attention": 4, "aten::_scaled_dot_product_flash_attention_backward": 11,
	"aten::_scaled_dot_product_efficient_attention": 6, "aten::_scaled_dot_product_efficient_attention_backward": 11,
	"aten::_scaled_dot_product_cudnn_attention": 6, "aten::_scaled_dot_product_cudnn_attention_backward": 14,
}

func arithmeticOf(op, dims, types, inputs string) *arithmetic {
	kind := arithmeticKinds[op]
	if kind == "" {
		return nil
	}
	d := shapesOf(dims)
	size := float64(elementSize(firstType(types)))
	in := stringsOf(inputs)
	switch op {
	case "aten::mm", "aten::_scaled_mm":
		return product(at(d, 0), at(d, 1), false, size)
	case "aten::addmm":
		return product(at(d, 1), at(d, 2), true, size)
	case "aten::bmm":
		return product(at(d, 0), at(d, 1), false, size)
	case "aten::baddbmm":
		return product(at(d, 1), at(d, 2), true, size)
	case "aten::convolution":
		return convolution(d, in, size)
	case "aten::convolution_backward":
		return convolutionBackward(d, in, size)
	case "aten::_flash_attention_forward":
		return nil // inside of the former, with its heads in another place
	}
	i := causalInput[op]
	causal := i < len(in) && strings.EqualFold(in[i], "true")
	if strings.HasSuffix(op, "_backward") {
		return attentionBackward(d, causal, size)
	}
	return attention(d, causal, size)
}

func at(d [][]int64, i int) []int64 {
	if i < len(d) {
		return d[i]
	}
	return nil
}

// product is a matrix product, of a batch where there is a third dimension.
func product(a, b []int64, bias bool, size float64) *arithmetic {
	batch := 1.0
	if len(a) == 3 && len(b) == 3 && a[0] == b[0] {
		batch, a, b = float64(a[0]), a[1:], b[1:]
	}
	if len(a) != 2 || len(b) != 2 || a[1] != b[0] {
		return nil
	}
	m, k, n := float64(a[0]), float64(a[1]), float64(b[1])
	w := &arithmetic{kind: "GEMM", text: fmt.Sprintf("%v×%v×%v", m, n, k), flop: batch * 2 * m * n * k, bytes: batch * size * (m*k + k*n + m*n)}
	if batch > 1 {
		w.text = fmt.Sprintf("%v × %s", batch, w.text)
	}
	if bias {
		w.flop += batch * m * n
		w.bytes += batch * size * n
	}
	return w
}

// convolution is aten::convolution(input, weight, bias, stride, padding, dilation,
// transposed, output_padding, groups).
func convolution(d [][]int64, in []string, size float64) *arithmetic {
	x, w := at(d, 0), at(d, 1)
	n := len(x) - 2
	if n < 1 || len(w) != len(x) || len(in) < 9 || in[6] == "True" || in[6] == "true" {
		return nil
	}
	stride, padding, dilation := listOf(in[3]), listOf(in[4]), listOf(in[5])
	out := []int64{x[0], w[0]}
	elements, kernel := float64(x[0])*float64(w[0]), 1.0
	for i := range n {
		s, p, l := axis(stride, i, 1), axis(padding, i, 0), axis(dilation, i, 1)
		if s < 1 || s > mostSize || p < 0 || p > mostSize || l < 1 || l > mostSize {
			return nil
		}
		o := max((x[i+2]+2*p-l*(w[i+2]-1)-1)/s+1, 0)
		out = append(out, o)
		elements, kernel = elements*float64(o), kernel*float64(w[i+2])
	}
	return &arithmetic{kind: "convolution", text: fmt.Sprintf("%s * %s", sizes(x), sizes(w)), flop: 2 * elements * float64(w[1]) * kernel,
		bytes: size * (count(x) + count(w) + count(out))}
}

func axis(list []int64, i int, without int64) int64 {
	switch {
	case i < len(list):
		return list[i]
	case len(list) == 1:
		return list[0]
	}
	return without
}

// convolutionBackward is aten::convolution_backward(gradient, input, weight, sizes of the
// bias, stride, padding, dilation, transposed, output_padding, groups, mask): for the
// gradients of the input and of the weight the arithmetic of the convolution each.
func convolutionBackward(d [][]int64, in []string, size float64) *arithmetic {
	g, x, w := at(d, 0), at(d, 1), at(d, 2)
	if len(x) < 3 || len(w) != len(x) || len(g) != len(x) || len(in) < 11 || strings.EqualFold(in[7], "true") {
		return nil
	}
	mask := strings.Split(strings.Trim(in[10], "[]"), ",")
	made := 0.0
	bytes := count(g) + count(x) + count(w)
	for i, of := range [][]int64{x, w} {
		if i < len(mask) && strings.EqualFold(strings.TrimSpace(mask[i]), "true") {
			made++
			bytes += count(of)
		}
	}
	return &arithmetic{kind: "convolution", text: fmt.Sprintf("%s * %s", sizes(x), sizes(w)), flop: made * 2 * count(g) * count(w) / float64(max(w[0], 1)), bytes: size * bytes}
}

// attention is a product of scaled dot products: query, key and value are of
// batch, heads, tokens and depth.
func attention(d [][]int64, causal bool, size float64) *arithmetic {
	q, k, v := at(d, 0), at(d, 1), at(d, 2)
	if len(q) != 4 || len(k) != 4 || len(v) != 4 {
		return nil
	}
	flop := 2 * pairsOf(q, k) * float64(q[3]+v[3])
	return causally(causal, q, &arithmetic{kind: "attention", text: tokens(q, k), flop: flop, bytes: size * (count(q) + count(k) + count(v) + rows(q)*float64(v[3]))})
}

// attentionBackward has the gradient of the output before query, key and value: five
// products, as the first of the forward pass is made again.
func attentionBackward(d [][]int64, causal bool, size float64) *arithmetic {
	q, k, v := at(d, 1), at(d, 2), at(d, 3)
	if len(q) != 4 || len(k) != 4 || len(v) != 4 {
		return nil
	}
	flop := 2 * pairsOf(q, k) * float64(3*q[3]+2*v[3])
	return causally(causal, q, &arithmetic{kind: "attention", text: tokens(q, k), flop: flop, bytes: 2 * size * (count(q) + count(k) + count(v) + rows(q)*float64(v[3]))})
}

// pairsOf is how many pairs of tokens there are in all heads, rows how many queries.
func pairsOf(q, k []int64) float64 { return rows(q) * float64(k[2]) }
func rows(q []int64) float64       { return count(q[:3]) }

func tokens(q, k []int64) string {
	return fmt.Sprintf("%d × %d heads, %d×%d, depth %d", q[0], q[1], q[2], k[2], q[3])
}

// causally takes half of the arithmetic away where tokens look only back.
func causally(causal bool, q []int64, a *arithmetic) *arithmetic {
	if causal && q[2] > 1 {
		a.flop /= 2
		a.text += ", causal"
	}
	return a
}

func count(d []int64) float64 {
	n := 1.0
	for _, x := range d {
		n *= float64(x)
	}
	return n
}

func sizes(d []int64) string {
	s := make([]string, len(d))
	for i, x := range d {
		s[i] = fmt.Sprint(x)
	}
	return strings.Join(s, "×")
}

// mostSize is above any dimension of a tensor; products of two stay within 64 bits.
const mostSize = 1 << 31

// shapesOf reads Input Dims; lists of lists (of a TensorList) have no shape, nor has what
// no tensor can have.
func shapesOf(text string) [][]int64 {
	var raw []json.RawMessage
	if json.Unmarshal([]byte(text), &raw) != nil {
		return nil
	}
	out := make([][]int64, len(raw))
	for i, r := range raw {
		no := func(x int64) bool { return x < 0 || x > mostSize }
		if json.Unmarshal(r, &out[i]) != nil || slices.ContainsFunc(out[i], no) {
			out[i] = nil
		}
	}
	return out
}

func stringsOf(text string) []string {
	var out []string
	_ = json.Unmarshal([]byte(text), &out)
	return out
}

func listOf(text string) []int64 {
	var out []int64
	_ = json.Unmarshal([]byte(text), &out)
	return out
}

func firstType(types string) string {
	for _, s := range stringsOf(types) {
		if s != "" && s != "Scalar" {
			return s
		}
	}
	return ""
}

// elementSize is the size of a type, in bytes; 0 if it is not known.
func elementSize(dtype string) int {
	switch t := strings.ToLower(strings.TrimPrefix(dtype, "c10::")); {
	case strings.Contains(t, "float8"), t == "char", t == "signed char", t == "unsigned char", t == "bool", t == "int8":
		return 1
	case t == "half", t == "bfloat16", t == "short":
		return 2
	case t == "float", t == "int", t == "float32":
		return 4
	case t == "double", t == "long", t == "long int", t == "float64":
		return 8
	}
	return 0
}
