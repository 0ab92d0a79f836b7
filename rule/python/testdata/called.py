"""Tells which members of the interface a program never called."""

import importlib
import os
import sys
import warnings


class Calls:
    """Notes what is called, from its making on."""

    def __init__(self):
        self._codes = set()
        self._builtin = set()  # class of the object and name of a method in C
        sys.setprofile(self._note)

    def _note(self, frame, event, argument):
        if event == "call":
            self._codes.add(frame.f_code)
        elif event == "c_call":
            self._builtin.add((type(getattr(argument, "__self__", None)), argument.__name__))

    def _called(self, cls, f):
        if hasattr(f, "__code__"):
            return f.__code__ in self._codes
        return any(issubclass(c, cls) and name == f.__name__ for c, name in self._builtin)

    def report(self, *modules, names=None):
        """Stop, and print what was never called and the value of what cannot be; names is the text of api.txt."""
        sys.setprofile(None)
        if names is None:
            with open(os.path.join(os.path.dirname(__file__), "api.txt")) as f:
                names = f.read()
        lines = [line.split() for line in names.splitlines() if not line.startswith("#")]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            for module, name, *members in lines:
                for m in {"both": ["NvRules", "ncu_report"], "context": ["NvRules"]}.get(module, [module]):
                    if m in modules:
                        self._member(m, "_Context" if module == "context" else name, members)

    def _member(self, module, name, members):
        owner = getattr(importlib.import_module(module), name)
        if not isinstance(owner, type):
            if not callable(owner):
                print(module, name, repr(owner))
            elif not self._called(object, owner):
                print("never called:", module, name)
            return
        made = getattr(owner, "__init__", None)
        if not members and hasattr(made, "__code__") and not self._called(owner, made):
            print("never made:", module, name)
        for member in members:
            f = next(vars(c)[member] for c in owner.__mro__ if member in vars(c))
            if callable(f) and not isinstance(f, owner):
                if not self._called(owner, f):
                    print("never called:", module, name, member)
            else:
                print(module, name, member, repr(getattr(owner, member)))
