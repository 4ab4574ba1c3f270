"""Folders of strangers: nothing in them is run, nothing outside of them is opened, and nothing ends in a traceback."""

from __future__ import annotations

import copy
import gc
import json
import os
import re
import shutil
import struct
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from small_encoder import Letters
from small_trained import line, trained

import metrologue
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.files.wholeness import with_digest
from metrologue.learned import Features, NgramEncoder, PairFunction, TrainedModel, open_model, save_model
from metrologue.learned.card import model_card
from metrologue.learned.scorer import reached
from metrologue.learned.store import sample_folder
from metrologue.learned.tensors import tensors_from, tensors_to
from metrologue.scorers.core.homes import homes, part_of
from metrologue.scorers.core.registry import make_scorer

SAMPLES = [name for name in homes() if part_of(name, "training")]
SMALL = [name for name in SAMPLES if not isinstance(trained(name).network, PairFunction)]
POSIX = pytest.mark.skipif(os.name != "posix", reason="named pipes and links of POSIX")
TEXTS = ["A cat slept on the sofa in Paris.", "Who sold it?"]
REFERENCES = [["The cat slept on a sofa in Paris."], ["Who has sold it to Ann?"]]


def folder_of(metric: str, place: Path) -> Path:
    """A copy of a sample that can be changed."""
    return Path(shutil.copytree(sample_folder(metric), place / metric))


def write(folder: Path, about: Any) -> None:
    """The description with a right digest, and with the name that the folder's content has."""
    (folder / "model.json").write_text(json.dumps(with_digest(about)), "utf-8")


def description(folder: Path) -> Any:
    return {
        key: each for key, each in json.loads((folder / "model.json").read_text("utf-8")).items() if key != "digest"
    }


def changed(about: Any, path: tuple[Any, ...], value: Any) -> Any:
    made = copy.deepcopy(about)
    *way, last = path
    inner = made
    for key in way:
        inner = inner[key]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return made


def edited(folder: Path, value: Any, *path: Any) -> Path:
    write(folder, changed(description(folder), path, value))
    return folder


def opened(folder: Path, **options: Any) -> TrainedModel:
    """The model, whatever its name: an attacker writes the right one."""
    try:
        return open_model(folder, **options)
    except InputError as error:
        if (found := re.search(r"has been changed: it says .*, and holds (\S+)\.$", str(error), re.DOTALL)) is None:
            raise
        write(folder, {**description(folder), "name": found[1]})
        return open_model(folder, **options)


# ----- Nothing is run -----


def test_a_folder_has_the_files_that_are_written_and_no_others(tmp_path: Path) -> None:
    folder = folder_of("bleurt", tmp_path)
    (folder / ".gitattributes").write_text("as git and the Hub have them")
    assert open_model(folder).metric == "bleurt"
    (folder / "modeling.py").write_text("raise SystemExit('it was run')")
    with pytest.raises(InputError, match=r"has 'modeling.py', which save_model does not write"):
        open_model(folder)
    edited(folder, [*description(folder)["files"], "modeling.py"], "files")
    with pytest.raises(InputError, match=r"has the file 'modeling.py'; a pair_transformer has added_tokens.json"):
        open_model(folder)


def test_a_configuration_names_no_code(tmp_path: Path) -> None:
    for key, value in (
        ("auto_map", {"AutoModel": "somebody/model--modeling.Model"}), ("model_type", "falcon"),
        ("attn_implementation", "somebody/kernel"), ("quantization_config", {"quant_method": "awq"}),
    ):  # fmt: skip
        folder = folder_of("bleurt", tmp_path / key)
        edited(folder, value, "settings", "config", key)
        with pytest.raises(InputError, match=rf"`settings`, key 'config', key '{key}'"):
            open_model(folder)


