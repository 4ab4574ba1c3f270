"""Causal language models: each token's log-probability as one run of the model over its own context gives it."""

from __future__ import annotations

import io
import math
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from later import imported_later
from small_causal_model import CONTEXT, TEXT, make_model

from metrologue import InputError
from metrologue.language_models import causal, loaded_digest
from metrologue.language_models.causal import CausalModel, windows
from metrologue.language_models.pretrained import digested_name
from metrologue.text.lexicon import file_digest

torch = imported_later("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
imported_later("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")

TEXTS = [
    "The cat sat on the mat.",
    "x",
    "A bird 🎉 sang: שלום, 你好",
    "\n\t ",
    "e\u0301 <s> \x00 \u2028",
    "the dog " * 5,
]


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small model like GPT-2."""
    return make_model(tmp_path_factory.mktemp("model") / "small gpt2")


@pytest.fixture(scope="module")
def exact(gpt2: Path) -> CausalModel:
    """That model in double precision."""
    return CausalModel(gpt2, dtype="float64")


def arrow(texts: list[str]) -> pa.LargeStringArray:
    return pa.array(texts, pa.large_string())


def by_hand(
    folder: Path, text: str, start_token: bool = True, width: int | None = None, stride: int = 1, dtype: Any = None
) -> list[float]:
    """The log-probability of each token, by a run of the model over the token and its context alone."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder).to(dtype or torch.float64).eval()
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    ids = [tokenizer.bos_token_id, *ids] if start_token else ids
    found = []
    for token in range(1, len(ids)):
        # The first window that reaches this token.
        first = max(0, math.ceil((token + 1 - width) / stride)) * stride if width else 0
        with torch.no_grad():
            logits = model(torch.tensor([ids[first:token]])).logits[0, -1]
        found.append(float(torch.log_softmax(logits, -1)[ids[token]]))
    return found


def rows(model: CausalModel, texts: list[str]) -> list[list[float]]:
    scores = model.score_texts(arrow(texts))
    return [part.tolist() for part in np.split(scores.log_probabilities, scores.offsets[1:-1])]


class TestScores:
    @pytest.mark.parametrize("start_token", [True, False])
    @pytest.mark.parametrize("kind", ["gpt2", "llama", "bloom"])
    def test_each_token_as_by_hand(self, kind: str, start_token: bool, tmp_path: Path) -> None:
        folder = make_model(tmp_path / kind, kind)
        texts = TEXTS if start_token else [text for text in TEXTS if len(text) > 1]
        found = rows(CausalModel(folder, 4, start_token, dtype="float64"), texts)
        for text, row in zip(texts, found, strict=True):
            # BLOOM's attention is in single precision always.
            tolerance = 1e-7 if kind == "bloom" else 1e-9
            assert row == pytest.approx(by_hand(folder, text, start_token), rel=tolerance)

    @given(texts=st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=8), size=st.integers(1, 9))
    def test_any_batch(self, exact: CausalModel, texts: list[str], size: int) -> None:
        """The order is the caller's, and the other texts of a batch change nothing."""
        alone = [rows(exact, [text])[0] for text in texts]
        exact.batch_size = size
        for row, expected in zip(rows(exact, texts), alone, strict=True):
            assert row == pytest.approx(expected, rel=1e-9)

    def test_any_batch_in_single_precision(self, gpt2: Path) -> None:
        texts = [text[: 3 + i] for i in range(7) for text in TEXT]
        expected = np.concatenate(rows(CausalModel(gpt2, 1), texts))
        for size in (2, 7, 64):
            np.testing.assert_allclose(np.concatenate(rows(CausalModel(gpt2, size), texts)), expected, rtol=2e-6)

    def test_offsets_and_unknown_tokens(self, tmp_path: Path) -> None:
        folder = make_model(tmp_path / "words", words=True, bos_token="<s>")
        model = CausalModel(folder)
        scores = model.score_texts(arrow(["the zebra sat", "dog", "a b <unk>"]))
        assert scores.offsets.tolist() == [0, 3, 4, 7]
        assert scores.unknown.tolist() == [False, True, False, False, True, True, True]
        assert model.tokens("the zebra sat") == ["the", " zebra", " sat"]
        assert (scores.log_probabilities < 0).all()
        assert model.base == math.e

    def test_start_token_of_unknown_tokens(self, tmp_path: Path) -> None:
        """GPT-2 has one id for the start, the end and unknown tokens; no token of a text is unknown to it."""
        model = CausalModel(make_model(tmp_path / "one", bos_token="<s>", unk_token="<s>"))
        assert not model.score_texts(arrow(["the <s> cat"])).unknown.any()

    def test_no_texts(self, exact: CausalModel) -> None:
        scores = exact.score_texts(arrow([]))
        assert (len(scores.log_probabilities), scores.offsets.tolist(), len(scores.unknown)) == (0, [0], 0)

    def test_slices(self, exact: CausalModel) -> None:
        whole = exact.score_texts(arrow(["no", "the cat", "a dog"])[1:])
        assert whole.log_probabilities == pytest.approx(np.concatenate(rows(exact, ["the cat", "a dog"])), rel=1e-12)

    def test_a_tokenizer_that_pads_on_the_left_or_not_at_all(self, gpt2: Path, tmp_path: Path) -> None:
        expected = rows(CausalModel(gpt2, 1), TEXTS)
        special = {"bos_token": "<s>", "pad_token": "<pad>", "padding_side": "left"}
        left = rows(CausalModel(make_model(tmp_path / "left", **special)), TEXTS)
        assert np.concatenate(left) == pytest.approx(np.concatenate(expected), rel=2e-6)
        none = make_model(tmp_path / "none", bos_token="<s>")
        assert CausalModel(none).score_texts(arrow(TEXTS)).log_probabilities == pytest.approx(
            np.concatenate(rows(CausalModel(none, 1), TEXTS)), rel=2e-6
        )

    def test_half_precision(self, gpt2: Path) -> None:
        found = np.concatenate(rows(CausalModel(gpt2, dtype="bfloat16"), TEXTS))
        assert found == pytest.approx(np.concatenate(rows(CausalModel(gpt2), TEXTS)), abs=0.1)

    def test_torchmetrics(self, gpt2: Path) -> None:
        metric = pytest.importorskip("torchmetrics.text", reason="torchmetrics is not installed").Perplexity()
        model = CausalModel(gpt2, add_start_token=False)
        ids = model._tokenizer(TEXT[0], return_tensors="pt", add_special_tokens=False)["input_ids"]
        with torch.no_grad():
            logits = model._model(ids).logits
        theirs = float(metric(logits[:, :-1], ids[:, 1:]))
        assert math.exp(-np.mean(rows(model, TEXT[:1])[0])) == pytest.approx(theirs, rel=1e-6)

    def test_no_gradients_and_no_dropout(self, exact: CausalModel) -> None:
        assert exact.score_texts(arrow(TEXTS)).log_probabilities.tolist() == np.concatenate(rows(exact, TEXTS)).tolist()
        runs = []
        hook = exact._model.register_forward_hook(lambda *run: runs.append((run[0].training, run[2])))
        exact.score_texts(arrow(TEXTS))
        hook.remove()
        assert runs
        for is_training, output in runs:
            assert not is_training
            assert not output.logits.requires_grad
            assert output.past_key_values is None

    @pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU that torch can use")
    def test_gpu(self, gpt2: Path) -> None:
        on_gpu, on_cpu = CausalModel(gpt2, device="gpu"), CausalModel(gpt2, device="cpu")
        assert on_gpu._model.device.type == "cuda"
        assert np.concatenate(rows(on_gpu, TEXTS)) == pytest.approx(np.concatenate(rows(on_cpu, TEXTS)), rel=1e-4)


