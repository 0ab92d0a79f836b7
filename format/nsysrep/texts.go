package nsysrep

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/wiretext"
)

// A Text is a text of a report, or bytes that texts may be a part of.
type Text struct {
	Place string // part and fields, joined by dots
	Bytes []byte
	Fixed bool // what takes its place must be as long
	Blob  bool // bytes that are more than a text
}

// places names the fields that hold texts about machine, user and process. What has
// no name here goes by its number; docs/formats/nsys-rep.md has where they were found.
var places = map[string]map[int]wiretext.Field{
	"header":                          {1: {Name: "device"}, 2: {Name: "options"}},
	"header.device":                   {1: {Name: "name"}, 2: {Name: "properties"}},
	"header.device.properties":        {1: {Name: "property", Form: wiretext.Message, Key: 1}},
	"header.options":                  {9: {Name: "device_display_name"}, 26: {Name: "process"}},
	"header.options.process":          {10: {Name: "command"}, 11: {Name: "argument"}, 12: {Name: "working_dir"}, 30: {Name: "variable", Form: wiretext.Message}},
	"header.options.process.variable": {1: {Name: "environment"}, 2: {Name: "environment"}},
	"events":                          {1: {Name: "event", Form: wiretext.Message}},
	"events.event":                    {102: {Name: "nvtx", Form: wiretext.Message}, 113: {Name: "process", Form: wiretext.Message}},
	"events.event.nvtx":               {7: {Name: "text", Form: wiretext.Text}},
	"events.event.process": {5: {Name: "command_line", Form: wiretext.Text}, 6: {Name: "name", Form: wiretext.Text}, 7: {Name: "executable", Form: wiretext.Text},
		8: {Name: "cwd", Form: wiretext.Text}, 9: {Name: "argument", Form: wiretext.Text}},
	"Analysis Options Data":                  {9: {Name: "device_display_name"}, 26: {Name: "process"}},
	"Analysis Options Data.process":          {10: {Name: "command"}, 11: {Name: "argument"}, 12: {Name: "working_dir"}, 30: {Name: "variable", Form: wiretext.Message}},
	"Analysis Options Data.process.variable": {1: {Name: "environment"}, 2: {Name: "environment"}},
	// A copy of the options, as the agent took them.
	"Agent activity list":                                          {1: {Name: "record"}},
	"Agent activity list.record":                                   {50: {Name: "start"}, 52: {Name: "launch"}},
	"Agent activity list.record.start":                             {1: {Name: "options"}, 10: {Name: "command_line"}, 11: {Name: "cwd"}, 61: {Name: "cwd"}},
	"Agent activity list.record.start.options":                     {10: {Name: "device_display_name"}},
	"Agent activity list.record.launch":                            {1: {Name: "process"}},
	"Agent activity list.record.launch.process":                    {1: {Name: "command"}, 2: {Name: "argument"}, 3: {Name: "working_dir"}, 5: {Name: "variables"}},
	"Agent activity list.record.launch.process.variables":          {1: {Name: "variable", Form: wiretext.Message}},
	"Agent activity list.record.launch.process.variables.variable": {1: {Name: "environment"}, 2: {Name: "environment"}},
	"UI Data": {1: {Name: "file"}, 5: {Name: "host"}, 24: {Name: "host"}, 25: {Name: "command_line"}, 40: {Name: "host"}},
}

// propertyNames are the properties of a machine that name it or its owner, by code.
var propertyNames = strings.NewReplacer("[610]", "[DeviceEnvironment]", "[619]", "[Hostname]")

// Rewrite writes the report with texts edited, those in fields that are not known
// included. Edit must not change the bytes it gets, and returns them for what stays.
// A report with Problems is refused.
func (f *File) Rewrite(to io.Writer, edit func(Text) []byte) error {
	w := &wiretext.Walker{
		Describe: func(at *wiretext.Place, num int) (wiretext.Field, any) { return places[at.Name][num], nil },
		Edit: func(place string, b []byte, fixed, blob bool) []byte {
			if strings.HasPrefix(place, "header.device.properties.") {
				place = propertyNames.Replace(place)
			}
			return edit(Text{Place: place, Bytes: b, Fixed: fixed, Blob: blob})
		},
	}
	roots := map[string]*wiretext.Place{}
	walk := func(part string) func([]byte) ([]byte, error) {
		roots[part] = wiretext.Root(part, nil)
		return func(b []byte) ([]byte, error) { return w.Walk(roots[part], b), nil }
	}
	_, streams, err := f.Strings()
	if err != nil {
		return err
	}
	outputs := map[int64]bool{}
	for _, s := range streams {
		outputs[s.Int(3)] = true
	}
	frame := walk("events")
	return f.Write(to, Edit{
		Part: func(name string, b []byte) ([]byte, error) {
			if !wiretext.IsMessage(b) {
				return w.Edit(name, b, true, !wiretext.IsText(b)), nil
			}
			if roots[name] == nil {
				walk(name)
			}
			return w.Walk(roots[name], b), nil
		},
		Frame:   func(_ int, b []byte) ([]byte, error) { return frame(b) },
		Texts:   func(b []byte) ([]byte, error) { return f.editTexts(b, outputs, edit, walk("texts")) },
		Header:  walk("header"),
		Summary: walk("summary"),
		Threads: walk("threads"),
		Target:  walk("target"),
	})
}

// editTexts edits the message of texts, of which some are what processes printed.
func (f *File) editTexts(b []byte, outputs map[int64]bool, edit func(Text) []byte, other func([]byte) ([]byte, error)) ([]byte, error) {
	out, changed, ordinal := make([]byte, 0, len(b)), false, int64(0)
	for at := 0; at < len(b); {
		num, _, sub, n := field(b[at:])
		if n == 0 {
			return nil, f.fail(f.strings.Offset, "texts that fill the frame", fmt.Sprintf("%x at byte %d of it", b[at:min(len(b), at+8)], at))
		}
		raw := b[at : at+n]
		at += n
		if num != 1 || sub == nil {
			now, err := other(raw)
			if err != nil {
				return nil, err
			}
			changed = changed || len(now) != len(raw) || &now[0] != &raw[0]
			out = append(out, now...)
			continue
		}
		t := Text{Place: "texts", Bytes: sub}
		if outputs[ordinal] {
			t.Place = "texts.stream_content"
		}
		ordinal++
		now := edit(t)
		if len(now) == len(sub) && (len(now) == 0 || &now[0] == &sub[0]) {
			out = append(out, raw...)
			continue
		}
		changed = true
		out = append(binary.AppendUvarint(append(out, 1<<3|2), uint64(len(now))), now...)
	}
	if !changed {
		return b, nil
	}
	return out, nil
}
