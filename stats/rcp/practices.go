package rcp

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/view"
)

// Rules says which rules run. The zero Rules runs all.
type Rules struct {
	given map[string]bool // nil: no file
}

// The names of the rules, as in a rules file.
var (
	ruleNames = map[string][]string{
		amd.OpenCL: {"RefTracker", "BlockingWrite", "BadWorkGroupSize", "RetCodeAnalyzer", "DeprecatedFunctionAnalyzer", "DataTransferAnalyzer", "SyncAnalyzer"},
		amd.HSA:    {"HSARetCodeAnalyzer", "HSARefTracker"},
	}
	rulePrefix = "APITrace.APIRules."
)

// ParseRules reads lines such as APITrace.APIRules.RefTracker=False. Compat
// reads them as AMD does: only the very word True is on, and blanks around the
// equals sign void a line.
func ParseRules(r io.Reader, compat bool) (Rules, error) {
	rules := Rules{given: map[string]bool{}}
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSuffix(in.Text(), "\r")
		key, value, ok := strings.Cut(line, "=")
		if !compat {
			key, value = strings.TrimSpace(key), strings.TrimSpace(value)
			if key == "" || key[0] == '#' {
				continue
			}
		}
		name, isRule := strings.CutPrefix(key, rulePrefix)
		switch {
		case compat:
			if ok && isRule && name == strings.TrimSpace(name) {
				rules.given[name] = value == "True"
			}
		case !ok || !isRule || !knownRule(name):
			return rules, fmt.Errorf("line %d: expected %sNAME=True or False, NAME one of %s; found %q", n, rulePrefix, strings.Join(RuleNames(), ", "), line)
		default:
			switch strings.ToLower(value) {
			case "true", "1", "on", "yes":
				rules.given[name] = true
			case "false", "0", "off", "no":
				rules.given[name] = false
			default:
				return rules, fmt.Errorf("line %d: expected True or False, found %q", n, value)
			}
		}
	}
	return rules, in.Err()
}

// RuleNames are the names that a rules file may hold.
func RuleNames() []string {
	return append(append([]string(nil), ruleNames[amd.OpenCL]...), ruleNames[amd.HSA]...)
}

func knownRule(name string) bool {
	for _, n := range RuleNames() {
		if n == name {
			return true
		}
	}
	return false
}

// on reports whether a rule runs.
func (a *Analysis) on(name string) bool {
	given := a.o.Rules.given
	v, ok := given[name]
	if given == nil {
		return true
	}
	if a.o.Compat && (name == "BlockingWrite" || name == "BadWorkGroupSize") && !given["BlockingWrite"] && !given["BadWorkGroupSize"] {
		return false // one of the two has to be named as on
	}
	return v || !ok
}

// anyOn reports whether a rule of the module runs.
func (a *Analysis) anyOn(module string) bool {
	for _, n := range ruleNames[module] {
		if a.on(n) {
			return true
		}
	}
	return false
}

// A message of a rule.
type message struct {
	index  int
	thread uint64
	kind   string
	text   string
}

// The kinds of messages.
const (
	isError   = "Error"
	isWarning = "Warning"
	isAdvice  = "Best Practices"
)

// findings are the messages of one rule.
type findings struct {
	rule string
	list []message
	n    int // found, of which the list holds the first
}

// maxMessages is how many messages of a rule a page shows.
const maxMessages = 200

func (f *findings) add(s site, kind, text string) {
	if f.n++; len(f.list) < maxMessages {
		f.list = append(f.list, message{s.index, s.thread, kind, text})
	}
}

// findings runs the rules of a module: those that look at calls by their time in
// one walk, those that look at them as they stand in the file in another.
func (a *Analysis) findings(module string) []*findings {
	if module == amd.HSA {
		codes, ofCodes := a.hsaReturnCodes()
		objects, ofObjects, leaks := a.hsaReferences()
		a.fileOrder(module, ofCodes)
		a.timeOrder(module, ofObjects)
		leaks()
		return []*findings{codes, objects}
	}
	objects, ofObjects, leaks := a.references()
	simple, ofSimple := a.simpleRules()
	codes, ofCodes := a.returnCodes()
	old, ofOld := a.deprecations()
	data, ofData := a.dataTransfers()
	syncs, ofSyncs := a.synchronizations()
	inTime, inFile := []rule{ofObjects, ofData, ofSyncs}, []rule{ofCodes, ofOld}
	if a.o.Compat {
		inFile = append(inFile, ofSimple)
	} else {
		inTime = append(inTime, ofSimple)
	}
	a.fileOrder(module, inFile...)
	a.timeOrder(module, inTime...)
	leaks()
	all := append([]*findings{objects}, simple...)
	return append(all, codes, old, data, syncs)
}

// practices is CLBestPractices and HSABestPractices. notes tell of rules that
// found more than is shown.
func (a *Analysis) practices(module string) (t *view.Table, notes []string) {
	if a.o.Compat && !a.anyOn(amd.HSA) {
		return nil, nil // this keeps AMD's program from judging at all
	}
	all := a.findings(module)
	t = &view.Table{Columns: columns(texts("Index", "Call Index", "Thread ID", "Type", "Message"))}
	for _, f := range all {
		if f == nil {
			continue
		}
		for _, m := range f.list {
			t.Rows = append(t.Rows, []view.Value{a.count(uint64(len(t.Rows))), a.index(m.index), a.count(m.thread), view.String(m.kind), view.String(m.text)})
		}
		if f.n > maxMessages || a.o.Compat && f.n == maxMessages {
			notes = append(notes, fmt.Sprintf("Warning: Maximum number of messages for %s exceeded. %d out of %d are displayed.", f.rule, len(f.list), f.n))
		}
	}
	if len(t.Rows) == 0 {
		return nil, nil
	}
	return t, notes
}
