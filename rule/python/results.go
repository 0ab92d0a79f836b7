package python

import (
	"context"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

type speedupRecord struct {
	Type    uint8     `json:"type"`
	Speedup jsonFloat `json:"speedup"`
}

type focusRecord struct {
	Name     string    `json:"name"`
	Value    jsonFloat `json:"value"`
	Severity uint8     `json:"severity"`
	Info     string    `json:"info"`
}

type messageRecord struct {
	Title   string         `json:"title"`
	Text    string         `json:"text"`
	Type    uint8          `json:"type"`
	Speedup *speedupRecord `json:"speedup"`
	Focus   []focusRecord  `json:"focus"`
	Tables  []tableRecord  `json:"tables"`
}

type tableRecord struct {
	Kind        string   `json:"kind"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Metrics     []string `json:"metrics"`
	Columns     []string `json:"headers"` // of a table that the rule generated
	Rows        [][]any  `json:"data"`
}

type markerRecord struct {
	Kind    uint8  `json:"kind"` // 0 an address, 1 a line
	Type    uint8  `json:"type"`
	Text    string `json:"text"`
	File    string `json:"file"`
	Line    uint32 `json:"line"`
	Address uint64 `json:"address"`
}

type resultRecord struct {
	Rule     string          `json:"rule"`
	Name     string          `json:"name"`
	Section  string          `json:"section"`
	Messages []messageRecord `json:"messages"`
	Tables   []tableRecord   `json:"tables"`
	Markers  []markerRecord  `json:"markers"`
}

func (s *Service) ruleResults(_ context.Context, q *Request) error {
	a, err := s.named(q)
	if err != nil {
		return err
	}
	rs, err := s.Overlay.Launch(a).RuleResults()
	if err != nil && len(rs) == 0 {
		return &Error{"RuntimeError", err.Error()}
	}
	out := []resultRecord{}
	for i := range rs {
		out = append(out, newResultRecord(&rs[i]))
	}
	return q.Answer(out)
}

func newResultRecord(r *profile.RuleResult) resultRecord {
	o := resultRecord{Rule: r.Identifier, Name: r.DisplayName, Section: r.Section,
		Messages: []messageRecord{}, Tables: []tableRecord{}, Markers: []markerRecord{}}
	for _, m := range r.Messages {
		x := messageRecord{Title: m.Name, Text: m.Text, Type: uint8(m.Type), Focus: []focusRecord{}, Tables: []tableRecord{}}
		if m.Speedup != nil {
			x.Speedup = &speedupRecord{uint8(m.Speedup.Type), jsonFloat(m.Speedup.Percent)}
		}
		for _, f := range m.Focus {
			x.Focus = append(x.Focus, focusRecord{f.Name, jsonFloat(f.Value), f.Severity, f.Info})
		}
		o.Messages = append(o.Messages, x)
	}
	for _, t := range r.Tables {
		x := newTableRecord(&t)
		o.Tables = append(o.Tables, x)
		for i, m := range r.Messages {
			if t.MessageID != 0 && t.MessageID == m.ID {
				o.Messages[i].Tables = append(o.Messages[i].Tables, x)
			}
		}
	}
	for _, m := range r.Markers {
		x := markerRecord{Type: uint8(m.Type), Text: m.Text, File: m.File, Line: m.Line, Address: m.Address}
		if m.Source {
			x.Kind = 1
		}
		o.Markers = append(o.Markers, x)
	}
	return o
}

func newTableRecord(t *profile.RuleTable) tableRecord {
	x := tableRecord{Kind: t.Kind, Title: t.Label, Description: t.Description, Metrics: []string{}, Columns: []string{}, Rows: [][]any{}}
	for _, m := range t.Metrics {
		x.Metrics = append(x.Metrics, m.Name)
	}
	x.Columns = append(x.Columns, t.Columns...)
	for _, row := range t.Rows {
		cells := make([]any, len(row))
		for i, v := range row {
			switch v.Kind() {
			case metric.KindString:
				cells[i] = v.Text()
			case metric.KindFloat, metric.KindDouble:
				cells[i] = jsonFloat(v.Double())
			case metric.KindUint32, metric.KindUint64:
				cells[i] = v.Uint64()
			}
		}
		x.Rows = append(x.Rows, cells)
	}
	return x
}
