"""Finds lanes of AMD's vector ALU that do nothing.

With u the percentage of lanes that take part in vector instructions
(VALUUtilization), and b the percentage of the time in which these are executed
(VALUBusy). Speaks when u < 80, unless b < 10: then nothing is lost.

Estimated speedup (local): (100 - u) / 100 * b; none where b is not known.

Counters: GPUPerfAPI manual, compute counter tables (gpuopen.com).
"""

from gpuprof_stock import LOCAL, OPTIMIZATION, Launch


def get_identifier():
    return "AMDDivergence"


def get_name():
    return "Divergence (AMD)"


def get_description():
    return "Work-items of a wavefront that take different ways"


def get_section_identifier():
    return "AMDCompute"


def apply(handle):
    launch = Launch(handle)
    used, busy = launch.need("VALUUtilization"), launch.get("VALUBusy")
    if used >= 80 or busy is not None and busy < 10:
        return
    group, wave = launch.get("launch__block_size"), launch.get("WavefrontSize", 64.0)
    rest = int(group) % int(wave) if group and wave else 0
    why = "The work-group of {:.0f} work-items ends in a wavefront of {}.".format(group, rest) if rest else "The size of the work-group fills its wavefronts."
    launch.say(OPTIMIZATION, "Idle Lanes", "{:.0f} % of the lanes take part in vector instructions. {} Work-items of one wavefront that branch apart run one way after the "
               "other: sort work so that neighbours agree, or replace branches by arithmetic.".format(used, why),
               None if busy is None else (100 - used) / 100 * busy, LOCAL, [("VALUUtilization", used, "below 80 %")])
