package web

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/internal/loopback"
)

// A stand is the user's folder, readable by them alone, with what outlives a server:
//
//   - viewer.html, whose address is always the same. It leads to the server that
//     runs, with its token and the fragment of the link. Other users cannot read
//     it, and a program that waits on the port of a server that has ended is never
//     asked: so links survive while token and port are new each time.
//   - address.json, port and token, only for who asks to keep them.
type stand struct{ folder string } // "": nothing outlives the server

// StateFolder is where a user's programs keep what is neither configuration nor
// cache, with a folder for gpuprof.
func StateFolder() (string, error) {
	base := os.Getenv("XDG_STATE_HOME")
	switch {
	case runtime.GOOS == "windows":
		var err error
		if base, err = os.UserCacheDir(); err != nil { // %LocalAppData%
			return "", err
		}
	case runtime.GOOS == "darwin":
		var err error
		if base, err = os.UserConfigDir(); err != nil { // ~/Library/Application Support
			return "", err
		}
	case !filepath.IsAbs(base): // says the specification of these folders
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		base = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(base, "gpuprof"), nil
}

// write makes a file of the folder that only its user can read.
func (p stand) write(name string, data []byte) error {
	if err := os.MkdirAll(p.folder, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(p.folder, 0o700); err != nil {
		return err
	}
	full := filepath.Join(p.folder, name)
	f, err := os.OpenFile(full, os.O_CREATE|os.O_RDONLY, 0o600) // what takes its place has its permissions
	if err != nil {
		return err
	}
	if err := errors.Join(f.Chmod(0o600), f.Close()); err != nil && runtime.GOOS != "windows" {
		return err
	}
	return atomicfile.WriteBytes(full, data)
}

const (
	standPage = "viewer.html"
	standFile = "address.json"
)

// link is the address that always leads to the server that runs; "" if there is none.
func (p stand) link() string {
	if p.folder == "" {
		return ""
	}
	path := filepath.ToSlash(filepath.Join(p.folder, standPage))
	if filepath.VolumeName(p.folder) != "" {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

const standHead = "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer><title>gpuprof</title>\n"

// lead makes the page lead to a server.
func (p stand) lead(origin, token string) error {
	// Both are made of letters, digits and punctuation that mean nothing in a script.
	return p.write(standPage, fmt.Appendf(nil, standHead+
		`<p>The viewer is at %[1]s, and this page leads there where it may run scripts.</p>
<script>location.replace("%[1]s/#" + (location.hash.length > 1 ? location.hash.slice(1) + "&" : "") + "token=%[2]s")</script>
`, origin, token))
}

// leave makes the page say that no server runs, unless it leads to another already.
func (p stand) leave(token string) {
	b, err := os.ReadFile(filepath.Join(p.folder, standPage))
	if err != nil || !bytes.Contains(b, []byte(token)) {
		return
	}
	p.write(standPage, []byte(standHead+"<p>No viewer runs. Start it with the file of this link, <code>gpuprof open FILE</code>, and open the link again.</p>\n"))
}

// An address is a port and a token that are kept for the next server.
type address struct {
	Port  int    `json:"port"`
	Token string `json:"token"`
}

// kept is the address that is kept; none where the file is not there, or others
// may have read it.
func (p stand) kept() (a address, ok bool) {
	name := filepath.Join(p.folder, standFile)
	st, err := os.Lstat(name)
	if err != nil || !st.Mode().IsRegular() || st.Size() > 4096 || runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0 {
		return a, false
	}
	b, err := os.ReadFile(name)
	if err != nil || json.Unmarshal(b, &a) != nil {
		return address{}, false
	}
	raw, err := hex.DecodeString(a.Token)
	return a, err == nil && len(raw) == 16 && a.Port > 0 && a.Port < 1<<16
}

func (p stand) keep(a address) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return p.write(standFile, append(b, '\n'))
}

// listen takes an address and says the token of the server: new ones, or with keep
// those of the run before, which are kept for the next.
func (p stand) listen(ctx context.Context, addr string, keep bool) (net.Listener, string, error) {
	token := loopback.NewToken()
	if !keep {
		l, err := loopback.Listen(ctx, addr)
		return l, token, err
	}
	if p.folder == "" {
		return nil, "", errors.New("there is no folder to keep an address in: set XDG_STATE_HOME or HOME")
	}
	if old, ok := p.kept(); ok {
		token = old.Token
		if host, port, err := net.SplitHostPort(addr); err == nil && port == "0" {
			addr = net.JoinHostPort(host, strconv.Itoa(old.Port))
		}
	}
	l, err := loopback.Listen(ctx, addr)
	if err != nil {
		return nil, "", err
	}
	if err := p.keep(address{l.Addr().(*net.TCPAddr).Port, token}); err != nil {
		l.Close()
		return nil, "", err
	}
	return l, token, nil
}

// tellLink answers with the address that links begin with, so that they can be
// opened when this server has ended and another runs.
func (s *Server) tellLink(w http.ResponseWriter, _ *http.Request) {
	link := s.stand.link()
	if link == "" || s.options.KeepAddress {
		link = s.origin() + "/"
	}
	writeJSON(w, map[string]string{"link": link})
}
