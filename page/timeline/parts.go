package timeline

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/stats/rcp"
	"github.com/gpuprof/gpuprof/view"
)

// statsParts are the parts of the page stats.
var statsParts = &page.Parts{
	Option:     "report",
	TimeOption: "timeunit",
	Parse: func(specs []string) ([]page.Part, error) {
		amdNames, specs := rcp.Split(specs)
		var out []page.Part
		if len(amdNames) > 0 {
			out = amdParts(amdNames, true)
		}
		wanted, err := wantedReports(specs, false)
		if err != nil {
			return nil, page.Usagef("--report: %v", err)
		}
		return append(out, reportParts(wanted)...), nil
	},
	Default: func(f *load.File) []page.Part {
		if f.AMD != nil {
			return amdParts(nil, false)
		}
		wanted, _ := wantedReports(defaultReports, false) // of names that there are
		for i := range wanted {
			wanted[i].say = false
		}
		return reportParts(wanted)
	},
	Compose: func(q *page.Request, f *load.File, pieces []*page.Piece, asked bool) []view.Section {
		if len(pieces) == 0 && !asked {
			q.Notef("%s: there is nothing that a summary shows by default; 'gpuprof info' tells what is in the file", f.Name)
		}
		return sectionsOf(pieces)
	},
	Across: across,
	Help:   func(names []string) (string, error) { return partsHelp(false, names) },
}

// ruleParts are the parts of the page analyze.
var ruleParts = &page.Parts{
	Option:     "rule",
	TimeOption: "timeunit",
	Parse: func(specs []string) ([]page.Part, error) {
		wanted, err := wantedReports(specs, true)
		if err != nil {
			return nil, page.Usagef("--rule: %v", err)
		}
		return reportParts(wanted), nil
	},
	Default: func(*load.File) []page.Part {
		wanted, _ := wantedReports([]string{"all"}, true) // of names that there are
		return append(reportParts(wanted), page.Part{Spec: doubtsID, Build: doubts})
	},
	Compose: func(_ *page.Request, _ *load.File, pieces []*page.Piece, asked bool) []view.Section {
		all := sectionsOf(pieces)
		if !asked {
			byVerdict(all)
		}
		return all
	},
	Across: across,
	Help:   func(names []string) (string, error) { return partsHelp(true, names) },
}

func sectionsOf(pieces []*page.Piece) []view.Section {
	var out []view.Section
	for _, p := range pieces {
		out = append(out, p.Section)
	}
	return out
}

// reportParts are reports as parts.
func reportParts(wanted []wantedReport) []page.Part {
	inputs := map[*load.File]*input{}
	var out []page.Part
	for _, w := range wanted {
		out = append(out, page.Part{Spec: w.spec, Build: func(ctx context.Context, q *page.Request, f *load.File) (*page.Piece, error) {
			if err := checkTimeline(f); err != nil {
				return nil, err
			}
			in := inputs[f]
			if in == nil {
				var err error
				if in, err = inputOf(ctx, q, f); err != nil {
					return nil, err
				}
				inputs[f] = in
			}
			return w.build(ctx, q, f, in)
		}})
	}
	return out
}

// A wantedReport is a report that was asked for.
type wantedReport struct {
	spec   string
	report *stats.Report
	args   map[string]string
	say    bool // say why, where the file has nothing for it
}

// wantedReports parses the names of reports. A name with * or ? stands for all
// that match, all for every one; of those only what the file has data for is
// shown.
func wantedReports(specs []string, rules bool) ([]wantedReport, error) {
	var out []wantedReport
	for _, spec := range specs {
		name, args, _ := strings.Cut(spec, ":")
		if name == "all" {
			name = "*"
		}
		if !strings.ContainsAny(name, "*?[") {
			r, a, err := stats.Parse(spec)
			if err != nil && stats.Lookup(name) == nil {
				return nil, fmt.Errorf("%w%s%s", err, spelling.Nearest(name, reportNames()), whereListed(rules))
			}
			if err != nil {
				return nil, err
			}
			out = append(out, wantedReport{spec: spec, report: r, args: a, say: true})
			continue
		}
		n := len(out)
		for _, r := range stats.Reports() {
			ok, err := path.Match(name, r.Name)
			if err != nil {
				return nil, fmt.Errorf("%q is no pattern: %v", name, err)
			}
			if !ok || r.Rule != rules {
				continue
			}
			s := r.Name
			if args != "" {
				s += ":" + args
			}
			_, a, err := stats.Parse(s)
			if err != nil {
				continue // it has no such argument
			}
			out = append(out, wantedReport{spec: s, report: r, args: a, say: rules})
		}
		if len(out) == n {
			return nil, fmt.Errorf("no name matches %q%s", spec, whereListed(rules))
		}
	}
	return out, nil
}

