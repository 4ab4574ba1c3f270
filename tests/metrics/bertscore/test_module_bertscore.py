"""The module, with the arguments and results of the Hub's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("evaluate", reason="`evaluate` is not installed")
from small_encoder import Letters

import metrologue
from metrologue import BertScore, InputError

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
    assert found["hashcode"].startswith("letters_L1_no-idf_version=0.3.13(hug_trans=")
    json.dumps(found, allow_nan=False)
    asked = module.compute(**PAIR, model_type=Letters(), idf=True, signature=True, per_segment=True)
    assert list(asked) == ["precision", "recall", "f1", "hashcode", "signature", "segments"]
    assert "|idf=true|" in asked["signature"]
    assert "_L1_idf_" in asked["hashcode"]


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
    with pytest.raises(InputError, match="all_layers=True is not supported"):
        module.compute(**PAIR, lang="en", all_layers=True)
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
