package rcp

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/format/amd"
)

// A role is what the rules have to know of an API.
type role struct {
	id       int // 0: noRole
	name     string
	enqueues bool // puts a command into a queue whose times are recorded
	kind     enqueueKind
	errArg   int // argument that holds the error code, -1: the result, -2: there is none
	instead  string

	creates  bool // an object, which the result or listArg names
	listArg  int  // argument that lists new objects; 0: none
	retains  bool
	releases bool
	frees    bool // the last argument
	event    int  // place of the event from the end: 1 last, 2 before it; 0: none

	sync      bool // clFinish, clWaitForEvents, clGetEventInfo
	noOverlap bool // reads, maps, unmaps: a wait after it may be needed
	queue     bool // creates a command queue
	hsa       *hsaRole
}

// enqueueKind sorts the commands.
type enqueueKind uint8

const (
	notEnqueued enqueueKind = iota
	kernelCommand
	memoryCommand
	otherCommand
)

//go:embed cl_api_ids.tsv
var clIDs string

//go:embed hsa_api_ids.tsv
var hsaIDs string

// apiIDs are the names by the numbers that Radeon Compute Profiler 5.6 gives
// them.
func apiIDs(module string) []string {
	if module == amd.HSA {
		return hsaNames()
	}
	return clNames()
}

var (
	clNames  = sync.OnceValue(func() []string { return parseIDs(clIDs) })
	hsaNames = sync.OnceValue(func() []string { return parseIDs(hsaIDs) })
)

func parseIDs(s string) []string {
	var out []string
	for _, line := range strings.Split(strings.TrimSpace(s), "\n") {
		_, name, _ := strings.Cut(line, "\t")
		out = append(out, strings.TrimSpace(name))
	}
	return out
}

// kindOf sorts an API of OpenCL by its name, as AMD does.
func kindOf(name string) enqueueKind {
	has := func(s string) bool { return strings.Contains(name, s) }
	switch {
	case !has("Enqueue") || name == "clEnqueueWaitForEvents" || name == "clEnqueueBarrier":
		return notEnqueued
	case has("Kernel") || has("Task"):
		return kernelCommand
	case has("SsgFile"):
		return otherCommand
	case !has("SVM") && (has("Read") || has("Write") || has("Map") || has("Copy")):
		return memoryCommand
	}
	return otherCommand
}

// roleOf makes the role of an API. compat leaves out what AMD's rules overlook.
func roleOf(module, name string, compat bool) *role {
	if module == amd.HSA {
		return hsaRoleOf(name)
	}
	r := &role{name: name, kind: kindOf(name), errArg: -1, instead: deprecated[name]}
	r.enqueues = r.kind != notEnqueued
	if n, ok := errArgs[name]; ok {
		r.errArg = n
	}
	switch name {
	case "clCreateSubDevicesEXT", "clCreateSubDevices":
		r.listArg = 3
	case "clCreateKernelsInProgram":
		r.listArg = 2
	case "clSVMFree", "clSVMFreeAMD":
		r.frees = true
	case "clFinish", "clWaitForEvents", "clGetEventInfo":
		r.sync = true
	case "clCreateCommandQueue", "clCreateCommandQueueWithProperties":
		r.queue = true
	}
	r.creates = r.listArg == 0 && (strings.HasPrefix(name, "clCreate") || name == "clCloneKernel" || name == "clSVMAlloc" || name == "clSVMAllocAMD")
	if !compat && name == "clLinkProgram" {
		r.creates = true
	}
	if compat && uncounted[name] {
		r.creates = false
	}
	r.retains = strings.HasPrefix(name, "clRetain")
	r.releases = strings.HasPrefix(name, "clRelease")
	r.event = eventPlace(name, compat)
	r.noOverlap = strings.HasPrefix(name, "clEnqueueRead") || strings.HasPrefix(name, "clEnqueueMap") ||
		name == "clEnqueueUnmapMemObject" || name == "clEnqueueReleaseGLObjects" || strings.HasPrefix(name, "clEnqueueReleaseD3D") || strings.HasPrefix(name, "clEnqueueReleaseDX9")
	if name == "clEnqueueReadSsgFileAMD" {
		r.noOverlap = !compat
	}
	return r
}

