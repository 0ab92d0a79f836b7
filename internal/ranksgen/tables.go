package ranksgen

import (
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysdb"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// A report is a source of tables in memory.
type report struct {
	tables []*table
	texts  map[string]int64 // of StringIds
}

// A table has columns of integers or texts; a cell may be nil.
type table struct {
	name string
	cols []string
	text []bool
	rows [][]any
}

func (p *report) add(name string, cols ...string) *table {
	t := &table{name: name, cols: cols, text: make([]bool, len(cols))}
	p.tables = append(p.tables, t)
	return t
}

func (t *table) row(cells ...any) {
	for i, c := range cells {
		if _, ok := c.(string); ok {
			t.text[i] = true
		}
	}
	t.rows = append(t.rows, cells)
}

func (p *report) id(text string) int64 {
	if _, ok := p.texts[text]; !ok {
		p.texts[text] = int64(len(p.texts) + 1)
	}
	return p.texts[text]
}

// Tables lists the tables.
func (p *report) Tables() (out []trace.TableInfo) {
	for _, t := range p.tables {
		info := trace.TableInfo{Name: t.name}
		for i, c := range t.cols {
			k := trace.Integers
			if t.text[i] {
				k = trace.Texts
			}
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: c, Kind: k})
		}
		out = append(out, info)
	}
	return out
}

// Read reads columns of a table.
func (p *report) Read(_ context.Context, name string, columns []trace.ColumnInfo, s *trace.Strings) (*trace.Table, []error, error) {
	i := slices.IndexFunc(p.tables, func(t *table) bool { return t.name == name })
	from := p.tables[i]
	out := &trace.Table{Name: name, Rows: len(from.rows)}
	for _, ci := range columns {
		c := &trace.Column{Name: ci.Name, Kind: ci.Kind}
		at := slices.Index(from.cols, ci.Name)
		for k, row := range from.rows {
			switch {
			case at < 0:
				c.Ints = append(c.Ints, int64(k+1)) // rowid
				continue
			case row[at] == nil:
				if c.Null == nil {
					c.Null = make([]bool, len(from.rows))
				}
				c.Null[k] = true
			}
			if v, _ := row[at].(int64); ci.Kind == trace.Integers {
				c.Ints = append(c.Ints, v)
			} else {
				text, _ := row[at].(string)
				c.Syms = append(c.Syms, s.Intern(text))
			}
		}
		out.Columns = append(out.Columns, c)
	}
	return out, nil, nil
}

// Traces are the reports as timelines.
func (run *Run) Traces() (out []*trace.Trace) {
	for _, ranks := range run.files() {
		out = append(out, trace.New(run.File(ranks[0]), run.report(ranks)))
	}
	return out
}

