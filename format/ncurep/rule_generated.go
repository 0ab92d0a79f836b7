package ncurep

// GeneratedTable is a table with cells of a rule's own; see RuleBody.
type GeneratedTable struct {
	Title       Opt[string]      `ncu:"1"`
	Description Opt[string]      `ncu:"2"`
	MessageID   Opt[int32]       `ncu:"3"` // the message that it belongs to
	SortBy      Opt[int32]       `ncu:"4"` // column, from 0; absent for none
	Descending  Opt[bool]        `ncu:"5"`
	Columns     []string         `ncu:"6"`
	Cells       []*GeneratedCell `ncu:"7"` // row after row
	Unknown     Unknown
}

// GeneratedCell holds one of its fields, or none for an empty cell.
type GeneratedCell struct {
	Text    Opt[string]  `ncu:"1"`
	Double  Opt[float64] `ncu:"2"`
	Uint    Opt[uint64]  `ncu:"3"`
	Unknown Unknown
}
