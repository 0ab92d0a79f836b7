package rocm

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// readRocpd reads a database of rocprofv3, which may hold several runs, each in
// tables with the id of the run at the end of their names.
func (d *database) readRocpd() {
	runs := d.with("rocpd_kernel_dispatch")
	if len(runs) == 0 {
		runs = d.with("rocpd_region") // a run that launched nothing
	}
	slices.Sort(runs)
	for _, suffix := range runs {
		r := &rocpdRun{database: d, suffix: suffix, names: interner{}, process: len(d.s.Processes)}
		r.timestamps = r.has("rocpd_timestamp") || r.column("x", "rocpd_kernel_dispatch", "start_id") != "NULL" || r.column("x", "rocpd_region", "start_id") != "NULL"
		r.read()
	}
}

// A rocpdRun is one run. In schema 4 times stand in rocpd_timestamp, and process,
// thread, agent, queue and stream in rocpd_track; in schema 3 in the rows
// themselves. Which it is shows in the tables: the version in rocpd_metadata is
// written by hand in some.
type rocpdRun struct {
	*database
	suffix     string
	names      interner
	process    int
	timestamps bool            // schema 4
	columns    map[string]bool // of tables: "table.column"
	lacking    map[string]bool // tables that were told to be missing
}

// table is the name of a table of the run, quoted.
func (r *rocpdRun) table(name string) string { return quote(name + r.suffix) }

// column is a column of a table under an alias, or NULL where the table has none of
// the name: versions differ.
func (r *rocpdRun) column(alias, table, name string) string {
	if r.columns == nil {
		r.columns = map[string]bool{}
	}
	if !r.columns[table] {
		r.columns[table] = true
		err := sqlitex.ExecuteTransient(r.conn, `SELECT name FROM pragma_table_info(?)`, &sqlitex.ExecOptions{Args: []any{table + r.suffix},
			ResultFunc: func(st *sqlite.Stmt) error { r.columns[table+"."+st.ColumnText(0)] = true; return nil }})
		if err != nil {
			return "NULL"
		}
	}
	if r.columns[table+"."+name] {
		return alias + "." + name
	}
	return "NULL"
}

// one is a table of the run with one row for each id, for joins.
func (r *rocpdRun) one(name string) string { return r.database.one(name+r.suffix, "id") }

// join adds the table in which what a column says stands. One that is missing is told,
// and has no columns: the rows that speak of it are sound.
func (r *rocpdRun) join(alias, table, on string) string {
	if r.has(table) {
		return ` LEFT JOIN ` + r.one(table) + ` ` + alias + ` ON ` + alias + `.id = ` + on
	}
	r.lack(table)
	return ""
}

// lack tells once that a table is missing.
func (r *rocpdRun) lack(table string) {
	if r.lacking[table] {
		return
	}
	if r.lacking == nil {
		r.lacking = map[string]bool{}
	}
	r.lacking[table] = true
	r.s.problem(FormatError{Offset: -1, Want: "the table " + r.table(table), Found: "none", Err: cursor.ErrCorrupt})
}

func (r *rocpdRun) has(name string) bool { return r.tables[name+r.suffix] }

func (r *rocpdRun) read() {
	r.s.Processes = append(r.s.Processes, Process{Name: strings.ReplaceAll(strings.TrimPrefix(r.suffix, "_"), "_", "-")})
	r.info()
	r.agents()
	r.dispatches()
	arguments := r.arguments()
	r.regions(arguments)
	r.samples()
	r.copies()
	r.allocations()
	r.counters()
}

