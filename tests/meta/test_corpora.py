"""Readers of corpora: small made-up files in each published form, and the corpora themselves where they are at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrologue.errors import InputError
from metrologue.meta import agreement_of, read_judgements, with_scores_from

NAN = float("nan")
TRUTH = "Original Ground Truth"


def saved(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


def usr(**changed: Any) -> list[dict[str, Any]]:
    """One context in the form that the authors of USR published."""
    responses = [
        {"response": "yes , i do \n", "model": TRUTH, "Natural": [3, 3, 2], "Overall": [5, 4, 4]},
        {"response": "no\n", "model": "Argmax", "Natural": [1, 2, 1], "Overall": [2, 2, 1]},
    ]
    return [
        {"context": "do you ?\n", "fact": "x\n", "annotators": ["sm", "me", "er"], "responses": responses, **changed}
    ]


def test_usr_by_annotator(tmp_path):
    said = read_judgements(saved(tmp_path / "tc_usr_data.json", usr()), "usr")
    assert (said.systems, said.hypotheses, said.references) == (("Argmax",), ("no",), (("yes , i do",),))
    assert said.qualities == ("Natural", "Overall")
    own = said.ratings["Overall"]
    assert (own.annotators, own.values.tolist()) == (("sm", "me", "er"), [[2, 2, 1]])
    assert said.notes == (f"1 text of {TRUTH} are the references, and are not scored.",)


def test_usr_of_other_annotators_in_another_context(tmp_path):
    rows = usr() + usr(annotators=["sm", "al", "er"])
    own = read_judgements(saved(tmp_path / "pc_usr_data.json", rows), "usr").ratings["Natural"]
    assert own.annotators == ("sm", "me", "er", "al")
    np.testing.assert_array_equal(own.values, [[1, 2, 1, NAN], [1, NAN, 1, 2]])


def test_usr_by_means(tmp_path):
    rows = [
        {"source": "s", "system_id": name, "system_output": f"{name} \n", "context": "f", "scores": {"overall": score}}
        for name, score in ((TRUTH, 4.5), ("Argmax", 2.0))
    ]
    said = read_judgements(saved(tmp_path / "unieval_topical_chat.json", rows).parent, "usr")
    assert (said.hypotheses, said.references, said.contexts) == (("Argmax",), ((TRUTH,),), ("s",))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (usr(annotators=["sm", "me"]), r"\[0\], response 0: Natural is \[3, 3, 2\]; a list of 2 ratings"),
        (usr(responses="none"), "'responses' is 'none'; a list of objects"),
        (usr(responses=usr()[0]["responses"][1:]), "segment 1 of Argmax has no response of 'Original Ground Truth'"),
        ([3], r"\[0\] is 3; an object is expected"),
    ],
)
def test_usr_refused(tmp_path, rows, message):
    with pytest.raises(InputError, match=message):
        read_judgements(saved(tmp_path / "usr.json", rows), "usr")


def test_a_folder_with_a_table_of_wmt_da(tmp_path: Path) -> None:
    table = "source\ttranslation\treference\tHUMAN_score\ns\tt\tr\t0.5\n"
    (tmp_path / "scores.csv").write_text("LP\tHUMAN\n", "utf-8")
    with pytest.raises(InputError, match=r"give one file\. There are scores\.csv\.$"):
        read_judgements(tmp_path, "wmt-da")
    (tmp_path / "one.tsv").write_text(table, "utf-8")
    assert read_judgements(tmp_path, "wmt-da").hypotheses == ("t",)
    (tmp_path / "two.tsv").write_text(table, "utf-8")
    with pytest.raises(InputError, match=r"several tables of direct assessments; .* There are one\.tsv, two\.tsv\."):
        read_judgements(tmp_path, "wmt-da")


def fed() -> list[dict[str, Any]]:
    """A response and a dialogue in FED's form."""
    said = {"context": "User: Hi!\nSystem: Hey", "system": "Meena"}
    return [
        {**said, "response": "System: Bye.", "annotations": {"Correct": [2, 1, "N/A (I can't tell)", 2, 2]}},
        {
            **said,
            "annotations": {"Error recovery": ["N/A (no errors)", "N/A (None)", 1, 2, 2], "Overall": [4, 3, 3, 4, 4]},
        },
    ]


def test_fed(tmp_path):
    path = saved(tmp_path / "fed_data.json", fed())
    responses, dialogues = read_judgements(path, "fed"), read_judgements(tmp_path, "fed-dialogues")
    assert (responses.hypotheses, responses.references, responses.qualities) == (("Bye.",), None, ("Correct",))
    np.testing.assert_array_equal(responses.ratings["Correct"].values, [[2, 1, NAN, 2, 2]])
    assert responses.ratings["Correct"].declined == 1
    assert responses.contexts == dialogues.hypotheses == ("Hi!\nHey",)
    assert dialogues.contexts is None
    assert {name: own.declined for name, own in dialogues.ratings.items()} == {"Error recovery": 2, "Overall": 0}
    with pytest.raises(InputError, match="there is no record of this kind"):
        read_judgements(saved(tmp_path / "other.json", fed()[:1]), "fed-dialogues")


