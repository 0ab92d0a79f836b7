package profile

import (
	"fmt"
	"time"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// A Report is what a profiler recorded in one file.
type Report struct {
	File      string // name as given by the user
	Format    string // "Nsight Compute report", ...
	Tool      string // version of the tool that wrote it; "" if the file does not say
	Created   time.Time
	Ranges    []Range
	Session   Session
	Devices   []Device
	Processes []Process
	Problems  []Problem // what could not be read; everything else is sound
}

// A Problem is a part of a file that could not be read.
type Problem struct {
	Offset int64
	Text   string
}

// A Range groups actions, such as the launches in one CUDA stream. Nsight
// Compute puts all launches of a report into one range.
type Range struct {
	ID      int
	Actions []*Action
}

// Actions returns the actions of all ranges in file order.
func (r *Report) Actions() []*Action {
	if len(r.Ranges) == 1 {
		return r.Ranges[0].Actions
	}
	var all []*Action
	for i := range r.Ranges {
		all = append(all, r.Ranges[i].Actions...)
	}
	return all
}

// A Process is a process that was profiled.
type Process struct {
	ID   uint32
	Name string // path of the executable
	Host string
}

// A Session tells how and where the report was made: tables of names and
// values in the order in which they are shown.
type Session struct {
	Launch []Attribute // command line and settings
	Info   []Attribute // creation time, host, target, versions
}

// An Attribute is a named text.
type Attribute struct{ Name, Value string }

// A Device is a GPU with its attributes as the driver reports them.
type Device struct {
	ID         int
	Name       string
	Attributes []DeviceAttribute
}

// A DeviceAttribute is a property of a GPU, such as multiprocessor_count.
type DeviceAttribute struct {
	Name  string
	Value metric.Value
}

// CheckValid reports the first thing in r that no sound report can hold. It
// loads every action.
func (r *Report) CheckValid() error {
	for _, a := range r.Actions() {
		if err := a.checkValid(); err != nil {
			return fmt.Errorf("%s: action %d (%s): %w", r.File, a.ID, a.Function, err)
		}
	}
	return nil
}