// info reads what the run was of.
func (r *rocpdRun) info() {
	p := &r.s.Processes[r.process]
	if r.has("rocpd_info_process") {
		node, join := `NULL`, ``
		if r.has("rocpd_info_node") {
			node, join = `n.hostname`, ` LEFT JOIN `+r.one("rocpd_info_node")+` n ON n.id = p.nid`
		}
		r.query(r.table("rocpd_info_process"), `SELECT p.pid, `+r.column("p", "rocpd_info_process", "command")+`, `+node+` FROM `+r.table("rocpd_info_process")+` p`+join+` ORDER BY p.id LIMIT 1`, symbolTakes, func(st *sqlite.Stmt) {
			p.PID, p.Command, p.Host = unsigned(st, 0), st.ColumnText(1), st.ColumnText(2)
		})
	}
	if r.has("rocpd_metadata") {
		r.query(r.table("rocpd_metadata"), `SELECT tag, value FROM `+r.table("rocpd_metadata")+` ORDER BY id LIMIT 100`, counterTakes, func(st *sqlite.Stmt) {
			r.s.Facts = append(r.s.Facts, Fact{Of: "rocpd", Name: st.ColumnText(0), Value: st.ColumnText(1)})
		})
	}
}

func (r *rocpdRun) agents() {
	if !r.has("rocpd_info_agent") {
		return
	}
	r.query(r.table("rocpd_info_agent"), `SELECT id, type, coalesce(type_index, -1), coalesce(name, ''), coalesce(product_name, ''), `+r.column("a", "rocpd_info_agent", "extdata")+` FROM `+r.table("rocpd_info_agent")+` a ORDER BY id`,
		symbolTakes, func(st *sqlite.Stmt) {
			a := Agent{Process: r.process, ID: unsigned(st, 0), GPU: st.ColumnText(1) == "GPU", Index: st.ColumnInt(2), Name: st.ColumnText(3), Product: st.ColumnText(4)}
			var more struct {
				CUs   uint32 `json:"cu_count"`
				Wave  uint32 `json:"wave_front_size"`
				LDS   uint32 `json:"lds_size_in_kb"`
				Clock uint32 `json:"max_engine_clk_fcompute"`
			}
			if json.Unmarshal([]byte(st.ColumnText(5)), &more) == nil {
				a.CUs, a.Wave, a.LDS, a.Clock = more.CUs, more.Wave, more.LDS, more.Clock
			}
			r.s.Agents = append(r.s.Agents, a)
		})
}

// of are the columns and joins that rows x of a table with a begin and an end have
// in common: start, end, process, thread, number and text of the event. where is
// what the columns of a track stand in.
func (r *rocpdRun) of(table string) (columns, joins, where string) {
	columns, where = `x.start, x."end"`, "x"
	if r.timestamps {
		columns, where = r.column("t0", "rocpd_timestamp", "value")+`, `+r.column("t1", "rocpd_timestamp", "value"), "tr"
		joins = r.join("t0", "rocpd_timestamp", "x.start_id") + r.join("t1", "rocpd_timestamp", "x.end_id") + r.join("tr", "rocpd_track", r.column("x", table, "track_id"))
	}
	return columns + `, ` + r.thread() + `, ` + r.stack(), joins + r.threadAndEvent(table, where), where
}

// stack is the column that ties work to the call that caused it. The correlation
// number of an event is the program's own, and zero in most.
func (r *rocpdRun) stack() string {
	if c := r.column("e", "rocpd_event", "stack_id"); c != "NULL" {
		return c
	}
	return r.column("e", "rocpd_event", "correlation_id")
}

// thread are the columns of the process and the thread.
func (r *rocpdRun) thread() string {
	return r.column("p", "rocpd_info_process", "pid") + `, ` + r.column("th", "rocpd_info_thread", "tid")
}

func (r *rocpdRun) threadAndEvent(table, where string) string {
	return r.join("p", "rocpd_info_process", r.placed(where, table, "pid")) + r.join("th", "rocpd_info_thread", r.placed(where, table, "tid")) +
		r.join("e", "rocpd_event", r.column("x", table, "event_id"))
}

// placed is a column that stands in the row or, in schema 4, in its track.
func (r *rocpdRun) placed(at, table, name string) string {
	if at == "tr" {
		table = "rocpd_track"
	}
	return r.column(at, table, name)
}

