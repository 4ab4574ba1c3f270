"""The command line: it prints what the library computes, and refuses in one line what has no score."""

import csv
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from waiting import until

from metrologue import list_metrics, trace
from metrologue.attribution import explain
from metrologue.cli import main
from metrologue.cli.help import GROUPS
from metrologue.comparison.documents import load_cases
from metrologue.comparison.harness import compare
from metrologue.comparison.libraries import Library, Missing, get_library
from metrologue.errors import InputError
from metrologue.files.parts import read_segments, stream_parts
from metrologue.origin import pip_install
from metrologue.scorers import Bleu, Scorer, SelfBleu, Ter, get_scorer, list_scorers
from metrologue.scorers.core.options import options_of
from metrologue.scorers.core.research import reached_of
from metrologue.segments import Segments
from metrologue.text.tokenizers import list_tokenizers
from metrologue.text.tokenizers.meanings import meaning_of_tokenizer

COMMANDS = sorted(main.commands)


@pytest.fixture(scope="module")
def sample(root):
    """The paths of the sample: three systems and two references."""
    folder = root / "comparison" / "sample"
    return {path.stem: str(path) for path in folder.glob("*.txt")}


@pytest.fixture(scope="module")
def texts(sample):
    """The sample read: a system, and the references of each segment."""
    [system], references = read_segments([sample["amber"]], [sample["reference_1"], sample["reference_2"]])
    return system, references


@pytest.fixture(scope="module")
def files(sample):
    """The options for these texts."""
    return ["-p", sample["amber"], "-r", sample["reference_1"], "-r", sample["reference_2"]]


@pytest.fixture
def write(tmp_path):
    def write(name: str, content: bytes) -> str:
        (tmp_path / name).write_bytes(content)
        return str(tmp_path / name)

    return write


def run(*arguments: str, status: int = 0):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status, result.output
    return result


def run_process(*arguments: str, text: bytes = b"") -> subprocess.CompletedProcess:
    """The command as a process of its own."""
    return subprocess.run([sys.executable, "-m", "metrologue", *arguments], input=text, capture_output=True)


def test_the_commands_are_those_of_the_readme():
    names = (
        "baseline coco compare doctor documents explain install list mbr meta publish report sacrebleu score trace "
        "train warmup which"
    )
    assert " ".join(COMMANDS) == names


@pytest.mark.parametrize("command", sorted({*COMMANDS} - {"sacrebleu"}))  # whose help is sacrebleu's own
def test_help_has_an_example(command):
    assert f"  metrologue {command}" in run(command, "--help").stdout


def test_help_of_all():
    output = run("--help").stdout
    assert all((f"\n  {command} " in output) is (command not in ("report", "coco")) for command in COMMANDS)
    seldom = output.partition("Commands for single needs:")[2]
    assert "  warmup " in seldom
    assert "  score " not in seldom
    assert "..." not in output.partition("Commands:")[2]
    assert "Show which numbers of the libraries differ on the same files, and why." in " ".join(output.split())


@pytest.mark.parametrize("variant", sorted(Bleu.variants()))
def test_score_is_that_of_the_library(variant, files, texts):
    result = Bleu.variant(variant).corpus(*texts)
    header, row, signature = run(
        "score", "bleu", "--variant", variant, *files, "--signature", "full"
    ).stdout.splitlines()
    assert header.split()[:2] == ["system", "bleu"]
    assert row.split()[:2] == ["amber.txt", f"{result.value:.4f}"]
    assert signature == result.signature


def test_score_as_json(files, texts):
    printed = json.loads(run("score", "bleu", *files, "--json").stdout)
    result = Bleu().corpus(*texts)
    [system] = printed["systems"]
    assert (system["value"], system["scores"], system["segments"]) == (result.value, result.scores, len(texts[0]))
    assert Scorer.from_signature(printed["signature"]) == Bleu()


def test_settings_and_signatures(files, texts):
    bleu = Bleu.variant("nltk", max_order=2, lowercase=True, tokenizer="intl")
    settings = ["--set", "max_order=2", "--set", "lowercase=true", "--set", "tokenizer=intl"]
    files = [*files, "--signature", "full"]
    by_fields = run("score", "bleu", "--variant", "nltk", *settings, *files).stdout
    assert by_fields.endswith(f"{bleu.signature}\n")
    assert run("score", "bleu", "--variant", bleu.signature, *files).stdout == by_fields
    assert f"{bleu.corpus(*texts).value:.4f}" in by_fields


def test_several_systems_are_scored_in_one_pass(sample, files):
    alone = [run("score", "bleu", "-p", sample[name], *files[2:]).stdout.splitlines()[1] for name in ("amber", "birch")]
    assert run("score", "bleu", "-p", sample["birch"], *files).stdout.splitlines()[1:3] == alone[::-1]


def test_threads_change_nothing(files):
    score = ["score", "bleu", *files, "--json"]
    assert run(*score, "--threads", "3").stdout == run(*score).stdout


