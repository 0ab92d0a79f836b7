package source

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/flow"
	"github.com/gpuprof/gpuprof/internal/cubingen"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

const samplePTX = "\n.version 8.0\n.target sm_80\n"

// binary writes an executable with a kernel for sm_80, the same for a GPU that is
// not known, and PTX.
func executable(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "app")
	b := cubingen.Executable(cubingen.Fatbin(
		cubingen.Image{Kind: 2, SM: 80, Data: cubingen.Cubin(80, cubingen.Add())},
		cubingen.Image{Kind: 2, SM: 120, Data: cubingen.Cubin(120, cubingen.Add())},
		cubingen.Image{Kind: 1, SM: 80, Data: []byte(samplePTX)}))
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestProgram(t *testing.T) {
	name := executable(t)
	got, _ := pagetest.Render(t, Program, name, view.FormatText, pagetest.Options("sm", "80"))
	for _, want := range []string{
		"add(int *, int) (sm_80)",
		"   0x20 0-----:-:-:Y:S13     2 ISETP.GE.AND P0, PT, R5, c[0x0][0x168], PT      0x10 ",
		"LDG.E R0, [R2.64]",
		"BRA 0xb0",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got, _ = pagetest.Render(t, Program, name, view.FormatText, pagetest.Options("sm", "120")); !strings.Contains(got, "0x000fe40000000f0000000a0000017a02") || !strings.Contains(got, "unverified") {
		t.Errorf("a GPU that is not known:\n%s", got)
	}
	if got, _ = pagetest.Render(t, Program, name, view.FormatText, pagetest.Options("sm", "80", "mix", "true")); !strings.Contains(got, "control") {
		t.Errorf("mix:\n%s", got)
	}
	if got, _ = pagetest.Render(t, Program, name, view.FormatJSON, pagetest.Options("sm", "80", "kernel", "add")); !strings.Contains(got, `"R2 R3 R5 UR4 UR5"`) {
		t.Errorf("json by name: %s", got)
	}
	if got, _ = pagetest.Render(t, PTX, name, view.FormatText, nil); !strings.Contains(got, "   2 .version 8.0") {
		t.Errorf("ptx:\n%s", got)
	}
}

func TestProgramGraph(t *testing.T) {
	f, err := load.Open(context.Background(), executable(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b bytes.Buffer
	q := &page.Request{Files: []*load.File{f}, Values: pagetest.Options("cfg", "dot", "sm", "80")}
	if err := Program.Stream(context.Background(), q, &b); err != nil || !Program.Streams(q) || !strings.Contains(b.String(), "b0 -> b1") {
		t.Errorf("%v:\n%s", err, &b)
	}
	q.Values = pagetest.Options("kernel", "regex:(")
	if _, err := Program.Do(context.Background(), q); !errors.Is(err, page.ErrUsage) {
		t.Errorf("a broken expression: %v", err)
	}
}

// TestTargets: the loop behind the end leads to itself, at the address that the listing has.
func TestTargets(t *testing.T) {
	b := make([]byte, 0, 12*sass.Size)
	for _, w := range cubingen.Add().Words {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, w[0]), w[1])
	}
	p := flow.Of(sass.NewDecoder(80), b, 0x1000)
	if got := targets(p, 11, 0x70b0); got != "0x70b0" {
		t.Errorf("leads to %q", got)
	}
	if got := targets(p, 3, 0x7030); got != "" {
		t.Errorf("an EXIT leads to %q", got)
	}
}
