package scrub

import (
	"bytes"
	"strings"
)

// homes are the folders in which the folders of users lie.
var homes = []string{"/home/", "/homes/", "/Users/", "/users/", "/nethome/", "/global/u1/", "/global/u2/", `\Users\`, `\\Users\\`, `\Documents and Settings\`,
	"/home1/", "/home2/"}

// accounts are names below them that name nobody: accounts that every machine or
// image of its kind has, and folders.
var accounts = set(`root user users ubuntu debian centos fedora admin administrator ec2-user azureuser gcp opc runner runneradmin vscode codespace
	jovyan jupyter colab kaggle nvidia rapids docker builder build buildbot jenkins gitlab-runner circleci travis conda anaconda anaconda3 miniconda3 mambauser
	linuxbrew brew work workspace shared public default guest local tmp data scratch projects project software apps opt lib bin src home homes nfs
	test tests app code nobody daemon www-data sandbox container vagrant pi wsl coder dev developer all me username your_name yourname someone
	you name xxx appuser nonroot nonrootuser cloud cloud-user student lost+found amd rocm cuda gpu site-packages python`)

// common are names that are words of profiles, too: replaced in paths, but not
// wherever the word stands.
var common = set(`max min add sum sub mul div main kernel cuda gpu cpu host device stream memory memcpy memset time name core thread block grid warp
	forward backward step train model batch loss grad data test copy load store read write sync async event events start stop end begin init run
	launch node rank world local global shared compute profile trace true false none null void int float double char auto const static mark
	view torch numpy aten triton cutlass python jax mpi nccl bash sshd cron will rose art grace hopper ada turing volta pascal maxwell ampere
	kepler fermi tesla lee young long short king page wood bill frank faith hope joy dean chase drew guy rich rob pat sky`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// isName are the characters of names of users and hosts.
var isName = func() (t [256]bool) {
	t = isAlnum
	t['_'], t['-'], t['.'] = true, true, true
	return t
}()

// nameAt returns the name at b[at:]; a dot that ends a sentence is none of it.
func nameAt(b []byte, at int) []byte {
	end := at
	for end < len(b) && end-at < 64 && isName[b[end]] {
		end++
	}
	return bytes.TrimRight(b[at:end], ".-")
}

func anonymous(name []byte) bool {
	return len(name) == 0 || accounts[strings.ToLower(string(name))] || clean(name)
}

// home looks for the name behind a folder of users that begins at b[at].
func home(folder string) func(b []byte, at int, emit func(hit)) {
	slash := folder[len(folder)-1]
	return func(b []byte, at int, emit func(hit)) {
		at += len(folder)
		n := nameAt(b, at)
		// /users/a/alice: a folder for each letter.
		if next := at + 2; len(n) == 1 && next < len(b) && b[next-1] == slash && b[next]|0x20 == n[0]|0x20 {
			at, n = next, nameAt(b, next)
		} else if len(n) == 1 && next < len(b) && b[next-1] == slash && clean(nameAt(b, next)) {
			return
		}
		end := at + len(n)
		if anonymous(n) || allDigits(n) || end < len(b) && b[end] == '(' || bytes.Contains(n, []byte("..")) {
			return
		}
		if !isFolder(b, end) {
			return
		}
		emit(hit{at, end, User, "home folder"})
	}
}

// isFolder refuses files that lie beside the folders of users, such as /home/x.so.
func isFolder(b []byte, end int) bool {
	for _, ext := range []string{".so", ".py", ".cu", ".html", ".php", ".js"} {
		if bytes.HasSuffix(b[:end], []byte(ext)) {
			return false
		}
	}
	return true
}

// variables are those of an environment that hold the name of a user or a host.
var variables = map[string]Kind{
	"USER=": User, "LOGNAME=": User, "USERNAME=": User, "SUDO_USER=": User, "LNAME=": User, "SLURM_JOB_USER=": User, "PBS_O_LOGNAME=": User,
	"JUPYTERHUB_USER=": User, "GIT_AUTHOR_NAME=": User,
	"HOSTNAME=": Host, "HOST=": Host, "COMPUTERNAME=": Host, "SLURMD_NODENAME=": Host, "SLURM_SUBMIT_HOST=": Host, "SLURM_TOPOLOGY_ADDR=": Host,
	"PBS_O_HOST=": Host, "USERDOMAIN=": Host, "SLURM_LAUNCH_NODE_IPADDR=": Host,
}

func variable(name string, kind Kind) func(b []byte, at int, emit func(hit)) {
	return func(b []byte, at int, emit func(hit)) {
		if at > 0 && (isAlnum[b[at-1]] || b[at-1] == '_') {
			return
		}
		at += len(name)
		if at < len(b) && (b[at] == '"' || b[at] == '\'') {
			at++
		}
		if n := nameAt(b, at); len(n) > 1 && !anonymous(n) && !localHost(n) && !allDigits(n) {
			emit(hit{at, at + len(n), kind, "variable"})
		}
	}
}

func allDigits(b []byte) bool {
	return len(bytes.Trim(b, "0123456789")) == 0
}

// localHost reports whether a name of a host means the own one.
func localHost(n []byte) bool {
	switch strings.ToLower(string(n)) {
	case "localhost", "local", "localdomain", "localhost.localdomain", "127.0.0.1", "::1", "0.0.0.0", "unknown", "none", "n/a", "host", "target":
		return true
	}
	return false
}

// domains are the ends of mail addresses; others are versions of symbols
// (memcpy@GLIBC_2.2) and decorators more often than mail.
var domains = set("com org net edu gov mil io ai de uk fr ch at nl it es se no fi dk pl cz cn jp kr in ru br ca au eu us info dev cloud tw sg hk il be pt gr ie nz za mx ar tr")

// mail looks for an address around the sign at b[at].
func mail(b []byte, at int, emit func(hit)) {
	start := at
	for start > 0 && at-start < 64 && (isName[b[start-1]] || b[start-1] == '+') {
		start--
	}
	domain := nameAt(b, at+1)
	dot := bytes.LastIndexByte(domain, '.')
	if start == at || dot <= 0 || bytes.IndexByte(domain, '_') >= 0 || !domains[strings.ToLower(string(domain[dot+1:]))] || strings.HasSuffix(string(domain), "example.com") {
		return
	}
	emit(hit{start, at + 1 + len(domain), User, "mail address"})
}
