"""Counts bank conflicts of shared accesses.

With c conflicts in n wavefronts of shared loads or stores. Speaks when c is more
than 10 percent of n.

Estimated speedup: c / n of the L1 cache's throughput in percent.
"""

from gpuprof_stock import GLOBAL, L1, OPTIMIZATION, Launch, percent


def get_identifier():
    return "BankConflicts"


def get_name():
    return "Bank Conflicts"


def get_description():
    return "Shared accesses that take turns because they meet in a bank"


def get_section_identifier():
    return "MemoryWorkloadAnalysis_Tables"


CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"
ACCESSES = "smsp__sass_inst_executed_op_shared_{}.sum"


def apply(handle):
    launch = Launch(handle)
    throughput = launch.need((L1, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"))
    numbers = launch.need(*[name.format(op) for op in ("ld", "st") for name in (CONFLICTS, WAVEFRONTS)])
    for i, (op, label) in enumerate((("ld", "loads"), ("st", "stores"))):
        conflicts, wavefronts = numbers[2 * i : 2 * i + 2]
        share = percent(conflicts, wavefronts)
        if share <= 10:
            continue
        accesses = launch.get(ACCESSES.format(op))
        each = ", {:.1f} for each instruction".format(wavefronts / accesses) if accesses else ""
        launch.say(OPTIMIZATION, "Conflicts of Shared " + label.capitalize(), "{:.0f} of the {:.0f} wavefronts of shared {} ({:.0f} %{}) are bank conflicts. "
                   "Pad rows, or swizzle indices, so that the threads of a warp reach different banks.".format(conflicts, wavefronts, label, share, each),
                   share / 100 * throughput, GLOBAL,
                   [(CONFLICTS.format(op), conflicts, "{:.0f} % of the wavefronts".format(share)), (L1, throughput, "the busier L1, the more it costs")])
