package page

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/choose"
	"github.com/gpuprof/gpuprof/section"
)

// FolderOptions say where section files and rules are looked for.
var FolderOptions = []Option{
	{Name: "section-folder", Kind: List, NoComma: true, Arg: "DIR", Help: "use the section files and rules of this folder; repeat for more, the first is the nearest"},
	{Name: "section-folder-recursive", Kind: List, NoComma: true, Arg: "DIR", Help: "the same, with the folders below it"},
	{Name: "only", Kind: Flag, Help: "show the sections of the folders alone, not beside those of the report"},
}

// SectionOptions choose the sections of launches.
var SectionOptions = []Option{
	{Name: "section", Remote: true, Kind: List, NoComma: true, Arg: "ID",
		Help: "only sections of this identifier, or with regex:EXPR of identifiers that EXPR matches as a whole"},
	{Name: "set", Remote: true, Kind: List, Arg: "SET",
		Help: "show the sections of this set in place of those that the report carries; 'gpuprof sets' lists them"},
}

// sectionFolders is the search path: the folders asked for, then the user's own
// configuration. The sections that come with gpuprof follow by themselves. A folder
// asked for that is not there is a mistake of the request.
func sectionFolders(q *Request) ([]section.Folder, error) {
	var out []section.Folder
	for _, option := range []string{"section-folder", "section-folder-recursive"} {
		for _, d := range q.List(option) {
			switch st, err := os.Stat(d); {
			case err != nil:
				return nil, Usagef("--%s: %v", option, err)
			case !st.IsDir():
				return nil, Usagef("--%s: %s: expected a folder, found a file", option, d)
			}
			out = append(out, section.Folder{Path: d, Recursive: option == "section-folder-recursive"})
		}
	}
	if base, err := os.UserConfigDir(); err == nil {
		own := filepath.Join(base, "gpuprof", "sections")
		if st, err := os.Stat(own); err == nil && st.IsDir() {
			out = append(out, section.Folder{Path: own, Recursive: true})
		}
	}
	return out, nil
}

// SectionLibrary reads the sections of the search path of q.
func SectionLibrary(q *Request) (*section.Library, error) {
	folders, err := sectionFolders(q)
	if err != nil {
		return nil, err
	}
	return section.Load(folders), nil
}

// A SectionChoice is the sections that a request asks for: those that reports
// carry, or others from section files.
type SectionChoice struct {
	q        *Request
	sections []choose.Name    // of --section; names match as a whole
	Chosen   []section.Found  // from section files; nil: those that the report carries
	Deriver  *section.Deriver // of Chosen; nil if they derive nothing
	Own      map[string]bool  // names of the metrics that Chosen derives
	told     map[string]bool  // problems of derived and required metrics noted
	adds     bool             // Chosen stand beside those that the report carries

	First *section.Definition // stands before all others, and alone unless --section is given; nil: none
}

// ChooseSections reads --section, --set and the folders of q, as far as the page
// has these options.
func ChooseSections(q *Request) (*SectionChoice, error) {
	d := &SectionChoice{q: q}
	var err error
	if d.sections, err = section.ParsePatterns(q.List("section")); err != nil {
		return nil, Usagef("%v", err)
	}
	if err = d.chooseLibrary(); err != nil {
		return nil, err
	}
	for _, f := range d.Chosen {
		for _, w := range f.Warnings {
			d.NoteOnce("warning: " + w.String())
		}
	}
	d.newDeriver()
	return d, nil
}

// chooseLibrary takes the sections to show from section files where --set or a
// folder asks for that: those of the sets, else those that --section names, else
// all of the folders.
func (d *SectionChoice) chooseLibrary() error {
	q := d.q
	folders := len(q.List("section-folder")) + len(q.List("section-folder-recursive"))
	if folders == 0 && !q.Given("set") {
		return nil
	}
	l, err := SectionLibrary(q)
	if err != nil {
		return err
	}
	for _, err := range l.Failed {
		q.Notef("%v", err)
	}
	d.Chosen = []section.Found{}
	d.adds = folders > 0 && !q.Given("set") && !q.Flag("only")
	switch {
	case d.adds && len(d.sections) > 0: // Met tells of those that are nowhere
		for _, f := range l.Sections {
			if choose.MatchAny(d.sections, f.Identifier) {
				d.Chosen = append(d.Chosen, f)
			}
		}
		return nil
	case q.Given("set") || len(d.sections) > 0:
		if d.Chosen, err = l.Choose(q.List("section"), q.List("set")); err != nil {
			return Usagef("%v", err)
		}
		return nil
	}
	for _, f := range l.Sections {
		if f.Folder < folders {
			d.Chosen = append(d.Chosen, f)
		}
	}
	if len(d.Chosen) == 0 { // a folder of rules
		d.Chosen = nil
	}
	return nil
}

