package interval

// Median is the middle of durations, or of other numbers, which it reorders: the mean
// of the two in the middle where their number is even. There has to be at least one.
func Median(v []int64) float64 {
	k := len(v) / 2
	high := selected(v, k)
	if len(v)%2 == 1 {
		return float64(high)
	}
	low := v[0]
	for _, x := range v[:k] { // all at most high
		low = max(low, x)
	}
	return float64(low)/2 + float64(high)/2
}

// selected puts the k-th smallest value at v[k], nothing larger before it, and
// returns it (Hoare's selection with the median of three as pivot).
func selected(v []int64, k int) int64 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		mid := lo + (hi-lo)/2
		p := max(min(v[lo], v[mid]), min(max(v[lo], v[mid]), v[hi]))
		i, j := lo, hi
		for i <= j {
			for v[i] < p {
				i++
			}
			for v[j] > p {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}
