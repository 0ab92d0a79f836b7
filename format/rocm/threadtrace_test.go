package rocm

import (
	"context"
	"strings"
	"testing"
)

// TestThreadTraceCut: of a file of a thread trace that is cut what is whole is read, and
// that it is cut is told; files that are empty are told by their names.
func TestThreadTraceCut(t *testing.T) {
	const (
		code      = `{"code":[["s_nop 0",0,1,"a.cpp:3",2,44288,4,16,2,1],["s_endpgm",0,2,"",2,44292,4,8,0,0]],"header":"ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle","version":"3.0.0"}`
		wave      = `{"duration":5816,"name":"SE1","num_insts":2,"wave":{"begin":19404,"cu":1,"end":25220,"id":0,"instructions":[[20012,2,0,4,63],[20016,2,7,4,64]],"simd":2,"slot":3}}`
		occupancy = `{"0":[[10,3,0,0,1,2],[12,3,2,0,1,2],[20,3,0,0,0,2]],"dispatches":{"2":"f"},"version":"3.0.0"}`
	)
	cutAt := func(s, behind string) string { i := strings.Index(s, behind); return s[:i+len(behind)] }
	for _, c := range []struct {
		name, text                    string
		code, waves, events, problems int
		told                          string
	}{
		{"code.json", code, 2, 0, 0, 0, ""},
		{"code.json", cutAt(code, `"header":"ISA, _`), 2, 0, 0, 1, "expected the rest of a thread trace's JSON, found the end of the file"},
		{"code.json", cutAt(code, `["s_endpgm",0,2,"`), 2, 0, 0, 1, "expected the rest"}, // of which the name and the line are known
		{"code.json", cutAt(code, `16,2,1],["s_en`), 1, 0, 0, 1, "expected the rest"},
		{"code.json", `{"code":[["s_n`, 0, 0, 0, 1, "expected a file of a thread trace, found unexpected end of JSON input"},
		{"code.json", `{"code":[["s_nop 0",0,1]}`, 0, 0, 0, 1, "expected a file of a thread trace, found invalid character"},
		{"se0_sm0_sl0_wv0.json", wave, 0, 1, 0, 0, ""},
		{"se0_sm0_sl0_wv0.json", cutAt(wave, `[20016,2,7`), 0, 1, 0, 1, "expected the rest"},
		{"se0_sm0_sl0_wv0.json", cutAt(wave, `"begin":19`), 0, 0, 0, 1, "expected the rest"},
		{"se0_sm0_sl0_wv0.json", `{}`, 0, 0, 0, 1, `expected the JSON of a thread trace, found "{}"`},
		{"se0_sm0_sl0_wv0.json", ``, 0, 0, 0, 1, "expected the JSON of a thread trace, found an empty file"},
		{"wstates1.json", ``, 0, 0, 0, 1, "expected the JSON of a thread trace, found an empty file"},
		{"occupancy.json", cutAt(occupancy, `[12,3,2,0,1,2],[20`), 0, 0, 2, 1, "expected the rest"},
		{"other.json", ``, 0, 0, 0, 0, ""},
	} {
		s, err := Options{}.OpenFolder(context.Background(), folder(map[string]string{"ui_output_agent_1_dispatch_1/" + c.name: c.text, "ui_output_agent_1_dispatch_1/filenames.json": `{"counter_names":[],"gfxip":9}`}), "t")
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		told := ""
		for _, p := range s.Problems {
			told += p.Error() + "\n"
		}
		if len(s.Code) != c.code || len(s.Waves) != c.waves || len(s.Monitors) != c.events || len(s.Problems) != c.problems || !strings.Contains(told, c.told) {
			t.Errorf("%s %q: %d instructions, %d waves, %d values, told %q", c.name, c.text, len(s.Code), len(s.Waves), len(s.Monitors), told)
		}
	}
}
