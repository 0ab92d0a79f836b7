package lifetime

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// clockLines bounds the lines of a lifetime file that are looked at for its clock.
const clockLines = 1 << 16

// FileClock is the clock in MHz that the times of a lifetime file were made with, from its
// longest line: the shortest number that gives its time from its cycles. It is false where
// no line has both.
func FileClock(r io.Reader) (mhz float64, ok bool) {
	b := bufio.NewReaderSize(r, 1<<16)
	cyclesAt, timeAt := -1, -1
	most, least, highest := int64(0), 0.0, 0.0
	for line := range clockLines {
		text, err := b.ReadSlice('\n')
		if line == 0 {
			cyclesAt, timeAt = columnAt(bytes.TrimRight(text, "\r\n"), "lifetime_cycles"), columnAt(bytes.TrimRight(text, "\r\n"), "lifetime_ns")
			if cyclesAt < 0 || timeAt < 0 {
				return 0, false
			}
		} else if cycles, whole := wholeCell(bytes.TrimRight(text, "\r\n"), cyclesAt); whole && cycles > most {
			if ns, half, known := decimalCell(bytes.TrimRight(text, "\r\n"), timeAt); known && ns > half {
				most, least, highest = cycles, 1000*float64(cycles)/(ns+half), 1000*float64(cycles)/(ns-half)
			}
		}
		if err != nil {
			break
		}
	}
	return shortest(least, highest), most > 0
}

// decimalCell reads the number in a cell, and half the unit of its last digit.
func decimalCell(line []byte, at int) (v, half float64, ok bool) {
	cells := bytes.Split(line, []byte{','})
	if at >= len(cells) {
		return 0, 0, false
	}
	_, fraction, _ := bytes.Cut(cells[at], []byte{'.'})
	v, err := strconv.ParseFloat(string(cells[at]), 64)
	return v, 0.5 * math.Pow10(-len(fraction)), err == nil && v > 0 && !math.IsInf(v, 1)
}

// shortest is the number between two that has the fewest digits.
func shortest(least, highest float64) float64 {
	middle := (least + highest) / 2
	for digits := range 17 {
		if v, err := strconv.ParseFloat(strconv.FormatFloat(middle, 'e', digits, 64), 64); err == nil && v >= least && v <= highest {
			return v
		}
	}
	return middle
}

// maxReport bounds a report that is read, in bytes.
const maxReport = 64 << 20

// ReportClock is the clock in MHz that a JSON report states. It is false where it states
// none, as GainSight's do.
func ReportClock(r io.Reader) (mhz float64, ok bool) {
	var report struct {
		Own struct {
			Clock *float64 `json:"clock_mhz"`
		} `json:"gpuprof"`
	}
	if json.NewDecoder(io.LimitReader(r, maxReport)).Decode(&report) != nil || report.Own.Clock == nil || !(*report.Own.Clock > 0) {
		return 0, false
	}
	return *report.Own.Clock, true
}
