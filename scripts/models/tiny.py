"""Tiny models of random weights: the sizes of a configuration made small, as far as its class and its model take that.

Sizes are given to the class itself, so that whatever it makes of them, such as a list of types of layers, is made of the small ones.
"""

import contextlib
import copy
import dataclasses
import functools
import inspect
import itertools
import re
import time

import torch

import modules

TOKENS = 7
LARGEST = 130_000_000  # numbers in a model
SECONDS = 12  # of processor time for the attempts of one family

# Sizes that have no part in a rotation.
LIGHT = {
    "vocab_size": 64, "intermediate_size": 64, "ffn_dim": 64, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "n_inner": 64,
    "moe_intermediate_size": 32, "shared_expert_intermediate_size": 32, "num_experts": 4, "num_local_experts": 4, "n_routed_experts": 4,
    "moe_num_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "audio_vocab_size": 64, "text_vocab_size": 64,
    "ffn_hidden_size": 64, "expert_ffn_hidden_size": 32, "max_position_embeddings": 8192, "n_positions": 8192, "codebook_size": 64,
    "vocab_size_per_layer_input": 64, "hidden_size_per_layer_input": 8, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
    "entity_vocab_size": 16, "type_vocab_size": 2, "dropout_rate": 0.0, "index_topk": 4096, "n_shared_experts": 1, "zero_expert_num": 2,
    "num_kv_shared_layers": 0, "top_k_experts": 2, "cross_attention_layers": [1], "encoder_hash_byte_group_vocab": 64, "base_channels": 32,
    "patch_sizes": (16, 2), "hidden_sizes": (32, 64), "depths": (1, 1),
}
# Widths, which have one. Those of a head stay as wide as rotations with sections need.
NARROW = {
    "hidden_size": 128, "d_model": 128, "n_embd": 128, "dim": 128, "num_attention_heads": 4, "n_head": 4, "num_heads": 4, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "num_key_value_heads": 2, "num_kv_heads": 2, "head_dim": 32, "rotary_dim": 16, "qk_rope_head_dim": 16,
    "qk_nope_head_dim": 16, "qk_head_dim": 32, "v_head_dim": 32, "kv_lora_rank": 32, "q_lora_rank": 32, "index_n_heads": 2, "index_head_dim": 32,
    "text_hidden_size": 128, "out_hidden_size": 128, "audio_hidden_size": 128, "embedding_size": 128, "encoder_hidden_size": 128, "o_lora_rank": 32, "lru_width": 128,
}
HEADS = {key: value for key, value in NARROW.items() if "head_dim" not in key}
WIDE = NARROW | {key: 256 for key in ("hidden_size", "d_model", "n_embd", "dim")} | {key: 2 for key in ("num_attention_heads", "n_head", "num_heads")}
WIDE |= {"num_key_value_heads": 1, "num_kv_heads": 1, "head_dim": 128, "encoder_attention_heads": 2, "decoder_attention_heads": 2}
MIDDLE = NARROW | {key: 256 for key in ("hidden_size", "d_model", "n_embd", "dim")} | {"head_dim": 64}
ALIKE = NARROW | {"num_key_value_heads": 4, "num_kv_heads": 4}
DEPTHS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers", "decoder_layers", "encoder_num_hidden_layers", "decoder_num_hidden_layers")
# Tried in turn. Depths of 6 show most schedules of layers; where layers do not differ, 3 are as good.
ATTEMPTS = [(sizes, depth) for sizes in (NARROW, MIDDLE, WIDE, ALIKE, HEADS, {}) for depth in (6, 4, 8, 2, 12)]
TWO_KINDS = {name: {"rope_type": "default", "rope_theta": base} for name, base in (("full_attention", 1e6), ("sliding_attention", 1e4))}
COMPLETIONS = [
    {}, {"layer_types": ["full_attention"] * 4, "num_hidden_layers": 4}, {"position_embedding_type": "rope"}, {"position_embedding_type": "rotary"},
    {"layer_types": ["mamba", "attention"] * 2, "num_hidden_layers": 4, "position_embedding_type": "rope"}, {"mlp_layer_types": ["dense"] * 4, "num_hidden_layers": 4},
    {"attn_layer_indices": [1, 3], "num_hidden_layers": 4}, {"use_mem_rope": True}, {"vocabulary_map": {"<image>": 8}},
    {"num_experts": 4, "moe_intermediate_size": 64, "top_k_experts": 2}, {"num_codebooks": 4}, {"cross_attention_layers": [1]}, {"sliding_window": 64},
    {"head_dim": 64}, {"dropout_rate": 0.0}, {"shared_expert_intermediate_size": 64}, {"num_key_value_heads": 4}, {"per_layer_config": {}}, {"num_experts_per_tok": 1},
    {"rope_parameters": TWO_KINDS},
    {"rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [4, 4, 4, 4]}},
    # A width of which 0.8 is even.
    {"head_dim": 40},
]
# Of families that need a choice within a part of their configuration, or one that no other family has.
OWN = {
    "cohere_compass": {"text_config": {"rope_parameters": TWO_KINDS}},
    "dbrx": {"attn_config": {"rope_theta": 1e4, "kv_n_heads": 2, "clip_qkv": 8.0}},
    "deepseek_ocr2": {"text_config": {"mlp_layer_types": ["dense"] * 4, "num_hidden_layers": 4}},
    "dots3_note": {
        "text_config": {"head_dim": 32},
        "vision_config": {"pyramid_num_routed": [0] * 4, "num_hidden_layers": 4, "adapter_in_dim": 128, "adapter_out_dim": 128},
        "audio_config": {"adapter_input_size": 128, "adapter_out_dim": 128},
    },
    "emu3": {"vocabulary_map": {"<image>": 8, "<|extra_200|>": 9}},
    "granite4_vision": {"deepstack_layer_map": [(1, 0)], "spatial_target_layers": [0, 1, 2, 3], "downsample_rate": "1/2"},
    "kyutai_speech_to_text": {"audio_pad_token_id": 0},
    "molmo2": {"vision_config": {"num_hidden_layers": 4}, "adapter_config": {"vision_feature_layer": [-1, -2]}},
    "qwen3_omni_moe": {"talker_config": {"text_config": {"shared_expert_intermediate_size": 64}, "spatial_merge_size": 2}},
    "t5gemma2_encoder": {"text_config": {"dropout_rate": 0.0}},
}
# Keys that classes take, or models read, without declaring them.
UNDECLARED = {"head_dim", "dropout_rate", "shared_expert_intermediate_size", "num_key_value_heads", "rope_parameters"}


class Unbuilt(Exception):
    """No small model of a class is made."""


def keys(config_class):
    """The keys that a class takes."""
    found = {field.name for field in dataclasses.fields(config_class)} if dataclasses.is_dataclass(config_class) else set()
    return found | set(inspect.signature(config_class.__init__).parameters) | set(getattr(config_class, "attribute_map", {}))


def sizes(config_class, wanted, depth, completion):
    """The arguments that make a configuration, and the parts it holds, small."""
    known = keys(config_class)
    made = {key: value for key, value in (LIGHT | wanted).items() if key in known}
    made |= {key: depth for key in DEPTHS if key in known}
    if not completion.keys() <= known | UNDECLARED:
        raise Unbuilt("a completion of others")
    if "kv_lora_rank" in known:
        # Keys of one latent vector are of all heads, as wide as that of the rotation says.
        made |= {key: made["num_attention_heads"] for key in ("num_key_value_heads",) if key in made and "num_attention_heads" in made}
        made.pop("head_dim", None)
    made |= {key: sizes(part, wanted, depth, {}) | named for key, part, named in parts(config_class) if key in known}
    return joined(made | copy.deepcopy(completion), OWN.get(config_class.model_type, {}))


def joined(made, own):
    """The arguments of a configuration with a family's own, those of its parts too."""
    return made | {key: joined(made.get(key, {}), value) if isinstance(value, dict) and key.endswith("_config") else copy.deepcopy(value) for key, value in own.items()}


@functools.cache
def parts(config_class):
    """The configurations that one holds: key, class, and the name that tells the class."""
    own = getattr(config_class, "sub_configs", {})
    if not own:
        return []
    try:
        default = config_class()
    except Exception:  # noqa: BLE001, whatever a class raises
        return [(key, part, {}) for key, part in own.items() if isinstance(part, type) and "Auto" not in part.__name__]
    made = [(key, type(getattr(default, key, None)), part) for key, part in own.items() if getattr(default, key, None) is not None]
    return [(key, held, {"model_type": held.model_type} if "Auto" in getattr(part, "__name__", "") else {}) for key, held, part in made]


def configured(config_class, wanted, depth, completion):
    made = sizes(config_class, wanted, depth, completion)
    for _ in range(12):
        try:
            return config_class(**made)
        except Exception as error:  # noqa: BLE001, whatever a class raises
            # A size that the class refuses.
            refused = [(held, key) for held in (made, *(one for one in made.values() if isinstance(one, dict))) for key in held if key not in completion and re.search(f"['`]{key}['`]", str(error))]
            if not refused:
                raise
            for held, key in refused:
                del held[key]
    raise Unbuilt("a configuration that takes no sizes")


def varied(config, depth):
    """Layers differ by a list of the configuration."""
    return any(isinstance(value, list) and len(value) == depth and any(one != value[0] for one in value) for value in config.get_text_config().to_dict().values())


def stated(model):
    """Puts the sections of a class into the configuration, where published files have them."""
    parameters = getattr(model.config.get_text_config(), "rope_parameters", None)
    for module in model.modules():
        if isinstance(getattr(module, "mrope_section", None), (list, tuple)) and isinstance(parameters, dict) and hasattr(module, "inv_freq"):
            pairs = module.inv_freq.numel()
            if sum(module.mrope_section) != pairs:
                module.mrope_section = [pairs - 2 * (pairs // 3), pairs // 3, pairs // 3]
            parameters["mrope_section"] = list(module.mrope_section)


def rotating(model):
    """A module of it makes cosines."""
    return any(modules.MAKES.search(type(one).__name__) for one in model.modules())


def built(model_class, config):
    """A model whose random weights, those of biases and norms too, are the same each time."""
    with torch.device("meta"):
        count = sum(one.numel() for one in model_class(copy.deepcopy(config)).parameters())
    if count > LARGEST:
        raise Unbuilt(f"{count} numbers")
    torch.manual_seed(1)
    model = model_class(copy.deepcopy(config)).eval()
    with torch.no_grad():
        for one in model.parameters():
            if not one.any():
                # A factor of 0 would leave nothing to judge, and one below 0 would turn vectors round.
                one.normal_(std=0.1).abs_()
    return model


def runs(model):
    """The inputs that a model takes beside tokens alone, if these do not do: tokens for an encoder and a decoder, or vectors."""
    with torch.no_grad():
        try:
            count = getattr(model.get_input_embeddings(), "num_embeddings", None)
            model(input_ids=torch.arange(1, TOKENS + 1)[None] % count)
            return None
        except Exception:
            for inputs in others(model, TOKENS):
                with contextlib.suppress(Exception):
                    model(**inputs)
                    return sorted(inputs)
            raise


def others(model, rows):
    """Inputs of other kinds."""
    taken, config = inspect.signature(model.forward).parameters, model.config.get_text_config()
    tokens, width = (torch.arange(rows)[None] % 30) + 3, getattr(config, "hidden_size", None)
    vectors = torch.randn(1, rows, width, generator=torch.Generator().manual_seed(5)) if isinstance(width, int) else None
    for names in (("input_ids", "decoder_input_ids"), ("inputs_embeds",), ("inputs_embeds", "encoder_hidden_states"), ("input_ids", "encoder_hidden_states"), ("hidden_states",)):
        made = {name: tokens if name.endswith("ids") else vectors for name in names}
        if all(name in taken for name in names) and not any(one is None for one in made.values()):
            yield made


def inputs(model, names, rows):
    given = next(one for one in others(model, rows) if sorted(one) == names)
    return {name: one.to(model.device, model.dtype if one.is_floating_point() else None) for name, one in given.items()}


def put(model, device, dtype):
    """Puts a model onto a device, and its weights into a format. Buffers keep theirs, as those of models that are loaded in it do."""
    model.to(device)
    for one in model.parameters():
        if dtype and one.is_floating_point():
            one.data = one.data.to(dtype)


def model(config_class, models):
    """A small model of the first of the classes that runs, what hindered it, and the inputs that it takes if not tokens alone; where
    none runs, one that is built."""
    problem, spare, plain, still = None, None, None, None
    end = time.process_time() + SECONDS
    for model_class in models[:4]:
        for completion, (wanted, depth) in itertools.product(COMPLETIONS, ATTEMPTS):
            if time.process_time() > end:
                break
            if completion is still:
                continue
            try:
                made = built(model_class, configured(config_class, wanted, depth, completion))
            except Exception as error:  # noqa: BLE001, whatever a class raises
                problem = problem or error
                continue
            try:
                given = runs(made)
                if not rotating(made):
                    # Other sizes give it no rotation; another completion may.
                    plain, still = plain or made, completion
                    continue
                if depth == 6 and not varied(made.config, depth):
                    with contextlib.suppress(Exception):
                        made = built(model_class, configured(config_class, wanted, 3, completion))
                stated(made)
                return made, None, given
            except (AttributeError, TypeError, NotImplementedError) as error:
                # It takes something else than tokens, in whatever size.
                spare = spare or (made, f"{type(error).__name__}: {str(error)[:200]}")
                if "get_input_embeddings" in str(error) or "positional argument" in str(error):
                    break
            except Exception as error:  # noqa: BLE001, whatever a model raises
                spare = spare or (made, f"{type(error).__name__}: {str(error)[:200]}")
        if plain:
            return plain, None, None
    if spare:
        return *spare, None
    raise Unbuilt(unmade(problem))


def unmade(problem):
    """The sentence about a family of which no small model was made."""
    line = next(filter(None, str(problem).splitlines()), "")
    if isinstance(problem, ImportError) and (named := re.search(r"requires the (\S+) library", line)):
        return f"its model needs the package {named[1]}: install it, and measure the family again"
    return f"no sizes that were tried make a small model: build one, and give it to assert_rope (the first of them: {type(problem).__name__}: {line[:160]})"
