package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string      `xml:"name,attr"`
	Tests      int         `xml:"tests,attr"`
	Failures   int         `xml:"failures,attr"`
	Errors     int         `xml:"errors,attr"`
	Skipped    int         `xml:"skipped,attr"`
	Time       string      `xml:"time,attr"` // of the test run, which is none: never a GPU time
	Properties *junitProps `xml:"properties,omitempty"`
	Cases      []junitCase `xml:"testcase"`
}

type junitProps struct {
	List []junitProp `xml:"property"`
}

type junitProp struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure,omitempty"`
	Error   *junitProblem `xml:"error,omitempty"`
	Skipped *junitSkipped `xml:"skipped,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Body    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// JUnit writes the report as test results: a suite for each section of the
// policy, a case for each limit of each kernel. Times of cases are zero: they
// would be those of the test, not of the GPU.
func (r *Report) JUnit(w io.Writer) error {
	all := junitSuites{Name: "gpuprof check"}
	for _, section := range r.sections() {
		s := junitSuite{Name: section, Time: "0", Properties: &junitProps{[]junitProp{
			{"old runs", strconv.Itoa(r.Old)}, {"new runs", strconv.Itoa(r.New)},
			{"alpha", fmt.Sprint(r.Policy.Defaults.Alpha)}, {"threshold", r.Policy.Defaults.MaxIncrease.String()}}}}
		names := map[[2]string]int{}
		for i := range r.Results {
			x := &r.Results[i]
			if x.Section != section {
				continue
			}
			c := junitCase{Class: className(x), Name: caseName(x), Time: "0"}
			key := [2]string{c.Class, c.Name}
			if names[key]++; names[key] > 1 {
				c.Name += " #" + strconv.Itoa(names[key])
			}
			problem := &junitProblem{Message: x.Text, Type: string(x.Rule), Body: x.body()}
			switch x.Status {
			case Broken, NotComparable:
				c.Failure = problem
				s.Failures++
			case Undecided:
				problem.Type = "undecided"
				c.Failure = problem
				s.Failures++
			case Missing:
				c.Error = problem
				s.Errors++
			case Warning:
				c.Skipped = &junitSkipped{x.Text}
				s.Skipped++
			}
			s.Tests++
			s.Cases = append(s.Cases, c)
		}
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// sections are the sections that have results, in the order of the policy.
func (r *Report) sections() []string {
	var out []string
	for _, s := range []string{"kernels", "timeline", "benchmarks", string(compare.Launches)} {
		for i := range r.Results {
			if r.Results[i].Section == s {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// className is the kernel with its launch.
func className(x *Result) string {
	if x.Launch != "" {
		return x.Name + " " + x.Launch
	}
	if x.Name == "" {
		return x.Section
	}
	return x.Name
}

func caseName(x *Result) string {
	parts := []string{x.Metric, x.Limit}
	if x.Metric == "" {
		parts[0] = string(x.Rule)
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

// body is a result at length: the values of each run.
func (x *Result) body() string {
	var b strings.Builder
	b.WriteString(x.Text + "\n")
	if x.Change == nil {
		return b.String()
	}
	for _, side := range []struct {
		name   string
		values []float64
	}{{"old", x.Change.Old}, {"new", x.Change.New}} {
		b.WriteString(side.name + ":")
		for _, v := range side.values {
			s, _, unit := compare.Scaled(v, v, x.Change.Unit)
			b.WriteString(" " + strings.TrimSpace(s+" "+unit))
		}
		b.WriteString("\n")
	}
	for _, d := range x.why() {
		b.WriteString(d + "\n")
	}
	return b.String()
}

// why is what goes with a broken limit, in a few words each.
func (x *Result) why() []string {
	if x.Row == nil || x.Related == nil || x.Row.OldEntity() == nil || x.Row.NewEntity() == nil {
		return nil
	}
	var out []string
	for _, d := range x.Related.With(x.Row, false) {
		out = append(out, d.Text())
	}
	if x.Row.Cycles.Ratio.OK {
		out = append(out, "cycles "+compare.Percent(x.Row.Cycles.Ratio.Value)+", clock "+compare.Percent(x.Row.Clock.Ratio.Value))
	}
	return out
}
