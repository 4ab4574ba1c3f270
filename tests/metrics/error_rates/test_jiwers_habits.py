"""What jiwer's users are used to: transforms of texts, and the alignment of a whole file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import metrologue
from metrologue.cli import main
from metrologue.cli.trace import alignment_lines
from metrologue.errors import InputError
from metrologue.scorers import CharacterErrorRate, Scorer, WordErrorRate
from metrologue.segments import Segments
from metrologue.text.reading.transforms import TRANSFORMS

jiwer = pytest.importorskip("jiwer")

# jiwer's class, and its arguments, for each transform.
THEIRS: dict[str, tuple[str, dict[str, Any]]] = {
    "contractions": ("ExpandCommonEnglishContractions", {}),
    "punctuation": ("RemovePunctuation", {}),
    "kaldi": ("RemoveKaldiNonWords", {}),
    "spaces": ("RemoveWhiteSpace", {"replace_by_space": True}),
    "no-whitespace": ("RemoveWhiteSpace", {}),
    "one-space": ("RemoveMultipleSpaces", {}),
    "strip": ("Strip", {}),
}
PIECES = [
    "won't", "CAN'T", "can't", "let's", "they're", "it's", "'d", "x'll", "'tis", "I've", "i'm", "n't", "don’t", "<unk>",
    "[laugh]", "[<", " ", "  ", "\t", "\n", "\u2003", "\x1c", "a", "b", "É", "İ", "ΣΑΣ", "!", "…", "«", "„", "¿", "$",
    "+", "-", ".",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]), max_size=12).map("".join)
WORDS = st.lists(st.sampled_from(["a", "bb", "ccc", "dd", "a."]), max_size=7).map(" ".join)
PAIRS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4)


def test_every_transform_is_compared() -> None:
    assert THEIRS.keys() == TRANSFORMS.keys()


@given(TEXTS, st.sampled_from([*THEIRS]))
def test_a_transform_is_jiwers(text: str, name: str) -> None:
    kind, arguments = THEIRS[name]
    assert TRANSFORMS[name].apply(text) == getattr(jiwer, kind)(**arguments)(text)


@given(
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3),
    st.lists(st.sampled_from([*THEIRS]), max_size=4),
    st.booleans(),
)
def test_rates_after_transforms_are_jiwers(pairs: list[tuple[str, str]], names: list[str], lowercase: bool) -> None:
    hypotheses, references = map(list, zip(*pairs, strict=True))
    chain = [getattr(jiwer, THEIRS[name][0])(**THEIRS[name][1]) for name in names]
    chain = [*([jiwer.ToLowerCase()] if lowercase else []), *chain]
    words = jiwer.Compose([*chain, jiwer.RemoveMultipleSpaces(), jiwer.Strip(), jiwer.ReduceToListOfListOfWords()])
    theirs = jiwer.process_words(references, hypotheses, words, words)
    ours = WordErrorRate(transforms=tuple(names), lowercase=lowercase).corpus(hypotheses, references).scores
    assert (ours["wer"], ours["mer"], ours["hits"]) == (theirs.wer, theirs.mer, theirs.hits)
    characters = jiwer.Compose([*chain, jiwer.Strip(), jiwer.ReduceToListOfListOfChars()])
    theirs = jiwer.process_characters(references, hypotheses, characters, characters)
    assert (
        CharacterErrorRate(transforms=tuple(names), lowercase=lowercase).corpus(hypotheses, references).value
        == theirs.cer
    )


def test_transforms_are_in_the_signature() -> None:
    scorer = WordErrorRate(transforms=("contractions", "punctuation"))
    assert "|transforms=[contractions,punctuation]|" in scorer.signature
    assert Scorer.from_signature(scorer.signature) == scorer
    assert Scorer.from_signature(WordErrorRate().signature.replace("|transforms=[]", "")) == WordErrorRate()
    with pytest.raises(InputError, match="`transforms`"):
        WordErrorRate(transforms=("upper",))


@given(PAIRS, st.sampled_from([0, 20, 40]))
def test_alignments_are_printed_as_by_jiwer(pairs: list[tuple[str, str]], width: int) -> None:
    hypotheses, references = map(list, zip(*pairs, strict=True))
    segments = Segments(hypotheses, references)
    for scorer, process in ((WordErrorRate(), jiwer.process_words), (CharacterErrorRate(), jiwer.process_characters)):
        expected = jiwer.visualize_alignment(process(references, hypotheses), line_width=width or None)
        assert "\n".join(alignment_lines(scorer, segments, width)) + "\n" == expected


def test_edits_of_a_file_are_those_to_the_best_reference() -> None:
    printed = [*alignment_lines(WordErrorRate(), Segments(["a b c"], [["x y", "a b d", "a e c"]]))]
    assert printed[1:4] == ["REF: a b d", "HYP: a b c", "         S"]


def test_the_command(tmp_path: Path) -> None:
    for name, text in (("hyp", "a b\nsame\n"), ("ref", "a c\nsame\n")):
        (tmp_path / name).write_text(text)
    files = ["-p", str(tmp_path / "hyp"), "-r", str(tmp_path / "ref")]
    printed = CliRunner().invoke(main, ["trace", "wer", *files, "--all"]).stdout
    assert printed == jiwer.visualize_alignment(jiwer.process_words(["a c", "same"], ["a b", "same"]))
    options = ["--all", "--set", "transforms=[punctuation,contractions]"]
    assert CliRunner().invoke(main, ["trace", "mer", *files, *options]).exit_code == 0
    for metric, option, message in (
        ("bleu", [], "--all is for error rates, such as wer; bleu shows one --segment"),
        ("wer", ["--segment", "1"], "leave out --segment"),
    ):
        refused = CliRunner().invoke(main, ["trace", metric, *files, "--all", *option])
        assert refused.exit_code == 2
        assert message in refused.stderr


@pytest.mark.parametrize("name", ["wer", "cer"])
def test_the_modules_take_transforms(name: str) -> None:
    pairs = [("It's  FINE, really.", "it is fine really"), ("no <unk> way", "No way!")]
    hypotheses, references = [[*each] for each in zip(*pairs, strict=True)]
    transforms = [jiwer.ToLowerCase(), jiwer.ExpandCommonEnglishContractions(), jiwer.RemovePunctuation()]
    last = {"wer": jiwer.ReduceToListOfListOfWords, "cer": jiwer.ReduceToListOfListOfChars}[name]
    chain = jiwer.Compose([*transforms, jiwer.Strip(), last()])
    expected = getattr(jiwer, name)(references, hypotheses, chain, chain)
    module = metrologue.load(name)
    given = {"lowercase": True, "transforms": ["contractions", "punctuation", "strip"]}
    assert module.compute(predictions=hypotheses, references=references, **given) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(InputError, match=r"`transforms`.*'upper'"):
        module.compute(predictions=hypotheses, references=references, transforms=["upper"])
