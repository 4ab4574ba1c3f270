"""``metrologue coco`` against pycocoevalcap's whole pipeline, and files that are refused."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from compared import compared

from metrologue.cli import main
from metrologue.comparison.libraries import Missing, get_library
from metrologue.files.captions import NUMBERS, read_captions
from metrologue.scorers import Cider, Scorer
from metrologue.scorers.core.variants import variant_of
from metrologue.segments import Segments

IMAGES: list[Any] = [{"id": 9}, {"id": 2, "file_name": "2.jpg"}, {"id": 5}]
ANNOTATIONS: list[Any] = [
    {"image_id": 2, "id": 1, "caption": "A dog runs in the park."},
    {"image_id": 9, "id": 2, "caption": "A cat sits on the mat."},
    {"image_id": 9, "id": 3, "caption": "The cat is on the\nmat, isn't it?"},
    {"image_id": 2, "id": 4, "caption": "A brown dog (a big one) is running"},
    {"image_id": 5, "id": 5, "caption": "Two people ride bikes"},
]
RESULTS: list[Any] = [
    {"image_id": 5, "caption": "people ride bikes on the road"},
    {"image_id": 9, "caption": "A cat is on the mat ."},
    {"image_id": 2, "caption": "a dog is running in the park!"},
]
Files = Callable[..., list[str]]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A function that writes both files, and gives the options for them."""

    def write(images: Any = IMAGES, annotations: Any = ANNOTATIONS, results: Any = RESULTS) -> list[str]:
        held = {"images": images, "annotations": annotations}
        for name, content in (("captions.json", held), ("results.json", results)):
            text = content if isinstance(content, bytes) else json.dumps(content).encode()
            (tmp_path / name).write_bytes(text)
        return ["--annotations", str(tmp_path / "captions.json"), "--results", str(tmp_path / "results.json")]

    return write


def run(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["coco", *arguments])
    assert result.exit_code == status, result.output
    return result


def numbers(*arguments: str) -> dict[str, float]:
    found: dict[str, float] = json.loads(run(*arguments, "--format", "json").stdout)["scores"]
    return found


def test_the_table(files: Files, meteor_tables: object) -> None:
    printed = run(*files()).stdout.split("\n")
    assert printed[0].split() == ["metric", "score"]
    assert [line.split()[0] for line in printed[1:8]] == list(NUMBERS)
    scores = numbers(*files())
    assert [line.split()[1] for line in printed[1:8]] == [f"{scores[row]:.3f}" for row in NUMBERS]
    assert run(*files(), "-w", "1").stdout.split()[-1] == f"{scores['CIDEr']:.1f}"
    tsv = run(*files(), "--format", "tsv").stdout.splitlines()
    assert dict(line.split("\t") for line in tsv[1:]) == {row: repr(value) for row, value in scores.items()}
    for other in ("latex", "markdown"):
        assert "CIDEr" in run(*files(), "--format", other).stdout


def test_it_is_cider_d_over_ptb_tokens(files: Files) -> None:
    captions = read_captions(*map(Path, files()[1::2]))
    assert captions.images == [9, 2, 5]
    assert captions.predictions == ["A cat is on the mat .", "a dog is running in the park!", RESULTS[0]["caption"]]
    ours = Cider.variant("coco").corpus(captions.predictions, captions.references).value
    assert numbers(*files())["CIDEr"] == pytest.approx(ours, rel=1e-12)


def test_signatures_make_the_numbers_again(files: Files, meteor_tables: object) -> None:
    captions = read_captions(*map(Path, files()[1::2]))
    found = json.loads(run(*files(), "--format", "json").stdout)
    assert found["images"] == 3
    for row, (metric, key) in NUMBERS.items():
        scorer = Scorer.from_signature(found["signatures"][metric])
        assert variant_of(scorer) == "coco"
        assert scorer.corpus(captions.predictions, captions.references).scores[key] == found["scores"][row]


def test_each_image(files: Files) -> None:
    header, *lines = run(*files(), "--per-segment").stdout.splitlines()
    names = header.split("\t")
    assert names[0] == "image_id"
    rows = [dict(zip(names, line.split("\t"), strict=True)) for line in lines]
    assert [row["image_id"] for row in rows] == ["9", "2", "5"]
    mean = sum(float(row["CIDEr"]) for row in rows) / 3
    assert mean == pytest.approx(numbers(*files())["CIDEr"], rel=1e-9)
    ids = (
        [{"id": f"a\t{i}"} for i in (9, 2, 5)],
        *([{**row, "image_id": f"a\t{row['image_id']}"} for row in rows] for rows in (ANNOTATIONS, RESULTS)),
    )
    assert run(*files(*ids), "--per-segment").stdout.splitlines()[1].startswith("a_9\t")


