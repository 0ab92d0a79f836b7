"""The connection to gpuprof: questions out, answers in, a line of JSON each.

Works in Python 3.6 and later.
"""

import json

_encode = json.JSONEncoder(separators=(",", ":")).encode
_decode = json.JSONDecoder().decode

_ERRORS = {
    "IndexError": IndexError,
    "KeyError": KeyError,
    "OSError": OSError,
    "RuntimeError": RuntimeError,
    "TypeError": TypeError,
    "ValueError": ValueError,
}


class Connection:
    """Asks gpuprof through two binary files."""

    def __init__(self, answers, requests):
        self._readline = answers.readline
        self._write = requests.write
        self._flush = requests.flush
        self.metric_sets = {}  # number -> what metrics of that set have in common

    def call(self, op, **arguments):
        """Ask, and return the answer; raise what gpuprof answers with instead."""
        self._write(b"\x1e" + _encode([op, arguments]).encode() + b"\n")
        self._flush()
        line = self._readline()
        if not line:
            raise SystemExit("gpuprof is gone")
        answer = _decode(line.decode())
        if answer[0]:
            return answer[1]
        raise _ERRORS.get(answer[1], RuntimeError)(answer[2])

    def tell(self, op, **arguments):
        """Tell gpuprof something that has no answer."""
        self._write(b"\x1d" + _encode([op, arguments]).encode() + b"\n")
        self._flush()
