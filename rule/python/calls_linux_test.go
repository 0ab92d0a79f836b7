package python

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

var update = flag.Bool("update", false, "write the table of system calls into docs/rules.md")

// judge is what the filters answer to a system call: the strictest of all.
type judge []*bpf.VM

// The programs of the kernel read numbers in the order of the machine, those of
// package bpf in that of networks.
func (j judge) answer(t testing.TB, audit uint32, number uint32, args ...uint64) uint32 {
	t.Helper()
	data := make([]byte, 64)
	binary.BigEndian.PutUint32(data, number)
	binary.BigEndian.PutUint32(data[4:], audit)
	for i, a := range args {
		binary.BigEndian.PutUint32(data[16+8*i:], uint32(a))
		binary.BigEndian.PutUint32(data[20+8*i:], uint32(a>>32))
	}
	worst := uint32(unix.SECCOMP_RET_ALLOW)
	for _, vm := range j {
		n, err := vm.Run(data)
		if err != nil {
			t.Fatal(err)
		}
		worst = min(worst, uint32(n)) // actions are ordered by strictness, kill apart
	}
	return worst
}

var begin = becoming{path: 0x123456789000, argv: 0x234567890008, env: 0x34567890a010}

func judgeOf(t testing.TB, a *arch.Info) judge {
	var j judge
	for _, p := range policies(a, begin) {
		program, err := p.Assemble()
		if err != nil {
			t.Fatal(err)
		}
		vm, err := bpf.NewVM(program)
		if err != nil {
			t.Fatal(err)
		}
		j = append(j, vm)
	}
	return j
}