// whereListed says which command lists the reports, or the rules.
func whereListed(rules bool) string {
	if rules {
		return "; 'gpuprof analyze --help-rules' lists them"
	}
	return "; 'gpuprof stats --help-reports' lists them"
}

func reportNames() []string {
	var out []string
	for _, r := range stats.Reports() {
		out = append(append(out, r.Name), r.Old...)
	}
	return out
}

// defaultReports are shown where none is asked for, as far as the file has data.
var defaultReports = []string{"nvtx_sum", "osrt_sum", "cuda_api_sum", "cuda_gpu_kern_sum", "cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum",
	"openmp_sum", "opengl_khr_range_sum", "opengl_khr_gpu_range_sum", "vulkan_marker_sum", "vulkan_gpu_marker_sum", "dx11_pix_sum",
	"dx12_gpu_marker_sum", "dx12_pix_sum", "wddm_queue_sum", "um_sum", "um_total_sum", "um_cpu_page_faults_sum", "openacc_sum", "syscall_sum"}

// usage is the name of a report with its arguments.
func usage(r *stats.Report) string {
	name := r.Name
	for _, a := range r.Args {
		if a.Value {
			name += "[:" + a.Name + "=N]"
		} else {
			name += "[:" + a.Name + "]"
		}
	}
	return name
}

// reportHelp lists the reports, or the rules.
func reportHelp(rules bool) string {
	var b strings.Builder
	for _, r := range stats.Reports() {
		if r.Rule == rules {
			helpItem(&b, usage(r), r.Short)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

const (
	helpWidth  = 80
	helpIndent = 28
)

// helpItem writes a name and what it is, within the width of a terminal.
func helpItem(b *strings.Builder, name, text string) {
	line := "  " + name
	if len(line) >= helpIndent {
		b.WriteString(line + "\n")
		line = ""
	}
	line += strings.Repeat(" ", helpIndent-len(line))
	n := len(line)
	b.WriteString(line)
	for i, w := range strings.Fields(text) {
		if i > 0 && n+1+len(w) > helpWidth {
			b.WriteString("\n" + strings.Repeat(" ", helpIndent))
			n, i = helpIndent, 0
		}
		if i > 0 {
			b.WriteByte(' ')
			n++
		}
		b.WriteString(w)
		n += len(w)
	}
	b.WriteByte('\n')
}

// partsHelp tells of reports or rules by name, of all for "ALL"; without names
// it lists them.
func partsHelp(rules bool, names []string) (string, error) {
	if len(names) == 0 {
		return reportHelp(rules) + "\n", nil
	}
	var b strings.Builder
	for _, name := range names {
		if strings.EqualFold(name, "all") {
			name = "*"
		}
		wanted, err := wantedReports([]string{name}, rules)
		if err != nil {
			return "", page.Usagef("%v; 'gpuprof help stats' and 'gpuprof help analyze' list the names", err)
		}
		for _, w := range wanted {
			tellReport(&b, w.report)
		}
	}
	return b.String(), nil
}

func tellReport(b *strings.Builder, r *stats.Report) {
	fmt.Fprintf(b, "%s -- %s\n", usage(r), r.Title)
	helpItem(b, "shows", r.Short)
	for _, a := range r.Args {
		help := a.Help
		if a.Default != "" {
			help += " (default " + a.Default + ")"
		}
		helpItem(b, ":"+a.Name, help)
	}
	if len(r.Old) > 0 {
		helpItem(b, "older names", strings.Join(r.Old, ", "))
	}
	b.WriteByte('\n')
}
