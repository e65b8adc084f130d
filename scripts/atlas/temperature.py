"""Factors of the logits that grow with the position: measured on small models with random weights."""

import math

import torch

SMALL = {
    "hidden_size": 128, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 64, "num_hidden_layers": 4,
    "intermediate_size": 32, "intermediate_size_mlp": 32, "vocab_size": 32, "num_local_experts": 1, "num_experts_per_tok": 1,
    "pad_token_id": 0, "bos_token_id": 0, "eos_token_id": 0, "q_lora_rank": 16, "kv_lora_rank": 16, "moe_layers": [],
    "n_routed_experts": 2, "n_group": 1, "topk_group": 1, "moe_intermediate_size": 16, "first_k_dense_replace": 4,
    "qk_rope_head_dim": 64, "qk_nope_head_dim": 32, "v_head_dim": 32,
}
LENGTH, BETA, STEP = 24, 0.5, 5


def queries(family, said):
    """The queries of a small model as its attention sees them, by layer [positions, entries]."""
    torch.manual_seed(7)
    own = family.config({})
    # A head of two parts is as wide as both.
    whole = {"head_dim"} if hasattr(own, "qk_rope_head_dim") else set()
    config = family.config({key: value for key, value in SMALL.items() if hasattr(own, key) and key not in whole} | said)
    config._attn_implementation = "eager"
    model = family.models[0](config).eval()
    seen = {}
    original = family.module.eager_attention_forward

    def record(layer, query, *args, **kwargs):
        seen[layer.layer_idx] = query[0, 0].double().clone()
        return original(layer, query, *args, **kwargs)

    family.module.eager_attention_forward = record
    try:
        with torch.no_grad():
            model(input_ids=torch.arange(LENGTH)[None] % 31 + 1, use_cache=False)
    finally:
        family.module.eager_attention_forward = original
    return seen


def temperature(family):
    """The keys of a factor 1 + β·ln(1 + ⌊(p + first)/L⌋), the layers it acts on, and `first`; none where there is none."""
    config = family.config({})
    parameters = getattr(config, "rope_parameters", None) or {}
    if all(hasattr(config, key) for key in ("attn_temperature_tuning", "floor_scale", "attn_scale")):
        on = {"attn_temperature_tuning": True, "floor_scale": STEP, "attn_scale": BETA}
        off = on | {"attn_temperature_tuning": False}
        found = {"beta": "attn_scale", "length": "floor_scale", "switch": "attn_temperature_tuning", "inner": False}
        found["defaults"] = {key: getattr(config, key) for key in on}
    elif "llama_4_scaling_beta" in parameters:
        rule = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 2.0, "original_max_position_embeddings": STEP}
        on, off = ({"rope_parameters": rule | {"llama_4_scaling_beta": beta}, "max_position_embeddings": 64} for beta in (BETA, 0.0))
        found = {"beta": "llama_4_scaling_beta", "length": "original_max_position_embeddings", "inner": True, "defaults": {}}
    else:
        return None
    try:
        with_it, without = queries(family, on), queries(family, off)
    except Exception:  # noqa: BLE001, whatever a model raises
        return None
    for layer in sorted(with_it):
        ratio = (with_it[layer] / without[layer]).median(dim=1).values
        if torch.allclose(ratio, torch.ones_like(ratio), atol=1e-6):
            continue
        for first in (0, 1):
            law = torch.tensor([1 + BETA * math.log(1 + (p + first) // STEP) for p in range(LENGTH)], dtype=torch.float64)
            if torch.allclose(ratio, law, atol=1e-5):
                calls = family.trace.layers.get(layer, [])
                return found | {"first": first, "rotated": any(call.known() for call in calls)}
        return None
    return None
