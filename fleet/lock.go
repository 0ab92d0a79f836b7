package fleet

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// How often a coordinator shows that it is alive, and after how long without it is
// taken for dead.
const (
	heartbeat = 5 * time.Second
	dead      = 60 * time.Second
)

// ErrLocked is matched where another coordinator works on the folder.
var ErrLocked = errors.New("another gpuprof coordinates this folder")

// Lock makes this process the coordinator of the folder until unlock is called. Two
// of them are refused. A lock whose owner gives no sign of life is taken over; age
// is reckoned by the clock of the file system alone, so that hosts with different
// clocks, and clocks that jump, do no harm.
func (f *Folder) Lock() (unlock func(), err error) { return f.lock(heartbeat, dead) }

func (f *Folder) lock(beat, dead time.Duration) (unlock func(), err error) {
	name := f.path("lock")
	host, _ := os.Hostname()
	owner := fmt.Sprintf("process %d on %s", os.Getpid(), host)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		alive, who, e := f.alive(name, beat, dead)
		if e != nil {
			return nil, e
		}
		if alive {
			return nil, fmt.Errorf("%s: %w: %s", f.Dir, ErrLocked, who)
		}
		os.Remove(name)
		file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(file, owner)
	if err := file.Close(); err != nil {
		return nil, err
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		t := time.NewTicker(beat)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				os.WriteFile(name, []byte(owner+"\n"), 0o666) // its time is the sign of life
			case <-stop:
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
		os.Remove(name)
	}, nil
}

// alive reports whether the owner of a lock gives signs of life. It compares times
// of files that the file system gave.
func (f *Folder) alive(name string, beat, dead time.Duration) (bool, string, error) {
	b, _ := os.ReadFile(name)
	who := strings.TrimSpace(string(b))
	before, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		return false, who, nil
	}
	if err != nil {
		return false, who, err
	}
	probe, err := os.CreateTemp(f.Dir, ".now-*")
	if err != nil {
		return false, who, err
	}
	defer os.Remove(probe.Name())
	defer probe.Close()
	now, err := probe.Stat()
	if err != nil {
		return false, who, err
	}
	if age := now.ModTime().Sub(before.ModTime()); age >= 0 && age < dead {
		return true, who, nil
	}
	for range 6 { // the clock may have jumped: whoever lives writes meanwhile
		time.Sleep(beat)
		if after, err := os.Stat(name); err != nil || !after.ModTime().Equal(before.ModTime()) {
			return err == nil, who, nil
		}
	}
	return false, who, nil
}
