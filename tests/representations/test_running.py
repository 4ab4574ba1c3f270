"""How a model runs, in the same words for every metric; and the numbers of a GPU are those of a CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from later import imported_later
from small_causal_model import make_model
from small_encoder import make_encoder
from small_sequence import make_sequence_model

import metrologue
from metrologue import InputError
from metrologue.learned.store import sample_folder

torch = imported_later("torch", reason="pip install 'metrologue[transformers]'")
imported_later("transformers", reason="pip install 'metrologue[transformers]'")

TEXTS = ["the cat sat on the mat.", "a dog saw the cat.", "the bird sang."]
REFERENCES = ["a cat sat on a mat.", "the dog saw a cat and a bird.", "the cat slept."]
MODELS: dict[str, Any] = {
    "bertscore": make_encoder,
    "moverscore": make_encoder,
    "semantic_similarity": make_encoder,
    "bartscore": make_sequence_model,
    "factcc": lambda folder: _labelled(folder),
    "nli_faithfulness": lambda folder: _labelled(folder),
    "perplexity": make_model,
    "bleurt": lambda folder: sample_folder("bleurt"),
}


def _labelled(folder: Path) -> Path:
    """A classifier with the labels of consistency."""
    made = make_encoder(folder, labels=2)
    config = made / "config.json"
    text = config.read_text("utf-8").rstrip().removesuffix("}")
    named = '"id2label": {"0": "CORRECT", "1": "INCORRECT"}, "label2id": {"CORRECT": 0, "INCORRECT": 1}'
    config.write_text(f"{text}, {named}}}", "utf-8")
    return made


def _scores(metric: str, folder: Path, **options: Any) -> dict[str, float]:
    references = {} if metric == "perplexity" else {"references": REFERENCES}
    return dict(metrologue.score(metric, TEXTS, **references, model=str(folder), **options).scores)


@pytest.mark.parametrize("metric", MODELS)
def test_the_same_words_for_every_metric(metric: str, tmp_path: Path) -> None:
    folder = MODELS[metric](tmp_path / "model")
    expected = _scores(metric, folder)
    assert _scores(metric, folder, device="cpu", batch_size=1, dtype="float32") == pytest.approx(expected, rel=1e-5)
    with pytest.raises(InputError, match="no device 'nowhere' here"):
        _scores(metric, folder, device="nowhere")
    half = metrologue.score(metric, TEXTS[:1], REFERENCES[:1], model=str(folder), dtype="bfloat16")
    assert metric in ("bleurt", "factcc") or "+bfloat16|" in half.signature


def test_what_says_how_a_model_runs_needs_a_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`device` says how a model runs, and this metric takes no model"):
        metrologue.score("bleu", TEXTS, REFERENCES, device="cpu")
    with pytest.raises(InputError, match="`batch_size` says how a model runs, and this metric is given no `model`"):
        metrologue.score("bertscore", TEXTS, REFERENCES, batch_size=3)
    with pytest.raises(InputError, match="device"):
        metrologue.score("composite", TEXTS, REFERENCES, model=str(sample_folder("composite")), device="cuda")
    encoder: Any = str(make_encoder(tmp_path / "encoder"))
    found = metrologue.score(["bertscore", "chrf"], TEXTS, REFERENCES, model=encoder, device="cpu")
    assert found["bertscore"].value == metrologue.score("bertscore", TEXTS, REFERENCES, model=encoder).value


@pytest.mark.parametrize("metric", MODELS)
def test_the_numbers_of_a_gpu_are_those_of_a_cpu(metric: str, tmp_path: Path) -> None:
    if not torch.cuda.is_available():
        pytest.skip("there is no GPU here")
    folder = MODELS[metric](tmp_path / "model")
    assert _scores(metric, folder, device="cuda") == pytest.approx(_scores(metric, folder, device="cpu"), abs=1e-5)
