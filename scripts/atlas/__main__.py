"""Writes the atlas: what configurations mean, measured on the modules of the installed transformers.

    python -m venv venv && venv/bin/pip install torch transformers
    venv/bin/python scripts/atlas --out crates/encoding/src/atlas/atlas.json --corpus crates/encoding/tests/models/measured.jsonl

It needs no weights and no network. Families are independent: those that are named are measured again, and put into the files that are there.
"""

import argparse
import json
import logging
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import corpus  # noqa: E402
import experiments  # noqa: E402
import modules  # noqa: E402
import rows  # noqa: E402
import seen  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
import values  # noqa: E402


def atlas(only):
    families, composites, refused = {}, {}, {}
    for module in modules.modelling():
        for config_class, models in modules.configurations(module):
            name = config_class.model_type
            if only and name not in only:
                continue
            if found := modules.parts(config_class):
                composites[name] = {"class": config_class.__name__, "parts": found, "flat": corpus.flat(config_class, found)}
            try:
                measured = experiments.Family if modules.makers(module) else seen.Seen
                families[name] = rows.row(measured(module, config_class, models))
            except values.Unmeasured as error:
                refused.setdefault(name, str(error))
            except Exception as error:  # noqa: BLE001
                refused.setdefault(name, f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:160]}")
            print(name, "measured" if name in families else refused[name], file=sys.stderr, flush=True)
    made = {"software": f"transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}"}
    return made | {"families": families, "composites": composites, "refused": {n: why for n, why in refused.items() if n not in families}}


def finished(made):
    """The lines of the corpus by family; the rows with what the corpus needs the whole row for."""
    lines = {}
    for name, row, family in corpus.families(made):
        try:
            row["inert"] = corpus.inert(family, row)
            row["inert_inside"] = corpus.inert_inside(family)
            corpus.mrope(family, row)
            lines[name] = [json.dumps(line, separators=(",", ":")) for line in corpus.lines(name, row, family)]
        except Exception as error:  # noqa: BLE001
            made["refused"][name] = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:160]}"
        print(name, len(lines.get(name, [])), "files", file=sys.stderr, flush=True)
    made["families"] = {name: corpus.compact(row) for name, row in made["families"].items() if name in lines}
    return lines


def merged(old, new):
    """The rows of before with those that were measured again."""
    for key in ("families", "composites", "refused"):
        old[key] |= new[key]
    old["refused"] = {name: why for name, why in old["refused"].items() if name not in old["families"]}
    return old | {"software": new["software"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("only", nargs="*", help="model types to measure again")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    made = atlas(set(arguments.only))
    lines = finished(made)
    if arguments.only:
        made = merged(json.loads(arguments.out.read_text()), made)
        kept = [line for line in arguments.corpus.read_text().splitlines() if json.loads(line)["file"]["model_type"] not in lines]
    else:
        kept = []
    arguments.out.write_text(json.dumps(made, sort_keys=True, separators=(",", ":")) + "\n")
    every = kept + [line for found in lines.values() for line in corpus.thinned(found)]
    arguments.corpus.write_text("".join(line + "\n" for line in sorted(every)))


main()
