package occupancy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gpuprof/gpuprof/occupancy"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Page is the page occupancy.
var Page = &page.Page{
	Name:  "occupancy",
	Short: "Compute how many wavefronts or warps a kernel keeps in flight",
	Long: `With --device, for a kernel that uses so many registers and so much local
memory; --sweep adds the curves around it. With --batch for a table of kernels:
columns gen or device, vgpr or registers, sgpr, lds or shared, wg or block,
maxwg, apart by tabs; the table comes back with the results in further columns.
With an .occupancy file of AMD's profilers, what they computed. --devices lists
the devices.`,
	Example: "gpuprof occupancy --device gfx90a --vgprs 64 --lds 16384 --workgroup 256\n" +
		"gpuprof occupancy --device H100 --registers 40 --shared 49152 --block 256 --sweep\n" +
		"gpuprof occupancy --device gfx1100 --vgprs 96 --workgroup 256 --svg -o curves.svg\n" +
		"gpuprof occupancy --batch kernels.tsv\ngpuprof occupancy session.occupancy --index 3",
	Group: page.GroupTool, Args: "[FILE]", MaxArgs: 1,
	First: map[string][]string{"device": {"sm_80"}, "block": {"256"}, "registers": {"32"}, "sweep": {"true"}},
	Options: []page.Option{
		{Name: "device", Remote: true, Kind: page.Text, Arg: "NAME", Help: "architecture or device, such as gfx90a, SI_CI, sm_90, H100"},
		{Name: "devices", Kind: page.Flag, Help: "list the devices and their pools"},
		{Name: "vgprs", Remote: true, Kind: page.Count, Arg: "N", Help: "vector registers of a work-item"},
		{Name: "agprs", Remote: true, Kind: page.Count, Arg: "N", Help: "accumulation registers of a work-item (CDNA)"},
		{Name: "sgprs", Remote: true, Kind: page.Count, Arg: "N", Help: "scalar registers of a wavefront (AMD)"},
		{Name: "lds", Remote: true, Kind: page.Count, Arg: "BYTES", Help: "local memory of a work-group"},
		{Name: "workgroup", Remote: true, Kind: page.Count, Arg: "N", Help: "work-items in a work-group"},
		{Name: "max-workgroup", Kind: page.Count, Arg: "N", Help: "limit of work-items in a work-group; default that of the device"},
		{Name: "registers", Remote: true, Kind: page.Count, Arg: "N", Help: "registers of a thread, as --vgprs"},
		{Name: "shared", Remote: true, Kind: page.Count, Arg: "BYTES", Help: "shared memory of a block, static and dynamic, as --lds"},
		{Name: "block", Remote: true, Kind: page.Count, Arg: "N", Help: "threads in a block, as --workgroup"},
		{Name: "shared-config", Kind: page.Count, Arg: "BYTES", Help: "shared memory that a multiprocessor is set to (NVIDIA); default the most"},
		{Name: "sweep", Remote: true, Kind: page.Flag, Help: "show how the result changes with each of them"},
		{Name: "svg", Kind: page.Flag, Help: "write the curves of --sweep as a picture"},
		{Name: "batch", Kind: page.Text, Arg: "FILE", Help: "compute a table; - is the standard input"},
		{Name: "index", Kind: page.Count, Arg: "N", Help: "of an .occupancy file: only this dispatch, the first is 0"},
		{Name: "compat", Kind: page.Choice, Values: []string{"", "rcp"}, Arg: "TOOL", Help: "of an .occupancy file: show the page of Radeon Compute Profiler 5.6"},
	},
	Build:   buildOccupancy,
	Stream:  streamOccupancy,
	Streams: func(q *page.Request) bool { return q.Flag("svg") || q.Text("batch") != "" },
}

// usageOptions say what a kernel uses.
var usageOptions = []string{"vgprs", "agprs", "sgprs", "lds", "workgroup", "max-workgroup", "registers", "shared", "block", "shared-config"}

// oneWay checks that the kernel is given in one way only.
func oneWay(q *page.Request) error {
	var first string
	var ways []string
	switch {
	case len(q.Files) > 0:
		first, ways = "an .occupancy file", []string{"device", "devices", "batch", "sweep", "svg"}
	case q.Given("batch"):
		first, ways = "--batch", []string{"devices", "sweep", "svg", "index"}
	case q.Given("devices"):
		first, ways = "--devices", []string{"device", "sweep", "svg", "index"}
	default:
		return nil
	}
	for _, o := range append(ways, usageOptions...) {
		if q.Given(o) {
			return page.Usagef("--%s does not go with %s", o, first)
		}
	}
	return nil
}

// streamOccupancy writes a batch, or the picture of a sweep.
func streamOccupancy(ctx context.Context, q *page.Request, w io.Writer) error {
	if err := oneWay(q); err != nil {
		return err
	}
	if !q.Flag("svg") {
		return batchOccupancy(ctx, q, w)
	}
	doc, err := kernelOccupancy(q, true)
	if err != nil {
		return err
	}
	return view.WriteSVG(w, doc)
}

