"""Prints which names of the list beside it are missing, and how many it looked for."""

import importlib
import os

import NvRules

count = 0
with open(os.path.join(os.path.dirname(__file__), "api.txt")) as f:
    for line in f:
        if line.startswith("#"):
            continue
        module, name, *members = line.split()
        for m in {"both": ["NvRules", "ncu_report"], "context": ["NvRules"]}.get(module, [module]):
            owner = getattr(importlib.import_module(m), "_Context" if module == "context" else name, None)
            if owner is None:
                print("missing", m, name)
                continue
            count += 1 + len(members)
            for member in members:
                # Classes say through their base what every object has, so ask for
                # the special methods in the classes of the interface alone.
                own = any(member in vars(c) for c in owner.__mro__[:-1])
                if not own and not (hasattr(owner, "__members__") and member in owner.__members__):
                    print("missing", m, name, member)
print(count, "names")
