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
    assert wheres == {"in the first row of a batch", "in the second row of a batch", "in decoding"}
    assert len(report.judged) == 1 + 2 * 2 * 4 and report.unjudged == []


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
    assert wrong and all("batch" in of or "decoding" in of for of in wrong), wrong


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


def test_a_step_without_rotation_is_seen(monkeypatch: Any) -> None:
    modeling = transformers.models.llama.modeling_llama
    apply = modeling.apply_rotary_pos_emb
    monkeypatch.setattr(modeling, "apply_rotary_pos_emb", lambda q, k, *rest: (q, k) if q.shape[-2] == 1 else apply(q, k, *rest))
    with pytest.raises(AssertionError, match="layers 0–1, query in decoding"):
        posproof.assert_rope(llama())


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
    assert report.unjudged == [f"{run}: ValueError: one row, and no cache" for run in ("a batch of two", "decoding")]
    assert "not judged: decoding: ValueError" in str(report)
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