func batchOccupancy(ctx context.Context, q *page.Request, w io.Writer) error {
	var d *occupancy.Device
	if s := q.Text("device"); s != "" {
		var err error
		if d, err = occupancy.Lookup(s); err != nil {
			return page.Usagef("--device: %v", err)
		}
	}
	name, in := q.Text("batch"), os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	err := occupancy.Batch(ctx, w, in, d)
	var bad *occupancy.BatchErrors
	if !errors.As(err, &bad) {
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return err
	}
	if q.Note != nil {
		for _, e := range bad.First {
			q.Note(fmt.Sprintf("%s:%d: %s", name, e.Line, e.Text))
		}
		q.Note(fmt.Sprintf("%s: lines with NA for results: %d", name, bad.Rows))
	}
	return fmt.Errorf("%s: %w", name, page.ErrIncomplete)
}

func buildOccupancy(_ context.Context, q *page.Request) (*view.Document, error) {
	if err := oneWay(q); err != nil {
		return nil, err
	}
	switch {
	case len(q.Files) > 0:
		s, err := occupancyFile(q, q.Files[0])
		return &view.Document{Title: "occupancy", Sections: []view.Section{s}}, err
	case q.Flag("devices"):
		return &view.Document{Title: "occupancy", Sections: []view.Section{deviceSection()}}, nil
	}
	doc, err := kernelOccupancy(q, q.Flag("sweep"))
	if errors.Is(err, occupancy.ErrKernel) { // is an answer, too
		return &view.Document{Title: "occupancy", Failed: true, Sections: []view.Section{{ID: "occupancy", Title: "Occupancy",
			Items: []view.Item{{Message: &view.Message{Type: view.Error, Text: err.Error()}}}}}}, nil
	}
	return doc, err
}

// kernelOccupancy computes the kernel of the options.
func kernelOccupancy(q *page.Request, sweep bool) (*view.Document, error) {
	d, k, err := occupancyRequest(q)
	if err != nil {
		return nil, err
	}
	l, err := d.Limits(k)
	if err != nil {
		return nil, err
	}
	s := view.Section{ID: "occupancy", Title: "Occupancy on " + d.Name}
	s.AddTable(occupancyTable(d, k, &l))
	n := func(v int) view.Value { return view.Int(int64(v), "") }
	s.Properties = []view.Property{{Name: "occupancy", Value: view.Float(float64(l.Percent()), "%")}, {Name: "active", Value: n(l.Active)},
		{Name: "groups", Value: n(l.Active / l.Group)}, {Name: "most", Value: n(l.MaxWaves)}}
	if len(l.Limiting()) > 0 {
		s.Properties = append(s.Properties, view.Property{Name: "limits", Value: view.String(limitingWords(d, &l))})
	}
	if sweep {
		curves, err := d.Sweep(k)
		if err != nil {
			return nil, err
		}
		for _, c := range curves {
			s.Sections = append(s.Sections, curveSection(d, c))
		}
	}
	return &view.Document{Title: "occupancy", Sections: []view.Section{s}}, nil
}

// occupancyRequest takes device and kernel from the options.
func occupancyRequest(q *page.Request) (*occupancy.Device, occupancy.Kernel, error) {
	k := occupancy.Kernel{AGPRs: q.Count("agprs"), SGPRs: q.Count("sgprs"), MaxGroup: q.Count("max-workgroup"), SharedConfig: q.Count("shared-config")}
	if q.Text("device") == "" {
		return nil, k, page.Usagef("expected --device NAME, --batch FILE or an .occupancy file; --devices lists the devices")
	}
	d, err := occupancy.Lookup(q.Text("device"))
	if err != nil {
		return nil, k, page.Usagef("--device: %v", err)
	}
	for _, o := range []struct {
		to   *int
		amd  string
		cuda string
	}{{&k.VGPRs, "vgprs", "registers"}, {&k.LDS, "lds", "shared"}, {&k.Group, "workgroup", "block"}} {
		if q.Given(o.amd) && q.Given(o.cuda) {
			return nil, k, page.Usagef("--%s and --%s are the same", o.amd, o.cuda)
		}
		if *o.to = q.Count(o.amd); q.Given(o.cuda) {
			*o.to = q.Count(o.cuda)
		}
	}
	for _, o := range []struct {
		name string
		ok   bool
		what string
	}{
		{"sgprs", d.Vendor == occupancy.AMD, "no scalar registers that limit it"},
		{"agprs", d.HasAGPRs(), "no accumulation registers"},
		{"shared-config", d.Vendor == occupancy.NVIDIA, "no configuration of local memory"},
	} {
		if q.Given(o.name) && !o.ok {
			return nil, k, page.Usagef("--%s: %s has %s", o.name, d.Name, o.what)
		}
	}
	if !q.Given("workgroup") && !q.Given("block") {
		return nil, k, page.Usagef("--workgroup (or --block) is missing: the %s in a %s", d.ItemWord(), d.GroupWord())
	}
	return d, k, nil
}

