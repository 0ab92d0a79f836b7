package ncurep

// MemorySharedTable is the table of shared memory accesses. As for all memory
// tables, rows and columns are built into the viewer; the report only switches
// parts of it on.
type MemorySharedTable struct {
	Label       Opt[string]
	ShowLoads   Opt[bool]
	ShowStores  Opt[bool]
	ShowAtomics Opt[bool]
	ShowTotals  Opt[bool]
	Unknown     Unknown
}

var memorySharedTableTable = newTable(func(m *MemorySharedTable) *Unknown { return &m.Unknown },
	optString(1, func(m *MemorySharedTable) *Opt[string] { return &m.Label }),
	optBool(2, func(m *MemorySharedTable) *Opt[bool] { return &m.ShowLoads }),
	optBool(3, func(m *MemorySharedTable) *Opt[bool] { return &m.ShowStores }),
	optBool(4, func(m *MemorySharedTable) *Opt[bool] { return &m.ShowAtomics }),
	optBool(5, func(m *MemorySharedTable) *Opt[bool] { return &m.ShowTotals }),
)

func (*MemorySharedTable) table() *table[MemorySharedTable] { return memorySharedTableTable }

// MemoryCacheTable is the table of one cache level; the first-level, second-
// level and L1TEX tables share the layout.
type MemoryCacheTable struct {
	Label                         Opt[string]
	ShowLoads                     Opt[bool]
	ShowStores                    Opt[bool]
	ShowAtomics                   Opt[bool]
	ShowReductions                Opt[bool]
	ShowGlobal                    Opt[bool]
	ShowLocal                     Opt[bool]
	ShowSurface                   Opt[bool]
	ShowTexture                   Opt[bool]
	ShowTotalLoads                Opt[bool]
	ShowTotalStores               Opt[bool]
	ShowTotals                    Opt[bool]
	ShowTotalAtomicsAndReductions Opt[bool] // L1TEX table only
	Unknown                       Unknown
}

var memoryCacheTableTable = newTable(func(m *MemoryCacheTable) *Unknown { return &m.Unknown },
	optString(1, func(m *MemoryCacheTable) *Opt[string] { return &m.Label }),
	optBool(2, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowLoads }),
	optBool(3, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowStores }),
	optBool(4, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowAtomics }),
	optBool(5, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowReductions }),
	optBool(6, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowGlobal }),
	optBool(7, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowLocal }),
	optBool(8, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowSurface }),
	optBool(9, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowTexture }),
	optBool(10, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowTotalLoads }),
	optBool(11, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowTotalStores }),
	optBool(12, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowTotals }),
	optBool(13, func(m *MemoryCacheTable) *Opt[bool] { return &m.ShowTotalAtomicsAndReductions }),
)

func (*MemoryCacheTable) table() *table[MemoryCacheTable] { return memoryCacheTableTable }

// MemoryL2CacheTable is the table of the L2 cache since 2020.
type MemoryL2CacheTable struct {
	Label          Opt[string]
	ShowLoads      Opt[bool]
	ShowStores     Opt[bool]
	ShowAtomics    Opt[bool]
	ShowReductions Opt[bool]
	Unknown        Unknown
}

var memoryL2CacheTableTable = newTable(func(m *MemoryL2CacheTable) *Unknown { return &m.Unknown },
	optString(1, func(m *MemoryL2CacheTable) *Opt[string] { return &m.Label }),
	optBool(2, func(m *MemoryL2CacheTable) *Opt[bool] { return &m.ShowLoads }),
	optBool(3, func(m *MemoryL2CacheTable) *Opt[bool] { return &m.ShowStores }),
	optBool(4, func(m *MemoryL2CacheTable) *Opt[bool] { return &m.ShowAtomics }),
	optBool(5, func(m *MemoryL2CacheTable) *Opt[bool] { return &m.ShowReductions }),
)

func (*MemoryL2CacheTable) table() *table[MemoryL2CacheTable] { return memoryL2CacheTableTable }

// MemoryL2EvictPolicyTable is the table of L2 eviction policies.
type MemoryL2EvictPolicyTable struct {
	Label       Opt[string]
	ShowLoads   Opt[bool]
	ShowStores  Opt[bool]
	ShowAtomics Opt[bool]
	Unknown     Unknown
}

var memoryL2EvictPolicyTableTable = newTable(func(m *MemoryL2EvictPolicyTable) *Unknown { return &m.Unknown },
	optString(1, func(m *MemoryL2EvictPolicyTable) *Opt[string] { return &m.Label }),
	optBool(2, func(m *MemoryL2EvictPolicyTable) *Opt[bool] { return &m.ShowLoads }),
	optBool(3, func(m *MemoryL2EvictPolicyTable) *Opt[bool] { return &m.ShowStores }),
	optBool(4, func(m *MemoryL2EvictPolicyTable) *Opt[bool] { return &m.ShowAtomics }),
)

func (*MemoryL2EvictPolicyTable) table() *table[MemoryL2EvictPolicyTable] {
	return memoryL2EvictPolicyTableTable
}

// MemoryDeviceTable is the table of device memory accesses.
type MemoryDeviceTable struct {
	Label      Opt[string]
	ShowLoads  Opt[bool]
	ShowStores Opt[bool]
	ShowTotals Opt[bool]
	Unknown    Unknown
}

var memoryDeviceTableTable = newTable(func(m *MemoryDeviceTable) *Unknown { return &m.Unknown },
	optString(1, func(m *MemoryDeviceTable) *Opt[string] { return &m.Label }),
	optBool(2, func(m *MemoryDeviceTable) *Opt[bool] { return &m.ShowLoads }),
	optBool(3, func(m *MemoryDeviceTable) *Opt[bool] { return &m.ShowStores }),
	optBool(4, func(m *MemoryDeviceTable) *Opt[bool] { return &m.ShowTotals }),
)

func (*MemoryDeviceTable) table() *table[MemoryDeviceTable] { return memoryDeviceTableTable }
