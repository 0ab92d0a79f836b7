package timeline

import (
	"regexp"
	"strings"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// tablesWanted makes of the patterns of --tables what tells which tables are
// converted; nil stands for all. A pattern is a basic regular expression that
// matches somewhere in the name, in upper or lower case.
func tablesWanted(patterns []string) (func(name string) bool, error) {
	var all []*regexp.Regexp
	for _, p := range patterns {
		if p == "" {
			continue
		}
		re, err := regexp.Compile("(?i)" + fromBasic(p))
		if err != nil {
			return nil, page.Usagef("--tables: %q is no regular expression: %v", p, err)
		}
		all = append(all, re)
	}
	if all == nil {
		return nil, nil
	}
	return func(name string) bool {
		for _, re := range all {
			if re.MatchString(name) {
				return true
			}
		}
		return false
	}, nil
}

// fromBasic spells a basic regular expression as Go does: there the bare +?|(){}
// are letters, and those behind a backslash are not.
func fromBasic(p string) string {
	const special = "+?|(){}"
	var b strings.Builder
	inClass := false
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case c == '\\' && i+1 < len(p) && strings.IndexByte(special, p[i+1]) >= 0:
			i++
			c = p[i]
		case c == '\\' && i+1 < len(p):
			b.WriteByte(c)
			i++
			c = p[i]
		case strings.IndexByte(special, c) >= 0:
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// allTables are the tables and enumerations of a version, for exports that have
// them whether or not they have rows.
func allTables(v schema.Version) []trace.TableInfo {
	var out []trace.TableInfo
	for _, t := range schema.Tables() {
		cols := t.At(v)
		if !t.Span.Has(v) || len(cols) == 0 {
			continue
		}
		info := trace.TableInfo{Name: t.Name}
		for _, c := range cols {
			kind := trace.Texts
			switch c.Type {
			case "INTEGER":
				kind = trace.Integers
			case "REAL":
				kind = trace.Reals
			}
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: c.Name, Kind: kind})
		}
		out = append(out, info)
	}
	return out
}
