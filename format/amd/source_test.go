package amd

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gpuprof/gpuprof/format/amd/internal/synth"
)

// TestWindows reads traces in windows that are smaller than their lines, which
// must change nothing.
func TestWindows(t *testing.T) {
	texts := map[string][]byte{
		"long lines": []byte("TraceFileVersion=3.2\r\n=====ocl API Trace Output=====\r\n7\r\n2\r\n\r\nCL_SUCCESS = clFinish ( 0x1 )\r\nx\x00y"),
		"no end":     []byte("\xef\xbb\xbfTraceFileVersion=3.2\n=====ocl API Trace Output=====\n7\n1\nCL_SUCCESS = clFinish ( 0x1"),
	}
	var b bytes.Buffer
	if err := synth.Trace(&b, 300, 3, 1); err != nil {
		t.Fatal(err)
	}
	texts["synth"] = b.Bytes()
	files, _ := filepath.Glob("testdata/*.atp")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts[f] = text
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			read := func(step int) (*Trace, error) {
				src, err := newSource(bytes.NewReader(text), int64(len(text)), "x.atp")
				if err != nil {
					t.Fatal(err)
				}
				src.step = step
				return readSource(src, "x.atp")
			}
			want, wantErr := read(windowSize)
			for _, step := range []int{8, 9, 64, 1000} {
				got, err := read(step)
				if (err == nil) != (wantErr == nil) {
					t.Fatalf("windows of %d bytes: %v, want %v", step, err, wantErr)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("windows of %d bytes give another trace", step)
				}
			}
		})
	}
}
