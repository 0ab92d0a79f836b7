package amd

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

const cutTrace = `TraceFileVersion=3.2
Application=/bin/a
=====AMD HSA API Trace Output=====
7
2
HSA_STATUS_SUCCESS = hsa_init (  )
HSA_STATUS_SUCCESS = hsa_queue_create ( 1;2 )
=====AMD HSA Timestamp Output=====
7
2
1 hsa_init 1000 2000
2 hsa_queue_create 2500 3000
=====AMD HSA Kernel Timestamp Output=====
2
k1 0x1 2600 2700 gpu 0x2 0 0x3 HSA_PACKET_TYPE_KERNEL_DISPATCH 1 x
k2 0x1 2800 2900 gpu 0x2 0 0x3 HSA_PACKET_TYPE_KERNEL_DISPATCH 2 y
=====AMD CL API Trace Output=====
8
3
CL_SUCCESS = clFinish ( 0x1 )
CL_SUCCESS = clGetEventInfo ( 0x1 )
CL_SUCCESS = clFinish ( 0x1 )
=====AMD CL Timestamp Output=====
8
3
1 clFinish 100 200
2 clGetEventInfo 300 400
1 clFinish 5000 6000
=====AMD CL Stack Trace Output=====
8
2
clFinish	main	10	a.c
clFinish	main	12	a.c
=====Perfmarker Output=====
8
4
clBeginPerfMarker a 50 g
clBeginPerfMarker b 150 g
clEndPerfMarker 250
clEndPerfMarker 5500
`

func readCut(t *testing.T, text string) *Trace {
	t.Helper()
	tr, err := ReadTrace(strings.NewReader(text), int64(len(text)), "t.atp")
	if err != nil || len(tr.Problems) > 0 {
		t.Fatal(err, tr.Problems)
	}
	return tr
}

func cutOf(t *testing.T, text string, keep Keep) string {
	t.Helper()
	var b bytes.Buffer
	if err := readCut(t, text).CutTo(&b, strings.NewReader(text), keep); err != nil {
		t.Fatal(err)
	}
	readCut(t, b.String())
	return b.String()
}

func TestCut(t *testing.T) {
	if got := cutOf(t, cutTrace, Keep{}); got != cutTrace {
		t.Errorf("nothing is left out, and it became\n%s", got)
	}
	got := cutOf(t, cutTrace, Keep{Call: func(n int) bool { return n != 4 }, Packet: func(n int) bool { return n == 1 }, Marker: func(n int) bool { return n == 0 }})
	for _, gone := range []string{"5000", "\tmain\t12", "k1 ", " b 150", "clEndPerfMarker 250"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q is left in\n%s", gone, got)
		}
	}
	if want := strings.Count(cutTrace, "\n") - 3 - 1 - 2; strings.Count(got, "\n") != want {
		t.Errorf("%d lines, want %d\n%s", strings.Count(got, "\n"), want, got)
	}
}

func TestMergeParts(t *testing.T) {
	first := readCut(t, cutOf(t, cutTrace, Keep{Call: func(n int) bool { return n < 3 }, Packet: func(n int) bool { return n == 0 }, Marker: func(n int) bool { return n == 1 }}))
	rest := readCut(t, cutOf(t, cutTrace, Keep{Call: func(n int) bool { return n >= 2 }, Packet: func(n int) bool { return n == 1 }, Marker: func(n int) bool { return n == 0 }}))
	var b, want bytes.Buffer
	if err := Merge(&b, first, rest); err != nil {
		t.Fatal(err)
	}
	if _, err := readCut(t, cutTrace).WriteTo(&want); err != nil {
		t.Fatal(err)
	}
	if b.String() != want.String() {
		t.Errorf("merged:\n%s\nwant:\n%s", b.String(), want.String())
	}
	other := readCut(t, strings.Replace(cutTrace, "/bin/a", "/bin/b", 1))
	if err := Merge(&b, first, other); !errors.Is(err, ErrApart) {
		t.Errorf("of two processes: %v", err)
	}
}
