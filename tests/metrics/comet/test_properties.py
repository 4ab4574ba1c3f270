"""COMET against its definition, against recorded scores of unbabel-comet, and against that package where it is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from later import imported_later

import metrologue
from metrics.comet import plain
from metrics.comet.small import KINDS, MARKED, WITHOUT, draws_texts, make_checkpoint
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.learned import open_model
from metrologue.scorers import Comet
from metrologue.scorers.comet.network import CometFunction, CometRun
from metrologue.scorers.core.capabilities import told_beside
from metrologue.scorers.core.engine import segments_for
from metrologue.scorers.core.mbr import mbr

imported_later("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
torch: Any = imported_later("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "unbabel-comet-2.2.7.json").read_text("utf-8"))
# The Python of an environment with unbabel-comet, which cannot be installed beside the other libraries.
PYTHON = os.environ.get("METROLOGUE_COMET_PYTHON")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Several threads make small models slower where other programs run."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def opened(folder: Path, name: str, seed: int = 0, **settings: Any) -> tuple[Any, dict[str, list[str]]]:
    """A recorded checkpoint, and its texts."""
    made = {**KINDS[name], **settings}
    made["seed"] += 1000 * seed
    place = make_checkpoint(folder / name, **made)
    model = open_model(place, place / "encoder", device="cpu")
    texts = draws_texts(made["seed"])
    columns = {"predictions": "mt", "sources": "src", "references": "ref"}
    given = {each: [row[key] for row in texts] for each, key in columns.items()}
    if "ref" not in model.network.inputs:
        del given["references"]
    return model, given


@pytest.mark.parametrize("name", KINDS)
def test_recorded_scores(name: str, tmp_path: Path) -> None:
    model, given = opened(tmp_path, name)
    expected = RECORDED["scores"][name]
    scores = Comet(model=model).segments(**given)
    assert np.std(scores) > 1e-3
    assert scores == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert Comet(model=model, batch=1).segments(**given) == pytest.approx(expected, rel=1e-5, abs=1e-6)
    if name == "three":
        alone = Comet(model=model).segments(given["predictions"], sources=given["sources"])
        assert alone == pytest.approx(RECORDED["scores"][WITHOUT], rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("name", MARKED)
def test_recorded_errors(name: str, tmp_path: Path) -> None:
    """Scores of xCOMET, and the errors that it marks, are those of unbabel-comet."""
    model, given = opened(tmp_path, name.partition(" ")[0])
    with_references, threshold = MARKED[name]
    given = given if with_references else {each: given[each] for each in ("predictions", "sources")}
    expected = RECORDED["errors"][name]
    assert sum(map(len, expected)) > 5
    for batch in (16, 1):
        scorer = Comet(model=model, threshold=threshold, batch=batch)
        assert scorer.segments(**given) == pytest.approx(RECORDED["scores"][name], rel=1e-5, abs=1e-6)
        found = told_beside(scorer, segments_for(Comet, **given))["error_spans"]
        for own, right in zip(found, expected, strict=True):
            told = [{**each, "confidence": pytest.approx(each["confidence"], abs=1e-5)} for each in right]
            assert own == told


def test_errors_at_every_door(tmp_path: Path) -> None:
    """The errors of xCOMET in a trace, in a page, in lines of segments, and in the module."""
    model, given = opened(tmp_path, "xcomet")
    row = next(place for place, own in enumerate(RECORDED["errors"]["xcomet"]) if len(own) > 2)
    expected = RECORDED["errors"]["xcomet"][row]
    one = {name: texts[row] for name, texts in given.items()}
    trace = metrologue.trace(Comet(model=model), one["predictions"], one["references"], sources=one["sources"])
    table = next(block for block in trace.to_dict()["blocks"] if block.get("name") == "errors")
    assert [cells["cells"][:4] for cells in table["rows"]] == [
        [each["severity"], each["start"], each["end"], each["text"]] for each in expected
    ]
    assert f"{expected[0]['severity']} " in trace.text()
    assert expected[0]["severity"] in trace.html().split("</style>")[-1]
    several = metrologue.trace(
        Comet(model=model), one["predictions"], [one["references"], one["sources"]], sources=one["sources"]
    )
    assert [block["title"] for block in several.to_dict()["blocks"] if "title" in block][-2:] == [
        "reference 1", "reference 2",
    ]  # fmt: skip
    files = {name: tmp_path / name for name in given}
    for name, texts in given.items():
        files[name].write_text("".join(f"{text}\n" for text in texts), "utf-8")
    place = tmp_path / "xcomet"
    call = ["score", "comet", "--per-segment", "-p", str(files["predictions"]), "-r", str(files["references"])]
    call += ["--sources", str(files["sources"]), "--model", str(place), "--encoder", str(place / "encoder")]
    lines = CliRunner().invoke(main, call).stdout.splitlines()
    assert lines[0].split("\t")[-1] == "error_spans"
    first = expected[0]
    told = lines[row + 1].split("\t")[-1]
    assert told.startswith(f"{first['severity']} {first['start']} {first['end']} {first['text']} ")
    module = metrologue.load("comet", model=str(place), encoder=str(place / "encoder"))
    result = module.compute(**given, device="cpu", per_segment=True)
    assert [len(own) for own in result["error_spans"]] == [len(own) for own in RECORDED["errors"]["xcomet"]]
    json.dumps(result)
    assert "error_spans" not in module.compute(**given, device="cpu")


@pytest.mark.slow
@pytest.mark.skipif(not PYTHON, reason="METROLOGUE_COMET_PYTHON names no Python with unbabel-comet")
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_package_itself(seed: int, tmp_path: Path) -> None:
    out = tmp_path / "scores.json"
    subprocess.run([str(PYTHON), str(HERE / "record.py"), str(out), str(seed)], check=True, timeout=600, cwd=tmp_path)
    told = json.loads(out.read_text("utf-8"))
    for name in KINDS:
        model, given = opened(tmp_path, name, seed)
        assert Comet(model=model).segments(**given) == pytest.approx(told["scores"][name], rel=1e-5, abs=1e-6), name
    assert seed or told["scores"].keys() == RECORDED["scores"].keys()


def test_definition(tmp_path: Path) -> None:
    """The vectors of tokens are those of the encoder; all else is computed in lists."""
    model, given = opened(tmp_path, "means")
    network, state = model.network, torch.load(tmp_path / "means/checkpoints/model.ckpt")["state_dict"]
    weights = {name: each.tolist() for name, each in state.items()}
    shares = [weights[f"layerwise_attention.scalar_parameters.{layer}"][0] for layer in range(3)]

    def vectors(texts: list[str]) -> list[list[float]]:
        found = []
        for ids in network.tokens(texts, CometRun())[0]:
            with torch.no_grad():
                hidden = network.modules["encoder"](torch.tensor([ids]), output_hidden_states=True).hidden_states
            layers = [each[0].tolist() for each in hidden]
            found.append(plain.mean(plain.mixed(layers, shares, weights["layerwise_attention.gamma"][0])))
        return found

    columns = [vectors(given[name]) for name in ("predictions", "references", "sources")]
    expected = plain.comet(*columns, weights=weights)
    assert Comet(model=model).segments(**given) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_options(tmp_path: Path) -> None:
    model, given = opened(tmp_path, "sparse")
    usual = Comet(model=model).segments(**given)
    half = Comet(model=model, precision="fp16").segments(**given)
    assert half == pytest.approx(usual, abs=0.05)
    assert not np.array_equal(half, usual)
    assert np.array_equal(Comet(model=model, mix="sparsemax").segments(**given), usual)
    assert not np.allclose(Comet(model=model, mix="softmax").segments(**given), usual)
    short = Comet(model=model, longest=4)
    assert not np.allclose(short.segments(**given), usual)
    again = Comet.from_signature(short.signature)
    assert again == short
    assert model.name in short.signature
    gap = metrologue.explain(short, Comet(model=model, mix="softmax"), **given)
    assert [part.choice for part in gap.contributions] == ["layers", "long texts"]
    assert sum(part.share for part in gap.contributions) == pytest.approx(gap.gap)


def test_every_distinct_text_is_encoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, given = opened(tmp_path, "means", seed=77)
    asked: list[int] = []
    run = type(model.network).vectors
    monkeypatch.setattr(type(model.network), "vectors", lambda *some: asked.append(len(some[1])) or run(*some))
    for predictions in (given["predictions"], given["sources"], given["predictions"][::-1]):
        Comet(model=model).corpus(**{**given, "predictions": predictions})
    assert sum(asked) == len({text for texts in given.values() for text in texts})


def test_long_texts(tmp_path: Path) -> None:
    model, given = opened(tmp_path, "means")
    with pytest.warns(UserWarning, match=r"Comet: \d+ segments? ha(s|ve) a text that is longer than the model"):
        Comet(model=model).corpus(**given)
    with pytest.raises(InputError, match=r"Comet: `predictions\[\d+\]`, its source or its reference is longer .* by "):
        Comet(model=model, too_long="error").corpus(**given)
    joint, given = opened(tmp_path, "patched")
    with pytest.raises(InputError, match="is longer than the model's context"):
        Comet(model=joint, too_long="error").corpus(**given)
    few = {name: [" ".join(text.split()[:5]) for text in texts] for name, texts in given.items()}
    Comet(model=joint, too_long="error").corpus(**few)


def test_references(tmp_path: Path) -> None:
    model, given = opened(tmp_path, "means")
    with pytest.raises(InputError, match=r"Comet: `references` are missing; means@\w+ compares translations"):
        Comet(model=model).corpus(given["predictions"], sources=given["sources"])
    with pytest.raises(InputError, match="Comet: `sources` are missing; the text that each prediction is"):
        Comet(model=model).corpus(given["predictions"], given["references"])
    several = [[own, other] for own, other in zip(given["references"], given["sources"], strict=True)]
    best = Comet(model=model).segments(given["predictions"], several, sources=given["sources"])
    each = [Comet(model=model).segments(**{**given, "references": given[name]}) for name in ("references", "sources")]
    assert best == pytest.approx(np.maximum(*each), abs=1e-6)
    advised = metrologue.recommended("comet", model=model)
    assert advised == Comet.variant("unbabel-comet-mean", model=model)
    mean = advised.segments(given["predictions"], several, sources=given["sources"])
    assert mean == pytest.approx(np.mean(each, axis=0), abs=1e-6)
    without, given = opened(tmp_path, "normal")
    alone = Comet(model=without).segments(**given)
    with pytest.warns(UserWarning, match=r"Comet: normal@\w+ reads no references; they play no part"):
        assert np.array_equal(Comet(model=without).segments(**given, references=given["sources"]), alone)


def test_mbr(tmp_path: Path) -> None:
    model, _ = opened(tmp_path, "means")
    candidates = [["the cat sat", "a dog sat on a mat", "the cat"], ["green house", "big house"]]
    sources = ["das haus", "hund katze"]
    found = mbr(Comet(model=model), candidates, sources=sources)
    for group, source, ranking in zip(candidates, sources, found, strict=True):
        expected = [
            Comet(model=model).segments([own] * len(group), group, sources=[source] * len(group)).mean()
            for own in group
        ]
        assert ranking.utilities == pytest.approx(expected, abs=1e-6)
    [alone] = mbr(Comet(model=model), candidates[:1], sources=sources[:1])
    assert alone.order == mbr(Comet(model=model), candidates[0], sources=sources[0]).order == found[0].order
    shared = mbr(Comet(model=model), candidates, ["the house"], sources=sources)
    expected = Comet(model=model).segments(candidates[1], ["the house"] * 2, sources=[sources[1]] * 2)
    assert shared[1].utilities == pytest.approx(expected, abs=1e-6)
    for given, told in (
        ({}, "`sources` are missing"), ({"sources": ["a"]}, "1 text for 2 lists"),
        ({"sources": ["a", 1]}, r"`sources\[1\]` is int 1"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=told):
            mbr(Comet(model=model), candidates, **given)
    with pytest.warns(UserWarning, match="1 segment has a text that is longer"):
        mbr(Comet(model=model), ["the " * 60, "a"], sources="das haus")
    matrix = Comet(model=model).pairwise(candidates[0], ["a dog"], sources="das haus")
    assert matrix[:, 0] == pytest.approx(
        Comet(model=model).segments(candidates[0], ["a dog"] * 3, sources=["das haus"] * 3), abs=1e-6
    )


def test_command_line_and_module(tmp_path: Path) -> None:
    model, given = opened(tmp_path, "means")
    files = {name: tmp_path / name for name in given}
    for name, texts in given.items():
        files[name].write_text("".join(f"{text}\n" for text in texts), "utf-8")
    place, runner = tmp_path / "means", CliRunner()
    call = ["--sources", str(files["sources"]), "--model", str(place), "--encoder", str(place / "encoder")]
    texts = ["-p", str(files["predictions"]), "-r", str(files["references"])]
    told = runner.invoke(main, ["score", "comet", *texts, *call, "--device", "cpu", "--format", "json"])
    expected = Comet(model=model).corpus(**given).value
    assert told.exit_code == 0, told.output
    assert f"{expected:.5f}"[:-1] in told.output
    nbest = tmp_path / "nbest.jsonl"
    nbest.write_text('["the cat", "a dog"]\n{"candidates": ["green"]}\n', "utf-8")
    (tmp_path / "two").write_text("das haus\nein hund\n", "utf-8")
    asked = ["mbr", "-c", str(nbest), "-m", "comet", "--sources", str(tmp_path / "two"), *call[2:]]
    assert runner.invoke(main, asked).output.split("\n")[1] == "green"
    compared = runner.invoke(main, ["compare", "--metric", "comet", *texts, *call, "--no-live"])
    assert compared.exit_code == 0, compared.output
    module = metrologue.load("comet", model=str(place), encoder=str(place / "encoder"))
    result = module.compute(**given, gpus=0, progress_bar=False)
    assert result["mean_score"] == pytest.approx(expected, abs=1e-6)
    assert result.keys() == {"mean_score", "scores"}
    halved = Comet(model=model, batch=2, precision="fp16").corpus(**given).value
    assert halved != expected
    asked = ["--device", "cpu", "--batch-size", "2", "--dtype", "float16", "--format", "json"]
    told = runner.invoke(main, ["score", "comet", *texts, *call, *asked])
    assert told.exit_code == 0, told.output
    assert "|batch=2|" in told.output
    assert "precision=fp16" in told.output
    result = module.compute(**given, device="cpu", batch_size=2, dtype="float16")
    assert result["mean_score"] == pytest.approx(halved, abs=1e-6)
    without, given = opened(tmp_path, "normal")
    module = metrologue.load("comet")
    for row in zip(given["predictions"], given["sources"], strict=True):
        module.add(prediction=row[0], source=row[1])
    place = tmp_path / "normal"
    scores = module.compute(model=place, encoder=place / "encoder")["scores"]
    assert scores == pytest.approx(Comet(model=without).segments(**given).tolist(), abs=1e-6)
    with pytest.raises(InputError, match=r"downloads the checkpoint wmt22-comet-da.*give `model`, its folder"):
        metrologue.load("comet", "Unbabel/wmt22-comet-da").compute(predictions=["a"], sources=["b"], references=["c"])


def test_a_function(tmp_path: Path) -> None:
    def wrong(texts: list[str], sources: list[str], references: list[str]) -> list[float]:
        return [float("nan") for _ in texts]

    with pytest.raises(InputError, match="CometFunction: wrong gave"):
        Comet(model=CometFunction("wrong", "1", wrong).model("comet")).corpus(["a"], ["b"], sources=["c"])


def changed(place: Path, **values: Any) -> None:
    """Another value in both files of a checkpoint; of an array, by its name with two underscores for points."""
    import yaml

    path = place / "checkpoints" / "model.ckpt"
    held = torch.load(path)
    told = yaml.safe_load((place / "hparams.yaml").read_text("utf-8"))
    for name, value in values.items():
        if "__" in name:
            held["state_dict"][name.replace("__", ".")] = value
        else:
            told[name] = held["hyper_parameters"][name] = value
    torch.save(held, path)
    (place / "hparams.yaml").write_text(yaml.safe_dump(told), "utf-8")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"class_identifier": "xcomet_metric"}, "the layer 36 is taken, and the encoder .* has 3 of them"),
        ({"class_identifier": "ranking_metric"}, "'class_identifier' is 'ranking_metric'; one of regression_metric"),
        ({"pool": "median"}, "'pool' is 'median'; one of avg, cls, max, default is expected"),
        ({"layer_transformation": "entmax"}, "'layer_transformation' is 'entmax'; one of softmax, sparsemax"),
        ({"encoder_model": "GPT"}, "'encoder_model' is 'GPT'; one of BERT, XLM-RoBERTa"),
        ({"activations": "Bilinear"}, "'activations' is 'Bilinear'; one of Hardshrink"),
        ({"hidden_sizes": [20, 9]}, r"'estimator.ff.3.weight' has the shape \(8, 20\), where .* have \(9, 20\)"),
        ({"layer": 9}, "the layer 9 is taken, and the encoder .* has 3 of them"),
        ({"other__weight": 0}, "holds no `state_dict` of arrays"),
    ],
)  # fmt: skip
def test_a_checkpoint_that_is_unknown(values: dict[str, Any], told: str, tmp_path: Path) -> None:
    place = make_checkpoint(tmp_path / "made", "regression_metric")
    changed(place, **values)
    with pytest.raises(InputError, match=told):
        open_model(place, place / "encoder")


class Harmful:
    """An object that writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return shutil.copyfile, (HERE / "plain.py", self.path)


