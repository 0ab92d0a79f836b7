package simlog_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/format/simlog/loggen"
)

// transcript writes down what a source says, one line for each thing, so that
// tests compare text.
func transcript(src simlog.Source) (string, error) {
	var w strings.Builder
	for {
		b, err := src.Next()
		if err == io.EOF {
			return w.String(), nil
		}
		if err != nil {
			return w.String(), err
		}
		ev := 0
		for i := 0; i <= b.Len(); i++ {
			for ; ev < len(b.Events) && b.Events[ev].At == i; ev++ {
				writeEvent(&w, b.Events[ev])
			}
			if i < b.Len() {
				info := b.Info[i]
				fmt.Fprintf(&w, "%d %s %s %s %d/%d %x\n", b.Cycle[i], src.Levels()[info.Level()], info.Op(), info.Status(), info.Unit(), info.Bank(), b.Addr[i])
			}
		}
	}
}

func writeEvent(w io.Writer, e simlog.Event) {
	k := e.Kernel
	if e.Kind == simlog.KernelStart {
		fmt.Fprintf(w, "start %d id %d %q L1 %d\n", k.Index, k.ID, k.Name, k.L1Bytes)
		return
	}
	fmt.Fprintf(w, "end %d id %d cycles %d of %d, insn %d, %d s, %d stats\n", k.Index, k.ID, k.Cycles, k.TotalCycles, k.Instructions, k.SimSeconds, len(k.Stats))
}

func readLog(t *testing.T, log string) (string, *simlog.LogReader) {
	t.Helper()
	r := simlog.NewReader(context.Background(), strings.NewReader(log), simlog.Options{})
	got, err := transcript(r)
	if err != nil {
		t.Fatal(err)
	}
	return got, r
}

func noteTexts(src simlog.Source) string {
	var s []string
	for _, n := range src.Notes() {
		s = append(s, n.String())
	}
	return strings.Join(s, "\n")
}

// guide is the example of GainSight's guide, its two access lines included.
const guide = `Processing kernel $PROJECT_ROOT/logs/generate/traces/kernel-25.traceg
-kernel name = _ZN8internal5gemvx6kernelE
-kernel id = 25
GPGPU-Sim: Reconfigure L1 cache to 120KB
[...]
GPGPU-Sim Cycle 5380: Load instr from L1D cache at SM 0 bank 0 addr 93ce6c00 status 2
GPGPU-Sim Cycle 5401: Load instr from L1D cache at SM 0 bank 0 addr 93ce6a00 status 2
[...]
gpu_sim_cycle = 31057
gpu_sim_insn = 3310536
gpu_ipc =     106.5955
gpu_tot_sim_cycle = 103839
gpu_tot_sim_insn = 88674750
gpgpu_simulation_time = 0 days, 0 hrs, 0 min, 28 sec (28 sec)
`

const guideWant = `start 0 id 25 "_ZN8internal5gemvx6kernelE" L1 122880
5380 L1D load MISS 0/0 93ce6c00
5401 L1D load MISS 0/0 93ce6a00
end 0 id 25 cycles 31057 of 103839, insn 3310536, 28 s, 6 stats
`

func TestGuideExample(t *testing.T) {
	got, r := readLog(t, guide)
	if d := cmp.Diff(guideWant, got); d != "" {
		t.Error(d)
	}
	if n := r.Notes(); len(n) > 0 {
		t.Errorf("notes %v about a sound log", n)
	}
	want := simlog.Tally{Bytes: int64(len(guide)), Lines: 14, Accesses: 2, Other: 12, Kernels: 1}
	if r.Tally() != want {
		t.Errorf("tally %+v, want %+v", r.Tally(), want)
	}
}

