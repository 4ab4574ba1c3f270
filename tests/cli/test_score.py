"""``metrologue score``: several metrics and systems in one table, in every format, under sacrebleu's options."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import metrologue
from metrologue.cli import main
from metrologue.cli.tables import Table, print_table
from metrologue.files.parts import read_segments
from metrologue.scorers import Bleu, Chrf, NistMt, Rouge, Scorer, Ter, get_scorer, list_scorers
from metrologue.scorers.core.citing import bibtex
from metrologue.scorers.core.numbers import headings
from metrologue.scorers.core.variants import short_signature

METRICS = {"bleu": Bleu(), "chrf": Chrf(), "ter": Ter(), "rouge": Rouge()}
SIGNATURE = "nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0"


@pytest.fixture(scope="module")
def sample(root: Path) -> Path:
    return root / "comparison" / "sample"


@pytest.fixture(scope="module")
def files(sample: Path) -> list[str]:
    names = {"-p": ["amber", "birch"], "-r": ["reference_1", "reference_2"]}
    return [part for option, paths in names.items() for path in paths for part in (option, f"{sample}/{path}.txt")]


@pytest.fixture(scope="module")
def texts(files: list[str]) -> tuple[list[Any], Any]:
    return read_segments(files[1:4:2], files[5::2])


def run(*arguments: str, status: int = 0) -> Any:
    result = CliRunner().invoke(main, ["score", *arguments])
    assert result.exit_code == status, result.output
    return result


def test_metrics_and_systems_are_one_table(files: list[str], texts: tuple[list[Any], Any]) -> None:
    header, *rows = run(*METRICS, *files, "-w", "2").stdout.splitlines()[:3]
    assert re.split(r"  +", header) == [
        "system", "bleu", "chrf", "ter", "rouge1", "rouge2", "rougeL", "rougeLsum",
    ]  # fmt: skip
    for row, name, system in zip(rows, ["amber.txt", "birch.txt"], texts[0], strict=True):
        bleu, chrf, ter, rouge = (scorer.corpus(system, texts[1]).scores for scorer in METRICS.values())
        assert row.split() == [
            name,
            f"{bleu['bleu']:.2f}",
            f"{chrf['chrf']:.2f}",
            f"{ter['ter']:.2f}",
            *(f"{rouge[f'{kind}_fmeasure']:.2f}" for kind in Rouge().types),
        ]


@pytest.mark.parametrize("arguments", [["bleu"], ["bleu", "ter", "--details"]])
def test_details_are_for_one_metric_or_asked_for(
    arguments: list[str], files: list[str], texts: tuple[list[Any], Any]
) -> None:
    header, row, *_ = run(*arguments, *files, "-w", "2").stdout.splitlines()
    found = dict(zip(re.split(r"  +", header), row.split(), strict=True))
    bleu = Bleu().corpus(texts[0][0], texts[1]).scores
    assert found["precisions"] == "/".join(f"{bleu[f'precision_{n}']:.2f}" for n in (1, 2, 3, 4))
    assert found["brevity penalty"] == f"{bleu['brevity_penalty']:.2f}"


def test_json_of_several_metrics_is_a_list(files: list[str], texts: tuple[list[Any], Any]) -> None:
    found = json.loads(run(*METRICS, *files, "--format", "json").stdout)
    for each, (name, scorer) in zip(found, METRICS.items(), strict=True):
        assert each["metric"] == name
        assert Scorer.from_signature(each["signature"]) == Scorer.from_signature(each["short_signature"]) == scorer
        for system, predictions in zip(each["systems"], texts[0], strict=True):
            assert system["scores"] == scorer.corpus(predictions, texts[1]).scores
    [alone, *_] = found
    assert json.loads(run("bleu", *files, "--json").stdout) == alone
    assert json.loads(run("bleu", *files, "--json", "-w", "1").stdout)["systems"][0]["value"] == round(
        alone["systems"][0]["value"], 1
    )


def test_tsv_holds_every_number_in_full(files: list[str], texts: tuple[list[Any], Any]) -> None:
    rows = list(csv.DictReader(io.StringIO(run("bleu", "ter", *files, "--format", "tsv").stdout), delimiter="\t"))
    for row, system in zip(rows, texts[0], strict=True):
        scores = Bleu().corpus(system, texts[1]).scores
        assert float(row["precision_3"]) == scores["precision_3"]
        assert float(row["ter"]) == Ter().corpus(system, texts[1]).value


def test_markdown_and_latex_have_the_same_cells(files: list[str]) -> None:
    text, markdown, latex = (
        run("bleu", "ter", *files, "--format", each).stdout.splitlines() for each in ("text", "markdown", "latex")
    )
    cells = [re.split(r"  +", line.strip()) for line in text[:3]]
    bare = [[cell.strip(" *") for cell in line.strip("| ").split("|")] for line in markdown if line.startswith("|")]
    assert [bare[0], *bare[2:]] == cells
    rows = [line.removesuffix(r" \\").split(" & ") for line in latex if " & " in line]
    assert rows[0] == ["system", r"BLEU $\uparrow$", r"TER $\downarrow$"]
    plain = [[re.sub(r"\\textbf\{(.*)\}", r"\1", cell) for cell in row] for row in rows[1:]]
    assert plain == [[name.removesuffix(".txt"), *(f"{float(each):.1f}" for each in rest)] for name, *rest in cells[1:]]
    assert markdown[2].count("**") == 2  # the better BLEU here, the better TER there
    assert r"\begin{tabular}{lrr}" in latex


def test_text_ends_with_the_short_signatures_and_other_formats_carry_them(files: list[str]) -> None:
    scorers = [Bleu.variant("nltk"), Ter()]
    short, full = [*map(short_signature, scorers)], [each.signature for each in scorers]
    names = ["bleu:nltk", "ter"]
    assert run(*names, *files).stdout.splitlines()[-2:] == short
    assert run(*names, *files, "--signature", "full").stdout.splitlines()[-2:] == full
    markdown = run(*names, *files, "--format", "markdown").stdout.splitlines()
    assert markdown[-2:] == [f"<!-- {each} -->" for each in full]
    assert markdown[5].replace("\\", "") == f"bleu: {short[0]}; ter: {short[1]}."
    latex = run(*names, *files, "--format", "latex").stdout.splitlines()
    assert latex[:3] == [*(f"% {each}" for each in full), r"\begin{table}"]
    for row in csv.DictReader(io.StringIO(run(*names, *files, "--format", "tsv").stdout), delimiter="\t"):
        assert [row[f"{each.name}.signature"] for each in scorers] == full
    [row, *_] = csv.DictReader(io.StringIO(run("ter", *files, "--format", "tsv").stdout), delimiter="\t")
    assert row["signature"] == full[1]


def test_latex_is_ready_for_a_paper(files: list[str]) -> None:
    printed = run("bleu", "ter", *files, "--paired-bs", "-pbsn", "100", "--format", "latex").stdout
    lines = [line for line in printed.splitlines() if not line.startswith("%")]
    marks = [
        r"\begin{table}",
        r"\centering",
        r"\toprule",
        r"\midrule",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    assert [line for line in lines if line in marks] == marks
    assert re.search(r"amber & \\textbf\{77.3\} \$\\pm\$ [0-9.]+\$\^\{\\mathrm\{a\}\}\$ & 45.3 ", printed)
    caption = next(line for line in lines if line.startswith(r"\caption{"))
    bare = caption.replace(r"\textbar\allowbreak{}", "|")
    assert "BLEU: nrefs:2|" in bare
    assert "TER: nrefs:2|" in bare
    assert "Bold: the best system and all that do not differ significantly from it." in bare
    assert lines.index(caption) == len(lines) - 2


def test_an_explanation_is_ready_for_a_paper(files: list[str]) -> None:
    called = CliRunner().invoke(main, ["explain", "bleu", "nltk", "torchmetrics", *files[2:], "--format", "latex"])
    lines = called.stdout.splitlines()
    assert called.exit_code == 0
    assert lines[:2] == [f"% {Bleu.variant(each).signature}" for each in ("nltk", "torchmetrics")]
    caption = next(line for line in lines if line.startswith(r"\caption{"))
    bare = caption.replace(r"\textbar\allowbreak{}", "|").replace(r"\_", "_")
    assert bare.startswith(
        r"\caption{Shares of the choices in the gap between nltk and torchmetrics of bleu: Shapley values, exact;"
    )
    assert all(short_signature(Bleu.variant(each)) in bare for each in ("nltk", "torchmetrics"))
    assert lines.index(caption) == len(lines) - 2
    assert "no effect here" not in called.stdout


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles_without_a_warning(files: list[str], tmp_path: Path) -> None:
    tables = [
        run("bleu", "chrf", "ter", *files, "--paired-bs", "-pbsn", "50", "--format", "latex").stdout,
        run("ter", *files, "--format", "latex", "--signature", "full", "--confidence", "-cin", "50").stdout,
        *(
            CliRunner().invoke(main, ["explain", *each, *files[2:], "--format", "latex"]).stdout
            for each in (("bleu", "nltk", "sacrebleu"), ("rouge", "rouge", "rouge_score"))
        ),
    ]
    assert all("\\caption" in table for table in tables)
    start = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
    (tmp_path / "paper.tex").write_text("\n".join([start, *tables, "\\end{document}\n"]), "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert not re.findall(r"^(?:!|Overfull|LaTeX Warning: (?!Label)).*", done.stdout, re.MULTILINE), done.stdout


def test_a_name_is_what_it_is_in_latex(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(Table(["a_b", "50%"], [["x\\y~&#", "1"]]), "latex")
    printed = capsys.readouterr().out.splitlines()
    assert printed[2] == r"a\_b & 50\% \\"
    assert printed[4] == r"x\textbackslash{}y\textasciitilde{}\&\# & 1 \\"


def test_the_score_alone(files: list[str], texts: tuple[list[Any], Any]) -> None:
    expected = [[f"{s.corpus(p, texts[1]).value:.1f}" for s in (Bleu(), Chrf())] for p in texts[0]]
    assert [line.split("\t") for line in run("bleu", "chrf", *files, "-b", "-w", "1").stdout.splitlines()] == expected


def test_sacrebleus_options(files: list[str]) -> None:
    def made(*options: str) -> Scorer:
        return Scorer.from_signature(json.loads(run("bleu", *files, "--json", *options).stdout)["signature"])

    assert made("-tok", "intl", "-lc") == Bleu(tokenizer="intl", lowercase=True)
    assert made("-l", "en-zh") == Bleu(tokenizer="zh")
    assert made("-l", "zh-en") == Bleu()
    assert made("--variant", SIGNATURE) == Bleu(tokenizer="intl", lowercase=True)
    warned = run("bleu", *files, "-l", "en-zh", "-tok", "13a")
    assert "the tokenizer 'zh' is the usual one" in warned.stderr
    assert "not a pair of languages" in run("bleu", *files, "-l", "de", status=2).stderr
    assert "-lc is for BLEU, and ter is not" in run("ter", *files, "-lc", status=2).stderr


def test_a_metric_with_its_variant(files: list[str], texts: tuple[list[Any], Any]) -> None:
    names = ["bleu:nltk", "bleu", SIGNATURE, "chrf:chrf++"]
    header, row, *_ = run(*names, *files, "--format", "tsv").stdout.splitlines()
    found = dict(zip(header.split("\t"), row.split("\t"), strict=True))
    for key, scorer in {
        "bleu:nltk.bleu": Bleu.variant("nltk"),
        "bleu:sacrebleu.bleu": Bleu(),
        "bleu:sacrebleu[tokenizer=intl,lowercase=true].bleu": Bleu(tokenizer="intl", lowercase=True),
        "chrf": Chrf.variant("chrf++"),
    }.items():
        assert float(found[key]) == scorer.corpus(texts[0][0], texts[1]).value


def test_settings_go_to_the_metrics_that_have_the_field(files: list[str]) -> None:
    options = ["--set", "lowercase=true", "--set", "bleu.max_order=2", "--json"]
    found = json.loads(run("bleu", "chrf", "ter", *files, *options).stdout)
    scorers = [Scorer.from_signature(each["signature"]) for each in found]
    assert scorers == [Bleu(lowercase=True, max_order=2), Chrf(lowercase=True), Ter()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bleu", "ter", "--set", "beam_width=2"], "none of bleu, ter has a field 'beam_width'"),
        (["bleu", "--set", "ter.beam=2"], "'ter' is not one of the metrics bleu"),
        (["bleu", "bleu:sacrebleu"], "given twice"),
        (["bleu", "ter", "--variant", SIGNATURE], "a signature belongs to one metric"),
        (["ter", "--variant", SIGNATURE], "the signature belongs to 'bleu', but the metric is 'ter'"),
        (["bleu", "chrf", "--per-segment"], "one metric"),
        (["bleu", "--per-segment", "--format", "tsv"], "choose one"),
    ],
)
def test_what_does_not_go_together_is_refused(files: list[str], arguments: list[str], message: str) -> None:
    assert message in run(*arguments, *files, status=2).stderr


def test_a_metric_that_looks_at_all_references_first(files: list[str], texts: tuple[list[Any], Any]) -> None:
    """Its weights are those of the whole file, not of a part that is read at once."""
    nist = NistMt()
    expected = [nist.corpus(system, texts[1]).value for system in texts[0]]
    found = json.loads(run("nist_mt", "bleu", *files, "--json").stdout)
    assert [system["value"] for system in found[0]["systems"]] == expected
    assert [system["value"] for system in found[1]["systems"]] == [Bleu().corpus(p, texts[1]).value for p in texts[0]]
    rows = list(csv.DictReader(io.StringIO(run("nist_mt", *files, "--per-segment").stdout), delimiter="\t"))
    assert [float(row["nist_mt"]) for row in rows[::2]] == nist.segments(texts[0][0], texts[1]).tolist()


def test_how_to_report() -> None:
    printed = run("bleu", "ter", "--cite").stdout
    assert printed.startswith("We report bleu as sacrebleu 2.6.0 computes it (bleu|variant=sacrebleu|")
    keys = re.findall(r"^@\w+\{(.+),$", printed, re.MULTILINE)
    assert keys == ["papineni-etal-2002-bleu", "post-2018-call", "snover-etal-2006-study", "metrologue"]
    assert "with fields of our own" in run("bleu", "--set", "max_order=2", "--cite").stdout


def test_the_sentence_for_a_paper_has_the_number(files: list[str]) -> None:
    sentence = run("bleu", *files, "--confidence", "--cite").stdout.partition("\n\n")[2].splitlines()[0]
    found = re.fullmatch(
        r"BLEU ([\d.]+ ± [\d.]+) for amber.txt, [\d.]+ ± [\d.]+ for birch.txt "
        r"\(95% interval, bootstrap, 1000 resamples\), "
        r"as sacrebleu 2.6.0 computes it \(bleu\|variant=sacrebleu\|.*\), on \d+ segments\.",
        sentence,
    )
    assert found is not None
    assert f"  {found[1]} " in run("bleu", *files, "--confidence").stdout


def test_the_number_to_report_is_told(tmp_path: Path) -> None:
    said, right = tmp_path / "said", tmp_path / "right"
    said.write_text("the cat sat on the mat\na dog ran\n", "utf-8")
    right.write_text("the cat sat on a mat\na dog was running\n", "utf-8")
    files = ["-p", str(said), "-r", str(right)]
    told = run("rouge", "bleu", *files).stderr
    value = metrologue.score("rouge:rouge-1.5.5", *([*each.read_text().splitlines()] for each in (said, right)))
    assert told.startswith(f"to report: rouge:rouge-1.5.5 rouge1 {value.scores['rouge1_fmeasure']:.4f}, rouge2 ")
    assert len(told.splitlines()) == 1  # BLEU's default is what to report
    advised = metrologue.score("sari:easse", [said.read_text().splitlines()[0]], [right.read_text().splitlines()[0]],
        sources=[right.read_text().splitlines()[0]])  # fmt: skip
    for each in (said, right):
        each.write_text(each.read_text().splitlines()[0] + "\n", "utf-8")
    assert run("sari", *files, "-s", str(right)).stderr == f"to report: sari:easse {advised.value:.4f}\n"
    for arguments in (
        ["rouge:rouge_score"],
        ["rouge", "--set", "types=[rouge1]"],
        ["rouge", "--format", "json"],
        ["rouge", "-b"],
    ):
        shown = run(*arguments, *files).stderr
        assert ("to report" in shown) is (arguments == ["rouge:rouge_score"])


def test_nothing_is_advised_that_does_not_read_the_texts(tmp_path: Path) -> None:
    path = tmp_path / "said"
    path.write_text("мама мыла раму\n", "utf-8")
    assert "to report" not in run("rouge", "-p", str(path), "-r", str(path)).stderr


@pytest.mark.parametrize("arguments", [["--format", "tsv"], ["--format", "json"], ["-b"]])
def test_prose_is_not_part_of_what_programs_read(arguments: list[str], files: list[str]) -> None:
    result = run("bleu", *files, *arguments, "--cite")
    assert result.stdout == run("bleu", *files, *arguments).stdout
    assert "as sacrebleu 2.6.0 computes it (bleu|variant=sacrebleu" in result.stderr


@pytest.mark.parametrize("output_format", ["json", "latex", "markdown"])
def test_bare_scores_have_no_format(output_format: str, files: list[str]) -> None:
    told = f"-b prints bare scores, which are no {output_format}"
    assert told in run("bleu", *files, "-b", "--format", output_format, status=2).stderr


def _has_no_direction(metric: str) -> bool:
    scorer = get_scorer(metric)()
    return scorer.primary not in scorer.higher_is_better


@pytest.mark.parametrize("metric", [*filter(_has_no_direction, list_scorers())])
def test_a_number_without_a_direction_has_a_table(metric: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a cat sat\na dog\n" * 2, "utf-8")
    (tmp_path / "b").write_text("a cat\na big dog ran\n" * 2, "utf-8")
    own = ["-p", str(tmp_path / "a"), "-p", str(tmp_path / "b")]
    for more in (["--format", "latex"], ["--format", "markdown"], ["--confidence"], ["--paired-ar"], ["--details"]):
        assert not re.search(r"\\textbf|\*\*|Bold", run(metric, *own, *more).stdout)
    assert metric in run("bleu", metric, *own, "-r", str(tmp_path / "a")).stdout
    told = run(metric, *own[:2], "--worst", "2", status=2).stderr
    assert f"{metric} is a measurement: no value of {metric} is better" in told


def test_wrong_settings_are_told_before_the_model_is_read(files: list[str]) -> None:
    """Which is not there: it would be the fault that is told."""
    for setting, told in (("oov=1e400", "--set oov is '1e400'; include or"), ("bogus=1", "unknown field 'bogus'")):
        arguments = ["perplexity", "--model", "none.arpa", "--set", setting, *files[:2]]
        assert told in run(*arguments, status=2).stderr
    assert "none.arpa" in run("perplexity", "--model", "none.arpa", *files[:2], status=2).stderr


def test_there_is_no_score_without_predictions() -> None:
    assert "Missing option '-p'" in run("bleu", status=2).stderr


@pytest.mark.parametrize("name", list_scorers())
def test_every_metric_has_a_paper(name: str) -> None:
    assert len(bibtex([get_scorer(name)()])) >= 2


@pytest.mark.parametrize("name", list_scorers())
def test_a_table_shows_numbers_that_are_there(name: str) -> None:
    scorer = get_scorer(name)()
    shown = [key for keys in headings(scorer).values() for key in keys]
    assert scorer.primary in shown
    assert {*shown} <= {*scorer.range}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_the_best_score_stands_out_on_a_terminal(files: list[str]) -> None:
    terminal, process_side = os.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "NO_COLOR": ""}
    command = [sys.executable, "-m", "metrologue", "score", "bleu", *files]
    subprocess.run(command, stdout=process_side, stderr=subprocess.DEVNULL, env=environment, check=True)
    os.close(process_side)
    with open(terminal, "rb", buffering=0) as screen:
        lines = screen.read(65536).decode().splitlines()
    assert ["\x1b[1;32m" in line for line in lines[1:3]] == [True, False]


def test_the_width_holds_for_segments_too(files: list[str]) -> None:
    own = files[:2] + files[4:]
    _, *rows = run("bleu", *own, "--per-segment", "-w", "2").stdout.splitlines()
    _, *exact = run("bleu", *own, "--per-segment").stdout.splitlines()
    for row, whole in zip(rows, exact, strict=True):
        for shown, number in zip(row.split("\t")[2:], whole.split("\t")[2:], strict=True):
            assert float(shown) == round(float(number), 2)
    worst = run("bleu", *own, "--worst", "2", "-w", "1").stdout.splitlines()[1].split("\t")[0]
    assert worst == repr(round(min(float(row.split("\t")[2]) for row in exact), 1))


def test_a_metric_without_a_model_is_told_before_the_model_is_opened(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "none.arpa").write_text("no model", "utf-8")
    told = run("bleu", "chrf", *files, "--model", str(tmp_path / "none.arpa"), status=2).output
    assert "bleu and chrf takes no model; leave out --model." in told
    assert "is not in the range 1<=x<=1024" in run("bleu", *files, "--threads", "2000", status=2).output
