package amd

import "strings"

// splitCall finds result, name and arguments in a line of the API section.
// whole is false where the line is no call or its end is missing.
func splitCall(line string) (result, name, args string, whole bool) {
	open := strings.Index(line, " (")
	if open < 0 {
		return "", strings.TrimSpace(line), "", false
	}
	name = line[:open]
	if i := strings.LastIndex(name, " = "); i >= 0 {
		result, name = name[:i], name[i+3:]
	}
	name = strings.TrimSpace(name)
	args = line[open+2:]
	// The last parenthesis closes the call: arguments hold build options,
	// sources and names with parentheses of their own.
	end := strings.LastIndexByte(args, ')')
	if end >= 0 && blank(args[end+1:]) {
		args, whole = args[:end], true
	}
	return result, name, strings.TrimSpace(args), whole && name != "" && !strings.Contains(name, " ")
}

// A CallText is a line of the API section taken apart.
type CallText struct {
	Result string // "" for a function without result
	Name   string
	Args   string // between the parentheses, without a comment at the end
	Repeat int    // how many consecutive calls the line stands for, at least 1
}

// ParseCall takes a line of the API section apart; ok is false where it is no
// whole call, in which case the parts that were found are returned.
func ParseCall(line string) (c CallText, ok bool) {
	c.Result, c.Name, c.Args, ok = splitCall(line)
	c.Repeat = 1
	if strings.HasSuffix(c.Args, "*/") {
		// A call that polls is written once: "... /*17 consecutive calls*/".
		if i := strings.LastIndex(c.Args, "/*"); i >= 0 {
			count, found := strings.CutSuffix(c.Args[i+2:len(c.Args)-2], " consecutive calls")
			if n, isNumber := number(count); found && isNumber && n > 0 && n < 1<<31 {
				c.Repeat = int(n)
				c.Args = strings.TrimSpace(c.Args[:i])
			}
		}
	}
	return c, ok
}

// Failed reports whether the call says that it failed: by its result or, of a function
// that returns a handle, by the code that it stored behind its last argument.
func (c *CallText) Failed() bool {
	switch r := c.Result; {
	case strings.HasPrefix(r, "CL_"):
		return r != "CL_SUCCESS"
	case strings.HasPrefix(r, "HSA_STATUS_"):
		return r != "HSA_STATUS_SUCCESS" && r != "HSA_STATUS_INFO_BREAK"
	case r == "NULL" && strings.HasSuffix(c.Args, "]"):
		code := c.Args[strings.LastIndexByte(c.Args, ';')+1:]
		return strings.HasPrefix(code, "[CL_") && code != "[CL_SUCCESS]"
	}
	return false
}

// MayFail reports whether a line of the API section may be a call that failed,
// without taking it apart: most calls of a trace did not.
func MayFail(line string) bool {
	return !strings.HasPrefix(line, "CL_SUCCESS = ") && !strings.HasPrefix(line, "HSA_STATUS_SUCCESS = ")
}

// SplitArgs appends the arguments of a call, which stand between semicolons;
// those within quotes, brackets and braces do not count. The result's strings
// are as written.
func SplitArgs(dst []string, args string) []string {
	if blank(args) {
		return dst
	}
	depth, begin := 0, 0
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case '"':
			i = endOfQuote(args, i)
		case '{', '[':
			depth++
		case '}', ']':
			depth = max(0, depth-1)
		case ';':
			if depth == 0 {
				dst = append(dst, args[begin:i])
				begin = i + 1
			}
		}
	}
	return append(dst, args[begin:])
}

// endOfQuote returns the place of the quote that ends the string begun at i, or
// the last byte. The profilers write \" for a quote within, and do not escape
// the backslash itself: a string that ends in one is followed by ; or ] or the
// end, which tells it from an escaped quote.
func endOfQuote(s string, i int) int {
	for i++; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if s[i-1] != '\\' {
			return i
		}
		rest := strings.TrimLeft(s[i+1:], " ")
		if rest == "" {
			return i
		}
		// `\";` or `\"]` may also be text; it is, if another quote closes it later.
		if (rest[0] == ';' || rest[0] == ']') && strings.IndexByte(rest, '"') < 0 {
			return i
		}
	}
	return len(s) - 1
}

// NamedArg returns the value of an argument of an HSA call, where arguments are
// written name=value.
func NamedArg(args []string, name string) (string, bool) {
	for _, a := range args {
		k, v, ok := strings.Cut(a, "=")
		if ok && strings.TrimSpace(k) == name {
			return v, true
		}
	}
	return "", false
}
