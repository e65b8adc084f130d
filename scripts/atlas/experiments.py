"""Experiments on a configuration class: each changes what a file says and measures what the real module then computes."""

import contextlib
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
    {"hidden_size": 2048, "num_attention_heads": 32, "num_key_value_heads": 8},
    {"head_dim": 128, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [16, 16, 16, 16]}},
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
        "yarn.factor": yarn | {"factor": None},
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
            self.completion, self.extras, self.trace, self.known, ran = completion, {}, None, {}, False
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
                self.others()
                first = first or dict(vars(self))
                if not self.baseless():
                    return
        if first is None:
            raise problem
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

    def others(self):
        """Types of layers that have parameters of their own, though none of the class's layers is of them by default: seen where a file lists them."""
        parameters = getattr(self.config(self.completion), "rope_parameters", None) or {}
        for name in (key for key, own in parameters.items() if isinstance(own, dict) and key not in self.labels):
            listed = {"layer_types": [self.labels[0], name] * 2, "num_hidden_layers": 4}
            for said in (listed, listed | {"sliding_window": 128}):
                try:
                    trace = modules.run(self.module, self.models, self.config(self.completion | said))
                except Exception:  # noqa: BLE001, whatever a model raises
                    continue
                call = next((c for found in trace.layers.values() for c in found if c.label() == name), None)
                if call is not None and None not in self.labels:
                    self.makers[name], self.calls[name], self.extras[name] = trace.makers[name], call, said
                    self.labels.append(name)
                    break

    def needed(self, label):
        """The keys without which the class makes no model with layers of a type."""
        return self.completion | self.extras.get(label, {})

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
        said = (self.needed(label) if completed else {}) | said
        try:
            return self.measured(self.config(said), label)
        except Exception as error:  # noqa: BLE001
            # Sections of several axes fit one width only. They decide no frequency: those of the width take their place.
            own = getattr(self.config(self.needed(label)), "rope_parameters", None) or {}
            told, whole = re.search(r"split_sizes to sum exactly to (\d+)", str(error)), sum(own.get("mrope_section") or [])
            for pairs in [int(told[1])] if told else [2 * whole, whole // 2] if whole else []:
                fitting = {"mrope_section": [pairs - 2 * (pairs // 4), pairs // 4, pairs // 4]}
                key = "rope_scaling" if "rope_scaling" in said else "rope_parameters"
                with contextlib.suppress(Exception):
                    return self.measured(self.config(said | {key: (said.get(key) or own) | fitting}), label)
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
    parameters = getattr(family.config(family.needed(label) | said), "rope_parameters", None) or {}
    own = parameters.get(label) if isinstance(parameters.get(label), dict) else parameters
    base = own.get("rope_theta") if isinstance(own, dict) else None
    return base if base and base > 1 and laws.agrees(cache, laws.plain(base, 2 * cache.pairs), cache.gain) else None


def close(a, b):
    return a is not None and b is not None and abs(a / b - 1) < 1e-3


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
