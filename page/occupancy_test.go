package page

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

// TestOccupancyVectors shows each dispatch as AMD's profiler did.
func TestOccupancyVectors(t *testing.T) {
	files, err := filepath.Glob("../format/amd/testdata/vectors/*.occupancy")
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
			q := &Request{Files: []*load.File{f}, Values: options("compat", "rcp")}
			if _, err := Lookup("occupancy").Do(context.Background(), q); err == nil {
				t.Errorf("%s: a page that AMD's program does not make", file)
			}
			continue
		}
		got, _ := render(t, "occupancy", file, view.FormatCSV, options("compat", "rcp"))
		sameLines(t, strings.TrimRight(tsvCells(t, got), "\n"), strings.TrimRight(string(want), "\n"))
	}
}

func stream(t *testing.T, pairs ...string) (string, error) {
	t.Helper()
	var b bytes.Buffer
	done, err := Lookup("occupancy").Write(context.Background(), &Request{Values: options(pairs...)}, &b)
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
	if _, err := stream(t, "batch", name, "device", "none"); !errors.Is(err, ErrUsage) {
		t.Errorf("unknown device: %v", err)
	}
}

func TestOccupancySVG(t *testing.T) {
	got, err := stream(t, "svg", "true", "device", "Hawaii", "vgprs", "42", "lds", "7040", "workgroup", "256")
	if err != nil {
		t.Fatal(err)
	}
	d, curves := xml.NewDecoder(strings.NewReader(got)), 0
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := tok.(xml.StartElement); ok && s.Name.Local == "circle" {
			curves++
		}
	}
	if curves != 4 || strings.Count(got, `fill="red">wavefronts over VGPR`) != 1 {
		t.Errorf("%d curves, or VGPR is not marked:\n%.2000s", curves, got)
	}
}

func TestOccupancyPage(t *testing.T) {
	q := &Request{Values: options("device", "H100", "registers", "33", "block", "256", "sweep", "true")}
	d, err := Lookup("occupancy").Do(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, view.FormatText, q.ViewOptions()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Occupancy (%)", "75", "Limiting factors", "Registers", "  64 |####"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if _, err := Lookup("occupancy").Do(context.Background(), &Request{}); !errors.Is(err, ErrUsage) {
		t.Errorf("without a device: %v", err)
	}
}