// category is the column and the join for the domain of an event: schema 4 has
// a table of categories.
func (r *rocpdRun) category() (column, join string) {
	on := r.column("e", "rocpd_event", "category_id")
	if r.timestamps || r.has("rocpd_info_category") {
		return r.column("c", "rocpd_info_category", "name"), r.join("c", "rocpd_info_category", on)
	}
	return r.column("c", "rocpd_string", "string"), r.join("c", "rocpd_string", on)
}

func (r *rocpdRun) dispatches() {
	const table, symbols = "rocpd_kernel_dispatch", "rocpd_info_kernel_symbol"
	if !r.has(table) {
		return
	}
	common, joins, at := r.of(table)
	columns := []string{common, `x.dispatch_id`, `coalesce(` + r.column("k", symbols, "display_name") + `, ` + r.column("k", symbols, "kernel_name") + `)`}
	for _, name := range []string{"agent_id", "queue_id", "stream_id"} {
		columns = append(columns, r.placed(at, table, name))
	}
	for _, name := range []string{"grid_size_x", "grid_size_y", "grid_size_z", "workgroup_size_x", "workgroup_size_y", "workgroup_size_z", "group_segment_size", "private_segment_size"} {
		columns = append(columns, r.column("x", table, name))
	}
	for _, name := range []string{"arch_vgpr_count", "accum_vgpr_count", "sgpr_count"} {
		columns = append(columns, r.column("k", symbols, name))
	}
	r.query(r.table(table), `SELECT `+strings.Join(columns, ", ")+` FROM `+r.table(table)+` x`+joins+r.join("k", symbols, r.column("x", table, "kernel_id"))+` ORDER BY `+r.column("x", table, "id"),
		dispatchTakes, func(st *sqlite.Stmt) {
			r.s.Dispatches = append(r.s.Dispatches, Dispatch{Process: r.process, Start: unsigned(st, 0), End: unsigned(st, 1), PID: unsigned(st, 2), TID: unsigned(st, 3), Correlation: unsigned(st, 4),
				ID: unsigned(st, 5), Kernel: r.names.of(st.ColumnText(6)), Agent: unsigned(st, 7), Queue: unsigned(st, 8), Stream: unsigned(st, 9),
				Grid: [3]uint64{unsigned(st, 10), unsigned(st, 11), unsigned(st, 12)}, Group: [3]uint64{unsigned(st, 13), unsigned(st, 14), unsigned(st, 15)},
				LDS: orNone(st, 16), Scratch: orNone(st, 17), VGPRs: orNone(st, 18), AGPRs: orNone(st, 19), SGPRs: orNone(st, 20)})
		})
}

// maxArguments bounds the text of the arguments of a call, in bytes.
const maxArguments = 64 << 10

// arguments are those of each event: "name=value, name=value".
func (r *rocpdRun) arguments() map[int64]string {
	out := map[int64]string{}
	if !r.has("rocpd_arg") {
		return out
	}
	var b strings.Builder
	last := int64(-1)
	flush := func() {
		if b.Len() > 0 {
			out[last] = b.String()
			b.Reset()
		}
	}
	r.query(r.table("rocpd_arg"), `SELECT event_id, name, value FROM `+r.table("rocpd_arg")+` ORDER BY event_id, position`, counterTakes, func(st *sqlite.Stmt) {
		if id := st.ColumnInt64(0); id != last {
			flush()
			last = id
		}
		if b.Len() < maxArguments {
			if b.Len() > 0 {
				b.WriteString(", ")
			}
			b.WriteString(st.ColumnText(1) + "=" + st.ColumnText(2))
		}
	})
	flush()
	return out
}

// message is the text of a marker, which stands with its event.
func message(extdata string) string {
	var m struct {
		Message string `json:"message"`
	}
	if !strings.Contains(extdata, `"message"`) || json.Unmarshal([]byte(extdata), &m) != nil {
		return ""
	}
	return m.Message
}