def test_the_first_captions_of_each_image(files: Files) -> None:
    """They are the first in the file, as for c5 and c40. Images with fewer captions keep all of them."""
    one = numbers(*files(), "--references", "1")
    assert one == numbers(*files(annotations=[ANNOTATIONS[i] for i in (0, 1, 4)]))
    assert one != numbers(*files())
    assert numbers(*files(), "--references", "40") == numbers(*files())


def test_a_subset_of_the_images(files: Files) -> None:
    part = numbers(*files(results=RESULTS[:2]), "--subset")
    rows = [row for row in ANNOTATIONS if row["image_id"] != 2]
    assert part == numbers(*files([IMAGES[0], IMAGES[2]], rows, RESULTS[:2]))
    assert "has no result" in run(*files(results=RESULTS[:2]), status=2).stderr


def test_weights_of_a_table(files: Files, tmp_path: Path) -> None:
    captions = read_captions(*map(Path, files()[1::2]))
    scorer = Cider.variant("coco")
    segments = Segments(captions.predictions, captions.references)
    pickled = tmp_path / "table.p"
    pickled.write_bytes(pickle.dumps({("cat",): 2.0, ("a", "cat"): 1.0, ("a", "cat", "is", "on"): 1.0}))
    assert "give --documents" in run(*files(), "--document-frequency", str(pickled), status=2).stderr
    given = numbers(*files(), "--document-frequency", str(pickled), "--documents", "40504")
    expected = scorer.with_table(pickled, 40504).corpus(segments).value
    assert given["CIDEr"] == pytest.approx(expected, rel=1e-12)
    fitted = scorer.fit(segments)
    assert fitted.document_frequency
    fitted.document_frequency.save(tmp_path / "table.arrow")
    saved = numbers(*files(), "--document-frequency", str(tmp_path / "table.arrow"))
    assert saved == numbers(*files())
    assert "--document-frequency" in run(*files(), "--documents", "3", status=2).stderr


def test_latex_is_ready_for_a_paper(files: Files) -> None:
    lines = run(*files(), "--format", "latex").stdout.splitlines()
    captions = [line for line in lines if line.startswith(r"\caption{coco-caption's table of 3 images. bleu")]
    assert len(captions) == 1
    assert {r"\toprule", r"\midrule", r"\bottomrule", r"\begin{table}"} <= {*lines}
    assert all("variant=coco" in each for each in captions)
    assert sum(line.startswith("% ") for line in lines) == len({metric for metric, _ in NUMBERS.values()})


def test_one_image(files: Files) -> None:
    found = run(*files(IMAGES[:1], ANNOTATIONS[1:3], RESULTS[1:2]), "--format", "json")
    assert json.loads(found.stdout)["scores"]["CIDEr"] == 0
    assert "Warning: Cider: the weights of n-grams come from the references of a single image" in found.stderr


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"results": b"[{]"}, "results.json: not JSON (Expecting property name"),
        ({"results": b'[{"image_id": 1, "caption": "\xff"}]'}, "results.json: byte 29 is not UTF-8"),
        ({"results": {"a": 1}}, 'results.json: a JSON list of objects with "image_id" and "caption" is expected'),
        ({"results": [*RESULTS, 3]}, "results.json: `[3]` is 3; an object is expected"),
        ({"results": [*RESULTS, {"caption": "a"}]}, "results.json: `[3]` has no `image_id`"),
        ({"results": [*RESULTS, RESULTS[1]]}, "results.json: `[3]` has the image id 9, as `[1]` has"),
        ({"results": [*RESULTS, {"image_id": 7, "caption": "a"}]}, "`[3]` belongs to the image 7, which is not in"),
        ({"results": [{"image_id": "9", "caption": "a"}]}, "the image '9', which is not in"),
        ({"results": [{"image_id": "9", "caption": "a"}]}, "there is 9, which is int"),
        ({"results": [{"image_id": True, "caption": "a"}]}, "has the `image_id` True; an int or a str is expected"),
        ({"results": [{"image_id": 9, "caption": None}]}, "`[0]`, of the image 9, has the caption None; a str is"),
        ({"results": [{"image_id": 9}]}, "`[0]`, of the image 9, has no `caption`; a str is expected"),
        ({"results": RESULTS[:2]}, "results.json: the image 2 of"),
        ({"images": [*IMAGES, {"id": 2}]}, "captions.json: `images[3]` has the id 2, as `[1]` has"),
        ({"images": [*IMAGES, {"file_name": "x"}]}, "captions.json: `images[3]` has no `id`"),
        ({"images": {}}, 'captions.json: a JSON object with the lists "images" and "annotations" is expected'),
        ({"images": [], "annotations": [], "results": []}, "captions.json: there are no images to score"),
        ({"images": IMAGES[:2]}, "captions.json: `annotations[4]` belongs to the image 5, which is not in `images`"),
        ({"annotations": ANNOTATIONS[:4]}, "captions.json: the image 5 has no caption in 'annotations'"),
        ({"annotations": [{"image_id": 9, "caption": [1]}]}, "`annotations[0]`, of the image 9, has the caption [1]"),
        ({"annotations": [{"caption": "a"}]}, "`annotations[0]` has no `image_id`"),
    ],
)
def test_files_that_are_refused(files: Files, changed: dict[str, Any], message: str) -> None:
    refused = run(*files(**changed), status=2).stderr
    assert message in refused
    assert len(refused.splitlines()) == 1


