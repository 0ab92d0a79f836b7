package load

import (
	"github.com/gpuprof/gpuprof/format/rocm"
	"github.com/gpuprof/gpuprof/profile"
)

// A ComputeRun is a workload of rocprof-compute: its launches and what the profiler
// says about the machine.
type ComputeRun struct {
	Folder   string // in the folder that was opened; "" where that has one workload
	Launches []*profile.Action
	f        *File
}

// Facts are those about one thing, such as "system" or "roofline of device 0", by
// name. Nil where nothing is said about it.
func (r *ComputeRun) Facts(of string) map[string]string {
	return r.f.Facts(rocm.FactsOf(of, r.Folder))
}

// ComputeRuns are the workloads of a folder with launches; one, of all, where nothing
// tells them apart.
func (f *File) ComputeRuns() []ComputeRun {
	if f.ROCm == nil || f.Report == nil {
		return nil
	}
	folders, at := workloadsOf(f.ROCm), map[string]int{}
	if len(folders) == 0 {
		return []ComputeRun{{Launches: f.Report.Actions(), f: f}}
	}
	var out []ComputeRun
	for i, a := range f.Report.Actions() {
		folder := f.ROCm.Processes[f.ROCm.Dispatches[i].Process].Name
		k, ok := at[folder]
		if !ok {
			k = len(out)
			at[folder] = k
			out = append(out, ComputeRun{Folder: folder, f: f})
		}
		out[k].Launches = append(out[k].Launches, a)
	}
	return out
}

// workloadsOf are the folders of s if there are several workloads in it, by what is
// said of their systems.
func workloadsOf(s *rocm.Session) map[string]string {
	out := map[string]string{}
	for _, p := range s.Processes {
		of := rocm.FactsOf("system", p.Name)
		for _, f := range s.Facts {
			if p.Name != "" && f.Of == of && (f.Name == "gpu_arch" || f.Name == "gpu_soc") {
				out[p.Name] = f.Value
			}
		}
	}
	return out
}

// systemGPUs are the architectures of the GPUs that the facts of workloads name, of
// each process; "" where they name none.
func systemGPUs(s *rocm.Session) []string {
	out, of := make([]string, len(s.Processes)), workloadsOf(s)
	one := ""
	for _, f := range s.Facts {
		if f.Of == "system" && one == "" && (f.Name == "gpu_arch" || f.Name == "gpu_soc") {
			one = f.Value
		}
	}
	for p := range out {
		if out[p] = of[s.Processes[p].Name]; out[p] == "" {
			out[p] = one
		}
	}
	return out
}
