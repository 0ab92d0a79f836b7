package ranks

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
)

// A Source is where the number of a rank comes from.
type Source uint8

// The sources, the first that answers wins.
const (
	FromList         Source = iota // what the user says
	FromMPI                        // MPI_RANKS of the report
	FromTorch                      // what the profiler of PyTorch tells
	FromCommunicator               // initialization of the largest communicator
	FromEnvironment                // RANK and its like, of the launched process
	FromFile                       // name of the file
	FromThread                     // names of threads
	FromOrder                      // order of hosts, processes and devices: a guess
	sources
)

var sourceNames = [...]string{FromList: "list", FromMPI: "mpi", FromTorch: "torch", FromCommunicator: "nccl", FromEnvironment: "env", FromFile: "file", FromThread: "thread",
	FromOrder: "order", sources: "?"}

// String is the word that stands for a source in options.
func (s Source) String() string { return sourceNames[min(s, sources)] }

// Words says what the source is.
func (s Source) Words() string {
	return [...]string{"the list given", "MPI_RANKS of the reports", "PyTorch's profiler", "initialization of NCCL's largest communicator", "environment of the launched process",
		"names of the files", "names of threads", "order of host, process and device: a guess", "nothing"}[min(s, sources)]
}

// Sources are the words of all sources.
func Sources() []string { return sourceNames[:sources] }

// A Claim is what a source says of the number of a rank and of ranks; -1: nothing.
type Claim struct {
	Source     Source
	Rank, Size int64
}

// An Identity is what a report tells of who a rank is.
type Identity struct {
	File       string // base name of the report
	Host       string
	Process    int64 // number in the operating system
	Device     int64
	GPU        string // name of the device
	Executable string
	Job        string // number of the job that the launcher gave
	Claims     []Claim
	// Node and Slot are numbers of host and GPU in the file's name, -1 if it has
	// none.
	Node, Slot int64
	// UTC and Boot are the host's clocks at time 0 of the report, ns; Boot counts
	// from the start of the host. 0: not told.
	UTC, Boot int64
}

// Names of environment variables that tell a rank, the size of the run and the
// job. Others are not looked at, for they may hold secrets.
var (
	rankVariables = []string{"RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID", "JSM_NAMESPACE_RANK", "FLUX_TASK_RANK"}
	sizeVariables = []string{"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_NTASKS", "JSM_NAMESPACE_SIZE", "FLUX_JOB_SIZE"}
	jobVariables  = []string{"TORCHELASTIC_RUN_ID", "SLURM_JOB_ID"}
)

// environment returns the values of variables that a report tells of its launched
// process, of those names only.
func environment(ctx context.Context, tr *trace.Trace) (map[string]string, error) {
	t, err := tr.Table(ctx, "META_DATA_CAPTURE", "name", "value")
	if err != nil || t == nil {
		return nil, err
	}
	wanted := slices.Concat(rankVariables, sizeVariables, jobVariables)
	out := map[string]string{}
	name, value := t.Col("name"), t.Col("value")
	for i := range t.Rows {
		if !strings.HasSuffix(tr.CellText(name, i), ":ENVIRONMENT_VARIABLE") {
			continue
		}
		k, v, ok := strings.Cut(tr.CellText(value, i), "=")
		if _, twice := out[k]; ok && !twice && slices.Contains(wanted, k) {
			out[k] = v
		}
	}
	return out, nil
}

// number is the first variable of a list that is a number, or -1.
func number(env map[string]string, names []string) int64 {
	for _, n := range names {
		if v, err := strconv.ParseInt(env[n], 10, 32); err == nil && v >= 0 {
			return v
		}
	}
	return -1
}

var (
	rankName = regexp.MustCompile(`(?i)(?:^|[^a-z])rank[_-]?(\d{1,7})(?:[^\d]|$)`)
	tailName = regexp.MustCompile(`(?i)\.(\d{1,7})\.(?:nsys-rep|sqlite|db|gpr|json|json\.gz)$`)
	nodeName = regexp.MustCompile(`(?i)node[_-]?(\d{1,6}).*(?:^|[^a-z0-9])gpu[_-]?(\d{1,4})(?:[^\d]|$)`)
	thread   = regexp.MustCompile(`(?i)(?:^|[^a-z])rank[ _:=-]{0,2}(\d{1,7})(?:[^\d]|$)`)
)

// fileClaim is what the name of a file says. A number before a word counts
// nothing: "2gpu" is not GPU 2.
func fileClaim(file string) (c Claim, ok bool, node, slot int64) {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	node, slot = -1, -1
	if m := nodeName.FindStringSubmatch(base); m != nil {
		node, slot = parse(m[1]), parse(m[2])
	}
	for _, p := range []*regexp.Regexp{rankName, tailName} {
		if m := p.FindStringSubmatch(base); m != nil {
			return Claim{FromFile, parse(m[1]), -1}, true, node, slot
		}
	}
	return Claim{}, false, node, slot
}

func parse(s string) int64 {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return -1
	}
	return v
}

// clocks are the host's clocks at time 0 of a report.
func clocks(ctx context.Context, tr *trace.Trace) (utc, boot int64, err error) {
	t, err := tr.Table(ctx, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs", "systemClockNs")
	if err != nil || t == nil || t.Rows == 0 {
		return 0, 0, err
	}
	cell := func(name string) int64 {
		c := t.Col(name)
		if c == nil || c.Kind != trace.Integers || c.IsNull(0) || c.Ints[0] < 0 || c.Ints[0] >= 1<<62 {
			return 0
		}
		return c.Ints[0]
	}
	return cell("utcEpochNs"), cell("systemClockNs"), nil
}

// claims returns what a report says of the numbers of its processes, of which
// some do work on GPUs; without what communicators say.
func claims(ctx context.Context, tr *trace.Trace, workers []trace.GlobalID, env map[string]string) (map[trace.GlobalID][]Claim, error) {
	out := map[trace.GlobalID][]Claim{}
	m, err := tr.Table(ctx, "MPI_RANKS", "globalTid", "rank")
	if err != nil {
		return nil, err
	}
	if m != nil {
		rank, top := m.Ints("rank"), int64(-1)
		for _, r := range rank {
			top = max(top, r)
		}
		for i, g := range m.Ints("globalTid") {
			if p := trace.GlobalID(g).Process(); len(out[p]) == 0 {
				out[p] = append(out[p], Claim{FromMPI, rank[i], top + 1})
			}
		}
	}
	torch, err := torchClaims(ctx, tr)
	if err != nil {
		return nil, err
	}
	for p, c := range torch {
		out[p] = append(out[p], c)
	}
	if len(workers) == 1 { // it may be the launched process, whose environment this is, or its only worker
		if r := number(env, rankVariables); r >= 0 {
			out[workers[0]] = append(out[workers[0]], Claim{FromEnvironment, r, number(env, sizeVariables)})
		}
		if c, ok, _, _ := fileClaim(tr.File); ok {
			out[workers[0]] = append(out[workers[0]], c)
		}
	}
	threads, err := tr.NamedThreads(ctx)
	if err != nil {
		return nil, err
	}
	named := map[trace.GlobalID]int64{}
	for g, t := range threads {
		if x := thread.FindStringSubmatch(t.Name); x != nil {
			if old, ok := named[g.Process()]; ok && old != parse(x[1]) {
				named[g.Process()] = -1 // they disagree
				continue
			}
			named[g.Process()] = parse(x[1])
		}
	}
	for p, r := range named {
		if r >= 0 {
			out[p] = append(out[p], Claim{FromThread, r, -1})
		}
	}
	return out, nil
}
