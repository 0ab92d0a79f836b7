package metric

import "testing"

func TestAMD(t *testing.T) {
	for name, want := range map[string]Info{
		"VALUBusy":                     {Unit: Unit{Numerator: "%"}, Type: typeRatio},
		"FetchSize":                    {Unit: Unit{Numerator: "Kbyte"}, Type: typeCounter},
		"LocalMemSize":                 {Unit: Unit{Numerator: "byte"}},
		"SQ_WAVES":                     {Type: typeCounter},
		"SQ_WAVE_CYCLES":               {Type: typeCounter, Unit: Unit{Numerator: "cycle"}},
		"TCP_PENDING_STALL_CYCLES_sum": {Type: typeCounter, Unit: Unit{Numerator: "cycle"}},
		"GRBM_GUI_ACTIVE":              {Type: typeCounter, Unit: Unit{Numerator: "cycle"}},
		"VGPRs":                        {},
		"Mine_or_yours":                {},
	} {
		if got := Lookup(name); got.Unit != want.Unit || got.Type != want.Type {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if got := Describe("MemUnitStalled"); got != "share of the time in which the memory unit waits" {
		t.Error(got)
	}
}