// However the bytes arrive, with whatever line ends, the same is read.
func TestArrival(t *testing.T) {
	for name, r := range map[string]io.Reader{
		"one byte at a time": iotest.OneByteReader(strings.NewReader(guide)),
		"data with EOF":      iotest.DataErrReader(strings.NewReader(guide)),
		"CRLF":               strings.NewReader(strings.ReplaceAll(guide, "\n", "\r\n")),
		"no last line end":   strings.NewReader(strings.TrimSuffix(guide, "gpgpu_simulation_time = 0 days, 0 hrs, 0 min, 28 sec (28 sec)\n") + "gpgpu_simulation_time = 0 days, 0 hrs, 0 min, 28 sec (28 sec)\n[...]"),
	} {
		got, err := transcript(simlog.NewReader(context.Background(), r, simlog.Options{}))
		if err != nil {
			t.Error(err)
		}
		if d := cmp.Diff(guideWant, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Several goroutines see what one sees, over chunk borders at every phase.
func TestWorkers(t *testing.T) {
	var log bytes.Buffer
	truth, err := loggen.Write(&log, loggen.Options{Bytes: 3 << 20, Kernels: 5, Seed: 3, SMs: 2})
	if err != nil {
		t.Fatal(err)
	}
	one := simlog.NewReader(context.Background(), bytes.NewReader(log.Bytes()), simlog.Options{})
	want, err := transcript(one)
	if err != nil {
		t.Fatal(err)
	}
	if one.Tally().Lines != truth.Lines || one.Tally().Bytes != truth.Bytes {
		t.Errorf("read %+v, wrote %d lines, %d bytes", one.Tally(), truth.Lines, truth.Bytes)
	}
	for _, workers := range []int{2, 5} {
		r := simlog.NewReader(context.Background(), bytes.NewReader(log.Bytes()), simlog.Options{Workers: workers})
		got, err := transcript(r)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%d workers read something else than one", workers)
		}
		if r.Tally() != one.Tally() {
			t.Errorf("%d workers tally %+v, one %+v", workers, r.Tally(), one.Tally())
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

const (
	header1  = "Processing kernel a/kernel-1.traceg\n-kernel name = one\n-kernel id = 1\nlaunching kernel name: one uid: 1 cuda_stream_id: 0\n"
	header2  = "Processing kernel a/kernel-2.traceg\n-kernel name = two\n-kernel id = 2\nlaunching kernel name: two uid: 2 cuda_stream_id: 0\n"
	access1  = "GPGPU-Sim Cycle 5001: Load instr from L2 cache at partition 1 addr 1000 status 2\n"
	access2  = "GPGPU-Sim Cycle 5002: Store instr from L2 cache at partition 1 addr 2000 status 2\n"
	trailer1 = "kernel_name = one \nkernel_launch_uid = 1 \ngpu_sim_cycle = 6000\ngpu_tot_sim_cycle = 6000\nL2_total_cache_accesses = 10\ngpu_occupancy = -nan% \n"
	trailer2 = "kernel_name = two \nkernel_launch_uid = 2 \ngpu_sim_cycle = 7000\ngpu_tot_sim_cycle = 13000\nL2_total_cache_accesses = 35\ngpu_occupancy = 50% \n"
	start1   = "start 0 id 1 \"one\" L1 0\n"
	start2   = "start 1 id 2 \"two\" L1 0\n"
	acc1     = "5001 L2 load MISS 0/1 1000\n"
	acc2     = "5002 L2 store MISS 0/1 2000\n"
	end1     = "end 0 id 1 cycles 6000 of 6000, insn 0, 0 s, 5 stats\n"
	end2     = "end 1 id 2 cycles 7000 of 13000, insn 0, 0 s, 5 stats\n"
	lost1    = "end 0 id 1 cycles 0 of 0, insn 0, 0 s, 0 stats\n"
)

func TestKernels(t *testing.T) {
	for _, test := range []struct{ name, log, want, note string }{
		{"in order", header1 + access1 + trailer1 + header2 + access2 + trailer2, start1 + acc1 + end1 + start2 + acc2 + end2, ""},
		{"no accesses", header1 + trailer1 + header2 + trailer2, start1 + end1 + start2 + end2, ""},
		{"trailers only", trailer1 + trailer2, start1 + end1 + start2 + end2, ""},
		{"first trailer lost", header1 + access1 + header2 + access2 + trailer2, start1 + acc1 + lost1 + start2 + acc2 + end2, "line 1: a kernel without trailer"},
		{"header without anything", header1 + header2 + access2 + trailer2, start1 + lost1 + start2 + acc2 + end2, "line 1: a kernel header with no access and no trailer"},
		{"cut", header1 + access1, start1 + acc1 + lost1, "a kernel without trailer"},
		{"begun late", access1 + trailer1, "start 0 id 1 \"\" L1 0\n" + acc1 + end1, "line 1: accesses before any kernel header"},
		{"access behind trailer", header1 + trailer1 + access1, start1 + end1 + "start 1 id 2 \"\" L1 0\n" + acc1 + "end 1 id 2 cycles 0 of 0, insn 0, 0 s, 0 stats\n", "accesses before any kernel header"},
		{"the same id", header1 + access1 + trailer1 + header1 + access2 + trailer1, start1 + acc1 + end1 + "start 1 id 1 \"one\" L1 0\n" + acc2 + strings.Replace(end1, "end 0", "end 1", 1), "kernel id 1 was used before (line 1)"},
		{"overlapping", "-gpgpu_concurrent_kernel_sm 1 # Support\n" + header1 + access1 + header2 + access2 + trailer2 + trailer1,
			start1 + acc1 + acc2 + end1 + start2 + end2, "kernels overlap"},
		{"a number cut off", header1 + access1 + "gpu_sim_cycle = 60", start1 + acc1 + lost1, "its value is not trusted"},
		{"a number that is none", header1 + access1 + "gpu_sim_cycle = lots\n", start1 + acc1 + "end 0 id 1 cycles 0 of 0, insn 0, 0 s, 0 stats\n", "a trailer value that is no number"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, r := readLog(t, test.log)
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
			notes := noteTexts(r)
			if test.note == "" && notes != "" || !strings.Contains(notes, test.note) {
				t.Errorf("notes %q, want %q", notes, test.note)
			}
		})
	}
}

// Statistics count from the start of the run; a kernel's own share is the
// difference, except for those that start again with every kernel.
func TestStatsOfKernel(t *testing.T) {
	r := simlog.NewReader(context.Background(), strings.NewReader(header1+access1+trailer1+header2+access2+trailer2), simlog.Options{})
	var got []string
	for {
		b, err := r.Next()
		if err == io.EOF {
			break
		}
		for _, e := range b.Events {
			if e.Kind == simlog.KernelEnd {
				a, _ := e.Kernel.Delta.Get("L2_total_cache_accesses")
				c, _ := e.Kernel.Delta.Get("gpu_sim_cycle")
				o, ok := e.Kernel.Delta.Get("gpu_occupancy")
				got = append(got, fmt.Sprint(a, c, o, ok))
			}
		}
	}
	want := []string{"10 6000 NaN true", "25 7000 50 true"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestNoise(t *testing.T) {
	long := strings.Repeat("x", 600<<10)
	got, r := readLog(t, header1+long+"\n"+access1+"\x00\xff\xfe\n"+
		"GPGPU-Sim Cycle 5001: Load instr from L2 cache at partition 1 addr zz status 2\n"+
		"GPGPU-Sim Cycle 5001: Load instr from L2 cache at partition 1 addr 10 status 22\n"+
		access2+trailer1)
	if d := cmp.Diff(start1+acc1+acc2+end1, got); d != "" {
		t.Error(d)
	}
	want := "line 5: a line longer than 256 KiB; it is dropped\nline 8: begins like an access but is not understood; it is left out (2 times)"
	if d := cmp.Diff(want, noteTexts(r)); d != "" {
		t.Error(d)
	}
	if tl := r.Tally(); tl.Lines != 4+1+1+1+2+1+6 || tl.Malformed != 2 || tl.Accesses != 2 {
		t.Errorf("tally %+v", tl)
	}
}

// endless is one line without end.
type endless struct{ left int64 }

func (e *endless) Read(p []byte) (int, error) {
	n := min(int64(len(p)), e.left)
	if n == 0 {
		return 0, io.EOF
	}
	for i := range p[:n] {
		p[i] = 'a'
	}
	e.left -= n
	return int(n), nil
}

func TestGigabyteLine(t *testing.T) {
	in := io.MultiReader(strings.NewReader(header1+access1), &endless{left: 1 << 30}, strings.NewReader("\n"+access2+trailer1))
	r := simlog.NewReader(context.Background(), in, simlog.Options{})
	got, err := transcript(r)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(start1+acc1+acc2+end1, got); d != "" {
		t.Error(d)
	}
	if r.Tally().Bytes < 1<<30 {
		t.Errorf("%d bytes", r.Tally().Bytes)
	}
}

func TestBrokenInput(t *testing.T) {
	broken := errors.New("disk on fire")
	in := io.MultiReader(strings.NewReader(header1+access1), iotest.ErrReader(broken))
	got, err := transcript(simlog.NewReader(context.Background(), in, simlog.Options{}))
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if d := cmp.Diff(start1+acc1+lost1, got); d != "" {
		t.Error("what was sound is lost:", d)
	}
}

func TestCancel(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(context.Background())
		r := simlog.NewReader(ctx, &endless{left: 1 << 40}, simlog.Options{Workers: workers})
		cancel()
		for err := error(nil); err == nil; {
			if _, err = r.Next(); err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%d workers: %v", workers, err)
			}
		}
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	var z bytes.Buffer
	zw := gzip.NewWriter(&z)
	io.WriteString(zw, guide)
	zw.Close()
	for name, data := range map[string]string{"plain.log": guide, "packed.log.gz": z.String()} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := simlog.Open(context.Background(), file, simlog.Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		got, err := transcript(src)
		if err != nil || got != guideWant {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
		src.Close()
	}
	// A gzip stream that is cut keeps what could be unpacked.
	src, err := simlog.NewSource(context.Background(), "cut.gz", strings.NewReader(z.String()[:z.Len()-9]), simlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := transcript(src)
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(guideWant, got[:strings.Index(got, "end")]) {
		t.Errorf("cut gzip: %v\n%s", err, got)
	}
	for name, data := range map[string]string{"binary": "\x7fELF\x00\x00\x01", "empty folder": ""} {
		file := filepath.Join(dir, name)
		if data == "" {
			os.Mkdir(file, 0o700)
		} else {
			os.WriteFile(file, []byte(data), 0o600)
		}
		if _, err := simlog.Open(context.Background(), file, simlog.Options{}); !errors.Is(err, simlog.ErrUnrecognized) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestKernelEnd(t *testing.T) {
	k := &simlog.Kernel{Cycles: 100, TotalCycles: 1100}
	for _, test := range []struct {
		first, last int64
		hint        simlog.Clock
		end         int64
		clock       simlog.Clock
	}{
		{5, 90, simlog.PerKernel, 100, simlog.PerKernel},
		{1005, 1090, simlog.PerKernel, 1100, simlog.Global},
		{5, 90, simlog.Global, 100, simlog.PerKernel}, // before the kernel's start: cannot be global
		{5, 1090, simlog.PerKernel, 1090, simlog.ClockUnfit},
		{1005, 2000, simlog.PerKernel, 2000, simlog.ClockUnfit},
	} {
		if end, clock := k.End(test.first, test.last, test.hint); end != test.end || clock != test.clock {
			t.Errorf("%+v: got %d, %v", test, end, clock)
		}
	}
	short := &simlog.Kernel{Cycles: 5000, TotalCycles: 5100}
	if end, clock := short.End(200, 4900, simlog.Global); end != 5100 || clock != simlog.Global {
		t.Errorf("where both counts fit the hint decides: %d, %v", end, clock)
	}
	if end, _ := (&simlog.Kernel{}).End(5, 90, simlog.PerKernel); end != 90 {
		t.Errorf("without trailer: %d", end)
	}
}
