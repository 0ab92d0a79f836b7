package nsysrep_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
)

func TestRewriteTexts(t *testing.T) {
	in := nsysrepgen.Sample().Bytes()
	f, err := nsysrep.Open(bytes.NewReader(in), int64(len(in)), "made")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.Rewrite(&out, func(x nsysrep.Text) []byte { return x.Bytes }); err != nil || !bytes.Equal(out.Bytes(), in) {
		t.Errorf("%v; %d bytes became %d, and nothing was edited", err, len(in), out.Len())
	}
	out.Reset()
	places := map[string]string{}
	err = f.Rewrite(&out, func(x nsysrep.Text) []byte {
		places[x.Place] = string(x.Bytes)
		if x.Fixed || x.Blob {
			return x.Bytes
		}
		return append([]byte("new "), x.Bytes...)
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := nsysrep.Open(bytes.NewReader(out.Bytes()), int64(out.Len()), "edited")
	if err != nil || len(g.Problems()) > 0 {
		t.Fatal(err, g.Problems())
	}
	before, _, _ := f.Strings()
	after, _, err := g.Strings()
	if err != nil || len(before) != len(after) {
		t.Fatalf("%d texts became %d: %v", len(before), len(after), err)
	}
	for i := range before {
		if want := "new " + before[i]; after[i] != want {
			t.Errorf("text %d: %q", i, after[i])
		}
	}
	for place, text := range map[string]string{"texts.stream_content": "hello", "events.event.nvtx.text": "", "header.options.process.command": "/bin/app"} {
		if got, ok := places[place]; !ok || !strings.Contains(got, text) {
			t.Errorf("place %s: %q, %v", place, got, ok)
		}
	}
	if len(g.Frames) != len(f.Frames) {
		t.Errorf("%d frames became %d", len(f.Frames), len(g.Frames))
	}
}
