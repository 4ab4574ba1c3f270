"""``which`` for a metric that takes more than texts and references: in Python and on the command line."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_metric import small_metric

import metrologue
from metrologue.cli import main
from metrologue.comparison.which.search import Answer, families, which
from metrologue.errors import InputError

PREDICTIONS, REFERENCES = ["the Cat sat", "a dog"], ["the cat sat", "a dog"]
SOURCES = ["the cat sat on the mat", "a dog"]
PRINTED = {"metrologue": "0.625", "lowercase": "0.75"}


@pytest.fixture(autouse=True)
def kept() -> Iterator[None]:
    with small_metric():
        yield


def prints(answer: Answer) -> float:
    """What the call of an answer gives."""
    given = {"metrologue": metrologue, "predictions": PREDICTIONS, "references": REFERENCES, "sources": SOURCES}
    found = eval(answer.call, given)
    return float(getattr(found, "value", found))


@pytest.mark.parametrize("variant", PRINTED)
def test_every_variant_is_found_from_its_own_number(variant: str) -> None:
    found = which("kept", PRINTED[variant], PREDICTIONS, REFERENCES, sources=SOURCES)
    answer = found.answers[0]
    assert (answer.setting.variant, answer.setting.texts) == (variant, "all")
    assert answer.command == f"metrologue score kept --variant {variant}"
    assert prints(answer) == float(PRINTED[variant])


def test_swapped_sides_and_one_of_several_references_have_the_sources_too() -> None:
    found = which("kept", "0.75", PREDICTIONS, REFERENCES, sources=SOURCES, changes=0)
    assert all(prints(each) == 0.75 for each in found.answers)
    texts = [["x", "y"], ["z", "a"]]
    found = which("kept", "0.625", PREDICTIONS, texts, sources=SOURCES, remarks=[[], ["so"]])
    assert "sources=sources, remarks=remarks" in found.answers[0].call


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match=r"^Kept: `sources` are missing; the text before it was shortened\.$"):
        which("kept", 1, PREDICTIONS, REFERENCES)
    with pytest.raises(InputError, match="2 predictions but 1 source"):
        which("kept", 1, PREDICTIONS, REFERENCES, sources=SOURCES[:1])
    for metric in ("bleu", "all"):
        with pytest.raises(InputError, match="which: there is no input 'sources'"):
            which(metric, 1, PREDICTIONS, REFERENCES, sources=SOURCES)
    # Labels are no texts, and a metric with sources compares texts with references.
    with pytest.raises(InputError, match="f1 does not compare texts with references"):
        families("f1")
    assert families("comet") == ["comet"]
    assert "kept" not in families("all")


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in (("hyp", PREDICTIONS), ("ref", REFERENCES), ("my src", SOURCES)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    texts = ["-p", "hyp", "-r", "ref"]
    found = CliRunner().invoke(main, ["which", "kept", "0.625", *texts, "--sources", "my src"])
    assert found.exit_code == 0, found.output
    command = next(line.strip() for line in found.stdout.splitlines() if line.strip().startswith("metrologue score"))
    assert "--sources 'my src'" in command
    assert "0.625" in CliRunner().invoke(main, [*shlex.split(command)[1:], "-w", "4"]).stdout
    (tmp_path / "all.jsonl").write_text("".join(json.dumps({"source": line}) + "\n" for line in SOURCES))
    found = CliRunner().invoke(
        main, ["which", "kept", "0.625", *texts, "--sources", "all.jsonl", "--source-key=source"]
    )
    assert "--sources all.jsonl --source-key source" in found.stdout
    missing = CliRunner().invoke(main, ["which", "kept", "0.625", *texts])
    assert (missing.exit_code, "kept needs --sources FILE" in missing.output) == (2, True)
    foreign = CliRunner().invoke(main, ["which", "bleu", "0.625", *texts, "--sources", "my src"])
    assert "bleu reads no sources; leave out --sources" in foreign.output


ALONE = ["the cat sat on the mat", "a dog ran"]


def test_a_metric_of_texts_alone_needs_no_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = metrologue.score("lexical_diversity", ALONE, lowercase=False).value
    found = metrologue.which("lexical_diversity", f"{whole:.4f}", ALONE, changes=0)
    assert found.answers[0].call == 'metrologue.score("lexical_diversity", predictions, variant="metrologue")'
    assert found.answers[0].values == (whole,)
    monkeypatch.chdir(tmp_path)
    Path("texts.txt").write_text("\n".join(ALONE) + "\n", "utf-8")
    done = CliRunner().invoke(
        main, ["which", "lexical_diversity", f"{whole:.4f}", "-p", "texts.txt", "--changes", "0", "--format", "json"]
    )
    assert done.exit_code == 0, done.output
    command = json.loads(done.stdout)["answers"][0]["command"]
    assert command == "metrologue score lexical_diversity --variant metrologue -p texts.txt"
    assert CliRunner().invoke(main, shlex.split(command)[1:]).exit_code == 0
    assert "Missing option '-r'" in CliRunner().invoke(main, ["which", "bleu", "1", "-p", "texts.txt"]).output
    assert families("fkgl") == ["readability"]
    with pytest.raises(InputError, match="`references` is missing"):
        metrologue.which("bleu", 1, ALONE)
