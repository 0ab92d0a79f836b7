package ncurep

// GeneratedTable is a table with cells of a rule's own; see RuleBody.
type GeneratedTable struct {
	Title       Opt[string]
	Description Opt[string]
	MessageID   Opt[int32] // the message that it belongs to
	SortBy      Opt[int32] // column, from 0; absent for none
	Descending  Opt[bool]
	Columns     []string
	Cells       []*GeneratedCell // row after row
	Unknown     Unknown
}

var generatedTableTable = newTable(func(m *GeneratedTable) *Unknown { return &m.Unknown },
	optString(1, func(m *GeneratedTable) *Opt[string] { return &m.Title }),
	optString(2, func(m *GeneratedTable) *Opt[string] { return &m.Description }),
	optInt(3, func(m *GeneratedTable) *Opt[int32] { return &m.MessageID }),
	optInt(4, func(m *GeneratedTable) *Opt[int32] { return &m.SortBy }),
	optBool(5, func(m *GeneratedTable) *Opt[bool] { return &m.Descending }),
	repString(6, func(m *GeneratedTable) *[]string { return &m.Columns }),
	repMessage(7, func(m *GeneratedTable) *[]*GeneratedCell { return &m.Cells }),
)

func (*GeneratedTable) table() *table[GeneratedTable] { return generatedTableTable }

// GeneratedCell holds one of its fields, or none for an empty cell.
type GeneratedCell struct {
	Text    Opt[string]
	Double  Opt[float64]
	Uint    Opt[uint64]
	Unknown Unknown
}

var generatedCellTable = newTable(func(m *GeneratedCell) *Unknown { return &m.Unknown },
	optString(1, func(m *GeneratedCell) *Opt[string] { return &m.Text }),
	optDouble(2, func(m *GeneratedCell) *Opt[float64] { return &m.Double }),
	optInt(3, func(m *GeneratedCell) *Opt[uint64] { return &m.Uint }),
)

func (*GeneratedCell) table() *table[GeneratedCell] { return generatedCellTable }
