"""MEANT against its definition over lists of words, its recorded numbers, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from compared import compared
from hypothesis import given

import metrologue
from metrics.meant.plain import Frame, meant
from metrics.yisi.test_properties import framed, labeller
from metrologue import InputError, Meant, Yisi
from metrologue.representations.frames import FunctionLabeller

CAT, FRAMES = (
    ["the cat chased a mouse", "the cat chased the mouse"],
    [{"pred": (2, 3), "args": [("A0", 0, 2), ("A1", 3, 5)]}],
)
MIDDLE = FunctionLabeller("middle", lambda texts: [FRAMES for _ in texts], "1")
NONE = FunctionLabeller("none", lambda texts: [[] for _ in texts], "1")


@given(hypothesis=framed(), reference=framed())
def test_definition(hypothesis: tuple[list[str], list[Frame]], reference: tuple[list[str], list[Frame]]) -> None:
    """Ties between assignments are decided in one way here and in another way there, so no two words are alike."""
    its = [f"{word}{'xyzuvwpqr'[place] * (place + 1)}" for place, word in enumerate(reference[0])]
    own = [f"{word}{'rqpwvuzyx'[place] * (place + 2)}" for place, word in enumerate(hypothesis[0])]
    texts = (own, hypothesis[1]), (its, reference[1])
    value = Meant(frames=labeller(*texts)).corpus([" ".join(own)], [" ".join(its)]).value
    assert value == pytest.approx(meant(*texts), abs=1e-9)


def test_recorded_numbers(tmp_path: Path) -> None:
    recorded: dict[str, Any] = json.loads(Path(__file__).with_name("frames.json").read_text("utf-8"))
    path = tmp_path / "parses.jsonl"
    path.write_text("\n".join(recorded["parses"]), "utf-8")
    scorer, texts = Meant.variant("frames", frames=path), (recorded["predictions"], recorded["references"])
    assert scorer.segments(*texts) == pytest.approx(recorded["scores"], rel=1e-12)
    assert len({*recorded["scores"]}) > 20
    compared(len(recorded["scores"]))


def test_worked_number() -> None:
    for alpha in (0.0, 0.5, 1.0):
        assert Meant(frames=MIDDLE, alpha=alpha).corpus(CAT[:1], CAT[1:]).value == pytest.approx(7 / 9, rel=1e-12)
    scores = Meant.variant("frames", frames=MIDDLE, weights="references").corpus(CAT[:1], CAT[1:]).scores
    assert scores["recall"] == pytest.approx(7 / 9)
    assert scores["precision"] < scores["recall"]


def test_roles_of_another_class_do_not_match() -> None:
    def label(texts: list[list[str]]) -> Any:
        return [[{"pred": (1, 2), "args": [("A0" if text[0] == "he" else "A1", 0, 1)]}] for text in texts]

    frames = FunctionLabeller("first", label, "1")
    assert Meant(frames=frames).corpus(["he sang"], ["he sang"]).value == 1
    texts = ["she sang"], ["he sang"]
    same, assigned = (Meant(frames=frames, role_match=kind).corpus(*texts).scores for kind in ("same", "assigned"))
    assert (same["precision"], same["recall"]) == (0.2, 0.2)
    assert (assigned["precision"], assigned["recall"]) == (0.2, pytest.approx((0.25 + 0.8) / 1.25))


def test_texts_without_frames_are_compared_by_words() -> None:
    words = Yisi(weights="uniform", alpha=0.5).corpus(CAT[:1], CAT[1:]).value
    assert Meant(frames=NONE).corpus(CAT[:1], CAT[1:]).value == words
    assert Meant(frames=NONE, without_frames="zero").corpus(CAT[:1], CAT[1:]).value == 0
    assert Meant(beta=0.0).corpus(CAT[:1], CAT[1:]).value == words
    some = FunctionLabeller("some", lambda texts: [FRAMES if text[3] == "a" else [] for text in texts], "1")
    assert Meant(frames=some).corpus(CAT[:1], CAT[1:]).value == 0
    assert Meant(frames=NONE).segments(["", "a", ""], ["a", "", ""]).tolist() == [0, 0, 0]


def test_vectors(tmp_path: Path) -> None:
    path = tmp_path / "small.txt"
    path.write_text("chased 1 0\nhunted 4 3\n", "utf-8")
    scorer = Meant(frames=MIDDLE, vectors=path)
    value = scorer.corpus(["the cat hunted the mouse"], CAT[1:]).value
    assert value == pytest.approx((0.25 * 0.8 + 2) / 2.25, rel=1e-6)


def test_what_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "parses.jsonl"
    path.write_text('{"text": "a cat", "frames": []}\n', "utf-8")
    with pytest.raises(InputError, match=r"Meant: `references\[0\]` has no parse in parses.jsonl@"):
        Meant(frames=path).corpus(["a cat"], ["a dog"])


def test_the_trace_has_the_frames() -> None:
    shown = metrologue.trace(Meant(frames=MIDDLE), *CAT[:1], CAT[1:])
    roles = shown.table("frames with reference 1")
    assert roles.column("role") == ("predicate", "agent", "patient") * 2
    assert roles.column("similarity") == pytest.approx((1, 1, 0.5) * 2)
    assert "MEANT = " in shown.text()
