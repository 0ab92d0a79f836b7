package ncurep

import (
	"github.com/gpuprof/gpuprof/format/internal/wiretext"
)

// A Text is a text of a report, or bytes that texts are a part of.
type Text struct {
	Place string // names of messages and fields, joined by dots
	Bytes []byte
	Fixed bool // what takes its place must be as long
	Blob  bool // bytes that are more than a text, such as a cubin
}

// Texts has edit called with every text that the report will be written with, those
// in fields that are not known and those within cubins included, and its result
// written in the text's place. Edit must not change the bytes it gets, and returns
// them for what stays.
func (e *Edit) Texts(edit func(Text) []byte) {
	e.texts = &texts{w: wiretext.Walker{
		Describe: describeField,
		Edit: func(place string, b []byte, fixed, blob bool) []byte {
			return edit(Text{Place: place, Bytes: b, Fixed: fixed, Blob: blob})
		},
	}}
	e.texts.header = wiretext.Root("report", Describe[blockHeader]())
	e.texts.source = wiretext.Root("source", sourceFields)
	e.texts.result = wiretext.Root("result", resultFields)
	e.texts.rng = wiretext.Root("range", nil)
}

// texts walks the entries of a report.
type texts struct {
	w                           wiretext.Walker
	header, source, result, rng *wiretext.Place
}

// edit walks the entries of a block and keeps those that change.
func (t *texts) edit(in *input, parts []part) error {
	if t == nil {
		return nil
	}
	for i := range parts {
		p := &parts[i]
		b := p.new
		if b == nil {
			var err error
			if b, err = in.bytes(p.at); err != nil {
				return err
			}
		}
		root := [...]*wiretext.Place{resultPart: t.result, sourcePart: t.source, rangePart: t.rng}[p.kind]
		if now := t.w.Walk(root, b); len(now) != len(b) || len(b) > 0 && &now[0] != &b[0] {
			p.at, p.new = span{}, now
		}
	}
	return nil
}

// editHeader returns the header as it is to be written; nil where no text changes.
func (t *texts) editHeader(h *blockHeader) []byte {
	if t == nil {
		return nil
	}
	b := appendMessage(nil, h)
	if now := t.w.Walk(t.header, b); len(now) != len(b) || len(b) > 0 && &now[0] != &b[0] {
		return now
	}
	return nil
}

// A known lists fields that are read on demand beside those of a message.
type known struct {
	head   *Message
	others map[int]knownField
}

type knownField struct {
	name string
	form wiretext.Form
	of   *Message
}

var sourceFields = &known{head: Describe[SourceHead](), others: map[int]knownField{
	sourceCode:         {name: "SASS", form: wiretext.Unknown},
	sourceIntermediate: {name: "PTX", form: wiretext.Unknown},
	sourceBinary:       {name: "Cubin", form: wiretext.Bytes},
	sourceFiles:        {name: "Files", form: wiretext.Message, of: Describe[SourceFiles]()},
}}

var resultFields = &known{head: Describe[ResultHeader](), others: map[int]knownField{
	resultMetrics:   {name: "Metrics"},
	resultSections:  {name: "Sections", form: wiretext.Message, of: Describe[Section]()},
	resultComments:  {name: "Comments", form: wiretext.Message, of: Describe[Comment]()},
	resultRules:     {name: "Rules", form: wiretext.Message, of: Describe[RuleResult]()},
	resultNvtx:      {name: "Nvtx", form: wiretext.Message, of: Describe[NvtxState]()},
	resultCallStack: {name: "CallStack", form: wiretext.Message, of: Describe[CallStack]()},
}}

// describeField tells what the schema knows of a field.
func describeField(at *wiretext.Place, num int) (wiretext.Field, any) {
	t, _ := at.Data.(*Message)
	if k, ok := at.Data.(*known); ok {
		if f, ok := k.others[num]; ok {
			return wiretext.Field{Name: f.name, Form: f.form}, f.of
		}
		t = k.head
	}
	if t == nil {
		return wiretext.Field{}, nil
	}
	f := t.find(num)
	if f == nil {
		return wiretext.Field{}, nil
	}
	out := wiretext.Field{Name: f.Name}
	switch f.Kind {
	case FieldText:
		out.Form = wiretext.Text
	case FieldMessage:
		out.Form = wiretext.Message
	}
	return out, f.Of
}
