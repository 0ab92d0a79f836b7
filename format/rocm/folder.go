package rocm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// A File is a file of a folder.
type File struct {
	Name string // path in the folder, with slashes
	Size int64
	Open func() (io.ReaderAt, func() error, error) // the function closes it
}

// namePrefix splits the name of a file of rocprofv3 into the prefix, which stands for
// a process, and what the file holds. Names without one have none: trace.csv.
var namePrefix = regexp.MustCompile(`^(?:(.*)_)?((?:kernel|hip_api|hip|hip_runtime|hip_compile|hip_compiler|hsa_api|hsa|rccl_api|rocdecode_api|rocjpeg_api|marker_api|marker|memory_copy|memory_allocation|scratch_memory|counter_collection|agent_info|pc_sampling_host_trap|pc_sampling_stochastic|results)(?:_trace|_stats)?)\.\w+$`)

// rank orders what tells the same: a database has more than the tables made from
// it, these more than a trace for a viewer.
func rank(k Kind) int {
	switch k {
	case KindRocpd, KindRPD, KindV1:
		return 1
	case KindCSV, KindText:
		return 2
	case KindJSON, KindChrome:
		return 3
	case KindPerfetto:
		return 4
	}
	return 0 // tells something else
}

// OpenFolder reads the files of a folder as one session: those of rocprofv3, one
// process or several, of a workload of rocprof-compute, of a thread trace. Files that
// are no profiles of ROCm are passed over. One that is broken is told, and the rest
// read. ErrUnknown is wrapped where none is left.
func (o Options) OpenFolder(ctx context.Context, files []File, name string) (*Session, error) {
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	m := &merger{out: &Session{Name: name, Kind: KindFolder}, processes: map[string]int{}, has: map[string]int{}}
	m.workloads = workloadFolders(files)
	workload := len(m.workloads) > 0
	if workload {
		m.out.Kind = KindCompute
	}
	for _, f := range files {
		if reason := m.redundant(f, files, workload); reason != "" {
			continue
		}
		s, err := o.openMember(ctx, f)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			m.out.Problems = append(m.out.Problems, problemOf(f, err))
		case s != nil:
			m.members = append(m.members, folderMember{f.Name, s})
		}
	}
	if len(m.members) == 0 {
		found := fmt.Sprintf("a folder with %d files and none of theirs", len(files))
		if len(m.out.Problems) > 0 {
			found = fmt.Sprintf("a folder with %d files and none that is sound; %v", len(files), m.out.Problems[0])
		}
		return nil, &FormatError{File: name, Offset: -1, Want: "files of rocprofv3, rocprof or rocprof-compute", Found: found, Err: ErrUnknown}
	}
	if workload { // whose times are those of pmc_perf, not of the run of another file
		slices.SortStableFunc(m.members, func(a, b folderMember) int { return isMain(b.name) - isMain(a.name) })
	}
	m.merge(workload)
	m.lacking()
	m.out.resolveAgents()
	return m.out, nil
}

// problemOf says in the terms of the folder why a file of it does not open.
func problemOf(f File, err error) *FormatError {
	if e, ok := errors.AsType[*FormatError](err); ok {
		return e
	}
	return &FormatError{File: f.Name, Offset: -1, Want: "a file that can be read", Found: err.Error(), Err: cursor.ErrCorrupt}
}

func isMain(name string) int {
	if strings.HasPrefix(path.Base(name), "pmc_perf") {
		return 1
	}
	return 0
}

// openMember reads a file of a folder; nil if it is none of ROCm.
func (o Options) openMember(ctx context.Context, f File) (*Session, error) {
	in, close, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer close()
	head := make([]byte, min(f.Size, headSize))
	if _, err := in.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	if Sniff(head, f.Name) == "" {
		return nil, promiseBroken(f.Name, head)
	}
	return o.open(ctx, in, f.Size, &Session{Name: f.Name, part: true})
}

// tableName matches the tables of rocprofv3 and rocprof-compute whose names nobody
// gives to another file.
var tableName = regexp.MustCompile(`^(?:.*_)?((?:kernel|hip_api|hip_runtime|hip_compiler?|hsa_api|rccl_api|rocdecode_api|rocjpeg_api|marker_api|memory_copy|memory_allocation|scratch_memory)_(?:trace|stats)|counter_collection|agent_info|pc_sampling_host_trap|pc_sampling_stochastic|pmc_perf)\.csv$`)

// traceName matches the files of a thread trace whose names nobody gives to another file.
var traceName = regexp.MustCompile(`^(?:se\d+_sm\d+_sl\d+_wv\d+|wstates\d+)\.json$`)

