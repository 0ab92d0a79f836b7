package simlog

import (
	"bytes"
	"strconv"
	"strings"
)

// Config is what a log says about the simulated machine: GPGPU-Sim prints its
// options before the first kernel. Zero values were not said.
type Config struct {
	ClockMHz   float64 // core clock, the first of "-gpgpu_clock_domains"
	Timed      bool    // the log states times, which are cycles of ClockMHz here
	SMs        int64   // "-gpgpu_n_clusters" times "-gpgpu_n_cores_per_cluster"
	L1Bytes    int64   // one SM's, from "-gpgpu_cache:dl1"
	L2Bytes    int64   // the whole chip's, from "-gpgpu_cache:dl2"
	L2Slices   int64   // memory controllers times sub partitions
	Concurrent bool    // "-gpgpu_concurrent_kernel_sm 1": kernels may overlap

	// Levels gives sizes in bytes for levels that a generic log declares.
	Levels map[string]int64
}

// options collects the few options that make up a Config.
type options struct {
	clusters, perCluster, mem, subs, l1, l2 int64
	clock                                   float64
	concurrent                              bool
}

// line takes one line of the option dump, "-NAME   VALUE # COMMENT".
func (o *options) line(b []byte) {
	name, rest, _ := bytes.Cut(b, []byte(" "))
	value, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	v := string(value)
	switch string(name) {
	case "-gpgpu_n_clusters":
		o.clusters = parseCount(v)
	case "-gpgpu_n_cores_per_cluster":
		o.perCluster = parseCount(v)
	case "-gpgpu_n_mem":
		o.mem = parseCount(v)
	case "-gpgpu_n_sub_partition_per_mchannel":
		o.subs = parseCount(v)
	case "-gpgpu_cache:dl1":
		o.l1 = cacheBytes(v)
	case "-gpgpu_cache:dl2":
		o.l2 = cacheBytes(v)
	case "-gpgpu_concurrent_kernel_sm":
		o.concurrent = v == "1"
	case "-gpgpu_clock_domains":
		first, _, _ := strings.Cut(v, ":")
		if f, err := strconv.ParseFloat(first, 64); err == nil && f > 0 && f < 1e6 {
			o.clock = f
		}
	}
}

func (o *options) config() Config {
	c := Config{ClockMHz: o.clock, L1Bytes: o.l1, Concurrent: o.concurrent}
	c.SMs = o.clusters * max(o.perCluster, 1)
	c.L2Slices = o.mem * max(o.subs, 1)
	c.L2Bytes = o.l2 * c.L2Slices
	return c
}

// cacheBytes reads "[S|N]:<sets>:<line bytes>:<ways>,...": the size of one cache.
func cacheBytes(v string) int64 {
	geometry, _, _ := strings.Cut(v, ",")
	f := strings.Split(geometry, ":")
	if len(f) == 4 && len(f[0]) == 1 {
		f = f[1:] // the letter for sectored or normal
	}
	if len(f) != 3 {
		return 0
	}
	size := int64(1)
	for _, s := range f {
		size *= parseCount(s)
	}
	return size
}

// parseCount reads a number of at most 2^20, 0 when it is none: factors this
// small can be multiplied three times without overflow.
func parseCount(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > 1<<20 {
		return 0
	}
	return n
}
