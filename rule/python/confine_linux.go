package python

import (
	"crypto/rand"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// confinement says what this system lacks to confine programs; "" if nothing. An
// error means that programs may not run at all.
func confinement() (lacks string, err error) {
	if _, err := architecture(); err != nil {
		return "", err
	}
	if v, err := ll.LandlockGetABIVersion(); err != nil || v < 1 {
		return "this kernel has no landlock, so that they can read your files", nil
	}
	return "", nil
}

// isolate has c begin in namespaces of its own, where there are no processes but
// its own and mounts are nobody else's.
func isolate(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
	}
}

// noNamespaces tells an error of systems that let users make no namespaces.
func noNamespaces(err error) bool {
	for _, e := range []error{unix.EPERM, unix.EACCES, unix.ENOSPC, unix.EINVAL, unix.ENOSYS, unix.EUSERS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// Confine puts the process into the bounds that a Native host asks for and
// becomes the given command. It returns only with an error.
func Confine(args []string) error {
	var b bounds
	if err := json.Unmarshal([]byte(os.Getenv(confineVariable)), &b); err != nil {
		return fmt.Errorf("%s: %w", confineVariable, err)
	}
	if len(args) == 0 {
		return fmt.Errorf("expected a command to confine")
	}
	os.Unsetenv(confineVariable)
	// The filters hold for the thread that asks and for what it becomes. The
	// limits hold for the whole process, and leave its own runtime no memory for
	// another thread: so nothing else may run meanwhile.
	runtime.LockOSThread()
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	if b.Isolated {
		// Where this is refused the names of other processes can be asked for,
		// as of all files; they can be neither read nor reached.
		_ = hideProcesses()
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	if err := restrictFiles(args[0], b.Read); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	x, err := prepare(args, os.Environ())
	if err != nil {
		return err
	}
	programs, err := filters(x)
	if err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	what, errno := become(b.Memory, kernelPrograms(programs), x)
	return fmt.Errorf("%s: %w", what, errno)
}

// prepare lays out the arguments of execve at addresses drawn by chance: the
// filters allow it with these alone, and what begins with it cannot know them.
func prepare(args, env []string) (becoming, error) {
	argv, err := syscall.SlicePtrFromStrings(args)
	if err != nil {
		return becoming{}, err
	}
	envv, err := syscall.SlicePtrFromStrings(env)
	if err != nil {
		return becoming{}, err
	}
	path := append([]byte(args[0]), 0)
	var b becoming
	for _, x := range []struct {
		to   *uintptr
		from []byte
	}{
		{&b.path, path},
		{&b.argv, unsafe.Slice((*byte)(unsafe.Pointer(&argv[0])), len(argv)*int(unsafe.Sizeof(argv[0])))},
		{&b.env, unsafe.Slice((*byte)(unsafe.Pointer(&envv[0])), len(envv)*int(unsafe.Sizeof(envv[0])))},
	} {
		if *x.to, err = somewhere(x.from); err != nil {
			return becoming{}, err
		}
	}
	runtime.KeepAlive(argv) // the collector is off: the texts stay where they are
	runtime.KeepAlive(envv)
	return b, nil
}

// somewhere copies b to an address drawn by chance, of 44 bits.
func somewhere(b []byte) (uintptr, error) {
	var err error
	for range 100 {
		var random [8]byte
		if _, err = rand.Read(random[:]); err != nil {
			return 0, err
		}
		r := uintptr(binary.LittleEndian.Uint64(random[:]))
		hint := r>>20&(1<<34-1)<<12 + 1<<32
		var p unsafe.Pointer
		if p, err = unix.MmapPtr(-1, 0, *(*unsafe.Pointer)(unsafe.Pointer(&hint)), uintptr(len(b))+4096, unix.PROT_READ|unix.PROT_WRITE,
			unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_FIXED_NOREPLACE); err != nil {
			continue // something is there already
		}
		p = unsafe.Add(p, r&511*8)
		copy(unsafe.Slice((*byte)(p), len(b)), b)
		return uintptr(p), nil
	}
	return 0, fmt.Errorf("no place for the arguments: %w", err)
}

func kernelPrograms(programs [][]bpf.RawInstruction) []unix.SockFprog {
	var out []unix.SockFprog
	for _, p := range programs {
		f := make([]unix.SockFilter, len(p))
		for i, x := range p {
			f[i] = unix.SockFilter{Code: x.Op, Jt: x.Jt, Jf: x.Jf, K: x.K}
		}
		out = append(out, unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]})
	}
	return out
}

// codeRoom is how much address space a program has beside its memory, in bytes:
// code and libraries are mapped, whether they are used or not.
const codeRoom = 256 << 20

// become sets the limits and the filters and runs the command, in system calls of
// which the scheduler learns nothing: after a plain one it may start a thread.
// The last filters come first: each allows the call that loads the next, the first
// one, which would not, is the last. It returns only where a call fails, with its
// name.
//
//go:norace
func become(memory int64, programs []unix.SockFprog, x becoming) (what string, errno syscall.Errno) {
	limits := [...]struct {
		resource uintptr
		limit    unix.Rlimit
	}{
		{unix.RLIMIT_FSIZE, unix.Rlimit{}}, {unix.RLIMIT_CORE, unix.Rlimit{}}, {unix.RLIMIT_NOFILE, unix.Rlimit{Cur: 256, Max: 256}},
		{unix.RLIMIT_MEMLOCK, unix.Rlimit{}}, {unix.RLIMIT_MSGQUEUE, unix.Rlimit{}},
		{unix.RLIMIT_STACK, unix.Rlimit{Cur: 8 << 20, Max: 8 << 20}},
		{unix.RLIMIT_DATA, unix.Rlimit{Cur: uint64(memory), Max: uint64(memory)}},
		{unix.RLIMIT_AS, unix.Rlimit{Cur: uint64(memory) + codeRoom, Max: uint64(memory) + codeRoom}},
	}
	for i := range limits {
		_, _, errno = syscall.RawSyscall6(unix.SYS_PRLIMIT64, 0, limits[i].resource, uintptr(unsafe.Pointer(&limits[i].limit)), 0, 0, 0)
		if errno != 0 {
			return "rlimit", errno
		}
	}
	for i := len(programs) - 1; i >= 0; i-- {
		if _, _, errno = syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&programs[i]))); errno != 0 {
			return "seccomp", errno
		}
	}
	_, _, errno = syscall.RawSyscall(unix.SYS_EXECVE, x.path, x.argv, x.env)
	return "exec", errno
}

