"""Read reports of Nsight Compute:

    import ncu_report
    report = ncu_report.load_report("file.ncu-rep")
    for action in report[0]:
        print(action.name(), action["gpu__time_duration.sum"].value())

The interface is that of the module of the same name in Nsight Compute. The work
is done by gpuprof: the one that runs the script, or else one that this module
starts, named by the environment variable GPUPROF or found on the PATH.
Works in Python 3.6 and later.
"""

import os

from gpuprof_nvtx import INvtxDomainInfo, INvtxRange, INvtxState
from gpuprof_report import IAction, IBaseContext, IContext, IRange, ISourceInfo, ITimelines, VERSION, open_report
from gpuprof_results import FocusSeverity, IRuleResult, MarkerKind, MsgType, RuleResultMessage, SourceMarker, SpeedupType, StallReason
from gpuprof_values import (
    IMetric,
    IMutableMetric,
    MetricSubtype,
    MetricType,
    RollupOperation,
    ValueKind,
    map_string_double,
    map_string_string,
    set_string,
    set_ull,
    vector_double,
    vector_longlong,
    vector_string,
    vector_ull,
)

# The members of some enums stand in the module, too: there scripts look for them.
for _enum in (StallReason, MetricType, MetricSubtype, RollupOperation):
    globals().update(("{}_{}".format(_enum.__name__, _m.name), int(_m)) for _m in _enum)

_connection = None


def _connect():
    """The connection to gpuprof, started if there is none."""
    global _connection
    if _connection is None:
        import atexit
        import subprocess

        from gpuprof_wire import Connection

        command = os.environ.get("GPUPROF", "gpuprof")
        try:
            child = subprocess.Popen([command, "python", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as e:
            raise ImportError("ncu_report needs gpuprof; set GPUPROF to its path or put it on the PATH: {}".format(e))
        _connection = Connection(child.stdout, child.stdin)

        @atexit.register
        def leave():
            child.stdin.close()
            child.wait()

    return _connection


def load_report(file_name, library_dir=None):
    """Open a report and return its IContext. library_dir is there for compatibility."""
    try:
        return open_report(_connect(), os.fspath(file_name))
    except OSError as e:
        raise RuntimeError(str(e)) from None


def get_version():
    """The version of the interface, as year.major.minor."""
    return VERSION


def metric_instances(metric):
    """The instances of a metric as a list of values."""
    return metric.values()
