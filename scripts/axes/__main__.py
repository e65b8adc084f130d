"""Dumps what the rotary and sinusoidal modules of public libraries compute for rows of several axes.

    python3 -m venv venv && venv/bin/pip install -r python/requirements-torch.txt diffusers==0.42.1 timm==1.0.31 torchvision
    venv/bin/python scripts/axes crates/check/tests/modules

writes one .npz for each module, and `modules.json`, which says of each the class, the version of its library, the precision of
its angles, and the convention that it follows. No weights are loaded; what a module holds of its own is drawn from a fixed seed. A
module whose library is missing, or that it no longer has, is named, and the exit status is 1.
`crates/check/tests/modules.rs` judges the dumps.
"""

import argparse
import json
import pathlib
import sys

import numpy as np

import from_diffusers  # noqa: F401  (registers its modules)
import from_timm  # noqa: F401
import from_transformers  # noqa: F401
from dump import MODULES, version


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("only", nargs="*", help="names of modules")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    index = arguments.folder / "modules.json"
    said = json.loads(index.read_text()) if arguments.only and index.exists() else {}
    failed = 0
    for name, about, function in MODULES:
        if arguments.only and name not in arguments.only:
            continue
        try:
            arrays = function()
            library = version(about["module"])
        except Exception as error:  # whatever a library may raise: the other modules are dumped all the same
            failed += 1
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        np.savez_compressed(arguments.folder / f"{name}.npz", **arrays)
        said[name] = {**about, "library": library, "torch": version("torch").partition(" ")[2]}
        print(name, {key: value.shape for key, value in arrays.items()})
    lines = (f"  {json.dumps(name)}: {json.dumps(said[name])}" for name in sorted(said))
    index.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(said)} dumps, {failed} modules failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
