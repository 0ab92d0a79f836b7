package trace

import "context"

// TableSync is the table of waits for a GPU.
const TableSync = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"

// AllStreams is the number of the stream of waits for all streams of a context.
const AllStreams = 1<<32 - 1

// ContextDevices tells on which device the contexts of processes are: by what the file says of
// contexts, else by their kernels, copies and sets. Rows of [TableSync] need it: of
// theirs the profiler says device 0 whatever the context. Where nothing is known, or
// contexts of one number are on several devices, of answers what the row says.
func (t *Trace) ContextDevices(ctx context.Context) (of func(process GlobalID, context, device int64) int64, err error) {
	type key struct{ pid, context int64 }
	const several = -1
	known := map[key]int64{}
	add := func(k key, device int64) {
		if was, ok := known[k]; ok && was != device {
			device = several
		}
		known[k] = device
	}
	info, err := t.Table(ctx, "TARGET_INFO_CUDA_CONTEXT_INFO", "processId", "contextId", "deviceId")
	if err != nil {
		return nil, err
	}
	if info != nil && info.Rows > 0 && info.Col("processId") != nil && info.Col("contextId") != nil && info.Col("deviceId") != nil {
		pid, cx, dev := info.Ints("processId"), info.Ints("contextId"), info.Ints("deviceId")
		for i := range pid {
			add(key{pid[i], cx[i]}, dev[i])
		}
	} else {
		for _, table := range []string{TableKernel, TableMemcpy, TableMemset} {
			last := [3]int64{-1, -1, -1}
			if err := t.ScanColumns(ctx, table, []string{"globalPid", "contextId", "deviceId"}, func(p *Table) error {
				pid, cx, dev := p.Ints("globalPid"), p.Ints("contextId"), p.Ints("deviceId")
				for i := range pid {
					if row := [3]int64{pid[i], cx[i], dev[i]}; row != last {
						last = row
						add(key{GlobalID(pid[i]).PID(), cx[i]}, dev[i])
					}
				}
				return ctx.Err()
			}); err != nil {
				return nil, err
			}
		}
	}
	return func(process GlobalID, context, device int64) int64 {
		if d, ok := known[key{process.PID(), context}]; ok && d != several {
			return d
		}
		return device
	}, nil
}
