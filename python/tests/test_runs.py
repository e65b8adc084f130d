"""Models in a batch whose rows stand at different positions, and in decoding with a cache."""

from typing import Any

import posproof
import pytest

REASON = "NOT TESTED: runs of whole models, because {} is not installed (sh scripts/setup --torch)"
torch = pytest.importorskip("torch", reason=REASON.format("PyTorch"))
transformers = pytest.importorskip("transformers", reason=REASON.format("transformers"))

pytestmark = pytest.mark.filterwarnings("default")

SIZE: dict[str, Any] = dict(
    hidden_size=64,
    num_attention_heads=2,
    num_key_value_heads=1,
    num_hidden_layers=2,
    intermediate_size=32,
    vocab_size=40,
    max_position_embeddings=512,
)


def llama(**changed: Any) -> Any:
    torch.manual_seed(1)
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**{**SIZE, **changed}))


def turned(model: Any, change: Any) -> Any:
    """The model, whose rotary module takes changed positions."""
    rotary = model.model.rotary_emb
    forward = rotary.forward
    rotary.forward = lambda x, position_ids: forward(x, change(position_ids))
    return model


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_all_runs_are_judged(attention: str) -> None:
    model = llama(attn_implementation=attention)
    report = posproof.assert_rope(model)
    wheres = {name.split(",")[1].split(" ", 2)[2:][0] for name in report.judged if name.count(" ") > 2}
    long = "in a prompt of 512 positions"
    batch = {"in the first row of a batch", "in the second row of a batch", "in a row that is padded on the left"}
    assert wheres == {*batch, "in decoding", long}
    assert len(report.judged) == 1 + 2 * 2 * 6 and report.unjudged == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda ids: ids[:1].expand_as(ids), "layers 0–1, query in the second row of a batch"),
        (lambda ids: ids.flip(0), "layers 0–1, query in the first row of a batch"),
        (lambda ids: 0 * ids if ids.shape[-1] == 1 else ids, "layers 0–1, query in decoding"),
        (lambda ids: ids + 1 if ids.shape[-1] == 1 else ids, "layers 0–1, query in decoding"),
        (lambda ids: ids - 1 if ids.shape[-1] == 1 else ids, "layers 0–1, key in decoding"),
    ],
    ids=["shared positions", "exchanged rows", "decoded at 0", "decoded one later", "decoded one earlier"],
)
def test_wrong_positions_are_placed(change: Any, place: str) -> None:
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_rope(turned(llama(), change))
    assert place in str(caught.value), caught.value
    wrong = {one["of"] for one in caught.value.report.to_dict()["reports"] if not one["conforms"]}
    assert wrong and all("batch" in of or "padded" in of or "decoding" in of for of in wrong), wrong


def test_rows_that_are_padded_on_the_left_are_judged() -> None:
    model = llama()
    forward = model.model.forward

    def counted(*args: Any, attention_mask: Any = None, position_ids: Any = None, **rest: Any) -> Any:
        """The positions by the place in the row, where a row is padded."""
        if attention_mask is not None and not bool(attention_mask.all()):
            position_ids = torch.arange(attention_mask.shape[-1])[None].expand_as(attention_mask)
        return forward(*args, attention_mask=attention_mask, position_ids=position_ids, **rest)

    posproof.assert_rope(model)
    model.model.forward = counted
    with pytest.raises(AssertionError, match="layers 0–1, query in a row that is padded on the left"):
        posproof.assert_rope(model)


def test_what_happens_to_keys_in_the_cache_is_seen(monkeypatch: Any) -> None:
    update = transformers.cache_utils.DynamicCache.update

    def conjugated(self: Any, key: Any, *rest: Any, **named: Any) -> Any:
        keys, values = update(self, key, *rest, **named)
        if key.shape[-2] == 1:
            keys = torch.cat([torch.cat([keys[..., :-1, :16], -keys[..., :-1, 16:]], -1), keys[..., -1:, :]], -2)
        return keys, values

    monkeypatch.setattr(transformers.cache_utils.DynamicCache, "update", conjugated)
    with pytest.raises(AssertionError, match="layers 0–1, key of the cache"):
        posproof.assert_rope(llama())


