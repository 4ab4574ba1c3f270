"""What a user of sacrebleu types by habit is understood by ``metrologue score``, or answered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from metrologue import Bleu, Chrf, InputError, Rouge, Scorer, Ter
from metrologue.cli import main
from metrologue.cli.options import made_scorers
from metrologue.scorers.core.names import read_name
from metrologue.scorers.core.sacrebleu_signatures import as_signature_of_2, read_signature, signature_of

# `sacrebleu r -i h ARGUMENTS` of version 1.5.1 for the texts below, its last line of output; and the scale of its chrF.
RECORDED = {
    "-m bleu -lc -tok intl": "BLEU+case.lc+numrefs.1+smooth.exp+tok.intl+version.1.5.1 = 28.1 66.7/46.2/18.2/11.1 "
    "(BP = 1.000 ratio = 1.250 hyp_len = 15 ref_len = 12)",
    "-m bleu -s floor -w 3 --short": "BLEU+c.mixed+#.1+s.floor[0.10]+tok.13a+v.1.5.1 = 14.950 69.2/45.5/11.1/1.4 "
    "(BP = 1.000 ratio = 1.083 hyp_len = 13 ref_len = 12)",
    "-m chrf --chrf-whitespace": "chrF2+numchars.6+space.true+version.1.5.1 = 0.70",
    "-m chrf --short --chrf-order 4": "chrF2+n.4+s.false+v.1.5.1 = 0.66",
    "-m ter": "TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1 = 0.250",
    "-m ter --short": "TER+t.tercom-nonorm-punct-noasian-uncased+v.1.5.1 = 0.250",
    "-m bleu -tok none": "BLEU+case.mixed+numrefs.1+smooth.exp+tok.none+version.1.5.1 = 22.4 69.2/45.5/11.1/7.1 "
    "(BP = 1.000 ratio = 1.083 hyp_len = 13 ref_len = 12)",
}
HYPOTHESES, REFERENCES = ["the cat sat on the mat .", "a dog , isn't it ?"], ["The cat sat on a mat .", "a dog is it ?"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The options that name the texts."""
    for name, lines in (("h", HYPOTHESES), ("r", REFERENCES)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return ["-p", str(tmp_path / "h"), "-r", str(tmp_path / "r")]


@pytest.mark.parametrize("line", RECORDED.values(), ids=RECORDED.keys())
def test_signatures_of_version_1(files: list[str], line: str) -> None:
    signature, _, said = line.partition(" = ")
    shown = said.split()[0]
    with pytest.warns(UserWarning, match=r"comes from sacrebleu 1\.5\.1"):
        scorer = Scorer.from_signature(signature)
    # With whitespace, version 1 counts the end of the line too.
    end = "\n" * getattr(scorer, "whitespace", False)
    value = scorer.corpus([f"{own}{end}" for own in HYPOTHESES], [f"{own}{end}" for own in REFERENCES]).value
    value /= 1 if scorer.name == "bleu" else 100
    assert f"{value:.{len(shown.partition('.')[2])}f}" == shown
    printed = CliRunner().invoke(main, ["score", signature, *files, "-b"])
    assert float(printed.stdout) == pytest.approx(scorer.corpus(HYPOTHESES, REFERENCES).value, abs=1e-4)


@pytest.mark.parametrize("text", ["BLEU", "BLEU+", "a+b", "TER+tok.other+version.1.5.1", "BLEU+case:lc", "1.5+2.5"])
def test_what_is_no_signature_of_version_1(text: str) -> None:
    assert as_signature_of_2(text) is None


def test_a_wrong_value_is_named() -> None:
    with pytest.raises(InputError, match="`case:upper`, which sacrebleu does not write"):
        read_signature("BLEU+case.upper+tok.13a+smooth.exp+version.1.5.1")


@pytest.mark.parametrize(
    ("name", "scorer"),
    [
        ("BLEU", Bleu.variant("sacrebleu")),
        ("TER", Ter.variant("sacrebleu")),
        ("chrF", Chrf.variant("sacrebleu")),
        ("chrF2", Chrf.variant("sacrebleu")),
        ("chrF++", Chrf.variant("chrf++")),
        ("chrF2++", Chrf.variant("sacrebleu", word_order=2)),
        ("chrF3+", Chrf.variant("sacrebleu", beta=3.0, word_order=1)),
        ("rouge1", Rouge(types=("rouge1",))),
        ("rougeLsum", Rouge(types=("rougeLsum",))),
    ],
)
def test_names_of_other_programs(name: str, scorer: Scorer) -> None:
    assert made_scorers([name], None) == [scorer]


def test_a_setting_changes_what_a_name_means() -> None:
    assert made_scorers(["chrF2++", "rougeL"], None, ["chrf.word_order=1"])[0] == Chrf.variant(
        "sacrebleu", word_order=1
    )
    assert read_name("nothing") == ("nothing", {}, ())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bleu", "-t", "wmt17"], r"metrologue sacrebleu -t … -l … -i …"),
        (["bleu", "-sl"], "--per-segment prints the numbers of every segment"),
        (["bleu", "-nr", "2"], "give -r once for each reference"),
        (["bleu", "--smooth-method", "floor"], r"--set bleu\.smoothing=floor"),
        (["chrf", "-cw", "2"], r"--set chrf\.word_order=2"),
        (["chrf", "-lc"], r"-lc is for BLEU, and chrf is not; give --set chrf\.lowercase=true"),
        (["ter", "chrF2", "-tok", "intl"], "-tok is for BLEU, and ter, chrf is not; `metrologue list METRIC` shows"),
        (["wer", "-l", "en-zh"], "-l is for BLEU, and wer is not"),
        (["bleu", "--confidence", "0.95"], r"'0\.95' is no metric; a level of confidence is given by --level 0\.95"),
    ],
)
def test_answers(files: list[str], arguments: list[str], message: str) -> None:
    found = CliRunner().invoke(main, ["score", *arguments, *files])
    assert found.exit_code == 2
    assert re.search(message, found.output), found.output


