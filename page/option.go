package page

import (
	"slices"
	"strconv"
	"strings"
)

// OptionKind is the type of an option's value.
type OptionKind uint8

// The kinds of options.
const (
	Flag   OptionKind = iota // on or off
	Text                     // any text
	Count                    // a whole number, 0 or more
	Choice                   // one of Option.Values
	List                     // texts; the option may be repeated
)

// An Option is declared once and becomes a flag of the command and a control of
// the viewer.
type Option struct {
	Name    string
	Short   string // one letter, or ""
	Kind    OptionKind
	Arg     string // what the value is, in help
	Default string
	Values  []string // of a Choice
	Help    string
	NoComma bool // of a List: values are not split at commas
	Greedy  bool // of a List: on a command line it takes all that follows up to the next option, as shells expand patterns

	// Remote says that a face on behalf of others, such as the viewer, may set the
	// option: it names no file, folder or program, and takes no more than its time.
	Remote bool
}

func (o *Option) check(given []string) error {
	for _, v := range given {
		switch o.Kind {
		case Choice:
			if !slices.Contains(o.Values, v) {
				return Usagef("--%s: %q is not one of %s", o.Name, v, strings.Join(o.Values, ", "))
			}
		case Count:
			if _, err := strconv.ParseUint(v, 10, 31); err != nil {
				return Usagef("--%s: %q is not a whole number", o.Name, v)
			}
		case Flag:
			if _, err := strconv.ParseBool(v); err != nil {
				return Usagef("--%s: %q is neither true nor false", o.Name, v)
			}
		}
	}
	return nil
}

// Option is the option of a name that the page has, or nil.
func (q *Request) Option(name string) *Option {
	if q.Page == nil {
		return nil
	}
	return q.Page.Option(name)
}

// Given reports whether the user set the option.
func (q *Request) Given(name string) bool { return len(q.Values[name]) > 0 }

// Text is the value of a Text or Choice option.
func (q *Request) Text(name string) string {
	if v := q.Values[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	if o := q.Option(name); o != nil {
		return o.Default
	}
	return ""
}

// Count is the value of a Count option.
func (q *Request) Count(name string) int {
	n, _ := strconv.Atoi(q.Text(name))
	return n
}

// Flag is the value of a Flag option.
func (q *Request) Flag(name string) bool {
	on, _ := strconv.ParseBool(q.Text(name))
	return on
}

// List holds the values of a List option.
func (q *Request) List(name string) []string {
	var out []string
	o := q.Option(name)
	for _, v := range q.Values[name] {
		if o != nil && o.NoComma {
			out = append(out, v)
			continue
		}
		for _, s := range strings.Split(v, ",") {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}
