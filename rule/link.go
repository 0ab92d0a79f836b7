package rule

import "strings"

// PlainText replaces the links in a text of a rule by what people read of them:
// @section:ID:label@ and @source:FILE:LINE:label@ by the label, as are those to
// addresses, and @url:label:ADDRESS@ by label and address.
func PlainText(s string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '@')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		n := strings.IndexByte(s[i+1:], '@')
		text, ok := "", false
		if n >= 0 {
			text, ok = linkText(s[i+1 : i+1+n])
		}
		if !ok {
			b.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		b.WriteString(s[:i])
		b.WriteString(text)
		s = s[i+n+2:]
	}
}

func linkText(link string) (string, bool) {
	kind, rest, ok := strings.Cut(link, ":")
	if !ok {
		return "", false
	}
	switch kind {
	case "url":
		label, address, ok := strings.Cut(rest, ":")
		return label + " (" + address + ")", ok
	case "section", "sass", "metric":
		_, label, ok := strings.Cut(rest, ":")
		return label, ok
	case "source":
		i := strings.LastIndexByte(rest, ':')
		return rest[i+1:], i >= 0
	}
	return "", false
}
