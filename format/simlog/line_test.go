package simlog

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parseLine parses one line as chunk.parse does.
func parseLine(line string) (access, verdict, []string) {
	levels := newLevelNames()
	b := append([]byte(line), make([]byte, padding)...)
	var a access
	next, v := parseAccess(b, 0, len(line), newLevelTable(levels), &a)
	if v == isAccess && next != len(line) {
		v = isMalformed
	}
	return a, v, levels.list()
}

func TestAccessLine(t *testing.T) {
	const pre = "GPGPU-Sim Cycle 5380: "
	for _, test := range []struct {
		line  string
		level string
		op    Op
		st    Status
		unit  uint16
		bank  uint16
		addr  uint64
	}{
		{"Load instr from L1D cache at SM 0 bank 0 addr 93ce6c00 status 2", "L1D", OpLoad, Miss, 0, 0, 0x93ce6c00},
		{"Store instr from L1D cache at SM 131 bank 7 addr 7f580face7e0 status 3", "L1D", OpStore, ReservationFail, 131, 7, 0x7f580face7e0},
		{"Store instr to L1D cache at SM 3 bank 1 addr 93ce6c00 status 0", "L1D", OpStore, Hit, 3, 1, 0x93ce6c00},
		{"Load instr from L2 cache at partition 159 addr 7f5811007f80 status 0", "L2", OpLoad, Hit, 0, 159, 0x7f5811007f80},
		{"Load instr from L2 cache at bank 12 addr 1f status 4", "L2", OpLoad, SectorMiss, 0, 12, 0x1f},
		{"Load instr from L2 cache at sub partition 12 addr 0x1f status 5", "L2", OpLoad, MSHRHit, 0, 12, 0x1f},
		{"Load instr from L2 cache at sub_partition 12 addr 1F status 1", "L2", OpLoad, HitReserved, 0, 12, 0x1f},
		{"Load instr from L1D cache at bank 5 SM 2 addr ffffffffffffffff status 2", "L1D", OpLoad, Miss, 2, 5, 0xffffffffffffffff},
		{"Load instr from L1D cache at SM 2 addr 0 status 2", "L1D", OpLoad, Miss, 2, 0, 0},
		{"Load instr from L2 cache addr abcdef0123456789 status 2", "L2", OpLoad, Miss, 0, 0, 0xabcdef0123456789},
		{"Load instr from L1T cache at SM 4 bank 0 addr 10 status 0", "L1T", OpLoad, Hit, 4, 0, 0x10},
		{"Load instr from L1 cache at SM 4 bank 0 addr 10 status 0", "L1D", OpLoad, Hit, 4, 0, 0x10},
		{"Write instr to L2 cache at slice 9 addr 10 status 2", "L2", OpStore, Miss, 0, 9, 0x10},
		{"Atomic instr to L2 cache at slice 9 addr 10 status 2", "L2", OpStore, Miss, 0, 9, 0x10},
		{"Prefetch instr from L2 cache at slice 9 addr 10 status 2", "L2", OpUnknown, Miss, 0, 9, 0x10},
		{"Load instr from L1D cache at core 9 bank 70000 addr 10 status 2", "L1D", OpLoad, Miss, 9, 0xffff, 0x10},
		{"MEMORY_SUBPARTITION_UNIT -  14 - Probing L2 cache Address=7f580fad2700, status=2", "L2", OpUnknown, Miss, 0, 14, 0x7f580fad2700},
		{"MEMORY_SUBPARTITION_UNIT - 159 - Probing L2 cache Address=c0000000, status=0", "L2", OpUnknown, Hit, 0, 159, 0xc0000000},
	} {
		a, v, levels := parseLine(pre + test.line)
		if strings.HasPrefix(test.line, "Load instr from L2 cache addr") {
			// No locator at all is not among the accepted forms: "at" is missing.
			if v != isMalformed {
				t.Errorf("%s: verdict %d", test.line, v)
			}
			continue
		}
		if v != isAccess {
			t.Errorf("%s: verdict %d, want an access", test.line, v)
			continue
		}
		got := fmt.Sprint(a.cycle, levels[a.info.Level()], a.info.Op(), a.info.Status(), a.info.Unit(), a.info.Bank(), a.addr)
		want := fmt.Sprint(5380, test.level, test.op, test.st, test.unit, test.bank, test.addr)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", test.line, got, want)
		}
	}
}

