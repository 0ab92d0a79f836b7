package rocm

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// columns are the names of columns in every version, without case and
// punctuation, and what they hold.
var columns = map[string]field{
	"dispatchid": fID, "index": fID, "kernelname": fKernel, "name": fName, "function": fName, "domain": fDomain, "kind": fKind,
	"direction": fDirection, "agentid": fAgent, "gpuid": fAgent, "queueid": fQueue, "streamid": fStream, "processid": fPID, "pid": fPID,
	"threadid": fTID, "tid": fTID, "correlationid": fCorrelation, "starttimestamp": fStart, "beginns": fStart, "begintimestamp": fStart, "endtimestamp": fEnd, "endns": fEnd,
	"gridsize": fGrid, "grd": fGrid, "gridsizex": fGrid, "gridsizey": fGridY, "gridsizez": fGridZ,
	"workgroupsize": fGroup, "wgr": fGroup, "workgroupsizex": fGroup, "workgroupsizey": fGroupY, "workgroupsizez": fGroupZ,
	"ldsblocksize": fLDS, "lds": fLDS, "ldsperworkgroup": fLDS, "groupsegmentsize": fLDS,
	"scratchsize": fScratch, "scr": fScratch, "scratchperworkitem": fScratch, "privatesegmentsize": fScratch,
	"vgprcount": fVGPR, "vgpr": fVGPR, "archvgpr": fVGPR, "archvgprcount": fVGPR, "accumvgpr": fAGPR, "accumulativevgpr": fAGPR, "accumvgprcount": fAGPR,
	"sgprcount": fSGPR, "sgpr": fSGPR, "countername": fCounterName, "countervalue": fCounterValue,
	"sourceagentid": fFrom, "destinationagentid": fTo, "size": fBytes, "calls": fCalls, "totaldurationns": fSum,
	// known, not kept
	"queueindex": fOther, "fbar": fOther, "wavesize": fOther, "sig": fOther, "obj": fOther, "dispatchns": fOther, "completens": fOther,
	"durationns": fOther, "kernelid": fOther, "averagens": fOther, "percentage": fOther, "minns": fOther, "maxns": fOther, "stddev": fOther, "nodeid": fOther,
}

type field uint8

const (
	fCounter field = iota // any other column of a file with dispatches
	fID
	fKernel
	fName
	fDomain
	fKind
	fDirection
	fAgent
	fQueue
	fStream
	fPID
	fTID
	fCorrelation
	fStart
	fEnd
	fGrid
	fGridY
	fGridZ
	fGroup
	fGroupY
	fGroupZ
	fLDS
	fScratch
	fVGPR
	fAGPR
	fSGPR
	fCounterName
	fCounterValue
	fFrom
	fTo
	fBytes
	fCalls
	fSum
	fOther
	numFields
)

// plain removes case and punctuation from the name of a column.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == ' ' || r == '.':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// fieldOf tells what a column holds. Tables merged from several runs repeat what
// is no counter, with a number at the end of the name.
func fieldOf(name string) field {
	f, ok := columns[plain(name)]
	if i := strings.LastIndexAny(name, "_."); !ok && i > 0 {
		if _, err := strconv.ParseUint(name[i+1:], 10, 16); err == nil {
			if _, ok := columns[plain(name[:i])]; ok {
				return fOther
			}
		}
	}
	return f
}

// table is a CSV file while it is read.
type table struct {
	s        *Session
	at       [numFields]int // column of each field, -1 if absent
	counters []int          // columns that are counters
	names    []string
	row      []string
	line     int
	bad      string            // first cell of the row that is no number
	kept     map[string]string // strings that repeat
	last     map[uint64]bool   // dispatches of which a row has been seen (long form)
}

// maxRow bounds a row of a table, in bytes: a quote that is never closed makes a
// row of all the rest.
const maxRow = 16 << 20

// boundedRows reads so many bytes and no more.
type boundedRows struct {
	r    io.Reader
	left int
}

// Read implements io.Reader.
func (b *boundedRows) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("a row of more than %d bytes: %w", maxRow, ErrTooLarge)
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func (s *Session) readCSV(ctx context.Context, r io.Reader) error {
	rows := &boundedRows{r: r}
	in := csv.NewReader(rows)
	in.FieldsPerRecord, in.LazyQuotes, in.ReuseRecord = -1, true, true
	rows.left = maxRow
	head, err := in.Read()
	if err != nil {
		return &FormatError{File: s.Name, Line: 1, Want: "the names of columns", Found: err.Error(), Err: ErrUnknown}
	}
	t := &table{s: s, kept: map[string]string{}, last: map[uint64]bool{}}
	read, err := t.header(head)
	if err != nil {
		return err
	}
	s.Kind = KindCSV
	for n := 0; ; n++ {
		if n&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		rows.left = maxRow
		t.row, err = in.Read()
		if errors.Is(err, io.EOF) || s.full {
			return nil
		}
		if len(t.row) > 0 {
			t.line, _ = in.FieldPos(0)
		}
		if err != nil {
			cause := cursor.ErrCorrupt
			if errors.Is(err, ErrTooLarge) {
				cause = ErrTooLarge
			}
			s.problem(FormatError{Line: t.line, Want: "a row", Found: err.Error(), Err: cause})
			var p *csv.ParseError
			if !errors.As(err, &p) {
				return nil
			}
			continue
		}
		if len(t.row) != len(t.names) {
			s.problem(FormatError{Line: t.line, Want: fmt.Sprintf("%d cells", len(t.names)), Found: strconv.Itoa(len(t.row)), Err: cursor.ErrCorrupt})
			continue
		}
		t.bad = ""
		read(t)
	}
}

