"""Starts a program inside one of gpuprof's hosts."""

import io
import os
import sys


class _Printer(io.TextIOBase):
    """A text file that gpuprof writes for us."""

    def __init__(self, connection, stream):
        self._connection = connection
        self._stream = stream
        self._held = []
        self._size = 0

    encoding = "utf-8"
    errors = "backslashreplace"

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not " + type(text).__name__)
        self._held.append(text)
        self._size += len(text)
        if self._size > 8192 or self._stream == "stderr":
            self.flush()
        return len(text)

    def flush(self):
        if self._held:
            text, self._held, self._size = "".join(self._held), [], 0
            for i in range(0, len(text), 1 << 20):
                self._connection.tell("print", stream=self._stream, text=text[i : i + (1 << 20)])


class _Keyboard(io.TextIOBase):
    """Standard input, read by gpuprof line by line."""

    def __init__(self, connection):
        self._connection = connection

    def readable(self):
        return True

    def readline(self, size=-1):
        return self._connection.call("input")

    def read(self, size=-1):
        return "".join(iter(self.readline, ""))


def _hide():
    """Keep other processes of the user from looking into this one; execve takes back what was set before it."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
    except Exception:  # a Python without ctypes, or no Linux
        pass


class Beside:
    """Finds modules beside rules and scripts by their names: a program may read them, not list their folder."""

    def __init__(self):
        self.folders = set()

    def find_spec(self, name, path=None, target=None):
        from importlib.util import spec_from_file_location

        base = name.rpartition(".")[2]
        for folder in sys.path if path is None else path:
            if path is None and folder not in self.folders:
                continue
            for file, inside in ((folder + "/" + base + "/__init__.py", [folder + "/" + base]), (folder + "/" + base + ".py", None)):
                if os.path.isfile(file) and os.access(file, os.R_OK):
                    return spec_from_file_location(name, file, submodule_search_locations=inside)
        return None


beside = Beside()


def main():
    import gpuprof_wire

    name = sys.argv.pop(1)
    sys.meta_path.append(beside)
    connection = gpuprof_wire.Connection(io.open(os.dup(0) if _NATIVE else 0, "rb"), io.open(os.dup(1) if _NATIVE else 1, "wb"))
    if _NATIVE:  # what C code prints must not come between the requests
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(2, 1)
        _hide()
    sys.stdin, sys.stdout, sys.stderr = _Keyboard(connection), _Printer(connection, "stdout"), _Printer(connection, "stderr")
    if not _NATIVE:  # WASI has no such clock
        import time

        time.sleep = lambda seconds: connection.call("sleep", seconds=float(seconds))
    status = 0
    try:
        if os.environ.get("GPUPROF_DIR"):
            os.chdir(os.environ.pop("GPUPROF_DIR"))
        status = __import__(name).main(connection) or 0
    except SystemExit as e:
        status = e.code
        if status is None:
            status = 0
        elif not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
    except BaseException as e:
        import traceback

        tb = e.__traceback__  # from the first frame that is not ours
        ours = os.path.dirname(__file__)
        while tb is not None and os.path.dirname(tb.tb_frame.f_code.co_filename) == ours:
            tb = tb.tb_next
        sys.stdout.flush()
        traceback.print_exception(type(e), e, tb)
        if isinstance(e, ModuleNotFoundError) and not _NATIVE:
            print("gpuprof carries the standard library of Python; --python PATH uses a Python of yours.", file=sys.stderr)
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 255)


_NATIVE = sys.platform != "wasi"