// regions reads calls and ranges. The name of a range is that of the function that
// began it; ROCTx begins those that nest in a thread with a push, and those that
// may end in another thread with a start.
func (r *rocpdRun) regions(arguments map[int64]string) {
	if !r.has("rocpd_region") {
		return
	}
	common, joins, _ := r.of("rocpd_region")
	category, join := r.category()
	r.query(r.table("rocpd_region"), `SELECT `+common+`, `+r.column("n", "rocpd_string", "string")+`, `+category+`, `+r.column("e", "rocpd_event", "extdata")+`, `+r.column("e", "rocpd_event", "id")+` FROM `+r.table("rocpd_region")+` x`+joins+
		r.join("n", "rocpd_string", r.column("x", "rocpd_region", "name_id"))+join+` ORDER BY `+r.column("x", "rocpd_region", "id"), callTakes, func(st *sqlite.Stmt) {
		c := Call{Process: r.process, Start: unsigned(st, 0), End: unsigned(st, 1), PID: unsigned(st, 2), TID: unsigned(st, 3), Correlation: unsigned(st, 4),
			Name: r.names.of(st.ColumnText(5)), Domain: r.names.of(st.ColumnText(6)), Args: arguments[st.ColumnInt64(8)]}
		text := r.names.of(message(st.ColumnText(7)))
		if text == "" {
			text = c.Name
		}
		r.s.addCall(c, text, strings.Contains(c.Name, "ProcessRange") || strings.Contains(c.Name, "RangeStart"))
	})
}

// samples reads points in time: marks of ROCTx, and what else has no length.
func (r *rocpdRun) samples() {
	if !r.has("rocpd_sample") || !r.has("rocpd_track") {
		return
	}
	when, join := `x.timestamp`, ``
	if r.timestamps {
		when, join = r.column("t0", "rocpd_timestamp", "value"), r.join("t0", "rocpd_timestamp", "x.timestamp_id")
	}
	category, more := r.category()
	r.query(r.table("rocpd_sample"), `SELECT `+when+`, `+r.thread()+`, `+r.stack()+`, `+r.column("n", "rocpd_string", "string")+`, `+category+`, `+r.column("e", "rocpd_event", "extdata")+` FROM `+r.table("rocpd_sample")+` x`+join+
		r.join("tr", "rocpd_track", r.column("x", "rocpd_sample", "track_id"))+r.threadAndEvent("rocpd_sample", "tr")+r.join("n", "rocpd_string", r.column("tr", "rocpd_track", "name_id"))+more+` ORDER BY x.id`,
		callTakes, func(st *sqlite.Stmt) {
			at, text := unsigned(st, 0), r.names.of(message(st.ColumnText(6)))
			if text == "" {
				text = r.names.of(st.ColumnText(4))
			}
			r.s.Ranges = append(r.s.Ranges, Range{Process: r.process, Domain: r.names.of(st.ColumnText(5)), Text: text, PID: unsigned(st, 1), TID: unsigned(st, 2),
				Correlation: unsigned(st, 3), Start: at, End: at, Mark: true})
		})
}

func (r *rocpdRun) copies() {
	const table = "rocpd_memory_copy"
	if !r.has(table) {
		return
	}
	common, joins, at := r.of(table)
	r.query(r.table(table), `SELECT `+common+`, `+r.column("n", "rocpd_string", "string")+`, `+r.column("x", table, "src_agent_id")+`, `+r.column("x", table, "dst_agent_id")+`, `+r.column("x", table, "size")+`, `+
		r.placed(at, table, "queue_id")+`, `+r.placed(at, table, "stream_id")+` FROM `+r.table(table)+` x`+joins+r.join("n", "rocpd_string", r.column("x", table, "name_id"))+` ORDER BY `+r.column("x", table, "id"), copyTakes, func(st *sqlite.Stmt) {
		r.s.Copies = append(r.s.Copies, Copy{Process: r.process, Start: unsigned(st, 0), End: unsigned(st, 1), PID: unsigned(st, 2), Correlation: unsigned(st, 4), Direction: r.names.of(st.ColumnText(5)),
			From: unsigned(st, 6), To: unsigned(st, 7), Bytes: orNone(st, 8), Queue: unsigned(st, 9), Stream: unsigned(st, 10)})
	})
}

