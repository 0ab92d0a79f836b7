package loggen

// Options describes a log. The zero Options give a small one.
type Options struct {
	Bytes   int64  // wanted size; the log ends with the kernel that reaches it
	Kernels int    // how many kernels share the bytes; at least 1
	Seed    uint64 // different seeds give different logs
	SMs     int    // SMs whose L1 accesses are printed; 1, as simulators do by default
	Cut     bool   // leave out the last trailer and end within a line
	Global  bool   // count cycles from the start of the run, as the stock lines do
	Probe   bool   // print L2 accesses as the stock "Probing L2 cache" lines
}

func (o Options) withDefaults() Options {
	if o.Bytes <= 0 {
		o.Bytes = 1 << 20
	}
	o.Kernels = max(o.Kernels, 1)
	o.SMs = max(o.SMs, 1)
	return o
}

// Truth is what the generator knows about the log it wrote.
type Truth struct {
	Bytes, Lines int64
	Kernels      []KernelTruth
}

// KernelTruth are the counts of one kernel.
type KernelTruth struct {
	ID     int64
	Name   string
	Cycles int64
	L1, L2 CacheTruth
}

// CacheTruth counts the accesses of one level; Accesses = Hits + Misses +
// PendingHits.
type CacheTruth struct {
	Accesses, Hits, Misses, PendingHits, ReservationFails int64
	Loads, Stores                                         int64
}

func (c *CacheTruth) add(d CacheTruth) {
	c.Accesses += d.Accesses
	c.Hits += d.Hits
	c.Misses += d.Misses
	c.PendingHits += d.PendingHits
	c.ReservationFails += d.ReservationFails
	c.Loads += d.Loads
	c.Stores += d.Stores
}