def test_later_rows_are_seen() -> None:
    """The rows from the 600th on are those of the first position: more than the run of a prompt has."""
    model = llama(max_position_embeddings=4096)
    rotary = model.model.rotary_emb
    forward = rotary.forward
    rotary.forward = lambda x, position_ids: forward(x, position_ids * (torch.arange(position_ids.shape[-1]) < 600))
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_rope(model)
    wrong = {one["of"] for one in caught.value.report.to_dict()["reports"] if not one["conforms"]}
    assert wrong == {f"layer {layer}, {name} in a prompt of 1031 positions" for layer in range(2) for name in ("query", "key")}


def test_a_factor_of_the_logits_is_seen() -> None:
    model = llama()
    for layer in model.model.layers:
        layer.self_attn.scaling *= 4
    with pytest.raises(AssertionError, match="layers 0–1, query times the factor of its logits") as caught:
        posproof.assert_rope(model)
    assert "amplitude" in str(caught.value)


def test_attention_that_is_written_out_is_seen(monkeypatch: Any) -> None:
    """Japanese GPT-NeoX multiplies queries and keys itself."""
    torch.manual_seed(1)
    config = transformers.GPTNeoXJapaneseConfig(hidden_size=64, num_attention_heads=2, num_hidden_layers=2, vocab_size=40, bos_token_id=None, eos_token_id=None)
    attention = transformers.models.gpt_neox_japanese.modeling_gpt_neox_japanese.GPTNeoXJapaneseAttention
    judged = transformers.GPTNeoXJapaneseForCausalLM(config)
    assert {"layer 0, query", "layer 0, key"} <= set(posproof.assert_rope(judged).judged)
    attend = attention._attn
    monkeypatch.setattr(attention, "_attn", lambda self, query, key, *rest, **named: attend(self, query, key.roll(1, 2), *rest, **named))
    with pytest.raises(AssertionError, match="layers 0–1, key as attention takes it"):
        posproof.assert_rope(judged)


def test_a_model_that_counts_wrongly_in_decoding_is_told_its_positions() -> None:
    """Positions that `generate` gives are right; that the model's own are not is said."""
    model = llama()
    forward = model.model.forward

    def counted(*arguments: Any, position_ids: Any = None, **named: Any) -> Any:
        if position_ids is None:
            position_ids = torch.arange(named["input_ids"].shape[-1])[None]
        return forward(*arguments, position_ids=position_ids, **named)

    model.model.forward = counted
    report = posproof.assert_rope(model)
    assert report.unjudged == ["decoding without position_ids: the model counts its positions wrongly; with them, as generate gives them, it was judged"]


def test_a_step_without_rotation_is_seen(monkeypatch: Any) -> None:
    modeling = transformers.models.llama.modeling_llama
    apply = modeling.apply_rotary_pos_emb
    monkeypatch.setattr(modeling, "apply_rotary_pos_emb", lambda q, k, *rest: (q, k) if q.shape[-2] == 1 else apply(q, k, *rest))
    with pytest.raises(AssertionError, match="layers 0–1, query in decoding"):
        posproof.assert_rope(llama())