def test_chunks_change_nothing(files, monkeypatch):
    whole = [run("score", "bleu", *files, option).stdout for option in ("--json", "--per-segment")]
    monkeypatch.setattr("metrologue.files.parts.stream_parts", partial(stream_parts, chunk_bytes=200))
    assert [run("score", "bleu", *files, option).stdout for option in ("--json", "--per-segment")] == whole


@pytest.mark.parametrize("systems", [["amber"], ["amber", "birch"]])
def test_segments_are_those_of_the_library(systems, sample, files):
    predictions = [part for name in systems for part in ("-p", sample[name])]
    output = run("score", "bleu", "--variant", "nltk", *predictions, *files[2:], "--per-segment").stdout
    rows = list(csv.DictReader(io.StringIO(output), delimiter="\t"))
    assert list(rows[0])[:3] == ["segment", "system", "bleu"]
    arrays, references = read_segments([sample[name] for name in systems], files[3::2])
    for name, array in zip(systems, arrays, strict=True):
        own = [row for row in rows if row["system"] == sample[name]]
        assert [int(row["segment"]) for row in own] == list(range(1, len(array) + 1))
        for key, values in Bleu.variant("nltk").segment_scores(array, references).items():
            assert [float(row[key]) for row in own] == values.tolist()


def test_gzip_json_lines_and_text_are_one(write, sample, files, texts):
    expected = run("score", "bleu", *files, "--json").stdout
    text = Path(sample["amber"]).read_bytes()
    packed = write("amber.txt.gz", gzip.compress(text))
    lines = [json.dumps(line) for line in text.decode().split("\n")[:-1]]
    lists = write("references.jsonl", "\n".join(json.dumps(pair) for pair in texts[1].to_pylist()).encode())
    for path, references in [
        (packed, files[2:]),
        (write("amber.jsonl", "\n".join(lines).encode()), files[2:]),
        (sample["amber"], ["-r", lists]),
    ]:
        output = run("score", "bleu", "-p", path, *references, "--json").stdout
        assert output.replace(path, sample["amber"]) == expected


def test_standard_input(sample, files):
    done = run_process("score", "bleu", "-p", "-", *files[2:], text=Path(sample["amber"]).read_bytes())
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().split()[6:] == run("score", "bleu", *files).stdout.split()[6:]


def test_no_progress_into_a_pipe(files):
    done = run_process("score", "bleu", *files)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize("option", ["--json", "--per-segment"])
def test_progress_on_a_terminal(files, option):
    """The bar goes to the terminal, the result to standard output, whole."""
    terminal, process_side = os.openpty()
    command = [sys.executable, "-m", "metrologue", "score", "bleu", *files, option]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=process_side, env=environment, check=True)
    os.close(process_side)
    with open(terminal, "rb", buffering=0) as screen:
        shown = screen.read(4096)
        assert b"\x1b" in shown
        assert b" pairs/s" in shown
    assert done.stdout.decode() == run("score", "bleu", *files, option).stdout


def test_a_closed_pipe_is_silent(files):
    options = ["--variant", "sacrebleu-sentence", *files, "--per-segment"]
    command = [sys.executable, "-m", "metrologue", "score", "bleu", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (b"a\nb\n", b"a\n", "{hyp} has 2 lines but {ref} has 1; each line needs its counterpart."),
        (b"a\nb\xff\n", b"a\nb\n", "{hyp}:2: byte 2 of the line (0xff) is not UTF-8"),
        (b"", b"", "the files have no lines"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--per-segment"]])
def test_bad_files_are_refused_in_one_line(write, hypotheses, references, message, options):
    hyp, ref = write("hyp.txt", hypotheses), write("ref.txt", references)
    result = run("score", "bleu", "-p", hyp, "-r", ref, *options, status=2)
    assert result.stderr.startswith("Error: " + message.format(hyp=hyp, ref=ref))
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variant", "nktl"], "no variant is called 'nktl'"),
        (["--set", "tokeniser=13a"], "unknown field 'tokeniser'"),
        (["--set", "max_order"], "'max_order' is not FIELD=VALUE"),
        (["--variant", Bleu().signature, "--set", "max_order=2"], "not a signature"),
        (["--per-segment", "--json"], "choose one"),
        (["--threads", "0"], "--threads"),
    ],
)
def test_bad_options_are_refused(files, arguments, message):
    assert message in run("score", "bleu", *files, *arguments, status=2).stderr


def test_an_unknown_metric_is_refused(files):
    assert "no metric is called 'blue'" in run("score", "blue", *files, status=2).stderr


def test_files_without_their_options_are_refused(files):
    hypotheses, references = files[1], files[3]
    said = run("score", "bleu", hypotheses, references, status=2).stderr
    assert f"{hypotheses} is a file, not a metric; give files after -p and -r." in said


def test_a_message_says_from_where_it_counts(write, monkeypatch):
    """An empty segment has no score under the Hub's rules, and a file is read in parts."""
    monkeypatch.setattr("metrologue.files.parts.stream_parts", partial(stream_parts, chunk_bytes=1))
    references, hypotheses = write("ref.txt", b"a b c d\n" * 3), write("hyp.txt", b"a b c d\n\na b c d\n")
    options = ["--variant", "evaluate", "-p", hypotheses, "-r", references, "--per-segment"]
    message = run("score", "bleu", *options, status=2).stderr
    assert f"{hypotheses}: Bleu: segment 2, counted from 1, " in message


