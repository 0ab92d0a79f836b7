package simlog

import (
	"bytes"
	"strconv"
	"strings"
)

// text takes one line that ofInterest let through.
func (a *assembler) text(b *Batch, at int, line []byte, number int64) {
	switch line[0] {
	case 'P':
		a.begin(b, at, number)
		a.header.Path = string(bytes.TrimSpace(line[len("Processing kernel "):]))
	case '-':
		if hasPrefix(line, "-gpgpu_") {
			a.options.line(line)
			return
		}
		a.headerField(b, at, line, number)
	case 'l':
		a.launch(b, at, line, number)
	case 'G':
		a.simulator(b, at, line, number)
	default:
		a.trailerLine(b, at, line, number)
	}
}

// headerField takes "-KEY = VALUE".
func (a *assembler) headerField(b *Batch, at int, line []byte, number int64) {
	key, value, ok := strings.Cut(string(line[1:]), "=")
	if !ok {
		return
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if a.header == nil || key == "kernel name" && a.header.Name != "" {
		a.begin(b, at, number)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	bad := err != nil || n < 0
	k := &a.header.Kernel
	switch key {
	case "kernel name":
		k.Name, bad = value, false
	case "kernel id":
		if !bad {
			k.ID = n
		}
	case "shmem":
		k.SharedBytes = max(n, 0)
	case "nregs":
		k.Registers = max(n, 0)
	case "cuda stream id":
		k.Stream = n
	case "grid dim":
		k.Grid, bad = dims(value)
	case "block dim":
		k.Block, bad = dims(value)
	default:
		return
	}
	if bad {
		a.notes.add(number, "the header field \""+key+"\" has a value that is no number; it is left out")
	}
}

// dims reads "(x,y,z)".
func dims(s string) (d [3]int, bad bool) {
	f := strings.Split(strings.Trim(s, "() "), ",")
	if len(f) != 3 {
		return d, true
	}
	for i := range d {
		n, err := strconv.ParseInt(strings.TrimSpace(f[i]), 10, 32)
		if err != nil || n < 0 {
			return [3]int{}, true
		}
		d[i] = int(n)
	}
	return d, false
}

// launch takes "launching kernel name: NAME uid: N cuda_stream_id: N". It comes
// behind the header of the same kernel, or stands for it.
func (a *assembler) launch(b *Batch, at int, line []byte, number int64) {
	rest := string(line[len("launching kernel name"):])
	rest = strings.TrimSpace(strings.TrimPrefix(rest, ":"))
	name, tail, _ := strings.Cut(rest, " uid: ")
	name = strings.TrimSpace(name)
	if a.header == nil || a.header.UID != 0 || a.header.Name != "" && a.header.Name != name {
		a.begin(b, at, number)
	}
	a.header.Name = name
	uid, _, _ := strings.Cut(tail, " ")
	if n, err := strconv.ParseInt(uid, 10, 64); err == nil && n > 0 {
		a.header.UID = n
	}
}

// simulator takes the lines that begin "GPGPU-Sim".
func (a *assembler) simulator(b *Batch, at int, line []byte, number int64) {
	if rest, ok := bytes.CutPrefix(line, []byte("GPGPU-Sim: Reconfigure L1 cache to ")); ok {
		kb, _, _ := bytes.Cut(rest, []byte("KB"))
		n, err := strconv.ParseInt(string(kb), 10, 64)
		if err != nil || n <= 0 || n > 1<<20 {
			a.notes.add(number, "an L1 size that is no number of KB; it is left out")
			return
		}
		switch {
		case a.cur != nil && !a.cur.Complete():
			a.cur.L1Bytes = n << 10
		case len(a.waiting) > 0:
			a.waiting[0].L1Bytes = n << 10
		}
		return
	}
	if rest, ok := bytes.CutPrefix(line, []byte("GPGPU-Sim PTX: pushing kernel '")); ok {
		name, tail, _ := bytes.Cut(rest, []byte("'"))
		a.begin(b, at, number)
		a.header.Name = string(name)
		a.header.Grid = dimsAfter(tail, "gridDim= ")
		a.header.Block = dimsAfter(tail, "blockDim = ")
		a.header = nil // nothing more to come
		return
	}
	a.exited = a.exited || bytes.Contains(line, []byte("exit detected"))
}

func dimsAfter(line []byte, key string) [3]int {
	_, rest, _ := bytes.Cut(line, []byte(key))
	v, _, _ := bytes.Cut(rest, []byte(")"))
	d, _ := dims(string(v))
	return d
}

// trailerLine takes "KEY = VALUE" lines behind a kernel.
func (a *assembler) trailerLine(b *Batch, at int, line []byte, number int64) {
	key, value, _ := strings.Cut(string(line), "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch key {
	case "kernel_name":
		a.into = a.trailerOf(b, at, number, value)
		a.into.TrailerLine = number
		a.into.table = newStatTable()
		return
	case "gpu_sim_cycle":
		if a.into == nil || a.into.Cycles != 0 {
			a.into = a.trailerOf(b, at, number, "")
			a.into.TrailerLine = number
			a.into.table = newStatTable()
		}
	}
	if a.into == nil {
		return // statistics of the whole run, or noise with an equals sign
	}
	k := &a.into.Kernel
	switch key {
	case "kernel_launch_uid":
		k.UID = a.count(value, number)
	case "gpu_sim_cycle":
		k.Cycles = a.count(value, number)
	case "gpu_tot_sim_cycle":
		k.TotalCycles = a.count(value, number)
	case "gpu_sim_insn":
		k.Instructions = a.count(value, number)
	case "gpgpu_simulation_time":
		_, t, _ := strings.Cut(value, "(")
		t, _, _ = strings.Cut(t, " sec")
		k.SimSeconds = a.count(t, number)
		a.into.table.add(key, float64(k.SimSeconds), "s")
		return
	}
	a.into.table.line(line)
}

// count reads a number of the trailer.
func (a *assembler) count(value string, line int64) int64 {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		a.notes.add(line, "a trailer value that is no number; it is left out")
		return 0
	}
	return n
}
