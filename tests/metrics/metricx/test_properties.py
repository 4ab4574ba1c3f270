"""MetricX against its definition and against recorded scores of the authors' program; its doors; what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from later import imported_later

import metrologue
from metrics.metricx import plain
from metrics.metricx.small import KINDS, draws_texts, make_checkpoint
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.learned import open_model
from metrologue.scorers import MetricX
from metrologue.scorers.core.mbr import mbr

imported_later("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
torch: Any = imported_later("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "metricx-fc4978e.json").read_text("utf-8"))
# A millionth of the scale: the texts go through the network together, and those of the program one by one.
CLOSE = 25e-6
COLUMNS = {"predictions": "hypothesis", "sources": "source", "references": "reference"}


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Several threads make small models slower where other programs run."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any, dict[str, list[str]]]:
    """A checkpoint, its model, and texts."""
    place = make_checkpoint(tmp_path_factory.mktemp("made") / "metricx-24-tiny", 12)
    model = open_model(place, place / "tokenizer", device="cpu")
    return place, model, {each: [row[key] for row in draws_texts(12)] for each, key in COLUMNS.items()}


@pytest.mark.parametrize("name", KINDS)
def test_recorded_scores(name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    form = "safetensors" if "cut" in name else "bin"
    place = make_checkpoint(tmp_path / "made", kind["seed"], kind.get("dtype", "float32"), form)
    model = open_model(place, place / "tokenizer", device="cpu")
    given = {each: [row[key] for row in draws_texts(kind["seed"])] for each, key in COLUMNS.items()}
    variant = f"metricx-{kind['year']}"
    if kind.get("qe"):
        del given["references"]
        variant += "-qe" * (kind["year"] == 23)
    elif kind["year"] == 23:
        del given["sources"]
    expected = RECORDED["scores"][name]
    for batch in (1, 16):
        scores = MetricX.variant(variant, model=model, longest=kind["longest"], batch=batch).segments(**given)
        assert np.std(scores) > 1
        assert scores == pytest.approx(expected, rel=0, abs=CLOSE if "bfloat16" not in name or batch == 1 else 0.25)


def test_definition(made: tuple[Path, Any, dict[str, list[str]]]) -> None:
    """The decoder's vector is that of `transformers`; all else is computed in lists."""
    import transformers

    place, model, given = made
    whole = transformers.MT5ForConditionalGeneration.from_pretrained(place).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(place / "tokenizer")

    def vector(text: str) -> list[float]:
        ids = torch.tensor([tokenizer(text)["input_ids"][:-1]])
        with torch.no_grad():
            told = whole(input_ids=ids, decoder_input_ids=torch.tensor([[0]]), output_hidden_states=True)
        found: list[float] = told.decoder_hidden_states[-1][0, 0].tolist()
        return found

    weights = whole.lm_head.weight[250089].tolist()
    columns = (given[name] for name in ("predictions", "references", "sources"))
    expected = plain.metricx(*columns, vector=vector, weights=weights)
    assert MetricX(model=model).segments(**given) == pytest.approx(expected, abs=CLOSE)
    assert MetricX(model=model).higher_is_better["metricx"] is False
    assert MetricX(model=model).range["metricx"] == (0, 25)


def test_which_texts_are_read(made: tuple[Path, Any, dict[str, list[str]]]) -> None:
    _, model, given = made
    texts, sources, references = (given[name] for name in ("predictions", "sources", "references"))
    hybrid = MetricX(model=model)
    empty = hybrid.segments(texts, references, sources=[""] * len(texts))
    assert hybrid.segments(texts, references) == pytest.approx(empty, abs=CLOSE)
    assert not np.allclose(hybrid.segments(texts, sources=sources), hybrid.segments(**given), atol=0.1)
    with pytest.raises(InputError, match="`sources` and `references` are missing, with which prompt='hybrid' rates"):
        hybrid.corpus(texts)
    old, without = (MetricX.variant(name, model=model) for name in ("metricx-23", "metricx-23-qe"))
    with pytest.raises(InputError, match="`references` are missing, with which prompt='reference' rates"):
        old.corpus(texts, sources=sources)
    with pytest.raises(InputError, match="`sources` are missing, with which prompt='source' rates"):
        without.corpus(texts, references)
    with pytest.warns(UserWarning, match="prompt='reference' reads no sources; they play no part"):
        assert np.array_equal(old.segments(**given), old.segments(texts, references))
    with pytest.warns(UserWarning, match=r"metricx-24-tiny@\w+ was trained with another prompt than 'source'; give"):
        without.corpus(texts, sources=sources)
    several = [[own, other] for own, other in zip(references, sources, strict=True)]
    each = [hybrid.segments(texts, own, sources=sources) for own in (references, sources)]
    assert hybrid.segments(texts, several, sources=sources) == pytest.approx(np.minimum(*each), abs=CLOSE)
    mean = MetricX(model=model, multi_reference="mean").segments(texts, several, sources=sources)
    assert mean == pytest.approx(np.mean(each, axis=0), abs=CLOSE)


