package page

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/occupancy"
	"github.com/gpuprof/gpuprof/view"
)

var occupancyPage = &Page{
	Name:  "occupancy",
	Short: "Compute how many wavefronts or warps a kernel keeps in flight",
	Long: `With --device, for a kernel that uses so many registers and so much local memory;
--sweep adds the curves around it. With --batch for a table of kernels: columns gen
or device, vgpr or registers, sgpr, lds or shared, wg or block, maxwg, apart by
tabs; the table comes back with the results in further columns. With an .occupancy
file of AMD's profilers, what they computed.

Devices: ` + strings.Join(occupancy.Names(), " "),
	Example: "gpuprof occupancy --device gfx90a --vgprs 64 --lds 16384 --workgroup 256\n" +
		"gpuprof occupancy --device sm_90 --registers 40 --shared 49152 --block 256 --sweep\n" +
		"gpuprof occupancy --batch kernels.tsv\ngpuprof occupancy session.occupancy --index 3",
	Group: GroupTool, Args: "[FILE]", MaxArgs: 1, Load: true,
	Options: []Option{
		{Name: "device", Kind: Text, Arg: "NAME", Help: "architecture or device, such as gfx90a, SI_CI, sm_90, H100"},
		{Name: "vgprs", Kind: Count, Arg: "N", Help: "vector registers of a work-item"},
		{Name: "agprs", Kind: Count, Arg: "N", Help: "accumulation registers of a work-item (CDNA)"},
		{Name: "sgprs", Kind: Count, Arg: "N", Help: "scalar registers of a wavefront"},
		{Name: "lds", Kind: Count, Arg: "BYTES", Help: "local memory of a work-group"},
		{Name: "workgroup", Kind: Count, Arg: "N", Help: "work-items in a work-group"},
		{Name: "max-workgroup", Kind: Count, Arg: "N", Help: "limit of work-items in a work-group; default that of the device"},
		{Name: "registers", Kind: Count, Arg: "N", Help: "registers of a thread, as --vgprs"},
		{Name: "shared", Kind: Count, Arg: "BYTES", Help: "shared memory of a block, as --lds"},
		{Name: "block", Kind: Count, Arg: "N", Help: "threads in a block, as --workgroup"},
		{Name: "sweep", Kind: Flag, Help: "show how the result changes with each of them"},
		{Name: "svg", Kind: Flag, Help: "with --sweep: write the curves as a picture"},
		{Name: "batch", Kind: Text, Arg: "FILE", Help: "compute a table; - is the standard input"},
		{Name: "index", Kind: Count, Arg: "N", Help: "of an .occupancy file: only this dispatch, the first is 0"},
		{Name: "compat", Kind: Choice, Values: []string{"", "rcp"}, Arg: "TOOL", Help: "of an .occupancy file: show the page of Radeon Compute Profiler 5.6"},
	},
	Build:  buildOccupancy,
	Stream: streamOccupancy,
}

// streamOccupancy writes a batch, or the picture of a sweep.
func streamOccupancy(ctx context.Context, q *Request, w io.Writer) (bool, error) {
	if q.Flag("svg") {
		d, k, err := occupancyRequest(q)
		if err != nil {
			return true, err
		}
		curves, err := d.Sweep(k)
		if err != nil {
			return true, err
		}
		return true, d.WriteSVG(w, curves)
	}
	name := q.Text("batch")
	if name == "" {
		return false, nil
	}
	var d *occupancy.Device
	if s := q.Text("device"); s != "" {
		var err error
		if d, err = occupancy.Lookup(s); err != nil {
			return true, Usagef("--device: %v", err)
		}
	}
	in := os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return true, err
		}
		defer f.Close()
		in = f
	}
	if err := occupancy.Batch(ctx, w, in, d); err != nil {
		return true, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}

func buildOccupancy(_ context.Context, q *Request) (*view.Document, error) {
	doc := &view.Document{Title: "occupancy"}
	if len(q.Files) > 0 {
		s, err := occupancyFile(q, q.Files[0])
		doc.Sections = []view.Section{s}
		return doc, err
	}
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
	if q.Flag("sweep") {
		curves, err := d.Sweep(k)
		if err != nil {
			return nil, err
		}
		for _, c := range curves {
			s.Sections = append(s.Sections, curveSection(d, c))
		}
	}
	doc.Sections = []view.Section{s}
	return doc, nil
}

