package benchjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A node is a JSON value that keeps the order of members. All methods take nil.
type node struct {
	kind  byte // '{', '[', 's'tring, 'n'umber, 'b'oolean, '0' null
	text  string
	keys  []string
	items []*node
}

// at is a member of an object, nil if there is none.
func (n *node) at(key string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.items[i]
		}
	}
	return nil
}

// list are the elements of an array, or the values of an object.
func (n *node) list() []*node {
	if n == nil {
		return nil
	}
	return n.items
}

func (n *node) first() *node {
	if l := n.list(); len(l) > 0 {
		return l[0]
	}
	return nil
}

// str is a string, "" for all else.
func (n *node) str() string {
	if n == nil || n.kind != 's' {
		return ""
	}
	return n.text
}

// plain is a string or a number as written.
func (n *node) plain() string {
	if n == nil || n.kind == '{' || n.kind == '[' || n.kind == '0' {
		return ""
	}
	return n.text
}

// number is a number, or a text that is one.
func (n *node) number() (float64, bool) {
	if n == nil || n.kind != 'n' && n.kind != 's' {
		return 0, false
	}
	return parseNumber(n.text)
}

func (n *node) whole() int {
	v, ok := n.number()
	if !ok || !(v >= -1e15 && v <= 1e15) {
		return 0
	}
	return int(v)
}

func (n *node) isTrue() bool { return n != nil && n.kind == 'b' && n.text == "true" }

// bareWords quotes NaN and Infinity where they stand as bare words, which some
// programs write and JSON does not know.
func bareWords(b []byte) []byte {
	if !bytes.Contains(b, []byte("NaN")) && !bytes.Contains(b, []byte("Infinity")) {
		return b
	}
	out := make([]byte, 0, len(b)+64)
	inString := false
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case inString && c == '\\' && i+1 < len(b):
			out = append(out, c, b[i+1])
			i++
			continue
		case c == '"':
			inString = !inString
		case !inString && (c == 'N' || c == 'I' || c == '-'):
			word := ""
			for _, w := range []string{"-NaN", "NaN", "-Infinity", "Infinity"} {
				if bytes.HasPrefix(b[i:], []byte(w)) {
					word = w
					break
				}
			}
			if word != "" {
				out = append(append(append(out, '"'), word...), '"')
				i += len(word) - 1
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// parse reads a JSON document; cut says that it ends in the middle, and holds
// what stands before.
func parse(b []byte, name string) (root *node, cut bool, err error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(bareWords(b)))
	d.UseNumber()
	p := &parser{d: d}
	root, err = p.value(0)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		if root != nil && len(root.items) > 0 {
			return root, true, nil
		}
		return nil, false, &Error{name, d.InputOffset(), "the file ends before a value"}
	case err != nil:
		return nil, false, &Error{name, d.InputOffset(), err.Error()}
	}
	return root, false, nil
}

type parser struct {
	d     *json.Decoder
	nodes int
}

// value reads a value. With an error it returns what it has of it.
func (p *parser) value(depth int) (*node, error) {
	t, err := p.d.Token()
	if err != nil {
		return nil, err
	}
	if p.nodes++; p.nodes > maxNodes {
		return nil, fmt.Errorf("more than %d values", maxNodes)
	}
	switch t := t.(type) {
	case json.Delim:
		if depth >= maxDepth {
			return nil, fmt.Errorf("values more than %d deep", maxDepth)
		}
		n := &node{kind: byte(t)}
		for p.d.More() {
			key := ""
			if t == '{' {
				k, err := p.d.Token()
				if err != nil {
					return n, err
				}
				key, _ = k.(string)
			}
			v, err := p.value(depth + 1)
			if v != nil {
				n.items = append(n.items, v)
				if t == '{' {
					n.keys = append(n.keys, key)
				}
			}
			if err != nil {
				return n, err
			}
		}
		_, err := p.d.Token() // the closing one
		return n, err
	case string:
		return &node{kind: 's', text: t}, nil
	case json.Number:
		return &node{kind: 'n', text: t.String()}, nil
	case bool:
		return &node{kind: 'b', text: fmt.Sprint(t)}, nil
	}
	return &node{kind: '0'}, nil
}
