package fleet

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// A Job maps a shard to its part, which it writes. Problems are inputs, or parts of
// them, that could not be read: the rest of the shard is done. An error means that
// there is no part.
type Job interface {
	Map(ctx context.Context, s *Shard, w io.Writer) (problems []string, err error)
}

// A Manifest tells about the part of a shard.
type Manifest struct {
	Shard    int      `json:"shard"`
	Plan     string   `json:"plan"` // digest
	SHA256   string   `json:"sha256,omitempty"`
	Size     int64    `json:"size"`
	Problems []string `json:"problems,omitempty"`
	Error    string   `json:"error,omitempty"` // why there is no part
	Host     string   `json:"host"`
	Seconds  float64  `json:"seconds"`
	Inputs   int64    `json:"input_bytes"`
}

// Done reports whether there is a part.
func (m *Manifest) Done() bool { return m != nil && m.Error == "" }

func (f *Folder) part(n int) string     { return f.path(fmt.Sprintf("parts/%06d.part", n)) }
func (f *Folder) manifest(n int) string { return f.path(fmt.Sprintf("parts/%06d.json", n)) }

// Manifest reads what is known of a shard; nil: nothing, or of another plan.
func (f *Folder) Manifest(n int) *Manifest {
	b, err := os.ReadFile(f.manifest(n))
	m := &Manifest{}
	if err != nil || json.Unmarshal(b, m) != nil || m.Shard != n || m.Plan != f.digest {
		return nil
	}
	if st, err := os.Stat(f.part(n)); m.Error == "" && (err != nil || st.Size() != m.Size) {
		return nil
	}
	return m
}

// Missing are the shards without a part.
func (f *Folder) Missing() (out []int) {
	for n := range f.Plan.Shards {
		if !f.Manifest(n).Done() {
			out = append(out, n)
		}
	}
	return out
}

// Work maps a shard, if its part is not there. The part is written, then its
// manifest, each under another name first: who dies in between leaves nothing that
// looks done. An error of the job is written down in place of the part.
func (f *Folder) Work(ctx context.Context, job Job, n int) (*Manifest, error) {
	if n < 0 || n >= len(f.Plan.Shards) {
		return nil, fmt.Errorf("expected a shard below %d, found %d", len(f.Plan.Shards), n)
	}
	if m := f.Manifest(n); m.Done() {
		return m, nil
	}
	s := &f.Plan.Shards[n]
	m := &Manifest{Shard: n, Plan: f.digest}
	m.Host, _ = os.Hostname()
	for _, in := range s.Inputs {
		m.Inputs += in.Size
	}
	begin := time.Now()
	sum := sha256.New()
	err := atomicfile.Write(f.part(n), func(to *atomicfile.File) (err error) {
		out := bufio.NewWriterSize(io.MultiWriter(to, sum, (*counter)(&m.Size)), 1<<16)
		if m.Problems, err = job.Map(ctx, s, out); err != nil {
			return err
		}
		return out.Flush()
	})
	m.Seconds = time.Since(begin).Seconds()
	if ctx.Err() != nil {
		return nil, ctx.Err() // neither done nor broken
	}
	if err != nil {
		*m = Manifest{Shard: n, Plan: m.Plan, Host: m.Host, Seconds: m.Seconds, Inputs: m.Inputs, Error: err.Error()}
	} else {
		m.SHA256 = hex.EncodeToString(sum.Sum(nil))
	}
	b, _ := json.MarshalIndent(m, "", " ")
	if e := atomicfile.WriteBytes(f.manifest(n), append(b, '\n')); e != nil {
		return m, errors.Join(err, e)
	}
	return m, err
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// A FailedError names shards that have no part.
type FailedError struct {
	Folder string
	Shards []int
	First  string // what was wrong with the first
}

func (e *FailedError) Error() string {
	s := fmt.Sprintf("%s: %d shards are not done, the first is %d", e.Folder, len(e.Shards), e.Shards[0])
	if e.First != "" {
		s += ": " + e.First
	}
	return s + "; gpuprof fleet resume does them alone"
}

// Parts calls use with each part in the order of the shards, checked against its
// manifest, and returns the problems of all. It is a [*FailedError] if parts lack.
func (f *Folder) Parts(use func(s *Shard, part []byte) error) (problems []string, err error) {
	if lack := f.Missing(); len(lack) > 0 {
		e := &FailedError{Folder: f.Dir, Shards: lack}
		if m := f.Manifest(lack[0]); m != nil {
			e.First = m.Error
		}
		return nil, e
	}
	for n := range f.Plan.Shards {
		m := f.Manifest(n)
		b, err := os.ReadFile(f.part(n))
		if err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(b); m == nil || hex.EncodeToString(sum[:]) != m.SHA256 {
			os.Remove(f.manifest(n)) // so that resuming makes it again
			return nil, fmt.Errorf("%s: its bytes do not have the checksum of its manifest: gpuprof fleet resume makes it again", f.part(n))
		}
		problems = append(problems, m.Problems...)
		if err := use(&f.Plan.Shards[n], b); err != nil {
			return nil, fmt.Errorf("%s: %w", f.part(n), err)
		}
	}
	return problems, nil
}
