package rule

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
)

// A Finding is the result of a rule about a launch.
type Finding struct {
	Report string // file name
	Kernel string
	Launch int
	Result profile.RuleResult
}

// WriteSARIF writes findings as a log of the Static Analysis Results Interchange
// Format 2.1.0, which code hosts show beside the lines of a change. A message is
// a result at the kernel; a marker is one at its line of source.
func WriteSARIF(w io.Writer, version string, findings []Finding) error {
	run := sarifRun{Tool: sarifTool{Driver: sarifDriver{Name: "gpuprof", Version: version}}, Results: []sarifResult{}}
	known := map[string]bool{}
	for i := range findings {
		f := &findings[i]
		if !known[f.Result.Identifier] {
			known[f.Result.Identifier] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: f.Result.Identifier, Short: sarifText{cmp.Or(f.Result.DisplayName, f.Result.Identifier)}})
		}
		run.Results = append(run.Results, sarifResults(f)...)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

func sarifResults(f *Finding) []sarifResult {
	var out []sarifResult
	kernel := sarifLocation{Logical: []sarifLogical{{Name: f.Kernel, Kind: "function"}}}
	for _, m := range f.Result.Messages {
		r := sarifResult{RuleID: f.Result.Identifier, Level: sarifLevel(m.Type), Message: sarifText{sarifMessage(m)},
			Locations: []sarifLocation{kernel}, Properties: map[string]any{"report": f.Report, "launch": f.Launch}}
		if m.Speedup != nil {
			r.Properties["estimatedSpeedupPercent"] = m.Speedup.Percent
			r.Properties["speedupIsGlobal"] = m.Speedup.Type == profile.SpeedupGlobal
			r.Rank = m.Speedup.Percent
		}
		out = append(out, r)
	}
	for _, m := range f.Result.Markers {
		if !m.Source || m.Line == 0 {
			continue // an address says nothing to a code host
		}
		at := kernel
		at.Physical = &sarifPhysical{Artifact: sarifArtifact{URI: artifactURI(m.File)}, Region: sarifRegion{StartLine: m.Line}}
		out = append(out, sarifResult{RuleID: f.Result.Identifier, Level: sarifLevel(m.Type), Message: sarifText{PlainText(m.Text)},
			Locations: []sarifLocation{at}, Properties: map[string]any{"report": f.Report, "launch": f.Launch}})
	}
	return out
}

// artifactURI is the path of a source file, of any system, as a URI without the
// root: what it is relative to the reader has to know.
func artifactURI(file string) string {
	p := strings.ReplaceAll(file, "\\", "/")
	if len(p) > 2 && p[1:3] == ":/" { // a drive
		p = p[2:]
	}
	return (&url.URL{Path: strings.TrimLeft(p, "/")}).String()
}

func sarifMessage(m profile.RuleMessage) string {
	if m.Name == "" {
		return PlainText(m.Text)
	}
	return fmt.Sprintf("%s: %s", m.Name, PlainText(m.Text))
}

func sarifLevel(t profile.MessageType) string {
	switch t {
	case profile.MessageError:
		return "error"
	case profile.MessageWarning, profile.MessageOptimization:
		return "warning"
	}
	return "note"
}

// The records of the format, by its names.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules,omitempty"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID     string          `json:"ruleId"`
		Level      string          `json:"level"`
		Message    sarifText       `json:"message"`
		Locations  []sarifLocation `json:"locations"`
		Rank       float64         `json:"rank,omitempty"`
		Properties map[string]any  `json:"properties"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine uint32 `json:"startLine"`
	}
)
