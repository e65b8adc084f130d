"""Vectors as attention takes them, in models whose code does other things with rotated ones than most do."""

import importlib
import sys
from pathlib import Path
from typing import Any

import posproof
import pytest

REASON = "NOT TESTED: what attention takes in models, because {} is not installed (sh scripts/setup --torch)"
torch = pytest.importorskip("torch", reason=REASON.format("PyTorch"))
transformers = pytest.importorskip("transformers", reason=REASON.format("transformers"))

pytestmark = pytest.mark.filterwarnings("default")

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
SIZE: dict[str, Any] = dict(
    hidden_size=64,
    num_attention_heads=2,
    num_key_value_heads=2,
    num_hidden_layers=2,
    intermediate_size=32,
    vocab_size=40,
    max_position_embeddings=512,
)
EXPERTS = dict(num_local_experts=2, n_routed_experts=2, num_experts_per_tok=1, moe_intermediate_size=16, n_group=1, topk_group=1)
LATENT = dict(q_lora_rank=16, kv_lora_rank=16, qk_nope_head_dim=16, qk_rope_head_dim=16, qk_head_dim=32, v_head_dim=32)


def small(name: str, **changed: Any) -> Any:
    """A small model of a family, its weights random."""
    torch.manual_seed(1)
    config = getattr(transformers, f"{name}Config")
    model = getattr(transformers, f"{name}Model")
    return model(config(**{**SIZE, **changed}))


def wrong(model: Any, **options: Any) -> dict[str, list[str]]:
    """The codes of findings by the parts that do not conform."""
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_rope(model, **options)
    reports = caught.value.report.to_dict()["reports"]
    return {one["of"]: [found["code"] for found in one["findings"]] for one in reports if not one["conforms"]}


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The contexts of the sheet's faults, by their names and a model."""
    for folder in ("models", "atlas"):
        monkeypatch.syspath_prepend(str(SCRIPTS / folder))
    names = ("changes", "faults", "modules")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    found = [importlib.import_module(name) for name in names][1]
    for name in names:
        monkeypatch.delitem(sys.modules, name)
    return lambda name, model: found.FAULTS[name][0](model)


def test_rotations_that_call_one_another_count_once(fault: Any) -> None:
    model = small("GptOss", **EXPERTS, head_dim=32)
    report = posproof.assert_rope(model)
    assert len(report.judged) == len(set(report.judged)) and report.unjudged == []
    with fault("keys shifted", model):
        found = wrong(model)
    assert found and all("key" in name and "as attention takes it" in name for name in found)
    # The inner function rotates, and what it gives is not taken.
    with fault("renamed, does nothing", model):
        found = wrong(model)
    assert {"layer 0, query as attention takes it", "layer 1, key as attention takes it"} <= set(found)
    # Positions of 0 under the amplitude of YaRN.
    assert "stale-positions" in found["layer 0, key as attention takes it"]


def test_products_of_stacked_heads_are_seen(fault: Any) -> None:
    model = small("GPTNeoXJapanese", intermediate_multiple_size=1)
    assert posproof.assert_rope(model).unjudged == []
    with fault("keys shifted", model):
        found = wrong(model)
    assert found and all("key" in name and "as attention takes it" in name for name in found)
    assert any("in the second row of a batch" in name for name in found)


def test_keys_of_an_encoder_behind_those_of_a_decoder_are_told_apart(fault: Any) -> None:
    torch.manual_seed(1)
    part = {**SIZE, "head_dim": 32, "num_key_value_heads": 1, "query_pre_attn_scalar": 32, "dropout_rate": 0.0}
    config = transformers.T5Gemma2DecoderConfig(**part)
    model = transformers.models.t5gemma2.modeling_t5gemma2.T5Gemma2Decoder(config)
    vectors = torch.randn(1, 60, 64, generator=torch.Generator().manual_seed(2))
    inputs = {"inputs_embeds": vectors, "encoder_hidden_states": vectors}
    posproof.assert_rope(model, inputs=inputs)
    with fault("keys shifted", model):
        found = wrong(model, inputs=inputs)
    assert found and all("key as attention takes it" in name for name in found)