// uncounted are the APIs that create objects of which AMD keeps no count.
var uncounted = map[string]bool{"clCreateImage": true, "clCreateProgramWithBuiltInKernels": true, "clCreateFromGLTexture": true,
	"clCreateFromDX9MediaSurfaceKHR": true, "clCreateFromD3D11BufferKHR": true, "clCreateFromD3D11Texture2DKHR": true, "clCreateFromD3D11Texture3DKHR": true}

// eventPlace tells where an enqueue call names its event.
func eventPlace(name string, compat bool) int {
	switch {
	case !strings.HasPrefix(name, "clEnqueue"), name == "clEnqueueWaitForEvents", name == "clEnqueueBarrier":
		return 0
	case name == "clEnqueueMapBuffer", name == "clEnqueueMapImage":
		return 2
	case compat && (strings.HasPrefix(name, "clEnqueueFill") || name == "clEnqueueMigrateMemObjects" || strings.HasSuffix(name, "WithWaitList") ||
		strings.Contains(name, "D3D11") || strings.Contains(name, "DX9")):
		return 0
	}
	return 1
}

// errArgs are the arguments that hold the error code of APIs that do not return
// it; -2 where there is no code at all.
var errArgs = map[string]int{
	"clCreateContext": 5, "clCreateContextFromType": 4, "clCreateCommandQueue": 3, "clCreateBuffer": 4, "clCreateSubBuffer": 4,
	"clCreateImage2D": 7, "clCreateImage3D": 9, "clCreateSampler": 4, "clCreateProgramWithSource": 4, "clCreateProgramWithBinary": 6,
	"clCreateKernel": 2, "clEnqueueMapBuffer": 9, "clEnqueueMapImage": 11, "clCreateFromGLBuffer": 3, "clCreateFromGLTexture2D": 5,
	"clCreateFromGLTexture3D": 5, "clCreateFromGLRenderbuffer": 3, "clCreateEventFromGLsyncKHR": 2, "clCreateImage": 5,
	"clCreateProgramWithBuiltInKernels": 4, "clLinkProgram": 8, "clCreateFromGLTexture": 5, "clCreateCommandQueueWithProperties": 3,
	"clCreateSamplerWithProperties": 2, "clCreatePipe": 5, "clCreateUserEvent": 1, "clCreateSsgFileObjectAMD": 3, "clCloneKernel": 1,
	"clCreateProgramWithIL":         3,
	"clGetExtensionFunctionAddress": -2, "clGetExtensionFunctionAddressForPlatform": -2, "clSVMAlloc": -2, "clSVMFree": -2,
	"clSVMAllocAMD": -2, "clSVMFreeAMD": -2,
}

// deprecated tells what to use instead of an API.
var deprecated = map[string]string{
	"clSetCommandQueueProperty":     `the command queue properties are set when creating the queue.`,
	"clCreateImage2D":               `"clCreateImage" is used instead, since it now supports creating 2D images.`,
	"clCreateImage3D":               `"clCreateImage" is used instead, since it now supports creating 3D images.`,
	"clEnqueueWaitForEvents":        `"clEnqueueMarkerWithWaitList" or "clEnqueueBarrierWithWaitList" is used instead.`,
	"clEnqueueBarrier":              `"clEnqueueBarrierWithWaitList" is used instead.`,
	"clUnloadCompiler":              `"clUnloadCompilerForPlatform" is used instead.`,
	"clGetExtensionFunctionAddress": `"clGetExtensionFunctionAddressForPlatform" is used instead.`,
	"clCreateFromGLTexture2D":       `"clCreateFromGLTexture" is used instead, since it now supports creating 2D images.`,
	"clCreateFromGLTexture3D":       `"clCreateFromGLTexture" is used instead, since it now supports creating 3D images.`,
	"clCreateCommandQueue":          `"clCreateCommandQueueWithProperties" is used instead.`,
	"clCreateSampler":               `"clCreateSamplerWithProperties" is used instead.`,
	"clEnqueueMarker":               `"clEnqueueMarkerWithWaitList" is used instead.`,
	"clEnqueueTask":                 `"clEnqueueNDRangeKernel" is used instead.`,
}