// systemFiles are what a dynamic program needs to start, and the zones of time.
var systemFiles = []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo",
	"/dev/urandom", "/dev/null"}

// restrictFiles denies all of the file system but to read the given paths, and to
// execute but Python and what loads it; with it signals, sockets and devices, as
// far as this kernel knows how. Without landlock it does nothing.
func restrictFiles(executable string, read []string) error {
	executes, err := loaderOf(executable)
	if err != nil {
		return err
	}
	rules := []landlock.Rule{
		landlock.PathAccess(ll.AccessFSExecute|ll.AccessFSReadFile, append(executes, executable)...),
	}
	for _, p := range append(read, systemFiles...) {
		st, err := os.Stat(p)
		if err != nil {
			continue // what is not there needs no rule
		}
		access := landlock.AccessFSSet(ll.AccessFSReadFile)
		if st.IsDir() {
			access |= ll.AccessFSReadDir
		}
		rules = append(rules, landlock.PathAccess(access, p).IgnoreIfMissing())
	}
	return landlock.V11.BestEffort().Restrict(rules...)
}

// loaderOf is the dynamic loader that a program names, if any.
func loaderOf(path string) ([]string, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: expected a program in machine code: %w", path, err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP || p.Filesz > unix.PathMax {
			continue
		}
		b := make([]byte, p.Filesz)
		if _, err := p.ReadAt(b, 0); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return []string{filepath.Clean(strings.TrimRight(string(b), "\x00"))}, nil
	}
	return nil, nil
}
