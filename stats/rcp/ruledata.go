package rcp

import (
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
)

const (
	adviceMap = "Host Visible Device Memory(CL_MEM_USE_PERSISTENT_MEM_AMD) directly accessed by host, resulting in sub-optimal performance. " +
		"Please use clEnqueueReadBuffer( .., buf, ..) or clEnqueueCopyBuffer( .., buf, zero copy host buffer, .. ) instead."
	adviceHost = "Device visible Host Memory(CL_MEM_ALLOC_HOST_PTR) directly accessed by Non-Fusion device, resulting in sub-optimal performance."
)

// apus are the devices that share memory with the host, by the names that AMD's
// program knows; older ones it does not.
var (
	apus    = map[string]bool{"Spectre": true, "Spooky": true, "Kalindi": true, "Mullins": true, "Carrizo": true, "Stoney": true, "gfx902": true}
	oldAPUs = map[string]bool{"WinterPark": true, "BeaverCreek": true, "Sumo": true, "SuperSumo": true, "Wrestler": true, "Ontario": true, "Zacate": true,
		"Devastator": true, "Scrapper": true, "Trinity": true, "Richland": true, "gfx909": true, "gfx90c": true, "CPU_Device": true}
)

// transfersOf follows buffers and the arguments of kernels.
type transfersOf struct {
	a       *Analysis
	f       *findings
	flags   map[string]string // of buffers, by handle
	kernels map[string]*kernelArgs
}

type kernelArgs struct {
	refs int
	args map[string]string // by index
}

// dataTransfers reports memory that the host or the device reaches the slow way.
func (a *Analysis) dataTransfers() (*findings, rule) {
	f := &findings{rule: "DataTransferAnalyzer"}
	if !a.on(f.rule) {
		return nil, rule{}
	}
	t := &transfersOf{a: a, f: f, flags: map[string]string{}, kernels: map[string]*kernelArgs{}}
	return f, rule{func(r *role) bool {
		switch r.name {
		case "clCreateBuffer", "clEnqueueMapBuffer", "clEnqueueNDRangeKernel", "clCreateKernel", "clCreateKernelsInProgram", "clRetainKernel",
			"clReleaseKernel", "clSetKernelArg":
			return true
		}
		return false
	}, t.visit}
}

func (t *transfersOf) visit(c *call) {
	x := t.a.text(amd.OpenCL, c)
	switch c.role.name {
	case "clCreateBuffer":
		if x.result != "NULL" && len(x.args) == 5 {
			t.flags[x.result] = x.args[1]
		}
	case "clEnqueueMapBuffer":
		if x.result != "NULL" && len(x.args) == 10 && strings.Contains(x.args[3], "CL_MAP_READ") &&
			strings.Contains(t.flags[x.args[1]], "CL_MEM_USE_PERSISTENT_MEM_AMD") {
			t.f.add(c.site, isAdvice, adviceMap)
		}
	case "clEnqueueNDRangeKernel":
		t.dispatch(c, x)
	case "clSetKernelArg":
		if k := t.kernels[first(x.args)]; k != nil && len(x.args) == 4 {
			k.args[x.args[1]] = x.args[3]
		}
	case "clCreateKernel":
		if x.result != "NULL" {
			t.kernels[x.result] = &kernelArgs{refs: 1, args: map[string]string{}}
		}
	default:
		t.kernel(c, x)
	}
}

func first(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}

// kernel follows the life of kernels.
func (t *transfersOf) kernel(c *call, x text) {
	if x.result != "CL_SUCCESS" {
		return
	}
	k := t.kernels[x.all]
	switch {
	case c.role.name == "clCreateKernelsInProgram":
		if len(x.args) == 4 && x.args[2] != "NULL" && len(x.args[2]) > 2 {
			for _, h := range strings.Split(inBrackets(x.args[2]), ",") {
				t.kernels[h] = &kernelArgs{refs: 1, args: map[string]string{}}
			}
		}
	case k == nil:
	case c.role.name == "clRetainKernel":
		k.refs++
	case k.refs > 1:
		k.refs--
	default:
		delete(t.kernels, x.all)
	}
}

func (t *transfersOf) dispatch(c *call, x text) {
	if x.result != "CL_SUCCESS" || len(x.args) != 9 {
		return
	}
	device := ""
	if e := t.a.enqueue(c); e != nil {
		device = e.Device
	}
	k := t.kernels[x.args[1]]
	if k == nil || apus[device] || !t.a.o.Compat && (oldAPUs[device] || device == "") {
		return
	}
	for _, v := range k.args {
		if strings.HasPrefix(v, "[") && strings.Contains(t.flags[inBrackets(v)], "CL_MEM_ALLOC_HOST_PTR") {
			t.f.add(c.site, isAdvice, adviceHost)
			return
		}
	}
}
