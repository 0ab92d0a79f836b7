package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
)

// module is one that loops without end in its function "loop", past every form
// of immediate that could hide the opcode of a loop:
//
//	(memory 1) (func (export "loop") (i64.const 3) drop (f32.const x) drop (f64.const y) drop (loop (br 0)))
func module() []byte {
	code := []byte{
		1, 1, 0x7f, // one local, an i32
		0x42, 0x03, 0x1a, // i64.const 3, drop
		0x43, 0x03, 0x40, 0x03, 0x40, 0x1a, // f32.const, drop
		0x44, 0x03, 0x40, 0x03, 0x40, 0x03, 0x40, 0x03, 0x40, 0x1a, // f64.const, drop
		0x41, 0x83, 0x40, 0x45, 0x1a, // i32.const, i32.eqz, drop
		0x41, 0x00, 0x41, 0x00, 0x41, 0x00, 0xfc, 0x0b, 0x00, // memory.fill
		0x03, 0x40, 0x0c, 0x00, 0x0b, // loop br 0 end
		0x0b,
	}
	section := func(id byte, body ...byte) []byte { return append([]byte{id, byte(len(body))}, body...) }
	m := []byte("\x00asm\x01\x00\x00\x00")
	m = append(m, section(1, 1, 0x60, 0, 0)...)                  // type: () -> ()
	m = append(m, section(3, 1, 0)...)                           // function
	m = append(m, section(5, 1, 0, 1)...)                        // memory
	m = append(m, section(7, 1, 4, 'l', 'o', 'o', 'p', 0, 0)...) // export
	return append(m, section(10, append([]byte{1, byte(len(code))}, code...)...)...)
}

func TestStops(t *testing.T) {
	out, err := rewrite(module())
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	m, err := r.Instantiate(ctx, out)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := m.ExportedFunction("loop").Call(ctx)
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("the loop ended by itself: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	word, _ := m.Memory().Read(stopWord, 4)
	binary.LittleEndian.PutUint32(word, 1)
	if err := <-done; err == nil || !strings.Contains(err.Error(), "unreachable") {
		t.Errorf("ended with %v", err)
	}
}

func TestBroken(t *testing.T) {
	m := module()
	for n := range m {
		if _, err := rewrite(m[:n]); err == nil && n > 8 && !bytes.HasPrefix(m, m[:n]) {
			t.Errorf("%d bytes: no error", n)
		}
	}
	for _, b := range [][]byte{nil, []byte("\x00asm"), append(m[:8:8], 10, 200), append(m[:8:8], 10, 4, 1, 2, 0, 0xff)} {
		if _, err := rewrite(b); err == nil {
			t.Errorf("%x: no error", b)
		}
	}
}
