"""Finds registers of an AMD GPU that were spilled to memory.

Speaks when the kernel keeps registers (ScratchRegs) or bytes (ScratchSize) of each
work-item in scratch memory, which is video memory. No speedup follows from that.

Counters: CodeXL user guide, "ScratchRegs"; ROCm, "scratch" of a dispatch.
"""

from gpuprof_stock import OPTIMIZATION, Launch


def get_identifier():
    return "AMDScratch"


def get_name():
    return "Scratch Memory (AMD)"


def get_description():
    return "Registers that spill to memory"


def get_section_identifier():
    return "AMDLaunch"


def apply(handle):
    launch = Launch(handle)
    name = "ScratchRegs" if launch.get("ScratchRegs") is not None else "ScratchSize"
    spilled = launch.need(("ScratchRegs", "ScratchSize"))
    if spilled <= 0:
        return
    registers = launch.get("VGPRs")
    at = " beside {:.0f} vector registers".format(registers) if registers else ""
    what = "{:.0f} registers".format(spilled) if name == "ScratchRegs" else "{:.0f} bytes".format(spilled)
    launch.say(OPTIMIZATION, "Scratch Memory", "{} of each work-item live in scratch memory{}: registers spill, or arrays are indexed by variables. Allow more registers, "
               "shorten live ranges, or unroll so that indices are constant.".format(what, at), focus=[(name, spilled, what + " of a work-item")])
