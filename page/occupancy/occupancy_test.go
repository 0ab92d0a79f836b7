package occupancy

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// TestOccupancyVectors shows each dispatch as AMD's profiler did.
func TestOccupancyVectors(t *testing.T) {
	files, err := filepath.Glob("../../format/amd/testdata/vectors/*.occupancy")
	if err != nil || len(files) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, file := range files {
		want, err := os.ReadFile(strings.TrimSuffix(file, ".occupancy") + ".Occupancy.tsv")
		if errors.Is(err, os.ErrNotExist) {
			f, err := load.Open(context.Background(), file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			q := &page.Request{Files: []*load.File{f}, Values: pagetest.Options("compat", "rcp")}
			if _, err := Page.Do(context.Background(), q); err == nil {
				t.Errorf("%s: a page that AMD's program does not make", file)
			}
			continue
		}
		got, _ := pagetest.Render(t, Page, file, view.FormatCSV, pagetest.Options("compat", "rcp"))
		pagetest.SameLines(t, strings.TrimRight(pagetest.TSVCells(t, got), "\n"), strings.TrimRight(string(want), "\n"))
	}
}

func stream(t *testing.T, pairs ...string) (string, error) {
	t.Helper()
	var b bytes.Buffer
	q := &page.Request{Page: Page, Values: pagetest.Options(pairs...)}
	done, err := Page.Streams(q), error(nil)
	if done {
		err = Page.Stream(context.Background(), q, &b)
	}
	if !done && err == nil {
		t.Fatal("not streamed")
	}
	return b.String(), err
}

func TestOccupancyBatch(t *testing.T) {
	name := filepath.Join(t.TempDir(), "k.tsv")
	if err := os.WriteFile(name, []byte("gen\tvgpr\tsgpr\tlds\twg\tmaxwg\nSI_CI\t42\t68\t7040\t256\t256\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := stream(t, "batch", name)
	if want := "SI_CI\t42\t68\t7040\t256\t256\t40\t20\t28\t36\t40\t50\n"; err != nil || !strings.HasSuffix(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := stream(t, "batch", name, "device", "none"); !errors.Is(err, page.ErrUsage) {
		t.Errorf("unknown device: %v", err)
	}
	if err := os.WriteFile(name, []byte("gen\twg\nSI_CI\t64\nSI_CI\t-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var notes []string
	var b bytes.Buffer
	q := &page.Request{Values: pagetest.Options("batch", name), Note: func(s string) { notes = append(notes, s) }}
	if err := Page.Stream(context.Background(), q, &b); !errors.Is(err, page.ErrIncomplete) || len(notes) != 2 ||
		!strings.HasPrefix(notes[0], name+":3: expected a whole number") || strings.Count(b.String(), "\n") != 3 {
		t.Errorf("%v, notes %q, output %q", err, notes, b.String())
	}
}

func TestOccupancySVG(t *testing.T) {
	got, err := stream(t, "svg", "true", "device", "Hawaii", "vgprs", "42", "lds", "7040", "workgroup", "256")
	if err != nil {
		t.Fatal(err)
	}
	d, curves, texts := xml.NewDecoder(strings.NewReader(got)), 0, map[string]string{}
	var open []string
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if open = append(open, tok.Name.Local); tok.Name.Local == "circle" {
				curves++
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				texts[open[len(open)-1]] += string(tok)
			}
		}
	}
	if curves != 4 || strings.Count(got, `class="title emphasis" x="56" y="24">wavefronts in flight over VGPR (limiting)<`) != 1 {
		t.Errorf("%d curves, or VGPR is not marked:\n%.2000s", curves, got)
	}
	if !strings.HasPrefix(texts["title"], "Occupancy on SI_CI") || !strings.Contains(texts["desc"], "VGPR (limiting): from 36 at 0 to 4 at 256; 20 at the mark, 42.") {
		t.Errorf("title %q, description %q", texts["title"], texts["desc"])
	}
}

func TestOccupancyPage(t *testing.T) {
	q := &page.Request{Values: pagetest.Options("device", "H100", "registers", "33", "block", "256", "sweep", "true")}
	d, err := Page.Do(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{80, 200} {
		var b bytes.Buffer
		o := q.ViewOptions()
		o.Width = width
		if err := view.Render(&b, d, view.FormatText, o); err != nil {
			t.Fatal(err)
		}
		widest := 0
		for line := range strings.Lines(b.String()) {
			widest = max(widest, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))
		}
		if widest > width || widest < width-8 {
			t.Errorf("%d columns wide in %d", widest, width)
		}
		for _, want := range []string{"Occupancy (%)", "75", "Limiting factors", "Registers", "multiprocessor", "\n  48 ┤███", "33: 48", "at most 32"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("no %q in\n%s", want, b.String())
			}
		}
	}
}

// TestOccupancyProperties: what the rows say stands also where no reader needs their words.
func TestOccupancyProperties(t *testing.T) {
	q := &page.Request{Values: pagetest.Options("device", "H100", "registers", "33", "block", "256", "sweep", "true")}
	d, err := Page.Do(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	said := func(s view.Section) (out []string) {
		for _, p := range s.Properties {
			out = append(out, p.Name+" "+cmp.Or(p.Value.Text(), fmt.Sprint(p.Value.Float64())))
		}
		return out
	}
	if got, want := said(d.Sections[0]), []string{"occupancy 75", "active 48", "groups 6", "most 64", "limits Registers"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	var options []string
	for _, s := range d.Sections[0].Sections {
		options = append(options, said(s)...)
	}
	if slices.Sort(options); !slices.Equal(options, []string{"option block", "option registers", "option shared"}) {
		t.Errorf("curves of %q", options)
	}
}

func TestOccupancyUsage(t *testing.T) {
	for _, c := range []struct{ want, options string }{
		{"expected --device NAME, --batch FILE or an .occupancy file", ""},
		{`--device: device is unknown: "h10"; did you mean`, "device h10"},
		{"--workgroup (or --block) is missing: the threads in a block", "device H100"},
		{"--vgprs and --registers are the same", "device H100 vgprs 3 registers 4 block 64"},
		{"--lds and --shared are the same", "device H100 lds 3 shared 4 block 64"},
		{"--sgprs: sm_90 has no scalar registers", "device H100 sgprs 3 block 64"},
		{"--agprs: RDNA3 has no accumulation registers", "device gfx1100 agprs 3 block 64"},
		{"--shared-config: CDNA2 has no configuration", "device gfx90a shared-config 3 block 64"},
		{"--vgprs does not go with --batch", "batch x vgprs 3"},
		{"--sweep does not go with --batch", "batch x sweep true"},
		{"--device does not go with --devices", "devices true device H100"},
	} {
		q := &page.Request{Values: pagetest.Options(strings.Fields(c.options)...)}
		var err error
		if Page.Streams(q) {
			err = Page.Stream(context.Background(), q, io.Discard)
		} else {
			_, err = Page.Do(context.Background(), q)
		}
		if !errors.Is(err, page.ErrUsage) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.options, err, c.want)
		}
	}
	q := &page.Request{Values: pagetest.Options("device", "H100", "shared", "262144", "block", "64")}
	d, err := Page.Do(context.Background(), q)
	if err != nil || !d.Failed || !strings.Contains(d.Sections[0].Items[0].Message.Text, "262144 bytes of shared memory, of 0 to 232448 on sm_90") {
		t.Errorf("too much shared memory: %+v, %v", d, err)
	}
}
