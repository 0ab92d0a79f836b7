"""How many warps of a kernel a multiprocessor keeps in flight, and what limits them.

    import ncu_occupancy
    o = ncu_occupancy.occupancy("9.0", block_size=256, registers=64, shared_memory=16384)
    print(o.warps, o.max_warps, o.limiters)

The names OccupancyLimiter and OccupancyVariable are those of Nsight Compute's
module; their members, and the functions, are of our own choice, because its are
not publicly known. Works in Python 3.6 and later.
"""

from collections import namedtuple
from enum import IntEnum

OccupancyLimiter = IntEnum("OccupancyLimiter", "NONE REGISTERS SHARED_MEMORY BLOCKS", start=0)
OccupancyVariable = IntEnum("OccupancyVariable", "BLOCK_SIZE REGISTERS SHARED_MEMORY", start=0)

# Warps in flight and at most, the room that each resource has for warps by
# OccupancyLimiter, and which of them limit.
Occupancy = namedtuple("Occupancy", "warps max_warps room limiters")


def _ask(device, block_size, registers, shared_memory, curves):
    import ncu_report

    return ncu_report._connect().call(
        "occupancy", device=str(device), blockSize=int(block_size), registers=int(registers), sharedBytes=int(shared_memory), curves=curves
    )


def occupancy(device, block_size, registers, shared_memory=0):
    """Compute the Occupancy of a kernel: threads of a block, registers of a thread, bytes of shared memory of a block.

    device is a compute capability or architecture, such as "9.0" or "sm_90".
    ValueError if it is not known or the kernel does not fit it.
    """
    r = _ask(device, block_size, registers, shared_memory, False)
    room = {
        OccupancyLimiter.REGISTERS: r["registers"],
        OccupancyLimiter.SHARED_MEMORY: r["shared"],
        OccupancyLimiter.BLOCKS: r["blocks"],
    }
    limiters = tuple(OccupancyLimiter[n] for n in r["limiters"]) or (OccupancyLimiter.NONE,)
    return Occupancy(r["warps"], r["max_warps"], room, limiters)


def sweep(variable, device, block_size, registers, shared_memory=0):
    """Pairs of value and warps in flight as one OccupancyVariable varies and the others stay."""
    curves = _ask(device, block_size, registers, shared_memory, True)["curves"]
    return [tuple(p) for p in curves[OccupancyVariable(variable)]]
