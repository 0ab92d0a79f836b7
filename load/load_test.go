package load

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

const example = "../examples/transpose.ncu-rep"

// TestCorpusIsValid opens every report and loads all of every action.
func TestCorpusIsValid(t *testing.T) {
	for _, name := range corpustest.Files(t, "corpus/ncu/*rep*") {
		f, err := Open(context.Background(), name)
		if err != nil {
			t.Error(err)
			continue
		}
		if p := f.Problems(); len(p) > 0 {
			t.Errorf("%s: %s", name, p[0])
		}
		if err := f.Report.CheckValid(); err != nil {
			t.Error(err)
		}
		f.Close()
	}
}

func TestCompressedReport(t *testing.T) {
	plain, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := OpenReader(bytes.NewReader(b.Bytes()), int64(b.Len()), "x.ncu-repz")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.Report.Actions()); n != 3 || f.Container() != "NVR version 7, zstd" {
		t.Errorf("%d actions in %q", n, f.Container())
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"a.sqlite", "SQLite format 3\x00 CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL", "Nsight Systems SQLite export"},
		{"a.rpd", "SQLite format 3\x00 CREATE TABLE rocpd_api", "RPD trace"},
		{"a.nsys-rep", "NVIDIA Tegra Profiler Report 1.", "Nsight Systems report"},
		{"a.csv", `"Kind","Direction","Start_Timestamp","End_Timestamp"`, "ROCm profile"},
		{"a.nvtxt", "SetFileDisplayName, x", "NVTXT annotation file"},
		{"a.txt", "        *** GPGPU-Sim Simulator Version 4 ***", "log of a GPU simulator"},
	} {
		if row := sniff([]byte(c.head), c.name); row == nil || !strings.Contains(row.name, c.want) {
			t.Errorf("%s %.20q is taken for %v, want %q", c.name, c.head, row, c.want)
		}
	}
	// A file of no known format, or of one that is not read, gets one line.
	for name, c := range map[string][2]string{"a.bin": {"\x00\x01\x02", `begins with "\x00\x01\x02"`}, "a.db": {"SQLite format 3\x00", "expected a database header of 100 bytes, found 16"}, "e": {"", "an empty file"}} {
		_, err := OpenReader(strings.NewReader(c[0]), int64(len(c[0])), name)
		if err == nil || !strings.Contains(err.Error(), c[1]) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", name, err, c[1])
		}
	}
	// Real files of every kind are told apart.
	for pattern, want := range map[string]string{
		"corpus/nsys/*.sqlite":       "Nsight Systems SQLite export",
		"corpus/nsys-rep/*.nsys-rep": "Nsight Systems report",
		"corpus/nsys-rep/*.qdrep":    "Nsight Systems report",
		"corpus/amd/*.rpd":           "RPD trace of rocmProfileData",
	} {
		for _, name := range corpustest.Files(t, pattern) {
			f, err := Open(context.Background(), name)
			if err == nil {
				if f.Format != want {
					t.Errorf("%s is taken for %q", filepath.Base(name), f.Format)
				}
				f.Close()
			} else if !strings.Contains(err.Error(), want) {
				t.Error(err)
			}
		}
	}
}