// Write writes the reports into a folder, as Nsight Systems exports them.
func (run *Run) Write(dir string) error {
	for _, ranks := range run.files() {
		p := run.report(ranks)
		err := nsysdb.WriteFile(filepath.Join(dir, run.File(ranks[0])), 4096, func(w *nsysdb.Writer) error { return p.write(w) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (run *Run) files() (out [][]int) {
	for r := range run.Ranks {
		switch {
		case r == run.Missing:
		case run.OneFile && len(out) > 0:
			out[0] = append(out[0], r)
		default:
			out = append(out, []int{r})
		}
	}
	return out
}

func (p *report) write(w *nsysdb.Writer) error {
	for _, t := range p.tables {
		def := schema.Lookup(t.name)
		if def == nil {
			return fmt.Errorf("table %s is not in the catalogue", t.name)
		}
		to, err := w.Table(def.Create(schema.Newest))
		if err != nil {
			return err
		}
		var vs []nsysdb.Vector
		for _, c := range to.Columns() {
			at := slices.Index(t.cols, c.Name)
			null, ints, texts := make([]bool, len(t.rows)), make([]int64, len(t.rows)), make([]string, len(t.rows))
			for k, row := range t.rows {
				if at < 0 || row[at] == nil {
					null[k] = true
					continue
				}
				ints[k], _ = row[at].(int64)
				texts[k], _ = row[at].(string)
			}
			if at >= 0 && t.text[at] {
				vs = append(vs, nsysdb.Texts(texts, null))
			} else {
				vs = append(vs, nsysdb.Integers(ints, null))
			}
		}
		if err := to.Append(len(t.rows), vs); err != nil {
			return err
		}
	}
	return nil
}

// report writes down what one file has.
func (run *Run) report(ranks []int) *report {
	p := &report{texts: map[string]int64{}}
	c := &run.Clocks[ranks[0]]
	p.add("TARGET_INFO_SYSTEM_ENV", "globalVid", "devStateName", "name", "nameEnum", "value").row(int64(0), "", "Hostname", int64(0), fmt.Sprintf("node%02d", c.Host))
	p.add("TARGET_INFO_SESSION_START_TIME", "utcEpochNs", "systemClockNs").row(c.UTC, c.Boot)
	if !run.OneFile {
		env := p.add("META_DATA_CAPTURE", "name", "value")
		for _, v := range []string{"SECRET_TOKEN=do not show", "RANK=" + strconv.Itoa(ranks[0]), "WORLD_SIZE=" + strconv.Itoa(run.Ranks)} {
			env.row("PROCESS_0:ENVIRONMENT_VARIABLE", v)
		}
	}
	processes := p.add("PROCESSES", "globalPid", "pid", "name")
	kernels := p.add(trace.TableKernel, "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "demangledName", "shortName", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ")
	copies := p.add(trace.TableMemcpy, "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes", "copyKind")
	calls := p.add(trace.TableRuntime, "start", "end", "eventClass", "globalTid", "correlationId", "nameId", "returnValue")
	var nvtx *table
	if run.Names {
		nvtx = p.add(trace.TableNvtx, "start", "end", "eventType", "text", "globalTid", "textId", "domainId", "binaryData")
		nvtx.text[7] = true
		p.schemas()
	}
	for _, r := range ranks {
		pid, tid := trace.MakeGlobalID(0, 1, int64(1000+r), 0), trace.MakeGlobalID(0, 1, int64(1000+r), int64(1000+r))
		processes.row(int64(pid), pid.PID(), "python3")
		run.work(p, r, int64(pid), int64(tid), kernels, copies, calls)
		if nvtx != nil {
			run.marks(p, r, int64(tid), nvtx)
		}
	}
	names := p.add("StringIds", "id", "value")
	sorted := make([]string, len(p.texts))
	for text, id := range p.texts {
		sorted[id-1] = text
	}
	for i, text := range sorted {
		names.row(int64(i+1), text)
	}
	return p
}

// records reports whether a step of a rank is in its report.
func (run *Run) records(rank, step int) bool {
	return !(rank == run.Late && step < 1 || rank == run.Short && step == run.Steps-1)
}

func (run *Run) work(p *report, r int, pid, tid int64, kernels, copies, calls *table) {
	c, device := &run.Clocks[r], int64(r%run.PerHost)
	for i, e := range run.events[r] {
		if !run.records(r, e.step) {
			continue
		}
		corr := int64(i + 1)
		start, end := c.Local(e.start), c.Local(e.end)
		if e.name != "" {
			name := p.id(e.name)
			grid := int64(528)
			if e.group != 0 {
				grid = 24
			}
			kernels.row(start, end, device, int64(1), e.stream, corr, pid, name, name, grid, int64(1), int64(1), int64(256), int64(1), int64(1))
		} else {
			copies.row(start, end, device, int64(1), e.stream, corr, pid, e.bytes, e.copyKind)
		}
		calls.row(c.host(e.launch), c.host(e.launch+3000), int64(0), tid, corr, p.id("cudaLaunchKernel_v7000"), int64(0))
	}
}

func (run *Run) marks(p *report, r int, tid int64, nvtx *table) {
	c := &run.Clocks[r]
	nvtx.row(int64(0), nil, int64(trace.NvtxDomainCreate), "NCCL", tid, nil, int64(1), nil)
	opened := map[uint64]bool{}
	groups := run.Groups()
	at := c.host(c.Start + 1e5)
	for _, e := range run.events[r] {
		if e.group != 0 && !opened[e.group] && r != run.Late {
			opened[e.group] = true
			var data any
			if run.Payloads {
				data = payload(16777227, le64(e.group), le32(len(groups[e.group])), le32(slices.Index(groups[e.group], int64(r))), le32(r%run.PerHost), le32(0))
			}
			nvtx.row(at, at+20_000, int64(trace.NvtxPushPop), nil, tid, p.id("ncclCommInitRankConfig"), int64(1), data)
			at += 30_000
		}
	}
	for _, e := range run.events[r] {
		if e.group == 0 || !run.records(r, e.step) {
			continue
		}
		var data any
		if run.Payloads {
			data = payload(e.schema, le64(e.group), le64(uint64(e.bytes)), "")
		}
		nvtx.row(c.host(e.launch-500), c.host(e.launch+3500), int64(trace.NvtxPushPop), nil, tid, p.id(e.call), int64(1), data)
	}
	first := 0
	if r == run.Late {
		first = 1 // it counts its steps from 0, as programs do
	}
	for _, m := range run.ranges[r] {
		if run.records(r, m.step) {
			nvtx.row(c.host(m.start), c.host(m.end), int64(trace.NvtxPushPop), "step "+strconv.Itoa(m.step-first), tid, nil, int64(0), nil)
		}
	}
}

// schemas lays out the payloads of NCCL.
func (p *report) schemas() {
	s := p.add("NVTX_PAYLOAD_SCHEMAS", "domainId", "schemaId", "payloadSize")
	e := p.add("NVTX_PAYLOAD_SCHEMA_ENTRIES", "domainId", "schemaId", "idx", "type", "name", "offset")
	for _, id := range []int64{16777220, 16777221, 16777223} {
		s.row(int64(1), id, int64(16))
		e.row(int64(1), id, int64(0), int64(18), "NCCL communicator ID", nil)
		e.row(int64(1), id, int64(1), int64(22), "Message size [bytes]", int64(8))
	}
	s.row(int64(1), int64(16777227), int64(24))
	for i, f := range []struct {
		name string
		typ  int64
	}{{"NCCL communicator ID", 18}, {"No. of ranks", 5}, {"Rank", 5}, {"CUDA device", 5}} {
		e.row(int64(1), int64(16777227), int64(i), f.typ, f.name, nil)
	}
}

func le64(v uint64) string { return string(binary.LittleEndian.AppendUint64(nil, v)) }
func le32(v int) string    { return string(binary.LittleEndian.AppendUint32(nil, uint32(v))) }

// payload puts the header before a payload that binaryData has.
func payload(id int64, members ...string) string {
	body := strings.Join(members, "")
	return le64(1) + le64(uint64(id)) + le64(uint64(len(body))) + le64(32) + body
}
