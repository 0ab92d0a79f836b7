package rocm

import (
	"bufio"
	"context"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// escapes are the colours of a terminal.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// readFacts reads lines of the form "name: value", below headings: what rocminfo
// prints, and the settings of rocprof-compute.
func (s *Session) readFacts(ctx context.Context, r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	of := "run"
	for in.Scan() && !s.full {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		line := strings.TrimSpace(escapes.ReplaceAllString(in.Text(), ""))
		if rest, ok := strings.CutPrefix(line, "Agent "); ok && !strings.Contains(rest, ":") {
			of = line
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" || !s.take(counterTakes) {
			continue
		}
		s.Facts = append(s.Facts, Fact{Of: of, Name: strings.Clone(name), Value: strings.Clone(value)})
	}
	return in.Err()
}

// readSummary reads the tables that rocprofv3 --summary prints: rows of names,
// domains, calls and durations between bars.
func (s *Session) readSummary(ctx context.Context, r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	for n := 1; in.Scan() && !s.full; n++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(in.Text()), "|"), "|")
		if len(cells) < 4 || strings.Contains(cells[0], "---") || strings.TrimSpace(cells[0]) == "NAME" {
			continue
		}
		calls, err1 := strconv.ParseUint(strings.TrimSpace(cells[2]), 10, 64)
		sum, err2 := strconv.ParseFloat(strings.TrimSpace(cells[3]), 64)
		if err1 != nil || err2 != nil {
			s.problem(FormatError{Line: n, Want: "calls and a duration", Found: strconv.Quote(cells[2] + "|" + cells[3]), Err: cursor.ErrCorrupt})
			continue
		}
		if s.take(counterTakes) {
			s.Totals = append(s.Totals, Total{Name: strings.TrimSpace(cells[0]), Calls: calls, Sum: sum})
		}
	}
	return in.Err()
}

// readV1Text reads what a tool of rocprof v1 prints for each dispatch: a heading
// "------ [001] ------", and lines NAME [VALUE].
func (s *Session) readV1Text(ctx context.Context, r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	kept := interner{}
	for n := 1; in.Scan() && !s.full; n++ {
		if n&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line := in.Text()
		if strings.HasPrefix(line, "------ [") {
			if s.take(dispatchTakes) {
				s.Dispatches = append(s.Dispatches, Dispatch{ID: uint64(len(s.Dispatches)), Kernel: "dispatch " + strings.Trim(line, "- []"), LDS: -1, Scratch: -1, VGPRs: -1, AGPRs: -1, SGPRs: -1})
			}
			continue
		}
		name, rest, ok := strings.Cut(line, "[")
		if !ok || len(s.Dispatches) == 0 {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), "]"), 64)
		if err != nil {
			s.problem(FormatError{Line: n, Want: "a number for " + strings.TrimSpace(name), Found: strconv.Quote(rest), Err: cursor.ErrCorrupt})
			continue
		}
		if s.take(counterTakes) {
			s.Counters = append(s.Counters, Counter{Dispatch: s.Dispatches[len(s.Dispatches)-1].ID, Name: kept.of(strings.TrimSpace(name)), Value: v})
		}
	}
	return in.Err()
}
