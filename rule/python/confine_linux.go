package python

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confinement says what this system lacks to confine programs; "" if nothing.
func confinement() string {
	if landlockVersion() < 1 {
		return "this kernel has no landlock"
	}
	if _, ok := auditArch[runtime.GOARCH]; !ok {
		return "no filter of system calls is known for " + runtime.GOARCH
	}
	return ""
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
	// The filter and the rules of landlock hold for the thread that asks and for
	// what it becomes. The limits hold for the whole process, and leave its own
	// runtime no memory for another thread: so nothing else may run meanwhile.
	runtime.LockOSThread()
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	if err := landlock(append(b.Read, systemFiles...)); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	calls := filter(auditArch[runtime.GOARCH])
	argv, err := syscall.SlicePtrFromStrings(args)
	if err != nil {
		return err
	}
	env, err := syscall.SlicePtrFromStrings(os.Environ())
	if err != nil {
		return err
	}
	what, errno := become(b.Memory, calls, argv, env)
	return fmt.Errorf("%s: %w", what, errno)
}

// become sets the limits and the filter and runs the command, in system calls of
// which the scheduler learns nothing: after a plain one it may start a thread.
// The address space is twice the memory: code and libraries take some of it
// without using it. It returns only where a call fails, with its name.
//
//go:norace
func become(memory int64, calls []unix.SockFilter, argv, env []*byte) (what string, errno syscall.Errno) {
	limits := [...]struct {
		resource uintptr
		limit    unix.Rlimit
	}{
		{unix.RLIMIT_FSIZE, unix.Rlimit{}}, {unix.RLIMIT_CORE, unix.Rlimit{}}, {unix.RLIMIT_NOFILE, unix.Rlimit{Cur: 256, Max: 256}},
		{unix.RLIMIT_AS, unix.Rlimit{Cur: uint64(memory) * 2, Max: uint64(memory) * 2}},
	}
	prog := unix.SockFprog{Len: uint16(len(calls)), Filter: &calls[0]}
	for i := range limits {
		_, _, errno = syscall.RawSyscall6(unix.SYS_PRLIMIT64, 0, limits[i].resource, uintptr(unsafe.Pointer(&limits[i].limit)), 0, 0, 0)
		if errno != 0 {
			return "rlimit", errno
		}
	}
	if _, _, errno = syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return "seccomp", errno
	}
	_, _, errno = syscall.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(argv[0])), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&env[0])))
	return "exec", errno
}

// systemFiles are what a dynamic program needs to start.
var systemFiles = []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/dev/urandom", "/dev/null"}

func landlockVersion() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

const (
	readAccess  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
	firstAccess = 1<<13 - 1 // what version 1 knows
)

// landlock denies all of the file system but to read the given paths.
func landlock(paths []string) error {
	attr := unix.LandlockRulesetAttr{Access_fs: firstAccess}
	version := landlockVersion()
	if version >= 2 {
		attr.Access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		attr.Access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	// The first field alone is what every version takes.
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr.Access_fs), 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(fd))
	for _, p := range paths {
		if err := allow(int(fd), p); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	if _, _, errno = unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// allow lets the ruleset read a path; one that is not there is passed over.
func allow(ruleset int, path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	rule := unix.LandlockPathBeneathAttr{Allowed_access: readAccess, Parent_fd: int32(fd)}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		rule.Allowed_access |= unix.LANDLOCK_ACCESS_FS_READ_DIR
	}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
