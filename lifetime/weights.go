package lifetime

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Weights say how many kernels of the whole program a simulated one stands for,
// by kernel id. Kernels that are not listed stand for themselves.
type Weights map[int64]float64

// of returns a kernel's weight.
func (w Weights) of(id int64) float64 {
	if v, ok := w[id]; ok {
		return v
	}
	return 1
}

// maxWeights bounds the kernels of a cluster file.
const maxWeights = 1 << 22

// ReadWeights reads a cluster file: CSV with a header line and either the columns
// kernel_id and weight, or kernel_id and cluster. In the second form every kernel
// of the program is listed, and the first of each cluster is the one that was
// simulated: its weight is the size of its cluster, that of the others is 0. The
// form is ours: GainSight's own cluster file is not documented.
func ReadWeights(r io.Reader, name string) (Weights, error) {
	c := csv.NewReader(r)
	c.ReuseRecord = true
	c.TrimLeadingSpace = true
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: reading the header of a cluster file: %w", name, err)
	}
	id, weight, cluster := -1, -1, -1
	for i, h := range head {
		switch strings.ToLower(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff"))) {
		case "kernel_id", "kernel id", "kernel":
			id = i
		case "weight":
			weight = i
		case "cluster", "cluster_id", "group":
			cluster = i
		}
	}
	if id < 0 || weight < 0 && cluster < 0 {
		return nil, fmt.Errorf("%s:1: expected the columns kernel_id and weight, or kernel_id and cluster, found %s", name, strings.Join(head, ","))
	}
	w := Weights{}
	first := map[string]int64{}
	for {
		rec, err := c.Read()
		if errors.Is(err, io.EOF) {
			return w, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := c.FieldPos(0)
		k, err := strconv.ParseInt(strings.TrimSpace(rec[id]), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: kernel id %q is no integer", name, line, rec[id])
		}
		if len(w) >= maxWeights {
			return nil, fmt.Errorf("%s:%d: more than %d kernels", name, line, maxWeights)
		}
		if weight >= 0 {
			v, err := strconv.ParseFloat(strings.TrimSpace(rec[weight]), 64)
			if err != nil || !(v >= 0) || math.IsInf(v, 1) {
				return nil, fmt.Errorf("%s:%d: weight %q is no number from 0", name, line, rec[weight])
			}
			w[k] = v
			continue
		}
		w[k] += 0
		head, seen := first[rec[cluster]]
		if !seen {
			head = k
			first[strings.Clone(rec[cluster])] = k
		}
		w[head]++
	}
}
