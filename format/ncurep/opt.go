package ncurep

import "github.com/gpuprof/gpuprof/format/internal/cursor"

// formatError says where a report departs from its format.
type formatError = cursor.FormatError

// Opt is a field that a message may leave out. Reports tell "absent" from
// "present and zero", and so does this package; the zero Opt is absent.
type Opt[T any] struct {
	Value T
	Set   bool
}

// Some returns a present field.
func Some[T any](v T) Opt[T] { return Opt[T]{Value: v, Set: true} }

// Or returns the value, or def if the field is absent.
func (o Opt[T]) Or(def T) T {
	if o.Set {
		return o.Value
	}
	return def
}

// Unknown holds the fields of a message that this package has no name for, as
// they stood in the file: tag and value, one after the other. They are written
// back after the known fields.
type Unknown []byte

// fields counts the fields held.
func (u Unknown) fields() int {
	n := 0
	c := cursor.New("", 0, u)
	for {
		_, wire, ok := c.Field()
		if !ok {
			return n
		}
		c.SkipField(wire)
		n++
	}
}

// numbers lists the field numbers held, in file order, repeats included.
func (u Unknown) numbers() []int {
	var nums []int
	c := cursor.New("", 0, u)
	for {
		num, wire, ok := c.Field()
		if !ok {
			return nums
		}
		c.SkipField(wire)
		nums = append(nums, num)
	}
}
