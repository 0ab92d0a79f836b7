package page

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/view"
)

// groupLine is the heading of a process: "[pid] name@host".
func groupLine(p profile.Process) string {
	return fmt.Sprintf("[%d] %s@%s", p.ID, processName(p), p.Host)
}

// processName is the file name of the executable.
func processName(p profile.Process) string {
	if p.Name == "" { // reports of 2018 do not say
		return ""
	}
	return path.Base(strings.ReplaceAll(p.Name, `\`, "/"))
}

func dim(d [3]uint64) string {
	b := append(make([]byte, 0, 32), '(')
	for i, n := range d {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendUint(b, n, 10)
	}
	return string(append(b, ')'))
}

// architecture is ", CC 8.0", or the name of a device that has no compute
// capability.
func architecture(a launch) string {
	if name := otherDevice(a); name != "" {
		return ", " + name
	}
	return ", CC " + cc(a)
}

// otherDevice is the name of a device that has no compute capability, as AMD's
// and simulated ones; else "".
func otherDevice(a launch) string {
	if major, minor := a.CC(); major != 0 || minor != 0 {
		return ""
	}
	for _, d := range a.file.Report.Devices {
		if d.ID == a.Device() {
			return d.Name
		}
	}
	return ""
}

// cc is the compute capability, "" where there is no such thing.
func cc(a launch) string {
	if otherDevice(a) != "" {
		return ""
	}
	major, minor := a.CC()
	return fmt.Sprintf("%d.%d", major, minor)
}

// fullName is the demangled name, or what there is instead: names of kernels
// with C linkage have no other form.
func fullName(a *profile.Action) string {
	for _, n := range []string{a.Demangled, a.Function} {
		if n != "" {
			return n
		}
	}
	return a.Mangled
}

// kernelTitle is the line that names a launch.
func kernelTitle(a launch) string { return launchTitle(a, a.Demangled) }

// launchTitle is the line that names a launch of a kernel called name.
func launchTitle(a launch, name string) string {
	return fmt.Sprintf("%s %sx%s, Context %d, Stream %d, Device %d%s",
		name, dim(a.Grid), dim(a.Block), a.Context, a.Stream, a.Device(), architecture(a))
}

// kernelSection is the section of a launch: heading and properties, no items.
func kernelSection(a launch) view.Section {
	s := view.Section{
		ID:    fmt.Sprint(a.ID),
		Title: kernelTitle(a),
		Group: groupLine(a.Process),
		Properties: []view.Property{
			{Name: "file", Value: view.String(a.file.Name)},
			{Name: "id", Value: view.Uint(uint64(a.ID), "")},
			{Name: "kernel", Value: view.String(fullName(a.Action))},
			{Name: "function", Value: view.String(a.Function)},
			{Name: "mangled", Value: view.String(a.Mangled)},
			{Name: "process_id", Value: view.Uint(uint64(a.Process.ID), "")},
			{Name: "process", Value: view.String(processName(a.Process))},
			{Name: "host", Value: view.String(a.Process.Host)},
			{Name: "context", Value: view.Uint(uint64(a.Context), "")},
			{Name: "stream", Value: view.Uint(uint64(a.Stream), "")},
			{Name: "device", Value: view.Uint(uint64(a.Device()), "")},
			{Name: "cc", Value: view.String(cc(a))},
			{Name: "grid", Value: view.String(dim(a.Grid))},
			{Name: "block", Value: view.String(dim(a.Block))},
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
