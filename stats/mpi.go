package stats

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

var mpiTables = []string{"MPI_COLLECTIVES_EVENTS", "MPI_P2P_EVENTS", "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS"}

var mpiEventTrace = &Report{
	Name: "mpi_event_trace", Old: []string{"mpieventtrace"}, Title: "MPI Event Trace",
	Short: "every call of MPI; the rank is empty where the trace does not tell it",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		ranks := map[int64]int64{}
		if t, err := q.Trace.Table(ctx, "MPI_RANKS", "globalTid", "rank"); err != nil {
			return nil, err
		} else if t != nil {
			rank := t.Ints("rank")
			for i, g := range t.Ints("globalTid") {
				ranks[int64(trace.GlobalID(g).Process())] = rank[i]
			}
		}
		out := table(nanoseconds("Start"), nanoseconds("End"), nanoseconds("Duration"), text("Event"), count("Pid"), count("Tid"), count("Tag"),
			count("Rank"), count("PeerRank"), count("RootRank"), bytes("Size"), bytes("CollSendSize"), bytes("CollRecvSize"))
		type event struct {
			start int64
			row   []view.Value
		}
		var all []event
		for _, name := range mpiTables {
			t, err := q.table(ctx, "calls of MPI", name, "start", "end", "globalTid", "textId", "tag", "remoteRank", "rootRank", "size", "recvSize")
			if _, skip := err.(*Skip); skip {
				continue
			}
			if err != nil {
				return nil, err
			}
			start, end, tid, id := t.Ints("start"), t.Ints("end"), t.Ints("globalTid"), t.Ints("textId")
			tag, peer, root := cells(t, "tag", ""), cells(t, "remoteRank", ""), cells(t, "rootRank", "")
			size, recv, none := cells(t, "size", octet), cells(t, "recvSize", octet), func(int) view.Value { return view.Null }
			send := none
			if name == "MPI_COLLECTIVES_EVENTS" {
				size, send = none, size
			}
			for i := range start {
				g := trace.GlobalID(tid[i])
				rank := view.Null
				if r, ok := ranks[int64(g.Process())]; ok {
					rank = view.Int(r, "")
				}
				all = append(all, event{start[i], []view.Value{view.Int(start[i], ns), view.Int(end[i], ns), view.Int(interval.Lasts(start[i], end[i]), ns),
					view.String(q.Trace.NameText(id[i])), view.Int(g.PID(), ""), view.Int(g.TID(), ""), tag(i), rank, peer(i), root(i), size(i), send(i), recv(i)}})
			}
		}
		if len(all) == 0 {
			return nil, skipf("the trace has no calls of MPI")
		}
		slices.SortStableFunc(all, func(a, b event) int { return cmp.Compare(a.start, b.start) })
		for _, e := range all {
			out.Rows = append(out.Rows, e.row)
		}
		return out, nil
	},
}
