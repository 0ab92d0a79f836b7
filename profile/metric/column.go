package metric

// A Column is a metric's column of the raw page as CSV. All of its cells are
// in one unit, chosen by the largest value. [Column.Add] every value first,
// then print the cells.
type Column struct {
	Unit    Unit
	Base    bool // keep the stored unit: --print-units base
	FP      bool // two decimals throughout: --print-fp
	largest float64
}

// Add lets v take part in the choice of the unit.
func (c *Column) Add(v Value) {
	// NaN is not larger than anything, and neither is a negative value.
	if v.isNumber() && v.Double() > c.largest {
		c.largest = v.Double()
	}
}

// Scale returns the scale of the cells and of the units row.
func (c *Column) Scale() Scale {
	if c.Base {
		return c.Unit.Base()
	}
	return c.Unit.Auto(c.largest)
}

// Append appends the cell that shows v. A metric that a launch does not have
// shows an empty cell, which is the caller's.
func (c *Column) Append(dst []byte, v Value) []byte {
	st := c.style()
	if st == SixDecimals && c.largest == 0 && v.isNumber() {
		// A column without a value above 0 shows 0 throughout, even where it
		// holds NaN or negative values.
		v = Double(0)
	}
	return st.Append(dst, v, c.Scale())
}

// AppendInstances appends the cell that shows v and its instances:
// --print-metric-instances with ids IDNone for values, else details. Where the
// unit was chosen for the column, a value hides its instances.
func (c *Column) AppendInstances(dst []byte, v Value, in Instances, ids IDStyle) []byte {
	if c.style() == SixDecimals {
		if v.Kind() != KindString || v.Text() != "" {
			return c.Append(dst, v)
		}
		return Cell{IDs: ids}.Append(dst, v, in, c.Scale())
	}
	return Cell{Style: c.style(), IDs: ids}.Append(dst, v, in, c.Scale())
}

func (c *Column) style() Style {
	switch {
	case c.FP:
		return Fixed
	case c.Base || c.Unit.IsZero():
		return Compact
	}
	return SixDecimals
}
