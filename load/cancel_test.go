package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
)

// TestCancelOpening stops opening formats that are read as a whole.
func TestCancelOpening(t *testing.T) {
	var notes bytes.Buffer
	notes.WriteString("TimeBase = Manual\n@Marker, Time, Message\n")
	for i := range 300_000 {
		fmt.Fprintf(&notes, "Marker, %d, \"step\"\n", i)
	}
	log := append([]byte("GPGPU-Sim Simulator Version 4.2\n"), bytes.Repeat([]byte("noise\n"), 300_000)...)
	for name, data := range map[string][]byte{"a.nvtxt": notes.Bytes(), "a.log": log} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := Options{}.OpenReader(ctx, bytes.NewReader(data), int64(len(data)), name)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
