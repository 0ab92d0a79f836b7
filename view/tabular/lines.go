package tabular

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"

	"github.com/gpuprof/gpuprof/view"
	"github.com/gpuprof/gpuprof/view/visible"
)

// csv is that of the renderer of documents, but for the header.
func (f *Form) csv(w *bufio.Writer, t *view.Table, o view.Options) error {
	first := true
	for row := range view.CellRows(t, o) {
		if first && f.NoHeader {
			first = false
			continue
		}
		first = false
		for i, s := range row {
			if i > 0 {
				w.WriteByte(',')
			}
			if o.CSVSafe {
				s = view.Inert(s)
			}
			if strings.ContainsAny(s, ",\"\r\n") {
				s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
			}
			w.WriteString(s)
		}
		w.WriteByte('\n')
	}
	return nil
}

func (f *Form) tsv(w *bufio.Writer, t *view.Table, o view.Options) error {
	clean := strings.NewReplacer("\t", " ", "\r\n", " ", "\n", " ", "\r", " ")
	if f.Escape {
		clean = strings.NewReplacer("\t", `\t`, "\r\n", `\n`, "\n", `\n`, "\r", `\r`)
	}
	first := true
	for row := range view.CellRows(t, o) {
		if first && f.NoHeader {
			first = false
			continue
		}
		first = false
		for i, s := range row {
			if i > 0 {
				w.WriteByte('\t')
			}
			if o.CSVSafe {
				s = view.Inert(s)
			}
			clean.WriteString(w, s)
		}
		w.WriteByte('\n')
	}
	return nil
}

// json writes an object for each row. Numbers are as csv prints them; what is
// missing is the empty text, as the vendor's tool has it.
func (f *Form) json(w *bufio.Writer, t *view.Table, o view.Options) error {
	columns := shown(t)
	names := make([][]byte, len(columns))
	var err error
	w.WriteString("[")
	n := -1
	for row := range view.CellRows(t, o) {
		if n++; n == 0 {
			for i, s := range row {
				if names[i], err = quote(s); err != nil {
					return err
				}
			}
			continue
		}
		if n > 1 {
			w.WriteByte(',')
		}
		w.WriteString("\n  {")
		for i, s := range row {
			if i >= len(names) {
				break
			}
			if i > 0 {
				w.WriteString(", ")
			}
			w.Write(names[i])
			w.WriteString(": ")
			if columns[i].Type != view.Text && json.Valid([]byte(s)) && s[0] != '"' && s[0] != '{' && s[0] != '[' {
				w.WriteString(s)
				continue
			}
			b, err := quote(s)
			if err != nil {
				return err
			}
			w.Write(b)
		}
		w.WriteString("}")
	}
	if n > 0 {
		w.WriteByte('\n')
	}
	w.WriteString("]\n")
	return nil
}

// quote is a text as JSON, in which < and & stay as they are.
func quote(s string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(s)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// html writes a table, and for hdoc the document around it.
func (f *Form) html(w *bufio.Writer, t *view.Table, o view.Options) error {
	if f.Name == "hdoc" {
		w.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + visible.HTML(f.Title) + "</title>\n")
		if f.CSS != "" {
			w.WriteString(`<link rel="stylesheet" href="` + visible.HTML(f.CSS) + "\">\n")
		} else {
			w.WriteString("<style>\ntable { border-collapse: collapse }\nth, td { border: 1px solid #999; padding: 0.2em 0.5em }\ntd.number { text-align: right }\n</style>\n")
		}
		w.WriteString("</head>\n<body>\n")
	}
	columns := shown(t)
	w.WriteString("<table>\n")
	head := true
	for row := range view.CellRows(t, o) {
		if head {
			w.WriteString("<thead>\n<tr>")
			for _, s := range row {
				w.WriteString("<th>" + visible.HTML(s) + "</th>")
			}
			w.WriteString("</tr>\n</thead>\n<tbody>\n")
			head = false
			continue
		}
		w.WriteString("<tr>")
		for i, s := range row {
			if i < len(columns) && columns[i].Type == view.Number {
				w.WriteString(`<td class="number">`)
			} else {
				w.WriteString("<td>")
			}
			w.WriteString(visible.HTML(s))
			w.WriteString("</td>")
		}
		w.WriteString("</tr>\n")
	}
	w.WriteString("</tbody>\n</table>\n")
	if f.Name == "hdoc" {
		w.WriteString("</body>\n</html>\n")
	}
	return nil
}
