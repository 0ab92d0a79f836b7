package ranks

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/steps"
)

// What Analyze refuses unless it is forced.
var (
	ErrNumbers = errors.New("numbers of ranks contradict each other")
	ErrRuns    = errors.New("reports seem to be of different runs")
)

// Options say how to analyze a run.
type Options struct {
	From  *Source          // take numbers of ranks from this source alone; nil: by precedence
	List  map[string]int64 // numbers of ranks by the name of the file
	Force bool             // analyze together what seems to be of several runs

	// Layout gives the sizes of groups from the innermost on, such as tensor and
	// data parallelism, in the order in which Megatron numbers ranks; nil: as the
	// reports tell, or inferred.
	Layout []Dimension
}

// A Dimension is a kind of parallelism and its size.
type Dimension struct {
	Name string
	Size int
}

// A Rank is a rank of a run.
type Rank struct {
	*Partial
	Number int64
	Source Source // of Number

	Offset int64   // ns: the time of the reference rank at time 0 of this one
	Rate   float64 // ns of the reference rank in a ns of this one
	Error  int64   // ns: how far aligned times may be off; -1: not known
	Points int     // ends of collectives that the fit rests on

	StepShift int64 // what is added to numbers of its steps so that they agree with the others'
	Score     int64 // ns: median over steps of its self time less that of the median rank
	Wait      int64 // ns: time in collectives before their last member came
	LostTime  int64 // ns: the part of Wait beside which the rank computed nothing
	Waited    int64 // collectives that Wait is of
	Caused    int64 // ns: the part of Run.LostTime in which others waited for it: what mending it would bring, all ranks together

	Typical Typical

	host    int     // number of its clock
	alone   bool    // its steps are not those of the others
	lost    []int64 // by step: LostTime
	waits   []int64 // by step: Wait
	groups  []membership
	excess  map[int64]int64 // by step: self time less that of the median rank
	account account
	anchor  bool // its start clock was checked by matched collectives
}

// At puts a time of the rank on the clock of the reference rank.
func (r *Rank) At(t int64) int64 {
	return r.Offset + t + int64((r.Rate-1)*float64(t-r.Span.Start))
}

// A Run is what many reports say of one run.
type Run struct {
	Ranks    []*Rank // by number
	Size     int64   // ranks that the run had
	Missing  []int64 // numbers of which there is no report
	Problems []string
	Notes    []string // what was assumed

	Clock    Clock
	Groups   []*Group // by size, largest first, then by ranks
	Inferred bool     // groups are inferred from ends of collectives
	Unknown  int      // collectives of unknown communicators

	Steps    []StepRow // by number
	Chronic  []Finding // worst first
	Single   []Finding // by step, then rank
	Slow     []SlowGroup
	Overlap  steps.Matrix
	LostTime int64 // ns, all ranks together
	Wall     int64 // ns, of all steps of all ranks together

	buffer []int64
}

// A Clock says how well the clocks agree.
type Clock struct {
	Method      string
	Reference   int64 // rank on whose clock times are
	Collectives int   // that the fit rests on
	Before      int64 // ns: nine of ten collectives ended within this by the hosts' clocks; -1: not known
	Agree       int64 // ns: how far they are apart now, median of the ranks; -1: not known
	Unaligned   []int64
}

// Analyze answers all questions of a run from its partials. The same partials give
// the same answer, whatever their order.
func Analyze(partials []*Partial, o *Options) (*Run, error) {
	if o == nil {
		o = &Options{}
	}
	if len(partials) == 0 {
		return nil, errors.New("expected a rank, found none")
	}
	run := &Run{}
	if err := run.number(partials, o); err != nil {
		return nil, err
	}
	if err := run.sameRun(o); err != nil {
		return nil, err
	}
	run.match(o)
	run.fit()
	run.measure()
	run.tabulate()
	run.blame()
	return run, nil
}

// Number is number of all partials.
func (run *Run) number(partials []*Partial, o *Options) error {
	var unnumbered []*Rank
	owners := map[int64]*Rank{}
	for _, p := range partials {
		run.Ranks = append(run.Ranks, &Rank{Partial: p, Number: -1, Rate: 1, Error: -1, Source: FromOrder})
	}
	slices.SortStableFunc(run.Ranks, compareOrder)
	for _, r := range run.Ranks {
		if err := r.choose(o); err != nil {
			if !o.Force {
				return err
			}
			run.Problems = append(run.Problems, err.Error())
		}
	}
	run.slots()
	for _, r := range run.Ranks {
		if r.Number < 0 {
			unnumbered = append(unnumbered, r)
			continue
		}
		if other := owners[r.Number]; other != nil {
			err := fmt.Errorf("%w: rank %d is claimed twice: by %s (%s) and by %s (%s)", ErrNumbers, r.Number, other.label(), other.Source.Words(), r.label(), r.Source.Words())
			if !o.Force {
				return err
			}
			run.Problems = append(run.Problems, err.Error())
			r.Number, r.Source = -1, FromOrder
			unnumbered = append(unnumbered, r)
			continue
		}
		owners[r.Number] = r
	}
	next := int64(0)
	for _, r := range unnumbered {
		for owners[next] != nil {
			next++
		}
		r.Number, owners[next] = next, r
	}
	if n := len(unnumbered); n > 0 {
		run.Notes = append(run.Notes, fmt.Sprintf("%d of %d ranks are numbered by the order of host, process and device, which is a guess", n, len(run.Ranks)))
	}
	slices.SortFunc(run.Ranks, func(a, b *Rank) int { return cmp.Compare(a.Number, b.Number) })
	run.Size = run.Ranks[len(run.Ranks)-1].Number + 1
	for _, r := range run.Ranks {
		for _, c := range r.Claims {
			if c.Size < mostRanks {
				run.Size = max(run.Size, c.Size)
			}
		}
	}
	for n := range run.Size {
		if owners[n] == nil && len(run.Missing) < 1<<16 {
			run.Missing = append(run.Missing, n)
		}
	}
	return nil
}

