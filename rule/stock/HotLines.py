"""Marks the instructions at which most samples of the program counter were taken.

Marks up to five with at least 10 percent of the samples, with the reason that
they wait for most.

Estimated speedup (local): the samples of the instruction in which the scheduler
issued nothing, in percent of all samples.
"""

from gpuprof_stock import LOCAL, OPTIMIZATION, Launch, by_id, mark, percent, place


def get_identifier():
    return "HotLines"


def get_name():
    return "Hot Source Lines"


def get_description():
    return "The places in the code where warps spend their time"


def get_section_identifier():
    return "SourceCounters"


PREFIX = "smsp__pcsamp_warps_issue_stalled_"
REASONS = ("long_scoreboard short_scoreboard barrier wait lg_throttle mio_throttle math_pipe_throttle tex_throttle drain membar "
           "branch_resolving dispatch_stall imc_miss no_instructions sleeping misc gmma").split()


def apply(handle):
    launch = Launch(handle)
    samples = by_id(launch.need_instances("smsp__pcsamp_sample_count"))
    total = sum(samples.values())
    top = [pc for pc in sorted(samples, key=lambda pc: -samples[pc])[:5] if percent(samples[pc], total) >= 10]
    if total < 100 or not top:
        return
    waits, idle = {}, dict.fromkeys(top, 0)
    for r in REASONS:
        for suffix in ("", "_not_issued"):
            m = launch.action.metric_by_name(PREFIX + r + suffix)
            if m is None or m.num_instances() == 0:
                continue
            sums = by_id(m)
            for pc in top:
                if suffix:
                    idle[pc] += sums.get(pc, 0)
                elif sums.get(pc, 0) > waits.get(pc, (0, ""))[0]:
                    waits[pc] = (sums[pc], r)
    for pc in top:
        share, (_, reason) = percent(samples[pc], total), waits.get(pc, (0, ""))
        text = "{:.0f} % of the samples".format(share) + (", most of them waiting: " + reason.replace("_", " ") if reason else "")
        mark(launch, pc, text)
    share, (_, reason) = percent(samples[top[0]], total), waits.get(top[0], (0, ""))
    launch.say(OPTIMIZATION, "Hot Line", "{:.0f} % of the samples were taken at {}{}.".format(
        share, place(launch.action, top[0])[0], ", most of them waiting for " + reason.replace("_", " ") if reason else ""),
        percent(idle[top[0]], total), LOCAL, [("smsp__pcsamp_sample_count", samples[top[0]], "of {:.0f} samples".format(total))])
