package fleet

import (
	"archive/tar"
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/fleet/httpfile"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
)

// inputs finds the inputs that operands name: files, addresses of web servers,
// patterns, folders, lists of these (@FILE, one a line) and plain tars, whose members
// are read where they lie. The order is that of the operands, in folders that of the
// names.
func (k *kind) inputs(ctx context.Context, operands []string, most int64) (out []fleet.Input, err error) {
	var args []string
	for _, a := range operands {
		if list, ok := strings.CutPrefix(a, "@"); ok && !exists(a) {
			more, err := lines(list)
			if err != nil {
				return nil, err
			}
			args = append(args, more...)
			continue
		}
		args = append(args, a)
	}
	for _, a := range args {
		switch {
		case httpfile.Is(a):
			if out, err = k.remote(ctx, out, a, most); err != nil {
				return nil, err
			}
		case strings.Contains(a, "://"):
			return nil, page.Usagef("%s: expected a file or an https address; stores sign addresses (aws s3 presign, gcloud storage sign-url), and rclone mount, s3fs and gcsfuse put buckets into the file system", a)
		case strings.ContainsAny(a, "*?[") && !exists(a):
			names, bad := filepath.Glob(a)
			if bad != nil || len(names) == 0 {
				return nil, page.Usagef("%s: expected a pattern that matches a file, found none", a)
			}
			for _, n := range names {
				if out, err = k.input(ctx, out, n, most); err != nil {
					return nil, err
				}
			}
		default:
			if out, err = k.input(ctx, out, a, most); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// The names of inputs in folders and tars.
var (
	reports   = load.Endings(load.Launches)
	timelines = load.Endings(load.Timeline)
	// measurements can be compared.
	measurements = slices.Concat(reports, timelines, []string{".runs.jsonl"})
)

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// lines are the lines of a file that are no comments.
func lines(name string) (out []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		if t := strings.TrimSpace(s.Text()); t != "" && !strings.HasPrefix(t, "#") {
			out = append(out, t)
		}
	}
	return out, s.Err()
}

func (k *kind) input(ctx context.Context, out []fleet.Input, name string, most int64) ([]fleet.Input, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case st.IsDir():
		before := len(out)
		err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !load.EndsIn(p, k.extensions) {
				return err
			}
			rel, _ := filepath.Rel(path, p)
			st, err := d.Info()
			if err != nil {
				return err
			}
			n := len(out)
			out, err = k.file(ctx, out, filepath.Join(name, rel), p, st.Size(), most)
			for i := n; i < len(out); i++ {
				out[i].Met = true
			}
			return err
		})
		if err == nil && len(out) == before {
			err = page.Usagef("%s: expected a folder with %s, found none", name, strings.Join(k.extensions, ", "))
		}
		return out, err
	case strings.HasSuffix(strings.ToLower(name), ".tar"):
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return k.members(out, name, path, f)
	}
	return k.file(ctx, out, name, path, st.Size(), most)
}

// remote is a file of a web server.
func (k *kind) remote(ctx context.Context, out []fleet.Input, address string, most int64) ([]fleet.Input, error) {
	name := httpfile.Name(address)
	if strings.HasSuffix(strings.ToLower(name), ".tar") {
		f, err := httpfile.Open(ctx, http.DefaultClient, address)
		if err != nil {
			return nil, err
		}
		return k.members(out, name, address, io.NewSectionReader(f, 0, f.Size()))
	}
	f, err := httpfile.Open(ctx, http.DefaultClient, address)
	if errors.Is(err, httpfile.ErrRanges) { // then it is read whole by who works on it
		return append(out, fleet.Input{Name: name, Path: address}), nil
	}
	if err != nil {
		return nil, err
	}
	return k.file(ctx, out, name, address, f.Size(), most)
}

func (k *kind) file(ctx context.Context, out []fleet.Input, name, path string, size, most int64) ([]fleet.Input, error) {
	if k.cut != nil && size > most {
		parts, err := k.cut(ctx, path, size, most)
		for i := range parts {
			parts[i].Name, parts[i].Path = name, path
		}
		return append(out, parts...), err
	}
	return append(out, fleet.Input{Name: name, Path: path, Size: size}), nil
}

// members are those of a tar.
func (k *kind) members(out []fleet.Input, name, path string, f io.ReadSeeker) ([]fleet.Input, error) {
	before := len(out)
	for t := tar.NewReader(f); ; {
		h, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeReg || !load.EndsIn(h.Name, k.extensions) || h.Size == 0 {
			continue
		}
		at, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		out = append(out, fleet.Input{Name: h.Name, Path: path, From: at, To: at + h.Size, Size: h.Size, Met: true})
	}
	if len(out) == before {
		return nil, page.Usagef("%s: expected a tar with %s, found none", name, strings.Join(k.extensions, ", "))
	}
	return out, nil
}

// foreign reports whether an input that nobody named is no profile, such as
// settings in JSON beside the reports.
func foreign(in *fleet.Input, err error) bool {
	return in.Met && errors.Is(err, load.ErrUnknown) && !strings.HasSuffix(strings.ToLower(in.Name), ".nsys-rep")
}
