package profile

import (
	"fmt"
	"path"
	"strings"
)

// Heading is the heading of a process: "[pid] name@host".
func (p Process) Heading() string {
	return fmt.Sprintf("[%d] %s@%s", p.ID, p.Executable(), p.Host)
}

// Executable is the file name of the executable.
func (p Process) Executable() string {
	if p.Name == "" { // reports of 2018 do not say
		return ""
	}
	return path.Base(strings.ReplaceAll(p.Name, `\`, "/"))
}

// FullName is the demangled name, or what there is instead: names of kernels
// with C linkage have no other form.
func (a *Action) FullName() string {
	for _, n := range []string{a.Demangled, a.Function} {
		if n != "" {
			return n
		}
	}
	return a.Mangled
}

// NameAs is the name of the kernel in one of the forms of --kernel-name-base.
func (a *Action) NameAs(base string) string {
	switch base {
	case "demangled":
		return a.FullName()
	case "mangled":
		return a.Mangled
	}
	return a.Function
}