// promiseBroken is the error of a file that is no profile though its name says so;
// nil where the name says nothing.
func promiseBroken(name string, head []byte) error {
	base := path.Base(unpackedName(name))
	want := ""
	if m := tableName.FindStringSubmatch(base); m != nil {
		want = "the columns of " + m[1]
	} else if traceName.MatchString(base) {
		want = "the JSON of a thread trace"
	} else {
		return nil
	}
	found := "an empty file"
	if len(head) > 0 {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		found = strconv.Quote(string(line[:min(len(line), 80)]))
	}
	return &FormatError{File: name, Line: 1, Want: want, Found: found, Err: cursor.ErrCorrupt}
}

// workloadFolders are the folders of workloads of rocprof-compute among files, which
// counters in the form that only it writes tell.
func workloadFolders(files []File) []string {
	var out []string
	levels := map[string]bool{}
	for _, f := range files {
		dir, base := path.Dir(f.Name), path.Base(unpackedName(f.Name))
		switch {
		case strings.HasPrefix(base, "pmc_perf"), levels[dir] && base == "sysinfo.csv": // files are in order of names
			if !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		case levelFile.MatchString(base):
			levels[dir] = true
		}
	}
	return out
}

// levelFile matches the counters of a level, which lie beside the others.
var levelFile = regexp.MustCompile(`^SQ_(?:INST_LEVEL_\w+|IFETCH_LEVEL|LEVEL_WAVES)\.csv$`)

// FactsOf is the subject of facts that a folder with several workloads tells about
// that in a folder of it; it is of itself where there is one workload, and no folder.
func FactsOf(of, folder string) string {
	if folder == "" {
		return of
	}
	return of + " of " + folder
}

var passFile = regexp.MustCompile(`^pmc_perf_\d+\.csv$`)

// redundant says why a file is passed over that repeats others; "" for none.
func (m *merger) redundant(f File, files []File, workload bool) string {
	base := path.Base(unpackedName(f.Name))
	if workload && (passFile.MatchString(base) || base == "pmc_dispatch_info.csv" || base == "pmc_kernel_top.csv") {
		for _, o := range files {
			if path.Dir(o.Name) == path.Dir(f.Name) && path.Base(unpackedName(o.Name)) == "pmc_perf.csv" {
				return "pmc_perf.csv has it"
			}
		}
	}
	return ""
}

// lacking tells of workloads without the file of most counters.
func (m *merger) lacking() {
	for _, dir := range m.workloads {
		if !slices.ContainsFunc(m.members, func(x folderMember) bool { return path.Dir(x.name) == dir && isMain(x.name) == 1 }) {
			m.out.Problems = append(m.out.Problems, &FormatError{File: path.Join(dir, "pmc_perf.csv"), Offset: -1, Want: "the counters of the workload", Found: "no such file that opens", Err: cursor.ErrCorrupt})
		}
	}
}

type folderMember struct {
	name string
	s    *Session
}

// A merger makes one session of those of the files of a folder.
type merger struct {
	out       *Session
	members   []folderMember
	processes map[string]int // of the result, by group and name
	has       map[string]int // best rank of what a group has
	dirs      []string       // folder of each process of the result
	workloads []string       // folders of workloads of rocprof-compute
}

// groupOf is what files of one process have in common: the folder, and the prefix
// where there is one. Passes of one run lie in folders pmc_1, pmc_2, …
func groupOf(name string) (dir, prefix string) {
	dir = path.Dir(name)
	if m := namePrefix.FindStringSubmatch(path.Base(unpackedName(name))); m != nil {
		prefix = m[1]
	}
	return dir, prefix
}

var passFolder = regexp.MustCompile(`(?:^|/)(pmc_\d+|pass_\d+)(?:/|$)`)

// passOf splits a folder into that of a pass and what it is without; pass is "" where
// it belongs to none.
func passOf(dir string) (pass, place string) {
	at := passFolder.FindStringSubmatchIndex(dir)
	if at == nil {
		return "", dir
	}
	return dir[:at[3]], dir[:at[2]] + dir[at[3]:]
}

func (m *merger) merge(workload bool) {
	// What repeats what a better file of its process tells is left out.
	for _, x := range m.members {
		if r := rank(x.s.Kind); r > 0 {
			dir, prefix := groupOf(x.name)
			if key := dir + "\x00" + prefix; m.has[key] == 0 || r < m.has[key] {
				m.has[key] = r
			}
		}
	}
	left := 0
	for _, x := range m.members {
		dir, prefix := groupOf(x.name)
		if r := rank(x.s.Kind); r > m.has[dir+"\x00"+prefix] && r > 2 {
			left++
			continue
		}
		m.add(x, workload)
	}
	m.joinDispatches()
	m.name()
	if left > 0 {
		m.out.Facts = append(m.out.Facts, Fact{Of: "folder", Name: "files that repeat others", Value: strconv.Itoa(left)})
	}
}

