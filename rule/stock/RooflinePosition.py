"""Places the launch under the roofline of its precision.

For single and double precision: work w = (add + mul + 2 fma) per second, peak p of
fused multiply-adds, DRAM bandwidth b and its peak B. The arithmetic intensity is
w / b operations a byte, the roof at that intensity min(p, B * w / b).

Estimated speedup: the time that is saved at 80 percent of the roof,
100 * (1 - w / (0.8 roof)), of the whole launch.
"""

from gpuprof_stock import GLOBAL, OK, OPTIMIZATION, Launch, percent


def get_identifier():
    return "RooflinePosition"


def get_name():
    return "Roofline Position"


def get_description():
    return "How far below the roofline the launch is, and which roof it is"


def get_section_identifier():
    return "SpeedOfLight_RooflineChart"


OPS = "smsp__sass_thread_inst_executed_op_{}{}_pred_on.sum.per_cycle_elapsed"
PEAK = "sm__sass_thread_inst_executed_op_{}fma_pred_on.sum.peak_sustained"


def apply(handle):
    launch = Launch(handle)
    names = [OPS.format(t, op) for t in "fd" for op in ("add", "mul", "fma")]
    values = launch.need(*names)
    peaks = launch.need(PEAK.format("f"), PEAK.format("d"))
    smsp, sm, dram = launch.need(
        "smsp__cycles_elapsed.avg.per_second", "sm__cycles_elapsed.avg.per_second", "dram__cycles_elapsed.avg.per_second"
    )
    read, peak_bytes = launch.need("dram__bytes.sum.per_second", "dram__bytes.sum.peak_sustained")
    for i, (kind, label) in enumerate((("f", "fp32"), ("d", "fp64"))):
        add, mul, fma = values[3 * i : 3 * i + 3]
        work = (add + mul + 2 * fma) * smsp
        peak, bandwidth = 2 * peaks[i] * sm, peak_bytes * dram
        if work <= 0 or peak <= 0 or bandwidth <= 0:
            continue
        intensity = work / read if read > 0 else float("inf")
        roof = min(peak, bandwidth * intensity)
        bound = "compute" if peak <= bandwidth * intensity else "memory"
        share = percent(work, roof)
        text = ("{}: {} operations a second, {:.1f} % of the device's peak, at {:.3g} operations a byte of DRAM traffic. "
                "The {} roof is what bounds it there, and it reaches {:.0f} % of that.").format(
                    label, amount(work), percent(work, peak), intensity, bound, share)
        gain = 100 * (1 - work / (0.8 * roof)) if share < 80 else None
        launch.say(OPTIMIZATION if share < 60 else OK, "Below the {} Roof ({})".format(bound.capitalize(), label), text, gain, GLOBAL,
                   [(OPS.format(kind, "fma"), fma, "fused operations a cycle"), ("dram__bytes.sum.per_second", read, "DRAM traffic")])


def amount(x):
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if x >= limit:
            return "{:.2f} {}".format(x / limit, unit)
    return "{:.0f}".format(x)
