package simlog

import (
	"strconv"
	"strings"
)

// tableMeta holds what the # lines of a generic log, or the key-value metadata of
// its Parquet form, state.
type tableMeta struct {
	clock   float64
	timed   bool // rows state times, on this clock
	levels  map[string]int64
	kernels map[int64]*Kernel
}

// maxMetaKernels bounds the kernels described ahead: facts are dropped when their
// kernel has ended.
const maxMetaKernels = 1 << 16

// line takes "KEY = VALUE"; it reports whether the fact is a declared one.
func (m *tableMeta) line(s string) bool {
	key, value, ok := strings.Cut(s, "=")
	if !ok {
		return false
	}
	return m.fact(strings.Fields(key), strings.TrimSpace(value))
}

func (m *tableMeta) fact(key []string, value string) bool {
	switch {
	case len(key) == 1 && key[0] == "clock_mhz":
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || !(f > 0 && f < 1e6) || m.timed && f != m.clock {
			return false
		}
		m.clock = f
		return true
	case len(key) == 3 && key[0] == "level" && key[2] == "bytes":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n <= 0 || len(m.levels) >= MaxLevels {
			return false
		}
		m.levels[canonicalLevel(key[1])] = n
		return true
	case len(key) == 3 && key[0] == "kernel":
		return m.kernelFact(key[1], key[2], value)
	}
	return false
}

func (m *tableMeta) kernelFact(id, key, value string) bool {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return false
	}
	k := m.kernels[n]
	if k == nil {
		if len(m.kernels) >= maxMetaKernels {
			return false
		}
		k = &Kernel{ID: n}
		m.kernels[n] = k
	}
	switch key {
	case "name":
		k.Name = value
		return true
	case "end":
		k.EndCycle, err = strconv.ParseInt(value, 10, 64)
		k.EndKnown = err == nil
		return k.EndKnown
	case "l1_bytes":
		k.L1Bytes, err = strconv.ParseInt(value, 10, 64)
		return err == nil
	}
	return false
}

func (m *tableMeta) config() Config {
	c := Config{ClockMHz: m.clock, Timed: m.timed, L1Bytes: m.levels["L1D"], L2Bytes: m.levels["L2"]}
	c.Levels = make(map[string]int64, len(m.levels))
	for name, n := range m.levels {
		c.Levels[name] = n
	}
	return c
}
