package python

import "golang.org/x/sys/unix"

// deniedHere are the older forms of denied calls that amd64 has.
var deniedHere = []uintptr{unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME,
	unix.SYS_UTIMES, unix.SYS_FUTIMESAT, unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT}
