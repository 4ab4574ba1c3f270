"""The module, with the arguments and results of the Hub's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("evaluate", reason="`evaluate` is not installed")
from small_encoder import Letters, make_encoder

import metrologue
from metrologue import BertScore, InputError
from metrologue.comparison.libraries import hub

PAIR: dict[str, Any] = {"predictions": ["a cat sat", "the dog"], "references": [["the cat sat", "a cat"], ["a dog"]]}


@pytest.fixture(scope="module")
def module() -> Any:
    return metrologue.load("bertscore")


def test_results_have_the_hubs_keys(module: Any) -> None:
    found = module.compute(**PAIR, model_type=Letters(), num_layers=1)
    assert list(found) == ["precision", "recall", "f1", "hashcode"]
    expected = BertScore(model=Letters(), layer=1).segment_scores(PAIR["predictions"], PAIR["references"])
    assert {name: found[name] for name in ("precision", "recall", "f1")} == {
        name: expected[name].tolist() for name in ("precision", "recall", "f1")
    }
    assert found["hashcode"].startswith("letters_L1_no-idf_version=0.3.12(hug_trans=")
    json.dumps(found, allow_nan=False)
    asked = module.compute(**PAIR, model_type=Letters(), idf=True, signature=True, per_segment=True)
    assert list(asked) == ["precision", "recall", "f1", "hashcode", "signature", "segments"]
    assert "|idf=true|" in asked["signature"]
    assert "_L1_idf_" in asked["hashcode"]


def test_the_hubs_own_module(module: Any, hub_modules: Path, tmp_path: Path) -> None:
    for package in ("torch", "bert_score"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    live = hub.load("bertscore")
    if not (hub_modules / "bertscore").is_dir() or isinstance(live, hub.Missing):
        pytest.skip("the Hub's module is not here")
    folder = str(make_encoder(tmp_path / "small"))
    for options in ({"num_layers": 2}, {"num_layers": 3, "idf": True}):
        expected = live.compute(**PAIR, model_type=folder, nthreads=1, **options)
        found = module.compute(**PAIR, model_type=folder, **options)
        assert list(found) == list(expected)
        assert found["hashcode"] == expected["hashcode"].replace(folder, "small")
        for name in ("precision", "recall", "f1"):
            assert found[name] == pytest.approx(expected[name], abs=1e-5)


def test_all_layers(module: Any, tmp_path: Path) -> None:
    """The numbers of each layer by itself, from one run of the model."""
    folder = str(make_encoder(tmp_path / "small"))
    found = module.compute(**PAIR, model_type=folder, all_layers=True, idf=True, per_segment=True, signature=True)
    for layer, signature in enumerate(found["signature"]):
        own = module.compute(**PAIR, model_type=folder, num_layers=layer, idf=True, per_segment=True, signature=True)
        assert own["signature"] == signature
        for name in ("precision", "recall", "f1"):
            assert found[name][layer] == pytest.approx(own[name], abs=1e-6)
        assert found["segments"][layer]["f1"] == found["f1"][layer]
    pytest.importorskip("bert_score", reason="bert_score is not installed")
    from bert_score import score

    pairs = {"predictions": PAIR["predictions"], "references": [own[0] for own in PAIR["references"]]}
    theirs = score(pairs["predictions"], pairs["references"], model_type=folder, num_layers=1, all_layers=True)
    ours = module.compute(**pairs, model_type=folder, num_layers=1, all_layers=True)
    for name, expected in zip(("precision", "recall", "f1"), theirs, strict=True):
        assert ours[name] == [pytest.approx(row, abs=1e-5) for row in expected.tolist()]


def test_rescaling(module: Any, tmp_path: Path) -> None:
    path = tmp_path / "baseline.tsv"
    path.write_text("LAYER,P,R,F\n0,0,0,0\n1,0.5,0.25,0.4\n")
    plain = module.compute(**PAIR, model_type=Letters())
    scaled = module.compute(**PAIR, model_type=Letters(), rescale_with_baseline=True, baseline_path=str(path))
    assert scaled["recall"] == pytest.approx([(value - 0.25) / 0.75 for value in plain["recall"]])
    assert scaled["hashcode"] == f"{plain['hashcode']}-custom-rescaled"


def test_what_is_refused(module: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"either `lang` .* or `model_type`"):
        module.compute(**PAIR)
    with pytest.raises(InputError, match=f"the model '{tmp_path}/x' cannot be had: open_encoder: there is no file"):
        module.compute(**PAIR, model_type=f"{tmp_path}/x")
    with pytest.raises(InputError, match="rescaling needs `lang`, or a `baseline_path`"):
        module.compute(**PAIR, model_type=Letters(), rescale_with_baseline=True)
    with pytest.raises(InputError, match=r"there is no baseline for .* and 'en' here; give `baseline_path`"):
        module.compute(**PAIR, model_type=Letters(), lang="en", rescale_with_baseline=True)


def test_offline_a_language_names_its_model(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match=r"the model 'roberta-large' cannot be had: .*Give `model_type`"):
        module.compute(**PAIR, lang="en")
