// Package spelling tells how far a word is from another, for messages that ask
// whether something else was meant. It stands on the standard library alone.
package spelling

// Distance is how many bytes must be put in, taken out or changed to make one
// word of the other (Levenshtein). It takes time and memory in proportion to the
// lengths; words whose lengths differ by more than most are farther than most,
// and most+1 is the answer without a look at them.
func Distance(a, b string, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for k := range row {
		row[k] = k
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for k := range len(b) {
			change := last
			if a[i] != b[k] {
				change++
			}
			last = row[k+1]
			row[k+1] = min(change, row[k+1]+1, row[k]+1)
		}
	}
	return row[len(b)]
}