class TestLongTexts:
    @given(
        width=st.integers(2, CONTEXT),
        part=st.floats(0, 1),
        letters=st.text("abcdefgh", min_size=2, max_size=70),
        start_token=st.booleans(),
    )
    def test_each_token_as_by_hand(
        self, gpt2: Path, exact: CausalModel, width: int, part: float, letters: str, start_token: bool
    ) -> None:
        stride = 1 + round(part * (width - 2))
        model = CausalModel(gpt2, 3, start_token, max_length=width, stride=stride, dtype="float64")
        assert rows(model, ["x y", letters])[1] == pytest.approx(
            by_hand(gpt2, letters, start_token, width, stride), rel=1e-9
        )

    @given(length=st.integers(0, 60), width=st.integers(2, 20), part=st.floats(0, 1))
    def test_each_token_once(self, length: int, width: int, part: float) -> None:
        stride = 1 + round(part * (width - 2))
        views = windows(7, length, width, stride)
        scored = [token for view in views for token in range(view.scored, view.stop)]
        assert scored == [*range(1, length)]
        for view in views:
            assert view.text == 7
            assert view.scored - view.start > 0
            assert view.stop - view.start <= width
            assert view.start == 0 or view.scored - view.start == width - stride

    def test_the_models_own_context(self, gpt2: Path) -> None:
        text = " the cat sat" * 12
        found = rows(CausalModel(gpt2, stride=10, dtype="float64"), [text])[0]
        assert found == pytest.approx(by_hand(gpt2, text, True, CONTEXT, 10), rel=1e-9)

    def test_a_text_within_the_context_has_no_windows(self, gpt2: Path) -> None:
        expected = np.concatenate(rows(CausalModel(gpt2), TEXTS))
        assert np.concatenate(rows(CausalModel(gpt2, stride=5), TEXTS)) == pytest.approx(expected, rel=2e-6)

    @pytest.mark.parametrize("start_token", [True, False])
    def test_cut_off(self, gpt2: Path, start_token: bool) -> None:
        """As the Hub's module cuts: `max_length` counts the start token."""
        model = CausalModel(gpt2, 2, start_token, max_length=5, dtype="float64")
        text = "abcdefghijklm"
        (found,) = rows(model, [text])
        assert len(found) == 4 == len(model.tokens(text))
        assert found == pytest.approx(by_hand(gpt2, text, start_token)[:4], rel=1e-9)

    def test_too_long(self, gpt2: Path) -> None:
        with pytest.raises(InputError, match=r"`texts\[1\]` has 41 tokens, with the start .* is 32. Give `stride`"):
            CausalModel(gpt2).score_texts(arrow(["a", "x" * 40]))
        with pytest.raises(InputError, match=r"cannot score 41 tokens \(index out of range"):
            CausalModel(gpt2, max_length=50).score_texts(arrow(["a", "x" * 40]))

    def test_a_model_for_any_length(self, tmp_path: Path) -> None:
        folder = make_model(tmp_path / "bloom", "bloom")
        assert len(rows(CausalModel(folder), ["x" * 100])[0]) == 100
        with pytest.raises(InputError, match="does not say how long a text may be; give max_length"):
            CausalModel(folder, stride=5)
        assert len(rows(CausalModel(folder, max_length=10, stride=5), ["x" * 100])[0]) == 100


