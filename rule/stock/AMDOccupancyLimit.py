"""Names what keeps wavefronts from fitting on a compute unit of an AMD GPU.

With the kernel occupancy o in percent and b the percentage of the time in which
the busier of vector ALU and memory unit works. Speaks when o < 50, unless b >= 80:
then there is nothing left to hide. The limiting resources are those with the
fewest wavefronts (WavesLimitedBy...).

Estimated speedup (local): 100 - o, at most 100 - b where the counters are there.

Occupancy: docs/occupancy.md.
"""

from gpuprof_stock import LOCAL, OPTIMIZATION, Launch


def get_identifier():
    return "AMDOccupancyLimit"


def get_name():
    return "Occupancy Limit (AMD)"


def get_description():
    return "Registers, local memory or work-groups that keep wavefronts from fitting"


def get_section_identifier():
    return "AMDOccupancy"


HINTS = {
    "VGPR": ("vector registers", "Use fewer: shorten live ranges, or bound them with __launch_bounds__ or amdgpu_waves_per_eu"),
    "SGPR": ("scalar registers", "Pass fewer uniform values, or load them where they are needed"),
    "LDS": ("local memory", "Use smaller tiles or smaller types"),
    "Workgroup": ("slots for work-groups", "Choose another size of the work-group"),
}


def apply(handle):
    launch = Launch(handle)
    occupancy = launch.need("KernelOccupancy")
    busy = max(launch.get("VALUBusy", 0.0), launch.get("MemUnitBusy", 0.0))
    if occupancy >= 50 or busy >= 80:
        return
    limits = {}
    for name in HINTS:
        v = launch.get("WavesLimitedBy" + name)
        if v is not None:
            limits[name] = v
    if not limits:
        launch.lacks(["WavesLimitedByVGPR"])
    least = min(limits.values())
    limiting = [n for n in limits if limits[n] == least and (n == "Workgroup" or launch.get({"LDS": "LocalMemSize"}.get(n, n + "s"), 0.0) > 0)]
    text = " and ".join(HINTS[n][0] for n in limiting) or "the kernel"
    hints = ". ".join(HINTS[n][1] for n in limiting)
    launch.say(OPTIMIZATION, "Occupancy", "{:.0f} wavefronts fit on a compute unit, {:.1f} % of the most: {} {} no more.{}".format(
               least, occupancy, text, "allow" if text.endswith("s") else "allows", " " + hints + "." if hints else ""), min(100 - occupancy, 100 - busy), LOCAL,
               [("KernelOccupancy", occupancy, "below 50 %")] + [("WavesLimitedBy" + n, limits[n], HINTS[n][0]) for n in limiting])
