package scrub

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Drop is what is taken out by wish.
type Drop struct {
	Sources bool // texts of programs
	Cubins  bool // machine code
	Paths   bool // of source files
	Names   bool // of kernels
}

// wants reports whether things of a kind are taken out.
func (d Drop) wants(k Kind) bool {
	switch k {
	case Source:
		return d.Sources
	case Cubin:
		return d.Cubins
	case Path:
		return d.Paths
	case Name:
		return d.Names
	}
	return true
}

// Options say what is scrubbed and how.
type Options struct {
	Drop Drop
	Salt string // mixed into pseudonyms of kernels
	// Names are those of the kernels, for formats whose texts do not tell that they are;
	// with Drop.Names they are taken out wherever they stand.
	Names []string
}

// A Text is a text of a profile, and where it stands.
type Text struct {
	Place string
	Bytes []byte
	Kind  Kind // what it is, where the format knows; None where it has to be found out
	Fixed bool // what takes its place must be as long
	Short bool // what takes its place must not be longer
	Blob  bool // bytes, of which texts are a part
}

// A Finding counts what was found of a kind in a place.
type Finding struct {
	Kind  Kind
	What  string // the rule or shape
	Place string
	Count int64
}

// A Scrubber learns what is to be taken out of a profile, then takes it out. It is
// safe for concurrent use.
type Scrubber struct {
	opt Options

	mu       sync.RWMutex
	values   map[string]*value
	meanings map[string]meaning
	found    map[findingKey]int64
	sealed   *matcher
}

type findingKey struct {
	kind        Kind
	what, place string
}

// New returns a Scrubber that has learned nothing.
func New(o Options) *Scrubber {
	s := &Scrubber{opt: o, values: map[string]*value{}, meanings: map[string]meaning{}, found: map[findingKey]int64{}}
	if o.Drop.Names {
		for _, n := range o.Names {
			s.learn(strings.TrimSpace(n), Name, "name of a kernel")
		}
	}
	return s
}

// Bounds of what a file can make a Scrubber remember.
const (
	maxValues = 1 << 20
	maxPlaces = 1 << 14
	maxLearn  = 64 << 10 // bytes of a value
	minToken  = 3        // characters of a name that is taken out wherever it stands
	minWhole  = 10       // characters of any other value
)

// Learn takes a text into account.
func (s *Scrubber) Learn(t Text) {
	if len(t.Bytes) < 2 {
		return
	}
	kind, what := s.judge(t)
	switch kind {
	case None:
	case Environment:
		s.learnEnvironment(t.Bytes)
	case Name:
		s.learn(string(trim(t.Bytes)), kind, what)
	case Source, Cubin, Path:
		return
	default:
		s.learn(string(trim(t.Bytes)), kind, what)
		if i := bytes.IndexByte(t.Bytes, '.'); kind == Host && i > 2 {
			s.learn(string(t.Bytes[:i]), kind, what)
		}
	}
	find(t.Bytes, func(h hit) { s.learn(string(t.Bytes[h.start:h.end]), h.kind, h.what) })
}

func trim(b []byte) []byte { return bytes.TrimSpace(bytes.TrimRight(b, "\x00")) }

// learnEnvironment learns the assignments of an environment one by one, so that
// they are found where one stands alone.
func (s *Scrubber) learnEnvironment(b []byte) {
	for _, line := range bytes.FieldsFunc(b, func(r rune) bool { return r == 0 || r == '\n' }) {
		if i := bytes.IndexByte(line, '='); i > 0 && len(line)-i > 6 && isAssignment(line) {
			s.learn(string(line), Environment, "assignment")
		}
	}
}

// judge tells of what kind the whole of a text is.
func (s *Scrubber) judge(t Text) (Kind, string) {
	switch {
	case t.Kind == None:
	case clean(trim(t.Bytes)), !s.opt.Drop.wants(t.Kind), t.Kind == Hardware && len(t.Bytes) < 6:
		return None, ""
	default:
		return t.Kind, "named so"
	}
	if t.Blob {
		return None, ""
	}
	if kind, what := s.meaning(t.Place).judge(t.Bytes); kind != None {
		return kind, what
	}
	if environmentBlock(t.Bytes) {
		return Environment, "by its form"
	}
	return None, ""
}

// meaning remembers what places mean.
func (s *Scrubber) meaning(place string) meaning {
	s.mu.RLock()
	m, ok := s.meanings[place]
	s.mu.RUnlock()
	if ok {
		return m
	}
	m = meaningOf(place)
	s.mu.Lock()
	if len(s.meanings) < maxPlaces {
		s.meanings[strings.Clone(place)] = m
	}
	s.mu.Unlock()
	return m
}

