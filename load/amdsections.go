package load

import (
	"embed"
	"io/fs"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section"
)

// amdSectionFiles are the sections for counters of AMD GPUs. Reports of NVIDIA
// carry their sections; these stand in where a file has none.
//
//go:embed amd/*.section
var amdSectionFiles embed.FS

// amdStock parses the sections once; they are sound, as a test makes sure.
var amdStock = sync.OnceValues(func() ([]*ncurep.Section, error) {
	names, err := fs.Glob(amdSectionFiles, "amd/*.section")
	if err != nil {
		return nil, err
	}
	var out []*ncurep.Section
	for _, name := range names {
		b, err := amdSectionFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		def, _, err := section.ParseFile(name, string(b))
		if err != nil {
			return nil, err
		}
		out = append(out, def)
	}
	return out, nil
})

// amdSections are the sections of which an action has any metric, each with the
// metrics that it has, and one with the counters that none of them shows.
func amdSections(a *profile.Action) ([]*ncurep.Section, error) {
	all, err := amdStock()
	if err != nil {
		return nil, err
	}
	ms, err := a.Metrics()
	if err != nil {
		return nil, err
	}
	shown := map[string]bool{}
	var out []*ncurep.Section
	for _, def := range all {
		own := *def
		own.Header = &ncurep.SectionHeader{}
		for _, m := range def.Header.Metrics {
			shown[m.Name] = true
			if ms.Lookup(m.Name) != nil {
				own.Header.Metrics = append(own.Header.Metrics, m)
			}
		}
		if len(own.Header.Metrics) > 0 {
			out = append(out, &own)
		}
	}
	rest := &ncurep.SectionHeader{}
	for _, m := range ms.Sorted() {
		if !shown[m.Name] && !strings.HasPrefix(m.Name, "launch__") {
			rest.Metrics = append(rest.Metrics, &ncurep.SectionMetric{Name: m.Name})
		}
	}
	if len(rest.Metrics) > 0 {
		out = append(out, &ncurep.Section{Identifier: "AMDCounters", DisplayName: "Other Counters", Order: ncurep.Some(uint32(90)), Header: rest})
	}
	return out, nil
}
