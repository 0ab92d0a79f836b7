package metric

// A Summary is minimum, maximum and sum of a metric over launches. The zero
// Summary is of no launch.
type Summary struct {
	N             int
	Min, Max, Sum float64
}

// Add adds the value of a launch. Strings and missing values are left out.
func (s *Summary) Add(v Value) {
	if !v.isNumber() {
		return
	}
	if s.N == 0 || v.Double() < s.Min {
		s.Min = v.Double()
	}
	if s.N == 0 || v.Double() > s.Max {
		s.Max = v.Double()
	}
	s.Sum += v.Double()
	s.N++
}

// Mean returns the arithmetic mean, 0 if nothing was added.
func (s *Summary) Mean() float64 {
	if s.N == 0 {
		return 0
	}
	return s.Sum / float64(s.N)
}