def test_inputs_run_what_text_does_not() -> None:
    torch.manual_seed(1)
    part = {**SIZE, "head_dim": 32}
    config = transformers.T5GemmaConfig(encoder=part, decoder=part, vocab_size=40, pad_token_id=0)
    model = transformers.T5GemmaModel(config)
    with pytest.raises(posproof.InvalidInput, match=r"; pass inputs=\{…\}, what its forward pass takes \(.*decoder_input_ids"):
        posproof.assert_rope(model)
    ids = torch.arange(3, 30)[None]
    report = posproof.assert_rope(model, inputs={"input_ids": ids, "decoder_input_ids": ids})
    # Encoder and decoder, each with two layers.
    owners = [f"layer 1, query of {part}.layers.1.self_attn" for part in ("encoder", "decoder")]
    assert [name for name in report.judged if name.startswith("layer 1, query")] == owners and report.unjudged
    # The attention of each is told from that of the other, which has the same number.
    attention = model.decoder.layers[1].self_attn
    attention.scaling *= 4
    with pytest.raises(posproof.NotConforming, match="layer 1, query times the factor of its logits of decoder.layers.1.self_attn"):
        posproof.assert_rope(model, inputs={"input_ids": ids, "decoder_input_ids": ids})
    attention.scaling /= 4
    model.decoder.rotary_emb.inv_freq.mul_(0.5)
    with pytest.raises(posproof.NotConforming, match="decoder.rotary_emb"):
        posproof.assert_rope(model, inputs={"input_ids": ids, "decoder_input_ids": ids})
    with pytest.raises(posproof.InvalidInput, match="positions: expected them beside inputs without tokens"):
        posproof.assert_rope(model, inputs={"pixel_values": ids})
    wrong = r"inputs: expected what its forward pass takes \(decoder_input_ids, .*\); found input_ids, decoder_input_ids; the run ended with"
    with pytest.raises(posproof.InvalidInput, match=wrong):
        posproof.assert_rope(model, inputs={"input_ids": ids, "decoder_input_ids": ids.float()})
    with pytest.raises(posproof.InvalidInput, match="inputs: expected a model"):
        posproof.assert_rope(lambda x, positions: x, inputs={}, dim=4)


def test_what_does_not_run_is_told() -> None:
    model = llama()
    forward = model.forward

    def alone(input_ids: Any, past_key_values: Any = None, **named: Any) -> Any:
        if len(input_ids) > 1 or past_key_values is not None:
            raise ValueError("one row, and no cache")
        return forward(input_ids=input_ids, past_key_values=past_key_values, **named)

    model.forward = alone
    model.train()
    report = posproof.assert_rope(model)
    runs = ("a batch of two", "a row that is padded on the left", "decoding")
    assert report.unjudged == [f"{run}: the run ended with ValueError: one row, and no cache" for run in runs]
    assert "not judged: decoding: the run ended with ValueError" in str(report)
    assert model.training and not any(module._forward_pre_hooks for module in model.modules())


def test_an_indexer_pairs_in_its_own_way() -> None:
    """DeepSeek-V3.2's layers pair neighbours, and its indexers halves: both are right."""
    torch.manual_seed(1)
    experts = dict(n_routed_experts=4, num_experts_per_tok=1, n_group=1, topk_group=1, moe_intermediate_size=16)
    latent = dict(q_lora_rank=16, kv_lora_rank=16, num_key_value_heads=2, first_k_dense_replace=1)
    config = transformers.DeepseekV32Config(**{**SIZE, **experts, **latent}, pad_token_id=0)
    model = transformers.DeepseekV32ForCausalLM(config)
    report = posproof.assert_rope(model)
    kinds = {name.split(", ", 1)[1] for name in report.judged if name.startswith("layer 0, ") and " in " not in name}
    assert {kind for kind in kinds if "indexer" in kind} and {"query", "key"} <= kinds
    assert all(kind.endswith(", halves") for kind in kinds if "indexer" in kind), kinds


def test_layers_that_run_in_cycles_are_judged_each_time() -> None:
    torch.manual_seed(1)
    config = transformers.HrmTextConfig(**SIZE, head_dim=32, H_cycles=2, L_cycles=1)
    model = transformers.HrmTextForCausalLM(config)
    report = posproof.assert_rope(model)
    # Two layers of each of two stacks; the low one runs before the high one, twice.
    prompt = [name for name in report.judged if name.startswith("layer 1, query") and " in " not in name]
    once = [f"layer 1, query of model.{stack}_module.layers.1.self_attn" for stack in "HL"]
    assert sorted(prompt) == sorted([*once, *(f"{name} when it runs again (2)" for name in once)])
    # What attention takes is judged each time too.
    for module in model.modules():
        if isinstance(getattr(module, "scaling", None), float):
            module.scaling *= 4
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_rope(model)
    wrong = [one["of"] for one in caught.value.report.to_dict()["reports"] if not one["conforms"]]
    assert len(wrong) == 8 and all("query times the factor of its logits" in name for name in wrong)


