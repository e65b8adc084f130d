"""Modules and models of PyTorch: what rotates in them is found, and judged layer by layer.

PyTorch is large: without it these tests are skipped, and the summary says so (`sh scripts/setup --torch` installs it).
"""

import functools
import inspect
import textwrap
from typing import Any

import posproof
import pytest

from conftest import grown

REASON = "NOT TESTED: modules and whole models, because {} is not installed (sh scripts/setup --torch)"
torch = pytest.importorskip("torch", reason=REASON.format("PyTorch"))
transformers = pytest.importorskip("transformers", reason=REASON.format("transformers"))

# The library's own warnings are its own affair.
pytestmark = pytest.mark.filterwarnings("default")

SMALL: dict[str, Any] = dict(
    hidden_size=64,
    num_attention_heads=2,
    num_key_value_heads=1,
    num_hidden_layers=3,
    intermediate_size=32,
    vocab_size=40,
    max_position_embeddings=8192,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
)
MODELS = {
    "Llama": {},
    "Gemma3Text": dict(head_dim=32, num_hidden_layers=7),
    "Phi": {},
    "GPTNeoX": {},
    "Qwen3": dict(head_dim=32),
    "Cohere": {},
    "Glm": dict(head_dim=32),
    "NanoChat": dict(head_dim=32),
}


def model(name: str, **changed: Any) -> Any:
    torch.manual_seed(1)
    config = getattr(transformers, f"{name}Config")(**{**SMALL, **MODELS[name], **changed})
    stem = name.removesuffix("Text")
    return getattr(transformers, f"{stem}ForCausalLM")(config)


@pytest.mark.parametrize("name", MODELS)
def test_models_conform(name: str) -> None:
    judged = model(name)
    report = posproof.assert_rope(judged)
    places = {name.split(",")[0] for name in report.judged}
    [rotary] = (name for name, one in judged.named_modules() if name.endswith("rotary_emb"))
    assert places == {rotary, *(f"layer {layer}" for layer in range(judged.config.num_hidden_layers))}
    kinds = {f", {kind}" for kind in judged.config.layer_types} if name == "Gemma3Text" else {""}
    assert {one.removeprefix(rotary) for one in report.judged if one.startswith(rotary)} == kinds
    assert report.entries > 10_000


def test_a_family_that_the_atlas_does_not_have() -> None:
    """Its configuration is refused; what it means can be stated."""

    class Unheard(transformers.GPTJConfig):
        model_type = "unheard"

    config = Unheard(**SMALL, rotary_dim=16, n_embd=64, n_head=2, n_layer=3, n_positions=512)
    judged = transformers.GPTJForCausalLM(config)
    with pytest.raises(posproof.InvalidInput, match="unheard"):
        posproof.assert_rope(judged)
    report = posproof.assert_rope(judged, dim=16, layout="interleaved", positions=range(300))
    assert {name.split(",")[0] for name in report.judged} == {"layer 0", "layer 1", "layer 2"}
    with pytest.raises(AssertionError, match="layout"):
        posproof.assert_rope(judged, dim=16, layout="halves", positions=range(300))


def test_a_layer_of_another_base_is_found() -> None:
    """The module of one kind of Gemma 3's layers is given the frequencies of the other: those layers, and only those."""
    gemma = model("Gemma3Text")
    rotary = gemma.model.rotary_emb
    rotary.sliding_attention_inv_freq.copy_(rotary.full_attention_inv_freq)
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_rope(gemma)
    # In the runs of a batch and of decoding too.
    wrong = {one["of"].split(" in ")[0] for one in caught.value.report.to_dict()["reports"] if not one["conforms"]}
    sliding = [layer for layer, kind in enumerate(gemma.config.layer_types) if kind == "sliding_attention"]
    assert wrong == {
        "model.rotary_emb, sliding_attention",
        *(f"layer {layer}, {of}" for layer in sliding for of in ("query", "key")),
    }
    assert "other-base" in str(caught.value)


def test_a_buffer_in_bf16_is_found() -> None:
    llama = model("Llama")
    buffer = llama.model.rotary_emb.inv_freq
    buffer.copy_(buffer.to(torch.bfloat16).float())
    with pytest.raises(AssertionError, match="low-precision-frequencies"):
        posproof.assert_rope(llama)


def test_a_configuration_that_says_otherwise() -> None:
    llama = model("Llama", rope_theta=500_000.0)
    with pytest.raises(AssertionError, match="other-base"):
        posproof.assert_rope(llama, config=model("Llama", rope_theta=10_000.0).config)


