package rule

import (
	"encoding/json"
	"math"
	"sort"
	"strconv"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// number is a float64 that JSON may have as text: "nan", "inf", "-inf".
type number float64

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(b []byte) error {
	if len(b) > 1 && b[0] == '"' {
		b = b[1 : len(b)-1]
	}
	f, err := strconv.ParseFloat(string(b), 64)
	*n = number(f)
	return err
}

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.AppendQuote(nil, strconv.FormatFloat(f, 'g', -1, 64)), nil
	}
	return json.Marshal(float64(n))
}

type numbers map[string]number

type errorRecord struct {
	Text   string
	Line   int
	Raised bool
}

// loadedRecord is what the program tells of a file.
type loadedRecord struct {
	Number int
	Error  *errorRecord
	Rule   *struct {
		ID, Name, Description, Section string
		Parents, Metrics, Rules        []string
	}
}

type messageRecord struct {
	Type       uint8
	Text, Name string
	Speedup    *struct {
		Type    uint8
		Percent number
	}
	Focus []struct {
		Name     string
		Value    number
		Severity uint8
		Info     string
	}
}

type markerRecord struct {
	Text  string
	Place uint64
	Kind  uint8
	File  string
	Type  uint8
}

type columnRecord struct {
	Name   string
	Kind   uint8
	Values []json.RawMessage
}

type tableRecord struct {
	Message            int
	Title, Description string
	Columns            []columnRecord
	Sort               int
	Descending         bool
}

type metricRecord struct {
	Name   string
	Kind   uint8
	Value  json.RawMessage
	Kinds  []uint8
	Values []json.RawMessage
	IDs    []json.RawMessage
}

// appliedRecord is what the program tells of a rule that was applied.
type appliedRecord struct {
	Number int
	Error  *errorRecord
	Result *struct {
		Messages  []messageRecord
		Markers   []markerRecord
		Tables    []tableRecord
		Charts    []struct{ File, Text string }
		Proposals []string
	}
	Dict    numbers
	Vault   map[string]numbers
	Added   []metricRecord
	Asked   map[string]bool
	printed string
}

// newOutcome turns what the program told into an Outcome; a may be nil.
func newOutcome(r *Rule, a *appliedRecord) Outcome {
	o := Outcome{Rule: r, Result: profile.RuleResult{Identifier: r.ID, DisplayName: r.Name, Section: r.Section}}
	if a == nil {
		return o
	}
	o.Printed = a.printed
	if a.Error != nil {
		o.Err = &Error{File: r.File, Line: a.Error.Line, Text: a.Error.Text, Raised: a.Error.Raised}
	}
	for name, found := range a.Asked {
		o.Asked = append(o.Asked, Asked{name, found})
	}
	sort.Slice(o.Asked, func(i, k int) bool { return o.Asked[i].Name < o.Asked[k].Name })
	for i := range a.Added {
		o.Added = append(o.Added, a.Added[i].metric())
	}
	if x := a.Result; x != nil {
		for i := range x.Messages {
			o.Result.Messages = append(o.Result.Messages, x.Messages[i].message(i+1))
		}
		for i := range x.Markers {
			o.Result.Markers = append(o.Result.Markers, x.Markers[i].marker())
		}
		for i := range x.Tables {
			o.Result.Tables = append(o.Result.Tables, x.Tables[i].table())
		}
		for _, c := range x.Charts {
			t, err := parseChart(c.File, c.Text)
			if err != nil {
				if o.Err == nil {
					o.Err = &Error{File: r.File, Text: err.Error()}
				}
				continue
			}
			o.Result.Tables = append(o.Result.Tables, t)
		}
		o.Result.Proposals = x.Proposals
	}
	return o
}

func (m *messageRecord) message(id int) profile.RuleMessage {
	out := profile.RuleMessage{ID: id, Type: profile.MessageType(m.Type), Name: m.Name, Text: m.Text}
	if m.Speedup != nil {
		out.Speedup = &profile.Speedup{Type: profile.SpeedupType(m.Speedup.Type), Percent: float64(m.Speedup.Percent)}
	}
	for _, f := range m.Focus {
		out.Focus = append(out.Focus, profile.FocusMetric{MessageID: id, Name: f.Name, Value: float64(f.Value), Severity: f.Severity, Info: f.Info})
	}
	return out
}

func (m *markerRecord) marker() profile.SourceMarker {
	out := profile.SourceMarker{Text: m.Text, Type: profile.MessageType(m.Type)}
	if m.Kind == 1 {
		out.Source, out.File, out.Line = true, m.File, uint32(m.Place)
	} else {
		out.Address = m.Place
	}
	return out
}

func (t *tableRecord) table() profile.RuleTable {
	out := profile.RuleTable{Kind: "data", Label: t.Title, Description: t.Description, MessageID: t.Message,
		SortBy: t.Sort, Descending: t.Descending}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, c.Name)
		for i, v := range c.Values {
			if len(out.Rows) <= i {
				out.Rows = append(out.Rows, make([]metric.Value, 0, len(t.Columns)))
			}
			out.Rows[i] = append(out.Rows[i], cellValue(c.Kind, v))
		}
	}
	return out
}

// cellValue is a value in a column of kind double 1, int 2, or text.
func cellValue(kind uint8, raw json.RawMessage) metric.Value {
	switch kind {
	case 1:
		var n number
		if n.UnmarshalJSON(raw) == nil {
			return metric.Double(float64(n))
		}
	case 2:
		if u, err := strconv.ParseUint(string(raw), 10, 64); err == nil {
			return metric.Uint64(u)
		}
		if f, err := strconv.ParseFloat(string(raw), 64); err == nil {
			return metric.Double(f)
		}
	}
	var s string
	_ = json.Unmarshal(raw, &s) // anything else is shown as nothing
	return metric.String(s)
}

// metricValue is a value of one of the kinds of NvRules.
func metricValue(kind uint8, raw json.RawMessage) metric.Value {
	switch kind {
	case 2:
		return cellValue(0, raw)
	case 3, 4:
		return cellValue(1, raw)
	case 5, 6:
		return cellValue(2, raw)
	}
	return metric.Value{}
}

func (m *metricRecord) metric() profile.Metric {
	var in []profile.Instance
	for i, v := range m.Values {
		var x profile.Instance
		if i < len(m.Kinds) {
			x.Value = metricValue(m.Kinds[i], v)
		}
		if i < len(m.IDs) {
			if len(m.IDs[i]) > 0 && m.IDs[i][0] == '"' {
				x.ID = cellValue(0, m.IDs[i])
			} else {
				x.ID = cellValue(2, m.IDs[i])
			}
		}
		in = append(in, x)
	}
	return profile.NewMetric(m.Name, metricValue(m.Kind, m.Value), in)
}