def test_i_is_p(files: list[str]) -> None:
    expected = CliRunner().invoke(main, ["score", "bleu", "chrf", *files])
    _, hypothesis, *rest = files
    assert CliRunner().invoke(main, ["score", "bleu", "chrf", "-i", hypothesis, *rest]).output == expected.output


def test_signatures_are_those_of_the_live_library(files: list[str]) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")
    pairs = [
        (Bleu.variant("sacrebleu"), metrics.BLEU()),
        (Bleu.variant("sacrebleu", tokenizer="intl", lowercase=True), metrics.BLEU(tokenize="intl", lowercase=True)),
        (
            Bleu.variant("sacrebleu", smoothing="floor", smooth_value=0.25, effective_order=True),
            metrics.BLEU(smooth_method="floor", smooth_value=0.25, effective_order=True),
        ),
        (Bleu.variant("sacrebleu", tokenizer="none"), metrics.BLEU(tokenize="none")),
        (Chrf.variant("sacrebleu", whitespace=True), metrics.CHRF(whitespace=True)),
        (Chrf.variant("chrf++", char_order=4), metrics.CHRF(word_order=2, char_order=4)),
        (
            Chrf.variant("sacrebleu", average="fscore", effective_order=False, smoothing="epsilon"),
            metrics.CHRF(eps_smoothing=True),
        ),
        (Ter.variant("sacrebleu", normalized=True, no_punct=True), metrics.TER(normalized=True, no_punct=True)),
    ]
    for scorer, theirs in pairs:
        theirs.corpus_score(HYPOTHESES, [REFERENCES, REFERENCES], n_bootstrap=20)
        for short in (False, True):
            expected = theirs.get_signature().format(short)
            assert signature_of(scorer, 2, short=short, bs=20, seed=12345) == expected
        with_other = Scorer.from_signature(theirs.get_signature().format())
        assert with_other == scorer or scorer.smoothing == "floor"
    for scorer in (Bleu.variant("nltk"), Chrf.variant("nltk"), Bleu(max_order=2), Rouge()):
        assert signature_of(scorer, 1) is None


def test_intervals_and_p_values_are_sacrebleus(files: list[str], tmp_path: Path) -> None:
    """Variants that mirror it have its draws; other variants have ours, unless --resampling says another."""
    _, hypothesis, *references = files
    other = tmp_path / "other"
    other.write_text("the cat sat on a mat .\na dog is n't it ?\n")
    for line in (["-ci", "-cin", "200"], ["-p", str(other), "-par", "-parn", "200"]):
        usual = CliRunner().invoke(main, ["score", "BLEU", "TER", "-p", hypothesis, *references, *line]).stdout
        told = [*line, "--resampling", "sacrebleu"]
        assert CliRunner().invoke(main, ["score", "BLEU", "TER", "-p", hypothesis, *references, *told]).stdout == usual
        assert "pcg64" in usual or "resampling=sacrebleu" in usual
    found = CliRunner().invoke(main, ["score", "bleu:nltk", "-p", hypothesis, *references, "-ci"]).stdout
    assert "draws=splitmix64" in found
    own = ["score", "BLEU", "wer", "-p", hypothesis, *references, "-ci", "-cin", "100", "--signature", "sacrebleu"]
    lines = CliRunner().invoke(main, own).stdout.splitlines()
    assert "nrefs:1|bs:100|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0" in lines
    assert any(line.startswith("wer|variant=jiwer|") for line in lines)
