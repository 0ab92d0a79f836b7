package torture

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
)

// A Seed is a file that is broken anew in each run.
type Seed struct {
	Name string // its extension tells some formats
	Data []byte
}

// seedSize is how large a file may be to be one: what is small is quick.
const seedSize = 200 << 10

// formats are the extensions of profiles.
var extensions = []string{".ncu-rep", ".nsight-cuprof-report", ".ncu-repz", ".nsys-rep", ".qdrep", ".sqlite", ".rpd", ".db", ".atp", ".csv", ".occupancy", ".nvtxt", ".json", ".txt", ".gz", ".log"}

// Seeds makes the files that our generators make, and reads the test vectors and
// finds below the root of the project and the small files of a folder of real
// profiles, "" for none.
func Seeds(root, corpus string) (out []Seed, err error) {
	dir, err := os.MkdirTemp("", "torture")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for i, s := range []nsysgen.Size{
		{Kernels: 20, Ranges: 12, Copies: 6, Threads: 2, Devices: 1, Names: 3, Seed: 1},
		{Kernels: 1, Ranges: 1, Copies: 1, Threads: 1, Devices: 1, Names: 1, Seed: 2},
	} {
		name := filepath.Join(dir, fmt.Sprintf("made%d.sqlite", i))
		if err := nsysgen.Write(name, s); err != nil {
			return nil, err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		out = append(out, Seed{filepath.Base(name), b})
	}
	out = append(out, Seed{"made.nsys-rep", nsysrepgen.Sample().Bytes()})
	for name, text := range written {
		out = append(out, Seed{name, []byte(text)})
	}
	folders := []string{"examples", "format", "annotate", "lifetime", "load", "internal/torture/testdata"}
	for i := range folders {
		folders[i] = filepath.Join(root, folders[i])
	}
	if corpus != "" {
		folders = append(folders, corpus)
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() && e.Name() == "fuzz" {
				return fs.SkipDir
			}
			if !e.Type().IsRegular() || !slices.Contains(extensions, filepath.Ext(path)) {
				return nil
			}
			if st, err := e.Info(); err != nil || st.Size() > seedSize {
				return err
			}
			b, err := os.ReadFile(path)
			out = append(out, Seed{filepath.Base(path), b})
			return err
		})
		if err != nil && err != fs.SkipDir {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(a, b Seed) int { return strings.Compare(a.Name, b.Name) })
	return spread(out), nil
}

// spread takes the same number of seeds of each form where there are very many of
// one.
func spread(all []Seed) (out []Seed) {
	const most = 40
	of := map[string]int{}
	for _, s := range all {
		if e := filepath.Ext(s.Name); of[e] < most {
			of[e]++
			out = append(out, s)
		}
	}
	return out
}

// written are small files of the text formats.
var written = map[string]string{
	"made.atp": `TraceFileVersion=3.0
ProfilerVersion=3.0
Application=app
ApplicationArgs=
=====AMD HSA API Trace Output=====
1
3
hsa_init 0x0000 = HSA_STATUS_SUCCESS 100 200
hsa_signal_create 1;0;[] = HSA_STATUS_SUCCESS 300 400
hsa_shut_down  = HSA_STATUS_SUCCESS 500 600
`,
	"made.csv": `# ProfilerVersion=3.0
# Application=app
# ApplicationArgs=
Method,ExecutionOrder,ThreadID,CallIndex,GlobalWorkSize,WorkGroupSize,Time,LocalMemSize,VGPRs,SGPRs,ScratchRegs,Wavefronts,VALUInsts
kernel_a,1,100,7,{1024 1 1},{256 1 1},0.05,0,12,16,0,16,44.5
kernel_b,2,100,9,{2048 2 1},{64 4 1},1.25,512,24,32,0,64,12
`,
	"rocprof.csv": `"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgp","lds","scr","arch_vgpr","accum_vgpr","sgpr","wave_size","sig","obj","DispatchNs","BeginNs","EndNs","CompleteNs","DurationNs"
0,"vecadd(float*)",1,0,0,10,11,1024,256,0,0,8,0,16,64,0x0,0x7f,100,200,300,400,100
1,"gemm<4, 8>",1,0,1,10,11,2048,256,512,0,32,0,48,64,0x0,0x7f,500,600,900,950,300
`,
	"kernel_trace.csv": `"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH","Agent 4",1,0,77,1,10,"vecadd(float*)",1,1000,2000,0,0,8,4,16,256,1,1,1024,1,1
"KERNEL_DISPATCH","Agent 4",1,0,77,2,11,"gemm",2,2500,4000,512,0,32,4,48,16,16,1,256,256,1
`,
	"stats.csv": `"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"vecadd",10,1000,100.0,62.5,90,110,5.5
"gemm",2,600,300.0,37.5,290,310,10
`,
	"made.nvtxt": `SetFileDisplayName, made
@RangeStartEnd, Start, End, ProcessId, ThreadId, Color, Message
ProcessId = 10
ThreadId = 11
RangeStartEnd, 100, 200, 10, 11, Red, "first"
RangePush, 300, 10, 11, Blue, "second"
RangePop, 400, 10, 11
Marker, 500, 10, 11, Green, "third"
`,
	"v2.txt": `Domain(HSA_OPS_DOMAIN), Operation_Name(COPY), Start_Timestamp(100), End_Timestamp(200), Correlation_ID(33)
Dispatch_ID(1), GPU_ID(2), Queue_ID(1), Process_ID(5), Thread_ID(6), Grid_Size(1024), Workgroup_Size(64), LDS(0), Scratch_Size(0), Arch_VGPR(8), Accumulation_VGPR(0), SGPR(16), Wave_Size(64), Kernel_Name("gemm"), Start_Timestamp(300), End_Timestamp(900), Correlation_ID(34)
`,
	"made.json": `{"rocprofiler-sdk-tool":[{"metadata":{"node":{"id":1,"hostname":"h"},"pid":10,"init_time":1,"fini_time":9000,"config":{}},
"agents":[{"size":1,"id":{"handle":4},"type":2,"name":"gfx90a","node_id":1,"logical_node_id":1}],"counters":[],
"strings":{"buffer_records":[{"kind":"KERNEL_DISPATCH","operations":["NONE"]}],"marker_api":[]},"code_objects":[],
"kernel_symbols":[{"kernel_id":1,"formatted_kernel_name":"gemm","kernel_name":"gemm.kd"}],
"buffer_records":{"kernel_dispatch":[{"size":1,"kind":11,"operation":1,"thread_id":5,"correlation_id":{"internal":1,"external":0},"start_timestamp":100,"end_timestamp":900,
"dispatch_info":{"agent_id":{"handle":4},"queue_id":{"handle":1},"kernel_id":1,"dispatch_id":1,"workgroup_size":{"x":64,"y":1,"z":1},"grid_size":{"x":256,"y":1,"z":1}}}]}}]}
`,
}