func occupancyTable(d *occupancy.Device, k occupancy.Kernel, l *occupancy.Limits) *view.Table {
	t := &view.Table{ID: "occupancy", Columns: []view.Column{
		{Name: "quantity", Label: "Quantity", Type: view.Text}, {Name: "value", Label: "Value", Align: view.AlignRight}}}
	add := func(name string, v view.Value) { t.Rows = append(t.Rows, []view.Value{view.String(name), v}) }
	n := func(v int) view.Value { return view.Int(int64(v), "") }
	waves := d.Waves()
	title := strings.ToUpper(waves[:1]) + waves[1:]
	add("Occupancy (%)", view.Float(float64(l.Percent()), ""))
	add("Active "+waves, n(l.Active))
	add("Active "+d.GroupWord()+"s", n(l.Active/l.Group))
	add("Most "+waves+" on a "+d.Unit(), n(l.MaxWaves))
	add(title+" in a "+d.GroupWord(), n(l.Group))
	for _, r := range []occupancy.Resource{occupancy.VGPR, occupancy.SGPR, occupancy.LDS, occupancy.Group} {
		if d.Word(r) != "" && (r != occupancy.SGPR || d.SGPRs > 0) {
			add(title+" limited by "+d.Word(r), n(l.Waves[r]))
		}
	}
	add("Limiting factors", view.String(limitingWords(d, l)))
	for _, r := range l.Limiting() {
		if use, waves, ok := d.Gain(k, r); ok {
			add(fmt.Sprintf("%s for %d %s", d.Word(r), waves, d.Waves()), view.String(fmt.Sprintf("at most %d", use)))
		}
	}
	return t
}

// deviceSection lists the devices.
func deviceSection() view.Section {
	t := &view.Table{ID: "devices", Columns: []view.Column{
		{Name: "device", Label: "Device", Type: view.Text}, {Name: "wave", Label: "Wave", Type: view.Number}, {Name: "waves", Label: "Waves", Type: view.Number},
		{Name: "groups", Type: view.Number, For: view.Programs}, {Name: "parts", Label: "SIMDs", Type: view.Number}, {Name: "registers", Label: "Registers", Type: view.Number},
		{Name: "granule", Type: view.Number, For: view.Programs}, {Name: "memory", Label: "Memory", Type: view.Number},
		{Name: "memory_granule", Type: view.Number, For: view.Programs}, {Name: "names", Label: "Other names", Type: view.Text, MaxWidth: 26}}}
	n := func(v int) view.Value { return view.Int(int64(v), "") }
	for _, d := range occupancy.Devices() {
		t.Rows = append(t.Rows, []view.Value{view.String(d.Name), n(d.Wave), n(d.MaxWaves), n(d.Groups), n(d.SIMDs), n(d.VGPRs), n(d.VGPRGranule), n(d.LDS), n(d.LDSGranule),
			view.String(d.OtherNames())})
	}
	return view.Section{ID: "devices", Title: "Devices", Items: []view.Item{{Table: t}}}
}

func limitingWords(d *occupancy.Device, l *occupancy.Limits) string {
	var words []string
	for _, r := range l.Limiting() {
		words = append(words, d.Word(r))
	}
	if len(words) == 0 {
		return "None"
	}
	return strings.Join(words, ", ")
}

// curveSection shows a curve.
func curveSection(d *occupancy.Device, c occupancy.Curve) view.Section {
	word := d.Word(c.Resource)
	title := d.Waves() + " in flight over " + word
	if c.Limiting {
		title += " (limiting)"
	}
	t := view.Table{ID: "sweep_" + strings.ToLower(strings.NewReplacer(" ", "_", "-", "_").Replace(word)), Title: title, Layout: &view.Layout{Frame: view.FrameFull, Drawn: true}, Columns: []view.Column{
		{Name: word, Type: view.Number}, {Name: d.Waves(), Type: view.Number}}}
	for i := range c.X {
		t.Rows = append(t.Rows, []view.Value{view.Int(int64(c.X[i]), ""), view.Int(int64(c.Waves[i]), "")})
	}
	return view.Section{ID: t.ID, Properties: []view.Property{{Name: "option", Value: view.String(sweptOptions[c.Resource])}}, Items: []view.Item{{Chart: &view.Chart{Kind: view.LineChart, Table: t, Emphasis: c.Limiting,
		X: view.Axis{Label: axisLabels[d.Vendor][c.Resource], HasMark: true, Mark: float64(c.At)},
		Y: view.Axis{Label: d.Waves(), HasMin: true, HasMax: true, Max: float64(d.MaxWaves)}}}}}
}

// sweptOptions are the options that set what the curves count.
var sweptOptions = map[occupancy.Resource]string{occupancy.Group: "block", occupancy.VGPR: "registers", occupancy.SGPR: "sgprs", occupancy.LDS: "shared"}

// axisLabels say what the curves count.
var axisLabels = map[occupancy.Vendor]map[occupancy.Resource]string{
	occupancy.AMD: {occupancy.Group: "work-items in a work-group", occupancy.VGPR: "vector registers of a work-item", occupancy.SGPR: "scalar registers of a wavefront",
		occupancy.LDS: "bytes of local memory of a work-group"},
	occupancy.NVIDIA: {occupancy.Group: "threads in a block", occupancy.VGPR: "registers of a thread", occupancy.LDS: "bytes of shared memory of a block"},
}
