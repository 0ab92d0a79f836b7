package rocm

import (
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// readV1 reads results.db of rocprof v1: KERN with the columns of its results.csv,
// calls in HIP and HSA, kernels in OPS, copies in COPY, markers in rocTX. A run
// that traced nothing leaves KERN empty.
func (d *database) readV1() {
	timed := d.readKern()
	for _, api := range []string{"HIP", "HSA"} {
		d.v1Rows(api, func(r *v1Row) {
			d.s.Calls = append(d.s.Calls, Call{Domain: api, Name: r.name, Args: r.args, PID: r.pid, TID: r.tid, Correlation: r.index, Start: r.start, End: r.end})
		})
	}
	if timed == 0 { // else KERN has told of the same kernels
		d.v1Rows("OPS", func(r *v1Row) {
			d.s.Dispatches = append(d.s.Dispatches, Dispatch{ID: r.index, Kernel: r.name, Agent: r.device, Queue: r.queue, Stream: r.stream, PID: r.pid, TID: r.tid,
				Correlation: r.index, Start: r.start, End: r.end, LDS: -1, Scratch: -1, VGPRs: -1, AGPRs: -1, SGPRs: -1})
		})
	}
	d.v1Rows("COPY", func(r *v1Row) {
		c := Copy{Direction: r.name, Bytes: -1, PID: r.pid, Queue: r.queue, Stream: r.stream, Correlation: r.index, Start: r.start, End: r.end}
		c.From, c.To = r.device, r.device
		d.s.Copies = append(d.s.Copies, c)
	})
	d.v1Rows("rocTX", func(r *v1Row) {
		text := r.args
		if text == "" {
			text = r.name
		}
		d.s.Ranges = append(d.s.Ranges, Range{Domain: "ROCTX", Text: text, PID: r.pid, TID: r.tid, Start: r.start, End: r.end, Mark: r.start == r.end})
	})
}

// readKern reads KERN as the table that results.csv is, and returns how many of
// its dispatches have times.
func (d *database) readKern() (timed int) {
	if !d.tables["KERN"] {
		return 0
	}
	t := newTable(d.s)
	var read func(*table)
	d.query("KERN", `SELECT * FROM KERN ORDER BY "Index"`, 0, func(st *sqlite.Stmt) {
		if read == nil {
			var names []string
			for i := range st.ColumnCount() {
				names = append(names, st.ColumnName(i))
			}
			var err error
			if read, err = t.header(names); err != nil {
				read = func(*table) {}
			}
		}
		t.line++
		t.row, t.bad = t.row[:0], ""
		for i := range st.ColumnCount() {
			t.row = append(t.row, strings.Trim(st.ColumnText(i), `"`))
		}
		read(t)
	})
	for i := range d.s.Dispatches {
		if d.s.Dispatches[i].End > 0 {
			timed++
		}
	}
	return timed
}

// A v1Row is a row of a table other than KERN; what its table lacks is zero.
type v1Row struct {
	name, args            string
	pid, tid, index       uint64
	device, queue, stream uint64
	start, end            uint64
}

// v1Rows reads the rows of a table, if it is there.
func (d *database) v1Rows(name string, add func(*v1Row)) {
	if !d.tables[name] {
		return
	}
	in := interner{}
	columns := map[string]bool{}
	err := sqlitex.ExecuteTransient(d.conn, `SELECT name FROM pragma_table_info(?)`, &sqlitex.ExecOptions{Args: []any{name},
		ResultFunc: func(st *sqlite.Stmt) error { columns[st.ColumnText(0)] = true; return nil }})
	if err != nil {
		return
	}
	var list []string
	for _, c := range []string{"BeginNs", "EndNs", "pid", "tid", "Name", "args", "Index", "dev-id", "queue-id", "stream-id"} {
		if columns[c] {
			list = append(list, `"`+c+`"`)
		} else {
			list = append(list, "NULL")
		}
	}
	d.query(name, `SELECT `+strings.Join(list, ", ")+` FROM "`+name+`" ORDER BY rowid`, callTakes, func(st *sqlite.Stmt) {
		add(&v1Row{start: unsigned(st, 0), end: unsigned(st, 1), pid: unsigned(st, 2), tid: unsigned(st, 3), name: in.of(st.ColumnText(4)),
			args: strings.TrimSpace(strings.Trim(strings.TrimSpace(st.ColumnText(5)), "()")), index: unsigned(st, 6), device: unsigned(st, 7), queue: unsigned(st, 8), stream: unsigned(st, 9)})
	})
}