def test_without_meteors_tables(files: Files, tmp_path: Path) -> None:
    """The row is empty, a line says what to install, and the rest goes on."""
    environment = {**os.environ, "METEOR_JAR": str(tmp_path / "none.jar")}
    command = [sys.executable, "-m", "metrologue", "coco", *files()]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    rows = dict(line.split() for line in printed.stdout.splitlines()[1:])
    assert rows["METEOR"] == "-"
    assert float(rows["CIDEr"]) > 0
    assert "Warning: METEOR is left out: METEOR 1.5's data is not in" in printed.stderr
    assert "pip install pycocoevalcap" in printed.stderr
    as_json = subprocess.run([*command, "--format", "json"], env=environment, capture_output=True, check=True)
    assert json.loads(as_json.stdout)["scores"]["METEOR"] is None
    images = subprocess.run([*command, "--per-segment"], env=environment, capture_output=True, text=True, check=True)
    assert images.stdout.splitlines()[0].split("\t")[1:] == [row for row in NUMBERS if row != "METEOR"]


def test_options_that_do_not_go_together(files: Files) -> None:
    assert "choose no other format" in run(*files(), "--per-segment", "--format", "json", status=2).stderr
    assert "--references" in run(*files(), "--references", "0", status=2).stderr
    assert "Missing option '--results'" in run(*files()[:2], status=2).stderr


@pytest.mark.slow
def test_pycocoevalcaps_pipeline(files: Files, java: object, meteor_tables: object) -> None:
    """Its tokenizer, and its four scorers: the corpus and each image."""
    library = get_library("pycocoevalcap")
    if isinstance(status := library.status(), Missing):
        pytest.skip(f"pycocoevalcap: {status}")
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider as LiveCider
    from pycocoevalcap.meteor.meteor import Meteor
    from pycocoevalcap.rouge.rouge import Rouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    tokens = [
        PTBTokenizer().tokenize(
            {image["id"]: [row for row in rows if row["image_id"] == image["id"]] for image in IMAGES}
        )
        for rows in (ANNOTATIONS, RESULTS)
    ]
    whole: dict[str, float] = {}
    each: dict[str, list[float]] = {}
    bleus, rows = Bleu(4).compute_score(*tokens, verbose=0)
    for n in range(4):
        whole[f"Bleu_{n + 1}"], each[f"Bleu_{n + 1}"] = bleus[n], rows[n]
    for name, scorer in (("METEOR", Meteor()), ("ROUGE_L", Rouge()), ("CIDEr", LiveCider())):
        whole[name], each[name] = scorer.compute_score(*tokens)
    assert numbers(*files()) == pytest.approx(whole, rel=1e-12)
    header, *lines = run(*files(), "--per-segment").stdout.splitlines()
    columns = zip(*(line.split("\t") for line in lines), strict=True)
    ours = {name: [*map(float, column)] for name, column in zip(header.split("\t"), columns, strict=True)}
    for name in NUMBERS:
        assert ours[name] == pytest.approx([*each[name]], rel=1e-12, abs=1e-300)
    compared(len(whole) + sum(map(len, each.values())))


def test_score_and_compare_take_both_files(files: Files) -> None:
    """The images are those of both files, joined by their ids."""
    _, annotations, _, results = files(results=RESULTS[:2])
    arguments = ["bleu:coco", "cider:coco", "-p", results, "-r", annotations, "--format", "json"]
    with pytest.warns(UserWarning, match="COCO's") as told:
        scored = CliRunner().invoke(main, ["score", *arguments])
    assert scored.exit_code == 0, scored.output
    found = {each["metric"]: each["systems"][0]["scores"] for each in json.loads(scored.stdout)}
    table = numbers("--annotations", annotations, "--results", results, "--subset")
    assert found["cider"]["cider"] == table["CIDEr"]
    assert {f"Bleu_{n}": found["bleu"][f"bleu_{n}"] for n in range(1, 5)}.items() <= table.items()
    left = "1 segment of 3 left out, whose ids other files lack: '2'"
    assert any(left in str(each.message) for each in told)
    bare = files(annotations=ANNOTATIONS[:4])
    refused = CliRunner().invoke(main, ["score", "bleu:coco", "-p", bare[3], "-r", bare[1]])
    assert refused.exit_code == 2
    assert "captions.json: 1 image without a caption, such as 5." in refused.stderr
    assert "coco" not in CliRunner().invoke(main, ["--help"]).stdout.split("Commands:")[1]
