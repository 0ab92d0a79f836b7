package amd

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Occupancies is the content of an .occupancy file: a row for each dispatch.
type Occupancies struct {
	Sheet
	at     [len(occupancyColumns)]int
	legacy bool // NAME=VALUE lines
}

// An Occupancy is a row of an .occupancy file. Numbers that the row does not
// have are -1.
type Occupancy struct {
	ThreadID         int64
	KernelName       string
	DeviceName       string
	ComputeUnits     int64
	MaxWavesPerCU    int64
	MaxGroupsPerCU   int64
	MaxVGPRs         int64
	MaxSGPRs         int64
	MaxLDS           int64 // bytes
	VGPRs            int64
	SGPRs            int64
	LDS              int64 // bytes
	WavefrontSize    int64
	WorkGroupSize    int64
	WavesPerGroup    int64
	MaxWorkGroupSize int64
	MaxWavesPerGroup int64
	GlobalSize       int64
	MaxGlobalSize    int64
	WavesByVGPR      int64
	WavesBySGPR      int64
	WavesByLDS       int64
	WavesByGroup     int64
	Percent          float64 // NaN where absent, negative where AMD could not compute it
	GraphicsIP       int64
	SIMDsPerCU       int64 // 4 where the file is too old to say
}

// occupancyColumns are the names of the columns in the order of the fields of
// Occupancy, with the names in files of one NAME=VALUE a line.
var occupancyColumns = [...][2]string{
	{"Thread ID", "ThreadID"}, {"Kernel Name", "KernelName"}, {"Device Name", "DeviceName"},
	{"Number of compute units", "ComputeUnits"}, {"Max. number of wavefronts per CU", "MaxWavesPerComputeUnit"},
	{"Max. number of work-group per CU", "MaxWorkGroupPerComputeUnit"}, {"Max. number of VGPR", "MaxVGPRs"},
	{"Max. number of SGPR", "MaxSGPRs"}, {"Max. amount of LDS", "MaxLDS"}, {"Number of VGPR used", "UsedVGPRs"},
	{"Number of SGPR used", "UsedSGPRs"}, {"Amount of LDS used", "UsedLDS"}, {"Size of wavefront", "WavefrontSize"},
	{"Work-group size", "WorkGroupSize"}, {"Wavefronts per work-group", "WavesPerWorkGroup"},
	{"Max work-group size", "MaxWorkGroupSize"}, {"Max wavefronts per work-group", "MaxWavesPerWorkGroup"},
	{"Global work size", "GlobalWorkSize"}, {"Maximum global work size", "MaxGlobalWorkSize"},
	{"Nbr VGPR-limited waves", "WavesLimitedByVGPR"}, {"Nbr SGPR-limited waves", "WavesLimitedBySGPR"},
	{"Nbr LDS-limited waves", "WavesLimitedByLDS"}, {"Nbr of WG-limited waves", "WavesLimitedByWorkgroup"},
	{"Kernel occupancy", "Occupancy"}, {"Graphics IP Version", "DeviceGfxIpVer"}, {"Number of SIMDs per CU", "SimdsPerCU"},
}

const (
	kernelColumn  = 1
	deviceColumn  = 2
	percentColumn = 23
)

// mostUnannounced is how many rows are kept that are broken, or more than the file
// says that there are: each row becomes a launch, which takes far more memory than
// the two bytes that a row may have.
const mostUnannounced = 1000

// ReadOccupancy reads an .occupancy file, or a file of one NAME=VALUE a line
// that describes one dispatch.
func ReadOccupancy(in io.ReaderAt, size int64, name string) (*Occupancies, error) {
	s, p, err := readSheet(in, size, name, "the columns of an occupancy file: Thread ID, Kernel Name, …")
	if err != nil {
		if o := readSettings(in, size, name); o != nil {
			return o, nil
		}
		return nil, err
	}
	o := &Occupancies{Sheet: *s}
	o.resolve()
	if o.at[kernelColumn] < 0 || o.at[percentColumn] < 0 {
		if l := readSettings(in, size, name); l != nil {
			return l, nil
		}
		return nil, &FormatError{File: name, Line: o.Line - 1, Want: "the columns Kernel Name and Kernel occupancy", Found: quote(o.title), Err: ErrCorrupt}
	}
	var cells []string
	broken := 0
	for i := range o.Rows {
		var ok bool
		if cells, ok = o.row(cells[:0], i); !ok {
			p.add(ErrCorrupt, o.RowLine(i), 0, strconv.Itoa(len(o.Columns))+" cells", "%d", len(cells))
			if broken++; broken > mostUnannounced {
				p.tell(ErrCorrupt, o.RowLine(i), fmt.Sprintf("at most %d rows with other numbers of cells", mostUnannounced), "more: this row and the %d after it are left out", len(o.Rows)-i-1)
				o.Rows = o.Rows[:i:i]
				break
			}
			continue
		}
		for c, at := range o.at {
			if at >= 0 && at < len(cells) && c != kernelColumn && c != deviceColumn {
				o.checkNumber(p, i, at, cells[at])
			}
		}
	}
	if n, ok := o.Get("KernelCount"); ok {
		// The count is that of the session; rows of other devices are left out, so only more is wrong.
		if v, isNumber := number(n); isNumber && v < uint64(len(o.Rows)) {
			p.add(ErrCorrupt, o.RowLine(int(v)), 0, "at most "+n+" rows, as KernelCount says", "%d", len(o.Rows))
			if most := int(v) + mostUnannounced; most < len(o.Rows) {
				p.tell(ErrCorrupt, o.RowLine(most), fmt.Sprintf("at most %d rows more than KernelCount says", mostUnannounced), "more: the last %d are left out", len(o.Rows)-most)
				o.Rows = o.Rows[:most:most]
			}
		}
	}
	o.Problems = p.done()
	return o, nil
}