def test_a_checkpoint_with_more_than_weights(tmp_path: Path) -> None:
    place = make_checkpoint(tmp_path / "made", "regression_metric")
    path, left = place / "checkpoints" / "model.ckpt", tmp_path / "left"
    held = torch.load(path)
    torch.save({**held, "callbacks": Harmful(left)}, path)
    with pytest.raises(InputError, match=r"cannot be read as weights alone: it also holds shutil\.copyfile, an object"):
        open_model(place, place / "encoder")
    assert not left.exists()
    path.write_bytes(b"nothing")
    with pytest.raises(InputError, match="cannot be read as weights alone"):
        open_model(place, place / "encoder")
    torch.save({"state_dict": {**held["state_dict"], "other.weight": torch.zeros(1)}}, path)
    with pytest.raises(InputError, match=r"has the array 'other\.weight', which such a network has not"):
        open_model(place, place / "encoder")
    torch.save({"state_dict": held["state_dict"]}, path, _use_new_zipfile_serialization=False)
    assert open_model(place, place / "encoder").metric == "comet"
    torch.save({"state_dict": {}}, path)
    with pytest.raises(InputError, match=r"the checkpoint has no array 'encoder\.model\.embeddings"):
        open_model(place, place / "encoder")
    path.unlink()
    with pytest.raises(InputError, match=r"model.ckpt cannot be read: No such file"):
        open_model(place, place / "encoder")
    (place / "hparams.yaml").write_text("!!python/object/apply:os.system ['true']", "utf-8")
    torch.save(held, path)
    with pytest.raises(InputError, match=r"hparams\.yaml is no YAML of plain values"):
        open_model(place, place / "encoder")


