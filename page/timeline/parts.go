package timeline

import (
	"fmt"
	"path"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/stats/rcp"
)

// statsParts are the parts of the pages stats and analyze.
func statsParts(option string, rules bool) *page.Parts {
	return &page.Parts{
		Option:  option,
		Default: func(f *load.File) []string { return defaultParts(f, rules) },
		Help:    func(names []string) (string, error) { return partsHelp(rules, names) },
		Expand: func(names []string) ([]string, error) {
			var out []string
			if !rules {
				out, names = rcp.Split(names)
			}
			wanted, err := wantedReports(names, rules)
			if err != nil {
				return nil, page.Usagef("--%s: %v", option, err)
			}
			for _, w := range wanted {
				out = append(out, w.spec)
			}
			return out, nil
		},
	}
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
				return nil, fmt.Errorf("%w%s", err, spelling.Nearest(name, reportNames()))
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
			return nil, fmt.Errorf("no name matches %q", spec)
		}
	}
	return out, nil
}

func reportNames() []string {
	var out []string
	for _, r := range stats.Reports() {
		out = append(append(out, r.Name), r.Old...)
	}
	return out
}

// defaultReports are shown where none is asked for, as far as the file has data.
func defaultReports(rules bool) []string {
	if rules {
		return []string{"all"}
	}
	return []string{"nvtx_sum", "osrt_sum", "cuda_api_sum", "cuda_gpu_kern_sum", "cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum",
		"openmp_sum", "opengl_khr_range_sum", "opengl_khr_gpu_range_sum", "vulkan_marker_sum", "vulkan_gpu_marker_sum", "dx11_pix_sum",
		"dx12_gpu_marker_sum", "dx12_pix_sum", "wddm_queue_sum", "um_sum", "um_total_sum", "um_cpu_page_faults_sum", "openacc_sum", "syscall_sum"}
}

func defaultParts(f *load.File, rules bool) []string {
	if !rules && f.AMD != nil {
		return rcp.Names()
	}
	wanted, err := wantedReports(defaultReports(rules), rules)
	if err != nil {
		return nil
	}
	var out []string
	for _, w := range wanted {
		out = append(out, w.spec)
	}
	return out
}

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
