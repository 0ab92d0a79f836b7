package sasslearn

import (
	"slices"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// order sorts the tokens of texts so that each text has its tokens in this order.
// Tokens that stand now before, now behind one another are returned as knots.
func order(n int, texts [][]int32) (sorted []int32, knots []bool) {
	before := make([]map[int32]bool, n)
	for i := range before {
		before[i] = map[int32]bool{}
	}
	for _, t := range texts {
		for i := 1; i < len(t); i++ {
			before[t[i-1]][t[i]] = true
		}
	}
	knots = make([]bool, n)
	found := false
	for _, c := range components(before) {
		if len(c) > 1 || before[c[0]][c[0]] {
			found = true
			for _, t := range c {
				knots[t] = true
			}
		}
	}
	if found {
		return nil, knots
	}
	degree := make([]int, n)
	for i := range before {
		for j := range before[i] {
			degree[j]++
		}
	}
	done := make([]bool, n)
	for len(sorted) < n {
		for i := range degree { // the lowest first, so that the order is always the same
			if !done[i] && degree[i] == 0 {
				done[i] = true
				sorted = append(sorted, int32(i))
				for j := range before[i] {
					degree[j]--
				}
				break
			}
		}
	}
	return sorted, knots
}

// components are the strongly connected components of a graph (Tarjan).
func components(edges []map[int32]bool) [][]int32 {
	n := len(edges)
	index, low := make([]int, n), make([]int, n)
	on := make([]bool, n)
	var stack []int32
	var out [][]int32
	next := 1
	var visit func(v int32)
	visit = func(v int32) {
		index[v], low[v] = next, next
		next++
		stack = append(stack, v)
		on[v] = true
		to := make([]int32, 0, len(edges[v]))
		for w := range edges[v] {
			to = append(to, w)
		}
		slices.Sort(to)
		for _, w := range to {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] == index[v] {
			var c []int32
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				on[w] = false
				c = append(c, w)
				if w == v {
					break
				}
			}
			out = append(out, c)
		}
	}
	for v := range n {
		if index[v] == 0 {
			visit(int32(v))
		}
	}
	return out
}

// apart notes the tokens of a slot that might be shown together, and of which no
// text tells which stands first.
func (l *learner) apart(sorted []int32) {
	n := len(sorted)
	place := make([]int32, n)
	for i, t := range sorted {
		place[t] = int32(i)
	}
	behind := make([][]bool, n) // by place: what is known to stand behind
	for i := range behind {
		behind[i] = make([]bool, n)
	}
	for i := range l.samples {
		s := l.samples[i].tokens
		for k := 1; k < len(s); k++ {
			behind[place[s[k-1]]][place[s[k]]] = true
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			if behind[i][j] {
				for k := j + 1; k < n; k++ {
					behind[i][k] = behind[i][k] || behind[j][k]
				}
			}
		}
	}
	for i := range l.op.Tokens {
		for j := i + 1; j < n && l.op.Tokens[j].Slot == l.op.Tokens[i].Slot; j++ {
			if !behind[i][j] && l.op.Tokens[i].Group != l.op.Tokens[j].Group {
				l.op.Apart = append(l.op.Apart, table.Apart{First: int32(i), Second: int32(j)})
			}
		}
	}
}