func (r *rocpdRun) allocations() {
	const table = "rocpd_memory_allocate"
	if !r.has(table) {
		return
	}
	common, joins, at := r.of(table)
	r.query(r.table(table), `SELECT `+common+`, x.type, `+r.column("x", table, "level")+`, `+r.placed(at, table, "agent_id")+`, `+r.column("x", table, "size")+`, `+r.column("x", table, "address")+` FROM `+r.table(table)+` x`+joins+` ORDER BY `+r.column("x", table, "id"),
		callTakes, func(st *sqlite.Stmt) {
			r.s.Allocations = append(r.s.Allocations, Allocation{Process: r.process, Start: unsigned(st, 0), End: unsigned(st, 1), PID: unsigned(st, 2), TID: unsigned(st, 3), Correlation: unsigned(st, 4),
				Operation: r.names.of(st.ColumnText(5)), Level: r.names.of(st.ColumnText(6)), Agent: unsigned(st, 7), HasAgent: st.ColumnType(7) != sqlite.TypeNull,
				Bytes: orNone(st, 8), Address: unsigned(st, 9)})
		})
}

// counters reads a row for each instance of a counter; values of one dispatch and
// counter add up. What belongs to no dispatch is a monitor.
func (r *rocpdRun) counters() {
	if !r.has("rocpd_pmc_event") || !r.has("rocpd_kernel_dispatch") {
		return
	}
	if !r.has("rocpd_info_pmc") {
		r.query(r.table("rocpd_pmc_event"), `SELECT 1 FROM `+r.table("rocpd_pmc_event")+` LIMIT 1`, 0, func(*sqlite.Stmt) { r.lack("rocpd_info_pmc") })
		return
	}
	r.query(r.table("rocpd_pmc_event"), `SELECT x.dispatch_id, i.name, v.value FROM `+r.table("rocpd_pmc_event")+` v JOIN `+r.one("rocpd_info_pmc")+` i ON i.id = v.pmc_id
		JOIN `+r.database.one("rocpd_kernel_dispatch"+r.suffix, "event_id")+` x ON x.event_id = v.event_id ORDER BY v.id`, counterTakes, func(st *sqlite.Stmt) {
		r.s.Counters = append(r.s.Counters, Counter{Dispatch: unsigned(st, 0), Name: r.names.of(st.ColumnText(1)), Value: st.ColumnFloat(2), Process: r.process})
	})
	r.watched()
}

// watched reads values that belong to a point in time, as rocprof-sys takes them of
// CPUs and of GPUs.
func (r *rocpdRun) watched() {
	if !r.has("rocpd_sample") || !r.has("rocpd_track") {
		return
	}
	when, join := `x.timestamp`, ``
	if r.timestamps {
		when, join = r.column("t0", "rocpd_timestamp", "value"), r.join("t0", "rocpd_timestamp", "x.timestamp_id")
	}
	r.query(r.table("rocpd_pmc_event"), `SELECT `+when+`, coalesce(i.target_arch, ''), coalesce(i.agent_id, 0), i.name, v.value FROM `+r.table("rocpd_pmc_event")+` v JOIN `+r.one("rocpd_info_pmc")+
		` i ON i.id = v.pmc_id JOIN `+r.database.one("rocpd_sample"+r.suffix, "event_id")+` x ON x.event_id = v.event_id`+join+` ORDER BY v.id`, counterTakes, func(st *sqlite.Stmt) {
		r.s.Monitors = append(r.s.Monitors, Monitor{Process: r.process, Start: unsigned(st, 0), Device: r.names.of(st.ColumnText(1)), ID: unsigned(st, 2),
			Name: r.names.of(st.ColumnText(3)), Value: st.ColumnFloat(4)})
	})
}
