"""Logs of harnesses: predictions, references, ids and scores; one number, two runs, a whole folder."""

from __future__ import annotations

import json
import math
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import metrologue
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.files.formats import lm_eval
from metrologue.files.lines import Column
from metrologue.files.log_results import task_of
from metrologue.files.parts import read_segments, stream_parts

pytestmark = pytest.mark.filterwarnings("ignore:.* read as .*plain text", "ignore:.* left out, whose ids")

TEXTS = [("the cat sat on it", "the cat sat on the mat"), ("a dog ran off", "a dog ran away"), ("yes", "yes")]


def sample(i: int, said: Any, target: Any, /, **more: Any) -> dict[str, Any]:
    """A sample as lm-evaluation-harness writes it."""
    return {
        "doc_id": i, "doc": {"q": f"what {i}", "answer": [target]}, "target": target,
        "arguments": {"gen_args_0": {"arg_0": f"Say {i}", "arg_1": {}}}, "resps": [[said]], "filtered_resps": [said],
        "filter": "none", "metrics": ["bleu", "exact_match"], "doc_hash": f"{i:064x}",
        "exact_match": float(said == target),
    } | more  # fmt: skip


def write(path: Path, samples: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in samples), "utf-8")
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    samples = [sample(i, said, right) for i, (said, right) in enumerate(TEXTS)]
    return write(tmp_path / "run" / "samples_talk_2026-11-28T23-56-05.760497.jsonl", samples)


def run(*words: object) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result


def test_samples_of_lm_evaluation_harness(log: Path) -> None:
    read = metrologue.read_log(log)
    assert read.predictions == [said for said, _ in TEXTS]
    assert read.references == [[right] for _, right in TEXTS]
    assert read.sources == ["Say 0", "Say 1", "Say 2"]
    assert (read.metrics, read.scores) == (("bleu", "exact_match"), {"exact_match": [0.0, 0.0, 1.0]})
    assert (read.ids or [])[1] == "1-000000000000"


@pytest.mark.parametrize(
    ("more", "said", "right"),
    [
        ({"filtered_resps": [["b", "c"]]}, "b", ["a"]),
        ({"target": ["x", "y"]}, "p", ["x", "y"]),
        ({"target": '["x", "y"]'}, "p", ["x", "y"]),
        ({"target": "[x, y]"}, "p", ["[x, y]"]),
        ({"target": 1, "filtered_resps": [[-3.5, False], [-1.25, True]]}, "1", ["1"]),
        ({"target": 0, "filtered_resps": [[[-0.5, False]], [[-1.25, True]]]}, "0", ["0"]),
        ({"target": "0", "filtered_resps": [["-0.5", "False"], ["-1.25", "True"]]}, "0", ["0"]),
        ({"target": []}, "p", [""]),
    ],
)
def test_forms_of_responses_and_targets(tmp_path: Path, more: dict[str, Any], said: str, right: list[str]) -> None:
    read = metrologue.read_log(write(tmp_path / "samples_x.jsonl", [sample(0, "p", "a", **more)]))
    assert (read.predictions, read.references) == ([said], [right])


def test_several_filters(tmp_path: Path) -> None:
    rows = [sample(i, said, "a", filter=name) for name, said in (("strict", "a"), ("loose", "b")) for i in (0, 1)]
    path = write(tmp_path / "samples_x.jsonl", rows)
    assert metrologue.read_log(path).predictions == ["a", "a"]
    assert metrologue.read_log(path, key="loose").predictions == ["b", "b"]
    with pytest.raises(InputError, match="no filter 'other'; there are 'strict', 'loose'"):
        metrologue.read_log(path, key="other")


def test_one_log_is_scored_alone(log: Path) -> None:
    shown = json.loads(run("score", "bleu", log, "--format", "json").stdout)
    assert shown["systems"][0]["value"] == metrologue.score("bleu", *map(list, zip(*TEXTS, strict=True))).value


def test_any_key_of_json_lines(log: Path) -> None:
    words = ("-p", log, "--prediction-key", "doc.answer[0]", "-r", log, "--reference-key", "target")
    assert run("score", "exact_match", *words, "-b").stdout == "1.0000\n"