// header finds the columns and chooses what a row is.
func (t *table) header(head []string) (func(*table), error) {
	for i := range t.at {
		t.at[i] = -1
	}
	for i, name := range head {
		name = strings.TrimPrefix(strings.TrimSpace(name), "\xef\xbb\xbf")
		t.names = append(t.names, name)
		f := fieldOf(name)
		if f == fCounter {
			t.counters = append(t.counters, i)
		} else if f != fOther && t.at[f] < 0 {
			t.at[f] = i
		}
	}
	has := func(fs ...field) bool {
		for _, f := range fs {
			if t.at[f] < 0 {
				return false
			}
		}
		return true
	}
	switch {
	case has(fKernel) && (has(fID) || has(fStart, fEnd)):
		return (*table).dispatch, nil
	case has(fDirection, fStart, fEnd):
		return (*table).copy, nil
	case has(fName, fStart, fEnd):
		return (*table).call, nil
	case has(fName, fCalls, fSum):
		return (*table).total, nil
	}
	return nil, &FormatError{File: t.s.Name, Line: 1, Want: "the columns of a rocprof file, such as Kernel_Name and Dispatch_ID, or Function and Start_Timestamp",
		Found: fmt.Sprintf("%.80q", strings.Join(t.names, ",")), Err: ErrUnknown}
}

func (t *table) text(f field) string {
	if i := t.at[f]; i >= 0 {
		s := t.row[i]
		k, ok := t.kept[s]
		if !ok {
			k = strings.Clone(s)
			if len(t.kept) < 1<<20 {
				t.kept[k] = k
			}
		}
		return k
	}
	return ""
}

// number reads a whole number; agents may be written "Agent 4".
func (t *table) number(f field) uint64 {
	i := t.at[f]
	if i < 0 {
		return 0
	}
	s := strings.TrimSpace(t.row[i])
	if f == fAgent || f == fFrom || f == fTo {
		s = strings.TrimPrefix(s, "Agent ")
	}
	if s == "" {
		return 0
	}
	v, err := strconv.ParseUint(s, 0, 64)
	if err != nil && t.bad == "" {
		t.bad = t.names[i] + " " + strconv.Quote(s)
	}
	return v
}

// optional reads a whole number, -1 where there is no column.
func (t *table) optional(f field) int64 {
	if t.at[f] < 0 {
		return -1
	}
	return int64(t.number(f) & (1<<63 - 1))
}

// ok reports whether all cells of the row made sense.
func (t *table) ok() bool {
	if t.bad != "" {
		t.s.problem(FormatError{Line: t.line, Want: "a whole number", Found: t.bad, Err: cursor.ErrCorrupt})
	}
	return t.bad == ""
}

func (t *table) size(x, y, z field) [3]uint64 {
	d := [3]uint64{t.number(x), 1, 1}
	if t.at[y] >= 0 {
		d[1] = t.number(y)
	}
	if t.at[z] >= 0 {
		d[2] = t.number(z)
	}
	return d
}

func (t *table) dispatch() {
	d := Dispatch{ID: t.number(fID), Kernel: t.text(fKernel), Agent: t.number(fAgent), Queue: t.number(fQueue), Stream: t.number(fStream),
		PID: t.number(fPID), TID: t.number(fTID), Correlation: t.number(fCorrelation), Start: t.number(fStart), End: t.number(fEnd),
		Grid: t.size(fGrid, fGridY, fGridZ), Group: t.size(fGroup, fGroupY, fGroupZ), LDS: t.optional(fLDS), Scratch: t.optional(fScratch),
		VGPRs: t.optional(fVGPR), AGPRs: t.optional(fAGPR), SGPRs: t.optional(fSGPR)}
	if !t.ok() || !t.s.take(dispatchTakes) {
		return
	}
	if t.at[fCounterName] >= 0 { // a row for each counter
		t.value(d.ID, t.text(fCounterName), t.at[fCounterValue])
		if t.last[d.ID] {
			return
		}
		t.last[d.ID] = true
	} else {
		for _, i := range t.counters {
			t.value(d.ID, t.names[i], i)
		}
	}
	t.s.Dispatches = append(t.s.Dispatches, d)
}

// value adds the counter in column i; an empty cell is none.
func (t *table) value(dispatch uint64, name string, i int) {
	if i < 0 || strings.TrimSpace(t.row[i]) == "" {
		return
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(t.row[i]), 64)
	if err != nil {
		t.s.problem(FormatError{Line: t.line, Want: "a number for " + name, Found: strconv.Quote(t.row[i]), Err: cursor.ErrCorrupt})
		return
	}
	if t.s.take(counterTakes) {
		t.s.Counters = append(t.s.Counters, Counter{dispatch, name, v})
	}
}

func (t *table) copy() {
	c := Copy{Direction: t.text(fDirection), From: t.number(fFrom), To: t.number(fTo), Bytes: t.optional(fBytes),
		Correlation: t.number(fCorrelation), Start: t.number(fStart), End: t.number(fEnd)}
	if t.ok() && t.s.take(copyTakes) {
		t.s.Copies = append(t.s.Copies, c)
	}
}

func (t *table) call() {
	c := Call{Domain: t.text(fDomain), Name: t.text(fName), PID: t.number(fPID), TID: t.number(fTID), Correlation: t.number(fCorrelation),
		Start: t.number(fStart), End: t.number(fEnd)}
	if t.ok() && t.s.take(callTakes) {
		t.s.Calls = append(t.s.Calls, c)
	}
}

func (t *table) total() {
	c := Total{Name: t.text(fName), Calls: t.number(fCalls), Sum: t.number(fSum)}
	if t.ok() && t.s.take(counterTakes) {
		t.s.Totals = append(t.s.Totals, c)
	}
}