def test_settings_within_each_other(tmp_path: Path) -> None:
    """A few hundred bytes that stand for more values than any memory holds are refused at once."""
    place = make_checkpoint(tmp_path / "made", "regression_metric")
    path, path_of_weights = place / "hparams.yaml", place / "checkpoints" / "model.ckpt"
    plain_settings = path.read_text("utf-8")
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 40))]
    path.write_text("\n".join([plain_settings, *lines]), "utf-8")
    with pytest.raises(InputError, match=r"hparams\.yaml is no YAML of plain values: line \d+ has the alias \*a0"):
        open_model(place, place / "encoder")
    path.write_text(plain_settings, "utf-8")
    held = torch.load(path_of_weights)
    for around in (lambda value: [value] * 10, lambda value: (value,) * 10, lambda value: {"a": value, "b": value}):
        value: Any = "x"
        for _ in range(40):
            value = around(value)
        for name in ("pretrained_model", "hidden_sizes", "unknown"):
            for is_zip in (True, False):
                settings = {**held["hyper_parameters"], name: value}
                torch.save({**held, "hyper_parameters": settings}, path_of_weights,
                           _use_new_zipfile_serialization=is_zip)  # fmt: skip
                with pytest.raises(
                    InputError, match=r"model\.ckpt cannot be read .* more than 10,000,000 when they are"
                ):
                    open_model(place, place / "encoder")