func (o *Occupancies) resolve() {
	for i, names := range occupancyColumns {
		o.at[i] = slices.IndexFunc(o.Columns, func(c string) bool { return plain(c) == plain(names[0]) || c == names[1] })
	}
}

// plain is the name of a column without what differs between versions: files of 24
// columns have "Nbr of WG limited waves" where later ones have "WG-limited".
func plain(column string) string {
	return strings.ToLower(strings.ReplaceAll(column, "-", " "))
}

// readSettings reads NAME=VALUE lines; nil where they are none.
func readSettings(in io.ReaderAt, size int64, name string) *Occupancies {
	text, err := readText(in, size, name)
	if err != nil {
		return nil
	}
	o := &Occupancies{Sheet: Sheet{Name: name, sep: ',', lead: "# ", Line: 1}, legacy: true}
	l := newLines(text)
	var cells []string
	known := 0
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		e, isEntry := headerEntry(line)
		if blank(line) || !isEntry || len(o.Columns) > 1000 {
			continue
		}
		for _, c := range occupancyColumns {
			if c[1] == strings.TrimSpace(e.Key) {
				known++
			}
		}
		o.Columns = append(o.Columns, strings.TrimSpace(e.Key))
		cells = append(cells, strings.ReplaceAll(strings.TrimSpace(e.Value), ",", "&comma;"))
	}
	if known < 5 {
		return nil
	}
	o.Rows = []string{strings.Join(cells, ",")}
	o.resolve()
	return o
}

// row splits row i. Two things make cells too many: the comma of a decimal, and
// commas in the name of the kernel, which are joined again.
func (o *Occupancies) row(dst []string, i int) ([]string, bool) {
	cells, ok := o.Cells(dst, i)
	if ok || len(cells) <= len(o.Columns) {
		return cells, ok
	}
	if k := o.at[percentColumn]; k >= 0 && len(cells) == len(o.Columns)+1 && o.numeric(cells, 0) {
		if _, isNumber := number(cells[k+1]); isNumber {
			joined := append(append([]string{}, cells[:k]...), cells[k]+"."+cells[k+1])
			return append(dst[:0], append(joined, cells[k+2:]...)...), true
		}
	}
	n := len(cells) - len(o.Columns)
	if k := o.at[kernelColumn]; o.numeric(cells, n) {
		joined := append(append([]string{}, cells[:k]...), strings.Join(cells[k:k+n+1], ","))
		return append(dst[:0], append(joined, cells[k+n+1:]...)...), true
	}
	return cells, false
}

// numeric reports whether the four cells after device name, shifted by n, are
// whole numbers.
func (o *Occupancies) numeric(cells []string, n int) bool {
	k := o.at[kernelColumn]
	for i := k + 2 + n; i < k+6+n; i++ {
		if i >= len(cells) {
			return false
		}
		if _, ok := number(cells[i]); !ok {
			return false
		}
	}
	return true
}

// Len is the number of rows.
func (o *Occupancies) Len() int { return len(o.Rows) }

// Row returns row i.
func (o *Occupancies) Row(i int) Occupancy {
	cells, _ := o.row(nil, i)
	cell := func(c int) string {
		if k := o.at[c]; k >= 0 && k < len(cells) {
			return cells[k]
		}
		return ""
	}
	whole := func(c int) int64 {
		if v, err := strconv.ParseInt(cell(c), 10, 64); err == nil {
			return v
		}
		return -1
	}
	r := Occupancy{ThreadID: whole(0), KernelName: Unescape(cell(1)), DeviceName: cell(2), ComputeUnits: whole(3),
		MaxWavesPerCU: whole(4), MaxGroupsPerCU: whole(5), MaxVGPRs: whole(6), MaxSGPRs: whole(7), MaxLDS: whole(8),
		VGPRs: whole(9), SGPRs: whole(10), LDS: whole(11), WavefrontSize: whole(12), WorkGroupSize: whole(13),
		WavesPerGroup: whole(14), MaxWorkGroupSize: whole(15), MaxWavesPerGroup: whole(16), GlobalSize: whole(17),
		MaxGlobalSize: whole(18), WavesByVGPR: whole(19), WavesBySGPR: whole(20), WavesByLDS: whole(21),
		WavesByGroup: whole(22), Percent: Float(cell(percentColumn)), GraphicsIP: whole(24), SIMDsPerCU: whole(25)}
	if r.SIMDsPerCU < 0 {
		r.SIMDsPerCU = 4
	}
	return r
}
