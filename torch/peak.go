package torch

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Peak is what a device can do at best, dense. A rate of 0 is not known.
type Peak struct {
	Device string // words that its name contains
	// TFLOP/s; int8 TOP/s.
	Float64, Float32, TF32, Half, Float8, Int8 float64
	Memory                                     float64 // TB/s
	Source                                     string
}

//go:embed peaks.tsv
var peaksTSV string

// peaks are the devices that are known, from peaks.tsv.
var peaks = sync.OnceValue(func() []Peak {
	var out []Peak
	for line := range strings.Lines(peaksTSV) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(f) != 9 {
			continue
		}
		var v [7]float64
		for i := range v {
			v[i], _ = strconv.ParseFloat(f[i+1], 64) // tested
		}
		out = append(out, Peak{f[0], v[0], v[1], v[2], v[3], v[4], v[5], v[6], f[8]})
	}
	return out
})

// PeakOf finds the rates of a device by its name; nil if they are not known.
func PeakOf(device string) *Peak {
	list := peaks()
	best := -1
	for i := range list {
		if strings.Contains(device, list[i].Device) && (best < 0 || len(list[i].Device) > len(list[best].Device)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	p := list[best]
	return &p
}

var peakNames = []string{"float64", "float32", "tf32", "half", "float8", "int8", "memory"}

// Override sets rates as "half=989.4,memory=3.35" says: TFLOP/s, and TB/s of
// memory.
func (p *Peak) Override(text string) error {
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		v, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil || v < 0 || v > 1e9 {
			return fmt.Errorf("%q: expected NAME=NUMBER, as in half=989.4", part)
		}
		i := slices.Index(peakNames, strings.ToLower(name))
		if i < 0 {
			return fmt.Errorf("%q: the rates are %s", name, strings.Join(peakNames, ", "))
		}
		*[]*float64{&p.Float64, &p.Float32, &p.TF32, &p.Half, &p.Float8, &p.Int8, &p.Memory}[i] = v
		p.Source = "--peak"
	}
	return nil
}

// Rate is the peak of a type, TFLOP/s; 0 if it is not known. float32 is that of
// the vector units: whether a product used TF32 the trace does not say.
func (p *Peak) Rate(dtype string) float64 {
	if p == nil {
		return 0
	}
	switch t := strings.ToLower(strings.TrimPrefix(dtype, "c10::")); {
	case strings.Contains(t, "float8"):
		return p.Float8
	case t == "half", t == "bfloat16", t == "float16":
		return p.Half
	case t == "float", t == "float32":
		return p.Float32
	case t == "double", t == "float64":
		return p.Float64
	case t == "char", t == "int8", t == "signed char":
		return p.Int8
	}
	return 0
}
