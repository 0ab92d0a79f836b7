package nsysdb

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// A lexer splits SQL into tokens. Comments and blanks vanish.
type lexer struct {
	s   string
	pos int
}

// A token is a word, a quoted name or string, a number, or one character.
type token struct {
	text   string // without quotes
	quoted byte   // the opening quote, or 0
}

func (t token) is(word string) bool { return t.quoted == 0 && strings.EqualFold(t.text, word) }

func (l *lexer) next() (token, bool) {
	l.blank()
	if l.pos >= len(l.s) {
		return token{}, false
	}
	start, c := l.pos, l.s[l.pos]
	switch c {
	case '"', '\'', '`', '[':
		return l.quoted(c), true
	}
	for l.pos < len(l.s) && isWord(l.s[l.pos]) {
		l.pos++
	}
	if l.pos == start {
		l.pos++
	}
	return token{text: l.s[start:l.pos]}, true
}

func (l *lexer) blank() {
	for l.pos < len(l.s) {
		rest := l.s[l.pos:]
		switch {
		case strings.IndexByte(" \t\r\n\f", rest[0]) >= 0:
			l.pos++
		case strings.HasPrefix(rest, "--"):
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				l.pos += i
			} else {
				l.pos = len(l.s)
			}
		case strings.HasPrefix(rest, "/*"):
			if i := strings.Index(rest[2:], "*/"); i >= 0 {
				l.pos += i + 4
			} else {
				l.pos = len(l.s)
			}
		default:
			return
		}
	}
}

func (l *lexer) quoted(open byte) token {
	end := open
	if open == '[' {
		end = ']'
	}
	var b []byte
	for l.pos++; l.pos < len(l.s); l.pos++ {
		if l.s[l.pos] == end {
			if open == '[' || l.pos+1 >= len(l.s) || l.s[l.pos+1] != end {
				l.pos++
				break
			}
			l.pos++ // doubled: the quote itself
		}
		b = append(b, l.s[l.pos])
	}
	return token{text: string(b), quoted: open}
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c == '.' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// parse reads the columns out of the CREATE TABLE statement.
func (t *Table) parse() error {
	l := &lexer{s: t.SQL}
	for { // up to the list of columns
		tok, ok := l.next()
		if !ok {
			return fmt.Errorf("%s: table %s: expected a list of columns, found %.60q", t.file.Name, t.Name, t.SQL)
		}
		if tok.is("(") {
			break
		}
	}
	more := true
	for more {
		var def []token
		def, more = l.item()
		if len(def) == 0 {
			continue
		}
		if def[0].quoted == 0 && isConstraint(def[0].text) {
			t.tableConstraint(def)
			continue
		}
		t.Columns = append(t.Columns, t.columnDef(def))
	}
	n := 0
	for i := range t.Columns {
		if t.Columns[i].stored == 0 {
			t.Columns[i].stored = n
			n++
		}
	}
	for {
		tok, ok := l.next()
		if !ok {
			break
		}
		if tok.is("WITHOUT") {
			return fmt.Errorf("%s: table %s is WITHOUT ROWID: %w", t.file.Name, t.Name, errUnsupported)
		}
	}
	return nil
}

// item returns the tokens up to the next comma of the list, or to its end.
func (l *lexer) item() (toks []token, more bool) {
	depth := 0
	for {
		tok, ok := l.next()
		switch {
		case !ok:
			return toks, false
		case tok.is("("):
			depth++
		case tok.is(")"):
			if depth == 0 {
				return toks, false
			}
			depth--
		case tok.is(",") && depth == 0:
			return toks, true
		}
		toks = append(toks, tok)
	}
}

func isConstraint(s string) bool {
	switch strings.ToUpper(s) {
	case "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN":
		return true
	}
	return false
}

// tableConstraint notes PRIMARY KEY (column) at the end of a table.
func (t *Table) tableConstraint(def []token) {
	for i := range def {
		if def[i].is("UNIQUE") || def[i].is("PRIMARY") {
			t.indexed = true // unless the key turns out to be the rowid
		}
	}
	for i := 0; i+3 < len(def); i++ {
		if def[i].is("PRIMARY") && def[i+1].is("KEY") && def[i+2].is("(") && i+4 < len(def) && def[i+4].is(")") {
			if c := t.Column(def[i+3].text); c >= 0 {
				t.Columns[c].Key = true
				if strings.EqualFold(t.Columns[c].Type, "INTEGER") {
					t.rowid, t.indexed = c, false
				}
			}
		}
	}
}

// columnDef reads name, type and constraints of a column.
func (t *Table) columnDef(def []token) Column {
	c := Column{Name: def[0].text}
	i := 1
	var typ strings.Builder
	afterWord := false
	for ; i < len(def) && !(def[i].quoted == 0 && endsType(def[i].text)); i++ {
		word := def[i].text != "" && isWord(def[i].text[0])
		if word && afterWord {
			typ.WriteByte(' ')
		}
		typ.WriteString(def[i].text)
		afterWord = word
	}
	c.Type = typ.String()
	c.Affinity = affinityOf(c.Type)
	for ; i < len(def); i++ {
		switch {
		case def[i].is("NOT") && i+1 < len(def) && def[i+1].is("NULL"):
			c.NotNull = true
			i++
		case def[i].is("PRIMARY") && i+1 < len(def) && def[i+1].is("KEY"):
			c.Key = true
			// A quirk of SQLite that is part of the format: DESC makes it an
			// ordinary column.
			if !(i+2 < len(def) && def[i+2].is("DESC")) && strings.EqualFold(c.Type, "INTEGER") {
				t.rowid = len(t.Columns)
			} else {
				t.indexed = true
			}
		case def[i].is("UNIQUE"):
			t.indexed = true
		case def[i].is("DEFAULT"):
			c.def = literal(def[i+1:], c.Affinity)
		case def[i].is("AS") || def[i].is("GENERATED"):
			c.stored = -1
		case def[i].is("STORED"):
			c.stored = 0
		}
	}
	return c
}

func endsType(s string) bool {
	switch strings.ToUpper(s) {
	case "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED", "AS":
		return true
	}
	return false
}

// literal reads a constant; only constants can be the default of a column that
// was added to a table with rows.
func literal(toks []token, a affinity) cell {
	sign := ""
	for len(toks) > 0 && (toks[0].is("+") || toks[0].is("-") || toks[0].is("(")) {
		if toks[0].is("-") {
			sign = "-"
		}
		toks = toks[1:]
	}
	if len(toks) == 0 || toks[0].is("NULL") {
		return cell{}
	}
	s := toks[0].text
	switch {
	case toks[0].is("TRUE"):
		return cell{Class: classInteger, Int: 1}
	case toks[0].is("FALSE"):
		return cell{Class: classInteger}
	case toks[0].is("x") && len(toks) > 1 && toks[1].quoted == '\'':
		b, _ := hex.DecodeString(toks[1].text) // SQLite refuses the statement otherwise
		return cell{Class: classBlob, Bytes: b}
	case toks[0].quoted == 0 || a == affinityInteger || a == affinityReal || a == affinityNumeric:
		if c, ok := number(sign + s); ok {
			if a == affinityText {
				return cell{Class: classText, Bytes: []byte(sign + s)}
			}
			if a == affinityReal && c.Class == classInteger {
				c = cell{Class: classReal, Real: float64(c.Int)}
			}
			return c
		}
	}
	return cell{Class: classText, Bytes: []byte(sign + s)}
}

func number(s string) (cell, bool) {
	if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		return cell{Class: classInteger, Int: n}, true
	}
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		return cell{Class: classReal, Real: x}, true
	}
	return cell{}, false
}
