package load

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/rocm"
	"github.com/gpuprof/gpuprof/trace"
)

// rocmFormats are what users call the kinds of files.
var rocmFormats = map[rocm.Kind]string{
	rocm.KindCSV: "rocprof CSV file", rocm.KindText: "rocprof v2 text", rocm.KindJSON: "rocprofv3 JSON file", rocm.KindRocpd: "rocpd trace of rocprofv3",
	rocm.KindRPD: "RPD trace of rocmProfileData", rocm.KindV1: "rocprof v1 database", rocm.KindChrome: "rocprof v1 Chrome trace", rocm.KindV1Text: "rocprof v1 text",
	rocm.KindRoctracer: "roctracer text", rocm.KindPerfetto: "Perfetto trace", rocm.KindATT: "ROCm thread trace", rocm.KindCompute: "rocprof-compute workload",
	rocm.KindFacts: "list of facts about a ROCm run", rocm.KindFolder: "rocprofv3 folder",
}

// isROCmText matches what rocprof, roctracer and rocprof-compute write, but for
// databases, which are told by their tables.
func isROCmText(head []byte, name string) bool {
	return !bytes.HasPrefix(head, []byte{0x1f, 0x8b}) && !bytes.HasPrefix(head, []byte("SQLite format 3")) && rocm.Sniff(head, name) != ""
}

// isPackedROCm matches the same, and databases, below gzip.
func isPackedROCm(head []byte, name string) bool {
	return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) && rocm.Sniff(head, name) != ""
}

// besideROCm says what a file is that lies beside profiles of ROCm and is none; "" for
// others.
func besideROCm(head []byte, name string) string {
	base := strings.TrimSuffix(path.Base(filepath.ToSlash(name)), ".gz")
	switch {
	case base == "log.txt":
		return "the log of a profiler: what it measured lies beside it, open the folder"
	case bytes.HasPrefix(head, []byte("GPU     :")):
		return "a list of what a GPU can count, with no measurement"
	}
	return ""
}

func openROCm(f *File) error {
	s, err := rocm.Options{MaxUnpacked: f.maxUnpacked}.Open(f.opening, f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	f.fillROCm(s)
	return nil
}

// fillROCm makes the models of a session.
func (f *File) fillROCm(s *rocm.Session) {
	if name := rocmFormats[s.Kind]; name != "" {
		f.Format, f.article = name, ""
		if s.Kind == rocm.KindRPD {
			f.article = "an"
		}
	}
	for _, p := range s.Problems {
		f.problems = append(f.problems, p.Error())
	}
	f.ROCm, f.facts = s, s.Facts
	f.Trace = trace.New(f.Name, rocmTables(s))
	f.Trace.Tool, f.Trace.APIs = rocmTool(s), rocmAPIs(s)
	if len(s.Dispatches) > 0 {
		f.Report = rocmReport(f, s)
	} else if emptyROCm(s) {
		f.remark = fmt.Sprintf("%s holds no rows: nothing was traced, or a filter matched nothing", f.Kind())
	}
}

// emptyROCm reports whether a session tells nothing at all.
func emptyROCm(s *rocm.Session) bool {
	return len(s.Calls)+len(s.Ranges)+len(s.Copies)+len(s.Allocations)+len(s.Counters)+len(s.Monitors)+len(s.Totals)+len(s.Samples)+len(s.Code)+len(s.Waves)+len(s.Facts)+len(s.Agents) == 0
}

// A rocmPlaces tells which GPU and which process of the timeline those of a session
// are: numbers of agents are those of a host, numbers of processes, too.
type rocmPlaces struct {
	s      *rocm.Session
	gpus   []rocm.Agent // of all hosts, each once
	hosts  []string     // of gpus
	number map[rocmGPU]int64
	ids    []trace.GlobalID // of each process, with host and run but without its number
}

type rocmGPU struct {
	host string
	id   uint64
}

func newROCmPlaces(s *rocm.Session) *rocmPlaces {
	p := &rocmPlaces{s: s, number: map[rocmGPU]int64{}}
	for _, a := range s.Agents {
		host := s.Processes[a.Process].Host
		key := rocmGPU{host, a.ID}
		if _, ok := p.number[key]; a.GPU && !ok {
			p.number[key] = int64(len(p.gpus))
			p.gpus, p.hosts = append(p.gpus, a), append(p.hosts, host)
		}
	}
	hosts, runs := map[string]uint8{}, map[string]uint8{}
	for _, x := range s.Processes {
		if _, ok := hosts[x.Host]; !ok {
			hosts[x.Host] = uint8(min(len(hosts), 255))
		}
		key := fmt.Sprint(x.Host, " ", x.PID)
		p.ids = append(p.ids, trace.MakeGlobalID(hosts[x.Host], runs[key], 0, 0))
		if x.PID != 0 || len(s.Processes) > 1 {
			runs[key] = min(runs[key], 254) + 1 // a second run with the number of the first
		}
	}
	return p
}

// device is the number of a GPU in the timeline; that of the file where the file does
// not list its agents.
func (p *rocmPlaces) device(process int, id uint64) int64 {
	if n, ok := p.number[rocmGPU{p.s.Processes[process].Host, id}]; ok {
		return n
	}
	return int64(id)
}

// thread is the number of a thread in the timeline.
func (p *rocmPlaces) thread(process int, pid, tid uint64) int64 {
	if pid == 0 {
		pid = p.s.Processes[process].PID
	}
	return int64(p.ids[process] | trace.MakeGlobalID(0, 0, int64(pid), int64(tid)))
}

// Facts are what a profile of ROCm says about the run and its machine: those of one
// kind, such as "system" (of rocprof-compute) or "roofline of device 0", by name. Nil
// where it says nothing of the kind.
func (f *File) Facts(of string) map[string]string {
	var out map[string]string
	for _, x := range f.facts {
		if x.Of == of {
			if out == nil {
				out = map[string]string{}
			}
			out[x.Name] = x.Value
		}
	}
	return out
}

// rocmAPIs are the APIs that a session has calls of, told by their domains or, where
// these are missing, by the names of the calls.
func rocmAPIs(s *rocm.Session) []string {
	known := []struct{ name, prefix string }{{"HIP", "HIP"}, {"HSA", "HSA"}, {"RCCL", "RCCL"}, {"RCCL", "NCCL"}, {"rocDecode", "ROCDECODE"}, {"rocJPEG", "ROCJPEG"}}
	found, seen := make([]bool, len(known)), map[string]bool{}
	for i := range s.Calls {
		of := s.Calls[i].Domain
		if of == "" {
			of = s.Calls[i].Name
		}
		if seen[of] {
			continue
		}
		seen[of] = true
		for k := range known {
			found[k] = found[k] || strings.HasPrefix(strings.ToUpper(of), known[k].prefix)
		}
	}
	var out []string
	for k := range known {
		if found[k] && !slices.Contains(out, known[k].name) {
			out = append(out, known[k].name)
		}
	}
	return out
}

// rocmTool is what made a session: of a Perfetto trace a profiler of ROCm only where it
// has something that those write.
func rocmTool(s *rocm.Session) string {
	marker := func(r rocm.Range) bool { return r.Domain == "marker_api" }
	if s.Kind == rocm.KindPerfetto && len(s.Dispatches)+len(s.Copies)+len(s.Calls)+len(s.Allocations) == 0 && !slices.ContainsFunc(s.Ranges, marker) {
		return "Perfetto trace"
	}
	return string(s.Kind)
}
