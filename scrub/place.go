package scrub

import (
	"bytes"
	"strings"
)

// meanings are places that hold one of the kinds by what they mean, by the last part
// of their name without case, digits at its end and anything but letters. They are
// names of fields in the formats that gpuprof reads, and those that people use.
var meanings = map[string]Kind{}

func init() {
	for kind, words := range map[Kind]string{
		Host: `hostname computername nodename machinename exporthost devicedisplayname host hostip node_hostname nodelist machineid machine
			systemname domainname`,
		User:        `username user exportuser login logname userid owner author`,
		Address:     `ipaddress ipaddr ip hostaddress sessionhostaddressesaddress networkaddress`,
		Hardware:    `macaddress mac hwaddr`,
		Command:     `commandline cmdline command cmd argv argument arguments applicationargs appargs applicationarguments commandargs processargs launchcommand`,
		Environment: `environment environ env environmentvariable environmentvariables deviceenvironment envvars processenvironment`,
		Directory: `cwd pwd workingdir workingdirectory workdir workdirectory currentdirectory currentworkingdirectory oldpwd
			exportinputpath exportinputpathabs exportoutputpath exportoutputpathabs exportoutuptpath exportoutuptpathabs
			exportparaminputpath exportparaminputpathabs exportparamoutputpath exportparamoutputpathabs exportparamoutuptpath exportparamoutuptpathabs`,
		Output: `stdout stderr consoleoutput processoutput streamcontent`,
	} {
		for _, w := range strings.Fields(words) {
			meanings[squeeze(w)] = kind
		}
	}
}

// squeeze keeps the letters of a name, small.
func squeeze(s string) string {
	s = strings.TrimRight(s, "0123456789]\"' ")
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 32
		case r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, s)
}

// A meaning is what a place tells of its texts.
type meaning struct {
	kind   Kind
	secret bool // its name is that of a secret
	pass   bool // of a password
}

// meaningOf reads a place: parts joined by dots, colons or brackets.
func meaningOf(place string) meaning {
	last := place
	if i := strings.LastIndexAny(strings.TrimRight(place, "]"), ".:[/"); i >= 0 {
		last = place[i+1:]
	}
	word := squeeze(last)
	m := meaning{kind: meanings[word]}
	m.pass = strings.Contains(word, "passw") || strings.Contains(word, "passphrase") || word == "pass" || word == "pgpass"
	m.secret = m.pass || strings.Contains(word, "secret") || strings.HasSuffix(word, "token") || strings.Contains(word, "apikey") ||
		strings.Contains(word, "accesskey") || strings.Contains(word, "privatekey") || strings.Contains(word, "credential")
	return m
}

// judge tells of what kind the whole of a text at such a place is.
func (m meaning) judge(b []byte) (Kind, string) {
	t := bytes.TrimSpace(bytes.TrimRight(b, "\x00"))
	if len(t) == 0 || clean(t) {
		return None, ""
	}
	switch m.kind {
	case None:
		if m.pass && notPlaceholder(t) || m.secret && len(t) >= 8 && mixed(t) {
			return Secret, "named so"
		}
		return None, ""
	case Host:
		if localHost(t) || len(t) > 253 || allDigits(t) || bytes.ContainsAny(t, " ()/") {
			return None, ""
		}
		kind := Host
		find(append([]byte("host "), t...), func(h hit) {
			if h.kind == Address && h.start == 5 && h.end == 5+len(t) {
				kind = Address
			}
		})
		if kind == Host && bytes.Trim(t, "0123456789.:") == nil {
			return None, "" // an address that was judged to be nobody's
		}
		return kind, "named so"
	case User:
		if anonymous(t) || len(t) > 64 || allDigits(t) || bytes.ContainsAny(t, " ()/<>") {
			return None, ""
		}
	case Address, Hardware:
		found := false
		find(append([]byte("addr "), t...), func(h hit) { found = found || h.kind == m.kind })
		if !found {
			return None, ""
		}
	case Command, Environment, Directory, Output:
		if t[0] == '{' && t[len(t)-1] == '}' && len(t) == 2 {
			return None, ""
		}
	}
	return m.kind, "named so"
}

// environmentBlock reports whether a text is the environment of a process: many
// assignments, one behind the other, with one that every environment has.
func environmentBlock(b []byte) bool {
	if len(b) < 32 || bytes.IndexByte(b, '=') < 0 {
		return false
	}
	if !bytes.Contains(b, []byte("PATH=")) && !bytes.Contains(b, []byte("HOME=")) && !bytes.Contains(b, []byte("USER=")) && !bytes.Contains(b, []byte("LANG=")) {
		return false
	}
	for _, sep := range []byte{0, ';', '\n'} {
		parts, assigned := 0, 0
		for _, line := range bytes.Split(b, []byte{sep}) {
			if len(line) == 0 {
				continue
			}
			parts++
			if isAssignment(line) {
				assigned++
			}
		}
		if assigned >= 4 && assigned*2 >= parts {
			return true
		}
	}
	return false
}

// isAssignment reports whether a line is NAME=value of an environment.
func isAssignment(line []byte) bool {
	i := bytes.IndexByte(line, '=')
	if i <= 0 || i > 128 {
		return false
	}
	for j, c := range line[:i] {
		if !isAlnum[c] && c != '_' && c != '%' || j == 0 && isDigit(c) {
			return false
		}
	}
	return true
}
