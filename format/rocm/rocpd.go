package rocm

import (
	"slices"

	"zombiezen.com/go/sqlite"
)

// readRocpd reads a database of rocprofv3, which may hold several runs, each in
// tables with the id of the run at the end of their names.
func (d *database) readRocpd() {
	runs := d.with("rocpd_kernel_dispatch")
	slices.Sort(runs)
	for _, run := range runs {
		d.rocpdRun(run)
	}
}

// rocpdRun reads one run. In version 3 of the schema times stand in a table of
// their own and threads, agents and queues with the track; before, with the row.
func (d *database) rocpdRun(run string) {
	s, names := d.s, interner{}
	table := func(name string) string { return quote(name + run) }
	one := func(name string) string { return d.one(name+run, "id") }
	d.query(table("rocpd_info_agent"), `SELECT id, type, coalesce(type_index, -1), coalesce(name, ''), coalesce(product_name, '') FROM `+table("rocpd_info_agent"), symbolTakes, func(st *sqlite.Stmt) {
		s.Agents = append(s.Agents, Agent{ID: unsigned(st, 0), GPU: st.ColumnText(1) == "GPU", Index: st.ColumnInt(2), Name: st.ColumnText(3), Product: st.ColumnText(4)})
	})
	v3 := d.tables["rocpd_timestamp"+run]
	times, joins := `x.start, x."end"`, ``
	if v3 {
		times = `t0.value, t1.value`
		joins = ` LEFT JOIN ` + one("rocpd_timestamp") + ` t0 ON t0.id = x.start_id LEFT JOIN ` + one("rocpd_timestamp") + ` t1 ON t1.id = x.end_id LEFT JOIN ` +
			one("rocpd_track") + ` tr ON tr.id = x.track_id`
	}
	at := "x"
	if v3 {
		at = "tr"
	}
	joins += ` LEFT JOIN ` + one("rocpd_info_process") + ` p ON p.id = ` + at + `.pid LEFT JOIN ` + one("rocpd_info_thread") + ` th ON th.id = ` + at + `.tid` +
		` LEFT JOIN ` + one("rocpd_event") + ` e ON e.id = x.event_id`
	common := times + `, p.pid, th.tid, e.correlation_id`
	d.query(table("rocpd_kernel_dispatch"), `SELECT `+common+`, x.dispatch_id, coalesce(k.display_name, k.kernel_name), `+at+`.agent_id, `+at+`.queue_id, `+at+`.stream_id,
		x.grid_size_x, x.grid_size_y, x.grid_size_z, x.workgroup_size_x, x.workgroup_size_y, x.workgroup_size_z, x.group_segment_size, x.private_segment_size,
		k.arch_vgpr_count, k.accum_vgpr_count, k.sgpr_count FROM `+table("rocpd_kernel_dispatch")+` x`+joins+` LEFT JOIN `+one("rocpd_info_kernel_symbol")+` k ON k.id = x.kernel_id ORDER BY x.id`,
		dispatchTakes, func(st *sqlite.Stmt) {
			s.Dispatches = append(s.Dispatches, Dispatch{Start: unsigned(st, 0), End: unsigned(st, 1), PID: unsigned(st, 2), TID: unsigned(st, 3), Correlation: unsigned(st, 4),
				ID: unsigned(st, 5), Kernel: names.of(st.ColumnText(6)), Agent: unsigned(st, 7), Queue: unsigned(st, 8), Stream: unsigned(st, 9),
				Grid: [3]uint64{unsigned(st, 10), unsigned(st, 11), unsigned(st, 12)}, Group: [3]uint64{unsigned(st, 13), unsigned(st, 14), unsigned(st, 15)},
				LDS: orNone(st, 16), Scratch: orNone(st, 17), VGPRs: orNone(st, 18), AGPRs: orNone(st, 19), SGPRs: orNone(st, 20)})
		})
	if d.tables["rocpd_region"+run] {
		d.query(table("rocpd_region"), `SELECT `+common+`, n.string, c.string FROM `+table("rocpd_region")+` x`+joins+
			` LEFT JOIN `+one("rocpd_string")+` n ON n.id = x.name_id LEFT JOIN `+one("rocpd_string")+` c ON c.id = e.category_id ORDER BY x.id`, callTakes, func(st *sqlite.Stmt) {
			s.Calls = append(s.Calls, Call{Start: unsigned(st, 0), End: unsigned(st, 1), PID: unsigned(st, 2), TID: unsigned(st, 3), Correlation: unsigned(st, 4),
				Name: names.of(st.ColumnText(5)), Domain: names.of(st.ColumnText(6))})
		})
	}
	if d.tables["rocpd_memory_copy"+run] {
		d.query(table("rocpd_memory_copy"), `SELECT `+common+`, n.string, x.src_agent_id, x.dst_agent_id, x.size FROM `+table("rocpd_memory_copy")+` x`+joins+
			` LEFT JOIN `+one("rocpd_string")+` n ON n.id = x.name_id ORDER BY x.id`, copyTakes, func(st *sqlite.Stmt) {
			s.Copies = append(s.Copies, Copy{Start: unsigned(st, 0), End: unsigned(st, 1), Correlation: unsigned(st, 4), Direction: names.of(st.ColumnText(5)),
				From: unsigned(st, 6), To: unsigned(st, 7), Bytes: orNone(st, 8)})
		})
	}
	if d.tables["rocpd_pmc_event"+run] && d.tables["rocpd_info_pmc"+run] {
		d.query(table("rocpd_pmc_event"), `SELECT x.dispatch_id, i.name, v.value FROM `+table("rocpd_pmc_event")+` v JOIN `+one("rocpd_info_pmc")+` i ON i.id = v.pmc_id
			JOIN `+d.one("rocpd_kernel_dispatch"+run, "event_id")+` x ON x.event_id = v.event_id ORDER BY v.id`, counterTakes, func(st *sqlite.Stmt) {
			s.Counters = append(s.Counters, Counter{Dispatch: unsigned(st, 0), Name: names.of(st.ColumnText(1)), Value: st.ColumnFloat(2)})
		})
	}
}
