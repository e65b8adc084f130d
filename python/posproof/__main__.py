"""The command `posproof`: the verbs of the Rust package that need neither the ledger of claims nor GMP, MPFR or Coq."""

from __future__ import annotations

import sys

from posproof import _posproof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns its exit status. It writes to the standard output of the process, not to `sys.stdout`."""
    sys.stdout.flush()
    given = list(sys.argv[1:] if arguments is None else arguments)
    alone = arguments is None
    if given[:1] == ["bound"] and any(one.split("=")[0] == "--module" for one in given):
        # PyTorch's tracer is loaded by whoever asks for it.
        from posproof.tracing import run

        return run(given, alone)
    return _posproof.command(given, alone)


if __name__ == "__main__":
    sys.exit(main())
