package stats

import (
	"context"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

// Kinds of file accesses (ENUM_OSRT_FILE_ACCESS_EVENT_TYPE).
const (
	fileOpen  = 1
	fileRead  = 3
	fileWrite = 4
)

// A fileUse is what was done with a file.
type fileUse struct {
	d                   []int64 // durations
	opens, reads, write int64
	in, out             int64 // bytes
}

var fileAccessSum = &Report{
	Name: "file_access_sum", Title: "File Access Summary",
	Short: "time and bytes of accesses to files, by file; columns of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		e, err := q.table(ctx, "accesses to files", "OSRT_FILE_ACCESS_EVENTS", "fileAccessId", "startedAt", "endedAt", "eventType", "bytesProcessed")
		if err != nil {
			return nil, err
		}
		paths, err := filePaths(ctx, q.Trace)
		if err != nil {
			return nil, err
		}
		id, start, end, kind, bytesOf := e.Ints("fileAccessId"), e.Ints("startedAt"), e.Ints("endedAt"), e.Ints("eventType"), e.Ints("bytesProcessed")
		uses := map[string]*fileUse{}
		var order []string
		for i := range e.Rows {
			if f := q.Filter; f != nil && (start[i] > f.End || end[i] < f.Start) {
				continue
			}
			path := paths[id[i]]
			u := uses[path]
			if u == nil {
				u = &fileUse{}
				uses[path] = u
				order = append(order, path)
			}
			u.d = append(u.d, interval.Lasts(start[i], end[i]))
			switch kind[i] {
			case fileOpen:
				u.opens++
			case fileRead:
				u.reads++
				u.in += bytesOf[i]
			case fileWrite:
				u.write++
				u.out += bytesOf[i]
			}
		}
		if len(order) == 0 {
			return nil, skipf("the trace has no accesses to files%s", q.Filter.suffix())
		}
		var rows []sumRow
		for _, path := range order {
			u := uses[path]
			rows = append(rows, sumRow{d: distOf(u.d), name: path, cells: []view.Value{view.Int(u.opens, ""), view.Int(u.reads, ""), view.Int(u.in, octet),
				view.Int(u.write, ""), view.Int(u.out, octet), view.String(path)}})
		}
		return sumTable("Accesses", rows, count("Opens"), count("Reads"), bytes("Read"), count("Writes"), bytes("Written"), text("File")), nil
	},
}

// filePaths are the names of files by the number that accesses have.
func filePaths(ctx context.Context, tr *trace.Trace) (map[int64]string, error) {
	t, err := tr.Table(ctx, "OSRT_FILE_ACCESS_DESCRIPTORS", "fileAccessId", "filePath")
	if err != nil || t == nil {
		return nil, err
	}
	out := map[int64]string{}
	c := t.Col("filePath")
	for i, id := range t.Ints("fileAccessId") {
		if c != nil && c.Kind == trace.Texts && !c.IsNull(i) {
			out[id] = tr.Strings.Text(c.Syms[i])
		}
	}
	return out, nil
}