def test_two_runs_are_joined_by_document(log: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "b.jsonl", [sample(i, "no", TEXTS[i][1]) for i in (2, 0)])
    with pytest.warns(UserWarning, match="1 segment of 3 left out, whose ids other files lack: '1-000000000000'"):
        systems, references = read_segments([log, other], [log])
    assert [each.to_pylist() for each in systems] == [["the cat sat on it", "yes"], ["no", "no"]]
    assert references is not None
    assert references.to_pylist() == [["the cat sat on the mat"], ["yes"]]


def test_a_folder_is_scored_task_by_task(log: Path) -> None:
    samples = [sample(i, "Yes!", "yes", metrics=["exact_match"]) for i in range(2)]
    write(log.parent / "samples_words_2026-11-28T23-56-05.760497.jsonl", samples)
    settings = {"metric_list": [{"metric": "exact_match", "ignore_case": True, "ignore_punctuation": True}]}
    own = {"alias": "words", "exact_match,none": 1.0, "exact_match_stderr,none": "N/A"}
    results = {"words": own, "talk": {"bleu,none": 3.5}}
    held = {"results": results, "configs": {"words": settings}}
    (log.parent / "results_2026-11-28T23-56-05.760497.json").write_text(json.dumps(held))
    talk, words = run("score", log.parent).stdout.split("\n# words\n")
    assert talk.startswith("# talk\n")
    assert "the harness printed bleu 3.5; " in talk
    assert "52.61 from the samples: no setting of ours prints it" in talk
    assert "lowercase=true" in words
    assert "the harness printed exact_match 1; reproduced from the samples." in words