def test_options(made: tuple[Path, Any, dict[str, list[str]]]) -> None:
    _, model, given = made
    usual = MetricX(model=model).segments(**given)
    half = MetricX(model=model, precision="bf16").segments(**given)
    assert half == pytest.approx(usual, abs=1)
    assert not np.array_equal(half, usual)
    assert np.array_equal(MetricX(model=model, precision="fp32").segments(**given), usual)
    with pytest.warns(UserWarning, match=r"MetricX: \d+ segments have a text that is longer than the model's context"):
        MetricX(model=model, longest=30).corpus(**given)
    with pytest.raises(InputError, match=r"MetricX: `predictions\[\d+\]`, its source or its reference is longer"):
        MetricX(model=model, longest=30, too_long="error").corpus(**given)
    scorer = MetricX.variant("metricx-23", model=model)
    assert MetricX.from_signature(scorer.signature) == scorer
    assert MetricX(model=model, scale=0.04).segments(**given) == pytest.approx(usual / 25)


def test_mbr_takes_the_least(made: tuple[Path, Any, dict[str, list[str]]]) -> None:
    _, model, _ = made
    candidates = ["the cat sat", "a dog sat on a mat", "green house"]
    found = mbr(MetricX(model=model), candidates, sources="das haus")
    expected = [
        MetricX(model=model).segments([own] * 3, candidates, sources=["das haus"] * 3).mean() for own in candidates
    ]
    assert found.best == candidates[int(np.argmin(expected))]


def test_doors(made: tuple[Path, Any, dict[str, list[str]]], tmp_path: Path) -> None:
    place, model, given = made
    files = {name: tmp_path / name for name in given}
    for name, texts in given.items():
        files[name].write_text("".join(f"{text}\n" for text in texts), "utf-8")
    expected = MetricX(model=model, batch=2, precision="bf16").corpus(**given).value
    encoder = place / "tokenizer"
    running: dict[str, Any] = {"device": "cpu", "batch_size": 2, "dtype": "bfloat16"}
    assert metrologue.score("metricx", **given, model=place, encoder=encoder, **running).value == expected
    call = ["-p", str(files["predictions"]), "-r", str(files["references"]), "--sources", str(files["sources"])]
    call += ["--model", str(place), "--encoder", str(encoder), "--device", "cpu", "--batch-size", "2"]
    told = CliRunner().invoke(main, ["score", "metricx", *call, "--dtype", "bfloat16", "--format", "json"])
    assert told.exit_code == 0, told.output
    assert f"{expected:.4f}" in told.output
    compared = CliRunner().invoke(main, ["compare", "--metric", "metricx", *call[:-4], "--no-live"])
    assert compared.exit_code == 0, compared.output
    module = metrologue.load("metricx", model=str(place), encoder=str(encoder))
    result = module.compute(**given, **running)
    assert result["mean_score"] == pytest.approx(expected, abs=CLOSE)
    assert result.keys() == {"mean_score", "scores"}
    with pytest.raises(
        InputError, match=r"downloads the checkpoint metricx-24-hybrid-xl-v2p6.*give `model`, its folder"
    ):
        metrologue.load("metricx", "google/metricx-24-hybrid-xl-v2p6").compute(predictions=["a"], references=["c"])


def test_a_folder_with_its_tokenizer(tmp_path: Path) -> None:
    place = make_checkpoint(tmp_path / "made")
    told = "made has no tokenizer; give the mT5 that it was trained from, its folder or its name on the Hub such as"
    for call in (lambda: open_model(place), lambda: MetricX(model=place)):
        with pytest.raises(InputError, match=told):
            call()
    beside = open_model(place, place / "tokenizer")
    for file in (place / "tokenizer").iterdir():
        file.rename(place / file.name)
    assert open_model(place).name == beside.name


class Harmful:
    """An object that writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"vocab_size": 1000}, "'vocab_size' is 1000"),
        ({"d_model": 1 << 19}, r"bytes of weights, and its config.json describes [\d,]+ numbers"),
        ({"num_layers": 3}, r"has no weights encoder.block.2"),
        ({"tie_word_embeddings": True}, "'tie_word_embeddings' is True"),
        ({"d_ff": 16}, "cannot be read as a checkpoint of MetricX"),
        ({"architectures": ["MT5ForConditionalGeneration"]}, "Released models are read"),
    ],
)  # fmt: skip
def test_a_configuration_of_another_network(settings: dict[str, Any], told: str, tmp_path: Path) -> None:
    place = make_checkpoint(tmp_path / "made", **settings)
    with pytest.raises(InputError, match=told):
        open_model(place, place / "tokenizer")


def test_weights_alone(tmp_path: Path) -> None:
    place = make_checkpoint(tmp_path / "made")
    path, left = place / "pytorch_model.bin", tmp_path / "left"
    state = torch.load(path)
    torch.save({**state, "other": Harmful(left)}, path)
    with pytest.raises(InputError, match="cannot be read"):
        open_model(place, place / "tokenizer")
    assert not left.exists()
    torch.save({name: each for name, each in state.items() if name != "lm_head.weight"}, path)
    with pytest.raises(InputError, match=r"bytes of weights|has no weights lm_head\.weight"):
        open_model(place, place / "tokenizer")
    path.unlink()
    with pytest.raises(InputError, match="has 0 bytes of weights"):
        open_model(place, place / "tokenizer")
    with pytest.raises(InputError, match=r"has no option `other`; `precision` and `batch` are MetricX's"):
        open_model(place, place / "tokenizer", other=1)