const (
	allowed = unix.SECCOMP_RET_ALLOW
	refused = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	absent  = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// TestEverySystemCall walks all numbers with arguments of several kinds: what is
// not in the list is refused whatever its arguments are.
func TestEverySystemCall(t *testing.T) {
	listed := map[string]call{}
	for _, c := range calls {
		listed[c.name] = c
		_, amd := arch.X86_64.SyscallNames[c.name]
		if _, arm := arch.AARCH64.SyscallNames[c.name]; !amd && !arm {
			t.Errorf("%s: no architecture has such a call", c.name)
		}
	}
	a, err := architecture()
	if err != nil {
		t.Skip(err)
	}
	host := judgeOf(t, a) // package bpf runs what is of the order of this machine
	numbers := []uint32{1 << 29, 1<<30 | 1, 1<<30 | 41, 1<<30 | 59, 1<<31 | 1, 1<<32 - 1}
	for n := range uint32(2048) {
		numbers = append(numbers, n)
	}
	seen := 0
	for _, n := range numbers {
		name := a.SyscallNumbers[int(n)]
		c, ok := listed[name]
		if ok {
			seen++
		}
		want := refused
		switch {
		case name == "clone3", a == arch.X86_64 && n >= 1<<30:
			want = absent
		case ok && len(c.refuse) == 0:
			want = allowed
		}
		// Arguments that are numbers of allowed calls are what a filter that
		// mistakes one for the other falls for.
		for arg := uint64(0); arg < 512; arg++ {
			got := host.answer(t, uint32(a.ID), n, arg, arg, arg, arg, arg, arg)
			if got != want && !(ok && len(c.refuse) > 0) {
				t.Fatalf("%s, number %d with arguments %d: %#x, expected %#x", name, n, arg, got, want)
			}
		}
		for _, other := range []arch.AuditArch{arch.I386.ID, arch.ARM.ID, arch.PPC64.ID} {
			if got := host.answer(t, uint32(other), n); got != refused {
				t.Fatalf("number %d of architecture %#x: %#x", n, other, got)
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d calls of the list were seen", seen)
	}
}

// TestArguments: what a call may be asked for, to the bit.
func TestArguments(t *testing.T) {
	a, err := architecture()
	if err != nil {
		t.Skip(err)
	}
	j := judgeOf(t, a)
	const high = 1 << 32
	for _, x := range []struct {
		name string
		args []uint64
		want uint32
	}{
		{"openat", []uint64{0, 0, unix.O_RDONLY | unix.O_CLOEXEC | unix.O_DIRECTORY | unix.O_NONBLOCK}, allowed},
		{"openat", []uint64{0, 0, unix.O_WRONLY}, refused},
		{"openat", []uint64{0, 0, unix.O_RDWR}, refused},
		{"openat", []uint64{0, 0, unix.O_CREAT}, refused},
		{"openat", []uint64{0, 0, unix.O_TRUNC}, refused},
		{"openat", []uint64{0, 0, unix.O_TMPFILE}, refused},
		{"openat", []uint64{0, 0, unix.O_PATH}, refused},
		{"mmap", []uint64{0, 1, 3, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS}, allowed},
		{"mmap", []uint64{0, 1, 1, unix.MAP_SHARED}, allowed},
		{"mmap", []uint64{0, 1, 3, unix.MAP_SHARED | unix.MAP_ANONYMOUS}, refused},
		{"clone", []uint64{threadFlags}, allowed},
		{"clone", []uint64{threadFlags | detached}, allowed},
		{"clone", []uint64{uint64(unix.SIGCHLD)}, refused},
		{"clone", []uint64{threadFlags | unix.CLONE_NEWUSER}, refused},
		{"clone", []uint64{threadFlags &^ unix.CLONE_THREAD}, refused},
		{"clone3", []uint64{0}, absent},
		{"fcntl", []uint64{0, unix.F_GETFL}, allowed},
		{"fcntl", []uint64{0, unix.F_SETOWN}, refused},
		{"fcntl", []uint64{0, unix.F_SETOWN | high}, refused},
		{"fcntl", []uint64{0, unix.F_GETFL | high}, refused},
		{"fcntl", []uint64{0, 10}, refused}, // F_SETSIG
		{"fcntl", []uint64{0, unix.F_SETFL, unix.O_ASYNC}, refused},
		{"fcntl", []uint64{0, unix.F_SETLEASE}, refused},
		{"fcntl", []uint64{0, unix.F_NOTIFY}, refused},
		{"ioctl", []uint64{0, unix.TCGETS}, allowed},
		{"ioctl", []uint64{0, unix.TIOCSTI}, refused},
		{"prctl", []uint64{unix.PR_SET_DUMPABLE, 0}, allowed},
		{"prctl", []uint64{unix.PR_SET_DUMPABLE, 1}, refused},
		{"prctl", []uint64{unix.PR_SET_PDEATHSIG, 9}, refused},
		{"prctl", []uint64{unix.PR_SET_PTRACER, 1}, refused},
		{"prlimit64", []uint64{0, 3, 0, 1}, allowed},
		{"prlimit64", []uint64{0, 3, 1, 0}, refused},
		{"prlimit64", []uint64{1, 3, 0, 1}, refused},
		{"sched_getaffinity", []uint64{0}, allowed},
		{"sched_getaffinity", []uint64{1}, refused},
		{"execve", []uint64{uint64(begin.path), uint64(begin.argv), uint64(begin.env)}, allowed},
		{"execve", []uint64{uint64(begin.path), uint64(begin.argv), 0}, refused},
		{"execve", []uint64{uint64(begin.path) + 8, uint64(begin.argv), uint64(begin.env)}, refused},
		{"execve", []uint64{0, uint64(begin.argv), uint64(begin.env)}, refused},
	} {
		if got := j.answer(t, uint32(a.ID), uint32(a.SyscallNames[x.name]), x.args...); got != x.want {
			t.Errorf("%s %#x: %#x, expected %#x", x.name, x.args, got, x.want)
		}
	}
}

// TestSystemCallsAreDocumented: docs/rules.md has the list.
func TestSystemCallsAreDocumented(t *testing.T) {
	var b strings.Builder
	b.WriteString("| system call | for | only |\n|---|---|---|\n")
	for _, c := range calls {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.name, c.why, c.only)
	}
	b.WriteString("| execve | Python itself | once: with three addresses drawn by chance |\n")
	const file, open, end = "../../docs/rules.md", "<!-- system calls -->\n", "<!-- end of system calls -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), open)
	table, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table of system calls", file)
	}
	if table == b.String() {
		return
	}
	if !*update {
		t.Fatalf("%s is not up to date: go test ./rule/python -run Documented -update", file)
	}
	if err := os.WriteFile(file, []byte(before+open+b.String()+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// callNumbers are the system calls that a program may make.
func callNumbers() string {
	a, err := architecture()
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, c := range calls {
		if n, ok := a.SyscallNames[c.name]; ok {
			fmt.Fprint(&b, n, " ")
		}
	}
	return b.String()
}