def test_a_cause_is_told_once_and_the_exceptions_after_it() -> None:
    judged = model("Llama", num_hidden_layers=32)
    said = judged.config.to_dict() | {"rope_parameters": {"rope_type": "default", "rope_theta": 500000.0}}
    with pytest.raises(AssertionError, match="other-base") as raised:
        posproof.assert_rope(judged, config=said)
    text = str(raised.value)
    assert len(text.splitlines()) <= 40 and "layers 0–31, query" in text, text
    # Another cause in one layer is an exception, and is placed.
    attention = judged.model.layers[7].self_attn
    forward = attention.forward

    def shifted(*, position_embeddings: Any, **keywords: Any) -> Any:
        cos, sin = position_embeddings
        return forward(position_embeddings=(cos.roll(1, 1), sin.roll(1, 1)), **keywords)

    attention.forward = shifted
    with pytest.raises(AssertionError) as raised:
        posproof.assert_rope(judged)
    text = str(raised.value)
    assert len(text.splitlines()) <= 60 and "layers 0–6, 8–31, query" in text and "layer 7, query: rotation wrong" in text, text


def test_a_layer_that_is_not_to_be_rotated_and_is_fails() -> None:
    torch.manual_seed(1)
    config = transformers.SmolLM3Config(**SMALL, no_rope_layers=[1, 1, 1])
    judged = transformers.SmolLM3ForCausalLM(config)
    assert posproof.assert_rope(judged).conforms
    said = config.to_dict() | {"no_rope_layers": [1, 0, 1]}
    with pytest.raises(AssertionError, match="layer 1, query, not to be rotated: rotation ") as raised:
        posproof.assert_rope(judged, config=said)
    assert not raised.value.report.conforms  # type: ignore[attr-defined]


class Callable:
    def __call__(self, q: Any, k: Any, *_: Any, **__: Any) -> Any:
        return q, k


