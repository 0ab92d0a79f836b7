package page

import (
	"fmt"
	"strconv"

	"github.com/gpuprof/gpuprof/view"
)

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
func Architecture(a Launch) string {
	if name := otherDevice(a); name != "" {
		return ", " + name
	}
	return ", CC " + ComputeCapability(a)
}

// otherDevice is the name of a device that has no compute capability, as AMD's
// and simulated ones; else "".
func otherDevice(a Launch) string {
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
func ComputeCapability(a Launch) string {
	if otherDevice(a) != "" {
		return ""
	}
	major, minor := a.CC()
	return fmt.Sprintf("%d.%d", major, minor)
}

// kernelTitle is the line that names a launch.
func kernelTitle(a Launch) string { return LaunchTitle(a, a.Demangled) }

// LaunchTitle is the line that names a launch of a kernel called name.
func LaunchTitle(a Launch, name string) string {
	return fmt.Sprintf("%s %sx%s, Context %d, Stream %d, Device %d%s",
		name, Dim(a.Grid), Dim(a.Block), a.Context, a.Stream, a.Device(), Architecture(a))
}

// LaunchSection is the section of a launch: heading and properties, no items.
func LaunchSection(a Launch) view.Section {
	s := view.Section{
		ID:    fmt.Sprint(a.ID),
		Title: kernelTitle(a),
		Group: a.Process.Heading(),
		Properties: []view.Property{
			{Name: "file", Value: view.String(a.File.Name)},
			{Name: "id", Value: view.Uint(uint64(a.ID), "")},
			{Name: "kernel", Value: view.String(a.Action.FullName())},
			{Name: "function", Value: view.String(a.Function)},
			{Name: "mangled", Value: view.String(a.Mangled)},
			{Name: "process_id", Value: view.Uint(uint64(a.Process.ID), "")},
			{Name: "process", Value: view.String(a.Process.Executable())},
			{Name: "host", Value: view.String(a.Process.Host)},
			{Name: "context", Value: view.Uint(uint64(a.Context), "")},
			{Name: "stream", Value: view.Uint(uint64(a.Stream), "")},
			{Name: "device", Value: view.Uint(uint64(a.Device()), "")},
			{Name: "cc", Value: view.String(ComputeCapability(a))},
			{Name: "grid", Value: view.String(Dim(a.Grid))},
			{Name: "block", Value: view.String(Dim(a.Block))},
		},
	}
	if name := otherDevice(a); name != "" {
		for i := range s.Properties {
			if s.Properties[i].Name == "cc" {
				s.Properties[i] = view.Property{Name: "device_name", Value: view.String(name)}
			}
		}
	}
	return s
}
