package cufilt

import "strconv"

// keepParams rewrites a mangled name so that each reference to a template
// parameter, T_ or T0_, names a type T1 or T2: the demangler would put in what
// the parameter stands for. Both are components that can be substituted, so that
// references of the form S1_ stay right. ok is false where the name has parts
// that the scan does not understand.
//
// See the Itanium C++ ABI, "Name mangling", for the grammar.
func keepParams(mangled string) (rewritten string, ok bool) {
	if len(mangled) < 3 || mangled[:2] != "_Z" {
		return "", false
	}
	s := &scanner{in: mangled, out: []byte("_Z"), at: 2}
	for s.at < len(s.in) {
		if !s.step() {
			return "", false
		}
	}
	return string(s.out), true
}

type scanner struct {
	in   string
	at   int
	out  []byte
	open []byte // letters of the constructs that an E will end
}

func (s *scanner) peek(k int) byte {
	if s.at+k < len(s.in) {
		return s.in[s.at+k]
	}
	return 0
}

// copy takes n bytes over.
func (s *scanner) copy(n int) bool {
	if n > len(s.in)-s.at {
		return false
	}
	s.out = append(s.out, s.in[s.at:s.at+n]...)
	s.at += n
	return true
}

// digits is the number of digits from k bytes on.
func (s *scanner) digits(k int) int {
	n := 0
	for isDigit(s.peek(k + n)) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// step takes one token over.
func (s *scanner) step() bool {
	switch c := s.peek(0); {
	case isDigit(c):
		return s.sourceName()
	case c == 'S':
		return s.substitution()
	case c == 'T':
		return s.param()
	case c == 'L':
		return s.literal()
	case c == 'E':
		return s.end()
	case c == 'N' || c == 'I' || c == 'J' || c == 'F' || c == 'Z':
		s.open = append(s.open, c)
		return s.copy(1)
	case c == 'U' && s.peek(1) == 'l':
		s.open = append(s.open, 'U')
		return s.copy(2)
	case c == 'U' && s.peek(1) == 't':
		return s.copy(2) && s.copy(s.digits(0)) && s.peek(0) == '_' && s.copy(1)
	case c == 'A':
		return isDigit(s.peek(1)) && s.copy(1+s.digits(1)) && s.peek(0) == '_' && s.copy(1)
	case c == 'C':
		return s.copy(2)
	case c == 'D':
		return s.peek(1) != 't' && s.peek(1) != 'T' && s.peek(1) != 'v' && s.copy(2)
	case c == '_': // which of several local entities
		return isDigit(s.peek(1)) && s.copy(2)
	case c == 'X' || c == '.':
		return false
	}
	return s.copy(1)
}

func (s *scanner) sourceName() bool {
	d := s.digits(0)
	n, err := strconv.Atoi(s.in[s.at : s.at+d])
	return err == nil && n <= len(s.in) && s.copy(d+n) && s.value()
}

func (s *scanner) substitution() bool {
	n := 1
	for c := s.peek(n); isDigit(c) || c >= 'A' && c <= 'Z'; c = s.peek(n) {
		n++
	}
	if s.peek(n) == '_' {
		return s.copy(n+1) && s.value()
	}
	return s.copy(2)
}

func (s *scanner) param() bool {
	d := s.digits(1)
	if s.peek(1+d) != '_' {
		return false
	}
	n := 1
	if d > 0 {
		k, err := strconv.Atoi(s.in[s.at+1 : s.at+1+d])
		if err != nil {
			return false
		}
		n = k + 2
	}
	name := "T" + strconv.Itoa(n)
	s.out = append(s.out, strconv.Itoa(len(name))+name...)
	s.at += 2 + d
	return true
}

// literal takes a literal of a builtin type over, or begins one of a named type.
func (s *scanner) literal() bool {
	switch c := s.peek(1); {
	case c >= 'a' && c <= 'z':
		n := 2
		for s.peek(n) != 'E' {
			if s.peek(n) == 0 {
				return false
			}
			n++
		}
		return s.copy(n + 1)
	case c == '_':
		s.open = append(s.open, 'L')
		return s.peek(2) == 'Z' && s.copy(3)
	}
	s.open = append(s.open, 'l')
	return s.copy(1)
}

// value takes the value of a literal over where its type has ended.
func (s *scanner) value() bool {
	if n := len(s.open); n == 0 || s.open[n-1] != 'l' {
		return true
	}
	n := 0
	if s.peek(0) == 'n' {
		n = 1
	}
	d := s.digits(n)
	if d == 0 || s.peek(n+d) != 'E' {
		return true // the type goes on
	}
	s.open = s.open[:len(s.open)-1]
	return s.copy(n + d + 1)
}

func (s *scanner) end() bool {
	n := len(s.open)
	if n == 0 {
		return false
	}
	c := s.open[n-1]
	s.open = s.open[:n-1]
	if !s.copy(1) {
		return false
	}
	switch c {
	case 'U':
		return s.copy(s.digits(0)) && s.peek(0) == '_' && s.copy(1)
	case 'Z':
		return s.peek(0) != 'd' && s.peek(0) != 's'
	}
	return s.value()
}
