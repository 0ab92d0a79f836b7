"""Marks the instructions whose global accesses move more than they need.

For each instruction: sectors s that were moved and i that would do. Marks the five
with the largest excess s - i of more than 1 percent of all sectors.

Estimated speedup: the excess as a share of all sectors times the throughput of L2
in percent, of the whole launch.
"""

from gpuprof_stock import GLOBAL, L2, OPTIMIZATION, Launch, by_id, mark, percent, place


def get_identifier():
    return "UncoalescedLines"


def get_name():
    return "Uncoalesced Source Lines"


def get_description():
    return "The places in the code that move more than they need"


def get_section_identifier():
    return "SourceCounters"


def apply(handle):
    launch = Launch(handle)
    name = "memory_l2_theoretical_sectors_global"
    if launch.action.metric_by_name(name) is None:
        name = "memory_l2_sectors_global"
    actual, ideal = launch.need_instances(name, name + "_ideal")
    moved, due = by_id(actual), by_id(ideal)
    total = sum(moved.values())
    excess = {pc: v - due.get(pc, v) for pc, v in moved.items()}
    lost = sum(v for v in excess.values() if v > 0)
    top = [pc for pc in sorted(excess, key=lambda pc: -excess[pc])[:5] if percent(excess[pc], total) > 1]
    if not top or percent(lost, total) <= 5:
        return
    throughput = launch.get(L2, launch.get("lts__t_sectors.avg.pct_of_peak_sustained_elapsed", 0.0))
    id = launch.say(OPTIMIZATION, "Uncoalesced Lines", "{:.0f} of the {:.0f} sectors that global accesses move ({:.0f} %) would not be needed if neighbouring threads accessed "
                    "neighbouring addresses; most of them at {}.".format(lost, total, percent(lost, total), place(launch.action, top[0])[0]),
                    percent(lost, total) / 100 * throughput, GLOBAL, [(name, total, "{:.0f} would do".format(total - lost))])
    rows = []
    for pc in top:
        rows.append(["0x{:x}".format(pc), place(launch.action, pc)[0], int(moved[pc]), int(excess[pc])])
        mark(launch, pc, "{:.0f} of {:.0f} sectors are in excess: uncoalesced".format(excess[pc], moved[pc]))
    launch.frontend.generate_table(id, ["Address", "Source", "Sectors", "Excess"], rows,
                                   {"title": "Uncoalesced Accesses", "sort_by": {"column": "Excess", "order": "descending"}})
