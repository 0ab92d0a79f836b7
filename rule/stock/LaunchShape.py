"""Looks at grid and block: idle multiprocessors, partial warps, the tail.

With g blocks on n multiprocessors and w waves:

    g < n             n - g multiprocessors idle; saves 100 * (1 - g / n) where the work can be cut finer (local)
    block % 32 != 0   (the threads of a warp) lanes idle in the last warp of each block; saves that share of all lanes (local)
    w > 1, w < 8      if blocks take equally long, ceil(w) waves take the time that w would do: saves
                      100 * (ceil(w) - w) / ceil(w) of the whole launch
"""

import math

from gpuprof_stock import GLOBAL, LOCAL, OPTIMIZATION, Launch


def get_identifier():
    return "LaunchShape"


def get_name():
    return "Launch Configuration"


def get_description():
    return "Grids and blocks that leave parts of the GPU idle, and the tail of the last wave"


def get_section_identifier():
    return "LaunchStats"


def apply(handle):
    launch = Launch(handle)
    block, grid = launch.need("launch__block_size", "launch__grid_size")
    waves = launch.get("launch__waves_per_multiprocessor")
    count = launch.get("launch__sm_count", launch.get("device__attribute_multiprocessor_count"))
    if count and 0 < grid < count:
        launch.say(OPTIMIZATION, "Idle Multiprocessors", "The grid has {:.0f} blocks for {:.0f} multiprocessors: at least {:.0f} of them have "
                   "nothing to do.".format(grid, count, count - grid), 100 * (1 - grid / count), LOCAL,
                   [("launch__grid_size", grid, "{:.0f} < {:.0f}".format(grid, count))])
    warp = launch.warp()
    rest = int(block) % warp
    if rest:
        warps = math.ceil(block / warp)
        launch.say(OPTIMIZATION, "Partial Warps", "Blocks of {:.0f} threads end in a warp of {} threads; the other {} lanes are never used. "
                   "Choose a multiple of {}.".format(block, rest, warp - rest, warp), 100 * (1 - block / (warp * warps)), LOCAL,
                   [("launch__block_size", block, "{:.0f} % {} = {}".format(block, warp, rest))])
    if waves is not None and 1 < waves < 8 and waves != math.floor(waves):
        full, lost = math.floor(waves), 100 * (math.ceil(waves) - waves) / math.ceil(waves)
        if lost >= 5:
            launch.say(OPTIMIZATION, "Tail", "The blocks make {} full {} and one that is filled to {:.0f} %. If blocks take equally long, the "
                       "launch takes as long as {} full waves would.".format(full, "wave" if full == 1 else "waves", 100 * (waves - full), full + 1),
                       lost, GLOBAL, [("launch__waves_per_multiprocessor", waves, "{:.2f} of {} waves".format(waves, full + 1))])
