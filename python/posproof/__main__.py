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
    if arguments is not None:
        return _posproof.command(list(arguments), False)
    return _posproof.command(sys.argv[1:], True)


if __name__ == "__main__":
    sys.exit(main())
