"""Names the reasons that warps wait for.

An instruction takes c cycles from issue to issue of its warp, r of them for one
reason. Speaks of reasons with r / c of at least 30 percent, unless they are about
being issued at all.

Estimated speedup (local): the wait, as far as schedulers have nothing else to
issue meanwhile: 100 * r / c * (1 - issued a cycle).
"""

from gpuprof_stock import ISSUE, LOCAL, OPTIMIZATION, Launch, percent


def get_identifier():
    return "StallReasons"


def get_name():
    return "Stall Reasons"


def get_description():
    return "What warps wait for most"


def get_section_identifier():
    return "WarpStateStats"


def get_parent_rules_identifiers():
    return ["IssueSlots"]


REASONS = {
    "barrier": ("Barrier", "other warps of the block at a barrier", "Give warps equal work between barriers, or use smaller blocks."),
    "branch_resolving": ("Branch Resolving", "the target of a branch", "Branch less, or unroll."),
    "dispatch_stall": ("Dispatch", "the dispatcher", "Something holds up the dispatch of instructions that are ready."),
    "drain": ("Drain", "stores to drain at the end of the warp", "Write less, or in wider and aligned accesses, at the end."),
    "gmma": ("GMMA", "an asynchronous matrix operation", "Prepare the next tile while one is computed."),
    "imc_miss": ("IMC Miss", "constants that are not in the cache", "Read constants in the same order in all warps, or fewer of them."),
    "lg_throttle": ("LG Throttle", "room in the queue of global and local accesses", "Make fewer and wider accesses."),
    "long_scoreboard": ("Long Scoreboard", "data from global or local memory or textures", "Improve locality and coalescing, load earlier, use shared memory for what is read again."),
    "math_pipe_throttle": ("Math Pipe Throttle", "a busy arithmetic pipe", "Mix in instructions for other pipes, or use cheaper ones."),
    "membar": ("Membar", "a memory barrier", "Use fewer or narrower fences."),
    "mio_throttle": ("MIO Throttle", "room in the queue of shared memory and special instructions", "Make fewer and wider shared accesses."),
    "misc": ("Misc", "something that hardware does not name", ""),
    "no_instruction": ("No Instruction", "its next instructions", "Keep hot code small: less unrolling, fewer jumps."),
    "short_scoreboard": ("Short Scoreboard", "data from shared memory or special functions", "Avoid bank conflicts; use fewer special functions."),
    "sleeping": ("Sleeping", "the end of a sleep", ""),
    "tex_throttle": ("Tex Throttle", "room in the queue of textures", "Make fewer texture accesses."),
    "wait": ("Wait", "the fixed latency of its own previous instruction", "Give the compiler independent instructions to put between."),
}
NAME = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
OLD = "smsp__warp_cycles_per_issue_stall_{}"


def apply(handle):
    launch = Launch(handle)
    total = launch.need(("smsp__average_warp_latency_per_inst_issued.ratio", "smsp__average_warps_active_per_inst_executed.ratio",
                         "smsp__warp_cycles_per_issue_active"))
    found = {r: launch.get(NAME.format(r), launch.get(OLD.format(r))) for r in REASONS}
    found = {r: v for r, v in found.items() if v is not None}
    if not found:
        launch.lacks([NAME.format("long_scoreboard")])
    issue = launch.get(ISSUE, launch.get("smsp__issue_active_avg_per_active_cycle", 0.0))
    for reason, cycles in sorted(found.items(), key=lambda rv: -rv[1]):
        share = percent(cycles, total)
        if share < 30:
            break
        label, what, advice = REASONS[reason]
        launch.say(OPTIMIZATION, label + " Stalls", ("A warp waits {:.1f} of the {:.1f} cycles between two of its instructions ({:.0f} %) for {}. " + advice)
                   .format(cycles, total, min(share, 100), what).strip(), min(share, 100) * (1 - issue), LOCAL,
                   [(NAME.format(reason), cycles, "{:.0f} % of {:.1f} cycles".format(share, total))])
