package nvtxfilter

import (
	"regexp"
	"strings"
)

// defaultDomain is how an expression spells the domain of ranges that were
// opened without one.
const defaultDomain = "<default domain>"

// An Expr is a parsed filter expression. It is immutable and safe for
// concurrent use.
type Expr struct {
	text    string
	domain  name
	names   []name
	pushPop bool
	stack   stackPattern // over names, if pushPop
}

// name is a domain or range name, or a regular expression for one.
type name struct {
	text string         // without escapes; the regular expression as written
	re   *regexp.Regexp // nil for a plain name
}

// matches compares a plain name as a whole; a regular expression is searched
// for anywhere in s.
func (n *name) matches(s string) bool {
	if n.re != nil {
		return n.re.MatchString(s)
	}
	return n.text == s
}

// Parse reads an expression. Its error is a *[SyntaxError].
func Parse(expr string) (*Expr, error) {
	e := &Expr{text: expr}
	rest := piece{text: expr}
	text, regex := strings.CutPrefix(expr, regexPrefix)
	if regex {
		rest = piece{text, len(regexPrefix)}
	}
	ranges, err := e.parseDomain(rest, regex)
	if err == nil {
		err = e.parseRanges(ranges, regex)
	}
	if err != nil {
		err.Expr = expr
		return nil, err
	}
	return e, nil
}

// parseDomain sets the domain and returns the part behind it.
func (e *Expr) parseDomain(p piece, regex bool) (ranges piece, err *SyntaxError) {
	parts := split(p, '@')
	switch {
	case len(parts) == 1:
		e.domain = name{text: defaultDomain}
		return p, nil
	case parts[0].text == "":
		return p, &SyntaxError{Offset: p.off, Want: `a domain name before "@"`, Found: `"@"`, Err: ErrInvalid}
	case len(parts) > 2:
		return p, &SyntaxError{Offset: parts[2].off - 1, Want: `ranges of one domain, or "\@" in a name`, Found: `a second "@"`, Err: ErrInvalid}
	}
	e.domain, err = newName(parts[0], regex)
	return parts[1], err
}

// parseRanges tells the kind of the ranges and reads their names.
func (e *Expr) parseRanges(p piece, regex bool) *SyntaxError {
	bottom, top := strings.HasPrefix(p.text, "["), endsWith(p.text, "]")
	if regex {
		// A slash before a bracket at either end leaves the bracket to the regular
		// expression, and does not count as an operator itself.
		if strings.HasPrefix(p.text, "/[") {
			p = piece{p.text[1:], p.off + 1}
		}
		if endsWith(p.text, "/]") {
			p.text, top = p.text[:len(p.text)-2]+"]", false
		}
	}
	add := func(it piece) *SyntaxError {
		n, err := newName(it, regex)
		e.names = append(e.names, n)
		return err
	}
	items := split(p, '/')
	if !bottom && !top && len(items) == 1 {
		for _, it := range split(p, ',') {
			if err := add(it); err != nil {
				return err
			}
		}
		return nil
	}
	var err *SyntaxError
	e.pushPop = true
	e.stack, err = parseStack(items, bottom, top, add)
	return err
}

// newName reads a name, or compiles a regular expression, in which backslashes
// keep their meaning.
func newName(p piece, regex bool) (name, *SyntaxError) {
	if !regex {
		return name{text: unescape(p.text)}, nil
	}
	if _, err := regexp.Compile(p.text); err != nil {
		return name{}, regexpError(p, err)
	}
	// The vendor's dialect lets "." match a line feed, and "^" and "$" match at one.
	re, err := regexp.Compile("(?ms)" + p.text)
	if err != nil {
		return name{}, regexpError(p, err)
	}
	return name{text: p.text, re: re}, nil
}

// String is the expression as it was given to [Parse].
func (e *Expr) String() string { return e.text }

// Domain is the name, or the regular expression, of the domain that the
// expression is about: [DefaultDomain] if it gives none.
func (e *Expr) Domain() string { return e.domain.text }

// MatchDomain reports whether the expression is about the domain of this name;
// the empty name is the default domain's, as is [DefaultDomain]. A caller that
// finds it false for every domain of a report does well to warn.
func (e *Expr) MatchDomain(domain string) bool {
	if domain == "" {
		domain = defaultDomain
	}
	return e.domain.matches(domain)
}

// Match reports whether a launch in this state is inside the ranges that the
// expression names. One domain must hold them all; a regular expression for the
// domain may choose among several.
func (e *Expr) Match(s State) bool { return e.match(s, false) }

func (e *Expr) match(s State, compat bool) bool {
	for i := range s.Domains {
		d := &s.Domains[i]
		if !e.MatchDomain(d.Name) {
			continue
		}
		if e.pushPop && e.matchStack(d.PushPop, compat) || !e.pushPop && e.matchOpen(d.StartEnd) {
			return true
		}
	}
	return false
}

func (e *Expr) matchStack(frames []string, compat bool) bool {
	var lowest []bool
	if compat && e.stack.places() > 1 {
		if len(e.names) == 1 {
			return false // [A]: nothing is at two positions
		}
		lowest = lowestOfName(frames)
	}
	return e.stack.match(len(frames), func(item, frame int) bool {
		return (lowest == nil || lowest[frame]) && e.names[item].matches(frames[frame])
	})
}

// lowestOfName tells for each frame whether no frame below it has its name.
func lowestOfName(frames []string) []bool {
	lowest := make([]bool, len(frames))
	seen := make(map[string]bool, len(frames))
	for i, f := range frames {
		lowest[i] = !seen[f]
		seen[f] = true
	}
	return lowest
}

func (e *Expr) matchOpen(open []string) bool {
names:
	for i := range e.names {
		for _, o := range open {
			if e.names[i].matches(o) {
				continue names
			}
		}
		return false
	}
	return true
}