func TestNotAccessLine(t *testing.T) {
	for _, test := range []struct {
		line string
		want verdict
	}{
		{"", isOther},
		{"GPGPU-Sim Cycle", isOther},
		{"GPGPU-Sim Cycle 370", isOther},
		{"GPGPU-Sim Cycle x: Load instr from L1D cache at SM 0 bank 0 addr 0 status 2", isOther},
		{"GPGPU-Sim Cycle 5: WARP_SCHEDULER - Core 0 - Scheduler 1 - scheduler_unit::cycle()", isOther},
		{"GPGPU-Sim Cycle 5: MEMORY_PARTITION_UNIT -  7 - sub partition 14 sub_partition_contention=F has_dram_resource=T", isOther},
		{"GPGPU-Sim Cycle 5: MEMORY_SUBPARTITION_UNIT -  14 - issue mf 0x1", isOther},
		{"GPGPU-Sim Cycle 5: Load instr from L1D cache at SM 0 bank 0 addr 93ce6c00 status 9", isMalformed},
		{"GPGPU-Sim Cycle 5: Load instr from L1D cache at SM 0 bank 0 addr 93ce6c00 status", isMalformed},
		{"GPGPU-Sim Cycle 5: Load instr from L1D cache at SM 0 bank 0 addr 93ce6c00 status 22", isMalformed},
		{"GPGPU-Sim Cycle 5: Load instr from L1D cache at SM 0 bank 0 addr xyz status 2", isMalformed},
		{"GPGPU-Sim Cycle 5: Load instr from L1D cache at SM 0 bank 0 addr 11112222333344445 status 2", isMalformed},
		{"GPGPU-Sim Cycle 5: Load instr from L1D cache at SM 0 bank 0 addr", isMalformed},
		{"GPGPU-Sim Cycle 5: Load instr from L1D cache at SM", isMalformed},
		{"GPGPU-Sim Cycle 5: Load instr from", isMalformed},
		{"GPGPU-Sim Cycle 5: Load instr", isOther},
		{"GPGPU-Sim Cycle 9223372036854775808: Load instr from L1D cache at SM 0 bank 0 addr 0 status 2", isMalformed},
		{"GPGPU-Sim Cycle 123456789012345678901: Load instr from L1D cache at SM 0 bank 0 addr 0 status 2", isMalformed},
		{"GPGPU-Sim Cycle 123456789012345678901: Write instr to L2 cache at slice 9 addr 10 status 2", isMalformed},
		{"GPGPU-Sim Cycle 123456789012345678901: MEMORY_SUBPARTITION_UNIT -  14 - Probing L2 cache Address=10, status=2", isMalformed},
		{"GPGPU-Sim Cycle 123456789012345678901: MEMORY_SUBPARTITION_UNIT -  14 - issue mf 0x1", isOther},
		{"GPGPU-Sim Cycle 123456789012345678901: WARP_SCHEDULER - Core 0", isOther},
		{"GPGPU-Sim Cycle 12345678901234567890123456789012345678901234567890", isOther},
		{"GPGPU-Sim Cycle 5: MEMORY_SUBPARTITION_UNIT -  14 - Probing L2 cache Address=zz, status=2", isMalformed},
		{"GPGPU-Sim Cycle 5: MEMORY_SUBPARTITION_UNIT -  14 - Probing L2 cache Address=10, status=7", isMalformed},
	} {
		if _, v, _ := parseLine(test.line); v != test.want {
			t.Errorf("%q: verdict %d, want %d", test.line, v, test.want)
		}
	}
}

// A cycle has 63 bits: times since 1970 in nanoseconds are among them.
func TestLongCycle(t *testing.T) {
	for _, cycle := range []int64{1700000000123456789, 999999999999999999, 1000000000000000000, math.MaxInt64} {
		a, v, _ := parseLine(fmt.Sprintf("GPGPU-Sim Cycle %d: Load instr from L1D cache at SM 0 bank 0 addr 93ce6c00 status 2", cycle))
		if v != isAccess || a.cycle != cycle || a.addr != 0x93ce6c00 {
			t.Errorf("%d: verdict %d, cycle %d", cycle, v, a.cycle)
		}
	}
}

// Every prefix of an access line must be refused or read without reaching beyond
// the text: a longer number must not appear from what lies behind it.
func TestAccessLinePrefixes(t *testing.T) {
	const line = "GPGPU-Sim Cycle 5380: Load instr from L1D cache at SM 0 bank 0 addr 93ce6c00 status 2"
	for n := range line {
		if _, v, _ := parseLine(line[:n]); v == isAccess {
			t.Errorf("%q taken for a whole access line", line[:n])
		}
	}
}

func TestHexadecimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[0-9a-fA-Fg-z@G\x10-\x19\x30-\x3f\x60-\x6f]{1,20}`).Draw(t, "text")
		b := append([]byte(s), make([]byte, padding)...)
		got, n, ok := hexadecimal(b, 0)
		digits := strings.TrimPrefix(s, "0x")
		skip := len(s) - len(digits)
		end := 0
		for end < len(digits) && end < 16 && strings.IndexByte("0123456789abcdefABCDEF", digits[end]) >= 0 {
			end++
		}
		want, _ := strconv.ParseUint(digits[:end], 16, 64)
		if ok != (end > 0) || ok && (got != want || n != skip+end) {
			t.Fatalf("%q: got %x, %d, %v; want %x, %d", s, got, n, ok, want, skip+end)
		}
	})
}

func TestDecimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.Uint64Range(0, 999999999999999999).Draw(t, "number")
		s := strconv.FormatUint(want, 10)
		got, n, ok := decimal(append([]byte(s), make([]byte, padding)...), 0)
		if !ok || got != want || n != len(s) {
			t.Fatalf("%s: got %d, %d, %v", s, got, n, ok)
		}
	})
}

func TestInfo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := LevelID(rapid.IntRange(0, MaxLevels-1).Draw(t, "level"))
		o := Op(rapid.IntRange(0, 2).Draw(t, "op"))
		s := Status(rapid.IntRange(0, 6).Draw(t, "status"))
		u, b := rapid.Uint16().Draw(t, "unit"), rapid.Uint16().Draw(t, "bank")
		i := MakeInfo(l, o, s, u, b)
		if i.Level() != l || i.Op() != o || i.Status() != s || i.Unit() != u || i.Bank() != b {
			t.Fatalf("%v %v %v %v %v became %v %v %v %v %v", l, o, s, u, b, i.Level(), i.Op(), i.Status(), i.Unit(), i.Bank())
		}
		if i&(1<<KindBits-1) != MakeInfo(l, o, s, 0, 0) {
			t.Fatal("the low bits do not hold level, op and status")
		}
	})
}
