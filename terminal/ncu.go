package terminal

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/page"
)

// importFlag lets users of ncu keep their habit: gpuprof -i FILE --page raw. What they
// may say about reports is the flags of the root command; what is about collecting is
// known and answered with a sentence. A file alone opens the page details.
func (a *App) importFlag(root *cobra.Command) {
	p := a.Pages.Lookup("details")
	values := declare(root.Flags(), a.importOptions(p))
	a.openFlags(root.Flags(), p)
	out := outputFlags(root.Flags(), p)
	n := &ncuFlags{App: a, details: p, values: values, out: out}
	fs := root.Flags()
	fs.StringVarP(&n.file, "import", "i", "", "open this report, as ncu does; --page chooses the page")
	n.declare(fs)
	n.lists = a.listFlags(fs)
	root.RunE = n.run
	fs.VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name != "import" })
}

// ncuFlags are the flags of ncu that are no option of a page.
type ncuFlags struct {
	*App
	details *page.Page
	values  func() map[string][]string
	out     *output
	lists   func() *page.Page

	file, export, logFile, config, configPath string
	detailsAll, quiet                         bool
	old                                       map[string]*string // older spellings of options
}

// olderFlags are spellings of earlier versions, and the options that they became.
var olderFlags = map[string]string{
	"kernel-regex": "kernel-name", "kernel-regex-base": "kernel-name-base", "kernel-base": "print-kernel-base",
	"units": "print-units", "summary": "print-summary",
}

// collecting are the flags of ncu that say how to collect, and whether they take a
// value.
var collecting = map[string]bool{
	"replay-mode": true, "app-replay-buffer": true, "app-replay-match": true, "app-replay-mode": true, "range-replay-options": true,
	"graph-profiling": true, "clock-control": true, "cache-control": true, "pipeline-boost-state": true, "mode": true, "hostname": true, "port": true, "max-connections": true,
	"target-processes": true, "target-processes-filter": true, "profile-from-start": true, "kill": true, "devices": true, "filter-mode": true,
	"pm-sampling-interval": true, "pm-sampling-buffer-size": true, "pm-sampling-max-passes": true, "warp-sampling-interval": true,
	"warp-sampling-max-passes": true, "warp-sampling-buffer-size": true, "sampling-interval": true, "sampling-buffer-size": true,
	"sampling-max-passes": true, "import-source": true, "import-sass": true, "source-folders": true, "call-stack": false, "call-stack-type": true,
	"check-exit-code": true, "injection-path-32": true, "injection-path-64": true, "preload-library": true, "support-32bit": false, "null-stdin": false,
	"disable-profiler-start-stop": false, "disable-extra-suffixes": false, "lockstep-kernel-launch": false, "communicator": true,
	"lockstep-launch-timeout": true, "nvtx-push-pop-scope": true, "set-environment": true, "verbose": false, "section-folder-restore": false,
	"query-metrics-collection": true,
}

// harmless are flags that say nothing about a report that is there.
var harmless = map[string]string{
	"nvtx": "taken as it is: reports hold their NVTX ranges", "open-in-ui": "taken as it is: 'gpuprof open' shows reports in a browser",
}

func (n *ncuFlags) declare(fs *pflag.FlagSet) {
	fs.StringVar(&n.export, "export", "", "write the launches to this report")
	fs.StringVar(&n.logFile, "log-file", "", "write the output to `FILE`, stdout or stderr")
	fs.StringVar(&n.config, "config-file", "on", "`on|off` read config.ncu-cfg")
	fs.StringVar(&n.configPath, "config-file-path", "", "read this file, or config.ncu-cfg in this folder")
	fs.BoolVar(&n.detailsAll, "details-all", false, "the same as --print-details all")
	fs.BoolVar(&n.quiet, "quiet", false, "print no notes")
	n.old = map[string]*string{}
	for old, now := range olderFlags {
		n.old[old] = fs.String(old, "", "older spelling of --"+now)
	}
	fs.Bool("fp", false, "older spelling of --print-fp")
	for name, what := range harmless {
		fs.Bool(name, false, what)
	}
	for name, valued := range collecting {
		if valued {
			fs.String(name, "", "about collecting")
		} else {
			fs.Bool(name, false, "about collecting")
		}
	}
}

// asked are the option values that the flags stand for.
func (n *ncuFlags) asked(fs *pflag.FlagSet) map[string][]string {
	values := n.values()
	for old, v := range n.old {
		if !fs.Changed(old) {
			continue
		}
		value := *v
		if old == "kernel-regex" {
			value = "regex:" + value
		}
		values[olderFlags[old]] = append(values[olderFlags[old]], value)
	}
	if n.detailsAll {
		values["print-details"] = []string{"all"}
	}
	if fs.Changed("fp") {
		values["print-fp"] = []string{"true"}
	}
	return values
}

func (n *ncuFlags) run(c *cobra.Command, args []string) error {
	fs := c.Flags()
	files := args
	if n.file != "" {
		files = []string{n.file}
	}
	if l := n.lists(); l != nil {
		files = slices.Concat(files, args[:len(args)*min(1, len(n.file))])
		if l.MaxArgs == 0 && len(files) > 0 {
			return misuse("operand %q: the list of %s has none", files[0], l.Name)
		}
		return n.do(c.Context(), l, files, n.values(), n.out.asked())
	}
	if n.file == "" {
		if err := n.operands(c, args); err != nil || len(args) == 0 {
			return err
		}
	} else if len(args) > 0 {
		return misuse("operand %q beside --import", args[0])
	}
	if err := n.configure(fs); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(collecting)) {
		if fs.Changed(name) && !n.quiet {
			fmt.Fprintf(n.Stderr, "gpuprof: --%s is about collecting and changes nothing in a report\n", name)
		}
	}
	return n.show(c.Context(), fs, files)
}

