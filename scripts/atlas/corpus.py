"""Files of every family, and what the real modules compute for them: what the reading of configurations is tested with.

Each line of the corpus is a file, a kind of layer, and the measured pairs, frequencies (some of them) and gain.
"""

import inspect
import itertools
import json

import experiments
import modules
import seen

# Keys about rotation that published files have, though the class does not declare them: tried like the declared ones.
PUBLISHED = {"gptj": ["rotary"], "hunyuan_v1_dense": ["use_rotary_pos_emb"], "hunyuan_v1_moe": ["use_rotary_pos_emb"]}


class Measured(experiments.Family):
    """A family whose kinds are known from its row, so that no model need be built."""

    def __init__(self, config_class, row, module):
        self.cls, self.completion, self.known = config_class, row.get("completion", {}), {}
        kinds = {label: kind for label, kind in row["kinds"].items() if "refused" not in kind}
        self.extras = {label: kind["needs"] for label, kind in kinds.items() if "needs" in kind}
        self.makers = {label or None: getattr(module, kind["maker"]) for label, kind in kinds.items()}
        self.labels = list(self.makers)


def families(atlas, wanted):
    """(model type, row, family) of every row of these families with a measured kind."""
    own = ((module, *found) for module in modules.modelling({}) for found in modules.configurations(module) if modules.beside(found[0], module))
    for module, config_class, models in itertools.chain(own, modules.borrowed()):
        row = atlas["families"].get(config_class.model_type)
        if config_class.model_type in wanted and row and row["class"] == config_class.__name__:
            family = Measured(config_class, row, module) if modules.makers(module) else seen.Seen(module, config_class, models)
            if family.labels:
                yield config_class.model_type, row, family


def variants(family, label, row):
    """Files of a family: nothing but sizes, every key that is read, every rule in every spelling, a whole file."""
    config = family.config(family.needed(label))
    kind = row["kinds"][label or ""]
    longest = getattr(config, "max_position_embeddings", None) or 4096
    pairs = (kind.get("width") or 64) // 2
    yield {}
    for style in experiments.STYLES:
        found = kind["styles"].get(style)
        for key in (found or {}).get("base_keys", []):
            yield {key: 250000.0} | (family.styled(style, {"rope_type": "default"}) if style != "none" else {})
        if not found or style == "none":
            continue
        yield family.styled(style, {"rope_type": "default"})
        yield family.styled(style, {"rope_type": "default", "rope_theta": 250000.0})
        yield family.styled(style, {"rope_type": "default", "rope_theta": 250000.0, "partial_rotary_factor": 0.5})
        for name, parameters in experiments.rules(pairs, longest).items():
            if name.startswith("dynamic.alpha") and found.get("rules", {}).get(name) is not True:
                continue
            yield family.styled(style, parameters | {"rope_theta": 250000.0})
            if "." not in name:
                yield family.styled(style, parameters)
                without = {k: v for k, v in parameters.items() if k != "original_max_position_embeddings"}
                if without != parameters:
                    yield family.styled(style, without | {"rope_theta": 250000.0})
                    yield family.styled(style, parameters | {"rope_theta": 250000.0}) | {"original_max_position_embeddings": 1024}
        yield family.styled(style, {"rope_type": "linear", "factor": 4.0, "rope_theta": 250000.0, "partial_rotary_factor": 0.5})
    for key in ("head_dim", "qk_rope_head_dim", "kv_channels", "attention_head_dim", "global_head_dim", "rotary_dim"):
        yield {key: 48}
    yield {"hidden_size": 1536, "num_attention_heads": 16}
    yield {"hidden_size": 1536, "num_attention_heads": 16, "head_dim": 64}
    yield {"num_attention_heads": 8, "hidden_size": 2048, "head_dim": None}
    for key in kind.get("fraction_keys", []):
        yield {key: 0.5}
        yield {key: 0.25}
    yield {"partial_rotary_factor": 0.5}
    yield {"original_max_position_embeddings": 1024}
    whole = json.loads(config.to_json_string(use_diff=False))
    dropped = ("architectures", "id2label", "label2id", "transformers_version", "dtype", "chunk_size_feed_forward", "problem_type")
    yield {k: v for k, v in whole.items() if k not in dropped and not isinstance(v, (dict, list)) or k in ("rope_parameters", "layer_types", "no_rope_layers")}


def lines(model_type, row, family):
    seen = set()
    for label in family.labels:
        for said in variants(family, label, row):
            said = family.needed(label) | said
            asked = json.dumps([said, label], sort_keys=True)
            if asked in seen:
                continue
            seen.add(asked)
            cache = family.cache(said, label)
            if isinstance(cache, str):
                continue
            file = {"model_type": model_type} | {k: v for k, v in said.items() if k != "model_type"}
            yield {"file": file, "kind": label or "", **shown(cache)}


