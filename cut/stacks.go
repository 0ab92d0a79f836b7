package cut

import (
	"fmt"
	"strings"

	"github.com/gpuprof/gpuprof/trace/schema"
)

// isStacks reports whether the rows of a table are frames of stacks, which others
// refer to by number.
func isStacks(table string) bool { return strings.HasSuffix(strings.ToUpper(table), "_CALLCHAINS") }

// sampled is the table of samples: its rows and their stacks have the same number.
const sampled = "COMPOSITE_EVENTS"

// stacks copies the frames of the stacks that a row refers to, if rows were left out
// at all. A column of a table that is not known counts as referring; where no known
// table does, all are copied.
func (db *database) stacks(t object, narrowed bool) error {
	var from []string
	told := false // a table that is known refers to them
	for _, o := range db.tables() {
		if isStacks(o.name) || o.name == textTable {
			continue
		}
		columns, err := db.columns(0, o.name)
		if err != nil {
			return err
		}
		known := schema.Lookup(o.name)
		for _, c := range columns {
			refers := known == nil
			if known != nil {
				col := known.Column(c)
				refers = col != nil && strings.EqualFold(col.Ref, t.name) || col == nil && c == "callchainId"
			}
			if refers || strings.EqualFold(o.name, sampled) && strings.EqualFold(t.name, "SAMPLING_CALLCHAINS") && c == "id" {
				told = told || known != nil
				from = append(from, fmt.Sprintf("SELECT %s FROM main.%s", quoted(c), quoted(o.name)))
			}
		}
	}
	own, err := db.columns(0, t.name)
	if err != nil {
		return err
	}
	if !narrowed || !told || len(own) == 0 || !strings.EqualFold(own[0], "id") {
		return db.copy(0, t, nil)
	}
	db.fill(t, fmt.Sprintf("INSERT INTO main.%s SELECT * FROM src0.%s WHERE id IN (%s)", quoted(t.name), quoted(t.name), strings.Join(from, " UNION ")))
	if db.err != nil {
		return fmt.Errorf("%s: table %s: %w", db.names[0], t.name, db.err)
	}
	return nil
}