def test_tasks_that_a_run_lacks_are_left_out(log: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other" / "samples_talk_2026-11-29T00-00-00.0.jsonl", [sample(0, "x", TEXTS[0][1])])
    write(tmp_path / "other" / "samples_more_2026-11-29T00-00-00.0.jsonl", [sample(0, "x", "y")])
    result = run("score", "bleu", log.parent, other.parent, "-b")
    assert result.stderr == "Left out, because not every run has it: more.\n"
    assert len(result.stdout.splitlines()) == 2


COMMANDS = [
    ("compare", "bleu", "--no-live"), ("doctor",), ("which", "bleu", "50"), ("trace", "bleu", "--segment", "1"),
    ("explain", "bleu", "nltk", "sacrebleu"),
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_takes_a_log(log: Path, words: tuple[str, ...]) -> None:
    run(*words, log)


def test_a_metric_that_is_a_file_too_stays_a_metric(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bleu").mkdir()
    monkeypatch.chdir(tmp_path)
    run("score", "bleu", log)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"doc_id": 1, "target": \n', "b.jsonl:2: not JSON"),
        ('{"doc_id": 1}\n', "b.jsonl:2: .* is no sample of lm-evaluation-harness"),
        (json.dumps(sample(1, {"a": 1}, "b")) + "\n", "b.jsonl:2: the response is {'a': 1}; a text is expected"),
        (json.dumps(sample(1, "\ud800", "b")) + "\n", "b.jsonl:2: the response has half of a surrogate pair"),
        ('{"doc_id": 1, "doc": ' + "[" * 100_000 + "\n", "b.jsonl:2: not JSON"),
        (json.dumps(sample(0, "a", "b")) + "\n", "the id '0-000000000000' stands twice"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "b.jsonl"
    path.write_text(json.dumps(sample(0, "a", "b")) + "\n" + line)
    with pytest.raises(InputError, match=told):
        read_segments([path], [path])


def test_inspect(tmp_path: Path) -> None:
    def one(i: int, content: Any, target: Any, value: Any) -> dict[str, Any]:
        output, scores = {"choices": [{"message": {"content": content}}]}, {"match": {"value": value}}
        return {"id": f"q{i}", "epoch": 1, "input": "?", "target": target, "output": output, "scores": scores}

    parts = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "b"}]
    samples = [one(0, "a", "a", "C"), one(1, parts, ["b", "c"], "I"), one(2, "d", "e", 0.25)]
    path = tmp_path / "log.json"
    path.write_text(
        json.dumps({"version": 2, "status": "success", "eval": {"task": "t"}, "samples": samples}, indent=1)
    )
    read = metrologue.read_log(path)
    assert (read.predictions, read.references) == (["a", "b", "d"], [["a"], ["b", "c"], ["e"]])
    assert read.scores == {"match": [1.0, 0.0, 0.25]}
    packed = tmp_path / "log.eval"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("header.json", "{}")
        for i, each in enumerate(samples):
            archive.writestr(f"samples/q{i}_epoch_1.json", json.dumps(each))
    assert metrologue.read_log(packed) == read
    packed.write_bytes(packed.read_bytes()[:200])
    with pytest.raises(InputError):
        metrologue.read_log(packed)


def test_helm(tmp_path: Path) -> None:
    def one(i: int, said: str, right: str, **more: Any) -> dict[str, Any]:
        references = [{"output": {"text": right}, "tags": ["correct"]}, {"output": {"text": "wrong"}, "tags": []}]
        instance = {"id": f"id{i}", "input": {"text": f"in {i}"}, "references": references}
        return {"instance": instance, "train_trial_index": 0, "result": {"completions": [{"text": said}]}, **more}

    path = tmp_path / "scenario_state.json"
    states = [one(0, " a", "a"), one(1, " B", "bee", output_mapping={"A": "ay", "B": "bee"})]
    path.write_text(json.dumps({"adapter_spec": {}, "request_states": states}, indent=1))
    read = metrologue.read_log(path)
    assert (read.predictions, read.references) == ([" a", "bee"], [["a"], ["bee"]])
    assert (read.ids, read.sources) == (["id0-0", "id1-0"], ["in 0", "in 1"])


def test_lighteval(tmp_path: Path) -> None:
    def one(i: int, choices: list[str], gold: int, said: str, em: float | None) -> dict[str, Any]:
        doc = {"id": str(i), "query": "q", "choices": choices, "gold_index": [gold]}
        return {"doc": doc, "model_response": {"text": [said]}, "metric": {"em": em}}

    rows = [one(0, ["x", "y"], 1, "y", 1.0), one(1, ["z"], 0, "w", None)]
    path = tmp_path / "details_task_2026-11-28T00.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    read = metrologue.read_log(path)
    assert (read.predictions, read.references, read.ids) == (["y", "w"], [["y"], ["z"]], ["0", "1"])
    assert read.scores["em"][0] == 1.0
    assert math.isnan(read.scores["em"][1])
    old = tmp_path / "details_old.parquet"
    pq.write_table(pa.table({"predictions": [["a"]], "gold": [["b"]], "metrics": [{"em": 0.0}], "example": ["q"]}), old)
    assert (metrologue.read_log(old).predictions, metrologue.read_log(old).references) == (["a"], [["b"]])


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a\n")
    with pytest.raises(InputError, match=r"a.txt is plain text or a table; logs are those of .*lm-eval"):
        metrologue.read_log(path)


def test_tasks_have_the_names_of_the_harness() -> None:
    assert task_of("a/samples_first_word_2026-11-28T23-56-05.760497.jsonl") == "first_word"
    assert task_of("details_leaderboard|gsm8k|5_2024-05-01T10-00-00.0.parquet") == "leaderboard|gsm8k|5"


def test_the_numbers_of_lm_evaluation_harness_come_out_of_its_samples(shared_data: Path) -> None:
    for name in ("kit", "systran"):
        [results] = (shared_data / "logs" / name).glob("results_*.json")
        [samples] = (shared_data / "logs" / name).glob("samples_newstest_de_*.jsonl")
        printed = json.loads(results.read_text("utf-8"))["results"]["newstest_de"]
        read = metrologue.read_log(samples)
        for metric in ("bleu", "chrf", "ter"):
            assert metrologue.score(metric, read.predictions, read.references).value == printed[f"{metric},none"]


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Two runs of two tasks, of which the second is worse on one."""
    said = {"good": {"easy": "a b c d", "hard": "e f g h"}, "bad": {"easy": "a b c d", "hard": "e x y h"}}
    for name, tasks in said.items():
        for task, text in tasks.items():
            right = {"easy": "a b c d", "hard": "e f g h"}[task]
            samples = [
                sample(i, text if i % 3 else f"{text} z", f"{right} {i % 2}", metrics=["chrf"]) for i in range(40)
            ]
            write(tmp_path / name / f"samples_{task}_2026-11-28T23-56-05.760497.jsonl", samples)
    return [tmp_path / "good", tmp_path / "bad"]


def test_runs_are_tested_over_tasks(runs: list[Path]) -> None:
    shown = run("score", *runs, "--paired-bs").stdout
    assert shown.count("\ngood ") == shown.count("\nbad ") == 2  # runs have the names of their folders
    table = shown.partition("# over tasks: differences from good\n")[2].splitlines()
    rows = {row.split()[2]: row for row in table[1:4]}
    assert "equal outputs" in rows["easy"]
    assert rows["hard"].endswith("*")
    assert rows["mean"].endswith("*")


def test_json_and_tables_of_several_tasks_are_one_value(runs: list[Path]) -> None:
    value = json.loads(run("score", *runs, "--paired-bs", "--format", "json").stdout)
    assert [*value["tasks"]] == ["easy", "hard"]
    (chrf,) = value["over_tasks"]
    easy, hard = chrf["tests"]
    assert easy["equal_outputs"]
    assert hard["p_value_over_tasks"] == 2 * hard["p_value"]  # Holm's correction of the lesser of two
    (mean,) = chrf["means"]
    assert math.isclose(mean["difference"], hard["difference"] / 2)
    header, *rows = run("score", *runs, "--format", "tsv").stdout.splitlines()
    assert header.startswith("task\tsystem\tchrf")
    assert [row.split("\t")[:2] for row in rows] == [
        ["easy", "good"], ["easy", "bad"], ["hard", "good"], ["hard", "bad"],
    ]  # fmt: skip


def test_one_page_has_one_task(runs: list[Path], tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["compare", *map(str, runs), "--out", str(tmp_path / "page.html")])
    assert "--out takes one task, but the runs have 2: give the log of one." in result.output
    assert not (tmp_path / "page.html").exists()


def test_the_scores_of_samples_are_ratings(log: Path) -> None:
    given = ("exact_match", log, "--format", "json", "--no-confidence", "--correlation", "pearson")
    shown = json.loads(run("meta", *given).stdout)
    (metric,) = shown["metrics"]
    assert math.isclose(metric["correlations"]["exact_match"]["value"], 1)
    bare = write(log.parent / "bare.jsonl", [sample(i, "a", "b", metrics=[]) for i in range(3)])
    result = CliRunner().invoke(main, ["meta", "chrf", str(bare)])
    assert "no scores of its samples" in result.output


def long_log(path: Path, documents: list[int]) -> Path:
    return write(path, [sample(i, f"we say {i % 7} of {i}", f"they say {i % 5} of {i}") for i in documents])


@pytest.mark.parametrize(
    "others",
    [
        [*range(30)], [*range(22)], [*range(12), *range(16, 30)], [*reversed(range(30))], [*range(20), 28, 21, 23],
        [*range(30), *range(40, 50)],
    ],
)  # fmt: skip
def test_a_log_in_parts_is_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: list[int]) -> None:
    paths = [long_log(tmp_path / "a.jsonl", [*range(30)]), long_log(tmp_path / "b.jsonl", others)]
    monkeypatch.setattr(lm_eval, "_SAMPLES", 10_000)
    whole = read_segments(paths, paths[:1])
    monkeypatch.setattr(lm_eval, "_SAMPLES", 4)
    parts = read_segments(paths, paths[:1])
    assert [each.to_pylist() for each in parts[0]] == [each.to_pylist() for each in whole[0]]
    assert parts[1] is not None
    assert whole[1] is not None
    assert parts[1].to_pylist() == whole[1].to_pylist()


def test_an_id_that_stands_twice_far_apart_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lm_eval, "_SAMPLES", 4)
    path = long_log(tmp_path / "a.jsonl", [*range(10), 1])
    with pytest.raises(InputError, match=r"a.jsonl: the id '1-0+' stands twice"):
        read_segments([path], [path])


def test_memory_does_not_grow_with_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lm_eval, "_SAMPLES", 64)
    peaks = []
    for count in (4_000, 16_000):
        column = Column(long_log(tmp_path / f"{count}.jsonl", [*range(count)]), lists=True)
        tracemalloc.start()
        assert sum(len(part.systems[0]) for part in stream_parts([column], [column])) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # Four times the documents: only the eight bytes that are kept of each, and what finds a second one, are more.
    assert peaks[1] < 1.6 * peaks[0]
