"""Uses what rules of newer versions are written with."""

import math
import re
import sys
from abc import ABC, abstractmethod
from collections import UserDict, defaultdict, namedtuple
from dataclasses import dataclass
from enum import StrEnum, auto
from itertools import product
from pathlib import Path
from typing import Any

import NvRules


class Unit(StrEnum):
    L1 = auto()
    L2 = auto()


@dataclass(frozen=True)
class Place:
    path: str
    line: int


class Builder(ABC):
    seen: defaultdict[NvRules.IAction, dict[int, Place]] = defaultdict(dict)
    sources: dict[str, NvRules.map_string_string] = {}

    @abstractmethod
    def build(self) -> tuple[list[str], list[list[Any]], dict[str, Any] | None]:
        pass


class Links(Builder):
    def __init__(self, action: NvRules.IAction) -> None:
        self.action = action

    def build(self):
        self.seen[self.action][1] = Place("/src/a.cu", 12)
        self.sources[self.action.name()] = self.action.source_files()
        place = self.seen[self.action][1]
        link = f"@source:{Path(place.path).name}:{place.line - 1}:{Path(place.path).name}, line {place.line}@"
        return ["Location", "n"], [[link, 1]], {"sort_by": {"column": "n", "order": "descending"}}


def get_identifier():
    return "Imports"


def apply(handle):
    context = NvRules.get_context(handle)
    action = context.range_by_idx(0).action_by_idx(0)
    if action.workload_type() != NvRules.IAction.WorkloadType_KERNEL:
        return
    frontend = context.frontend()
    counts = UserDict(total=sum(1 for _ in product(Unit, repeat=2)))
    pair = namedtuple("Pair", "a b")(math.pi, sys.version_info >= (3, 11))
    assert Unit.L1 == "l1" and counts["total"] == 4 and pair.b
    assert re.compile(r"\s*(?:@!?P\d\s+)?([\w.]+)").match(" @!P0 FADD.FTZ R1").group(1) == "FADD.FTZ"
    message = frontend.message(NvRules.MsgType.OPTIMIZATION, "see the table", "T")
    frontend.generate_table(message, *Links(action).build())
