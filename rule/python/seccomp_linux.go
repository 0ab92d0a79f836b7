package python

import (
	"golang.org/x/sys/unix"
)

// auditArch names the architectures to seccomp.
var auditArch = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// denied are the system calls that no rule needs: those that make processes and
// connections, reach other processes, or change the system. The program gets
// EPERM. execve is not among them, since the confined command begins with it;
// landlock leaves nothing to execute but Python itself.
var denied = append([]uintptr{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
	unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG, unix.SYS_RECVMSG, unix.SYS_RECVMMSG,
	unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PIDFD_OPEN,
	unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PIDFD_GETFD, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_EXECVEAT, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_QUOTACTL, unix.SYS_SYSLOG, unix.SYS_ACCT, unix.SYS_MEMFD_CREATE,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN, unix.SYS_PERSONALITY,
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETPRIORITY, unix.SYS_PRLIMIT64,
}, deniedHere...)

// x32Bit marks system calls of the x32 interface, which the table does not know.
const x32Bit = 0x40000000

// Offsets into struct seccomp_data: the number, the architecture, the low half
// of the first argument.
const (
	dataNumber = 0
	dataArch   = 4
	dataArg0   = 16
)

func stmt(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }

func jump(op uint16, k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, K: k, Jt: yes, Jf: no}
}

// filter is the program that judges system calls.
func filter(arch uint32) []unix.SockFilter {
	const load = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	deny := stmt(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM))
	absent := stmt(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS))
	f := []unix.SockFilter{
		stmt(load, dataArch),
		jump(unix.BPF_JEQ, arch, 1, 0),
		deny,
		stmt(load, dataNumber),
		jump(unix.BPF_JGE, x32Bit, 0, 1),
		deny,
		// clone3 hides its flags in memory: its absence makes libc use clone.
		jump(unix.BPF_JEQ, unix.SYS_CLONE3, 0, 1),
		absent,
		// clone may make threads, not processes.
		jump(unix.BPF_JEQ, unix.SYS_CLONE, 0, 4),
		stmt(load, dataArg0),
		jump(unix.BPF_JSET, unix.CLONE_THREAD, 0, 1),
		stmt(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ALLOW),
		deny,
	}
	for _, n := range denied {
		f = append(f, jump(unix.BPF_JEQ, uint32(n), 0, 1), deny)
	}
	return append(f, stmt(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ALLOW))
}