// Target is what section filters look at.
func (d *SectionChoice) Target(l Launch) section.Target {
	major, minor := l.CC()
	t := section.Target{Arch: 10*major + minor}
	if d.q.Compat2024() {
		t.Known = section.Known2024
		if !slices.Contains(t.Known, t.Arch) {
			t.Arch = 50 // what that version takes a GPU for that it does not know
		}
	}
	return t
}

// Definitions are the sections to show for a launch in the order of the page.
func (d *SectionChoice) Definitions(l Launch) []*section.Definition {
	if d.First != nil && len(d.sections) == 0 {
		return []*section.Definition{d.First}
	}
	var out []*section.Definition
	for _, f := range d.Chosen {
		out = append(out, f.Definition)
	}
	if d.Chosen == nil || d.adds {
		all, err := l.File.Report.Sections(l.Action)
		d.q.Damage(err)
		for _, s := range all {
			shadowed := slices.ContainsFunc(d.Chosen, func(f section.Found) bool { return f.Identifier == s.Identifier })
			if !shadowed && (len(d.sections) == 0 || choose.MatchAny(d.sections, s.Identifier)) {
				out = append(out, s)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *section.Definition) int {
		return cmp.Or(cmp.Compare(a.Order.Or(0), b.Order.Or(0)), cmp.Compare(a.DisplayName, b.DisplayName))
	})
	if d.First != nil {
		out = slices.Insert(out, 0, d.First)
	}
	return out
}

// Met is an error of the request if --section names a section, or an expression,
// that no launch has. It looks at launches until all are met.
func (d *SectionChoice) Met(launches []Launch) error {
	if d.Chosen != nil && !d.adds || len(d.sections) == 0 || len(launches) == 0 {
		return nil
	}
	met := make([]bool, len(d.sections))
	open, have := len(met), map[string]bool{}
	for i, p := range d.sections {
		for _, f := range d.Chosen {
			if p.Match(f.Identifier) && !met[i] {
				met[i] = true
				open--
			}
		}
	}
	for _, l := range launches {
		all, _ := l.File.Report.Sections(l.Action) // Definitions tells of errors
		for _, s := range all {
			have[s.Identifier] = true
			for i, p := range d.sections {
				if !met[i] && p.Match(s.Identifier) {
					met[i] = true
					open--
				}
			}
		}
		if open == 0 {
			return nil
		}
	}
	asked := d.q.List("section")[slices.Index(met, false)]
	names := slices.Sorted(maps.Keys(have))
	if len(names) == 0 {
		return Usagef("--section: no launch has a section %q, or any; --set takes those of gpuprof", asked)
	}
	hint := ""
	if strings.HasPrefix(asked, "regex:") {
		hint = " (an expression matches the whole identifier)"
	}
	for _, f := range section.Load(nil).Sections {
		if f.Identifier == asked {
			hint = "; gpuprof has one of its own, which --section-folder or --set adds"
		}
	}
	return Usagef("--section: no launch has a section %q%s%s; there are %s", asked, spelling.Nearest(asked, names), hint, strings.Join(names, ", "))
}

// newDeriver makes what computes the derived metrics of the chosen sections. A
// report holds those of its own sections.
func (d *SectionChoice) newDeriver() {
	var defs []*section.Definition
	d.Own = map[string]bool{}
	for _, f := range d.Chosen {
		if f.Definitions != nil {
			defs = append(defs, f.Definition)
			for _, m := range f.Definitions.Definitions {
				d.Own[m.Name] = true
			}
		}
	}
	if len(defs) > 0 {
		d.Deriver = section.NewDeriver(defs, section.DeriveOptions{})
	}
}

// Derived adds the derived metrics of the chosen sections to those of a launch.
// What cannot be computed is noted once.
func (d *SectionChoice) Derived(t section.Target, ms *profile.MetricSet) *profile.MetricSet {
	out := d.Deriver.Derive(t, ms)
	for _, p := range out.Problems {
		d.NoteOnce(p.Error())
	}
	return out.Metrics
}

// NoteOnce notes a text unless it was noted before.
func (d *SectionChoice) NoteOnce(text string) {
	if d.told[text] {
		return
	}
	if d.told == nil {
		d.told = map[string]bool{}
	}
	d.told[text] = true
	d.q.Notef("%s", text)
}

// Prepare adds what the chosen sections derive to a launch, and their
// identifiers to sections.
func (d *SectionChoice) Prepare(l Launch, sections map[string]bool) {
	for _, f := range d.Chosen {
		sections[f.Identifier] = true
	}
	if d.Deriver != nil {
		d.q.Overlay.AddMetrics(l.Action, d.Deriver.Derive(d.Target(l), MetricsOf(d.q, l)).Computed)
	}
}