@pytest.mark.parametrize(
    ("metric", "hypotheses", "message"),
    [
        ("perplexity", "0.1 0.2\n0.1\n0.3\nx\n", "{hyp}:4, column 1: 'x' is not a number"),
        ("likelihood", "0.1 0.2\n0.1\n0.3\n2\n", "{hyp}:4 has 2 at index 0"),
        ("rouge", "a b\na b\n\na b\n", "{hyp}:3 has no sentence"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--per-segment"]])
def test_a_message_names_the_line_of_the_file(metric, hypotheses, message, options, write, monkeypatch):
    monkeypatch.setattr("metrologue.files.parts.stream_parts", partial(stream_parts, chunk_bytes=1))
    path = write("hyp.txt", hypotheses.encode())
    references = ["-r", write("ref.txt", b"a b\n" * 4), "--variant", "rouge"] if metric == "rouge" else []
    error = run("score", metric, "-p", path, *references, *options, status=2).stderr
    assert error.startswith("Error: " + message.format(hyp=path))


def test_explain(files, texts):
    expected = explain(Bleu.variant("nltk"), Bleu.variant("sacrebleu"), *texts)
    assert json.loads(run("explain", "bleu", "nltk", "sacrebleu", *files, "--json").stdout) == json.loads(
        json.dumps(asdict(expected))
    )
    output = run("explain", "bleu", "nltk", Bleu().signature, *files).stdout
    shares = {part.choice: f"{100 * part.share:+.4f}" for part in expected.contributions}
    idle = [choice for choice, share in shares.items() if not float(share)]
    assert idle
    assert ", ".join(idle) in output
    for choice, share in shares.items():
        assert share in output
        assert choice in output
    assert output.count("+0.0000") == 1, "all choices without effect have one row"
    assert f"{100 * expected.gap:+.4f}" in output


def test_explain_has_one_unit_in_a_column(files, texts):
    """Points for both libraries; what nltk prints is in brackets."""
    gap = explain(Bleu.variant("nltk"), Bleu.variant("sacrebleu"), *texts)
    last = run("explain", "bleu", "nltk", "sacrebleu", *files, "--format", "tsv").stdout.splitlines()[-1]
    a, b = 100 * gap.value_a, gap.value_b
    assert last.split("\t") == ["score", f"{a:.4f} ({gap.value_a:.4f})", f"{b:.4f}", f"{b - a:+.4f}"]


def test_explain_in_other_formats(files):
    text, markdown, latex, tsv = (
        run("explain", "bleu", "nltk", "sacrebleu", *files, "--format", each).stdout
        for each in ("text", "markdown", "latex", "tsv")
    )
    rows = [line.split("\t") for line in tsv.splitlines()]
    assert rows[0] == ["choice", "nltk", "sacrebleu", "points of 100"]
    assert rows[-1][0] == "score"
    (idle,) = [row for row in rows if row[1] == "no effect here"]
    for row in rows:
        assert row is idle or f"| {' | '.join(row)} |" in markdown.splitlines()
        assert all(cell in text for cell in row)
    assert f"No effect here: {idle[0]}." in markdown.splitlines()
    assert latex.count(r" \\") == len(rows) - 1
    assert r"floor\_\allowbreak{}totals" in latex


@pytest.mark.parametrize("output_format", ["text", "markdown", "latex", "tsv"])
def test_two_equal_numbers_are_not_explained_by_shares_that_cancel_out(write, output_format):
    files = ["-p", write("hyp.txt", b"the cat sat on the mat\nhello world\n")]
    files += ["-r", write("ref.txt", b"the cat is on the mat\nhello there world\n")]
    output = run("explain", "bleu", "evaluate", "nltk", *files, "--format", output_format).stdout
    assert "24." not in output
    assert "cancels out" in output
    if output_format != "tsv":
        assert "evaluate and nltk give the same number to the digits that are printed." in " ".join(output.split())


def test_explain_with_a_field_of_both(write):
    text = write("text.txt", b"no no no no yes yes yes yes maybe maybe maybe maybe perhaps not\n")
    options = ["lexical_diversity", "lexicalrichness", "lexical-diversity", "-p", text, "--format", "json"]
    found = json.loads(run("explain", *options, "--set", "measures=[mtld]").stdout)
    assert (round(found["value_a"], 4), round(found["value_b"], 4)) == (2.5667, 5.601)
    assert found["contributions"][0]["choice"] == "least length of MTLD"
    assert json.loads(run("explain", *options).stdout)["value_a"] == 5 / 14


def test_explain_shows_a_distance_as_it_is(write):
    files = ["-p", write("hyp.txt", b"acb\nabc\n"), "-r", write("ref.txt", b"abc\nabc\n")]
    output = run("explain", "edit_distance", "rapidfuzz", "rapidfuzz-osa", *files).stdout
    assert "-0.5000" in output
    assert "points" not in output
    assert "points of 100" in run("explain", "wer", "jiwer", "torchmetrics", *files).stdout


def test_trace(files, texts, tmp_path):
    bleu = Bleu.variant("nltk", max_order=2)
    found = trace(bleu, texts[0][3].as_py(), texts[1][3].as_py())
    options = ["--variant", "nltk", "--set", "max_order=2", "--segment", "4", *files]
    assert run("trace", "bleu", *options).stdout == found.text() + "\n"
    run("trace", "bleu", *options, "--html", str(tmp_path / "trace.html"))
    assert (tmp_path / "trace.html").read_text("utf-8") == found.html()


def test_trace_of_a_text_among_the_others(files, texts):
    predictions = [text.as_py() for text in texts[0]]
    fitted = SelfBleu().fit(Segments(predictions))
    shown = run("trace", "self_bleu", *files[:2], "--segment", "4").stdout
    assert shown == trace(fitted, predictions[3]).text() + "\n"
    assert f") = {SelfBleu().segments(predictions)[3]}" in shown


def test_trace_of_a_segment_that_is_not_there(files):
    assert "has 40 segments, counted from 1" in run("trace", "bleu", *files, "--segment", "41", status=2).stderr


@pytest.fixture
def nltk_only(monkeypatch):
    """Cases and comparisons that run one library, which needs no network."""
    cases = [case for case in load_cases() if case.library and case.library.name == "nltk"]
    monkeypatch.setattr("metrologue.comparison.documents.load_cases", lambda: cases)
    for module in ("harness", "libraries"):
        monkeypatch.setattr(
            f"metrologue.comparison.{module}.adapters", lambda metric, with_model: [get_library("nltk")]
        )
    return cases


def test_compare(sample, files, nltk_only, tmp_path):
    arrays, references = read_segments([sample["amber"], sample["birch"]], files[3::2])
    expected = compare(dict(zip(["amber.txt", "birch.txt"], arrays, strict=True)), references, variants=["nltk"])
    options = ["-p", sample["amber"], "-p", sample["birch"], *files[2:], "--variant", "nltk"]
    assert run("compare", *options, "--json").stdout == expected.to_json() + "\n"
    assert run("compare", *options, "--markdown").stdout == expected.to_markdown()
    answer = compare(
        dict(zip(["amber.txt", "birch.txt"], arrays, strict=True)), references, libraries=[], variants=["nltk"]
    )
    assert run("compare", *options, "--no-live", "--markdown").stdout == answer.to_markdown()
    text = run("compare", *options).stdout
    assert text.startswith("bleu: 2 systems, 40 segments, in points of 100\n")
    assert re.search(r"nltk \S+ .*= all 2, \d", text)
    assert "| --- |" not in text
    assert "rank; *" in text
    alone = run("compare", *options, "--no-live").stdout
    assert alone.startswith("bleu: 2 systems")
    assert "= all 2" not in alone
    assert max(map(len, text.splitlines())) <= 80
    assert json.loads(run("compare", *options, "--no-live", "--json").stdout) == json.loads(answer.to_json())
    report = tmp_path / "new folder" / "report.html"
    assert f"The report is in {report}\n" in run("compare", *options, "--out", str(report)).stderr
    assert "birch.txt" in report.read_text("utf-8")


def test_systems_of_one_file_name_are_told_apart(sample, files, write):
    other = write("amber.txt", b"no\n" * 40)
    options = ["-p", sample["amber"], "-p", other, *files[2:], "--library", "nltk", "--variant", "nltk"]
    assert json.loads(run("compare", *options, "--json").stdout)["systems"] == [sample["amber"], other]


def test_missing_libraries_are_told_before_the_work_with_one_command(files, monkeypatch):
    def lacking(extra: str | None, name: str) -> Library:
        class Lacking(type(get_library(name))):
            def status(self, metric: str | None = None) -> Missing:
                return Missing("gone" if extra else "perl not installed", "install it", is_package=bool(extra))

        Lacking.extra = extra
        return Lacking()

    found = [lacking("torch", "torchmetrics"), lacking("compare", "nltk"), lacking(None, "bleuscore")]
    monkeypatch.setattr("metrologue.comparison.running.absent.adapters", lambda metric, with_model: found)
    monkeypatch.setattr("metrologue.comparison.harness.adapters", lambda metric, with_model: found)
    lines = run("compare", *files, "--variant", "nltk").stderr.splitlines()
    assert "tokenized on one side" in lines[0]  # the sample is
    assert lines[-4:] == [
        f"Warning: not here: gone, for torchmetrics; {pip_install('torch')}",
        f"Warning: not here: gone, for nltk; {pip_install('compare')}",
        "Warning: not here: perl, for bleuscore; apt install perl libxml-dom-perl",
        f"To install: apt install -y perl libxml-dom-perl && {pip_install('compare', 'torch')}",
    ]


def test_what_is_missing_is_told_before_the_work(files, monkeypatch):
    def late(*arguments, **options):
        raise InputError("the work has begun")

    monkeypatch.setattr("metrologue.comparison.running.absent._is_here", lambda need: False)
    monkeypatch.setattr("metrologue.comparison.harness.answer", late)
    told = run("compare", "--metric", "meteor", *files, "--library", "nltk", status=2).stderr.splitlines()
    users = "meteor:nltk, meteor:nltk-3.6.2, meteor:evaluate"
    assert any(f"not here: wordnet, for {users}; apt install wordnet-base" in line for line in told)
    assert told[-2].startswith("To install: apt install -y ")
    assert told[-1] == "Error: the work has begun"


@pytest.fixture
def few_metrics(monkeypatch):
    """ "all" means two metrics: all of them take a minute."""
    monkeypatch.setattr("metrologue.comparison.which.fitting.list_scorers", lambda: ["bleu", "dice"])


def test_compare_several_metrics(sample, files, nltk_only, tmp_path):
    """One matrix of all systems, in one unit, in every format."""
    options = ["-p", sample["amber"], "-p", sample["birch"], *files[2:], "--metric", "bleu", "--metric", "google_bleu"]
    data = json.loads(run("compare", *options, "--format", "json").stdout)
    assert data["systems"] == ["amber.txt", "birch.txt"]
    rows = {(row["metric"], row["name"]): row for row in data["matrix"]}
    arrays, references = read_segments([sample["amber"], sample["birch"]], files[3::2])
    for metric, name in (("bleu", "nltk"), ("bleu", "sacrebleu"), ("google_bleu", "nltk")):
        scorer = get_scorer(metric).variant(name)
        row = rows[metric, name]
        assert row["unit"] == "points from 0 to 100"
        for system, texts in zip(data["systems"], arrays, strict=True):
            assert row["points"][system] == pytest.approx(100 * scorer.corpus(texts, references).value / scorer.scale)
    assert rows["bleu", "nltk"]["ranks"] == {"amber.txt": 2, "birch.txt": 1}
    output = run("compare", *options, "--markdown", "--out", str(tmp_path / "page.html")).stdout
    assert output.count("| metric | column | amber.txt | birch.txt |") == 1
    assert "Points from 0 to 100." in output
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.count('class="glance"') == 1
    assert 'href="#google_bleu"' in page


def test_compare_all_metrics(files, nltk_only, few_metrics):
    data = json.loads(run("compare", *files, "--metric", "all", "--json").stdout)
    assert [part["metric"] for part in data["comparisons"]] == ["bleu", "dice"]
    assert "no metric is called 'blue'" in run("compare", *files, "--metric", "blue", status=2).stderr


def test_bad_input_is_refused_before_the_work(files, write, monkeypatch):
    monkeypatch.setattr("metrologue.comparison.harness.answer", lambda *given: pytest.fail("the work has begun"))
    for options, message in (
        (["--library", "nktl"], "no adapter is called 'nktl'"),
        (["--library", "nltk", "--library", "nltk"], "the library 'nltk' is named twice"),
        (["--library", "jiwer"], "jiwer has no bleu; it has cer, "),
        (["--library", "nltk", "--no-live"], "contradict each other"),
        (["--metric", "log_loss_hashed"], "log_loss_hashed does not fit these texts: "),
        (["-p", write("short.txt", b"one\n")], "short.txt"),
    ):
        assert message in run("compare", *files, *options, status=2).stderr


def test_sentences_are_no_labels(files, nltk_only, monkeypatch):
    """ "all" leaves metrics of labels out, and one that is named has a warning."""
    for module in ("metrologue.scorers", "metrologue.comparison.which.fitting"):
        monkeypatch.setattr(f"{module}.list_scorers", lambda: ["accuracy", "dice"])
    found = run("compare", *files, "--metric", "all", "--no-live", "--json")
    assert json.loads(found.stdout)["metric"] == "dice"
    assert "\nLeft out, because they do not fit these files: accuracy." in found.stderr
    found = run("compare", *files[:4], "--metric", "accuracy", "--no-live", "--json")
    assert "\nWarning: accuracy: each line counts as one label, but these lines are sentences." in found.stderr


INTERRUPTED = """
import signal, sys
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background has it ignored
sys.path.insert(0, {helpers!r})
import fake_libraries
from metrologue.comparison import harness
from metrologue.__main__ import run
harness.get_library = lambda name: fake_libraries.Hanging(Path({folder!r}))
run()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("form", ["text", "json"])
def test_an_interrupt_ends_with_what_was_found(form, files, root, tmp_path):
    """Our numbers are there while a library hangs. A signal ends the library, and what was found is kept."""
    code = INTERRUPTED.format(helpers=str(root / "tests" / "helpers"), folder=str(tmp_path))
    options = ["compare", *files, "--library", "nltk", "--variant", "nltk", "--format", form]
    command = [sys.executable, "-c", code, *options, "--out", str(tmp_path / "page.html")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        until((tmp_path / "processes").exists, process)
        process.send_signal(signal.SIGINT)
        output, message = process.communicate(timeout=60)
    assert process.returncode == 130, message
    assert b"Warning: interrupted; these are the numbers so far." in message
    assert "was not run to its end" in (tmp_path / "page.html").read_text("utf-8")
    if form == "text":
        assert output.startswith(b"bleu: 1 system")
    else:
        library, variant = json.loads(output)["numbers"]
        assert (library["missing"], variant["missing"]) == ("was not run to its end", None)


def test_documents(nltk_only, tmp_path):
    printed = json.loads(run("documents", "--json").stdout)
    assert [result["case"]["id"] for result in printed] == [case.id for case in nltk_only]
    text = run("documents").stdout
    assert all(f"{result['case']['id']}, nltk" in text for result in printed)
    output = run("documents", "--markdown", "--out", str(tmp_path / "report.html")).stdout
    rows = [line.strip("| ").split(" | ") for line in output.splitlines() if line.startswith("|")]
    for result in printed:
        case = f"{result['case']['document']['code']} {result['case']['id']}, nltk {result['version']}"
        for figure in result["figures"]:
            numbers = [figure["published"], figure["library"], figure["variant"]]
            shown = ["-" if number is None else repr(number) for number in numbers]
            assert [case, figure["name"], *shown, figure["verdict"]] in rows
            assert f"- {figure['verdict']}: " in output
    assert nltk_only[0].id in (tmp_path / "report.html").read_text("utf-8")


@pytest.mark.parametrize("command", [["documents"], ["report", "--out"]])
def test_a_mismatch_is_the_exit_status(command, nltk_only, few_metrics, tmp_path):
    if command[-1] == "--out":
        command = [*command, str(tmp_path / "report.html")]
    case = next(case for case in nltk_only if case.id == "bleu-clip")
    nltk_only[:] = [case]
    run(*command)
    nltk_only[:] = [replace(case, figures=(replace(case.figures[0], published=0.5),))]
    run(*command, status=1)


def test_report_of_the_sample_and_of_own_files(nltk_only, few_metrics, files, tmp_path):
    path = tmp_path / "report.html"
    run("report", "--out", str(path))
    page = path.read_text("utf-8")
    assert "A, B and C are invented." in page
    assert "amber" not in page
    assert 'id="bleu-clip"' in page
    assert all(f'id="{metric}"' in page for metric in ("bleu", "dice"))


def test_report_of_own_files_is_about_these_files_only(nltk_only, files, tmp_path):
    """The usual metrics; no documents; the same page as that of ``compare --out``, apart from the command."""
    path = tmp_path / "report.html"
    run("report", *files, "--out", str(path))
    page = path.read_text("utf-8")
    assert all(f'id="{metric}"' in page for metric in ("bleu", "rouge", "chrf"))
    assert 'id="accuracy"' not in page
    assert "invented" not in page
    assert "bleu-clip" not in page
    run("report", *files, "--metric", "bleu", "--out", str(path))
    page = path.read_text("utf-8")
    assert 'id="rouge"' not in page
    run("compare", *files, "--out", str(path))
    command = re.compile(r"with <code>.*?</code>")
    assert command.sub("", path.read_text("utf-8")) == command.sub("", page)


def test_report_refuses_before_any_work(files, write, monkeypatch):
    for work in ("harness.answer", "documents.run_cases"):
        monkeypatch.setattr(f"metrologue.comparison.{work}", lambda *_, **__: pytest.fail("it comes too late"))
    short = write("short.txt", b"one\ntwo\n")
    assert "short.txt has 2 lines" in run("report", "-p", short, *files[2:4], status=2).stderr
    assert "no metric is called 'blue'" in run("report", *files, "--metric", "blue", status=2).stderr
    assert "needs references" in run("report", *files[:2], status=2).stderr
    assert "give both -p and -r" in run("report", *files[2:4], status=2).stderr
    hashed = run("report", *files, "--metric", "perplexity_hashed", status=2).stderr
    assert "perplexity_hashed does not fit" in hashed


def test_report_of_labels_compares_labels(write, nltk_only, tmp_path):
    """A metric of labels that is named for sentences is computed, with a warning."""
    gold, found = write("gold.txt", b"yes\nno\nyes\nno\n"), write("found.txt", b"yes\nyes\nyes\nno\n")
    run("report", "-p", found, "-r", gold, "--metric", "accuracy", "--out", str(tmp_path / "page.html"))
    assert 'id="accuracy"' in (tmp_path / "page.html").read_text("utf-8")


def test_a_missing_schema_checker_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    assert f"jsonschema: {pip_install('compare')}" in run("documents", status=2).stderr


def test_list(monkeypatch):
    # Tokenizers that other tests register have names as long as a line.
    monkeypatch.setattr("metrologue.text.tokenizers.registry._registered", {})
    monkeypatch.setattr("metrologue.text.tokenizers.registry._full_names", {})
    tasks = run("list").stdout
    assert len(tasks.splitlines()) <= 24
    assert max(map(len, tasks.splitlines()[:-1])) <= 80
    assert {*list_scorers()} <= {*tasks.split()}
    assert "--all lists all metrics" in run("list", "--all", "bleu", status=2).stderr
    output = run("list", "--all").stdout
    for name, variant in Bleu.variants().items():
        assert name in output
        assert f"{variant.library} {variant.version}" in output
    assert "metrologue 0." not in output  # our own definitions have the version of the package
    assert all(name in output for name in list_tokenizers())
    assert max(map(len, output.splitlines())) <= 100
    ready, research = output.split("\nResearch: ")
    assert ready.startswith("These need nothing:\n\nmetric ")
    assert "\nThese need an encoder:\n\nmetric " in ready
    names = [name for name in list_metrics() if reached_of(name)]
    assert names
    for name in names:
        assert f"\n{name}  " in research
        assert f"\n{name}  " not in ready
        assert reached_of(name).partition(" ")[0] in research.split(f"\n{name} needs ")[1]
        assert f"{name}: It needs " in run("list", name).stdout


def test_list_of_a_metric_has_its_fields():
    output = run("list", "bleu", "ter").stdout
    assert re.search(r"^empty +zero +zero, error +empty text *$", output, re.MULTILINE)
    assert re.search(r"^max_order +4 +1 to 100 +orders and weights *$", output, re.MULTILINE)
    for kind in (Bleu, Ter):
        assert all(re.search(rf"^{name} ", output, re.MULTILINE) for name in options_of(kind))
    assert "rouge_score" not in output
    assert "did you mean 'bleu'" in run("list", "blue", status=2).stderr


@pytest.mark.parametrize("name", list_scorers())
def test_each_name_of_a_metric_lists_the_metric(name: str) -> None:
    """Also if a tokenizer has the name: the metric comes first."""
    output = run("list", name).stdout
    assert output.startswith("metric ")
    kind = get_scorer(name)
    assert all(re.search(rf"^{re.escape(name)} +{re.escape(variant)} ", output, re.M) for variant in kind.variants())
    assert f"The numbers of {name}:" in output


def test_tokenizers_and_settings_by_their_names() -> None:
    assert "rouge: " in run("list", "rouge").stdout.partition("The numbers of rouge:")[2]
    assert "rouge_score" in run("list", "rouge:rouge_score").stdout
    output = run("list", "tokenizers").stdout
    assert all(name in output for name in list_tokenizers())
    message = run("score", "spbleu", "-p", __file__, "-r", __file__, status=2).stderr  # its model is not here
    assert "tokenizer 'flores200'" in " ".join(message.split())


def test_list_of_a_tokenizer_shows_what_it_makes_of_three_sentences():
    output = run("list", "13a", "whitespace").stdout
    assert "separates ASCII punctuation" in output
    assert "fact | , | she" in output
    assert "fact, | she" in output
    assert output.count("(1)") == 2  # Chinese is one token for both
    assert "tercom:normalized=true: " in run("list", "tercom:normalized=true").stdout


def test_every_tokenizer_says_what_it_does():
    for name in list_tokenizers(registered=False):
        assert meaning_of_tokenizer(name), name
    assert meaning_of_tokenizer("none") == meaning_of_tokenizer("whitespace")
    assert meaning_of_tokenizer("unknown") == ""


def test_explain_says_what_tokenizers_do_with_an_example(write):
    files = [
        "-p",
        write("p", b"a cat, a dog and a bird sat\n"),
        "-r",
        write("r", b"a cat, a dog and a bird sat, too\n"),
    ]
    output = run("explain", "bleu", "nltk", "sacrebleu", *files).stdout
    assert "13a: separates ASCII punctuation" in output
    assert "whitespace: words between whitespace" in output
    assert "nltk reads one token `sat,` where sacrebleu reads 2 tokens `sat` `,`" in output
    assert "reads" not in run("explain", "bleu", "sacrebleu", "evaluate", *files).stdout


def test_list_of_a_signature_says_what_it_means():
    for name in ("bleu:nltk", Bleu.variant("nltk").signature):
        output = run("list", name).stdout
        version = Bleu.variants()["nltk"].version
        assert output.startswith(f"bleu (nltk, nltk {version}):\n")
        assert re.search(r"^smoothing +tiny +", output, re.MULTILINE)
        assert re.search(r"^lowercase +false +Whether to apply str.lower\(\) first. *$", output, re.MULTILINE)
        assert "sacrebleu-sentence" not in output
    output = run("list", "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0", "ter").stdout
    assert output.startswith("bleu (no listed variant):\n")
    assert re.search(r"^ter +sacrebleu ", output, re.MULTILINE)
    assert "no variant is called 'x'" in run("list", "bleu:x", status=2).stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc that tells the peak of a process")
def test_memory_does_not_grow_with_the_file(tmp_path):
    """Two millions of lines need about as much as four hundred thousand, which are more than one chunk already."""
    code = (
        "import re, sys\nfrom metrologue.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        # Not getrusage: its peak is that of the process which started this one, where that was the larger.
        "print(re.search(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read())[1])"
    )
    line = b"one line of a long file, of about as many bytes as lines have\n"
    peaks = []
    for lines in (400_000, 2_000_000):
        path = tmp_path / f"{lines}.txt"
        path.write_bytes(line * lines)
        command = [sys.executable, "-c", code, "score", "bleu", "-p", str(path), "-r", str(path)]
        peaks.append(int(subprocess.run(command, capture_output=True, check=True).stdout.split()[-1]))
    assert 1024 * (peaks[1] - peaks[0]) < 1_600_000 * len(line)


GUIDE = "It is a guide to action which ensures that the military always obeys the commands of the party"
HEED = "It is a guide to action that ensures that the military will forever heed Party commands"


@pytest.mark.usefixtures("lexical_data")
def test_meteor_has_every_command(write, monkeypatch):
    files = ["-p", write("hyp.txt", f"{GUIDE}\n".encode()), "-r", write("ref.txt", f"{HEED}\n".encode())]
    for variant, value in (("nltk", "0.6944"), ("evaluate", "0.6944"), ("pycocoevalcap", "0.4474")):
        assert run("score", "meteor", "--variant", variant, *files).stdout.split()[3] == value
    settings = ["--set=alpha=0.9", "--set=beta=3", "--set=gamma=0.5", "--set=delta=0.7", "--set=weights=[1,1,0.6,0.8]"]
    score = run("score", "meteor", "--variant", "meteor-1.5", *settings, *files)
    assert score.stdout.split()[3] == "0.7647"
    explanation = json.loads(run("explain", "meteor", "nltk", "meteor-1.5", *files, "--json").stdout)
    choices = {part["choice"] for part in explanation["contributions"]}
    assert choices >= {"parameters", "stages and aligner", "function words", "tokenizer"}
    assert "paraphrase" in run("trace", "meteor", *files, "--segment", "1").stdout
    for module in ("harness", "libraries"):
        monkeypatch.setattr(
            f"metrologue.comparison.{module}.adapters", lambda metric, with_model: [get_library("nltk")]
        )
    compared = run("compare", "--metric", "meteor", *files, "--json").stdout
    values = {number["name"]: number["value"] for number in json.loads(compared)["numbers"]}
    assert values["nltk"] == pytest.approx(values["evaluate"], rel=1e-12)
    assert len(values) == len(get_scorer("meteor").variants())


def test_absent_lexical_data_are_told_in_one_line(write, monkeypatch, tmp_path):
    monkeypatch.setenv("METEOR_JAR", str(tmp_path / "none.jar"))
    path = write("texts.txt", b"a cat\n")
    output = run("score", "meteor", "--variant", "meteor-1.5", "-p", path, "-r", path, status=2).stderr
    assert len(output.splitlines()) == 1
    assert "pip install pycocoevalcap" in output


class TestWarmup:
    def test_a_second_time_nothing_is_made(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        command = [sys.executable, "-m", "metrologue", "warmup", "edit_distance"]
        environment = {**os.environ, "METROLOGUE_CACHE": str(tmp_path)}
        first = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
        second = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert (second.stdout, second.stderr) == (first.stdout, "")
        count = len(get_scorer("edit_distance").variants())
        assert f"{count} of {count} variants are ready; the cache is {tmp_path}\n" == first.stdout
        assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == files

    def test_where_nothing_can_be_kept_it_fails(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        done = subprocess.run(
            [sys.executable, "-m", "metrologue", "warmup", "edit_distance"],
            env={**os.environ, "METROLOGUE_CACHE": str(tmp_path / "file" / "cache")},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2
        assert "nothing can be written to the cache" in done.stderr.splitlines()[-1]

    def test_an_unknown_metric_is_refused(self) -> None:
        result = CliRunner().invoke(main, ["warmup", "blue"])
        assert result.exit_code == 2
        assert "no metric is called 'blue'" in result.stderr


def test_help_fits_a_screen_and_all_of_it_is_in_groups():
    for command in ("score", "compare", "meta", "trace", "explain"):
        short, whole = run(command, "--help").stdout, run(command, "--help-all").stdout
        assert len(short.splitlines()) <= 30
        assert "--help-all" in short
        assert "\nInput:\n" in whole
        visible = [each for each in main.commands[command].params if isinstance(each, click.Option) and not each.hidden]
        assert all(each.opts[0] in whole for each in visible)


def test_each_option_of_long_commands_has_a_group():
    grouped = [name for names in GROUPS.values() for name in names]
    assert len(grouped) == len(set(grouped))
    for command in ("score", "compare", "report", "meta", "trace", "explain", "train"):
        params = main.commands[command].params
        names = {each.name for each in params if isinstance(each, click.Option) and not each.hidden}
        assert names - {*grouped} <= {"help_all"}


@pytest.mark.parametrize("words", [["chrf"], ["-m", "chrf"], ["--metric", "chrf"], ["--metrics", "chrf"]])
def test_a_metric_is_a_word_or_an_option(words, files, tmp_path):
    (tmp_path / "nbest.jsonl").write_text('["a b", "a c", "a"]\n')
    assert "chrf" in run("score", *words, *files).stdout
    assert "chrf" in run("compare", *words, *files, "--no-live").stdout
    assert run("mbr", *words, "--candidates", str(tmp_path / "nbest.jsonl")).stdout == "a\n"


def test_scores_of_a_file_count_segments_from_1_or_as_python_does(files, texts, tmp_path):
    count = len(texts[0])
    tables = []
    for start in (0, 1):
        rows = "".join(f"amber.txt\t{start + i}\t{i}\n" for i in range(count))
        (tmp_path / "scores.tsv").write_text(f"system\tsegment\tours\n{rows}")
        shown = run("compare", *files, "--no-live", "--scores", str(tmp_path / "scores.tsv"))
        assert "rows are for other" not in shown.stderr
        tables.append(shown.stdout)
    assert tables[0] == tables[1]
