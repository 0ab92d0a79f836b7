package ncurep

import "fmt"

// The string tables of all blocks form one list, and metric names are indices
// into it. If part of a table is lost, every later string moves to a wrong
// index, and a wrong name is worse than none: so strings read after a loss are
// only used if the ids in use do not reach beyond the list, as they would if
// some were missing.

// addStrings appends b's table.
func (f *File) addStrings(b *Block) {
	if st := b.Header.Strings; st != nil {
		f.Strings = append(f.Strings, st.Strings...)
	}
	if b.doubtful {
		f.doubtStrings(b.Offset, "a string table is broken")
	}
}

// doubtStrings notes that strings may have been lost at offset at.
func (f *File) doubtStrings(at int64, why string) {
	if f.doubt == nil {
		f.doubt = &stringDoubt{at: at, sure: len(f.Strings), why: why}
	}
}

// stringDoubt tells from where on strings may be at a wrong index.
type stringDoubt struct {
	at   int64
	sure int // strings before the loss
	why  string
}

// settleStrings drops the strings that may be at a wrong index.
func (f *File) settleStrings() {
	if f.doubt == nil || f.doubt.sure == len(f.Strings) {
		return
	}
	highest := -1
	for _, r := range f.Results {
		ms, _ := r.Metrics() // its defects are no matter here
		for i := range ms.All {
			highest = max(highest, int(ms.All[i].NameID))
		}
	}
	if highest < len(f.Strings) {
		return
	}
	f.problems.addf(f.in.name, f.doubt.at, fmt.Sprintf("string tables that reach to metric name %d", highest),
		"%d strings; %s, so that only the first %d names are sure", len(f.Strings), f.doubt.why, f.doubt.sure)
	f.Strings = f.Strings[:f.doubt.sure:f.doubt.sure]
}