// label names the report and process of a rank.
func (r *Rank) label() string {
	return fmt.Sprintf("%s, process %d, device %d", r.File, r.Process, r.Device)
}

// compareOrder is the order of host, process and device.
func compareOrder(a, b *Rank) int {
	return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Process, b.Process), cmp.Compare(a.Device, b.Device), cmp.Compare(a.File, b.File), cmp.Compare(a.UTC, b.UTC),
		cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
}

// choose takes the number that the first of the sources gives. It is an error if
// another one gives another.
func (r *Rank) choose(o *Options) error {
	if n, ok := o.List[r.File]; ok {
		r.Number, r.Source = n, FromList
		return nil
	}
	var first *Claim
	for i := range r.Claims {
		c := &r.Claims[i]
		if c.Rank < 0 || c.Rank >= mostRanks || o.From != nil && c.Source != *o.From {
			continue
		}
		if first == nil {
			first = c
			r.Number, r.Source = c.Rank, c.Source
		} else if c.Rank != first.Rank {
			return fmt.Errorf("%w: %s: rank %d by %s, rank %d by %s", ErrNumbers, r.label(), first.Rank, first.Source.Words(), c.Rank, c.Source.Words())
		}
	}
	return nil
}

// slots numbers ranks whose files are named by node and GPU.
func (run *Run) slots() {
	perNode := int64(0)
	for _, r := range run.Ranks {
		perNode = max(perNode, r.Slot+1)
	}
	for _, r := range run.Ranks {
		if r.Number < 0 && r.Node >= 0 && r.Slot >= 0 && r.Node < mostRanks && perNode < mostRanks && r.Node*perNode+r.Slot < mostRanks {
			r.Number, r.Source = r.Node*perNode+r.Slot, FromFile
		}
	}
}

// mostRanks bounds numbers of ranks, which hostile files might choose.
const mostRanks = 1 << 20

// farStart is how far starts of sessions of one run may lie apart, ns.
const farStart = 10 * 60 * 1e9

// sameRun refuses ranks that seem to be of several runs. Communicators in common
// prove that they are of one.
func (run *Run) sameRun(o *Options) error {
	if len(run.Ranks) < 2 || o.Force || run.connected() {
		return nil
	}
	a := run.Ranks[0]
	for _, b := range run.Ranks[1:] {
		var why string
		switch {
		case a.Job != "" && b.Job != "" && a.Job != b.Job:
			why = fmt.Sprintf("jobs %s and %s", a.Job, b.Job)
		case a.size() > 0 && b.size() > 0 && a.size() != b.size():
			why = fmt.Sprintf("runs of %d and of %d ranks", a.size(), b.size())
		case a.Executable != "" && b.Executable != "" && a.Executable != b.Executable:
			why = fmt.Sprintf("programs %q and %q", a.Executable, b.Executable)
		case a.UTC > 0 && b.UTC > 0 && max(a.UTC-b.UTC, b.UTC-a.UTC) > farStart:
			why = fmt.Sprintf("recordings that began %d s apart", max(a.UTC-b.UTC, b.UTC-a.UTC)/1e9)
		default:
			continue
		}
		return fmt.Errorf("%w: %s and %s: %s", ErrRuns, a.File, b.File, why)
	}
	return nil
}

// size is how many ranks the run has by what the rank knows, 0: not told.
func (r *Rank) size() (n int64) {
	for _, c := range r.Claims {
		n = max(n, c.Size)
	}
	return n
}

// connected reports whether communicators in common tie all ranks together.
func (run *Run) connected() bool {
	parent := make([]int, len(run.Ranks))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	owner := map[uint64]int{}
	for i, r := range run.Ranks {
		for _, c := range r.Channels {
			if c.Communicator == 0 {
				continue
			}
			if k, ok := owner[c.Communicator]; ok {
				parent[find(i)] = find(k)
			} else {
				owner[c.Communicator] = i
			}
		}
	}
	for i := range parent {
		if find(i) != find(0) {
			return false
		}
	}
	return true
}

// list prints numbers of ranks: "0-3, 7".
func list(numbers []int64) string {
	var b strings.Builder
	for i := 0; i < len(numbers); {
		k := i
		for k+1 < len(numbers) && numbers[k+1] == numbers[k]+1 {
			k++
		}
		if i > 0 {
			b.WriteString(", ")
		}
		switch {
		case k == i:
			fmt.Fprint(&b, numbers[i])
		case k == i+1:
			fmt.Fprintf(&b, "%d, %d", numbers[i], numbers[k])
		default:
			fmt.Fprintf(&b, "%d-%d", numbers[i], numbers[k])
		}
		i = k + 1
	}
	return b.String()
}

// List prints numbers of ranks: "0-3, 7".
func List(numbers []int64) string { return list(numbers) }
