package rocm

import (
	"strings"

	"zombiezen.com/go/sqlite"
)

// readRPD reads a database of rocmProfileData: operations of the GPU, each tied
// to the call that caused it.
func (d *database) readRPD() {
	s, names := d.s, interner{}
	join := func(has string, yes, no string) string {
		if d.tables[has] {
			return yes
		}
		return no
	}
	texts := d.one("rocpd_string", "id")
	columns := join("rocpd_kernelapi", `k.gridX, k.gridY, k.gridZ, k.workgroupX, k.workgroupY, k.workgroupZ, k.groupSegmentSize, k.privateSegmentSize, ks.string, k.stream`,
		`NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`)
	copies := join("rocpd_copyapi", `c.size, c.srcDevice, c.dstDevice`, `NULL, NULL, NULL`)
	caller := join("rocpd_api_ops", `ao.api_id, `+join("rocpd_api", `a.pid, a.tid`, `0, 0`), `0, 0, 0`)
	sql := `SELECT o.id, o.gpuId, o.queueId, o.start, o."end", ds.string, ts.string, ` + caller + `, ` + columns + `, ` + copies + ` FROM rocpd_op o
		LEFT JOIN ` + texts + ` ds ON ds.id = o.description_id LEFT JOIN ` + texts + ` ts ON ts.id = o.opType_id` +
		join("rocpd_api_ops", ` LEFT JOIN (SELECT op_id, min(api_id) AS api_id FROM rocpd_api_ops GROUP BY op_id) ao ON ao.op_id = o.id`+
			join("rocpd_api", ` LEFT JOIN `+d.one("rocpd_api", "id")+` a ON a.id = ao.api_id`, ``), ``)
	if d.tables["rocpd_api_ops"] {
		sql += join("rocpd_kernelapi", ` LEFT JOIN `+d.one("rocpd_kernelapi", "api_ptr_id")+` k ON k.api_ptr_id = ao.api_id LEFT JOIN `+texts+` ks ON ks.id = k.kernelName_id`, ``) +
			join("rocpd_copyapi", ` LEFT JOIN `+d.one("rocpd_copyapi", "api_ptr_id")+` c ON c.api_ptr_id = ao.api_id`, ``)
	}
	gpus := map[uint64]bool{}
	d.query("rocpd_op", sql+" ORDER BY o.id", dispatchTakes, func(st *sqlite.Stmt) {
		kind, what := names.of(st.ColumnText(6)), names.of(st.ColumnText(5))
		gpu := unsigned(st, 1)
		if !gpus[gpu] {
			gpus[gpu] = true
			s.Agents = append(s.Agents, Agent{ID: gpu, Index: int(gpu), GPU: true})
		}
		if kind != "KernelExecution" && (strings.HasPrefix(kind, "Copy") || strings.HasPrefix(kind, "Fill")) {
			s.Copies = append(s.Copies, Copy{Direction: kind, Bytes: orNone(st, 20), From: unsigned(st, 21), To: unsigned(st, 22),
				Correlation: unsigned(st, 7), Start: unsigned(st, 3), End: unsigned(st, 4)})
			return
		}
		if what == "" {
			what = names.of(st.ColumnText(18))
		}
		if what == "" {
			what = kind
		}
		s.Dispatches = append(s.Dispatches, Dispatch{ID: unsigned(st, 0), Kernel: what, Agent: gpu, Queue: unsigned(st, 2), PID: unsigned(st, 8), TID: unsigned(st, 9),
			Correlation: unsigned(st, 7), Start: unsigned(st, 3), End: unsigned(st, 4), Stream: streamOf(st.ColumnText(19)),
			Grid: [3]uint64{unsigned(st, 10), unsigned(st, 11), unsigned(st, 12)}, Group: [3]uint64{unsigned(st, 13), unsigned(st, 14), unsigned(st, 15)},
			LDS: orNone(st, 16), Scratch: orNone(st, 17), VGPRs: -1, AGPRs: -1, SGPRs: -1})
	})
	if d.tables["rocpd_monitor"] {
		d.readMonitors(names)
	}
	if !d.tables["rocpd_api"] {
		return
	}
	d.query("rocpd_api", `SELECT a.id, a.pid, a.tid, a.start, a."end", n.string, g.string FROM rocpd_api a
		LEFT JOIN `+texts+` n ON n.id = a.apiName_id LEFT JOIN `+texts+` g ON g.id = a.args_id ORDER BY a.id`, callTakes, func(st *sqlite.Stmt) {
		s.Calls = append(s.Calls, Call{Name: names.of(st.ColumnText(5)), Args: names.of(st.ColumnText(6)), Correlation: unsigned(st, 0),
			PID: unsigned(st, 1), TID: unsigned(st, 2), Start: unsigned(st, 3), End: unsigned(st, 4)})
	})
}

// readMonitors reads what was watched over time. Values are numbers or, in older
// databases, numbers as text.
func (d *database) readMonitors(names interner) {
	d.query("rocpd_monitor", `SELECT deviceType, deviceId, monitorType, start, "end", value FROM rocpd_monitor ORDER BY id`, copyTakes, func(st *sqlite.Stmt) {
		d.s.Monitors = append(d.s.Monitors, Monitor{Device: names.of(st.ColumnText(0)), ID: unsigned(st, 1), Name: names.of(st.ColumnText(2)),
			Start: unsigned(st, 3), End: unsigned(st, 4), Value: st.ColumnFloat(5)})
	})
}

// streamOf reads a stream's address such as "0x7f00".
func streamOf(s string) uint64 {
	var v uint64
	s, ok := strings.CutPrefix(s, "0x")
	for i := 0; ok && i < len(s) && i < 16; i++ {
		n := strings.IndexByte("0123456789abcdef", s[i]|0x20)
		if n < 0 {
			return v
		}
		v = v<<4 | uint64(n)
	}
	return v
}
