package section

import (
	"strings"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view"
)

// groups are the items of which a definition says no more than their name. What
// they show depends on the GPU and on the version of the tool, but the tool has
// left that in the report: each is a group of metrics.
var groups = map[ncurep.ItemKind]string{
	"MemoryChart":                   "group:memory__chart",
	"MemorySharedTable":             "group:memory__shared_table",
	"MemoryFirstLevelCacheTable":    "group:memory__first_level_cache_table",
	"MemoryL1TEXCacheTable":         "group:memory__first_level_cache_table",
	"MemorySecondLevelCacheTable":   "group:memory__second_level_cache_table",
	"MemoryL2CacheTable":            "group:memory__l2_cache_table",
	"MemoryL2CacheEvictPolicyTable": "group:memory__l2_cache_evict_policy_table",
	"MemoryDeviceMemoryTable":       "group:memory__dram_table",
}

// topology shows which GPUs are connected by NVLink.
func (l *layout) topology() []view.Item {
	links := l.item.Set.Lookup("nvlink__count_logical")
	if links != nil && links.Value.Double() > 0 {
		return l.nvlink("Logical NVLinks", nvlinkTopology)
	}
	text := "The system does not have any NVLink connections."
	lines := []string{text, ""}
	if l.heading != "" {
		lines = append([]string{l.heading}, lines...)
	}
	return []view.Item{{Message: &view.Message{Type: view.None, Title: l.heading, Text: text, Layout: &view.Layout{Lines: lines}}}}
}

// A deviceColumn is a column of a table with a row for each of a list of
// devices or links: the instances of one metric.
type deviceColumn struct{ name, label, metric string }

var numaColumns = []deviceColumn{
	{"gpu", "GPU Name", "numa__dev_display_name_all"},
	{"numa_cpu", "NUMA ID by CPU Affinity", "numa__id_cpu"},
	{"cpus", "CPU Affinity", "numa__cpu_affinity"},
	{"numa_memory", "NUMA ID by Memory Affinity", "numa__id_memory"},
}

// The columns of the NVLink tables. No report with links is known, so neither is
// the layout of ncu: the columns are those of the metrics.
var (
	nvlinkTopology = []deviceColumn{
		{"device0", "Device 0", "nvlink__dev0Id"}, {"device1", "Device 1", "nvlink__dev1Id"},
		{"links", "Physical Links", "nvlink__count_physical"}, {"bandwidth", "Bandwidth", "nvlink__bandwidth"},
	}
	nvlinkProperties = []deviceColumn{
		{"device0", "Device 0", "nvlink__dev0Id"}, {"device1", "Device 1", "nvlink__dev1Id"},
		{"peer_access", "Peer Access", "nvlink__peer_access"}, {"peer_atomic", "Peer Atomic", "nvlink__peer_atomic"},
		{"system_access", "System Access", "nvlink__system_access"}, {"system_atomic", "System Atomic", "nvlink__system_atomic"},
		{"nvswitch", "NVSwitch", "nvlink__is_nvswitch_connected"}, {"direct", "Direct", "nvlink__is_direct_link"},
	}
	nvlinkThroughput = []deviceColumn{
		{"received", "Received (Gbyte/s)", "nvlrx__bytes.sum.per_second"}, {"transmitted", "Transmitted (Gbyte/s)", "nvltx__bytes.sum.per_second"},
	}
)

func (l *layout) nvlink(title string, columns []deviceColumn) []view.Item {
	if links := l.item.Set.Lookup("nvlink__count_logical"); links == nil || links.Value.Double() == 0 {
		return nil
	}
	return l.devices("link", "Link", title, columns)
}

func (l *layout) numa() []view.Item { return l.devices("id", "GPU ID", "NUMA Affinity", numaColumns) }

// devices makes a table of the instances of the columns' metrics, beside their
// position.
func (l *layout) devices(id, label, title string, columns []deviceColumn) []view.Item {
	t := &view.Table{ID: l.id, Title: title, Columns: []view.Column{{Name: id, Label: label, Type: view.Number}}}
	for i, c := range columns {
		t.Columns = append(t.Columns, view.Column{Name: c.name, Label: c.label, Align: view.AlignRight})
		if i == 0 && id == "id" {
			t.Columns[1].Align = view.AlignLeft
		}
		m := l.item.Set.Lookup(c.metric)
		if m == nil {
			continue
		}
		unit := l.b.options.Unit(c.metric, l.arch)
		if t.Columns[i+1].Unit = unit; strings.HasSuffix(c.label, "(Gbyte/s)") {
			t.Columns[i+1].Number = &view.NumberStyle{Divisor: 1e9, Decimals: 2}
		}
		in := m.Instances()
		if len(in) == 0 && m.Value.Kind() != metric.KindNone {
			in = []profile.Instance{{Value: m.Value}}
		}
		for k := range in {
			if k == len(t.Rows) {
				t.Rows = append(t.Rows, make([]view.Value, len(columns)+1))
				t.Rows[k][0] = view.Uint(uint64(k), "")
			}
			t.Rows[k][i+1] = Cell(in[k].Value, unit)
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.Layout = &view.Layout{Frame: view.FrameFull, Heading: l.head(title, "")}
	return []view.Item{{Table: t}}
}
