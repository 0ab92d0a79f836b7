package nvtxt

import (
	"bytes"
	"fmt"
	"strings"
)

// Command is one of the instructions a file can call.
type Command uint8

// The commands. RangeStart, RangeEnd, NameCategory and SetFileDisplayColor are
// known to the Guide dialect only; nothing but their names is documented.
const (
	NoCommand Command = iota
	CmdRangeStartEnd
	CmdRangePush
	CmdRangePop
	CmdMarker
	CmdRangeStart
	CmdRangeEnd
	CmdNameProcess
	CmdNameOsThread
	CmdNameCategory
	CmdSetFileDisplayName
	CmdSetFileDisplayColor
	numCommands = iota
)

// String returns the name as files spell it.
func (c Command) String() string {
	if int(c) < len(commands) {
		return commands[c].name
	}
	return fmt.Sprintf("Command(%d)", uint8(c))
}

// Event reports whether c makes an event, or a part of one, on the timeline.
func (c Command) Event() bool { return c >= CmdRangeStartEnd && c <= CmdRangeEnd }

// Param is an argument of a command. A variable of the same name is its static
// value, which calls use whose definition leaves the argument out.
type Param uint8

// The arguments.
const (
	ParamStart Param = iota
	ParamEnd
	ParamTime
	ParamTimeBase
	ParamProcess
	ParamThread
	ParamCategory
	ParamColor
	ParamMessage
	ParamPayload
	ParamName
	ParamID   // Guide only: pairs RangeStart with RangeEnd
	numParams = iota
)

// NoParam is none of them.
const NoParam Param = numParams

var paramNames = [numParams]string{
	"Start", "End", "Time", "TimeBase", "ProcessId", "ThreadId",
	"CategoryId", "Color", "Message", "Payload", "Name", "Id",
}

// String returns the name as files spell it, such as "ProcessId".
func (p Param) String() string {
	if int(p) < len(paramNames) {
		return paramNames[p]
	}
	return fmt.Sprintf("Param(%d)", uint8(p))
}

// ParamSet is a set of arguments.
type ParamSet uint16

// Has reports whether p is in the set.
func (s ParamSet) Has(p Param) bool { return s>>p&1 != 0 }

func paramSet(ps ...Param) ParamSet {
	var s ParamSet
	for _, p := range ps {
		s |= 1 << p
	}
	return s
}

// first returns the first argument of the set; numParams if it is empty.
func (s ParamSet) first() Param {
	for p := range Param(numParams) {
		if s.Has(p) {
			return p
		}
	}
	return numParams
}

// timeParam is the argument that tells when an event begins.
func timeParam(c Command) Param {
	if c == CmdRangeStartEnd {
		return ParamStart
	}
	return ParamTime
}

// String lists the arguments with commas between.
func (s ParamSet) String() string {
	var names []string
	for p := range Param(numParams) {
		if s.Has(p) {
			names = append(names, p.String())
		}
	}
	return strings.Join(names, ", ")
}

// command is what Guide knows of a command.
type command struct {
	name  string
	def   []Param  // definition in force before any @ line
	guess bool     // the order in def is not documented but follows by analogy
	needs ParamSet // without these there is no event or name
}

var (
	pointArgs = []Param{ParamTime, ParamTimeBase, ParamProcess, ParamThread, ParamCategory, ParamColor, ParamMessage, ParamPayload}
	startArgs = append(pointArgs[:len(pointArgs):len(pointArgs)], ParamID)

	eventArgs = paramSet(ParamTimeBase, ParamProcess, ParamThread, ParamCategory, ParamColor, ParamMessage, ParamPayload)
)

var commands = [numCommands]command{
	NoCommand: {},
	CmdRangeStartEnd: {
		name: "RangeStartEnd",
		def: []Param{ParamStart, ParamEnd, ParamTimeBase, ParamProcess, ParamThread,
			ParamCategory, ParamColor, ParamMessage, ParamPayload},
		needs: paramSet(ParamStart, ParamEnd),
	},
	CmdRangePush:  {name: "RangePush", def: pointArgs, guess: true, needs: paramSet(ParamTime)},
	CmdRangePop:   {name: "RangePop", def: pointArgs[:4], guess: true, needs: paramSet(ParamTime)},
	CmdMarker:     {name: "Marker", def: pointArgs, guess: true, needs: paramSet(ParamTime)},
	CmdRangeStart: {name: "RangeStart", def: startArgs, guess: true, needs: paramSet(ParamTime)},
	CmdRangeEnd: {
		name:  "RangeEnd",
		def:   []Param{ParamTime, ParamTimeBase, ParamProcess, ParamThread, ParamID},
		guess: true,
		needs: paramSet(ParamTime),
	},
	CmdNameProcess: {
		name:  "NameProcess",
		def:   []Param{ParamProcess, ParamName},
		needs: paramSet(ParamProcess, ParamName),
	},
	CmdNameOsThread: {
		name:  "NameOsThread",
		def:   []Param{ParamProcess, ParamThread, ParamName},
		needs: paramSet(ParamProcess, ParamThread, ParamName),
	},
	CmdNameCategory: {
		name:  "NameCategory",
		def:   []Param{ParamProcess, ParamCategory, ParamName},
		guess: true,
		needs: paramSet(ParamCategory, ParamName),
	},
	CmdSetFileDisplayName: {
		name:  "SetFileDisplayName",
		def:   []Param{ParamName},
		needs: paramSet(ParamName),
	},
	CmdSetFileDisplayColor: {
		name:  "SetFileDisplayColor",
		def:   []Param{ParamColor},
		guess: true,
		needs: paramSet(ParamColor),
	},
}

// uses is the set of all arguments that the command looks at.
func (c Command) uses() ParamSet {
	switch c {
	case CmdRangeStartEnd:
		return eventArgs | paramSet(ParamStart, ParamEnd)
	case CmdMarker, CmdRangePush:
		return eventArgs | paramSet(ParamTime)
	case CmdRangeStart:
		return eventArgs | paramSet(ParamTime, ParamID)
	default:
		return paramSet(commands[c].def...)
	}
}

// commandOf finds a command by its exact name.
func commandOf(name []byte) Command {
	for c := CmdRangeStartEnd; c < numCommands; c++ {
		if string(name) == commands[c].name {
			return c
		}
	}
	return NoCommand
}

// commandLike finds a command by a name in other letter case.
func commandLike(name []byte) Command {
	for c := CmdRangeStartEnd; c < numCommands; c++ {
		if bytes.EqualFold(name, []byte(commands[c].name)) {
			return c
		}
	}
	return NoCommand
}

func paramOf(name []byte) (Param, bool) {
	for p := range Param(numParams) {
		if string(name) == paramNames[p] {
			return p, true
		}
	}
	return 0, false
}

func paramLike(name []byte) (Param, bool) {
	for p := range Param(numParams) {
		if bytes.EqualFold(name, []byte(paramNames[p])) {
			return p, true
		}
	}
	return 0, false
}

// definition is the argument list that an @ line gives a command.
type definition struct {
	params []Param
	names  [][]byte // Nsys: as written, since unknown ones matter only when called
	line   int      // of the @ line; 0 for a default definition
	set    ParamSet
}