// process returns the number in the result of process p of a member.
func (m *merger) process(x *folderMember, p int, workload bool) int {
	dir, prefix := groupOf(x.name)
	from := x.s.Processes[p]
	key := dir + "\x00" + prefix
	switch {
	case from.Name != "":
		key = "guid\x00" + from.Name
	case rank(x.s.Kind) == 1 || len(x.s.Processes) > 1:
		key = x.name + "\x00" + strconv.Itoa(p)
	case workload:
		key = dir
	}
	n, ok := m.processes[key]
	if !ok {
		n = len(m.out.Processes)
		m.processes[key] = n
		to := from
		if to.Name == "" {
			to.Name = path.Join(strings.TrimPrefix(dir, "."), prefix)
		}
		m.dirs = append(m.dirs, dir)
		pass, _ := passOf(dir)
		to.Pass = pass != ""
		if to.Host == "" && prefix != "" && dir != "." && dir != pass {
			to.Host = path.Base(dir)
		}
		if to.PID == 0 {
			if pid, err := strconv.ParseUint(prefix, 10, 32); err == nil {
				to.PID = pid
			}
		}
		m.out.Processes = append(m.out.Processes, to)
	}
	return n
}

// add appends the records of a file.
func (m *merger) add(x folderMember, workload bool) {
	s, out := x.s, m.out
	numbers := make([]int, len(s.Processes))
	for p := range numbers {
		numbers[p] = m.process(&x, p, workload)
	}
	base := strings.TrimSuffix(path.Base(unpackedName(x.name)), ".csv")
	file := ""
	if workload && base != "pmc_perf" && !passFile.MatchString(base+".csv") {
		file = base
	}
	for _, a := range s.Agents {
		a.Process = numbers[a.Process]
		if !slices.ContainsFunc(out.Agents, func(o Agent) bool { return o.Process == a.Process && o.ID == a.ID }) {
			out.Agents = append(out.Agents, a)
		}
	}
	for _, d := range s.Dispatches {
		d.Process = numbers[d.Process]
		if file != "" && d.Duration() > 0 {
			out.Counters = append(out.Counters, Counter{Dispatch: d.ID, Name: "duration", Value: d.Duration(), Process: d.Process, File: file})
		}
		out.Dispatches = append(out.Dispatches, d)
	}
	for _, c := range s.Calls {
		c.Process = numbers[c.Process]
		out.Calls = append(out.Calls, c)
	}
	for _, r := range s.Ranges {
		r.Process = numbers[r.Process]
		out.Ranges = append(out.Ranges, r)
	}
	for _, c := range s.Copies {
		c.Process = numbers[c.Process]
		out.Copies = append(out.Copies, c)
	}
	for _, a := range s.Allocations {
		a.Process = numbers[a.Process]
		out.Allocations = append(out.Allocations, a)
	}
	for _, c := range s.Counters {
		c.Process, c.File = numbers[c.Process], file
		out.Counters = append(out.Counters, c)
	}
	for _, v := range s.Monitors {
		v.Process = numbers[v.Process]
		out.Monitors = append(out.Monitors, v)
	}
	for _, v := range s.Samples {
		v.Process = numbers[v.Process]
		out.Samples = append(out.Samples, v)
	}
	out.Totals = append(out.Totals, s.Totals...)
	if len(out.Code) == 0 || s.Kind != KindCSV { // code.json of a dispatch says what its table of statistics does, and more
		out.Code = append(out.Code, s.Code...)
	}
	out.Waves = append(out.Waves, s.Waves...)
	for _, f := range s.Facts {
		if dir := path.Dir(x.name); len(m.workloads) > 1 && slices.Contains(m.workloads, dir) {
			f.Of = FactsOf(f.Of, dir)
		}
		out.Facts = append(out.Facts, f)
	}
	out.Kept = append(out.Kept, s.Kept...)
	out.Problems = append(out.Problems, s.Problems...)
}