def test_what_a_compiled_model_was_before_is_judged() -> None:
    model = torch.compile(small("Llama"), backend="eager")
    ids = torch.arange(1, 9)[None]
    with torch.no_grad():
        before = model(input_ids=ids).last_hidden_state
    note = "what torch.compile made of the model: it was run as it is written"
    assert posproof.assert_rope(model).unjudged == [note]
    with torch.no_grad():
        assert torch.equal(model(input_ids=ids).last_hidden_state, before)
    rotary = model.rotary_emb
    forward = rotary.forward
    rotary.forward = lambda x, position_ids: forward(x, position_ids + 1)
    assert "position-offset" in wrong(model)["layer 0, query"]


def test_a_factor_that_heads_have_learned_is_said_to_be_unjudged() -> None:
    sizes = {**EXPERTS, **LATENT, "index_n_heads": 2, "index_head_dim": 32, "index_topk": 4096}
    config = transformers.models.mistral_large4.configuration_mistral_large4.MistralLarge4TextConfig(**{**SIZE, **sizes})
    torch.manual_seed(1)
    model = transformers.models.mistral_large4.modeling_mistral_large4.MistralLarge4TextModel(config)
    scalings = [module for name, module in model.named_modules() if name.endswith("self_attn.softmax_scaling")]
    assert scalings
    with torch.no_grad():
        for module in scalings:
            module.scale.uniform_(0.05, 0.2)
    [note] = posproof.assert_rope(model).unjudged
    assert "a factor of the query that each head has learned" in note
    with torch.no_grad():
        for module in scalings:
            # It turns vectors round.
            module.scale.fill_(-5)
    found = wrong(model)
    assert found and all("query" in name and "as attention takes it" in name for name in found)


@pytest.mark.parametrize(("name", "own"), [("DeepseekV3", {}), ("Mistral4", {"llama_4_scaling_beta": 0.1})])
def test_the_factor_of_logits_under_yarn_is_judged(name: str, own: dict[str, float]) -> None:
    yarn = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 128, "mscale": 1.0, "mscale_all_dim": 1.0}
    model = small(name, **EXPERTS, **LATENT, first_k_dense_replace=2, rope_parameters=yarn | own)
    assert posproof.assert_rope(model).unjudged == []
    for layer in model.layers:
        # Without YaRN's part.
        layer.self_attn.scaling = 32**-0.5
    found = wrong(model)
    assert set(found) == {f"layer {layer}, query times the factor of its logits" for layer in range(2)}
    assert all(codes == ["amplitude"] for codes in found.values())


def test_exchanged_cosines_and_sines_are_named_in_rotated_vectors(fault: Any) -> None:
    model = small("GPTJ", n_embd=64, n_head=2, n_layer=2, n_positions=512, rotary_dim=16, n_inner=32)
    with fault("cosines for sines", model):
        assert wrong(model)["layer 0, query"] == ["order"]


def test_decoding_that_is_told_its_positions_is_placed(fault: Any) -> None:
    mamba = dict(mamba_n_heads=4, mamba_d_head=32, mamba_d_state=16, mamba_expand=2, mamba_n_groups=1)
    model = small("Bamba", attn_layer_indices=[1], **mamba)
    notes = posproof.assert_rope(model).unjudged
    assert [note for note in notes if note.startswith("decoding without position_ids")]
    with fault("keys left", model):
        found = wrong(model)
    assert found and all("key" in name for name in found)


@pytest.mark.parametrize(
    "name, own",
    [
        # Query and key are multiplied by d^(-1/4) after the rotation, in the format of the model.
        ("OpenAIPrivacyFilter", dict(head_dim=32, pad_token_id=0, **EXPERTS)),
        # Rotated in binary32, kept in the format of the model.
        ("CodeGen", dict(hidden_size=128, num_attention_heads=4, n_positions=512, rotary_dim=8)),
    ],
)
def test_what_follows_the_rotation_in_a_narrow_format_is_no_fault(name: str, own: dict[str, Any]) -> None:
    model = small(name, **own)
    for parameter in model.parameters():
        parameter.data = parameter.data.to(torch.bfloat16)
    posproof.assert_rope(model)
    if name == "OpenAIPrivacyFilter":
        for layer in model.layers:
            layer.self_attn.scaling *= 1.05
        assert {code for codes in wrong(model).values() for code in codes} <= {"amplitude", "softmax-scale"}
