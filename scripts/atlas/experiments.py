"""Experiments on a configuration class: each changes what a file says and measures what the real module then computes."""

import copy
import functools
import inspect
import json
import math
import re

import torch

import laws
import modules
import values

UNUSUAL = 54321.0  # a base that no family has
STYLES = ("none", "flat", "nested", "legacy", "oldest")
WIDTHS = re.compile(r"dim$|_size$|heads|channels|^d_|^n_|width|dim_")
BASES = re.compile(r"theta|rotary.*base|base_freq|rope.*base")
FRACTIONS = ["partial_rotary_factor", "rotary_pct", "rotary_dim", "rotary_percent", "rope_percentage"]
SWITCHES = re.compile(r"rope_interleave|^use_rope|use_mem_rope|use_rotary|^alibi$|position_embedding_type|^sliding_window$|use_sliding_window|pos_embedding|rope_type$")
# Tried in turn where the class's own defaults make no model: sizes that its published configurations give.
COMPLETIONS = [
    {},
    {"position_embedding_type": "rope"},
    {"attn_layer_indices": [1, 3]},
    {"head_dim": 128},
    {"head_dim": 128, "num_key_value_heads": 8},
    {"num_experts_per_tok": 2, "n_routed_experts": 4, "num_local_experts": 4, "num_experts": 4, "topk_group": 1, "n_group": 1},
    {"head_dim": 128, "hidden_size": 4096, "num_attention_heads": 32},
    {"hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 512, "intermediate_size": 64},
    {"layer_types": ["full_attention"] * 4, "num_hidden_layers": 4},
    {"vocab_size": 64, "position_embedding_type": "rotary", "pad_token_id": 1},
    {"num_experts_per_tok": 2, "n_routed_experts": 4, "n_shared_experts": 1, "topk_group": 1, "n_group": 1},
    {"layer_types": ["mamba", "attention"] * 2, "num_hidden_layers": 4, "position_embedding_type": "rope"},
    {"vocabulary_map": {"<image>": 8711}},
    {"mlp_layer_types": ["dense"] * 4, "num_hidden_layers": 4},
    {"num_experts": 4, "moe_intermediate_size": 64, "top_k_experts": 2},
    {"dropout_rate": 0.0},
    {"use_mem_rope": True},
    {"indexer_n_heads": 16, "indexer_kv_heads": 1, "indexer_head_dim": 256, "indexer_budget": 2048, "indexer_compress_ratio": 16},
    {"num_key_value_heads": 8},
    {"shared_expert_intermediate_size": 64},
    {"num_codebooks": modules.LENGTH},
]

CHOICES = {
    "position_embedding_type", "attn_layer_indices", "layer_types", "vocabulary_map", "mlp_layer_types", "use_mem_rope", "top_k_experts", "indexer_n_heads"
}  # the keys of completions that say more than sizes


def rules(pairs, longest):
    """A parameter set for every rule, and variants of YaRN that change one parameter each."""
    short, long = [1.0 + k / 16 for k in range(pairs)], [1.5 + k / 4 for k in range(pairs)]
    yarn = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 2048}
    every = {
        "linear": {"rope_type": "linear", "factor": 8.0},
        "dynamic": {"rope_type": "dynamic", "factor": 4.0},
        "dynamic.alpha": {"rope_type": "dynamic", "factor": 4.0, "alpha": 1000.0},
        "dynamic.alpha.beside": {"rope_type": "dynamic", "factor": 1.0, "alpha": 1000.0, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0},
        "llama3": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 2048},
        "yarn": yarn,
        "yarn.beta_fast": yarn | {"beta_fast": 16.0},
        "yarn.beta_slow": yarn | {"beta_slow": 2.0},
        "yarn.truncate": yarn | {"truncate": False},
        "yarn.attention_factor": yarn | {"attention_factor": 1.25},
        "yarn.mscale": yarn | {"mscale": 0.707, "mscale_all_dim": 1.0},
        "longrope": {"rope_type": "longrope", "short_factor": short, "long_factor": long, "original_max_position_embeddings": 8192, "factor": 4.0},
        "longrope.attention_factor": {"rope_type": "longrope", "short_factor": short, "long_factor": long, "original_max_position_embeddings": 8192, "factor": 4.0, "attention_factor": 1.25},
        "longrope.factor": {"rope_type": "longrope", "short_factor": short, "long_factor": long, "original_max_position_embeddings": max(2, longest // 4)},
        "su": {"rope_type": "su", "short_factor": short, "long_factor": long, "original_max_position_embeddings": 8192, "factor": 4.0},
        "proportional": {"rope_type": "proportional", "partial_rotary_factor": 0.5},
    }
    return every


class Family:
    """A configuration class, the models that take it, and the makers of its cosines."""

    def __init__(self, module, config_class, models):
        self.module, self.cls, self.models = module, config_class, [m for m in models[:3] if not modules.lacking(m)]
        if not self.models:
            raise values.Unmeasured(f"its model takes {', '.join(modules.lacking(models[0]))}")
        problem, first = values.Unmeasured("no rotation whose cosines were seen"), None
        runs = False
        # The sizes of a configuration that holds others stand in its parts.
        composite = bool(modules.parts(config_class))
        for completion in (c for c in COMPLETIONS if not composite or len(c) <= 1):
            # Where a model runs without a rotation, other sizes give it none.
            if not self.declares(completion) or runs and first is None and not CHOICES & set(completion):
                continue
            self.completion, self.trace, self.known, ran = completion, None, {}, False
            for layers in ({"num_hidden_layers": 12}, {}):
                if not ran and not ("num_hidden_layers" in completion and layers):
                    try:
                        trace = modules.run(module, self.models, self.config(completion | layers))
                        self.seen(trace)
                        if not runs and not any(trace.layers.values()):
                            problem = values.Still("its layers ran, and none rotated")
                        ran = runs = True
                    except Exception as error:  # noqa: BLE001, whatever a model raises
                        problem = error
            if self.trace is not None:
                first = first or dict(vars(self))
                if not self.baseless():
                    return
        if first is None and isinstance(problem, values.Still):
            raise problem
        if first is None:
            raise values.Unmeasured(f"{type(problem).__name__}: {(str(problem).splitlines() or [''])[0][:160]}")
        vars(self).update(first)

    def declares(self, completion):
        """Whether the class has the keys of a completion that say more than sizes."""
        return all(hasattr(self.cls, key) for key in CHOICES & set(completion))

    def baseless(self):
        """Whether the sizes give plain cosines of no base, as those of an odd width are: no published model has such."""
        parameters = getattr(self.config(self.completion), "rope_parameters", None) or {}
        every = [parameters, *(own for own in parameters.values() if isinstance(own, dict))]
        if any(own.get("rope_type", "default") != "default" for own in every):
            return False
        caches = [(label, self.cache({}, label)) for label in self.labels]
        return any(not isinstance(cache, str) and base_of(cache) is None and declared(self, {}, label, cache) is None for label, cache in caches)

    def seen(self, trace):
        """Takes a trace, if it shows rotations by cosines that were seen to be made."""
        calls = {}
        for found in trace.layers.values():
            for call in found:
                if call.known():
                    calls.setdefault(call.label(), call)
        labels = [label for label in trace.makers if label in calls]
        if labels:
            self.trace, self.makers, self.calls, self.labels = trace, trace.makers, calls, labels

    def config(self, said):
        """The configuration that a file with these keys makes."""
        return self.cls.from_dict(copy.deepcopy(said))

    def cache(self, said, label, completed=True):
        """What the module computes for a file, or why it computes nothing."""
        asked = json.dumps([said, label, completed], sort_keys=True)
        if asked not in self.known:
            self.known[asked] = self.computed(said, label, completed)
        return self.known[asked]

    def computed(self, said, label, completed):
        try:
            return self.measured(self.config((self.completion if completed else {}) | said), label)
        except Exception as error:  # noqa: BLE001
            return f"{type(error).__name__}: {str(error)[:80]}"

    def measured(self, config, label):
        """The cache that the module makes for a configuration."""
        longest = getattr(config, "max_position_embeddings", None) or 4096
        return values.measure(self.makers[label], config, label, min(longest - 1, 4096))

    def layout(self, label, config, cache):
        """(layout, first rotated entry, width of the vector, sense) of the recorded rotation."""
        return values.layout(self.calls[label], self.makers[label], config, label, cache)

    def beyond(self, label, config, positions):
        """Cosines and sines [positions, width] at positions that may exceed the longest."""
        return values.cosines(self.makers[label], config, label, positions)[:2]

    def styled(self, style, parameters):
        """Parameters of a rule in one of the styles of files."""
        if style == "flat":
            return {"rope_parameters": dict(parameters)}
        if style == "legacy":
            return {"rope_scaling": dict(parameters)}
        if style == "oldest":
            old = dict(parameters)
            old["type"] = old.pop("rope_type")
            return {"rope_scaling": old}
        return {"rope_parameters": {label: dict(parameters) for label in self.types() if label}}

    @functools.lru_cache(maxsize=None)  # noqa: B019, a family lives as long as its row is made
    def types(self):
        """The names under which parameters may be nested."""
        config = self.config(self.completion)
        named = list(getattr(config, "_rope_type_labels", None) or getattr(config, "layer_types", None) or [])
        return list(dict.fromkeys([*self.labels, *named]))


def base_of(cache):
    """The base of unscaled frequencies."""
    if isinstance(cache, str) or cache.pairs < 2:
        return None
    k = cache.pairs // 2
    w = cache.frequencies[k]
    if w <= 0:
        return None
    base = w ** (-cache.pairs / k)
    rounded = float(f"{base:.4g}")
    return rounded if laws.agrees(cache, laws.plain(rounded, 2 * cache.pairs), cache.gain) else None


def declared(family, said, label, cache):
    """A base of more digits than a measurement has: the one that the configuration declares, where the cosines are its."""
    parameters = getattr(family.config(family.completion | said), "rope_parameters", None) or {}
    own = parameters.get(label) if isinstance(parameters.get(label), dict) else parameters
    base = own.get("rope_theta") if isinstance(own, dict) else None
    return base if base and base > 1 and laws.agrees(cache, laws.plain(base, 2 * cache.pairs), cache.gain) else None


def close(a, b):
    return a is not None and b is not None and abs(a / b - 1) < 1e-3


def like(family, label, style, row, needs, known):
    """Whether a style of file comes out as the flat one does, in its base and under three rules: then the other rules,
    which the same code reads, are not measured again (the corpus of files does that)."""
    if {k: v for k, v in known.items() if k != "rules"} != row:
        return False
    for rule in ("linear", "yarn", "longrope"):
        parameters = rules(row["width"] // 2, 4096)[rule] | needs
        one, other = (family.cache(family.styled(s, parameters), label) for s in ("flat", style))
        if isinstance(one, str) != isinstance(other, str) or not isinstance(one, str) and (one.frequencies, one.gain) != (other.frequencies, other.gain):
            return False
    return True


def style_row(family, label, style, longest, known=None):
    """What a style of file does for one kind of layer; `known` is what the flat style does."""
    plain = {"rope_type": "default"}
    said = {} if style == "none" else family.styled(style, plain)
    if style == "nested" and not said.get("rope_parameters"):
        return None
    cache = family.cache(said, label)
    if isinstance(cache, str):
        # A base may have to be said.
        with_base = family.cache(family.styled(style, plain | {"rope_theta": UNUSUAL}), label) if style != "none" else cache
        if isinstance(with_base, str) or not close(base_of(with_base), UNUSUAL):
            return {"raises": cache}
        row = {"base": None, "inner_base": True, "width": 2 * with_base.pairs}
        needs = {"rope_theta": UNUSUAL}
    else:
        row = {"base": base_of(cache) or declared(family, said, label, cache), "width": 2 * cache.pairs}
        needs = {}
    if style != "none":
        inner = family.cache(family.styled(style, plain | {"rope_theta": UNUSUAL}), label)
        row["inner_base"] = close(base_of(inner), UNUSUAL)
        row["fraction_of"] = fraction_of(family, label, style, plain | needs, row["width"])
        scaled = family.cache(family.styled(style, {"rope_type": "linear", "factor": 4.0}), label)
        if row["base"] is None and not isinstance(scaled, str):
            # A rule may have a base where the plain rotation asks for one.
            unscaled = values.Cache([4 * w for w in scaled.frequencies], scaled.gain, scaled.arrangement, scaled.axes)
            row["rule_base"] = base_of(unscaled)
    keys = candidates(family)
    row["base_keys"] = [key for key in keys if BASES.search(key) and close(base_of(family.cache(said_with(said, needs, style) | {key: UNUSUAL}, label)), UNUSUAL)]
    if style in ("legacy", "oldest") and known and like(family, label, style, row, needs, known):
        row["rules"] = known["rules"]
        return row
    row["rules"] = rule_rows(family, label, style, row, needs, longest) if style != "none" else {}
    return row


def fraction_of(family, label, style, parameters, width):
    """What a rotated fraction among the parameters is a fraction of: the head, or whatever the family takes it of; 0 where it
    has no effect, none where that was not found out."""
    caches = {part: family.cache(family.styled(style, parameters | {"partial_rotary_factor": part}), label) for part in (0.5, 0.25)}
    if any(isinstance(cache, str) for cache in caches.values()):
        return None
    return next((round(2 * cache.pairs / part) for part, cache in caches.items() if 2 * cache.pairs != width), 0)


def fraction_of_rules(family, label, style, needs, longest):
    """The same under the rules that take any number of pairs, where it is the same under all of them."""
    found = set()
    for name in ("linear", "dynamic", "llama3", "yarn"):
        parameters = rules(2, longest)[name] | needs
        plain = family.cache(family.styled(style, parameters), label)
        found.add(None if isinstance(plain, str) else fraction_of(family, label, style, parameters, 2 * plain.pairs))
    return found.pop() if len(found) == 1 and found != {None} else "other"


def said_with(said, needs, style):
    return said if not needs or style == "none" else {k: ({n: (v | needs if isinstance(v, dict) else v) for n, v in d.items()} if style == "nested" else d | needs) for k, d in said.items()}


@functools.lru_cache(maxsize=None)
def candidates(family):
    """The keys that a file of this class may have, besides those of every class."""
    config = family.config(family.completion)
    known = set(config.to_dict()) | set(type(config).attribute_map) | set(type(config).attribute_map.values())
    source = inspect.getsource(inspect.getmodule(family.cls))
    known |= set(re.findall(r"kwargs\.(?:pop|get|setdefault)\(\s*\"([a-z_0-9]+)\"", source))
    # Modules ask for a width that not every class declares.
    asked = {"head_dim", "attention_head_dim", "kv_channels", "qk_rope_head_dim"}
    return sorted(known | asked | {"rope_theta", "rotary_emb_base", *FRACTIONS, "original_max_position_embeddings"})


def rule_rows(family, label, style, row, needs, longest):
    """How each rule comes out: true (as it is defined), false (without effect), or what happens instead."""
    base, width = row["base"] or UNUSUAL, row["width"]
    every = rules(width // 2, longest)
    found = {}
    for name, parameters in every.items():
        rule = name.split(".")[0]
        if "alpha" in parameters and not re.search(r"\balpha\b", inspect.getsource(inspect.getmodule(family.makers[label]))):
            continue
        frequencies_width = row["fraction_of"] if rule == "proportional" and row.get("fraction_of") else width
        # Lengths are said in both places, so that the rule is measured without the question which place wins.
        root = {k: v for k, v in parameters.items() if k == "original_max_position_embeddings"}
        cache = family.cache(family.styled(style, parameters | needs) | root, label)
        # Positions beyond the original length are measured too; then the long factors hold.
        long = {"short_factor": parameters.get("long_factor")} if rule in ("longrope", "su") else {}
        follows = lambda p: any(laws.agrees(cache, *laws.law(rule, base, frequencies_width, q, longest)) for q in (p, p | long))
        if isinstance(cache, str):
            found[name] = "raises"
        elif follows(parameters):
            found[name] = True
        elif laws.agrees(cache, laws.plain(base, width), 1.0) or "." in name and found.get(rule) is True and follows(every[rule]):
            found[name] = False
        else:
            found[name] = "other"
    # A rule cannot be told from none where both have the same frequencies, as dynamic NTK within its length.
    if found.get("dynamic") is True:
        found["dynamic"] = dynamic(family, label, style, needs, base, width, longest)
    found["fraction"] = fraction_of_rules(family, label, style, needs, longest)
    found["original"] = original(family, label, style, needs, base, width, longest, found)
    return found


def original(family, label, style, needs, base, width, longest, found):
    """Where the original length is taken from if the file says it twice, and if it does not say it."""
    rule = next((rule for rule in ("yarn", "llama3", "longrope", "su") if found.get(rule) is True), None)
    if rule is None:
        return None
    said = {k: v for k, v in rules(width // 2, longest)[rule].items() if k != "original_max_position_embeddings"}
    agrees = lambda cache, length: not isinstance(cache, str) and laws.agrees(
        cache, *laws.law(rule, base, width, said | {"original_max_position_embeddings": length}, longest)
    )
    key = "original_max_position_embeddings"
    both = family.cache(family.styled(style, said | needs | {key: 8192}) | {key: 4096}, label)
    wins = "root" if agrees(both, 4096) else "inner" if agrees(both, 8192) else None
    inner = agrees(family.cache(family.styled(style, said | needs | {key: 8192}), label), 8192)
    default = getattr(family.cls, key, None)
    absent = family.cache(family.styled(style, said | needs), label)
    without = "default" if default and agrees(absent, default) else "longest" if agrees(absent, longest) else None
    return {"wins": wins, "inner": inner, "absent": without}


def dynamic(family, label, style, needs, base, width, longest):
    """Whether dynamic NTK stretches the base for a sequence of twice the length."""
    try:
        config = family.config(family.completion | family.styled(style, {"rope_type": "dynamic", "factor": 4.0} | needs))
        cos, sin = family.beyond(label, config, [1, 2 * longest - 1])
    except Exception:  # noqa: BLE001
        return "raises"
    stretched = base * (4.0 * 2 - 3) ** (width / (width - 2))
    k = width // 2 - 1
    column = k if cos.shape[-1] != width or torch.equal(cos[:, : width // 2], cos[:, width // 2 :]) else 2 * k
    expected = [stretched ** (-2 * k / width) * p for p in (1, 2 * longest - 1)]
    measured = [float(sin[row, column]) for row in (0, 1)]
    if all(abs(m - math.sin(e)) < 1e-3 + 1e-5 * e for m, e in zip(measured, expected)):
        return True
    unscaled = [base ** (-2 * k / width) * p for p in (1, 2 * longest - 1)]
    return False if all(abs(m - math.sin(e)) < 1e-3 + 1e-5 * e for m, e in zip(measured, unscaled)) else "other"
