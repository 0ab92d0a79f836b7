// Command interruptible makes a WebAssembly module that can be stopped.
//
//	interruptible IN.wasm OUT.wasm
//
// At the head of every loop it adds
//
//	i32.const 0  i32.load offset=WORD  if  unreachable  end
//
// so that whoever writes a number other than 0 to the memory word at WORD ends
// the module at its next turn. The word must be one that the module never
// touches: WORD is 16, in the last bytes of a stack that lies first in memory
// (wasm-ld --stack-first). A stack that grows so far traps a moment later.
//
// A runtime can do the same by itself, but leaves the compiled code at each loop
// to ask: that makes Python five times slower, the load makes it a few percent
// slower.
package main

import (
	"fmt"
	"os"
)

// stopWord is the address of the word; package python has the same.
const stopWord = 16

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: interruptible IN.wasm OUT.wasm")
		os.Exit(2)
	}
	in, err := os.ReadFile(os.Args[1])
	if err == nil {
		var out []byte
		if out, err = rewrite(in); err == nil {
			err = os.WriteFile(os.Args[2], out, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "interruptible:", err)
		os.Exit(1)
	}
}

const codeSection = 10

// rewrite copies a module, section by section; only the code changes.
func rewrite(in []byte) (out []byte, err error) {
	defer func() {
		if e, ok := recover().(parseError); ok {
			err = e
		}
	}()
	r := &reader{b: in}
	out = append(out, r.take(8)...)
	for r.at < len(r.b) {
		id := r.byte()
		body := r.take(int(r.uint()))
		if id == codeSection {
			body = rewriteCode(body)
		}
		out = append(out, id)
		out = appendUint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out, nil
}

func rewriteCode(section []byte) []byte {
	r := &reader{b: section}
	n := r.uint()
	out := appendUint(nil, n)
	for range n {
		body := rewriteFunction(r.take(int(r.uint())))
		out = appendUint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out
}

var check = append(append([]byte{
	0x41, 0x00, // i32.const 0
	0x28, 0x02}, appendUint(nil, stopWord)...), // i32.load align=4 offset=stopWord
	0x04, 0x40, // if
	0x00, // unreachable
	0x0b) // end

func rewriteFunction(body []byte) []byte {
	r := &reader{b: body}
	for range r.uint() { // locals
		r.uint()
		r.byte()
	}
	var out []byte
	done := 0
	for r.at < len(r.b) {
		op := r.byte()
		r.immediates(op)
		if op == opLoop {
			out = append(out, body[done:r.at]...)
			out = append(out, check...)
			done = r.at
		}
	}
	return append(out, body[done:]...)
}

func appendUint(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}
