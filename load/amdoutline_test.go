package load

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/trace"
)

const outlined = `TraceFileVersion=3.2
ProfilerVersion=5.6
=====ocl API Trace Output=====
7
2
CL_SUCCESS = clFlush ( 0x1 )
CL_SUCCESS = clEnqueueNDRangeKernel ( 0x1;0x2;1;NULL;[128];[64];0;NULL;NULL )
=====ocl Timestamp Output=====
7
2
50   clFlush                                      100                  200
66   clEnqueueNDRangeKernel                       300                  400                  4592    CL_COMMAND_NDRANGE_KERNEL               500  510  520  530  0  0x1  0  0x3  gfx900  0x2  add  {128}  {64}
=====CodeXL Perfmarker Output=====
7
2
clBeginPerfMarker   a   100   g
clEndPerfMarker   200
`

// countsOf counts the rows of all tables.
func countsOf(t *testing.T, f *File) map[string]int {
	rows := map[string]int{}
	for _, info := range f.Trace.Tables() {
		n, err := f.Trace.CountRows(context.Background(), info.Name)
		if err != nil {
			t.Fatal(err)
		}
		rows[info.Name] = n
	}
	return rows
}

// A large trace of which only the outline is asked has the tables that it has when it is
// read, and is read when somebody asks for what is in them.
func TestOutlineBeforeTrace(t *testing.T) {
	defer func(size int64) { outlineSize = size }(outlineSize)
	outlineSize = 1
	open := func(o Options, text string) *File {
		f, err := o.OpenReader(context.Background(), bytes.NewReader([]byte(text)), int64(len(text)), "a.atp")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	late, whole := open(Options{Outline: true}, outlined), open(Options{}, outlined)
	if late.AMD.readTrace() != nil || whole.AMD.readTrace() == nil {
		t.Fatal("the outline reads the trace, or the trace is not read")
	}
	if diff := cmp.Diff(whole.Trace.Tables(), late.Trace.Tables()); diff != "" {
		t.Errorf("tables (-read +outlined):\n%s", diff)
	}
	if diff := cmp.Diff(countsOf(t, whole), countsOf(t, late)); diff != "" {
		t.Errorf("rows (-read +outlined):\n%s", diff)
	}
	if s, err := late.Trace.Session(context.Background()); err != nil || len(s.GPUs) != 1 || s.GPUs[0].Name != "gfx900" || late.Trace.Tool != "5.6" {
		t.Errorf("session %+v, error %v", s, err)
	}
	if late.Holds() != whole.Holds() || late.AMD.readTrace() != nil {
		t.Error("what it holds differs, or was read for that")
	}
	k, err := late.Trace.Table(context.Background(), trace.TableKernel, "start", "end")
	if err != nil || k.Ints("start")[0] != 520 || k.Ints("end")[0] != 530 || late.AMD.readTrace() == nil {
		t.Errorf("kernels %+v, error %v", k, err)
	}
	if tr, err := late.AMD.Trace(); err != nil || len(tr.Threads(amd.OpenCL)) != 1 {
		t.Errorf("error %v", err)
	}
	// What is damaged is read at once, so that it can be told.
	if f := open(Options{Outline: true}, outlined[:len(outlined)-4]); f.AMD.readTrace() == nil {
		t.Error("a trace that was cut has an outline")
	}
}
