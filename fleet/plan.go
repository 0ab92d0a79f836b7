package fleet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// format is the version of plan.json and of manifests.
const format = 1

// An Input is a file, or a range of its bytes.
type Input struct {
	Name string `json:"name"` // for people, and in answers
	Path string `json:"path"`
	From int64  `json:"from,omitempty"`
	To   int64  `json:"to,omitempty"`   // 0: to the end
	Size int64  `json:"size"`           // bytes of it
	Met  bool   `json:"met,omitempty"`  // in a folder or a tar, where other files lie, too
	Part int    `json:"part,omitempty"` // of the file
	Of   int    `json:"of,omitempty"`   // so many parts; 0: it is whole
	Head int64  `json:"head,omitempty"` // bytes at the begin of the file that all parts need
	// Group is what the job takes it for, where inputs are of several kinds.
	Group string `json:"group,omitempty"`
}

// A Shard is what one task works on.
type Shard struct {
	Number int     `json:"shard"`
	Inputs []Input `json:"inputs"`
}

// A Plan says what is to be done. It does not change once it is written.
type Plan struct {
	Format  int                 `json:"format"`
	Program string              `json:"program"` // version of gpuprof that made it: others are refused
	Job     string              `json:"job"`
	Options map[string][]string `json:"options,omitempty"` // of the job
	Shards  []Shard             `json:"shards"`
}

// Bounds of a shard of several inputs.
const (
	mostInputs = 256
	// DefaultShard is how many bytes a shard has at most, unless one input has more.
	DefaultShard = 128 << 20
)

// Make puts inputs into shards: neighbours together as long as they have at most so
// many bytes. The same inputs give the same plan.
func Make(job, program string, options map[string][]string, inputs []Input, most int64) *Plan {
	p := &Plan{Format: format, Program: program, Job: job, Options: options}
	size := int64(0)
	for _, in := range inputs {
		n := len(p.Shards)
		if n == 0 || size+in.Size > most || len(p.Shards[n-1].Inputs) == mostInputs {
			p.Shards, size = append(p.Shards, Shard{Number: n}), 0
			n++
		}
		s := &p.Shards[n-1]
		s.Inputs, size = append(s.Inputs, in), size+in.Size
	}
	return p
}

func (p *Plan) bytes() []byte {
	b, _ := json.MarshalIndent(p, "", " ") // cannot fail for texts and numbers
	return append(b, '\n')
}

// Digest tells plans apart.
func (p *Plan) Digest() string {
	sum := sha256.Sum256(p.bytes())
	return hex.EncodeToString(sum[:8])
}

// A Folder is where a plan and its parts lie.
type Folder struct {
	Dir    string
	Plan   *Plan
	digest string // of Plan, once: it may name a million inputs
}

// ErrOther is matched where a folder holds other work than was asked for.
var ErrOther = errors.New("the folder holds other work")

// Create lays a plan into a folder, which is made. If the folder has the same plan
// already its parts are good.
func Create(dir string, p *Plan) (*Folder, error) {
	if err := os.MkdirAll(filepath.Join(dir, "parts"), 0o777); err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, Plan: p, digest: p.Digest()}
	switch old, err := os.ReadFile(f.path("plan.json")); {
	case err == nil && bytes.Equal(old, p.bytes()):
		return f, nil
	case err == nil:
		return nil, fmt.Errorf("%s: %w than these inputs and options, or that of another version of gpuprof: name another folder, or remove it", dir, ErrOther)
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	}
	return f, atomicfile.WriteBytes(f.path("plan.json"), p.bytes())
}

// Open opens the folder of a plan. It is an error if another version of the program
// made it.
func Open(dir, program string) (*Folder, error) {
	f := &Folder{Dir: dir, Plan: &Plan{}}
	b, err := os.ReadFile(f.path("plan.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, f.Plan); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path("plan.json"), err)
	}
	switch {
	case f.Plan.Format != format:
		return nil, fmt.Errorf("%s: expected format %d, found %d", f.path("plan.json"), format, f.Plan.Format)
	case f.Plan.Program != program:
		host, _ := os.Hostname()
		return nil, fmt.Errorf("%s: expected gpuprof %s, which made the plan; on %s there is gpuprof %s", dir, f.Plan.Program, host, program)
	}
	f.digest = f.Plan.Digest()
	for i := range f.Plan.Shards {
		if f.Plan.Shards[i].Number != i {
			return nil, fmt.Errorf("%s: expected shard %d, found %d", f.path("plan.json"), i, f.Plan.Shards[i].Number)
		}
	}
	return f, nil
}

func (f *Folder) path(name string) string { return filepath.Join(f.Dir, name) }
