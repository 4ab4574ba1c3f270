"""The pairs of dialogues that FineD-Eval learns from, its training, and what is held out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from metrologue_research.fined_eval import FinedEval
from metrologue_research.fined_eval.examples import DialoguePairs, dialogue_pairs, rated_pairs, read_dialogue_pairs
from metrologue_research.fined_eval.network import HEADS, turn_rows
from metrologue_research.fined_eval.training import FinedTrainer, _folds
from papers.fined_eval.plain import ranking_loss

from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.learned import NgramEncoder, open_model, train
from metrologue.learned.store import DIALOGUES
from metrologue.representations import FunctionEmotions, FunctionEntailment

QUIET = FunctionEmotions("none", lambda text: 0.0, "1")
NEUTRAL = FunctionEntailment("neutral", lambda premise, text: (0.0, 1.0, 0.0), "1")


def number(text: str) -> float:
    return float(text.split()[-1])


# The probability of a contradiction is the second turn's number, and that of an entailment the first one's.
JUDGE = FunctionEntailment(
    "numbers", lambda premise, text: (number(text) / 2, 1 - (number(text) + number(premise)) / 2, number(premise) / 2),
    "1",
)  # fmt: skip
GLAD = FunctionEmotions("numbers", number, "1")


class Answers:
    """A turn answers the one before it if its number is the next one."""

    name = "answers@1"

    def score_pairs(self, texts: Sequence[str], others: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        found = [float(number(b) == number(a) + 1) for a, b in zip(texts, others, strict=True)]
        return np.array(found), np.zeros(len(found), np.int64)


def dialogue(name: str, *numbers: float) -> list[str]:
    return [f"{name} {place} {each:g}" for place, each in enumerate(numbers)]


def names(pairs: DialoguePairs, head: str) -> list[tuple[str, str]]:
    """The first letters of both dialogues of each pair of a head, in order."""
    rows = zip(pairs.better, pairs.worse, pairs.heads, strict=True)
    return sorted((one[0][0], other[0][0]) for one, other, own in rows if own == head)


# ----- The three ways to make pairs -----


def test_coherence_has_other_orders_of_the_same_turns() -> None:
    given = [dialogue(name, 0.1, 0.9, 0.8, 0.7) for name in "ab"] + [dialogue("c", 0.1, 0.2, 0.3)]
    found = dialogue_pairs(given, judge=JUDGE, emotions=GLAD, count=20)
    rows = [row for row, head in enumerate(found.heads) if head == "coherence"]
    assert len(rows) == 20
    for row in rows:
        assert list(found.better[row]) in given
        assert sorted(found.better[row]) == sorted(found.worse[row])
        assert found.better[row] != found.worse[row]
        assert found.groups[row][0] == found.groups[row][1]
    pairs = [(found.better[row], found.worse[row]) for row in rows]
    assert len({*pairs}) == len(pairs)


def test_relevance_leaves_out_what_does_not_answer() -> None:
    given = [dialogue("a", 1, 2, 3), dialogue("b", 1, 2, 3), dialogue("c", 1, 5, 3)]
    judge = FunctionEntailment("first", lambda premise, text: (premise[0] == "c", 0, premise[0] != "c"), "1")
    found = dialogue_pairs(given, judge=judge, emotions=QUIET, relevance=Answers(), count=30)
    rows = [row for row, head in enumerate(found.heads) if head == "coherence"]
    assert {found.better[row][0][0] for row in rows} == {"a", "b"}
    assert (1, 2, 3) not in {tuple(map(number, found.worse[row])) for row in rows}
    assert len(rows) == 10
    assert "answers by answers@1" in found.made


def test_likability_has_contradictions_and_emotions() -> None:
    given = [dialogue(name, *[0.1 * place] * 4) for place, name in enumerate("abcdef")]
    calm = dialogue_pairs(given, judge=JUDGE, emotions=QUIET, count=50)
    assert names(calm, "likability") == [
        (a, b) for a in "ab" for b in "ef"
    ]  # least and most, a third of the dialogues each
    entailing = FunctionEntailment("first", lambda premise, text: (0, number(premise), 1 - number(premise)), "1")
    glad = [dialogue("a", 0.9, 0.9, 0.9, 0.1), dialogue("b", 0.9, 0.9, 0.1, 0.1), dialogue("c", 0.4, 0.4, 0.4, 0.4)]
    found = dialogue_pairs(glad, judge=entailing, emotions=GLAD, count=50)
    assert names(found, "likability") == [("a", "b"), ("a", "c")]  # more than two glad turns, and up to two


def test_half_of_the_pairs_are_of_each_kind() -> None:
    given = [dialogue(f"{place}", *[place / 20] * 4) for place in range(20)]
    found = dialogue_pairs(given, judge=JUDGE, emotions=GLAD, count=12)
    own = [
        number(a[0]) < number(b[0])
        for a, b, head in zip(found.better, found.worse, found.heads, strict=True) if head == "likability"
    ]  # fmt: skip
    assert sum(own) == 6  # calm before contradicting; the glad ones have the greater numbers
    assert len(own) == 12


def test_topic_depth_prefers_what_entails_least() -> None:
    draws = np.random.default_rng(0)
    given = [dialogue(name, *draws.random(4).round(2)) for name in "abcdefghi"]
    found = dialogue_pairs(given, judge=JUDGE, emotions=QUIET, count=50)
    means = {
        name: np.mean([number(one) / 2 for one, _ in combinations(turns, 2)])
        for name, turns in zip("abcdefghi", given, strict=True)
    }
    order = sorted(means, key=lambda name: means[name])
    assert names(found, "topic_depth") == sorted((a, b) for a in order[:3] for b in order[-3:])


def test_the_pairs_depend_on_the_seed_alone() -> None:
    given = [json.loads(line)["turns"] for line in DIALOGUES.read_text("utf-8").splitlines()]
    one, same, other = (dialogue_pairs(given, count=10, seed=seed) for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([["a", "b", "c"]], {"groups": ["x", "y"]}, "`groups` has 2 entries for 1 dialogue"),
        ([["a", "b", "c"]] * 2, {"share": 0.6}, "`share` is 0.6"),
        ([["a", "b"], ["c"]], {}, "0 dialogues of 3 turns or more make no pairs for coherence"),
        ([], {}, "0 dialogues"),
        ([["a", "a", "a"]], {}, "make no pairs for coherence"),
        ([["a", "b", "c"], ["d", "e", "f"]], {"judge": NEUTRAL, "emotions": QUIET}, "make no pairs for likability"),
    ],
)
def test_dialogues_that_make_no_pairs(given: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        dialogue_pairs(given, **options)


# ----- Ratings, and files -----


def test_rated_dialogues() -> None:
    found = rated_pairs([["a"], ["b"], ["c"], ["d"]], {"likability": [1.0, 3.0, np.nan, 1.0]})
    assert {(a, b) for (a,), (b,) in zip(found.better, found.worse, strict=True)} == {("b", "a"), ("b", "d")}
    assert len(rated_pairs([[str(i)] for i in range(9)], {"coherence": range(9)}, count=5)) == 5  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ({"coherence": [1.0]}, "ratings of coherence are .*a finite number for each of 2 dialogues"),
        ({"coherence": [1.0, np.inf]}, "a finite number"),
        ({"coherence": ["good", "bad"]}, "ratings of coherence are no numbers"),
        ({"coherence": [2.0, 2.0]}, "no two dialogues have different ratings of coherence"),
        ({"overall": [1.0, 2.0]}, r"`pairs\[0\]` is of 'overall'"),
        ({}, "there are no ratings"),
    ],
)
def test_ratings_that_do_not_fit(ratings: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rated_pairs([["a"], ["b"]], ratings)


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "dialogues.jsonl"

    def read(*lines: Any) -> DialoguePairs:
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return read_dialogue_pairs(file)

    rated = read({"turns": ["a", "b"], "topic_depth": 2, "group": "x"}, {"turns": "c\nd", "topic_depth": 1.5})
    assert (rated.better, rated.worse, rated.heads) == ((("a", "b"),), (("c", "d"),), ("topic_depth",))
    assert rated.groups == (("x", "2"),)
    pairs = read({"better": ["a", "b"], "worse": "b\na", "head": "coherence"})
    assert pairs.worse == (("b", "a"),)
    assert pairs.groups[0][0] == pairs.groups[0][1]
    for lines, message in (
        ([{"turns": ["a"], "coherence": 1}, {"turns": ["b"]}], r"jsonl:2: 'coherence' is None; a number is expected"),
        ([{"turns": ["a"], "coherence": True}], "'coherence' is True"),
        ([{"turns": []}], r"there are no 'turns'; a list of texts"),
        ([{"better": ["a"], "worse": ["b"], "head": "fun"}], "'head' is 'fun'"),
        ([{"better": ["a"], "head": "coherence"}], "there are no 'worse'; a list of texts"),
        ([], "the file is empty"),
    ):
        with pytest.raises(InputError, match=message):
            read(*lines)


# ----- The training -----


def small(**settings: Any) -> FinedTrainer:
    return FinedTrainer(**{"hidden": (8,), "epochs": 30, "batch": 16, "rate": 5e-3, "share": 0.0, **settings})


@pytest.fixture(scope="module")
def pairs() -> DialoguePairs:
    pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    return read_dialogue_pairs(DIALOGUES).take(range(0, 446, 4))


@pytest.mark.parametrize("form", ["multitask", "ensemble"])
def test_pairs_can_be_learned_by_heart(pairs: DialoguePairs, form: str) -> None:
    model = train("fined_eval", pairs, encoders=[NgramEncoder(64)], trainer=small(form=form), measure=False)
    scorer = FinedEval(model=model)
    one, other = (scorer.segment_scores([list(turns) for turns in own]) for own in (pairs.better, pairs.worse))
    for head in HEADS:
        rows = [row for row, own in enumerate(pairs.heads) if own == head]
        assert np.mean(one[head][rows] > other[head][rows]) > 0.9
    weights = model.network.weights  # type: ignore[attr-defined]
    assert weights.shape == (3, 8 if form == "multitask" else 24)
    if form == "ensemble":
        assert all((weights[head, np.arange(24) // 8 != head] == 0).all() for head in range(3))


def test_the_loss_is_that_of_margin_ranking(pairs: DialoguePairs) -> None:
    """Of an untrained network, and one that was trained: the mean of the definition falls."""
    features = train("fined_eval", pairs, encoders=[NgramEncoder(8)], trainer=small(epochs=1), measure=False).features
    means = []
    for epochs in (1, 30):
        model = train("fined_eval", pairs, encoders=[NgramEncoder(8)], trainer=small(epochs=epochs), measure=False)
        better, worse = (model.network(*turn_rows(features, own)) for own in (pairs.better, pairs.worse))  # type: ignore[operator]
        places = [HEADS.index(head) for head in pairs.heads]
        rows = range(len(pairs))
        means.append(np.mean([ranking_loss(better[row, places[row]], worse[row, places[row]]) for row in rows]))
    assert means[1] < 0.8 * means[0]


def test_what_is_held_out_has_other_groups(pairs: DialoguePairs) -> None:
    model = train("fined_eval", pairs, encoders=[NgramEncoder(16)], trainer=small(epochs=2))
    found = model.report["held_out"]
    assert {*found["compared"]["accuracy"]["learned"]["parts"]} <= {*HEADS}
    assert "coherence" in found["compared"]["accuracy"]["learned"]["parts"]
    assert all(own["rows"] == 0 for own in found["leaks"].values())
    assert all(rival.endswith(f" for {head}") for head, rival in found["rivals"].items())
    assert model.report["data"]["made"] == pairs.made


def test_no_group_is_in_the_training_and_held_out() -> None:
    whole = read_dialogue_pairs(DIALOGUES)
    held: list[int] = []
    for training, scored in _folds(whole, 0).values():
        known, own = ({group for row in rows for group in whole.groups[row]} for rows in (training, scored))
        assert own
        assert known.isdisjoint(own)
        held += scored.tolist()
    assert len(held) == len({*held})


def test_the_neighbours_order_turns_that_say_the_same(pairs: DialoguePairs) -> None:
    """Each turn shares a word with its neighbours only, so that the rival is right about every other order."""

    def share(text: str) -> float:
        return (ord(text[3]) - ord("a")) / 100

    words = ["sun", "map", "egg", "ink", "owl", "fig", "cat", "dog"]
    given = [[f"{a}{name} {b}{name}" for a, b in pairwise(words)] for name in "abcdefghij"]
    made = dialogue_pairs(
        given,
        judge=FunctionEntailment("name", lambda premise, text: (share(text), 1 - 2 * share(text), share(text)), "1"),
        emotions=QUIET,
        count=40,
    )
    found = train("fined_eval", made, encoders=[NgramEncoder(256)], trainer=small(epochs=1)).report["held_out"]
    assert found["rivals"]["coherence"] == "neighbours alike for coherence"
    assert found["compared"]["accuracy"]["rival"]["parts"]["coherence"] > 0.95


def test_a_test_of_its_own(pairs: DialoguePairs) -> None:
    groups = sorted({group for both in pairs.groups for group in both})
    other = {*groups[:5]}
    inside = [row for row, own in enumerate(pairs.groups) if {*own} <= other]
    outside = [row for row, own in enumerate(pairs.groups) if not {*own} & other]
    steps = small(epochs=1)
    model = train("fined_eval", pairs.take(outside), encoders=[NgramEncoder(8)], trainer=steps, test=pairs.take(inside))
    assert [*model.report["held_out"]["leaks"]] == ["test"]
    assert model.report["held_out"]["leaks"]["test"]["test"] == len(inside)
    with pytest.raises(InputError, match="dialogues of the test are in the training data too"):
        train("fined_eval", pairs, encoders=[NgramEncoder(8)], trainer=steps, test=pairs.take(range(3)))


def test_what_cannot_be_trained(pairs: DialoguePairs) -> None:
    encoder = [NgramEncoder(8)]
    coherent = pairs.take([row for row, head in enumerate(pairs.heads) if head == "coherence"])
    with pytest.raises(InputError, match="there are no pairs for likability"):
        train("fined_eval", coherent, encoders=encoder)
    with pytest.raises(InputError, match="fined_eval learns from pairs of dialogues"):
        train("fined_eval", open, encoders=encoder)
    with pytest.raises(InputError, match="a trainer of its own, FinedTrainer"):
        train("fined_eval", pairs, encoders=encoder, trainer=object())
    with pytest.raises(InputError, match="give encoders"):
        train("fined_eval", pairs)
    for wrong in ({"form": "both"}, {"hidden": (8, 8)}, {"margin": 0.0}):
        with pytest.raises(InputError, match=f"`{next(iter(wrong))}` is"):
            FinedTrainer(**wrong)  # type: ignore[arg-type]
    one = DialoguePairs(tuple(own._replace(groups=("x", "x")) for own in pairs.pairs), "")
    with pytest.raises(InputError, match="all dialogues are of one group"):
        train("fined_eval", one, encoders=encoder)


@pytest.mark.parametrize("form", ["multitask", "ensemble"])
def test_the_command(tmp_path: Path, form: str) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    data = tmp_path / "dialogues.jsonl"
    data.write_text("".join(DIALOGUES.read_text("utf-8").splitlines(keepends=True)[:12]), "utf-8")
    out = tmp_path / "model"
    command = ["train", "fined_eval", "--data", str(data), "--encoder", "ngrams-8@3", "--hidden", "4", "--epochs", "1"]
    done = CliRunner().invoke(main, [*command, "--trainer", form, "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "It does not beat its trivial rival" in done.output
    assert {each.name for each in out.iterdir()} == {"README.md", "model.json", "model.safetensors"}
    assert open_model(out).network.shape.startswith("32-4" if form == "multitask" else "32-12")


def test_the_command_has_no_scale_for_pairs(tmp_path: Path) -> None:
    command = ["train", "fined_eval", "--data", str(DIALOGUES), "--scale", "1:5", "--out", str(tmp_path / "model")]
    done = CliRunner().invoke(main, [*command, "--encoder", "ngrams-8@3"])
    assert done.exit_code == 2
    assert "--scale is for rated texts; fined_eval learns from other data" in done.output