@pytest.mark.parametrize("rotation", [Callable(), functools.partial(Callable())], ids=["object", "partial"])
def test_whatever_is_called_in_the_place_of_a_rotation_is_judged(rotation: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(transformers.models.llama.modeling_llama, "apply_rotary_pos_emb", rotation)
    with pytest.raises(AssertionError, match="layers 0–2, query"):
        posproof.assert_rope(model("Llama"))


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
@pytest.mark.parametrize("late", ["shifted", "conjugated", "doubled"])
def test_what_is_done_after_the_rotation_is_seen(late: str, attention: str, monkeypatch: Any) -> None:
    change = {
        "shifted": lambda key: key.roll(1, 2),
        "conjugated": lambda key: torch.cat([key[..., :16], -key[..., 16:]], -1),
        "doubled": lambda key: 2 * key,
    }[late]
    modeling = transformers.models.llama.modeling_llama
    source = textwrap.dedent(inspect.getsource(modeling.LlamaAttention.forward))
    after = "= apply_rotary_pos_emb(query_states, key_states, cos, sin)\n"
    assert after in source
    space: dict[str, Any] = {}
    monkeypatch.setattr(modeling, "change", change, raising=False)
    exec(source.replace(after, f"{after}    key_states = change(key_states)\n"), vars(modeling), space)
    judged = model("Llama", attn_implementation=attention)
    interface = transformers.modeling_utils.ALL_ATTENTION_FUNCTIONS
    before = type(interface).get_interface, torch.nn.functional.scaled_dot_product_attention
    assert posproof.assert_rope(judged).conforms
    monkeypatch.setattr(modeling.LlamaAttention, "forward", space["forward"])
    with pytest.raises(AssertionError, match="layers 0–2, key as attention takes it"):
        posproof.assert_rope(judged)
    assert before == (type(interface).get_interface, torch.nn.functional.scaled_dot_product_attention)


@pytest.mark.parametrize("late", ["kept", "conjugated"])
def test_a_norm_after_the_rotation_hides_nothing(late: str, monkeypatch: Any) -> None:
    """Llama 4 norms queries and keys that are rotated."""
    torch.manual_seed(1)
    modeling = transformers.models.llama4.modeling_llama4
    changes = {
        "kept": lambda module, key: module.qk_norm(key),
        "conjugated": lambda module, key: module.qk_norm(torch.cat([key[..., :16], -key[..., 16:]], -1)),
    }
    monkeypatch.setattr(modeling, "change", changes[late], raising=False)
    source = textwrap.dedent(inspect.getsource(modeling.Llama4TextAttention.forward))
    assert "key_states = self.qk_norm(key_states)" in source
    space: dict[str, Any] = {}
    exec(source.replace("self.qk_norm(key_states)", "change(self, key_states)"), vars(modeling), space)
    config = transformers.Llama4TextConfig(**SMALL | {"num_hidden_layers": 3}, head_dim=32, num_local_experts=2, intermediate_size_mlp=32)
    judged = transformers.Llama4ForCausalLM(config)
    monkeypatch.setattr(modeling.Llama4TextAttention, "forward", space["forward"])
    if late == "kept":
        assert posproof.assert_rope(judged).unjudged == []
    else:
        with pytest.raises(AssertionError, match="key as attention takes it"):
            posproof.assert_rope(judged)


def test_a_temperature_of_the_queries_is_no_fault() -> None:
    """Ministral's logits grow with the position: its queries are multiplied after the rotation."""
    torch.manual_seed(1)
    rope = {"rope_type": "default", "rope_theta": 1e6, "llama_4_scaling_beta": 0.1, "original_max_position_embeddings": 512}
    config = transformers.Ministral3Config(**SMALL, head_dim=32, rope_parameters=rope)
    assert posproof.assert_rope(transformers.Ministral3ForCausalLM(config)).conforms


@pytest.mark.parametrize("rotates", [True, False])
def test_a_rotation_under_another_name_is_judged(rotates: bool, monkeypatch: Any) -> None:
    """The vectors before it are those that the projections made."""
    modeling = transformers.models.llama.modeling_llama
    source = textwrap.dedent(inspect.getsource(modeling.LlamaAttention.forward))
    space = {"turn": modeling.apply_rotary_pos_emb if rotates else Callable()}
    exec(source.replace("apply_rotary_pos_emb", "turn"), vars(modeling) | space, space)
    monkeypatch.setattr(modeling.LlamaAttention, "forward", space["forward"])
    if rotates:
        report = posproof.assert_rope(model("Llama"))
        assert {f"layer {layer}, {name}" for layer in range(3) for name in ("query", "key")} <= set(report.judged)
    else:
        with pytest.raises(posproof.NotConforming, match="no-rotation") as caught:
            posproof.assert_rope(model("Llama"))
        assert "layers 0–2, query in decoding" in str(caught.value)


def test_nothing_to_judge_is_an_error() -> None:
    """A model without rotation: an error, not a pass."""
    gpt2 = transformers.GPT2LMHeadModel(transformers.GPT2Config(n_embd=32, n_head=2, n_layer=1, vocab_size=40))
    with pytest.raises(posproof.InvalidInput):
        posproof.assert_rope(gpt2)
    with pytest.raises(posproof.InvalidInput, match="expected"):
        posproof.assert_rope(torch.nn.Linear(4, 4))


def whisper() -> Any:
    size = dict(d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2)
    return transformers.WhisperModel(transformers.WhisperConfig(**size, vocab_size=60, pad_token_id=0))


class Tokenless(torch.nn.Linear):  # type: ignore[misc]
    """A module whose table of tokens is none."""

    def get_input_embeddings(self) -> Any:
        return self


@pytest.mark.parametrize(
    ("subject", "found"),
    [
        (lambda: torch.nn.Linear(4, 4), "one without embeddings of tokens"),
        (lambda: Tokenless(4, 4), "one whose embeddings of tokens are Tokenless"),
        (lambda: transformers.ViTModel(transformers.ViTConfig(hidden_size=16, num_attention_heads=2)), "embeddings"),
        (whisper, r"one that does not; pass inputs=\{…\}, what its forward pass takes \(input_features, .*; the run ended with [A-Z][A-Za-z]+Error: "),
    ],
)
def test_what_text_alone_does_not_run_is_told(subject: Any, found: str) -> None:
    """Never another library's exception: a sentence, and the module's mode is as before."""
    module = subject()
    module.train()
    with pytest.raises(posproof.InvalidInput, match=f"runs on input_ids and position_ids alone; found .*{found}"):
        posproof.assert_rope(module, dim=4, positions=range(4))
    assert module.training


def test_positions_that_a_model_counts_itself() -> None:
    """RoFormer takes no positions: those from 0 on are judged, and others are refused."""
    torch.manual_seed(1)
    small = dict(hidden_size=32, embedding_size=32, num_attention_heads=2, num_hidden_layers=2, intermediate_size=32, vocab_size=40)
    roformer = transformers.RoFormerModel(transformers.RoFormerConfig(**small))
    report = posproof.assert_rope(roformer)
    assert {f"layer {layer}, {name}" for layer in range(2) for name in ("query", "key")} <= set(report.judged)
    assert report.unjudged[0].startswith("a batch at different positions: the model takes no position_ids")
    with pytest.raises(posproof.InvalidInput, match="positions: expected those from 0 on"):
        posproof.assert_rope(roformer, positions=range(3, 30))


class Inline(torch.nn.Module):  # type: ignore[misc]
    """A model that rotates where no function can be seen: its rotary module is judged, and nothing else is claimed."""

    def __init__(self) -> None:
        super().__init__()
        llama = model("Llama").model
        self.config, self.embed, self.rotary = llama.config, llama.embed_tokens, llama.rotary_emb

    def get_input_embeddings(self) -> Any:
        return self.embed

    def forward(self, input_ids: Any, position_ids: Any, use_cache: bool) -> Any:
        cos, sin = self.rotary(self.embed(input_ids), position_ids)
        return cos + sin


def test_a_rotary_module_alone() -> None:
    inline = Inline()
    report = posproof.assert_rope(inline)
    assert report.judged == ["rotary"]
    # Its layers are none that are known: said, and not passed over.
    assert len(report.unjudged) == 1 and report.unjudged[0].startswith("layers 0, 1, 2: no module of their attention is known")
    inline.rotary.inv_freq.mul_(0.5)
    with pytest.raises(AssertionError, match="frequency-scaling"):
        posproof.assert_rope(inline)
    assert not inline.rotary._forward_hooks


def test_a_large_bf16_cache_is_not_copied() -> None:
    """64 MiB of PyTorch's are judged with less than a quarter of that in memory besides."""
    rows, dim = 1 << 17, 512
    lent = torch.from_dlpack(posproof.rope_table(dim=dim, positions=range(rows), dtype="bf16")[0])
    assert lent.nbytes == 64 << 20
    # What is reserved once, by threads and tables, is reserved before.
    posproof.check_rope(lent[:4096], dim=dim)
    more = grown(lambda: lent.clone())
    assert more > 60 << 20, f"a copy is to be seen, and only {more >> 20} MiB are"
    more = grown(lambda: posproof.check_rope(lent, dim=dim))
    assert more < 16 << 20, f"{more >> 20} MiB"
    assert posproof.check_rope(lent, dim=dim).grade == "correctly-rounded"


def test_a_model_is_left_as_it_was() -> None:
    llama = model("Llama").train()
    namespace = __import__(type(llama).__module__, fromlist=["apply_rotary_pos_emb"])
    before = namespace.apply_rotary_pos_emb
    posproof.assert_rope(llama)
    assert namespace.apply_rotary_pos_emb is before
    assert llama.training
    assert not any(module._forward_pre_hooks for module in llama.modules())


@pytest.mark.parametrize("name", ["Llama", "Gemma3Text"])
def test_rotary_modules(name: str) -> None:
    rotary = model(name).model.rotary_emb
    report = posproof.assert_rope(rotary, positions=range(4096))
    assert len(report.judged) == (2 if name == "Gemma3Text" else 1)
    rotary.to(torch.bfloat16)
    with pytest.raises(AssertionError):
        posproof.assert_rope(rotary, positions=range(4096))


def rotate(x: Any, positions: Any) -> Any:
    frequencies = 10000.0 ** -(torch.arange(0, 64, 2) / 64)
    theta = torch.outer(positions.float(), frequencies)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * theta.cos() - second * theta.sin(), second * theta.cos() + first * theta.sin()], dim=-1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_functions_of_tensors(dtype: Any) -> None:
    report = posproof.assert_rope(
        lambda x, positions: rotate(x, positions).to(dtype),
        dim=64,
        layout="halves",
        positions=torch.arange(256),
        dtype=dtype,
        gradient=dtype == torch.float32,
    )
    assert report.judged == (["", "gradient"] if dtype == torch.float32 else [""])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x, positions: rotate(x.detach(), positions),
        lambda x, positions: rotate(2 * x - x.detach(), positions),
        # y forward, the rotation back of another position backward.
        lambda x, positions: rotate(x, positions).detach() + rotate(x, positions + 1) - rotate(x, positions + 1).detach(),
        # Reversed: the gradient is rotated as the vectors are.
        lambda x, positions: rotate(x, positions).detach() + rotate(x, -positions) - rotate(x, -positions).detach(),
    ],
    ids=["severed", "doubled", "of another position", "reversed"],
)
def test_a_wrong_gradient_is_found(wrong: Any) -> None:
    with pytest.raises(AssertionError, match="gradient"):
        posproof.assert_rope(
            wrong,
            dim=64,
            layout="halves",
            positions=torch.arange(256),
            gradient=True,
        )


def test_tensors() -> None:
    theta = torch.outer(torch.arange(300.0), 10000.0 ** -(torch.arange(0, 64, 2) / 64))
    assert posproof.check_rope(theta.cos().requires_grad_(), theta.sin().to(torch.bfloat16), dim=64).conforms
    cos, _ = posproof.rope_table(dim=64, positions=range(300), dtype=torch.bfloat16)
    lent = torch.from_dlpack(cos)
    assert (lent.dtype, tuple(lent.shape)) == (torch.bfloat16, (300, 32))
    assert posproof.check_rope(torch.from_dlpack(cos), dim=64).grade == "correctly-rounded"
