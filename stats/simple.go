package stats

import (
	"context"

	"github.com/gpuprof/gpuprof/view"
)

var osrtSum = callSum("osrt_sum", []string{"osrtsum"}, "OS Runtime Summary", "time in calls of the operating system's runtime libraries, by function", "Num Calls", "Name", "OSRT_API", 27)

// callSum makes a report that sums up the durations of one table by nameId.
func callSum(name string, old []string, title, short, countLabel, nameLabel string, tableName string, class int64) *Report {
	return &Report{Name: name, Old: old, Title: title, Short: short, Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		t, err := q.table(ctx, "events of this kind", tableName, "start", "end", "nameId", "eventClass")
		if err != nil {
			return nil, err
		}
		// Some tables hold records of the tracing itself beside the calls: events
		// of another class, which have no duration.
		if class != 0 {
			if c := t.Col("eventClass"); c != nil {
				t = where(t, func(i int) bool { return c.IsNull(i) || c.Ints[i] == class })
			}
		}
		return sumTable(countLabel, namedSums(q.Trace, t, "nameId", same), text(nameLabel)), nil
	}}
}