// learn remembers a value.
func (s *Scrubber) learn(text string, kind Kind, what string) {
	if len(text) > maxLearn || clean([]byte(text)) {
		return
	}
	v := &value{text: text, kind: kind, what: what}
	switch kind {
	case User:
		v.token = true
		if len(text) < minToken || common[strings.ToLower(text)] {
			s.learnHome(text, what)
			return
		}
	case Host:
		v.token = true
		if len(text) < minToken || common[strings.ToLower(text)] {
			return
		}
	case Address, Hardware, Name:
		v.token = true
	case Secret:
		if len(text) < 8 {
			v.token = true
		}
	case Command: // an argument or a program alone may be a word of the analysis
		if len(text) < minWhole || !strings.ContainsAny(text, " =") {
			return
		}
		v.token = true
	case Directory:
		if len(text) < minWhole || !strings.ContainsAny(text, `/\`) || ofSystem(text) || namesUser(text) {
			return
		}
		v.token = true
	default:
		if len(text) < minWhole {
			return
		}
		v.token = true
	}
	s.put(v)
}

// ofSystem reports whether a folder is one that every machine has.
func ofSystem(dir string) bool {
	for _, p := range []string{"/usr", "/opt", "/bin", "/sbin", "/lib", "/etc", "/var", "/tmp", "/proc", "/sys", "/dev", "/run", "/root", "/content", "/workspace"} {
		if rest, ok := strings.CutPrefix(dir, p); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// namesUser reports whether a path names a user: without the name it is another.
func namesUser(path string) bool {
	named := false
	find([]byte(path), func(h hit) { named = named || h.kind == User })
	return named
}

// learnHome learns a short or common name with the folders of users before it.
func (s *Scrubber) learnHome(name, what string) {
	for _, h := range homes {
		s.put(&value{text: h + name, kind: User, what: what, token: true})
	}
}

func (s *Scrubber) put(v *value) {
	s.mu.RLock()
	old, ok := s.values[v.text]
	s.mu.RUnlock()
	if ok && old.kind <= v.kind {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old = s.values[v.text]; old == nil && len(s.values) < maxValues || old != nil && old.kind > v.kind {
		s.values[v.text] = v
	}
}

// Seal ends the learning and gives each value what stands in for it.
func (s *Scrubber) Seal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*value, 0, len(s.values))
	for _, v := range s.values {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b *value) int { return strings.Compare(a.text, b.text) })
	numbers, hosts := map[Kind]int{}, map[string]string{}
	for _, v := range list {
		switch {
		case v.kind == Name:
			v.stand = pseudonym(s.opt.Salt, v.text)
		case v.kind == User && strings.ContainsAny(v.text, `/\`):
			at := strings.LastIndexAny(v.text, `/\`) + 1
			v.stand = v.text[:at] + s.numbered(hosts, numbers, User, v.text[at:])
		case v.kind == Host: // node17 and node17.cluster.edu are one
			short, _, _ := strings.Cut(v.text, ".")
			v.stand = s.numbered(hosts, numbers, Host, short)
		default:
			v.stand = s.numbered(hosts, numbers, v.kind, v.text)
		}
	}
	s.sealed = newMatcher(list)
}

func (s *Scrubber) numbered(known map[string]string, numbers map[Kind]int, k Kind, text string) string {
	key := k.String() + "\x00" + text
	if known[key] == "" {
		numbers[k]++
		known[key] = number(k, numbers[k], text)
	}
	return known[key]
}

// Replace returns what takes the place of a text: the text itself where there is
// nothing to take out.
func (s *Scrubber) Replace(t Text) []byte {
	if len(t.Bytes) < 2 {
		return t.Bytes
	}
	if kind, what := s.judge(t); kind != None {
		if out, done := s.whole(t, kind, what); done {
			return out
		}
	}
	at, v := s.sealed.next(t.Bytes, 0)
	if v == nil {
		return t.Bytes
	}
	out, from := make([]byte, 0, len(t.Bytes)+16), 0
	for v != nil {
		out = append(out, t.Bytes[from:at]...)
		from = at + len(v.text)
		out = append(out, v.in(t)...)
		s.count(v.kind, v.what, t.Place)
		at, v = s.sealed.next(t.Bytes, from)
	}
	return append(out, t.Bytes[from:]...)
}

// in is what stands in for the value in a text.
func (v *value) in(t Text) []byte {
	if !t.Fixed && !t.Short {
		return []byte(v.stand)
	}
	if at := strings.LastIndexAny(v.text, `/\`); v.kind == User && at >= 0 {
		return append([]byte(v.text[:at+1]), fit(v.stand[at+1:], len(v.text)-at-1, t.Fixed, false)...)
	}
	return fit(v.stand, len(v.text), t.Fixed, false)
}

// whole replaces the whole of a text; done is false where its parts have to do.
func (s *Scrubber) whole(t Text, kind Kind, what string) (out []byte, done bool) {
	switch kind {
	case Host, User, Address, Hardware, Secret, Name:
		v := s.value(string(trim(t.Bytes)))
		stand := secretMark
		switch {
		case v != nil:
			stand = v.stand
		case kind == Host || kind == User:
			stand = number(kind, 0, "") // one that is taken out here only
		case kind != Secret:
			return nil, false
		}
		s.count(kind, what, t.Place)
		return s.fitted(stand, t), true
	}
	s.count(kind, what, t.Place)
	return s.fitted(removed, t), true
}

func (s *Scrubber) fitted(stand string, t Text) []byte {
	if !t.Fixed && !t.Short {
		return []byte(stand)
	}
	return fit(stand, len(t.Bytes), t.Fixed, true)
}

func (s *Scrubber) value(text string) *value {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.values[text]
}

func (s *Scrubber) count(kind Kind, what, place string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := findingKey{kind, what, place}
	if _, ok := s.found[k]; !ok {
		if len(s.found) >= maxPlaces {
			k.place = "further places"
		}
		k.place = strings.Clone(k.place)
	}
	s.found[k]++
}

// Findings tells what was found, sorted by kind, place and rule.
func (s *Scrubber) Findings() []Finding {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []Finding
	for k, n := range s.found {
		out = append(out, Finding{k.kind, k.what, k.place, n})
	}
	slices.SortFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Place, b.Place), strings.Compare(a.What, b.What))
	})
	return out
}