def test_summeval(tmp_path):
    row = {"doc": "d", "system": "M1", "hypothesis": "a .", "human": {"coherence": 2.5}}
    saved(tmp_path / "summeval.jsonl", row)
    saved(tmp_path / "references.jsonl", {"doc": "d", "reference_main": "b .", "references": ["b .", "c ."]})
    said = read_judgements(tmp_path, "summeval")
    assert (said.segments, said.systems, said.references) == (("d",), ("M1",), (("b .", "c ."),))
    saved(tmp_path / "references.jsonl", {"doc": "e", "references": ["b"]})
    with pytest.raises(InputError, match=r"summeval.jsonl:1: no references for 'd'"):
        read_judgements(tmp_path, "summeval")


def test_wmt_da(tmp_path):
    path = tmp_path / "testset.tsv"
    path.write_text('LP\tsource\ttranslation\treference\tHUMAN_score\tBLEU\nx\ts\tan "odd one\tr\t-0.5\t.25\n', "utf-8")
    said = read_judgements(path, "wmt-da")
    assert (said.hypotheses, said.ratings["adequacy"].values.tolist()) == (('an "odd one',), [[-0.5]])
    assert {name: own.tolist() for name, own in said.scores.items()} == {"BLEU": [0.25]}
    for text, message in (
        ("source\ttranslation\treference\n", "no column 'HUMAN_score'"),
        ("source\ttranslation\treference\tHUMAN_score\na\tb\tc\n", ":2: 3 cells, but the first line has 4"),
        (
            "source\ttranslation\treference\tHUMAN_score\na\tb\tc\thigh\n",
            ":2: HUMAN_score is 'high'",
        ),
    ):
        path.write_text(text, "utf-8")
        with pytest.raises(InputError, match=message):
            read_judgements(path, "wmt-da")


def test_wmt_da_of_long_texts_and_empty_lines(tmp_path):
    path = tmp_path / "testset.tsv"
    path.write_text(f"source\ttranslation\treference\tHUMAN_score\n\ns\t{'x' * 200_000}\tr\t1\n\n", "utf-8")
    assert len(read_judgements(path, "wmt-da").hypotheses[0]) == 200_000
    path.write_text("source\ttranslation\treference\tHUMAN_score\n\na\tb\tc\n", "utf-8")
    with pytest.raises(InputError, match=":3: 3 cells, but the first line has 4"):
        read_judgements(path, "wmt-da")


@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        ("jsonl", "is a folder; a file in JSON Lines is expected"),
        ("fed", r"is a folder without fed_data\.json; that file, or its folder, is expected"),
        ("fed-dialogues", r"is a folder without fed_data\.json; that file, or its folder, is expected"),
        ("usr", r"is a folder without unieval_topical_chat\.json; that file, or its folder, is expected"),
        ("summeval", r"is a folder without summeval\.jsonl; that file, or its folder, is expected"),
        ("flickr8k-expert", r"is a folder without flickr8k_expert\.jsonl; that file, or its folder, is expected"),
        ("wmt-da", "the folder has no table with the columns source, translation, reference, HUMAN_score"),
    ],
)
def test_a_folder_in_place_of_a_file(tmp_path, reader, expected):
    with pytest.raises(InputError, match=expected):
        read_judgements(tmp_path, reader)


def test_summeval_needs_its_references(tmp_path):
    saved(tmp_path / "summeval.jsonl", {"doc": "d", "system": "M0", "hypothesis": "a", "human": {"fluency": 5}})
    with pytest.raises(InputError, match=r"references.jsonl is not there; it is expected beside .*summeval.jsonl"):
        read_judgements(tmp_path, "summeval")


def test_not_json(tmp_path):
    (tmp_path / "fed.json").write_text("{")
    with pytest.raises(InputError, match=r"fed.json: not JSON"):
        read_judgements(tmp_path / "fed.json", "fed")


def test_the_corpora(shared_data):
    """How many texts, systems and ratings "N/A" the published files have."""
    sizes = {
        "fed": ("fed", 375, 3),
        "fed-dialogues": ("fed", 125, 3),
        "usr": ("usr_topicalchat", 300, 5),
        "summeval": ("summeval", 1600, 16),
        "flickr8k-expert": ("flickr8k_expert", 5822, 0),
        "wmt-da": ("wmt17_da/seg/testset_lv-en.tsv", 435, 0),
    }
    for reader, (folder, texts, systems) in sizes.items():
        said = read_judgements(shared_data / folder, reader)
        assert (len(said), len(said.system_names), said.gaps()) == (texts, systems, ()), reader
    dialogues = read_judgements(shared_data / "fed", "fed-dialogues").ratings
    assert {name: own.declined for name, own in dialogues.items() if own.declined} == {
        "Error recovery": 154,
        "Flexible": 1,
    }
    assert all(agreement_of(own, resamples=0).is_low for own in dialogues.values())
    assert len(read_judgements(shared_data / "flickr8k_expert", "flickr8k-expert").without_copies()) == 5664


