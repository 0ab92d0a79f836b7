package rocm

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
)

func TestRewritePerfetto(t *testing.T) {
	msg := nsysrepgen.Message
	in := msg(1, msg(8, 5, 60, msg(1, 7, 3, msg(1, 70, 2, "train --key secret", 6, "python"))), 1, msg(11, msg(4, msg(10, "host", 6, "node7")), 99, "odd"))
	var out bytes.Buffer
	same := func(_ string, b []byte, _, _ bool) []byte { return b }
	if err := RewritePerfetto(&out, bytes.NewReader(in), same); err != nil || !bytes.Equal(out.Bytes(), in) {
		t.Errorf("%v: %x became %x", err, in, out.Bytes())
	}
	places := map[string]string{}
	out.Reset()
	err := RewritePerfetto(&out, bytes.NewReader(in), func(place string, b []byte, fixed, blob bool) []byte {
		places[place] = string(b)
		if fixed || blob {
			return b
		}
		return []byte("longer than before: " + string(b))
	})
	if err != nil || places["packet.track.process.cmdline"] != "train --key secret" || places["packet.99"] != "odd" {
		t.Errorf("%v: %q", err, places)
	}
	if !strings.Contains(out.String(), "longer than before: python") {
		t.Errorf("%q", out.String())
	}
	for _, bad := range [][]byte{msg(2, 5), in[:len(in)-1], msg(1, msg(50, "packed")), {0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f}} {
		if err := RewritePerfetto(&out, bytes.NewReader(bad), same); err == nil {
			t.Errorf("%x: no error", bad)
		}
	}
}