def test_a_damaged_checkpoint(tmp_path: Path) -> None:
    """Wherever four bytes are overwritten, the checkpoint is refused, or gives the number that it gave."""
    place = make_checkpoint(tmp_path / "made", "regression_metric")
    path = place / "checkpoints" / "model.ckpt"
    whole = path.read_bytes()

    def score() -> float:
        model = open_model(place, place / "encoder", device="cpu")
        return Comet(model=model).corpus(["a cat"], ["the cat"], sources=["eine katze"]).value

    expected, unseen = score(), []
    for at in range(4, len(whole) - 4, len(whole) // 60):
        path.write_bytes(whole[:at] + bytes(each ^ 0x55 for each in whole[at : at + 4]) + whole[at + 4 :])
        try:
            assert score() == expected
        except InputError:
            continue
        unseen.append(at)
    assert len(unseen) < 6  # a time, or an attribute of a file, that nothing depends on
    path.write_bytes(whole)
    numbers = torch.load(path)["state_dict"]["estimator.ff.0.weight"].numpy().tobytes()
    at = whole.index(numbers[:64])
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    with pytest.raises(InputError, match=r"it is damaged: the checksum of its part \w+/data/\d+ is that of another"):
        score()


def test_the_encoder_is_asked_for(tmp_path: Path) -> None:
    place = make_checkpoint(tmp_path / "made", "regression_metric", pretrained_model="some/encoder")
    told = r"was trained from the encoder 'some/encoder' \(`pretrained_model`\), .* give its folder or its name"
    for call in (lambda: open_model(place), lambda: Comet(model=place), lambda: Comet(model=str(place))):
        with pytest.raises(InputError, match=told):
            call()
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty is the encoder of made, and has no config\.json"):
        open_model(place, tmp_path / "empty")
    other = make_checkpoint(tmp_path / "other", "regression_metric", encoder_model="BERT")
    config = json.loads((other / "encoder/config.json").read_text("utf-8"))
    (other / "encoder/config.json").write_text(json.dumps({**config, "hidden_size": 32}), "utf-8")
    with pytest.raises(InputError, match=r"has the shape \(\d+, 16\), where the settings and the configuration of the"):
        open_model(other, other / "encoder")


def test_two_files_that_differ(tmp_path: Path) -> None:
    """The checkpoint's own settings count, as in unbabel-comet, and a score says so."""
    place = make_checkpoint(tmp_path / "made", "regression_metric")
    path = place / "hparams.yaml"
    path.write_text(path.read_text("utf-8").replace("pool: avg", "pool: cls"), "utf-8")
    scorer = Comet(model=open_model(place, place / "encoder"))
    with pytest.warns(UserWarning, match="hparams.yaml of made says pool='cls'; the checkpoint's own 'avg' counts"):
        scorer.corpus(["a"], ["b"], sources=["c"])
