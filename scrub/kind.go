package scrub

// A Kind is a kind of thing that is taken out.
type Kind uint8

// The kinds.
const (
	None Kind = iota
	Host
	User
	Address
	Hardware
	Command
	Environment
	Directory
	Output
	Secret
	// By wish only.
	Source
	Cubin
	Path
	Name
	kindCount
)

// A kindInfo describes a kind.
type kindInfo struct {
	Name   string
	Reason string // why it is taken out
	whole  string // what stands in for a whole value
}

var kinds = [kindCount]kindInfo{
	Host:        {Name: "host name", Reason: "tells which machine, and often which company or cluster"},
	User:        {Name: "user name", Reason: "tells who; stands in home folders, mail addresses and variables"},
	Address:     {Name: "network address", Reason: "IPv4 and IPv6 addresses of machines that somebody could call on"},
	Hardware:    {Name: "hardware address", Reason: "MAC addresses and adapter ids name one machine for good"},
	Command:     {Name: "command line", Reason: "holds arguments: data sets, models, passwords", whole: removed},
	Environment: {Name: "environment", Reason: "holds every key that the shell had", whole: removed},
	Directory:   {Name: "working directory", Reason: "names the user and the project", whole: removed},
	Output:      {Name: "console output", Reason: "is whatever the program printed", whole: removed},
	Secret:      {Name: "secret", Reason: "opens something to whoever reads it"},
	Source:      {Name: "source text", Reason: "is the program itself", whole: removed},
	Cubin:       {Name: "machine code", Reason: "can be disassembled"},
	Path:        {Name: "path", Reason: "tells how a project is laid out", whole: removed},
	Name:        {Name: "kernel name", Reason: "tells what a project computes"},
}

// String names the kind.
func (k Kind) String() string {
	if k < kindCount {
		return kinds[k].Name
	}
	return ""
}

// Reason says why the kind is taken out.
func (k Kind) Reason() string {
	if k < kindCount {
		return kinds[k].Reason
	}
	return ""
}