class TestInput:
    def test_short_texts(self, gpt2: Path) -> None:
        with pytest.raises(InputError, match=r"`texts\[1\]` has no tokens; 1 or more are needed: drop it"):
            CausalModel(gpt2).score_texts(arrow(["a", ""]))
        model = CausalModel(gpt2, add_start_token=False)
        with pytest.raises(InputError, match=r"`texts\[0\]` has no tokens; 2 or more are needed: drop it"):
            model.score_texts(arrow(["", "ab"]))
        with pytest.raises(InputError, match=r"`texts\[2\]` has 1 token; 2 or more .* give add_start_token=True"):
            model.score_texts(arrow(["ab", "ab", "x"]))

    def test_no_start_token(self, tmp_path: Path) -> None:
        folder = make_model(tmp_path / "none", pad_token="<pad>")
        with pytest.raises(InputError, match="has no start token; give add_start_token=False"):
            CausalModel(folder)
        assert len(rows(CausalModel(folder, add_start_token=False), ["xyz"])[0]) == 2

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"batch_size": 0}, "batch_size: 0 is not an int from 1"),
            ({"max_length": 1}, "max_length: 1 is not an int from 2"),
            ({"stride": 0}, "stride: 0 is not an int from 1"),
            ({"stride": CONTEXT}, "stride=32 must be less than the width of a window, 32"),
            ({"stride": 5, "max_length": 5}, "stride=5 must be less than the width of a window, 5"),
            ({"device": "abacus"}, "no device 'abacus' here"),
            ({"device": 3.5}, "no device 3.5 here"),
            ({"dtype": "int8"}, "dtype='int8'; 'float32'"),
            ({"dtype": "nn"}, "dtype='nn'; 'float32'"),
        ],
    )
    def test_options(self, gpt2: Path, options: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError, match=message):
            CausalModel(gpt2, **options)

    def test_no_gpu(self, gpt2: Path) -> None:
        if torch.cuda.is_available():
            pytest.skip("there is a GPU")
        with pytest.raises(InputError, match="no device 'gpu' here"):
            CausalModel(gpt2, device="gpu")

    def test_no_model(self, gpt2: Path, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"cannot be read as a causal language model: ."):
            CausalModel(tmp_path)
        with pytest.raises(InputError, match=r"nowhere' is no folder, and no model on a Hub in reach: ."):
            CausalModel(tmp_path / "nowhere")
        wrong: Any = 3
        with pytest.raises(InputError, match=r"`model_id` is 3; a folder or the name of a model, or .* is expected"):
            CausalModel(wrong)
        for path in gpt2.glob("tokenizer*"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
        (tmp_path / "config.json").write_text('{"model_type": "vit"}', "utf-8")
        with pytest.raises(InputError, match="cannot be read as a causal language model: "):
            CausalModel(tmp_path)

    def test_files_that_are_cut_off_or_missing(self, gpt2: Path, tmp_path: Path) -> None:
        for path in gpt2.iterdir():
            content = path.read_bytes()
            (tmp_path / path.name).write_bytes(content[:5000] if path.suffix == ".safetensors" else content)
        with pytest.raises(InputError, match=r"cannot be read as a causal language model: .*incomplete metadata"):
            CausalModel(tmp_path)
        for path in tmp_path.glob("tokenizer*"):
            path.unlink()
        with pytest.raises(InputError, match="has no tokenizer, or one without a vocabulary"):
            CausalModel(tmp_path)

    def test_weights_that_are_not_there(self, gpt2: Path, tmp_path: Path) -> None:
        """`transformers` draws them at random, so that each process has other numbers."""
        from safetensors.torch import load_file, save_file

        for path in gpt2.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        weights = load_file(tmp_path / "model.safetensors")
        del weights["transformer.ln_f.weight"]
        save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
        with pytest.raises(
            InputError, match=r"has no weights transformer\.ln_f\.weight; it is no causal language model"
        ):
            CausalModel(tmp_path)

    def test_nan(self, gpt2: Path) -> None:
        model = CausalModel(gpt2)
        model._model.transformer.wpe.weight.data[6:] = math.nan
        model.batch_size = 1
        with pytest.raises(InputError, match=r"`texts\[2\]`, or a text in its batch: the model gives NaN"):
            model.score_texts(arrow(["abc", "abcd", "abcdefgh", "ab"]))

    @pytest.mark.parametrize("missing", ["torch", "transformers"])
    def test_missing_packages(self, missing: str, gpt2: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, missing, None)
        with pytest.raises(InputError, match=rf"{missing} is not installed; pip install .*\[transformers\]"):
            CausalModel(gpt2)

    def test_imports(self) -> None:
        code = (
            "import sys, metrologue.language_models.causal; print({'torch', 'transformers', 'tqdm'} & {*sys.modules})"
        )
        assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


class TestTokens:
    @given(text=st.text(min_size=1, max_size=7))
    def test_together_they_are_the_text(self, exact: CausalModel, text: str) -> None:
        tokens = exact.tokens(text)
        assert len(tokens) == len(rows(exact, [text])[0])
        if "…" not in text:
            assert "".join(token for token in tokens if token != "…") == text

    def test_as_people_read_them(self, gpt2: Path) -> None:
        assert CausalModel(gpt2).tokens("The dog 🎉") == ["The", " dog", " ", "🎉", "…", "…", "…"]
        assert CausalModel(gpt2, add_start_token=False).tokens("The dog") == [" dog"]


class TestName:
    def test_what_changes_a_number(self, gpt2: Path) -> None:
        plain = CausalModel(gpt2, 3, device="cpu").name
        assert plain.startswith("small_gpt2@")
        assert len(plain) == len("small_gpt2@") + 12
        marked = CausalModel(gpt2, 1, False, max_length=9, stride=4, dtype="bfloat16").name
        assert marked == f"{plain}+no-start+width-9+stride-4+bfloat16"
        assert CausalModel(gpt2, max_length=9).name == f"{plain}+max-length-9"

    def test_digest(self, gpt2: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "cache"))
        monkeypatch.setattr(file_digest, "_SMALL", 0)
        monkeypatch.setattr(file_digest, "_TICK", 0)
        other = make_model(tmp_path / "small gpt2")
        names = [CausalModel(gpt2).name, CausalModel(other).name]
        assert names[0] == names[1]  # of equal files
        with monkeypatch.context() as patch:
            patch.setattr(loaded_digest, "_digest", lambda files: pytest.fail("the digest is computed again"))
            assert CausalModel(gpt2).name == names[0]
        make_model(tmp_path / "small gpt2", seed=1)
        assert CausalModel(other).name != names[0]
        (gpt2 / "README.md").write_text("no file of the model", "utf-8")
        assert CausalModel(gpt2).name == names[0]

    def test_a_commit_of_the_hub(self, gpt2: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        model = CausalModel(gpt2)
        monkeypatch.setattr(model._model.config, "_commit_hash", "607a30d783dfa663caf39e06633721c8d4cfcd7e", False)
        assert digested_name("team/gpt2", model._model.config, model._tokenizer) == "team/gpt2@607a30d783df"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class TestLongWork:
    @pytest.mark.parametrize(("stream", "shown"), [(_Terminal, True), (io.StringIO, False)])
    def test_progress(
        self, gpt2: Path, stream: Callable[[], io.StringIO], shown: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(causal, "_PATIENCE", 0.0)
        monkeypatch.setattr(sys, "stderr", stream())
        CausalModel(gpt2, 1).score_texts(arrow(TEXTS))
        assert ("small_gpt2" in sys.stderr.getvalue()) == shown
        assert shown or not sys.stderr.getvalue()

    def test_logits_of_one_batch_only(self, gpt2: Path) -> None:
        model, alive = CausalModel(gpt2, 2), []

        def watch(module: Any, arguments: Any, output: Any) -> None:
            assert not any(logits() is not None for logits in alive)
            alive.append(weakref.ref(output.logits))

        model._model.register_forward_hook(watch)
        model.score_texts(arrow(TEXTS))
        assert len(alive) == 3
