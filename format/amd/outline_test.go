package amd

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/amd/internal/synth"
	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// outlineOf counts what was read, as ReadOutline should.
func outlineOf(t *Trace) *Outline {
	o := &Outline{}
	names := map[string]bool{}
	for _, n := range t.APIs {
		names[n] = true
	}
	device := func(d string) {
		if !slices.Contains(o.Devices, d) {
			o.Devices = append(o.Devices, d)
		}
	}
	for _, m := range t.Modules() {
		for _, th := range t.Threads(m) {
			o.Calls += th.Len()
			for i := range th.Len() {
				switch e := th.Enqueue(i); {
				case e == nil && th.Copy(i) != nil:
					o.Copies++
				case e != nil:
					o.Commands++
					device(e.Device)
					if e.IsKernel() {
						o.Kernels++
						names[e.Name()] = true
					} else if e.Shape == Transfer {
						o.Copies++
					}
				}
			}
		}
	}
	for _, s := range t.Sections {
		o.Packets += len(s.Packets)
		for p := range s.Dispatches() {
			o.Kernels++
			names[p.Name()] = true
			device(Unescape(p.Agent))
		}
		for _, b := range s.Blocks {
			if s.Kind == StackTrace {
				o.Places += len(b.Lines)
				continue
			}
			for _, l := range b.Lines {
				if m, ok := ParseMarker(l); ok && m.Begin {
					o.Ranges++
				}
			}
		}
	}
	o.Names = len(names)
	return o
}

func sameOutline(t *testing.T, name string, text []byte) bool {
	t.Helper()
	o := ReadOutline(bytes.NewReader(text), int64(len(text)), name)
	if o == nil {
		return false
	}
	read, err := ReadTrace(bytes.NewReader(text), int64(len(text)), name)
	if err != nil || len(read.Problems) > 0 {
		t.Errorf("%s: an outline of what ReadTrace finds fault with: %v %v", name, err, read.Problems)
		return true
	}
	want := outlineOf(read)
	if !slices.Equal(o.Header, read.Header) || !slices.Equal(o.Devices, want.Devices) {
		t.Errorf("%s: header or devices %q differ from %q", name, o.Devices, want.Devices)
	}
	a, b := *o, *want
	a.Header, a.Devices, b.Header, b.Devices = nil, nil, nil, nil
	if a.Calls != b.Calls || a.Commands != b.Commands || a.Kernels != b.Kernels || a.Copies != b.Copies || a.Packets != b.Packets ||
		a.Places != b.Places || a.Ranges != b.Ranges || a.Names != b.Names {
		t.Errorf("%s: found\n%+v, want\n%+v", name, a, b)
	}
	return true
}

func TestOutlineMade(t *testing.T) {
	var b bytes.Buffer
	if err := synth.Trace(&b, 50000, 3, 1); err != nil {
		t.Fatal(err)
	}
	if !sameOutline(t, "made.atp", b.Bytes()) {
		t.Fatal("no outline of a sound trace")
	}
	crlf := bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n"))
	if !sameOutline(t, "crlf.atp", crlf) {
		t.Fatal("no outline of a trace with CR LF")
	}
}

const outlineMade = `TraceFileVersion=3.2
ProfilerVersion=5.6
=====ocl API Trace Output=====
7
2
CL_SUCCESS = clFlush ( 0x1 )
0x55 = clCreateKernel ( 0x1;f(x);[CL_SUCCESS] )
9
1
CL_SUCCESS = clFinish ( 0x1 )
=====ocl Timestamp Output=====
9
1
51   clFinish                                     100                  200
7
2
50   clFlush                                      100                  200
17   clCreateKernel                               300                  400
=====ocl Stack Trace Output=====
7
2
clFlush   main   12   a.c
clCreateKernel   main   13   a.c
=====CodeXL Perfmarker Output=====
7
2
clBeginPerfMarker   a   100   g
clEndPerfMarker   200
`

// Whatever is out of the ordinary leaves the trace to ReadTrace.
func TestOutlineOutOfTheOrdinary(t *testing.T) {
	if !sameOutline(t, "outlineMade.atp", []byte(outlineMade)) {
		t.Fatal("no outline of a sound trace")
	}
	for _, c := range []struct{ what, old, new string }{
		{"a call is lost", "CL_SUCCESS = clFlush ( 0x1 )\n", ""},
		{"a call is cut", "clFlush ( 0x1 )", "clFlush ( 0x1"},
		{"a hole", "CL_SUCCESS = clFlush ( 0x1 )", ""},
		{"names differ", "50   clFlush ", "50   clFinish"},
		{"times of names that changed places", "50   clFlush                                      100                  200\n17   clCreateKernel                               300                  400",
			"17   clCreateKernel                               300                  400\n50   clFlush                                      100                  200"},
		{"no times of a thread", "9\n1\n51   clFinish                                     100                  200\n", ""},
		{"a count too high", "7\n2\nCL", "7\n3\nCL"},
		{"a count too low", "7\n2\nCL", "7\n1\nCL"},
		{"a number that is none", "300   ", "x     "},
		{"a count that is no number", "9\n1\n51", "9\n?\n51"},
		{"an unknown section", "CodeXL Perfmarker Output", "Something"},
		{"a marker without time", "a   100   g", "a"},
		{"a zero byte", "main", "ma\x00n"},
		{"no version", "TraceFileVersion=3.2\n", ""},
		{"no sections", outlineMade[strings.Index(outlineMade, "====="):], ""},
		{"the end is cut", "clEndPerfMarker   200\n", "clEndPerf"},
	} {
		text := strings.Replace(outlineMade, c.old, c.new, 1)
		if text == outlineMade {
			t.Fatalf("%s: nothing changed", c.what)
		}
		if ReadOutline(strings.NewReader(text), int64(len(text)), "made.atp") != nil {
			t.Errorf("%s: there is an outline", c.what)
		}
	}
}

func TestOutlineOfPackets(t *testing.T) {
	const hsa = `TraceFileVersion=3.2
=====hsa API Trace Output=====
7
2
HSA_STATUS_SUCCESS = hsa_init (  )
HSA_STATUS_SUCCESS = hsa_amd_memory_async_copy ( 0x1 )
=====hsa Timestamp Output=====
7
2
1    hsa_init                                     100                  200
2    hsa_amd_memory_async_copy                    100                  200                  300                  400
=====hsa Kernel Timestamp Output=====
2
add&nbsp;it   0x1   10   20   gfx906   0x5   0   0x7   HSA_PACKET_TYPE_KERNEL_DISPATCH   1
gfx906   0x5   0   0x7   HSA_PACKET_TYPE_BARRIER_AND   2
`
	if !sameOutline(t, "hsa.atp", []byte(hsa)) {
		t.Fatal("no outline of a sound trace")
	}
}

// FuzzOutline holds what is counted against what is read.
func FuzzOutline(f *testing.F) {
	f.Add([]byte(outlineMade))
	f.Fuzz(func(t *testing.T, text []byte) { sameOutline(t, "fuzz.atp", text) })
}

func TestOutlineOfCorpus(t *testing.T) {
	outlined, all := 0, 0
	for _, path := range corpustest.Files(t, "corpus/*/*.atp") {
		all++
		text := []byte(readFile(t, path))
		if sameOutline(t, path, text) {
			outlined++
		} else if read, err := ReadTrace(bytes.NewReader(text), int64(len(text)), path); err == nil && len(read.Problems) == 0 && !read.Cut {
			t.Logf("%s: sound, and no outline", path)
		}
	}
	t.Logf("%d outlines of %d traces", outlined, all)
}
