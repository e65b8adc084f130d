"""Real, public bugs of positional encodings, each replayed as broken() beside its fixed()."""

import pkgutil
from importlib import import_module
from types import ModuleType

SHARED = ("conventions",)


def modules() -> list[ModuleType]:
    """Every replayed bug, by name."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    return [import_module(f"{__name__}.{name}") for name in names if name not in SHARED and not name.startswith("_")]


def name(module: ModuleType) -> str:
    """What the module is called within the corpus."""
    return module.__name__.rpartition(".")[2]


def thread(module: ModuleType) -> str:
    """owner/name#number, the first line of the docstring."""
    return (module.__doc__ or "").partition("\n")[0]


def summary(module: ModuleType) -> str:
    """What was wrong: the rest of the docstring as one line."""
    return " ".join((module.__doc__ or "").partition("\n")[2].split())