CODE = """
import sys
print("it was run", file=sys.stderr)
class Tokenizer: pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["y\n", ""])
def test_a_tokenizer_of_its_own_code_is_not_run(answer: str, tmp_path: Path) -> None:
    """Not even after a "y" on standard input."""
    import subprocess
    import sys

    pytest.importorskip("transformers")
    folder = folder_of("bleurt", tmp_path)
    settings = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
    (folder / "tokenizer_config.json").write_text(
        json.dumps({**settings, "tokenizer_class": "T", "auto_map": {"AutoTokenizer": ["own.T", "own.T"]}})
    )
    opened(folder)
    code = (
        "import sys, metrologue\nfrom metrologue.learned import open_model\nfrom pathlib import Path\n"
        "model = open_model(sys.argv[1])\nprint(metrologue.score('bleurt', ['a'], ['b'], model=model).value)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, folder], input=answer, capture_output=True, text=True, timeout=240
    )
    assert "trust_remote_code" not in done.stdout, done
    assert "trust" not in done.stdout.lower()
    assert "InputError" in done.stderr or done.returncode == 0, done.stderr


# ----- Nothing outside is opened -----


def test_an_encoder_is_opened_where_the_user_says(tmp_path: Path) -> None:
    """A folder has its name and digest alone; an earlier version wrote its path, which is not opened."""
    vectors = tmp_path / "own.txt"
    vectors.write_text("cat 1 0\nsofa 0 1\n")
    model = TrainedModel("composite", Features.of([Letters()]), line([[1.0] * 96], 0.0), trained("composite").report)
    folder = save_model(model, tmp_path / "model")
    assert description(folder)["features"] == [{"vectors": "letters@1"}]
    assert open_model(folder, encoder=Letters()).name == model.name
    assert open_model(folder, encoder=[Letters()]).name == model.name
    for place in ("somebody/model", str(vectors), "/etc"):
        edited(folder, {"vectors": "other@1", "path": place}, "features", 0)
        with pytest.raises(InputError, match=r"was trained with the encoder other@1, which is not in use here; say wh"):
            open_model(folder)
    with pytest.raises(InputError, match=r"was trained with the encoder other@1, not with ngrams-64@3"):
        open_model(folder, encoder=NgramEncoder())


def test_the_command_and_the_module_take_the_encoder(tmp_path: Path) -> None:
    """Here word vectors; it is remembered nowhere, so a call without it is refused."""
    vectors = tmp_path / "own.txt"
    vectors.write_text("cat 1 0\nsofa 0 1\nit 1 1\n")
    network = trained("composite").network.__class__
    line = network(np.zeros(8), np.ones(8), [(np.ones((1, 8)), np.zeros(1))])
    made = TrainedModel("composite", Features.of([str(vectors)]), line, trained("composite").report)
    folder, expected = (
        save_model(made, tmp_path / "model"),
        make_scorer("composite", model=made).corpus(TEXTS, TEXTS).value,
    )
    name = made.name
    edited(folder, "by hand", "report", "trainer")
    del made
    gc.collect()
    (tmp_path / "texts").write_text("".join(f"{text}\n" for text in TEXTS))
    command = [
        "score",
        "composite",
        "-p",
        str(tmp_path / "texts"),
        "-r",
        str(tmp_path / "texts"),
        "--model",
        str(folder),
    ]
    told = CliRunner().invoke(main, command)
    assert told.exit_code
    assert "was trained with the encoder own.txt@" in told.output
    assert "--encoder PATH" in told.output
    done = CliRunner().invoke(main, [*command, "--encoder", str(vectors), "--format", "json"])
    assert not done.exit_code, done.output
    assert str(round(expected, 4))[:5] in done.output
    compared = [
        "compare",
        "--metric",
        "composite",
        "--no-live",
        *command[2:],
        "--encoder",
        str(vectors),
        "--format",
        "json",
    ]
    done = CliRunner().invoke(main, compared)
    assert not done.exit_code, done.output
    module = metrologue.load("composite", model=str(folder), encoder=str(vectors))
    assert module.compute(predictions=TEXTS, references=TEXTS)["composite"] == expected
    assert open_model(folder, encoder=vectors).name == name
    with pytest.raises(TypeError, match="'encoder' is that of a trained model"):
        metrologue.load("composite", encoder=str(vectors))
    for wrong, message in (
        (["score", "bleu", *command[2:6], "--encoder", "x"], "--encoder belongs to --model"),
        (["compare", *command[2:6], "--encoder", "x"], "--encoder belongs to --model"),
        (["score", "bertscore", *command[2:], "--encoder", "x"], "--encoder is for a trained model"),
    ):
        assert message in CliRunner().invoke(main, wrong).output


def test_a_score_opens_no_file_but_a_table_of_the_folder(tmp_path: Path) -> None:
    folder = folder_of("composite", tmp_path)
    own = make_scorer("composite", model=trained("composite")).signature
    inside = [{"score": own, "number": "composite", "form": "x"}]
    for more, message in (
        ({"files": {"model": str(folder)}}, "is not in use here"),
        ({"tables": {"model": "model.json"}}, "has a table 'model'"),
        ({"tables": {"model": "../composite"}}, "has a table 'model'"),
    ):
        part = [{**inside[0], "score": re.sub("model=[^|]*", "model=composite@0123456789ab", own), **more}]
        with pytest.raises(InputError, match=message):
            open_model(edited(folder, part, "features"))


@POSIX
@pytest.mark.parametrize("name", ["../outside.arrow", "/etc/passwd", "link.arrow", "pipe.arrow", "gone.arrow", "", "."])
def test_a_table_lies_in_the_folder(name: str, tmp_path: Path) -> None:
    folder = folder_of("composite", tmp_path)
    (tmp_path / "outside.arrow").write_bytes(b"outside")
    (folder / "link.arrow").symlink_to(tmp_path / "outside.arrow")
    os.mkfifo(folder / "pipe.arrow")
    part = {"score": "nist_mt|information=nist_mt-information@0123456789ab", "number": "nist_mt"}
    edited(folder, [{**part, "tables": {"information": name}}], "features")
    for each in {"link.arrow", "pipe.arrow"} - {name}:
        (folder / each).unlink()
    with pytest.raises(InputError, match=r"no name of a file in the folder|leads out of|is no regular|cannot be read"):
        open_model(folder)


# ----- Files that are none, and files that promise more than they hold -----


@POSIX
@pytest.mark.parametrize("name", ["model.json", "model.safetensors", "tokenizer.json"])
def test_a_pipe_a_device_and_a_link_are_not_opened(name: str, tmp_path: Path) -> None:
    folder = folder_of("bleurt", tmp_path)
    whole = (folder / name).read_bytes()
    (tmp_path / "outside").write_bytes(whole)
    (folder / name).unlink()
    for make in (
        os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to(tmp_path / "outside"),
        lambda path: path.symlink_to(path), lambda path: path.mkdir(),
    ):  # fmt: skip
        make(folder / name)
        with pytest.raises(InputError):
            open_model(folder)
        (folder / name).rmdir() if (folder / name).is_dir() else (folder / name).unlink()


def test_links_of_the_hubs_cache_are_read(tmp_path: Path) -> None:
    """It keeps contents in ``blobs``, and links to them in ``snapshots/COMMIT``."""
    source, place = sample_folder("composite"), tmp_path / "snapshots" / "0123"
    (tmp_path / "blobs").mkdir()
    place.mkdir(parents=True)
    for number, each in enumerate(sorted(source.iterdir())):
        shutil.copy(each, tmp_path / "blobs" / str(number))
        (place / each.name).symlink_to(Path("..", "..", "blobs", str(number)))
    assert open_model(place).name == open_model(source).name


def file_of(header: Any, numbers: bytes = b"\0" * 64) -> bytes:
    told = json.dumps(header).encode() if not isinstance(header, bytes) else header
    return struct.pack("<Q", len(told)) + told + numbers


def entry(shape: Any = (8,), offsets: Any = (0, 64), dtype: Any = "F64", **more: Any) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets, **more}


@pytest.mark.parametrize(
    "content",
    [
        file_of({f"a{i}": entry() for i in range(20_000)}),  # small, and 20,000 copies of one range
        file_of({"a": entry((4,), (0, 32)), "b": entry((4,), (16, 48)), "c": entry((2,), (48, 64))}),
        file_of({"a": entry((4,), (0, 32))}),  # bytes that belong to no array
        file_of({"a": entry((4,), (32, 64))}),
        file_of({"a": entry((1 << 40,), (0, 8 << 40))}),
        file_of({"a": entry((-8, -1))}),
        file_of({"a": entry((0, 10**400), (0, 0)), "b": entry()}),
        file_of({"a": entry((True, 8))}),
        file_of({"a": entry(8)}),
        file_of({"a": entry((8,), (0, 64, 64))}),
        file_of({"a": entry((8.0,))}),
        file_of({"a": entry(dtype="F9")}),
        file_of({"a": entry(dtype=["F64"])}),
        file_of({"a": entry(other=1)}),
        file_of({"a": entry(), "__metadata__": {"a": 1}}),
        file_of({"a": entry(), "__metadata__": 1}),
        file_of([]),
        file_of(b"[" * 100_000),
        file_of(b'{"a": ' * 90 + b"1" + b"}" * 90),
        struct.pack("<Q", 1 << 63),
        b"",
    ],
)  # fmt: skip
def test_arrays_that_promise_what_the_file_does_not_hold(content: bytes) -> None:
    with pytest.raises(InputError, match="holds no arrays in the format of safetensors"):
        tensors_from(content)


def test_arrays_of_no_size_are_read() -> None:
    arrays = {"a": np.zeros((0, 3)), "b": np.ones(2), "c": np.array(4.0), "d": np.zeros(0)}
    found, _ = tensors_from(tensors_to(arrays))
    assert {name: each.shape for name, each in found.items()} == {name: each.shape for name, each in arrays.items()}


@pytest.mark.parametrize("metric", SAMPLES)
def test_arrays_of_other_shapes(metric: str, tmp_path: Path) -> None:
    """Each array with another shape, another kind, or away: refused when it is opened, or when its scores are asked."""
    folder = folder_of(metric, tmp_path)
    about, whole = description(folder), (folder / "model.safetensors").read_bytes()
    arrays, told = tensors_from(whole)
    names = [
        name for name in arrays if metric != "bleurt" or name.startswith("head.")
    ]  # torch says what fits otherwise
    for name in Random(metric).sample(sorted(names), min(4, len(names))):
        own = arrays[name]
        for other in (None, own[None], np.zeros((0, 3)), own.astype(float) + np.nan, own.ravel()[: own.size - 1]):
            rest = {each: array for each, array in arrays.items() if each != name}
            (folder / "model.safetensors").write_bytes(
                tensors_to({**rest, **({} if other is None else {name: other})}, told)
            )
            write(folder, about)
            with pytest.raises(InputError):
                opened(folder)


# ----- Descriptions with any content -----

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 3, 10**9, 10**400, -(10**30), 0.5, -0.5, 1e308, float("nan"), float("inf"), "", "x",
    "a|b=c", "\ud800", "../x", "/etc/passwd", "ngrams-8@1", "bleu", [], {}, ["x"], [[1]], {"a": 1}, {"a": {"b": []}},
]  # fmt: skip
DEEP: Any = 1
for _ in range(500):
    DEEP = [DEEP]
VALUES.append(DEEP)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each value in a description; of a list, that of the first and the last."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from places(each, (*path, key))
    elif isinstance(value, list):
        for key in sorted({0, len(value) - 1} if value else ()):
            yield from places(value[key], (*path, key))


def without_parts(path: tuple[Any, ...]) -> tuple[Any, ...]:
    """The path, the same for all parts that were held out."""
    return tuple("part" if str(each).startswith("part ") else each for each in path)


def mutants(about: Any) -> list[tuple[tuple[Any, ...], Any]]:
    """Each place with each value that it can have instead; with Ellipsis, it is deleted."""
    paths = {without_parts(path): path for path in places(about)}
    return [
        (path, value)
        for path in paths.values()
        if "held_out" not in path[:-1] or about["metric"] == "composite"  # they have one form, whatever the metric
        for value in (*VALUES, ...)
    ]


MODELS = [(metric, True) for metric in SAMPLES] + [(metric, False) for metric in SMALL]


def check(metric: str, folder: Path, about: Any, path: tuple[Any, ...], value: Any, use: bool) -> None:
    """Only an InputError or a number comes out."""
    try:
        write(folder, changed(about, path, value))
        model = opened(folder, encoder=() if metric.startswith("sample") else [Letters()])
        assert isinstance(model_card(model), str)
        assert isinstance(reached(model), list)
        if use:
            scorer = make_scorer(about["metric"], model=model)
            assert isinstance(scorer.corpus(TEXTS, REFERENCES).value, float)
    except InputError:
        pass
    except Exception as error:
        raise AssertionError(f"{about['metric']}: {path} = {str(value)[:60]}: {error!r}") from error


def model_folder(metric: str, is_sample: bool, place: Path) -> Path:
    if is_sample:
        return folder_of(metric, place)
    return save_model(trained(metric), place / metric)


def run(metric: str, is_sample: bool, place: Path, chosen: Callable[[list[Any]], list[Any]]) -> None:
    folder = model_folder(metric, is_sample, place)
    about = description(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path, value in chosen(mutants(about)):
            encoder = metric if not is_sample and trained(metric).features.encoders else "sample"
            check(encoder, folder, about, path, value, use=metric != "bleurt" and path[0] != "report")


@pytest.mark.parametrize(("metric", "is_sample"), MODELS)
def test_some_edited_descriptions(metric: str, is_sample: bool, tmp_path: Path) -> None:
    run(metric, is_sample, tmp_path, lambda all_of: Random(f"{metric} {is_sample}").sample(all_of, 6))


@pytest.mark.slow
@pytest.mark.parametrize("metric", SAMPLES)
def test_all_edited_descriptions(metric: str, tmp_path: Path) -> None:
    run(metric, True, tmp_path, lambda all_of: all_of)


FIELD_VALUES = [
    "null", "0", "1", "-1", "1000000000", "9" * 400, "9" * 5000, "0.5", "nan", "inf", "", "x", "[]", "[1,2]", "[" * 50,
    "../x", "/etc/passwd", "a@b", "a|b", "true",
]  # fmt: skip


def edited_signatures(signature: str) -> list[str]:
    """The signature of a feature with another value for each of its fields."""
    name, *fields = signature.split("|")
    return [
        "|".join([name, *fields[:place], f"{field.partition('=')[0]}={value}", *fields[place + 1 :]])
        for place, field in enumerate(fields)
        for value in FIELD_VALUES
    ]


def test_some_edited_signatures(tmp_path: Path) -> None:
    folder = folder_of("composite", tmp_path)
    about, draws = description(folder), Random(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place, part in enumerate(about["features"]):
            for signature in draws.sample(edited_signatures(part["score"]), 12):
                check("sample", folder, about, ("features", place, "score"), signature, use=True)


def test_brackets_that_are_nested_too_deeply(tmp_path: Path) -> None:
    folder = folder_of("composite", tmp_path)
    for deep in (
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 900 + "]" * 900,
        '{"form": 1, "report": ' + "[" * 99 + "]" * 99 + "}",
    ):
        (folder / "model.json").write_text(deep)
        with pytest.raises(InputError, match=r"model.json"):
            open_model(folder)
