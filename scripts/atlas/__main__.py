"""Writes the atlas: what configurations mean, measured on the modules of the installed transformers.

    python -m venv venv && venv/bin/pip install torch transformers
    venv/bin/python scripts/atlas --out crates/encoding/src/atlas/atlas.json [model type …]

It needs no weights and no network. Families are independent; --only prints the rows of those that are named.
"""

import argparse
import json
import logging
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import experiments  # noqa: E402
import modules  # noqa: E402
import rows  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
import values  # noqa: E402


def parts(config_class):
    """The sub-configurations of a composite one: key → model type."""
    try:
        config = config_class()
    except Exception:  # noqa: BLE001
        return {}
    return {key: part.model_type for key in config_class.sub_configs if (part := getattr(config, key, None)) is not None and part.model_type}


def atlas(only):
    families, composites, refused = {}, {}, {}
    for module in modules.modelling():
        for config_class, models in modules.configurations(module):
            name = config_class.model_type
            if only and name not in only:
                continue
            if found := parts(config_class):
                composites[name] = {"class": config_class.__name__, "parts": found}
            try:
                families[name] = rows.row(experiments.Family(module, config_class, models))
            except values.Unmeasured as error:
                refused.setdefault(name, str(error))
            except Exception as error:  # noqa: BLE001
                refused.setdefault(name, f"{type(error).__name__}: {str(error)[:160]}")
            print(name, "measured" if name in families else refused[name], file=sys.stderr, flush=True)
    return {
        "software": f"transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}",
        "families": families,
        "composites": composites,
        "refused": {name: why for name, why in refused.items() if name not in families},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("only", nargs="*")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    made = atlas(set(arguments.only))
    text = json.dumps(made, sort_keys=True, indent=None if arguments.out else 1, separators=(",", ":") if arguments.out else None)
    if arguments.out:
        arguments.out.write_text(text + "\n")
    else:
        print(text)


main()
