"""The package's own frames are left out of the tracebacks of wrong use."""

from __future__ import annotations

from functools import wraps
from pathlib import Path

from posproof._posproof import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    R = TypeVar("R")

HERE = str(Path(__file__).parent)


def public(function: Callable[P, R]) -> Callable[P, R]:
    """The function, whose errors of wrong use show the caller's line and the message."""

    @wraps(function)
    def called(*arguments: P.args, **options: P.kwargs) -> R:
        __tracebackhide__ = True
        try:
            return function(*arguments, **options)
        except (InvalidInput, TypeError) as error:
            if not _is_raised_here(error.__traceback__):
                raise
            wrong = error.with_traceback(None)
        raise wrong

    return called


def _is_raised_here(trace: TracebackType | None) -> bool:
    """True for an error of the package. That of a caller's function keeps its traceback."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename.startswith(HERE)