def shown(cache):
    """What of a cache is kept: its pairs, its gain, and some frequencies."""
    indices = sorted({0, cache.pairs // 3, 2 * cache.pairs // 3, cache.pairs - 1})
    frequencies = {str(i): float(f"{cache.frequencies[i]:.6g}") for i in indices}
    return {"pairs": cache.pairs, "gain": round(cache.gain, 6), "frequencies": frequencies}


def thinned(lines, most=48):
    """A family's lines, evenly thinned so that the corpus stays small; LongRoPE's long lists are in three of them."""
    short = [line for line in lines if "short_factor" not in line]
    long = [line for line in lines if "short_factor" in line]
    even = lambda found, count: [found[i * len(found) // count] for i in range(min(count, len(found)))] if len(found) > count else found
    return even(short, most) + even(long, 3)


def inert(family, row):
    """Keys about rotation that a file of this class may have and that have no effect."""
    words = {"rope", "mrope", "rotary", "rotation", "theta", "yarn", "ntk", "alibi"}
    explained = {"rope_parameters", "rope_scaling"} | {switch["key"] for switch in row["switches"]}
    for kind in row["kinds"].values():
        explained |= {part for key in kind.get("head", []) for part in key.split("/")} | {kind.get("rotary_dim")}
        explained |= set(kind.get("fraction_keys", []))
        for style in kind.get("styles", {}).values():
            explained |= {*style.get("base_keys", []), *style.get("fractions", {})} if isinstance(style, dict) else set()
    found = []
    config = family.config(family.completion).to_dict()
    source = inspect.getsource(inspect.getmodule(family.cls))
    published = PUBLISHED.get(family.cls.model_type, [])
    for key in dict.fromkeys([*experiments.candidates(family), *published]):
        if key in explained or not words & set(key.split("_")) or key not in published and key not in config and key not in source:
            continue
        value = config.get(key, True if key in published else None)
        trial = not value if isinstance(value, bool) else 2 * value if isinstance(value, (int, float)) and value else 54321.0 if "theta" in key or "base" in key else 0.5
        if isinstance(value, (str, list, dict)):
            continue
        linear = {"rope_type": "linear", "factor": 8.0}
        said = [{}, family.styled("nested" if family.labels[0] else "flat", linear), family.styled("legacy", linear)]
        if all(unchanged(family.cache(own, label), family.cache(own | {key: trial}, label)) for own in said for label in family.labels) and not isinstance(family.cache({}, family.labels[0]), str):
            found.append(key)
    key = "position_embedding_type"
    modelling = inspect.getsource(inspect.getmodule(next(iter(family.makers.values()))))
    if key not in explained and key not in source and key not in modelling:
        found.append(key)
    return found


def inert_inside(family):
    """Keys that files have among the parameters and that have no effect there."""
    found = []
    plain = {"rope_type": "linear", "factor": 8.0, "rope_theta": 54321.0}
    for key, value in (("max_position_embeddings", 1234), ("finetuned", True)):
        style = "nested" if family.labels[0] else "flat"
        if all(alike(family.cache(family.styled(style, plain), label), family.cache(family.styled(style, plain | {key: value}), label)) for label in family.labels):
            found.append(key)
    return found


def alike(one, other):
    return not isinstance(one, str) and not isinstance(other, str) and (one.frequencies, one.gain) == (other.frequencies, other.gain)


def unchanged(one, other):
    """Whether two files come out alike, or are not taken for the same reason."""
    return one == other if isinstance(one, str) and isinstance(other, str) else alike(one, other)


def mrope(family, row):
    """Whether the rule of several axes is none where all axes are equal: entered among the rules of each style."""
    for label in family.labels:
        kind = row["kinds"][label or ""]
        third = kind["width"] // 6
        sections = [kind["width"] // 2 - 2 * third, third, third]
        for style, found in kind["styles"].items():
            if isinstance(found, dict) and style != "none" and "raises" not in found:
                said = {"rope_theta": 54321.0, "mrope_section": sections}
                plain = family.cache(family.styled(style, {"rope_type": "default"} | said), label)
                asked = family.cache(family.styled(style, {"rope_type": "mrope"} | said), label)
                if alike(plain, asked):
                    found["rules"]["mrope"] = True
    return row


def flat(config_class, parts):
    """The parts whose sizes are read from the top of a file that has no such part."""
    found = []
    for key in parts:
        try:
            part = getattr(config_class.from_dict({"hidden_size": 1536, "num_attention_heads": 12}), key)
            if getattr(part, "hidden_size", None) == 1536:
                found.append(key)
        except Exception:  # noqa: BLE001, whatever a class raises
            continue
    return found


def compact(row):
    """Styles that do the same are said once; a rule that is not as defined is left out."""
    for kind in row["kinds"].values():
        styles = kind.get("styles", {})
        for style in list(styles):
            if isinstance(styles[style], dict):
                rules = styles[style].get("rules", {})
                styles[style]["rules"] = {name: how for name, how in rules.items() if how is not None}
                styles[style] = {k: v for k, v in styles[style].items() if v not in (None, [], {})}
        for style in list(styles):
            same = next((s for s in styles if s != style and styles[s] == styles[style] and isinstance(styles[s], dict)), None)
            if same and list(styles).index(same) < list(styles).index(style):
                styles[style] = same
    return row
