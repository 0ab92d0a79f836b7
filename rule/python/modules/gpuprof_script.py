"""Runs a script: the program of `gpuprof run`."""

import sys


def main(connection):
    import ncu_report

    ncu_report._connection = connection
    path = sys.argv[1]
    sys.argv[:] = sys.argv[1:]
    slash = path.rfind("/")
    folder = path[:slash] if slash > 0 else ("/" if slash == 0 else "")
    sys.path.insert(0, folder)
    from gpuprof_guest import beside

    beside.folders.add(folder)
    with open(path, "rb") as f:
        code = compile(f.read(), path, "exec")
    import types

    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    exec(code, module.__dict__)
