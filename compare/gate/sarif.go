package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"net/url"
	"path/filepath"
	"strings"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
	Columns string        `json:"columnKind"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	URI   string      `json:"informationUri"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule         string            `json:"ruleId"`
	Index        int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Kind         string            `json:"kind,omitempty"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   map[string]any    `json:"properties,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	Line int `json:"startLine"`
}

// SARIF writes what a person has to look at as SARIF 2.1.0. A result lies where
// the report has the source of the kernel, else at the line of the policy that
// it comes from. Its fingerprint has no numbers, so that it stays one alert.
func (r *Report) SARIF(w io.Writer) error {
	run := sarifRun{Columns: "utf16CodeUnits", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "gpuprof", URI: "https://github.com/gpuprof/gpuprof"}
	index := map[Rule]int{}
	for i, x := range rules {
		index[x.Rule] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(x.Rule), sarifText{x.Text}})
	}
	for i := range r.Results {
		x := &r.Results[i]
		level := levels[x.Status]
		if level == "" {
			continue
		}
		s := sarifResult{Rule: string(x.Rule), Index: index[x.Rule], Level: level, Message: sarifText{className(x) + ": " + x.Text},
			Fingerprints: map[string]string{"gpuprof/v1": fingerprint(x)}}
		file, line := r.place(x)
		s.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{fileURI(file)}, sarifRegion{max(1, line)}}}}
		s.Properties = properties(x)
		run.Results = append(run.Results, s)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// levels are SARIF's words for what a person has to look at.
var levels = map[Status]string{Broken: "error", Missing: "error", NotComparable: "error", Undecided: "warning", Warning: "warning", NotClear: "note", Note: "note"}

// place is where a result lies: in the source, else in the policy.
func (r *Report) place(x *Result) (file string, line int) {
	if x.File != "" && !filepath.IsAbs(x.File) {
		return x.File, x.Line
	}
	return r.Policy.File, x.Policy.Line
}

func fileURI(name string) string {
	u := url.URL{Path: strings.ReplaceAll(name, `\`, "/")}
	s := u.String()
	if s == "" {
		return "policy"
	}
	return strings.TrimPrefix(s, "./")
}

func fingerprint(x *Result) string {
	h := sha256.Sum256([]byte(string(x.Rule) + "\x00" + x.Name + "\x00" + x.Metric))
	return hex.EncodeToString(h[:16])
}

func properties(x *Result) map[string]any {
	p := map[string]any{"kernel": x.Name}
	if x.Metric != "" {
		p["metric"] = x.Metric
	}
	if x.Limit != "" {
		p["limit"] = x.Limit
	}
	if x.Change == nil {
		return p
	}
	old, new := x.Change.Medians()
	for k, v := range map[string]float64{"old": old, "new": new, "ratio": x.Change.Ratio.Value, "ratioLow": x.Change.Ratio.Low, "ratioHigh": x.Change.Ratio.High, "p": x.Change.P} {
		if !math.IsNaN(v) && !math.IsInf(v, 0) && (x.Change.Ratio.Interval.OK || !strings.HasPrefix(k, "ratioL") && !strings.HasPrefix(k, "ratioH")) {
			p[k] = v
		}
	}
	return p
}
