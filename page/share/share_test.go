package share

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

func ask(p *page.Page, output string, values map[string][]string, args ...string) (string, *view.Document, error) {
	q := &page.Request{Args: args, Output: output, Values: values}
	d, err := p.Do(context.Background(), q)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	err = view.Render(&b, d, view.FormatText, view.Options{})
	return b.String(), d, err
}

func TestScrub(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
	if err := os.WriteFile(in, []byte("run by /home/alice/x on 192.168.4.4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check := map[string][]string{"check": {"true"}}
	text, d, err := ask(Scrub, "", check, in)
	if err != nil || !d.Failed || !strings.Contains(text, "home folder") || strings.Contains(text, "alice") {
		t.Errorf("%v\n%s", err, text)
	}
	text, d, err = ask(Scrub, out, map[string][]string{"drop": {"sources,cubins,paths,names"}}, in)
	if err != nil || d.Failed || !strings.Contains(text, "network address") {
		t.Errorf("%v\n%s", err, text)
	}
	if b, _ := os.ReadFile(out); string(b) != "run by /home/user1/x on 192.0.2.1\n" {
		t.Errorf("%q", b)
	}
	if text, d, err = ask(Scrub, "", check, out); err != nil || d.Failed || !strings.Contains(text, "Nothing to take out") {
		t.Errorf("%v\n%s", err, text)
	}
	for _, c := range []struct {
		output string
		values map[string][]string
		args   []string
	}{
		{"", nil, []string{in}}, {out, check, []string{in}}, {out, nil, []string{in, in}}, {out, map[string][]string{"drop": {"x"}}, []string{in}},
		{out, nil, []string{filepath.Join(dir, "none")}}, {filepath.Join(dir, "no", "folder"), nil, []string{in}},
	} {
		if _, _, err := ask(Scrub, c.output, c.values, c.args...); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
}

func TestMerge(t *testing.T) {
	dir := t.TempDir()
	a, b, out := filepath.Join(dir, "a.sqlite"), filepath.Join(dir, "b.sqlite"), filepath.Join(dir, "out.sqlite")
	for i, name := range []string{a, b} {
		if err := nsysgen.Write(name, nsysgen.Size{Kernels: 50, Ranges: 21, Copies: 6, Threads: 2, Devices: 1, Names: 3, Seed: uint64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	text, _, err := ask(Merge(annotationStub), out, nil, a, b)
	if err != nil || !strings.Contains(text, "2 files") {
		t.Errorf("%v\n%s", err, text)
	}
	for _, args := range [][]string{{a, filepath.Join(dir, "x.nvtxt")}, {filepath.Join(dir, "none.sqlite")}, {"../../examples/transpose.ncu-rep", a}} {
		if _, _, err := ask(Merge(annotationStub), out, nil, args...); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	for _, args := range [][]string{{a, "x.nvtxt"}, {a}, {"x.nvtxt"}} { // asked of the other page, or too few
		if _, _, err := ask(Merge(annotationStub), out, nil, args...); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	if _, _, err := ask(Merge(annotationStub), out, map[string][]string{"freq": {"7"}}, a, b); err == nil {
		t.Error("an option of annotations, and no error")
	}
	if _, _, err := ask(Merge(annotationStub), "", nil, a, b); err == nil {
		t.Error("no output, and no error")
	}
	ncu := "../../examples/transpose.ncu-rep"
	if _, _, err := ask(Merge(annotationStub), filepath.Join(dir, "out.ncu-rep"), nil, ncu, ncu); err != nil {
		t.Error(err)
	}
}

// annotationStub stands in for the page that lays annotations on a timeline.
var annotationStub = &page.Page{Name: "nvtxt merge", Options: []page.Option{{Name: "freq", Kind: page.Text}},
	Build: func(context.Context, *page.Request) (*view.Document, error) {
		return nil, page.Usagef("asked for annotations")
	}}
