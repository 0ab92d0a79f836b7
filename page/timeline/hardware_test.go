package timeline

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/query"
	"github.com/gpuprof/gpuprof/timeline"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// TestHardware: whatever is said of a file is the same for numbers of processes and
// threads that are negative, as they are of hardware from 128 on.
func TestHardware(t *testing.T) {
	made := func(name string, write func(path string) error) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		if err := write(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, kind := range []struct {
		name   string
		thread string // a track
		write  func(path string, hardware uint8) error
	}{
		{"all.sqlite", "gamma 6000 thread", nsysgen.WriteAllOn},
		{"all.nsys-rep", "71 thread", func(path string, hardware uint8) error {
			return os.WriteFile(path, nsysrepgen.SampleOn(hardware).Bytes(), 0o600)
		}},
	} {
		facesOf := func(hardware uint8) map[string]string {
			path := made(kind.name, func(path string) error { return kind.write(path, hardware) })
			return faces(t, path, hardware)
		}
		want := facesOf(0)
		for _, hardware := range []uint8{0x7f, 0x80, 0xff} {
			for face, got := range facesOf(hardware) {
				if got != want[face] {
					t.Errorf("%s, hardware %#x, %s: %s", kind.name, hardware, face, cmp.Diff(want[face], got))
				}
			}
		}
		if len(want) < 14 || !strings.Contains(want["track"], kind.thread) {
			t.Errorf("%s: %d faces; tracks %s", kind.name, len(want), want["track"])
		}
	}
}

// faces is what is said of a file, by who says it.
func faces(t *testing.T, path string, hardware uint8) map[string]string {
	t.Helper()
	out := map[string]string{}
	var plain []string // numbers with the hardware, and without
	for _, id := range []int64{nsysgen.AllPid, nsysgen.AllTid, nsysrepgen.SamplePid, nsysrepgen.SampleTid, nsysrepgen.SampleTid + 1} {
		plain = append(plain, fmt.Sprint(id|int64(hardware)<<56), fmt.Sprint(id), fmt.Sprint(uint64(id)|uint64(hardware)<<56), fmt.Sprint(id))
	}
	say := func(face, text string) {
		text = strings.ReplaceAll(text, filepath.Dir(path), "")
		out[face] = strings.NewReplacer(plain...).Replace(text)
	}
	for _, c := range []struct {
		name   string
		page   *page.Page
		values map[string][]string
	}{
		{"stats", Stats, pagetest.Options("report", "all")},
		{"stats of a process", Stats, pagetest.Options("report", "all", "pid", "5000")},
		{"stats of another process", Stats, pagetest.Options("report", "all", "pid", "70")},
		{"stats of a thread", Stats, pagetest.Options("report", "all", "thread", "6000")},
		{"stats of another thread", Stats, pagetest.Options("report", "all", "thread", "71")},
		{"stats by process", Stats, pagetest.Options("report", "cuda_gpu_kern_sum:process,cuda_api_sum:process")},
		{"rules", Analyze, pagetest.Options("rule", "all")},
		{"steps", Steps, nil},
		{"flame", Flame, nil},
	} {
		text, notes := document(t, c.page, view.FormatCSV, c.values, path)
		say(c.name, text+strings.Join(notes, "\n"))
	}
	if strings.HasSuffix(path, ".sqlite") {
		for _, r := range query.Recipes() {
			text, err := ask(t, pagetest.Options("recipe", r.Name), path)
			say("recipe "+r.Name, fmt.Sprint(text, err))
		}
	}
	f, err := load.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := timeline.Build(context.Background(), f.Trace)
	if err != nil {
		t.Fatal(err)
	}
	var tracks bytes.Buffer
	for _, track := range x.Tracks {
		fmt.Fprintln(&tracks, track.Parent, track.Name, track.Kind)
	}
	for id := range x.Len() {
		d, err := x.Details(context.Background(), timeline.SliceID(id))
		fmt.Fprintf(&tracks, "%+v %+v %v\n", *x.Slice(timeline.SliceID(id)), *d, err)
	}
	say("track", tracks.String())
	for name, write := range map[string]func(context.Context, *trace.Trace, string) error{
		"chrome": export.Chrome, "perfetto": export.Perfetto, "pprof": export.Pprof, "nvtxt": export.Nvtxt} {
		to := filepath.Join(t.TempDir(), "out")
		err := write(context.Background(), f.Trace, to)
		b, _ := os.ReadFile(to)
		say(name, fmt.Sprint(string(b), err))
	}
	return out
}