// joinDispatches makes one of the dispatches of one process and number that several
// files tell of: the trace, the counters, the passes of a run.
func (m *merger) joinDispatches() {
	m.joinPasses()
	at := map[member]int{}
	rest := m.out.Dispatches[:0]
	unlike, first := 0, ""
	for _, d := range m.out.Dispatches {
		key := member{d.Process, d.ID}
		k, ok := at[key]
		if !ok {
			at[key] = len(rest)
			rest = append(rest, d)
			continue
		}
		if !rest[k].fill(&d) {
			if unlike++; unlike == 1 {
				first = fmt.Sprintf("dispatch %d of %s as %q and as %q", d.ID, m.out.Processes[d.Process].Name, rest[k].Kernel, d.Kernel)
			}
		}
	}
	m.out.Dispatches = rest
	if unlike > 1 {
		first += fmt.Sprintf(" (and %d more like it)", unlike-1)
	}
	if unlike > 0 {
		m.out.Problems = append(m.out.Problems, &FormatError{File: m.out.Name, Offset: -1, Want: "one kernel for each dispatch of a process in all files", Found: first, Err: cursor.ErrCorrupt})
	}
}

// joinPasses gives the processes of further passes of a run the process of the first
// pass that ran the same kernels in the same order on the same host. Processes of one
// pass stay apart: they are ranks.
func (m *merger) joinPasses() {
	kernels := m.kernelsOfPasses()
	to, first := map[int]int{}, ""
	taken := map[string]map[int]bool{} // processes of the first pass that a pass has joined
	for p := range m.out.Processes {
		pass, place := passOf(m.dirs[p])
		if pass == "" || kernels[p] == nil {
			continue
		}
		if first == "" {
			first = pass
		}
		if taken[pass] == nil {
			taken[pass] = map[int]bool{}
		}
		for o := range p {
			if in, at := passOf(m.dirs[o]); pass != first && in == first && at == place && !taken[pass][o] && slices.Equal(kernels[p], kernels[o]) {
				to[p], taken[pass][o] = o, true
				break
			}
		}
	}
	for i := range m.out.Dispatches {
		if o, ok := to[m.out.Dispatches[i].Process]; ok {
			m.out.Dispatches[i].Process = o
		}
	}
	for i := range m.out.Counters {
		if o, ok := to[m.out.Counters[i].Process]; ok {
			m.out.Counters[i].Process = o
		}
	}
}

// kernelsOfPasses lists the kernels of each process of a pass in the order of their
// dispatches. A trace and counters tell of the same ones.
func (m *merger) kernelsOfPasses() map[int][]string {
	out, seen := map[int][]string{}, map[member]bool{}
	for i := range m.out.Dispatches {
		d := &m.out.Dispatches[i]
		if key := (member{d.Process, d.ID}); m.out.Processes[d.Process].Pass && !seen[key] {
			seen[key] = true
			out[d.Process] = append(out[d.Process], strconv.FormatUint(d.ID, 10)+" "+d.Kernel)
		}
	}
	for _, of := range out {
		slices.Sort(of) // files list them in orders of their own
	}
	return out
}

// fill takes over what another record of the same dispatch tells; false if that
// names another kernel.
func (d *Dispatch) fill(o *Dispatch) bool {
	if o.Kernel != d.Kernel && o.Kernel != "" && d.Kernel != "" {
		return false
	}
	for _, f := range []struct{ to, from *uint64 }{{&d.Agent, &o.Agent}, {&d.Queue, &o.Queue}, {&d.Stream, &o.Stream}, {&d.PID, &o.PID}, {&d.TID, &o.TID}, {&d.Correlation, &o.Correlation},
		{&d.Wave, &o.Wave}} {
		if *f.to == 0 {
			*f.to = *f.from
		}
	}
	for _, f := range []struct{ to, from *int64 }{{&d.LDS, &o.LDS}, {&d.Scratch, &o.Scratch}, {&d.VGPRs, &o.VGPRs}, {&d.AGPRs, &o.AGPRs}, {&d.SGPRs, &o.SGPRs}} {
		if *f.to < 0 {
			*f.to = *f.from
		}
	}
	if d.End == 0 {
		d.Start, d.End, d.Time = o.Start, o.End, o.Time
	}
	// A trace has three dimensions where counters have their product.
	if o.Grid[1]*o.Grid[2] > 1 && d.Grid[1]*d.Grid[2] <= 1 || d.Grid[0] == 0 {
		d.Grid = o.Grid
	}
	if o.Group[1]*o.Group[2] > 1 && d.Group[1]*d.Group[2] <= 1 || d.Group[0] == 0 {
		d.Group = o.Group
	}
	return true
}

// name fills in processes from what their calls say.
func (m *merger) name() {
	for i := range m.out.Calls {
		if p := &m.out.Processes[m.out.Calls[i].Process]; p.PID == 0 {
			p.PID = m.out.Calls[i].PID
		}
	}
}
