// Package column holds a column of values that grows while a file is read: by
// chunks, so that nothing is copied and no more is taken than is used, and
// without room for chunks that say nothing.
package column

// chunkBits is the binary logarithm of the rows of a chunk.
const chunkBits = 12

// A Column is a value for each row of a table. It grows by chunks, which are
// never copied; a chunk whose rows are all Absent takes no room.
type Column[T comparable] struct {
	chunks [][]T
	rows   int

	Absent T // what rows have that say nothing; to be set before the first row

}

// Len is the number of rows.
func (c *Column[T]) Len() int { return c.rows }

// At returns the value of a row.
func (c *Column[T]) At(row int) T {
	if k, i := c.chunks[row>>chunkBits], row&(1<<chunkBits-1); i < len(k) {
		return k[i]
	}
	return c.Absent
}

// Has reports whether any row says something.
func (c *Column[T]) Has() bool {
	for _, k := range c.chunks {
		if k != nil {
			return true
		}
	}
	return false
}

// Add appends a row.
func (c *Column[T]) Add(v T) {
	k, i := c.rows>>chunkBits, c.rows&(1<<chunkBits-1)
	c.rows++
	if k == len(c.chunks) {
		c.chunks = append(c.chunks, nil)
	}
	switch {
	case c.chunks[k] != nil:
		if i >= len(c.chunks[k]) { // the first chunk grows: small files stay small
			if v == c.Absent {
				return
			}
			grown := make([]T, min(4*i, 1<<chunkBits))
			copy(grown, c.chunks[k])
			c.fill(grown[len(c.chunks[k]):])
			c.chunks[k] = grown
		}
	case v == c.Absent:
		return
	default:
		size := 1 << chunkBits
		if k == 0 {
			size = max(64, i+1)
		}
		c.chunks[k] = make([]T, size)
		c.fill(c.chunks[k])
	}
	c.chunks[k][i] = v
}

// Set changes a row that was added.
func (c *Column[T]) Set(row int, v T) {
	k, i := row>>chunkBits, row&(1<<chunkBits-1)
	if c.chunks[k] == nil || i >= len(c.chunks[k]) {
		whole := make([]T, 1<<chunkBits)
		c.fill(whole)
		copy(whole, c.chunks[k])
		c.chunks[k] = whole
	}
	c.chunks[k][i] = v
}

func (c *Column[T]) fill(s []T) {
	var zero T
	if c.Absent == zero {
		return
	}
	for i := range s {
		s[i] = c.Absent
	}
}
