"""Lists in a configuration with an item for each layer: its base, or 0 where it does not rotate; and the layers whose frequencies a rule scales."""

import re

import torch

import experiments
import modules

from values import held

SMALL = {"hidden_size": 128, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 64, "num_hidden_layers": 4}
BASE, OTHER = 10000.0, 250000.0
COUNTS = (7, 12, 25)


def numbers(family, said):
    """What each layer of a small model turns by in one step, pair by pair; none for a layer that does not rotate."""
    own = {key: value for key, value in SMALL.items() if hasattr(family.config({}), key)}
    config = modules.light(family.config(family.completion | own | said))
    config._attn_implementation = "eager"
    trace = modules.computed(family.module, family.models[0], config)
    turned = {}
    for layer, calls in trace.layers.items():
        made = next((call.made for call in calls if len(call.made) == 2), None)
        turned[layer] = None if made is None else torch.atan2(made[1], made[0]).reshape(-1, made[0].shape[-1])[1].tolist()
    return turned


def attempt(family, said):
    try:
        return numbers(family, said)
    except Exception:  # noqa: BLE001, whatever a class or a model raises
        return None


def by_layer(family):
    """The key of the list of bases, whether the items are the bases or say only which layers rotate, and the list where the file has none."""
    config = family.config(family.completion)
    for key in experiments.candidates(family):
        if not experiments.BASES.search(key) or not isinstance(held(config, key), list):
            continue
        found = attempt(family, {key: [BASE, 0, OTHER, BASE]})
        if found is None or len(found) != 4 or found[1] is not None or None in (found[0], found[2], found[3]):
            continue
        made = [[item != 0 for item in held(family.config(family.completion | {"num_hidden_layers": count}), key)] for count in COUNTS]
        row = {"key": key, "base": found[0] != found[2]}
        if own := repeated(made):
            row["own"] = own
        return row
    return None


def repeated(sequences):
    """The period of sequences that repeat from the first layer on, or backwards from the last."""
    for backward in (False, True):
        ordered = [list(reversed(sequence)) if backward else sequence for sequence in sequences]
        for length in range(1, 9):
            period = ordered[-1][:length]
            if all(sequence == [period[i % length] for i in range(len(sequence))] for sequence in ordered):
                return {"period": period, "backward": backward}
    return None


def scaled(family):
    """The key that lists the layers whose frequencies a rule scales; the others keep those of the base."""
    config = family.config(family.completion)
    rule = family.styled("flat", {"rope_type": "linear", "factor": 4.0, "rope_theta": BASE})
    for key in experiments.candidates(family):
        if not re.search(r"(rope|rotary).*layers$", key) or not isinstance(held(config, key), list):
            continue
        found, plain = (attempt(family, said) for said in (rule | {key: [0, 2]}, {"rope_theta": BASE}))
        if found and plain and None not in (*found.values(), *plain.values()):
            close = lambda one, other, factor: all(abs(factor * a - b) < 1e-5 for a, b in zip(one, other))
            if all(close(found[layer], plain[layer], 4 if layer in (0, 2) else 1) for layer in found):
                return key
    return None