// operands is an error unless the operands are files, or there are none: then there is
// help.
func (n *ncuFlags) operands(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		for _, name := range slices.Sorted(maps.Keys(collecting)) {
			if c.Flags().Changed(name) {
				return misuse("--%s: gpuprof reads what ncu has collected and collects nothing itself: expected --import FILE", name)
			}
		}
		return c.Help()
	}
	for _, name := range slices.Sorted(maps.Keys(collecting)) {
		if c.Flags().Changed(name) {
			return misuse("--%s %s: gpuprof reads what ncu has collected and collects nothing itself", name, args[0])
		}
	}
	for _, name := range args {
		st, err := os.Stat(name)
		switch {
		case name == "-" || err == nil && !st.IsDir():
		case filepath.Ext(name) != "" || strings.ContainsRune(name, filepath.Separator):
			if err == nil {
				err = fmt.Errorf("%s: expected a file, found a folder", name)
			}
			return page.Unread(err)
		default:
			return misuse("%q is neither a command nor a file%s", name, spelling.Nearest(name, commandNames(c)))
		}
	}
	return nil
}

// show shows the pages that the flags ask for, or writes a report.
func (n *ncuFlags) show(ctx context.Context, fs *pflag.FlagSet, files []string) error {
	values, out := n.asked(fs), n.out.asked()
	if n.quiet {
		defer func(w io.Writer) { n.Stderr = w }(n.Stderr)
		n.Stderr = io.Discard
	}
	printed := fs.Changed("page") || fs.Changed("csv") || fs.Changed("format") || n.logFile != ""
	export := n.export
	if o := out.outputs[0]; export == "" && o != "" && o != "-" && (filepath.Ext(o) == "" || strings.HasSuffix(o, ".ncu-rep") || strings.Contains(o, "%")) {
		export, out.outputs = o, []string{""}
	}
	if export != "" {
		to := out
		name, err := reportName(export)
		if err != nil {
			return err
		}
		to.outputs = []string{name}
		if err := n.do(ctx, n.details, files, without(values, "page"), to); err != nil || !printed {
			return err
		}
	}
	switch n.logFile {
	case "", "stdout":
	case "stderr":
		n.Stdout = n.terminal
	default:
		out.outputs = []string{n.logFile}
	}
	if p := values["page"]; len(p) == 0 || p[len(p)-1] != "all" {
		return n.do(ctx, n.details, files, values, out)
	}
	for _, name := range n.details.Option("page").Values {
		if name == "all" {
			continue
		}
		if err := n.do(ctx, n.Pages.Lookup(name), files, without(values, "page"), out); err != nil {
			return err
		}
		if name == "details" && n.logFile != "" && out.outputs[0] != "" {
			return misuse("--page all: a file takes one page; --log-file stdout takes all")
		}
	}
	return nil
}

func without(values map[string][]string, name string) map[string][]string {
	out := maps.Clone(values)
	delete(out, name)
	return out
}

// reportName is the name of a report as --export takes it: %i is the least number that
// makes the name a new one, %h the host, %p the process, %q{NAME} a variable of the
// environment, %% a percent sign. The ending .ncu-rep is added where there is none.
func reportName(s string) (string, error) {
	if filepath.Ext(s) != ".ncu-rep" && filepath.Ext(s) != ".nsight-cuprof-report" {
		s += ".ncu-rep"
	}
	var b strings.Builder
	numbered := false
	for i := 0; i < len(s); i++ {
		if s[i] != '%' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'h':
			host, err := os.Hostname()
			if err != nil {
				return "", misuse("--export: %%h: %v", err)
			}
			b.WriteString(host)
		case 'p':
			b.WriteString(strconv.Itoa(os.Getpid()))
		case 'i':
			numbered = true
			b.WriteString("%i")
		case 'q':
			name, rest, ok := strings.Cut(s[i+1:], "}")
			if !ok || !strings.HasPrefix(name, "{") {
				return "", misuse("--export: %q: expected %%q{NAME}", s)
			}
			b.WriteString(os.Getenv(name[1:]))
			i = len(s) - len(rest) - 1
		case '%':
			b.WriteByte('%')
		default:
			return "", misuse("--export: %q: expected %%h, %%i, %%p, %%q{NAME} or %%%%, found %%%c", s, s[i])
		}
	}
	if !numbered {
		return b.String(), nil
	}
	for i := 0; i < 1<<20; i++ {
		name := strings.ReplaceAll(b.String(), "%i", strconv.Itoa(i))
		if _, err := os.Lstat(name); os.IsNotExist(err) {
			return name, nil
		}
	}
	return "", misuse("--export: %q: all numbers are taken", s)
}

// listFlags are ncu's flags that list things, each the name of a page. The
// function that it returns tells which was given, nil for none.
func (a *App) listFlags(fs *pflag.FlagSet) func() *page.Page {
	names := []struct{ flag, page string }{
		{"list-sections", "sections"}, {"list-sets", "sets"}, {"list-rules", "rules"}, {"query-metrics", "metrics"},
		{"list-metrics", "metrics"}, {"list-chips", "chips"},
	}
	for _, n := range names {
		if fs.Lookup(n.flag) == nil {
			fs.Bool(n.flag, false, "the same as the command "+n.page)
		}
	}
	return func() *page.Page {
		for _, n := range names {
			if f := fs.Lookup(n.flag); f.Changed && f.Value.String() == "true" {
				return a.Pages.Lookup(n.page)
			}
		}
		return nil
	}
}
