package ncurep

import (
	"math"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// Constructors of table entries. The prefix follows the schema's labels: req
// fields are plain struct fields and always written, opt fields are Opt or
// pointers, rep fields are slices.

type integer interface {
	~int32 | ~int64 | ~uint32 | ~uint64
}

func reqString[T any](num int, at func(m *T) *string) field[T] {
	return field[T]{num: num, wire: cursor.Len,
		read:  func(d *decoder, v wireValue, m *T) { *at(m) = d.str(v) },
		write: func(b []byte, m *T) []byte { return appendString(b, num, *at(m)) },
	}
}

func optString[T any](num int, at func(m *T) *Opt[string]) field[T] {
	return field[T]{num: num, wire: cursor.Len,
		read: func(d *decoder, v wireValue, m *T) { *at(m) = Some(d.str(v)) },
		write: func(b []byte, m *T) []byte {
			if o := at(m); o.Set {
				return appendString(b, num, o.Value)
			}
			return b
		},
	}
}

func repString[T any](num int, at func(m *T) *[]string) field[T] {
	return field[T]{num: num, wire: cursor.Len,
		read: func(d *decoder, v wireValue, m *T) {
			if d.budget -= 16; d.budget >= 0 {
				*at(m) = append(*at(m), d.str(v))
			}
		},
		write: func(b []byte, m *T) []byte {
			for _, s := range *at(m) {
				b = appendString(b, num, s)
			}
			return b
		},
	}
}

func reqInt[T any, I integer](num int, at func(m *T) *I) field[T] {
	return field[T]{num: num, wire: cursor.Varint,
		read:  func(d *decoder, v wireValue, m *T) { *at(m) = I(v.u) },
		write: func(b []byte, m *T) []byte { return appendUint(b, num, uint64(*at(m))) },
	}
}

func optInt[T any, I integer](num int, at func(m *T) *Opt[I]) field[T] {
	return field[T]{num: num, wire: cursor.Varint,
		read: func(d *decoder, v wireValue, m *T) { *at(m) = Some(I(v.u)) },
		write: func(b []byte, m *T) []byte {
			if o := at(m); o.Set {
				return appendUint(b, num, uint64(o.Value))
			}
			return b
		},
	}
}

func repInt[T any, I integer](num int, at func(m *T) *[]I) field[T] {
	return field[T]{num: num, wire: cursor.Varint, packable: true,
		read: func(d *decoder, v wireValue, m *T) { *at(m) = append(*at(m), I(v.u)) },
		write: func(b []byte, m *T) []byte {
			for _, v := range *at(m) {
				b = appendUint(b, num, uint64(v))
			}
			return b
		},
	}
}

func optBool[T any](num int, at func(m *T) *Opt[bool]) field[T] {
	return field[T]{num: num, wire: cursor.Varint,
		read: func(d *decoder, v wireValue, m *T) { *at(m) = Some(v.u != 0) },
		write: func(b []byte, m *T) []byte {
			o := at(m)
			switch {
			case o.Set && o.Value:
				return appendUint(b, num, 1)
			case o.Set:
				return appendUint(b, num, 0)
			}
			return b
		},
	}
}

func optDouble[T any](num int, at func(m *T) *Opt[float64]) field[T] {
	return field[T]{num: num, wire: cursor.Fixed64,
		read: func(d *decoder, v wireValue, m *T) { *at(m) = Some(math.Float64frombits(v.u)) },
		write: func(b []byte, m *T) []byte {
			if o := at(m); o.Set {
				return appendDouble(b, num, o.Value)
			}
			return b
		},
	}
}

func optFloat[T any](num int, at func(m *T) *Opt[float32]) field[T] {
	return field[T]{num: num, wire: cursor.Fixed32,
		read: func(d *decoder, v wireValue, m *T) { *at(m) = Some(math.Float32frombits(uint32(v.u))) },
		write: func(b []byte, m *T) []byte {
			if o := at(m); o.Set {
				return appendFloat(b, num, o.Value)
			}
			return b
		},
	}
}

func optMessage[T, M any, P message[M]](num int, at func(m *T) **M) field[T] {
	return field[T]{num: num, wire: cursor.Len,
		read: func(d *decoder, v wireValue, m *T) {
			if p := at(m); *p == nil {
				*p = newMessage[M, P](d, v)
			} else { // a second occurrence is merged, as protocol buffers ask
				mergeMessage[M, P](d, v, *p)
			}
		},
		write: func(b []byte, m *T) []byte {
			if p := *at(m); p != nil {
				return appendLen(b, num, func(b []byte) []byte { return appendMessage[M, P](b, p) })
			}
			return b
		},
	}
}

func repMessage[T, M any, P message[M]](num int, at func(m *T) *[]*M) field[T] {
	return field[T]{num: num, wire: cursor.Len,
		read: func(d *decoder, v wireValue, m *T) {
			if d.budget >= 0 {
				*at(m) = append(*at(m), newMessage[M, P](d, v))
			}
		},
		write: func(b []byte, m *T) []byte {
			for _, p := range *at(m) {
				b = appendLen(b, num, func(b []byte) []byte { return appendMessage[M, P](b, p) })
			}
			return b
		},
	}
}