// occupancyRequest takes device and kernel from the options.
func occupancyRequest(q *Request) (*occupancy.Device, occupancy.Kernel, error) {
	k := occupancy.Kernel{AGPRs: q.Count("agprs"), SGPRs: q.Count("sgprs"), MaxGroup: q.Count("max-workgroup")}
	if q.Text("device") == "" {
		return nil, k, Usagef("--device is missing; there are %s", strings.Join(occupancy.Names(), ", "))
	}
	d, err := occupancy.Lookup(q.Text("device"))
	if err != nil {
		return nil, k, Usagef("--device: %v", err)
	}
	for _, o := range []struct {
		to   *int
		amd  string
		cuda string
	}{{&k.VGPRs, "vgprs", "registers"}, {&k.LDS, "lds", "shared"}, {&k.Group, "workgroup", "block"}} {
		if q.Given(o.amd) && q.Given(o.cuda) {
			return nil, k, Usagef("--%s and --%s are the same", o.amd, o.cuda)
		}
		if *o.to = q.Count(o.amd); q.Given(o.cuda) {
			*o.to = q.Count(o.cuda)
		}
	}
	if k.Group == 0 {
		return nil, k, Usagef("--workgroup (or --block) is missing")
	}
	return d, k, nil
}

func occupancyTable(d *occupancy.Device, k occupancy.Kernel, l *occupancy.Limits) *view.Table {
	t := &view.Table{ID: "occupancy", Frame: view.FrameHeader, Columns: []view.Column{
		{Name: "quantity", Label: "Quantity", Type: view.Text}, {Name: "value", Label: "Value", Align: view.AlignRight}}}
	add := func(name string, v view.Value) { t.Rows = append(t.Rows, []view.Value{view.String(name), v}) }
	n := func(v int) view.Value { return view.Int(int64(v), "") }
	unit, group := d.Waves(), "work-group"
	if d.Vendor == occupancy.NVIDIA {
		group = "block"
	}
	add("Occupancy (%)", view.Float(float64(l.Percent()), ""))
	add("Active "+unit, n(l.Active))
	add("Most "+unit+" on a compute unit", n(l.MaxWaves))
	add(unit+" in a "+group, n(l.Group))
	for _, r := range []occupancy.Resource{occupancy.VGPR, occupancy.SGPR, occupancy.LDS, occupancy.Group} {
		if d.Word(r) != "" && (r != occupancy.SGPR || d.SGPRs > 0) {
			add(unit+" limited by "+d.Word(r), n(l.Waves[r]))
		}
	}
	add("Limiting factors", view.String(limitingWords(d, l)))
	return t
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

// curveSection shows a curve; text draws it with characters.
func curveSection(d *occupancy.Device, c occupancy.Curve) view.Section {
	title := d.Waves() + " in flight over " + d.Word(c.Resource)
	if c.Limiting {
		title += " (limiting)"
	}
	t := view.Table{ID: "sweep_" + strings.ToLower(strings.ReplaceAll(d.Word(c.Resource), " ", "_")), Title: title, Columns: []view.Column{
		{Name: d.Word(c.Resource), Type: view.Number}, {Name: d.Waves(), Type: view.Number}}}
	for i := range c.X {
		t.Rows = append(t.Rows, []view.Value{view.Int(int64(c.X[i]), ""), view.Int(int64(c.Waves[i]), "")})
	}
	chart := &view.Chart{Kind: view.LineChart, Table: t, X: view.Axis{Label: d.Word(c.Resource)},
		Y: view.Axis{Label: d.Waves(), HasMin: true, HasMax: true, Max: float64(d.MaxWaves)}}
	return view.Section{ID: t.ID, Title: title, Items: []view.Item{{Chart: chart, Lines: drawCurve(d, c)}}}
}

// The size of a curve in text.
const (
	curveWidth  = 64
	curveHeight = 10
)

// drawCurve draws a curve: # where wavefronts are in flight, a mark below the
// kernel's own place.
func drawCurve(d *occupancy.Device, c occupancy.Curve) []string {
	at := func(column int) int { return column * (len(c.X) - 1) / (curveWidth - 1) }
	var out []string
	for row := curveHeight; row > 0; row-- {
		b := []byte(fmt.Sprintf("%4d |", d.MaxWaves*row/curveHeight))
		for col := range curveWidth {
			if c.Waves[at(col)]*curveHeight >= d.MaxWaves*row {
				b = append(b, '#')
			} else {
				b = append(b, ' ')
			}
		}
		out = append(out, strings.TrimRight(string(b), " "))
	}
	mark, own := 0, len(c.X)-1
	for i, x := range c.X {
		if x >= c.At {
			own = i
			break
		}
	}
	if len(c.X) > 1 {
		mark = own * (curveWidth - 1) / (len(c.X) - 1)
	}
	axis := []byte("   0 +" + strings.Repeat("-", curveWidth))
	axis[6+mark] = '^'
	last := strconv.Itoa(c.X[len(c.X)-1])
	legend := fmt.Sprintf("      %-*d%s   ^ %d", curveWidth-len(last), c.X[0], last, c.At)
	return append(out, string(axis), legend, "")
}
