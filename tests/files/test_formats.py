"""The field's own files: recognized by what they say, joined by their ids, refused by name; plain text stays plain."""

from __future__ import annotations

import gzip
import json
import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import metrologue
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.files.formats.kaldi import is_id
from metrologue.files.joined import read_joined
from metrologue.files.lines import Column
from metrologue.files.parts import read_segments
from metrologue.files.recognized import all_formats, format_of, formats_of

pytestmark = pytest.mark.filterwarnings("ignore:.* read as .*plain text")


@pytest.fixture
def put(tmp_path: Path) -> Any:
    """A function that writes lines, or a value as JSON, to a file and gives its path."""

    def put(name: str, content: Any) -> Path:
        path = tmp_path / name
        is_lines = isinstance(content, list) and all(isinstance(each, str) for each in content)
        text = "".join(f"{line}\n" for line in content) if is_lines else json.dumps(content, indent=1)
        path.write_text(text, "utf-8")
        return path

    return put


def segments(predictions: Path, references: Path, **keys: Any) -> tuple[list[Any], list[Any], list[str]]:
    """The texts of both files, and what was told."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        [system], theirs = read_segments([predictions], [references], **keys)
    assert theirs is not None
    return system.to_pylist(), theirs.to_pylist(), [str(each.message) for each in told]


def run(*words: object) -> Any:
    return CliRunner().invoke(main, [str(word) for word in words])


def squad(answers: dict[str, list[str]]) -> Any:
    questions = [
        {"id": key, "question": f"what {key}", "answers": [{"text": text, "answer_start": 0} for text in texts]}
        for key, texts in answers.items()
    ]
    return {"version": "v2.0", "data": [{"title": "t", "paragraphs": [{"context": "a b", "qas": questions}]}]}


def test_squad_is_joined_by_id(put: Any) -> None:
    data = put("dev.json", squad({"q1": ["the cat", "cat"], "q2": [], "q3": ["sat"]}))
    system, theirs, told = segments(put("out.json", {"q3": "sat", "q1": "a cat", "q2": "nothing"}), data)
    assert system == ["a cat", "nothing", "sat"]
    assert theirs == [["the cat", "cat"], [""], ["sat"]]
    assert [each.partition(": ")[2] for each in told] == [
        "read as SQuAD predictions; with `plain`, it is read as plain text.",
        "read as SQuAD data; with `plain`, it is read as plain text.",
    ]
    rows = metrologue.read(data)
    assert rows.ids == ["q1", "q2", "q3"]
    assert rows.sources == ["what q1", "what q2", "what q3"]


def test_squad_v2_takes_the_probabilities_by_id(put: Any) -> None:
    data, out = put("dev.json", squad({"q1": ["cat"], "q2": []})), put("out.json", {"q1": "cat", "q2": "dog"})
    chances = put("na_prob.json", {"q2": 0.9, "q1": 0.1})
    result = run(
        "score", "squad_v2", "-p", out, "-r", data, "--no-answer-probability", chances, "--set",
        "no_answer_threshold=0.5", "-b",
    )  # fmt: skip
    assert result.output.splitlines()[-1] == "100.0000"


def test_ids_of_one_side_are_counted_and_left_out(put: Any) -> None:
    data = put("dev.json", squad({"q1": ["a"], "q2": ["b"], "q3": ["c"]}))
    system, theirs, told = segments(put("out.json", {"q9": "z", "q3": "c", "q1": "a"}), data)
    assert (system, theirs) == (["a", "c"], [["a"], ["c"]])
    assert [each.partition(": ")[2] for each in told[2:]] == [
        "1 segment of 3 left out, whose ids other files lack: 'q9'.",
        "1 segment of 3 left out, whose ids other files lack: 'q2'.",
    ]


def test_without_a_common_id_files_are_refused(put: Any) -> None:
    with pytest.raises(InputError, match=r"no id is in all files: .*out.json begins with 'x' and .*'q1'"):
        segments(put("out.json", {"x": "a"}), put("dev.json", squad({"q1": ["a"]})))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"data": [{"paragraphs": [{"qas": [{"id": "q", "question": "?"}]}]}]}, "qas\\[0\\] has no list 'answers'"),
        ({"data": [{"paragraphs": 3}]}, "data\\[0\\] has no list 'paragraphs'"),
        ({"a": [1], "b": 2}, "none of the forms that are read"),
        (squad({"q": ["a"]}) | {"data": squad({"q": ["a"]})["data"] * 2}, "the id 'q' stands twice"),
    ],
)
def test_json_that_cannot_be_read_is_refused(put: Any, value: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        segments(put("out.json", {"q": "a"}), put("dev.json", value))


CONLL = ["EU\tNNP\tB-ORG", "rejects\tVBZ\tO", "", "Peter\tNNP\tB-PER", "Blackburn\tNNP\tI-PER", ""]


@pytest.mark.parametrize("name", ["a.conll", "a.txt"])
def test_conll(put: Any, name: str) -> None:
    path = put(name, ["-DOCSTART-\t-X-\tO", "", *CONLL])
    assert metrologue.read(path).texts == ["B-ORG O", "B-PER I-PER"]
    assert metrologue.read(path, key="1").texts == ["EU rejects", "Peter Blackburn"]
    assert metrologue.read(path).kind == "CoNLL, column 3 of 3"


def test_conll_of_two_files(put: Any) -> None:
    right, wrong = put("r.conll", CONLL), put("p.conll", [line.replace("B-PER", "O") for line in CONLL])
    assert run("score", "seqeval", "-p", right, "-r", right, "-b").output.splitlines()[-1] == "1.0000"
    # One file has the columns of both.
    both = put("both.conll", [f"{line}\t{line.split()[-1]}" if line else "" for line in CONLL])
    words = ("score", "seqeval", "-p", both, "--prediction-key", 4, "-r", both, "--reference-key", 3, "-b")
    assert run(*words).output.splitlines()[-1] == "1.0000"
    assert run("score", "seqeval", "-p", wrong, "-r", right, "-b").output.splitlines()[-1] == "0.5000"


def test_conll_whose_sentences_differ_is_refused(put: Any) -> None:
    with pytest.raises(
        InputError, match=r"sentence 2, counted from 1, has 1 token in .*p.conll but 2 tokens in .*r.conll"
    ):
        segments(put("p.conll", [*CONLL[:4], ""]), put("r.conll", CONLL))


def test_conll_with_a_line_of_other_columns_is_refused(put: Any) -> None:
    with pytest.raises(InputError, match=r"p.conll:2: 2 columns, but the lines before it have 3. With `plain`"):
        segments(put("p.conll", [CONLL[0], "rejects\tO"]), put("r.conll", CONLL))


def test_kaldi_is_joined_by_id(put: Any) -> None:
    ours, theirs = (
        put("hyp", ["utt2 good bye", "utt1 hello there", "utt3"]),
        put("ref", ["utt1 hello", "utt3 x", "utt2 good"]),
    )
    assert segments(ours, theirs)[:2] == (["hello there", "", "good bye"], ["hello", "x", "good"])
    shown = run("score", "wer", "-p", ours, "-r", theirs, "--per-segment").stdout.splitlines()
    assert [line.split("\t")[-1] for line in shown] == ["id", "utt1", "utt3", "utt2"]
    assert run("trace", "wer", "-p", ours, "-r", theirs, "--segment", 3).stdout.startswith("'utt2', segment 3 of 3\n")


def test_kaldi_with_unequal_files(put: Any) -> None:
    ours, theirs = put("hyp", ["utt-2 b", "utt-1 a"]), put("ref", ["utt-1 a", "utt-2 b", "utt-3 c"])
    system, _, told = segments(ours, theirs)
    assert system == ["a", "b"]
    assert "1 segment of 3 left out" in told[-1]


def test_trn(put: Any) -> None:
    ours, theirs = put("a.trn", ["b c (spk-2)", "a (spk-1)"]), put("b.trn", ["a (spk-1)", "b (spk-2)"])
    assert segments(ours, theirs)[:2] == (["a", "b c"], ["a", "b"])
    with pytest.raises(InputError, match=r"a.trn:1: 'no id' does not end with an id in brackets"):
        metrologue.read(put("a.trn", ["no id"]))


PLAIN = [
    (["yes hello there", "no good bye"], ["yes hello you", "well good bye"]),
    (["1. the cat", "2. a dog"], ["1. the cat", "2. the dog"]),
    (["1) the cat", "2) a dog"], ["1) the cat", "2) the dog"]),
    (["2019 was good", "2020 was bad"], ["2019 was good", "2020 was not"]),
    (["- one", "- two"], ["- one", "- three"]),
    (["Q1: what", "Q2: who"], ["Q1: what", "Q2: which"]),
    (["T-shirts are sold here"], ["T-shirts are bought here"]),
    (["O B-PER", "B-LOC O"], ["O B-PER", "B-ORG O"]),
    (["<seg> is a tag", "b"], ["<seg> is a tag", "c"]),
    (['{"a": 1}', '{"b": 2}'], ['{"a": 1}', '{"b": 3}']),
    (["WEBVTT is a format", "b"], ["WEBVTT is a format", "c"]),
    (["", "a"], ["", "b"]),
]


@pytest.mark.parametrize(("ours", "theirs"), PLAIN)
def test_plain_text_stays_plain(put: Any, ours: list[str], theirs: list[str]) -> None:
    assert segments(put("ours.txt", ours), put("theirs.txt", theirs)) == (ours, theirs, [])


@given(lines=st.lists(st.text("ab1-_ .:\t", max_size=12), min_size=1, max_size=5), other=st.randoms())
def test_text_whose_first_words_are_no_ids_stays_plain(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], other: random.Random
) -> None:
    path = tmp_path_factory.mktemp("plain") / "a.txt"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    firsts = [(line.split() or [""])[0] for line in lines if line.strip()]
    are_ids = len({*firsts}) == len(firsts) > 1 and all(map(is_id, firsts))
    assert (formats_of({path: False, str(path): False}) != {}) == are_ids


def test_what_is_plain_by_wish_is_plain(put: Any) -> None:
    ours = put("a.stm", ["rec 1 spk 0.0 1.5 hello", "rec 1 spk 1.5 2.0 there"])
    assert segments(ours, ours, plain=True)[0] == ["rec 1 spk 0.0 1.5 hello", "rec 1 spk 1.5 2.0 there"]
    result = run("score", "wer", "-p", ours, "-r", ours, "--plain", "-b")
    assert (result.stderr, result.stdout) == ("", "0.0000\n")


STM = [";; a comment", "rec1 1 anna 0.0 1.5 <o,f0,female> hello there", "rec1 1 bob 1.6 3.0 good morning"]
OTHER = ["rec1 1 A 0.0 1.5 hello there", "rec1 1 B 1.6 3.0 good night all"]


def test_stm_by_speaker_and_by_utterance(put: Any) -> None:
    ours, theirs = put("p.stm", STM), put("r.stm", [*OTHER, "rec1 1 B 3.5 4 ignore_time_segment_in_scoring"])
    assert segments(ours, theirs)[:2] == (["hello there", "good morning"], ["hello there", "good night all"])
    assert segments(ours, theirs, groups=True)[:2] == (
        [["hello there", "good morning"]],
        [["hello there", "good night all"]],
    )
    assert run("score", "cpwer", "-p", ours, "-r", theirs, "-b").output.splitlines()[-1] == "0.4000"
    assert run("score", "wer", "-p", ours, "-r", theirs, "-b").output.splitlines()[-1] == "0.4000"


def test_other_utterances_make_recordings(put: Any) -> None:
    ctm = ["rec1 1 1.7 0.2 good", "rec1 1 0.1 0.3 hello", "rec1 1 0.5 0.3 there 0.93", "rec1 1 2.1 0.4 night"]
    system, theirs, told = segments(put("p.ctm", ctm), put("r.stm", OTHER))
    assert (system, theirs) == (["hello there good night"], ["hello there good night all"])
    assert any("a row is a recording" in each for each in told)


@pytest.mark.parametrize(
    ("name", "lines", "told"),
    [
        ("a.stm", ["rec 1 spk 0.0"], "a.stm:1: .*two times and words are expected"),
        ("a.stm", ["rec 1 spk 2.0 1.0 a"], "a.stm:1: '2.0' and '1.0' are no times"),
        ("a.stm", ["rec 1 spk 1e400 nan a"], "a.stm:1: '1e400' and 'nan' are no times"),
        ("a.ctm", ["rec 1 0 1 a", "rec 1 * * <ALT_BEGIN>"], "a.ctm:2: .*alternatives are not read"),
        ("a.srt", ["1", "no times", "a"], "a.srt:1: '1' begins no cue"),
        ("a.sgm", ['<refset><doc docid="d"><seg id=1>a'], "a.sgm: the last segment has no end"),
        (
            "a.sgm",
            ['<refset><doc docid="d"><seg id=1>a<seg id=2>b</seg>'],
            "a.sgm:1: the segment '1' of 'd' has no end",
        ),
        ("a.xml", ['<dataset><doc id="d"><ref><seg id="1">a</dataset>'], "a.xml:1: not XML"),
        ("a.conllu", ["a b", "c"], "a.conllu:2: 1 columns, but the lines before it have 2"),
    ],
)
def test_a_broken_file_is_named_with_its_line(put: Any, name: str, lines: list[str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        metrologue.read(put(name, lines), column="references")


def test_seglst(put: Any) -> None:
    def said(session: object, speaker: str, words: str, begin: float) -> dict[str, Any]:
        return {"session_id": session, "speaker": speaker, "words": words, "start_time": begin, "end_time": begin + 1}

    ours = put("p.json", [said("s", "a", "there you", 1), said("s", "a", "hello", 0), said("t", "b", "x", 0)])
    theirs = put("r.seglst.json", [said("t", "y", "x", 0), said("s", "x", "hello there you", 0)])
    assert segments(ours, theirs, groups=True)[:2] == ([["x"], ["hello there you"]], [["x"], ["hello there you"]])
    untimed = put("u.json", [{"session_id": 1, "words": "a"}, {"session_id": 1, "words": "b"}])
    assert segments(untimed, untimed)[0] == ["a b"]


SRT = [
    "1",
    "00:00:01,000 --> 00:00:02,000",
    "<i>Hello</i> there.",
    "",
    "2",
    "00:00:03,000 --> 00:00:04,000",
    "Good",
    "morning.",
    "",
]
VTT = ["WEBVTT", "", "NOTE a note", "", "00:01.000 --> 00:02.000 align:start", "Tom &amp; Ann", ""]


def test_subtitles(put: Any) -> None:
    assert metrologue.read(put("a.srt", SRT)).texts == ["Hello there.", "Good morning."]
    assert metrologue.read(put("a.txt", SRT)).kind == "SRT"
    rows = metrologue.read(put("a.vtt", VTT))
    assert (rows.texts, rows.times) == (["Tom & Ann"], [(1.0, 2.0)])
    with pytest.raises(InputError, match=r"a.srt has 2 rows but .*b.srt has 1 row"):
        segments(put("a.srt", SRT), put("b.srt", SRT[:4]))


SGM = [
    '<refset setid="t" srclang="de" trglang="en">',
    '<doc sysid="r1" docid="d1"><seg id="1"> A &amp; B </seg>',
    "<seg id=2>two",
    "lines</seg></doc>",
    '<doc sysid="r2" docid="d1"><seg id="1">A and B</seg><seg id="2">2 lines</seg></doc></refset>',
]


def test_sgm(put: Any) -> None:
    system = put(
        "out.sgm",
        ["<tstset setid='t'><DOC docid='d1' sysid='x'><seg id='2'>two</seg><seg id='1'>A</seg></DOC></tstset>"],
    )
    assert segments(system, put("ref.sgm", SGM))[:2] == (["A", "two"], [["A & B", "A and B"], ["two lines", "2 lines"]])
    assert segments(system, put("ref.sgm", SGM), reference_key="r2")[1] == [["A and B"], ["2 lines"]]
    with pytest.raises(InputError, match="there is no translator 'r3'; there are 'r1', 'r2'"):
        segments(system, put("ref.sgm", SGM), reference_key="r3")


XML = """<?xml version='1.0' encoding='utf-8'?><dataset id="t"><doc id="d" origlang="de">
<src lang="de"><p><seg id="1">eins</seg><seg id="2">zwei</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">one</seg><seg id="2">two</seg></p></ref>
<hyp system="x" language="en"><p><seg id="1">1 &amp; 1</seg><seg id="2">two</seg></p></hyp>
<hyp system="y" language="en"><p><seg id="1">one</seg><seg id="2">too</seg></p></hyp></doc></dataset>"""


def test_xml_of_wmt(put: Any) -> None:
    path = put("wmt.xml", [XML])
    assert metrologue.read(path, key="x").predictions == ["1 & 1", "two"]
    assert metrologue.read(path, column="references").references == [["one"], ["two"]]
    assert metrologue.read(path, column="sources").sources == ["eins", "zwei"]
    with pytest.raises(InputError, match="2 systems: 'x', 'y'; name one as the key"):
        metrologue.read(path)
    result = run("score", "chrf", "-p", path, "--prediction-key", "y", "-r", path, "-b")
    assert result.exit_code == 0, result.output


def test_xml_declares_no_entities(put: Any) -> None:
    declared = '<!DOCTYPE dataset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    bomb = f'{declared}<dataset><doc id="d"><ref><seg id="1">&b;</seg></ref></doc></dataset>'
    with pytest.raises(InputError, match="entities are not read"):
        metrologue.read(put("a.xml", [bomb]), "wmt-xml", column="references")
    outside = bomb.replace('"aaaa"', 'SYSTEM "/etc/passwd"')
    with pytest.raises(InputError, match="entities are not read"):
        metrologue.read(put("a.xml", [outside]), "wmt-xml", column="references")


def test_nested_json_and_xml_are_refused(put: Any, tmp_path: Path) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text('{"data": [{"paragraphs": ' + "[" * 9999 + "]" * 9999 + "}]}")
    with pytest.raises(InputError):
        metrologue.read(deep, "squad")
    with pytest.raises(InputError, match="more than 64 deep"):
        metrologue.read(put("deep.xml", ["<dataset>" + "<p>" * 100 + "</p>" * 100 + "</dataset>"]), column="references")


def test_a_packed_file_is_recognized(put: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.stm.gz"
    path.write_bytes(gzip.compress("\n".join(STM).encode()))
    assert metrologue.read(path).texts == ["hello there", "good morning"]


def test_a_pipe_is_read_once(put: Any, tmp_path: Path) -> None:
    import os
    import threading

    pipe = tmp_path / "pipe.stm"
    os.mkfifo(pipe)
    assert format_of(pipe) is None
    writer = threading.Thread(target=lambda: pipe.write_text("".join(f"{line}\n" for line in STM)))
    writer.start()
    assert read_segments([pipe], [])[0][0].to_pylist() == STM
    writer.join()


def test_files_of_which_none_has_a_format_stay_as_they_are(put: Any) -> None:
    columns = [Column(put("a.txt", ["a b", "c"]))], [Column(put("b.jsonl", ['"a"', '"c"']), name="references")], []
    assert read_joined(*columns) is None


def test_a_file_beside_plain_text_has_the_rows_in_its_order(put: Any) -> None:
    system = put("out.json", {"q2": "b", "q1": "a"})
    assert segments(system, put("ref.txt", ["b", "x"]))[:2] == (["b", "a"], ["b", "x"])
    with pytest.raises(InputError, match=r"out.json has 2 rows but .*ref.txt has 3 rows"):
        segments(system, put("ref.txt", ["b", "x", "y"]))


COMMANDS = [
    ("compare", "wer", "--no-live"), ("doctor",), ("which", "wer", "0.5"), ("explain", "wer", "jiwer", "evaluate"),
    ("trace", "wer", "--segment", "1"),
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS)
def test_all_commands_read_them(put: Any, words: tuple[str, ...]) -> None:
    ours = put("hyp", [f"utt{i} the cat sat on it" for i in range(3)])
    theirs = put("ref", [f"utt{i} the cat sat on mats" for i in (2, 1, 0)])
    with pytest.warns(UserWarning, match="read as Kaldi's text; with `plain`"):
        result = run(*words, "-p", ours, "-r", theirs)
    assert result.exit_code == 0, result.output


def test_each_format_has_its_name_once() -> None:
    wanted = {"conll", "trn", "kaldi", "stm", "ctm", "seglst", "squad", "srt", "vtt", "sgm", "wmt-xml"}
    wanted |= {"lm-eval", "lighteval", "inspect", "helm", "coco"}
    assert {*all_formats()} == wanted
    assert {name: each.name for name, each in all_formats().items()} == {name: name for name in all_formats()}
    with pytest.raises(InputError, match="there is no format 'seglts'; did you mean 'seglst'"):
        metrologue.read("a.txt", "seglts")
