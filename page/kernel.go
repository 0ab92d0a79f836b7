package page

import (
	"fmt"
	"strconv"

	"github.com/gpuprof/gpuprof/view"
)

// Dim is the extent of a grid or block as ncu prints it: (32, 1, 1).
func Dim(d [3]uint64) string {
	b := append(make([]byte, 0, 32), '(')
	for i, n := range d {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendUint(b, n, 10)
	}
	return string(append(b, ')'))
}

// Architecture is ", CC 8.0", or the name of a device that has no compute
// capability.
func (a Launch) Architecture() string {
	if name := a.otherDevice(); name != "" {
		return ", " + name
	}
	return ", CC " + a.ComputeCapability()
}

// otherDevice is the name of a device that has no compute capability, as AMD's
// and simulated ones; else "".
func (a Launch) otherDevice() string {
	if major, minor := a.CC(); major != 0 || minor != 0 {
		return ""
	}
	for _, d := range a.File.Report.Devices {
		if d.ID == a.Device() {
			return d.Name
		}
	}
	return ""
}

// ComputeCapability is the compute capability, "" where there is no such thing.
func (a Launch) ComputeCapability() string {
	if a.otherDevice() != "" {
		return ""
	}
	major, minor := a.CC()
	return fmt.Sprintf("%d.%d", major, minor)
}

// Title is the line that names a launch of a kernel called name.
func (a Launch) Title(name string) string {
	return fmt.Sprintf("%s %s, Context %d, Stream %d, Device %d%s",
		name, a.Extent(), a.Context, a.Stream, a.Device(), a.Architecture())
}

// Size is the Grid or the Block of the launch, as [Dim], or n/a.
func (a Launch) Size(d [3]uint64) view.Value {
	if !a.Knows(d) {
		return view.Missing("n/a")
	}
	return view.String(Dim(d))
}

// Extent is the grid and the block in the line that names a launch.
func (a Launch) Extent() string {
	text := func(d [3]uint64) string {
		if !a.Knows(d) {
			return "(n/a)"
		}
		return Dim(d)
	}
	return text(a.Grid) + "x" + text(a.Block)
}

// heading is the name that heads a launch.
func (a Launch) heading() string {
	if a.renamed != "" {
		return a.renamed
	}
	return a.Demangled
}

// Heading is the section of a launch: heading and properties, no items.
func (a Launch) Heading() view.Section {
	s := view.Section{
		ID:    fmt.Sprint(a.ID),
		Title: a.Title(a.heading()),
		Group: a.Process.Heading(),
		Properties: []view.Property{
			{Name: "file", Value: view.String(a.File.Name)},
			{Name: "id", Value: view.Uint(uint64(a.ID), "")},
			{Name: "kernel", Value: view.String(a.FullName())},
			{Name: "function", Value: view.String(a.Function)},
			{Name: "mangled", Value: view.String(a.Mangled)},
			{Name: "process_id", Value: view.Uint(uint64(a.Process.ID), "")},
			{Name: "process", Value: view.String(a.Process.Executable())},
			{Name: "host", Value: view.String(a.Process.Host)},
			{Name: "context", Value: view.Uint(uint64(a.Context), "")},
			{Name: "stream", Value: view.Uint(uint64(a.Stream), "")},
			{Name: "device", Value: view.Uint(uint64(a.Device()), "")},
			{Name: "cc", Value: view.String(a.ComputeCapability())},
			{Name: "grid", Value: a.Size(a.Grid)},
			{Name: "block", Value: a.Size(a.Block)},
		},
	}
	if name := a.otherDevice(); name != "" {
		for i := range s.Properties {
			if s.Properties[i].Name == "cc" {
				s.Properties[i] = view.Property{Name: "device_name", Value: view.String(name)}
			}
		}
	}
	return s
}
