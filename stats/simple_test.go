package stats

import (
	"context"
	"testing"

	"github.com/gpuprof/gpuprof/trace"
)

// TestOpenACCPlaces sums up events by name and line, those without a line by
// name alone.
func TestOpenACCPlaces(t *testing.T) {
	m := made{
		"StringIds": "id value\n1 Wait\n2 scale.cpp\n3 (runtime)",
		"CUPTI_ACTIVITY_KIND_OPENACC_OTHER": `
start end nameId srcFile lineNo
0     30  1      2       52
40    50  1      2       52
60    70  1      3       42
70    80  1      -       -`,
	}
	expect(t, report(t, m, "openacc_sum"), `
Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
66.7,40,2,20.0,20.0,10,30,14.1,Wait@scale.cpp:52
16.7,10,1,10.0,10.0,10,10,0.0,Wait
16.7,10,1,10.0,10.0,10,10,0.0,Wait@(runtime):42`)
}

// TestVersionsStayApart sums up two versions of a function, whose names are
// shown alike, as two.
func TestVersionsStayApart(t *testing.T) {
	tr := trace.New("made", made{"StringIds": "id value\n1 free\n2 free_v3020", "CUPTI_ACTIVITY_KIND_RUNTIME": "start end nameId\n0 10 1\n20 40 2\n50 80 1"})
	calls, err := (&Request{Trace: tr}).table(context.Background(), "calls", trace.TableRuntime, "start", "end", "nameId")
	if err != nil {
		t.Fatal(err)
	}
	rows := namedSums(tr, calls, "nameId", func(string) string { return "free" })
	if len(rows) != 2 || rows[0].name != "free" || rows[1].name != "free" || rows[0].d.n+rows[1].d.n != 3 {
		t.Errorf("%+v", rows)
	}
}
