package simlog

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// Report is one of SCALE-Sim's report files (COMPUTE_REPORT, BANDWIDTH_REPORT,
// DETAILED_ACCESS_REPORT): one row for each layer. Version 3 has a column more than
// version 2, and rows end in a comma that stands for no column.
type Report struct {
	Columns []string
	Rows    [][]float64 // NaN where a cell is no number
}

// maxReportRows bounds the layers of a report.
const maxReportRows = 1 << 20

// ReadReport reads a report file.
func ReadReport(r io.Reader) (*Report, error) {
	c := csv.NewReader(bufio.NewReader(r))
	c.FieldsPerRecord = -1
	c.LazyQuotes = true
	c.TrimLeadingSpace = true
	c.ReuseRecord = true
	header, err := c.Read()
	if err != nil {
		return nil, &FormatError{Want: "a line of column names", Found: err.Error(), Err: cursor.ErrCorrupt}
	}
	rep := &Report{}
	for _, h := range header {
		rep.Columns = append(rep.Columns, strings.TrimSpace(h))
	}
	if n := len(rep.Columns); n > 0 && rep.Columns[n-1] == "" {
		rep.Columns = rep.Columns[:n-1]
	}
	for len(rep.Rows) < maxReportRows {
		rec, err := c.Read()
		if errors.Is(err, io.EOF) {
			return rep, nil
		}
		if err != nil {
			return rep, &FormatError{Offset: c.InputOffset(), Want: "a row of numbers", Found: err.Error(), Err: cursor.ErrCorrupt}
		}
		row := make([]float64, len(rep.Columns))
		for i := range row {
			row[i] = math.NaN()
			if i < len(rec) {
				if v, err := strconv.ParseFloat(strings.TrimSpace(rec[i]), 64); err == nil {
					row[i] = v
				}
			}
		}
		rep.Rows = append(rep.Rows, row)
	}
	return rep, nil
}

// Get returns the value of a layer under the column of a name, compared without
// case and blanks.
func (r *Report) Get(layer int, name string) (float64, bool) {
	row := -1
	for i := range r.Rows {
		if len(r.Rows[i]) > 0 && r.Rows[i][0] == float64(layer) {
			row = i
			break
		}
	}
	if row < 0 {
		return 0, false
	}
	for i, c := range r.Columns {
		if fold(c) == fold(name) && !math.IsNaN(r.Rows[row][i]) {
			return r.Rows[row][i], true
		}
	}
	return 0, false
}

func fold(s string) string { return strings.ToLower(strings.ReplaceAll(s, " ", "")) }
