package annotate

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/nvtxt"
)

func loadText(t testing.TB, text string, opt LoadOptions) *File {
	t.Helper()
	f, err := Load(context.Background(), strings.NewReader(text), int64(len(text)), "x.nvtxt", opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

// textOf prints what a file makes of itself on the timeline.
func textOf(f *File) string {
	var b bytes.Buffer
	for i, e := range f.Events.All() {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s %d", strings.Fields(e.Type.String())[0], e.Start)
		if e.Open {
			b.WriteString("..")
		} else if e.Type != nvtxt.TypeMarker {
			fmt.Fprintf(&b, "..%d", e.End)
		}
		fmt.Fprintf(&b, " %q %d/%d", e.Text, e.Process, e.Thread)
		if e.HasColor {
			fmt.Fprintf(&b, " #%08X", e.Color)
		}
		if e.HasCategory {
			fmt.Fprintf(&b, " c%d", e.Category)
		}
		switch e.Payload.Kind {
		case nvtxt.IntPayload:
			fmt.Fprintf(&b, " p%d", e.Payload.Int())
		case nvtxt.FloatPayload:
			fmt.Fprintf(&b, " p%g", e.Payload.Float())
		}
	}
	if b.Len() == 0 {
		return "nothing"
	}
	return b.String()
}

// linesOf prints the linesOf of a file without its name.
func linesOf(f *File) (out []string) {
	for _, d := range f.Diagnostics.Messages() {
		out = append(out, strings.TrimPrefix(d.Error(), f.Path+":"))
	}
	return out
}
