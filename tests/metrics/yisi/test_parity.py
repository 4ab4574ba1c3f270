"""YiSi against what the author's C++ program printed: here, for generated texts, and in the program's own tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compared import compared

from metrologue.representations.frames import FrameFile
from metrologue.scorers import Yisi

RECORDED: dict[str, Any] = {
    name: json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8")) for name in Yisi.variants()
}
printed = {"rel": 1e-5, "abs": 1e-6}  # six digits


def fields(recorded: dict[str, Any], folder: Path) -> dict[str, Any]:
    found = {}
    for name in ("vectors", "source_vectors"):
        if name in recorded:
            found[name] = folder / name
            found[name].write_text(recorded[name], "utf-8")
    return found


@pytest.mark.parametrize("name", ["yisi-0", "yisi-1", "yisi-2"])
def test_the_program_without_frames(name: str, tmp_path: Path) -> None:
    recorded = RECORDED[name]
    scorer = Yisi.variant(name, **fields(recorded, tmp_path))
    scores = scorer.segments(recorded["predictions"], recorded["references"])
    assert scores == pytest.approx(recorded["scores"], **printed)
    assert scorer.corpus(recorded["predictions"], recorded["references"]).value == pytest.approx(scores.mean())
    compared(len(scores))


@pytest.mark.parametrize("name", ["yisi-1-srl", "yisi-2-srl"])
def test_the_program_with_frames(name: str, tmp_path: Path) -> None:
    recorded = RECORDED[name]
    scorer = Yisi.variant(name, **fields(recorded, tmp_path))
    with_frames = 0
    for index, parses in enumerate(recorded["parses"]):
        files = [tmp_path / f"{index}.{side}.conll09" for side in range(2)]
        for file, parse in zip(files, parses, strict=True):
            file.write_text(parse, "utf-8")
        values = {**{key: getattr(scorer, key) for key in ("vectors", "source_vectors")}, "frames": FrameFile(*files)}
        texts = [recorded["predictions"][index]], [recorded["references"][index]]
        value = Yisi.variant(name, **values).corpus(*texts).value
        assert value == pytest.approx(recorded["scores"][index], **printed)
        with_frames += value != pytest.approx(Yisi.variant(name, **values, beta=0).corpus(*texts).value)
    assert with_frames > 15
    compared(len(recorded["scores"]))


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").removesuffix("\n").split("\n")


@pytest.mark.parametrize("name", ["yisi-0", "yisi-1", "yisi-2"])
def test_the_programs_own_tests(name: str, shared_data: Path) -> None:
    folder = shared_data / "yisi_example"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder} with the tests of the program")
    own = {"vectors": folder / "mini.d300.en", "source_vectors": folder / "mini.d300.de"}
    given = {"yisi-0": [], "yisi-1": ["vectors"], "yisi-2": ["vectors", "source_vectors"]}[name]
    scorer = Yisi.variant(name, **{key: own[key] for key in given})
    others = lines(folder / ("test_inp.de" if name == "yisi-2" else "test_ref.en"))
    found = scorer.segments(lines(folder / "test_hyp.en"), others)
    expected = [float(line) for line in lines(folder / "ref" / f"test_hyp.snt{name.replace('-', '')}")]
    np.testing.assert_allclose(found, expected, atol=1e-6, rtol=1e-5)
    assert found.mean() == pytest.approx(
        float(lines(folder / "ref" / f"test_hyp.doc{name.replace('-', '')}")[0]), **printed
    )
    compared(len(found))


def test_the_frames_of_the_programs_own_parse(shared_data: Path) -> None:
    """The program prints a frame a line, with brackets. It was given "organisation", the parse has "organization"."""
    folder = shared_data / "yisi_example"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder} with the tests of the program")
    texts = lines(folder / "test_ref.en")
    frames = FrameFile(folder / "test_ref.en.conll09", texts=[folder / "test_ref.en"])
    found = []
    for number, text in enumerate(texts):
        for frame in frames.label([text.split()])[0] or ():
            words = text.split()
            for label, start, stop in (("V", *frame.predicate), *frame.arguments):
                words[start] = f"[{label} {words[start]}"
                words[stop - 1] += "]"
            found.append(f"{number}: {' '.join(words)} ")
    expected = lines(folder / "ref" / "test_ref.en.srl")
    assert found == [line for line in expected if "[V organisation]" not in line]
    assert len(found) == len(expected) - 1
    assert FrameFile(folder / "test_ref.en.conll09").label([texts[6].split()]) == [None]
