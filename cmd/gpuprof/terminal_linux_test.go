package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// onTerminal runs a command whose output and errors are a terminal of so many columns,
// and fails if a line is wider: terminal COLUMNS[,COLUMNS] STATUS FILE COMMAND... What
// was shown goes into the file, of several widths only if each shows something.
func onTerminal(ts *testscript.TestScript, _ bool, args []string) {
	var all string
	for width := range strings.SplitSeq(args[0], ",") {
		columns, err := strconv.Atoi(width)
		ts.Check(err)
		shown := shownOn(ts, columns, args)
		if shown == "" && strings.Contains(args[0], ",") {
			ts.Fatalf("nothing is shown on %d columns", columns)
		}
		all += shown
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(all), 0o600))
}

func shownOn(ts *testscript.TestScript, columns int, args []string) string {
	cmd := exec.Command(args[3], args[4:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), append(environment(ts), "TERM=xterm", "NO_COLOR=1")
	shown, status, err := ptyRun(cmd, columns)
	ts.Check(err)
	if fmt.Sprint(status) != args[1] {
		ts.Fatalf("exit status %d, want %s:\n%s", status, args[1], shown)
	}
	for line := range strings.Lines(shown) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > columns {
			ts.Fatalf("a line has %d characters on a terminal of %d: %s", n, columns, line)
		}
	}
	return shown
}

func environment(ts *testscript.TestScript) (out []string) {
	for _, name := range []string{"PATH", "HOME", "XDG_CACHE_HOME", "TMPDIR", "GOCOVERDIR", "EXAMPLES"} {
		if v := ts.Getenv(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return out
}

// ptyRun runs a command on a pseudo-terminal and returns what it showed.
func ptyRun(cmd *exec.Cmd, columns int) (shown string, status int, err error) {
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return "", 0, err
	}
	defer ours.Close()
	fd := int(ours.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return "", 0, err
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return "", 0, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: uint16(columns)}); err != nil {
		return "", 0, err
	}
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return "", 0, err
	}
	cmd.Stdout, cmd.Stderr = theirs, theirs
	if err := cmd.Start(); err != nil {
		theirs.Close()
		return "", 0, err
	}
	theirs.Close()
	b, err := io.ReadAll(ours)
	if err != nil && !errors.Is(err, syscall.EIO) { // so a terminal ends
		return "", 0, err
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		return "", 0, err
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n"), status, nil
}