def test_a_rotary_module_that_is_given_vectors_alone_counts_positions() -> None:
    class Rotary(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("inv_freq", torch.ones(4))

        def forward(self, q: Any, k: Any) -> Any:
            return q, k

    class Model(torch.nn.Module):  # type: ignore[misc]
        def __init__(self, rotary: Any) -> None:
            super().__init__()
            self.rotary = rotary

        def forward(self, input_ids: Any, position_ids: Any = None) -> Any:
            return input_ids

    from posproof import runs

    assert runs.counts(Model(Rotary())) and not runs.counts(Model(torch.nn.Identity())) and not runs.counts(llama())


def test_a_cache_that_no_layer_takes_is_no_fault() -> None:
    model = llama()
    kind = type(model.model.rotary_emb)
    other = transformers.LlamaConfig(**SIZE, rope_parameters={"rope_type": "default", "rope_theta": 77.0})
    model.model.other = kind(other)
    rotate = model.model.rotary_emb.forward

    def both(x: Any, position_ids: Any) -> Any:
        model.model.other(x, position_ids)
        return rotate(x, position_ids)

    model.model.rotary_emb.forward = both
    assert posproof.assert_rope(model).unjudged == ["model.other: all layers are rotated by other cosines and sines"]
    # If a layer does, it is.
    model.model.rotary_emb.forward = lambda x, position_ids: (rotate(x, position_ids), model.model.other(x, position_ids))[1]
    with pytest.raises(posproof.NotConforming, match="other-base"):
        posproof.assert_rope(model)


def test_a_number_of_layers_that_a_class_computes_is_known() -> None:
    torch.manual_seed(1)
    sizes = {"hidden_size": 64, "num_layers": 1, "num_attention_heads": 2, "ffn_hidden_size": 32, "expert_ffn_hidden_size": 16}
    experts = {"n_routed_experts": 4, "zero_expert_num": 2, "moe_topk": 2}
    ranks = {"q_lora_rank": 16, "kv_lora_rank": 16, "qk_nope_head_dim": 16, "qk_rope_head_dim": 16, "v_head_dim": 16, "head_dim": 16}
    config = transformers.LongcatFlashConfig(vocab_size=64, max_position_embeddings=4096, **sizes, **experts, **ranks)
    report = posproof.assert_rope(transformers.LongcatFlashModel(config))
    assert {"layer 0, query", "layer 1, query"} <= set(report.judged)


def test_sections_of_several_axes_are_judged_where_axes_differ() -> None:
    torch.manual_seed(1)
    rope = {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [4, 6, 6]}
    config = transformers.Qwen2VLTextConfig(**SIZE, rope_parameters=rope)
    model = transformers.models.qwen2_vl.modeling_qwen2_vl.Qwen2VLTextModel(config)
    assert {f"layer {layer}, {name} at positions of 3 axes" for layer in range(2) for name in ("query", "key")} <= set(
        posproof.assert_rope(model).judged
    )
    model.rotary_emb.mrope_section = [6, 6, 4]
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_rope(model)
    wrong = {one["of"] for one in caught.value.report.to_dict()["reports"] if not one["conforms"]}
    assert wrong == {f"layer {layer}, {name} at positions of 3 axes" for layer in range(2) for name in ("query", "key")}
    assert "axis-arrangement" in str(caught.value)
    # The slowest pair turns by less than rounding errors along a short prompt.
    slow = rope | {"rope_theta": 1e10, "mrope_section": [4, 6, 6]}
    config = transformers.Qwen2VLTextConfig(**SIZE | {"max_position_embeddings": 131_072}, rope_parameters=slow)
    model = transformers.models.qwen2_vl.modeling_qwen2_vl.Qwen2VLTextModel(config)
    assert posproof.assert_rope(model).conforms
    model.rotary_emb.mrope_section = [4, 6, 5, 1]
    with pytest.raises(posproof.NotConforming, match="at positions of 3 axes"):
        posproof.assert_rope(model)
    del config.rope_parameters["mrope_section"]
    assert "positions of several axes: the configuration has no sections whose order is known" in posproof.assert_rope(model).unjudged
