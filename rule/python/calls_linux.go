package python

import (
	"fmt"
	"maps"
	"runtime"
	"slices"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A call is a system call that a confined program may make. All others are
// answered with EPERM, those of other architectures too; clone3, which hides its
// flags in memory, with ENOSYS, so that libc takes clone.
type call struct {
	name string
	// why is the reason, and only the bound of the arguments in words; docs/rules.md has both.
	why, only string
	// refuse says which arguments are refused: those that meet all conditions of
	// one of the lists.
	refuse []seccomp.ArgumentConditions
}

// Masks of arguments.
const (
	// opensMore are the flags of open that do more than read.
	opensMore = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC | unix.O_APPEND | unix.O_ASYNC | unix.O_PATH |
		unix.O_TMPFILE&^unix.O_DIRECTORY
	// threadFlags are those with which glibc makes a thread; musl adds one.
	threadFlags = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD | unix.CLONE_SYSVSEM |
		unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID
	detached  = 0x400000
	archSetFS = 0x1002
)

// oneOf refuses all but these values of an argument.
func oneOf(argument uint32, values ...uint64) seccomp.ArgumentConditions {
	var c seccomp.ArgumentConditions
	for _, v := range values {
		c = append(c, seccomp.Condition{Argument: argument, Operation: seccomp.NotEqual, Value: v})
	}
	return c
}

// anyBit refuses an argument that has one of these bits.
func anyBit(argument uint32, bits uint64) seccomp.Condition {
	return seccomp.Condition{Argument: argument, Operation: seccomp.BitsSet, Value: bits}
}

func all(c ...seccomp.Condition) seccomp.ArgumentConditions { return c }

func refuse(c ...seccomp.ArgumentConditions) []seccomp.ArgumentConditions { return c }

// calls are the system calls of a confined program. A name that an architecture
// lacks is passed over there. execve is not among them: see becoming.
var calls = []call{
	{name: "brk", why: "memory"},
	{name: "mmap", why: "memory, libraries", only: "not memory shared with others",
		refuse: refuse(all(anyBit(3, unix.MAP_SHARED), anyBit(3, unix.MAP_ANONYMOUS)))},
	{name: "munmap", why: "memory"},
	{name: "mremap", why: "memory: a list or an array grows"},
	{name: "mprotect", why: "memory: libraries, stacks of threads"},
	{name: "madvise", why: "memory: giving back what is free"},

	{name: "openat", why: "files", only: "to read",
		refuse: refuse(all(anyBit(2, opensMore)))},
	{name: "open", why: "files, as older libraries open them", only: "to read",
		refuse: refuse(all(anyBit(1, opensMore)))},
	{name: "close", why: "files"},
	{name: "read", why: "files, and answers of gpuprof"},
	{name: "pread64", why: "files: the loader of libraries"},
	{name: "readv", why: "files, as musl reads them"},
	{name: "lseek", why: "files"},
	{name: "stat", why: "files: is a module there, did it change"},
	{name: "fstat", why: "files"},
	{name: "lstat", why: "files"},
	{name: "newfstatat", why: "files"},
	{name: "fstatat", why: "files"},
	{name: "statx", why: "files"},
	{name: "access", why: "files: may a library be read"},
	{name: "faccessat", why: "files"},
	{name: "faccessat2", why: "files"},
	{name: "readlink", why: "files: where Python itself is"},
	{name: "readlinkat", why: "files"},
	{name: "getdents64", why: "folders: which modules there are"},
	{name: "getcwd", why: "folders"},
	{name: "fcntl", why: "files", only: "F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL",
		refuse: refuse(oneOf(1, unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL))},
	{name: "ioctl", why: "files: is it a terminal, close it on exec", only: "TCGETS, FIOCLEX, FIONCLEX",
		refuse: refuse(oneOf(1, unix.TCGETS, fioclex, fionclex))},
	{name: "dup", why: "the streams to gpuprof are set apart from those of the program"},
	{name: "dup2", why: "the same"},
	{name: "dup3", why: "the same"},
	{name: "write", why: "requests to gpuprof; no other file is open to be written"},
	{name: "writev", why: "what libraries say on standard error before they give up"},

	{name: "clone", why: "threads", only: "with the flags of a thread",
		refuse: refuse(oneOf(0, threadFlags, threadFlags|detached))},
	{name: "set_tid_address", why: "threads"},
	{name: "set_robust_list", why: "threads"},
	{name: "rseq", why: "threads"},
	{name: "futex", why: "threads: locks"},
	{name: "gettid", why: "threads"},
	{name: "sched_yield", why: "threads"},
	{name: "sched_getaffinity", why: "the number of processors", only: "of itself", refuse: refuse(oneOf(0, 0))},
	{name: "arch_prctl", why: "threads: where their own data are", only: "ARCH_SET_FS", refuse: refuse(oneOf(0, archSetFS))},
	{name: "prctl", why: "itself", only: "PR_SET_DUMPABLE to 0, PR_GET_DUMPABLE, PR_SET_NAME",
		refuse: refuse(oneOf(0, unix.PR_SET_DUMPABLE, unix.PR_GET_DUMPABLE, unix.PR_SET_NAME),
			append(all(seccomp.Condition{Operation: seccomp.Equal, Value: unix.PR_SET_DUMPABLE}), oneOf(1, 0)...))},
	{name: "exit", why: "the end of a thread"},
	{name: "exit_group", why: "the end"},

	{name: "rt_sigaction", why: "signals to itself: Ctrl-C, broken pipes"},
	{name: "rt_sigprocmask", why: "the same"},
	{name: "rt_sigreturn", why: "the same"},
	{name: "sigaltstack", why: "the same: module faulthandler"},
	{name: "restart_syscall", why: "the same: a call that one interrupted"},

	{name: "clock_gettime", why: "time"},
	{name: "clock_getres", why: "time"},
	{name: "gettimeofday", why: "time"},
	{name: "time", why: "time"},
	{name: "times", why: "time"},
	{name: "getrusage", why: "time: that it took itself"},
	{name: "nanosleep", why: "time.sleep"},
	{name: "clock_nanosleep", why: "time.sleep"},

	{name: "getrandom", why: "the seed of hashes, module random"},
	{name: "getpid", why: "numbers of itself that modules ask for"},
	{name: "getppid", why: "the same"},
	{name: "getuid", why: "the same"},
	{name: "geteuid", why: "the same"},
	{name: "getgid", why: "the same"},
	{name: "getegid", why: "the same"},
	{name: "getcpu", why: "the same"},
	{name: "uname", why: "the same: module platform"},
	{name: "sysinfo", why: "the same: how much memory there is, for qsort and numpy"},
	{name: "getrlimit", why: "limits: the size of the stack"},
	{name: "prlimit64", why: "limits: the size of the stack", only: "of itself, to read", refuse: refuse(oneOf(0, 0), oneOf(2, 0))},
}

// FIOCLEX and FIONCLEX of asm-generic/ioctls.h.
const (
	fioclex  = 0x5451
	fionclex = 0x5450
)

// architecture is what this machine's system calls are called; an error where no
// filter was tried.
func architecture() (*arch.Info, error) {
	switch runtime.GOARCH {
	case "amd64":
		return arch.X86_64, nil
	case "arm64":
		return arch.AARCH64, nil
	}
	return nil, fmt.Errorf("no filter of system calls is known for %s", runtime.GOARCH)
}

// becoming are the addresses of the arguments of the one execve that is allowed.
type becoming struct{ path, argv, env uintptr }

// policies are the filters of a confined program; the strictest answer of all
// counts. The first allows calls by number. Each bound of arguments is a filter of
// its own: where the conditions of one call fail, the library goes on comparing
// numbers with the argument that it tested last, which a program chooses.
func policies(a *arch.Info, b becoming) []seccomp.Policy {
	allow := map[string]bool{"execve": true}
	var bounded []seccomp.Policy
	bound := func(name string, refuse []seccomp.ArgumentConditions) {
		g := seccomp.SyscallGroup{Action: seccomp.ActionErrno}
		for _, c := range refuse {
			g.NamesWithCondtions = append(g.NamesWithCondtions, seccomp.NameWithConditions{Name: name, Conditions: c})
		}
		bounded = append(bounded, seccomp.Policy{DefaultAction: seccomp.ActionAllow, Syscalls: []seccomp.SyscallGroup{g}})
	}
	for _, c := range calls {
		if _, ok := a.SyscallNames[c.name]; !ok {
			continue
		}
		allow[c.name] = true
		if len(c.refuse) > 0 {
			bound(c.name, c.refuse)
		}
	}
	bound("execve", refuse(oneOf(0, uint64(b.path)), oneOf(1, uint64(b.argv)), oneOf(2, uint64(b.env))))
	first := seccomp.Policy{DefaultAction: seccomp.ActionErrno, Syscalls: []seccomp.SyscallGroup{
		{Names: slices.Sorted(maps.Keys(allow)), Action: seccomp.ActionAllow},
		{Names: []string{"clone3"}, Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)},
	}}
	return append([]seccomp.Policy{first}, bounded...)
}

// filters are the programs that the kernel runs at each system call.
func filters(b becoming) ([][]bpf.RawInstruction, error) {
	a, err := architecture()
	if err != nil {
		return nil, err
	}
	var out [][]bpf.RawInstruction
	for _, p := range policies(a, b) {
		program, err := p.Assemble()
		if err != nil {
			return nil, err
		}
		raw, err := bpf.Assemble(program)
		if err != nil {
			return nil, err
		}
		out = append(out, raw)
	}
	return out, nil
}
