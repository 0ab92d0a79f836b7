"""How many warps of a kernel a multiprocessor keeps in flight, and what limits them.

    import ncu_occupancy
    calculator = ncu_occupancy.OccupancyCalculator(9, 0)
    kernel = ncu_occupancy.OccupancyParameters(threads_per_block=256, registers_per_thread=64, shared_mem_per_block=16384)
    print(calculator.get_sm_occupancy(kernel), calculator.get_occupancy_limiters(kernel))

The interface is that of the module of the same name in Nsight Compute, as its
documentation describes it. Guessed are what that leaves open: the order and the
defaults of threads_per_block, registers_per_thread and num_block_barriers, the
keys below resource_utilization and below optimal_occupancy. How many barriers a
multiprocessor has is not known, so they never limit. A shared_mem_size of 0
stands for all that the GPU can set apart.
Works in Python 3.6 and later.
"""

from enum import Enum

OccupancyLimiter = Enum("OccupancyLimiter", "REGISTERS SHARED_MEMORY BLOCKS BARRIERS", start=0)
OccupancyVariable = Enum("OccupancyVariable", "THREADS_PER_BLOCK REGISTERS_PER_THREAD SHARED_MEMORY_PER_BLOCK BLOCK_BARRIERS", start=0)

_FIELDS = ("shared_mem_size", "threads_per_block", "registers_per_thread", "shared_mem_per_block", "num_block_barriers")


def _ask(op, **arguments):
    import ncu_report

    return ncu_report._connect().call(op, **arguments)


class OccupancyParameters:
    """What a kernel uses: bytes of shared memory, threads, registers, barriers."""

    # A dataclass where Python has them; they came with 3.7.
    def __init__(
        self, shared_mem_size=0, threads_per_block=256, registers_per_thread=32, shared_mem_per_block=2048, num_block_barriers=1
    ):
        self.shared_mem_size = shared_mem_size
        self.threads_per_block = threads_per_block
        self.registers_per_thread = registers_per_thread
        self.shared_mem_per_block = shared_mem_per_block
        self.num_block_barriers = num_block_barriers

    def __repr__(self):
        return "OccupancyParameters({})".format(", ".join("{}={!r}".format(f, getattr(self, f)) for f in _FIELDS))

    def __eq__(self, other):
        if not isinstance(other, OccupancyParameters):
            return NotImplemented
        return all(getattr(self, f) == getattr(other, f) for f in _FIELDS)

    __hash__ = None


class OccupancyCalculator:
    """Computes the occupancy of a GPU, and ways to raise it."""

    def __init__(self, major, minor):
        """The compute capability of the GPU; ValueError if it is not known."""
        self._device = {"major": int(major), "minor": int(minor)}
        get_gpu_data(major, minor)

    def _compute(self, p, vary=()):
        return _ask(
            "occupancy",
            threads=int(p.threads_per_block),
            registers=int(p.registers_per_thread),
            shared=int(p.shared_mem_per_block),
            sharedSize=int(p.shared_mem_size),
            barriers=int(p.num_block_barriers),
            vary=[OccupancyVariable(v).name for v in vary],
            **self._device
        )

    def get_sm_occupancy(self, occupancy_parameters):
        """The occupancy in percent; ValueError if not one block fits."""
        return float(self._compute(occupancy_parameters)["occupancy"])

    def get_occupancy_limiters(self, occupancy_parameters):
        """What keeps the occupancy below 100 %, as a list of OccupancyLimiter."""
        return [OccupancyLimiter[n] for n in self._compute(occupancy_parameters)["limiters"]]

    def get_resource_utilization(self, occupancy_parameters):
        """A dict: sm_occupancy in percent, allocated_blocks of a multiprocessor, resource_utilization by resource."""
        r = self._compute(occupancy_parameters)
        used = {}
        for name, u in r["used"].items():
            percent = 100.0 * u["allocated"] / u["total"] if u["total"] else 0.0
            used[name] = {"allocated": u["allocated"], "total": u["total"], "utilization": percent}
        return {"sm_occupancy": float(r["occupancy"]), "allocated_blocks": r["blocks"], "resource_utilization": used}

    def get_optimal_occupancy(self, occupancy_parameters, occupancy_variable_list=(OccupancyVariable.THREADS_PER_BLOCK,)):
        """A dict: optimal_occupancy in percent as one or two variables vary, and the values that reach it.

        Of several such values these are the nearest to the given ones.
        """
        r = self._compute(occupancy_parameters, occupancy_variable_list)
        out = {"optimal_occupancy": float(r["occupancy"])}
        out.update((name.lower(), value) for name, value in r.get("optimal", {}).items())
        return out


def get_gpu_data(major, minor):
    """The limits of a compute capability as a dict; ValueError if it is not known."""
    return _ask("gpu", major=int(major), minor=int(minor))
