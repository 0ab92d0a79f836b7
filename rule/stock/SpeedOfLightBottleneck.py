"""Tells which unit of the GPU bounds the launch, if any does.

Let s and m be the throughput of the multiprocessors and of the memory system in
percent of their peak, and t the larger.

    t >= 80             near the peak of a unit
    60 <= t < 80        bound by the busier unit, or by both if they are within 10 points
    t < 60              bound by latency, or by a grid that leaves multiprocessors idle

Estimated speedup, below 80: the time that is saved when the busier unit gets to
80 percent, 100 * (1 - t / 80), of the whole launch.
"""

from gpuprof_stock import GLOBAL, MEMORY, OK, OPTIMIZATION, SM, Launch


def get_identifier():
    return "SpeedOfLightBottleneck"


def get_name():
    return "Bottleneck"


def get_description():
    return "Which unit of the GPU bounds the launch"


def get_section_identifier():
    return "SpeedOfLight"


def apply(handle):
    launch = Launch(handle)
    sm, memory = launch.need((SM, "sm__sol_pct"), (MEMORY, "gpu__compute_memory_sol_pct"))
    top = max(sm, memory)
    launch.frontend.send_dict_to_children({"sm": sm, "memory": memory, "top": top})
    focus = [(SM, sm, "{:.1f} %".format(sm)), (MEMORY, memory, "{:.1f} %".format(memory))]
    busier = "Compute" if sm > memory else "Memory"
    waves = launch.get("launch__waves_per_multiprocessor")
    gain = 100 * (1 - top / 80)
    if top >= 80:
        launch.say(OK, "Near Peak", "{} runs at {:.0f} % of its peak. To get faster, give it less to do: less work, "
                   "or work moved to units that have room.".format(busier, top), focus=focus)
    elif top >= 60:
        if abs(sm - memory) < 10:
            launch.say(OK, "Balanced", "Compute ({:.0f} %) and memory ({:.0f} %) are about equally busy: only a change that "
                       "relieves both makes the launch much faster.".format(sm, memory), gain, GLOBAL, focus)
        else:
            section = "ComputeWorkloadAnalysis:Compute Workload Analysis" if sm > memory else "MemoryWorkloadAnalysis:Memory Workload Analysis"
            launch.say(OPTIMIZATION, busier + " Bound", "{} is the busier side, {:.0f} % of its peak against {:.0f} %. @section:{}@ "
                       "shows what it is busy with.".format(busier, top, min(sm, memory), section), gain, GLOBAL, focus)
    elif waves is not None and waves < 1:
        launch.say(OPTIMIZATION, "Small Grid", "The grid fills only {:.2f} of the multiprocessors' room, so neither compute ({:.1f} %) nor "
                   "memory ({:.1f} %) gets busy. Launch more blocks, or several such kernels at a time.".format(waves, sm, memory),
                   gain, GLOBAL, focus + [("launch__waves_per_multiprocessor", waves, "below 1")])
    else:
        launch.say(OPTIMIZATION, "Latency Bound", "Neither compute ({:.1f} %) nor memory ({:.1f} %) is busy: warps wait for something "
                   "else. @section:WarpStateStats:Warp State Statistics@ shows for what, @section:Occupancy:Occupancy@ whether "
                   "there are enough of them.".format(sm, memory), gain, GLOBAL, focus)
