package ncurep

// MemorySharedTable is the table of shared memory accesses. As for all memory
// tables, rows and columns are built into the viewer; the report only switches
// parts of it on.
type MemorySharedTable struct {
	Label       Opt[string] `ncu:"1"`
	ShowLoads   Opt[bool]   `ncu:"2"`
	ShowStores  Opt[bool]   `ncu:"3"`
	ShowAtomics Opt[bool]   `ncu:"4"`
	ShowTotals  Opt[bool]   `ncu:"5"`
	Unknown     Unknown
}

func (t *MemorySharedTable) item() Item { return Item{Label: t.Label} }

// MemoryCacheTable is the table of one cache level; the first-level, second-
// level and L1TEX tables share the layout.
type MemoryCacheTable struct {
	Label                         Opt[string] `ncu:"1"`
	ShowLoads                     Opt[bool]   `ncu:"2"`
	ShowStores                    Opt[bool]   `ncu:"3"`
	ShowAtomics                   Opt[bool]   `ncu:"4"`
	ShowReductions                Opt[bool]   `ncu:"5"`
	ShowGlobal                    Opt[bool]   `ncu:"6"`
	ShowLocal                     Opt[bool]   `ncu:"7"`
	ShowSurface                   Opt[bool]   `ncu:"8"`
	ShowTexture                   Opt[bool]   `ncu:"9"`
	ShowTotalLoads                Opt[bool]   `ncu:"10"`
	ShowTotalStores               Opt[bool]   `ncu:"11"`
	ShowTotals                    Opt[bool]   `ncu:"12"`
	ShowTotalAtomicsAndReductions Opt[bool]   `ncu:"13"` // L1TEX table only
	Unknown                       Unknown
}

func (t *MemoryCacheTable) item() Item { return Item{Label: t.Label} }

// MemoryL2CacheTable is the table of the L2 cache since 2020.
type MemoryL2CacheTable struct {
	Label          Opt[string] `ncu:"1"`
	ShowLoads      Opt[bool]   `ncu:"2"`
	ShowStores     Opt[bool]   `ncu:"3"`
	ShowAtomics    Opt[bool]   `ncu:"4"`
	ShowReductions Opt[bool]   `ncu:"5"`
	Unknown        Unknown
}

func (t *MemoryL2CacheTable) item() Item { return Item{Label: t.Label} }

// MemoryL2EvictPolicyTable is the table of L2 eviction policies.
type MemoryL2EvictPolicyTable struct {
	Label       Opt[string] `ncu:"1"`
	ShowLoads   Opt[bool]   `ncu:"2"`
	ShowStores  Opt[bool]   `ncu:"3"`
	ShowAtomics Opt[bool]   `ncu:"4"`
	Unknown     Unknown
}

func (t *MemoryL2EvictPolicyTable) item() Item { return Item{Label: t.Label} }

// MemoryDeviceTable is the table of device memory accesses.
type MemoryDeviceTable struct {
	Label      Opt[string] `ncu:"1"`
	ShowLoads  Opt[bool]   `ncu:"2"`
	ShowStores Opt[bool]   `ncu:"3"`
	ShowTotals Opt[bool]   `ncu:"4"`
	Unknown    Unknown
}

func (t *MemoryDeviceTable) item() Item { return Item{Label: t.Label} }