@pytest.fixture
def wmt(tmp_path: Path) -> Path:
    """A test set of two systems and a translator, in the folders of mt-metrics-eval."""
    files = {
        "sources/en-de.txt": "one\ntwo\nthree\n",
        "references/en-de.refA.txt": "eins\nzwei\ndrei\n",
        "references/en-de.refB.txt": "ein\nzwo\ndrei\n",
        "system-outputs/en-de/refA.txt": "eins\nzwei\ndrei\n",
        "system-outputs/en-de/x.txt": "eins\nzwei\n[No translation supplied]\n",
        "system-outputs/en-de/y.txt": "ein\nzwei\ndrei\n",
        "system-outputs/en-de/unrated.txt": "a\nb\nc\n",
        "human-scores/en-de.mqm.seg.score": "".join(
            f"{name}\t{score}\n"
            for name, scores in {
                "x": "-1 None -5",
                "y": "0 -2 -1.5",
                "refA": "0 0 0",
                "unrated": "None None None",
            }.items()
            for score in scores.split()
        ),
        "human-scores/en-de.mqm.sys.score": "x -3\ny -1\n",
        "metric-scores/en-de/COMET-refA.seg.score": "x 0.5\nx 0.6\nx 0.7\ny 0.1\ny 0.2\ny 0.3\n",
        "metric-scores/en-de/COMET-refA.sys.score": "x 0.6\ny 0.2\nunrated 0.9\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_wmt_in_the_folders_of_mt_metrics_eval(wmt: Path) -> None:
    for path in (wmt, wmt / "human-scores" / "en-de.mqm.seg.score"):
        said = read_judgements(path, "mt-metrics-eval")
        assert (said.systems, said.segments) == (("x", "x", "y", "y", "y"), ("1", "2", "1", "2", "3"))
        assert said.ratings["mqm"].values[:, 0] == pytest.approx([-1, np.nan, 0, -2, -1.5], nan_ok=True)
        assert said.references == (("eins",), ("zwei",), ("eins",), ("zwei",), ("drei",))
        assert said.contexts == ("one", "two", "one", "two", "three")
        assert said.notes == (
            "refA is the reference, and is not scored.",
            "There are other references, too: refB; systems of these names are people.",
            "1 text is missing in the systems' outputs.",
        )
    other = read_judgements(wmt, "mt-metrics-eval", {"references": "refB"})
    assert (other.system_names, (other.references or ())[:2]) == (("x", "y", "refA"), (("ein",), ("zwo",)))
    (wmt / "wmt24").mkdir()
    for each in ("sources", "references", "system-outputs", "human-scores"):
        (wmt / "wmt24" / each).symlink_to(wmt / each)
    assert read_judgements(wmt / "wmt24", "mt-metrics-eval").notes[0] == "refB is the reference."
    scores = wmt / "metric-scores" / "en-de"
    scored = with_scores_from(said, scores / "COMET-refA.seg.score")
    assert scored.scores["COMET-refA"].tolist() == [0.5, 0.6, 0.1, 0.2, 0.3]
    whole = with_scores_from(said, scores / "COMET-refA.sys.score")
    assert whole.system_scores == {"COMET-refA": {"x": 0.6, "y": 0.2, "unrated": 0.9}}


def test_wmt_files_that_are_refused(wmt: Path) -> None:
    scores = wmt / "human-scores"
    (scores / "de-en.mqm.seg.score").write_text("x 1\n")
    with pytest.raises(InputError, match="has several language pairs"):
        read_judgements(wmt, "mt-metrics-eval")
    with pytest.raises(InputError, match=r"there is no de-en\.txt"):
        read_judgements(scores / "de-en.mqm.seg.score", "mt-metrics-eval")
    (scores / "en-de.mqm.seg.score").write_text("x 1\nx 2 3\n")
    with pytest.raises(InputError, match=":2: 3 cells; a system and its score are expected"):
        read_judgements(scores / "en-de.mqm.seg.score", "mt-metrics-eval")
    (scores / "en-de.mqm.seg.score").write_text("x 1\nx 2\n")
    with pytest.raises(InputError, match="mqm: 2 scores of 'x' for 3 segments"):
        read_judgements(scores / "en-de.mqm.seg.score", "mt-metrics-eval")


def test_summeval_as_its_authors_have_it(tmp_path: Path) -> None:
    row = {
        "id": "dm-1", "model_id": "M0", "decoded": "a b .", "references": ["a b", "a c"],
        "expert_annotations": [{"coherence": 2, "fluency": 5}, {"coherence": 1, "fluency": 4}],
        "turker_annotations": [{"coherence": 3, "fluency": 3}],
    }  # fmt: skip
    path = tmp_path / "model_annotations.aligned.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "model_id": "M1"}) + "\n")
    for each in (path, tmp_path):
        said = read_judgements(each, "summeval")
        assert (said.systems, said.segments, said.references) == (("M0", "M1"), ("dm-1",) * 2, (("a b", "a c"),) * 2)
        assert said.ratings["coherence"].values.tolist() == [[2.0, 1.0]] * 2
        assert said.ratings["coherence"].annotators == ("expert 1", "expert 2")
