"""Writes what the installed transformers saves for the families of the atlas, and what its modules compute for these files.

    venv/bin/python scripts/atlas/saved.py crates/encoding/tests/models/saved.json [FAMILY…]

A file is what `save_pretrained` writes, or the same with every default: the library has moved bases and fractions to the parameters, filled in
lengths, layer types and whatever the class makes of its keys. Of the reading, only which class makes the cosines of a kind of layer is taken from
the atlas.
"""

import argparse
import contextlib
import json
import logging
import pathlib
import tempfile
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import children  # noqa: E402
import corpus  # noqa: E402
import experiments  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
import values  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

ATLAS = pathlib.Path(__file__).parents[2] / "crates/encoding/src/atlas/atlas.json"
# Of no rotation, and long.
LEFT_OUT = {"id2label", "label2id", "dtype", "architectures", "vocabulary_map", "task_specific_params", "problem_type", "generation"}
# The keys under which the text part of other configurations stands; `TEXT_PARTS` of the reading has the same.
TEXT_PARTS = ["text_config", "thinker_config", "language_config", "llm_config", "decoder", "decoder_config", "talker_config"]


def asked(family):
    """What files say that the library then saves in its own way: a base, a fraction, sizes, and rules, in the spellings of now and before."""
    nested = any(label for label in family.labels)
    style = "nested" if nested else "flat"
    yield {}
    yield from family.extras.values()
    yield {"rope_theta": 250000.0}
    yield {"partial_rotary_factor": 0.5}
    yield {"hidden_size": 1536, "num_attention_heads": 16, "num_key_value_heads": 4}
    yield family.styled(style, {"rope_type": "default", "rope_theta": 250000.0})
    yield family.styled(style, {"rope_type": "linear", "factor": 4.0, "rope_theta": 250000.0, "partial_rotary_factor": 0.5})
    every = experiments.rules(2, 4096)
    for name in ("linear", "dynamic", "llama3", "yarn", "yarn.mscale", "yarn.factor"):
        yield family.styled(style, every[name] | {"rope_theta": 250000.0})
    yield family.styled("legacy", every["yarn"]) | {"rope_theta": 250000.0}
    yield family.styled("oldest", every["linear"]) | {"rope_theta": 250000.0}


def plain(config, whole):
    return json.loads(config.to_json_string(use_diff=not whole))


def loaded(config_class, file, folder):
    """The configuration that the library makes of a file."""
    path = pathlib.Path(folder) / "config.json"
    path.write_text(json.dumps(file))
    return config_class.from_json_file(path)


def files(name, config_class, family):
    """The files of a family, each with what is measured of the configuration that it makes."""
    seen = []
    for said in asked(family):
        for whole in (False, True):
            with contextlib.suppress(Exception), tempfile.TemporaryDirectory() as folder:
                file = plain(config_class.from_dict(family.completion | said), whole) | {"model_type": name}
                if file not in seen:
                    seen.append(file)
                    if kinds := measured(family, loaded(config_class, file, folder)):
                        yield without(file), kinds


def measured(family, config):
    """What the module computes for each kind of layer that the configuration has."""
    kinds = {}
    for label in family.labels:
        # A type of layer that is not in the file has no cosines.
        with contextlib.suppress(Exception):
            kinds[label or ""] = corpus.shown(family.measured(config, label))
    return kinds


def without(file):
    return {k: without(v) if isinstance(v, dict) else v for k, v in file.items() if k not in LEFT_OUT}


def common(found):
    """The files with what all of them say put apart."""
    first = found[0][0]
    shared = {k: v for k, v in first.items() if all(k in file and file[k] == v for file, _ in found)}
    return {"every": shared, "files": [{"own": {k: v for k, v in file.items() if k not in shared}, "kinds": kinds} for file, kinds in found]}


def composed(name, parts, families):
    """The files of a configuration that holds the family's in a part."""
    key = next((key for key in TEXT_PARTS if parts.get(key) in families), None)
    if key is None or name not in CONFIG_MAPPING:
        return None
    composite = CONFIG_MAPPING[name]
    inner = families[parts[key]]
    found = []
    for said in ({}, inner.styled("nested" if any(inner.labels) else "flat", {"rope_type": "linear", "factor": 4.0, "rope_theta": 250000.0})):
        for whole in (False, True):
            with contextlib.suppress(Exception), tempfile.TemporaryDirectory() as folder:
                file = plain(composite.from_dict({key: inner.completion | said}), whole) | {"model_type": name}
                config = getattr(loaded(composite, file, folder), key)
                kinds = measured(inner, config)
                if kinds and all(without(file) != other for other, _ in found):
                    found.append((without(file), kinds))
    return common(found) | {"part": key, "family": parts[key]} if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("only", nargs="*")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    atlas = json.loads(ATLAS.read_text())
    made = json.loads(arguments.file.read_text())["families"] if arguments.only else {}
    known = {}
    for name, _, family in corpus.families(atlas, set(atlas["families"])):
        known[name] = family
        if arguments.only and name not in arguments.only:
            continue
        try:
            if found := children.alone(lambda *a: list(files(*a)), name, family.cls, family):
                made[name] = common(found)
        except values.Unmeasured as error:
            print(name, error, flush=True)
    for name, composite in atlas["composites"].items():
        if name in known or arguments.only and name not in arguments.only:
            continue
        try:
            if found := children.alone(composed, name, composite["parts"], known):
                made[name] = found
        except values.Unmeasured as error:
            print(name, error, flush=True)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(made[name], sort_keys=True, separators=(',', ':'))}" for name in sorted(made))
    arguments.file.write_text(f'{{"software": "transformers {transformers.__version__}", "families": {{\n{lines}\n}}}}\n')


main()
