"""Language models that the caller loaded: numbers as of their folders, names by content, and nothing is changed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from later import imported_later
from small_causal_model import make_model, make_tokenizer
from small_encoder import Letters
from small_masked_model import make_masked_model

import metrologue
from metrologue import InputError
from metrologue.language_models import open_model
from metrologue.language_models.causal import CausalModel
from metrologue.language_models.masked import MaskedModel

torch = imported_later("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
transformers = imported_later(
    "transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'"
)

TEXTS = pa.array(["The cat sat.", "a dog"], pa.large_string())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("loaded") / "small gpt2")


@pytest.fixture(scope="module")
def masked_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_masked_model(tmp_path_factory.mktemp("loaded") / "small roberta")


def loaded(folder: Path, kind: str = "AutoModelForCausalLM", **options: Any) -> tuple[Any, Any]:
    """A model and its tokenizer as a user loads them."""
    model = getattr(transformers, kind).from_pretrained(folder, **options)
    return model, transformers.AutoTokenizer.from_pretrained(folder)


def scores(model: Any) -> list[float]:
    found: list[float] = model.score_texts(TEXTS).log_probabilities.tolist()
    return found


def trained_a_step(model: Any) -> None:
    optimiser = torch.optim.SGD(model.parameters(), lr=0.5)
    model(torch.tensor([[1, 2, 3]])).logits.square().sum().backward()
    optimiser.step()
    optimiser.zero_grad()


def adapted(inside: Any) -> Any:
    """The model in a wrapper, as libraries of adapters make one: attributes of the model inside are its own."""

    class Adapted(torch.nn.Module):
        def __init__(self, model: Any) -> None:
            super().__init__()
            self.inside = model
            self.peft_config: dict[str, Any] = {}
            self.layer = torch.nn.Identity()
            self.layer.active_adapters, self.layer.disable_adapters = ["default"], False
            self.layer.scaling = {"default": 1.0}

        def __getattr__(self, name: str) -> Any:
            try:
                return super().__getattr__(name)
            except AttributeError:
                return getattr(super().__getattr__("inside"), name)

        def get_base_model(self) -> Any:
            return self.inside

        def forward(self, **given: Any) -> Any:
            found = self.inside(**given)
            found.logits = found.logits * self.layer.scaling["default"]
            return found

    return Adapted(inside)


def test_the_numbers_of_the_folder(folder: Path, masked_folder: Path) -> None:
    for place, kind in ((folder, "AutoModelForCausalLM"), (masked_folder, "AutoModelForMaskedLM")):
        opened, given = open_model(place), open_model(loaded(place, kind))
        assert type(given) is type(opened)
        assert scores(given) == scores(opened)
        assert given.tokens("the cat") == opened.tokens("the cat")
        assert given.name.partition("@")[0] == opened.name.partition("@")[0]


@pytest.mark.parametrize(
    ("metric", "inputs"),
    [
        ("perplexity", {}),
        ("cross_entropy", {"per": "byte"}),
        pytest.param("fed", {"level": "turn", "contexts": [["a dog"]]}, marks=pytest.mark.slow),
        pytest.param("usr", {"contexts": [["a dog"]], "facts": ["a cat"]}, marks=pytest.mark.slow),
    ],
)
def test_metrics(metric: str, inputs: dict[str, Any], folder: Path, masked_folder: Path, tmp_path: Path) -> None:
    place, kind = (masked_folder, "AutoModelForMaskedLM") if metric == "usr" else (folder, "AutoModelForCausalLM")
    if metric == "fed":  # which needs a longer context
        place = make_model(tmp_path / "bloom", "bloom")
    others: dict[str, Any] = {"context_encoder": Letters(), "fact_encoder": Letters()} if metric == "usr" else {}
    first, again, expected = (
        metrologue.score(metric, ["the cat"], model=model, **inputs, **others)
        for model in (loaded(place, kind), loaded(place, kind), place)
    )
    assert first.scores == expected.scores
    assert f"|model={place.name.replace(' ', '_')}@" in first.signature
    assert first.signature == again.signature


@pytest.mark.parametrize("kind", ["gpt2", "llama", "bloom"])
def test_nothing_of_the_callers_model_changes(kind: str, tmp_path: Path) -> None:
    model, tokenizer = loaded(make_model(tmp_path / kind, kind))
    model.train()
    [*model.modules()][-1].eval()  # a part that the caller has frozen
    model.config.use_cache = True
    tokenizer.padding_side = "left"

    def state() -> tuple[Any, ...]:
        weights = [(name, each.data_ptr(), each.device, each.dtype, each.tolist()) for name, each in parameters]
        return weights, [each.training for each in model.modules()], model.config.to_dict(), tokenizer.padding_side

    parameters = [*model.named_parameters()]
    before = state()
    scores(CausalModel((model, tokenizer), max_length=9, stride=3))
    assert state() == before
    with pytest.raises(InputError, match="has no tokens"):
        CausalModel((model, tokenizer), add_start_token=False).score_texts(pa.array([""], pa.large_string()))
    assert state() == before  # after an error, too
    trained_a_step(model)  # no tensor is left in it that cannot be trained with


class TestName:
    def test_equal_weights_have_equal_names(self, folder: Path) -> None:
        pair = loaded(folder)
        name = CausalModel(pair).name
        assert name == CausalModel(loaded(folder)).name == CausalModel(copy.deepcopy(pair)).name
        other = CausalModel(pair, 3, device="cpu", dtype="float32")
        assert name == other.name == pickle.loads(pickle.dumps(other)).name == copy.deepcopy(other).name
        pair[0].train()
        pair[1](["a cat", "cats"], padding=True, truncation=True, max_length=1)  # a tokenizer keeps the settings
        assert name == CausalModel(pair).name
        assert name == CausalModel((copy.deepcopy(pair[0]), copy.deepcopy(pair[1]))).name

    def test_what_changes_a_number(self, folder: Path, tmp_path: Path) -> None:
        model, tokenizer = loaded(folder)
        names = [CausalModel((model, tokenizer)).name]
        names.append(CausalModel(loaded(make_model(tmp_path / "small gpt2", seed=1))).name)
        words = tmp_path / "words"
        make_tokenizer(words, words=True, bos_token="<s>")
        names.append(CausalModel((model, transformers.AutoTokenizer.from_pretrained(words))).name)
        names.append(CausalModel(loaded(folder, n_head=4)).name)  # the same weights, used in another way
        names.append(CausalModel(loaded(folder, dtype=torch.bfloat16)).name)
        assert names[-1].endswith("+bfloat16")
        assert len({*names}) == 5
        marked = CausalModel((model, tokenizer), 1, False, max_length=9, stride=4).name
        assert marked == f"{names[0]}+no-start+width-9+stride-4"

    def test_tokenizers_of_python(self, tmp_path: Path) -> None:
        """Those that have no serialised form are known by their settings and files."""
        model = make_model(tmp_path / "bytes")
        tokenizer = transformers.ByT5Tokenizer(extra_ids=3)
        tokenizer.save_pretrained(tmp_path / "same")
        lower = transformers.ByT5Tokenizer(extra_ids=3)
        lower.add_tokens(["cat"])
        same = transformers.AutoTokenizer.from_pretrained(tmp_path / "same")
        models = [CausalModel((loaded(model)[0], each), add_start_token=False) for each in (tokenizer, same, lower)]
        assert models[0].name == models[1].name != models[2].name
        assert models[0].score_texts(TEXTS).offsets.tolist() == [0, 11, 15]

    def test_a_model_without_a_source_has_the_name_of_its_class(self, folder: Path) -> None:
        config = transformers.AutoConfig.from_pretrained(folder)
        config._name_or_path = ""
        model = transformers.GPT2LMHeadModel(config)
        assert CausalModel((model, loaded(folder)[1])).name.startswith("GPT2LMHeadModel@")

    @pytest.mark.parametrize(
        "change",
        [
            trained_a_step,
            lambda model: model.transformer.ln_f.weight.data.mul_(2),
            lambda model: setattr(model.config, "scale_attn_weights", False),
        ],
    )
    def test_a_model_that_was_changed_has_to_be_given_again(self, folder: Path, change: Callable[[Any], Any]) -> None:
        pair = loaded(folder)
        before = CausalModel(pair)
        first = scores(before)
        change(pair[0])
        with pytest.raises(
            InputError, match=r"have changed since the model was given; give \(model, tokenizer\) again"
        ):
            before.score_texts(TEXTS)
        after = CausalModel(pair)
        assert after.name.partition("@")[2] != CausalModel(loaded(folder)).name.partition("@")[2]
        assert scores(after) != first or change is not trained_a_step

    def test_a_masked_model_that_was_changed(self, masked_folder: Path) -> None:
        pair = loaded(masked_folder, "AutoModelForMaskedLM")
        before = MaskedModel(pair)
        trained_a_step(pair[0])
        with pytest.raises(InputError, match=r"MaskedModel: .* have changed since the model was given"):
            before.score_texts(TEXTS)

    def test_adapters(self, folder: Path, masked_folder: Path) -> None:
        plain, tokenizer = loaded(folder)
        model = adapted(plain)
        names, found = [], []
        for scale, active in ((1.0, "default"), (2.0, "default"), (2.0, "other")):
            model.layer.scaling["default"], model.layer.active_adapters = scale, [active]
            given = CausalModel((model, tokenizer))
            names.append(given.name)
            found.append(scores(given))
        assert len({*names}) == 3
        assert found[0] == scores(CausalModel((plain, tokenizer))) != found[1]
        masked = loaded(masked_folder, "AutoModelForMaskedLM")
        assert isinstance(open_model((adapted(masked[0]), masked[1])), MaskedModel)


class TestRefused:
    @pytest.mark.parametrize(
        ("given", "message"),
        [
            (
                lambda model, tokenizer: (tokenizer, model),
                "its tokenizer are expected, in this order",
            ),
            (lambda model, tokenizer: (model, "gpt2"), r"\(GPT2LMHeadModel, str\) is given"),
            (lambda model, tokenizer: (model, tokenizer, 3), r"in this order: \(model, tokenizer\)"),
            (lambda model, tokenizer: (model,), r"\(GPT2LMHeadModel\) is given"),
            (lambda model, tokenizer: model, r"a GPT2LMHeadModel has no tokenizer with it; give \(model, tokenizer\)"),
            (lambda model, tokenizer: (model.transformer, tokenizer), "a GPT2Model is no causal language model"),
            (lambda model, tokenizer: ("a", "b"), r"is \('a', 'b'\); None or a language model, its file or folder, "),
            (
                lambda model, tokenizer: tokenizer,
                r"file or folder, \(model, tokenizer\), ",
            ),
        ],
    )
    def test_what_is_no_pair(self, folder: Path, given: Callable[..., Any], message: str) -> None:
        with pytest.raises(InputError, match=f"^Perplexity: `model`.*{message}"):
            metrologue.score("perplexity", ["the cat"], model=given(*loaded(folder)))

    def test_a_tokenizer_that_does_not_fit(self, folder: Path, masked_folder: Path, tmp_path: Path) -> None:
        model, tokenizer = loaded(folder)
        make_tokenizer(tmp_path / "own", eos_token="<e>")
        without_start = transformers.AutoTokenizer.from_pretrained(tmp_path / "own")
        with pytest.raises(InputError, match="has no start token; give add_start_token=False"):
            CausalModel((model, without_start))
        assert len(scores(CausalModel((model, without_start), add_start_token=False)))
        tokenizer.add_tokens([f"own{number}" for number in range(11)])
        with pytest.raises(InputError, match=r"ids up to 310, and the model GPT2LMHeadModel has vectors of 310 tokens"):
            CausalModel((model, tokenizer))
        model.resize_token_embeddings(len(tokenizer))
        assert len(scores(CausalModel((model, tokenizer))))
        masked = loaded(masked_folder, "AutoModelForMaskedLM")
        with pytest.raises(InputError, match=r"has no mask"):
            MaskedModel((masked[0], loaded(folder)[1]))
        with pytest.raises(InputError, match="a RobertaForMaskedLM is no causal language model"):
            CausalModel(masked)
        with pytest.raises(InputError, match="a RobertaModel is none that AutoModelForMaskedLM loads"):
            MaskedModel((masked[0].roberta, masked[1]))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"device": "meta"}, "device='meta', but the loaded model is on cpu, where it stays"),
            ({"device": "abacus"}, "no device 'abacus' here"),
            ({"dtype": "bfloat16"}, "dtype='bfloat16', but the loaded model has torch.float32, which it keeps"),
            ({"revision": "main"}, "`revision` is that of a name on the Hub; a loaded model has none"),
        ],
    )
    def test_what_would_change_the_model(self, folder: Path, options: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            CausalModel(loaded(folder), **options)

    def test_weights_that_are_not_in_memory(self, folder: Path) -> None:
        model, tokenizer = loaded(folder)
        model.transformer.ln_f.to("meta")
        with pytest.raises(InputError, match=r"weights transformer\.ln_f\.bias are not in memory.*without offloading"):
            CausalModel((model, tokenizer))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # torch moves this to a package of its own
def test_quantised_weights(folder: Path) -> None:
    model, tokenizer = loaded(folder, "AutoModelForCausalLM")

    def quantised() -> Any:
        return torch.ao.quantization.quantize_dynamic(copy.deepcopy(model), {torch.nn.Linear}, dtype=torch.qint8)

    one = CausalModel((quantised(), tokenizer))
    assert one.name == CausalModel((quantised(), tokenizer)).name != CausalModel((model, tokenizer)).name
    assert scores(one) == pytest.approx(scores(CausalModel((model, tokenizer))), abs=0.5)


@pytest.mark.slow
def test_adapters_of_peft(folder: Path) -> None:
    peft = pytest.importorskip("peft", reason="peft is not installed")
    model, tokenizer = loaded(folder)
    plain = scores(CausalModel((model, tokenizer)))
    lora = peft.LoraConfig(task_type="CAUSAL_LM", r=2, init_lora_weights=False)
    adapted = peft.get_peft_model(model, lora).train()
    given = CausalModel((adapted, tokenizer))
    name, with_adapter = given.name, scores(given)
    assert with_adapter != plain
    assert adapted.training
    with adapted.disable_adapter():
        assert CausalModel((adapted, tokenizer)).name != name
        assert scores(CausalModel((adapted, tokenizer))) == plain
    assert scores(given) == with_adapter
    prompted = peft.get_peft_model(
        loaded(folder)[0], peft.PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=4)
    )
    ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer("a dog", add_special_tokens=False)["input_ids"]]])
    with torch.no_grad():
        logs = prompted.eval()(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[0, 4:-1].log_softmax(-1)
    expected = logs.gather(-1, ids[0, 1:, None])[:, 0].tolist()
    found = CausalModel((prompted, tokenizer)).score_texts(TEXTS[1:]).log_probabilities
    assert found.tolist() == pytest.approx(expected, rel=1e-5)
