"""The doctor finds each fault that is planted, says what it costs, and finds nothing in sound files."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.comparison.doctor.diagnosis import Finding, doctor
from metrologue.errors import InputError
from metrologue.meta import read_judgements
from metrologue.scorers import Bleu, WordErrorRate

Texts = list[str]
WORDS = [
    "the",
    "a",
    "Käse",
    "schön",
    "über",
    "house",
    "Paris",
    "met",
    "ran",
    "slowly",
    "in",
    "on",
    "of",
    "green",
    "Dog",
    "we",
    "they",
    "Monday",
    "grün",
    "für",
    "bridge",
    "tells",
    "old",
    "never",
    "always",
    "Zürich",
    "small",
    "near",
    "under",
    "keeps",
    "lost",
    "found",
    "letter",
    "garden",
    "rain",
    "cold",
    "warm",
    "speaks",
    "hears",
]


def sentence(draw: random.Random) -> str:
    words = [draw.choice(WORDS) for _ in range(draw.randint(6, 14))]
    words[len(words) // 2] += ","
    return f'{words[0].capitalize()} {" ".join(words[1:])} & "so".'


def corpus(lines: int = 200) -> tuple[Texts, Texts]:
    """References, and predictions in which some words are others."""
    draw = random.Random(5)
    references = [sentence(draw) for _ in range(lines)]
    changed = [[draw.choice(WORDS) if draw.random() < 0.4 else word for word in text.split()] for text in references]
    return [" ".join(words) for words in changed], references


PREDICTIONS, REFERENCES = corpus()


def tokenized(text: str) -> str:
    return re.sub(r"([.,])", r" \1", text)


def one_line_up(texts: Texts) -> Texts:
    return [*texts[1:], texts[0]]


def without_line(texts: Texts) -> Texts:
    return [*texts[:80], *texts[81:], "The end."]


def some_empty(texts: Texts) -> Texts:
    return ["" if i % 20 == 0 else text for i, text in enumerate(texts)]


def stuck(texts: Texts) -> Texts:
    return [texts[3] if i % 10 == 0 else text for i, text in enumerate(texts)]


def leaked(texts: Texts) -> Texts:
    return [REFERENCES[i] if i % 10 == 0 else text for i, text in enumerate(texts)]


def each(change: Callable[[str], str]) -> Callable[[Texts], Texts]:
    return lambda texts: [change(text) for text in texts]


FAULTS: dict[str, Callable[[Texts], Texts]] = {
    "lower case": each(str.lower),
    "tokenized on one side": each(tokenized),
    "escaped characters": each(html.escape),
    "wrong encoding": each(lambda text: text.encode().decode("cp1252", "replace")),
    "shifted lines": one_line_up,
    "empty lines": some_empty,
    "repeated predictions": stuck,
    "equal to a reference": leaked,
    "length": each(lambda text: f"{text} {text}"),
    "other language or test set": each(lambda text: re.sub(r"\w+", lambda word: word[0][::-1] + "q", text)),
}


def found(predictions: Texts, references: object = REFERENCES) -> dict[str, Finding]:
    return {each.fault: each for each in doctor({"mine": predictions}, references)}


def test_sound_files_have_no_fault() -> None:
    assert found(PREDICTIONS) == {}
    assert found(REFERENCES[:10], PREDICTIONS[:10]) == {}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_and_measured(fault: str) -> None:
    [own] = [each for each in doctor({"mine": FAULTS[fault](PREDICTIONS)}, REFERENCES) if each.fault == fault]
    assert own.segments >= 10
    assert own.fault in str(own)
    if own.metric == "bleu:sacrebleu":
        assert own.score == Bleu().corpus(FAULTS[fault](PREDICTIONS), REFERENCES).value
    if fault in ("lower case", "tokenized on one side", "wrong encoding", "shifted lines", "length"):
        assert own.effect > 3
    if fault == "equal to a reference":
        assert own.effect < -3


@pytest.mark.parametrize("fault", ["lower case", "tokenized on one side", "escaped characters", "wrong encoding"])
def test_the_fault_may_be_on_the_side_of_the_references(fault: str) -> None:
    own = found(PREDICTIONS, FAULTS[fault](REFERENCES))[fault]
    assert "references" in own.about
    assert fault not in found(FAULTS[fault](PREDICTIONS), FAULTS[fault](REFERENCES))


def test_repairs_give_the_number_of_sound_files() -> None:
    whole = Bleu().corpus(PREDICTIONS, REFERENCES).value
    for fault in ("escaped characters", "wrong encoding"):
        assert found(FAULTS[fault](PREDICTIONS))[fault].repaired == pytest.approx(whole)


def test_a_missing_line_is_found_where_it_is() -> None:
    own = found(without_line(PREDICTIONS))["shifted lines"]
    place = int(re.findall(r"From line (\d+) on", own.about)[0])
    assert abs(place - 81) <= 1
    assert "1 line further down" in own.about
    assert own.effect > 10


def test_all_copies_are_counted_if_there_are_long_ones() -> None:
    short, empty = ["a cat", "dogs run", "it is"], [""]
    given = [*leaked(PREDICTIONS), *short, *empty]
    own = found(given, [*REFERENCES, *short, *empty])["equal to a reference"]
    long = sum(text in (given[i],) for i, text in enumerate(REFERENCES))
    assert own.segments == long + len(short)
    assert f"{long + 3} of the predictions, {long} of them of 6 words or more, are equal to one" in own.about
    assert "equal to a reference" not in found([*PREDICTIONS, *short], [*REFERENCES, *short])


def test_captions_equal_to_a_reference_and_the_length_of_a_summarizer(shared_data: Path) -> None:
    """158 captions of Flickr8k equal a reference; M11 of SummEval is 1.37 times as long as the first references."""
    captions = read_judgements(shared_data / "flickr8k_expert", "flickr8k-expert")
    references = [[*each] for each in captions.references or ()]
    own = found([*captions.hypotheses], references)["equal to a reference"]
    assert own.segments == len(captions) - len(captions.without_copies()) == 158
    assert "158 of the predictions, 150 of them of 6 words or more" in own.about
    said = read_judgements(shared_data / "summeval", "summeval")
    assert said.systems
    rows = [i for i, name in enumerate(said.systems) if name == "M11"]
    texts, first = [said.hypotheses[i] for i in rows], [(said.references or ())[i][0] for i in rows]
    assert "1.41 times as long as their references (1.37 times in characters)" in found(texts, first)["length"].about


def shuffled(texts: Texts) -> Texts:
    mixed = [*texts]
    random.Random(1).shuffle(mixed)
    return mixed


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (shuffled, "shuffled"),
        (sorted, "sorted"),
        (lambda t: t[::-1], "reversed"),
        (lambda t: t[80:] + t[:80], "shuffled"),
    ],
)
def test_lines_in_another_order(change: Callable[[Texts], Texts], told: str) -> None:
    """They are not called shifted, and each line finds its reference: the lines of these texts are all different."""
    lines = [f"{text} {i * 7919} {WORDS[i % 39]}{i}" for i, text in enumerate(PREDICTIONS)]
    references = [f"{text} {i * 7919} {WORDS[i % 39]}{i}" for i, text in enumerate(REFERENCES)]
    own = found(change(lines), references)
    assert "shifted lines" not in own
    assert told == "shuffled" or told in own["shuffled lines"].about
    assert own["shuffled lines"].repaired == pytest.approx(Bleu().corpus(lines, references).value)
    assert "shuffled lines" not in found(one_line_up(lines), references)
    assert "shuffled lines" not in found(without_line(lines), references)


AROUND: dict[str, tuple[Callable[[int, str], str], str]] = {
    "a prefix": (lambda i, text: f"Translation: {text}", "Translation: "),
    "a prefix of words": (lambda i, text: f"a photo of {text}", "a photo of "),
    "numbers": (lambda i, text: f"{i + 1}. {text}", "their number"),
    "numbers from 0": (lambda i, text: f"Line {i}: {text}", "their number"),
    "numbers in brackets": (lambda i, text: f"[{i + 1}] {text}", "their number"),
    "bold": (lambda i, text: f"**{text}**", "**"),
    "code": (lambda i, text: f"`{text}`", "`"),
    "a heading": (lambda i, text: f"## {text}", "Markdown"),
    "a list": (lambda i, text: f"- {text}", "list"),
    "quotes": (lambda i, text: f"“{text}”", "quotation marks"),
    "an opening": (lambda i, text: f"Sure, here is the translation: {text}", "Sure, here is"),
    "some openings": (lambda i, text: f"Here's your summary:\n\n{text}" if i % 9 == 0 else text, "opening"),
    "a fence": (lambda i, text: f"```\n{text}\n```", "```"),
    "a fence with a language": (lambda i, text: f"```text\n{text}\n```", "```"),
    "an end": (lambda i, text: f"{text} [end of answer]", "[end of answer]"),
    "several": (lambda i, text: f'{i + 1}) **"{text}"**', "quotation marks"),
}


@pytest.mark.parametrize("name", AROUND)
def test_what_stands_around_the_lines(name: str) -> None:
    change, told = AROUND[name]
    changed = [change(i, text) for i, text in enumerate(PREDICTIONS)]
    own = found(changed)["text around the lines"]
    assert told in own.about
    assert own.score == Bleu().corpus(changed, REFERENCES).value
    assert own.repaired == Bleu().corpus(PREDICTIONS, REFERENCES).value
    both = [change(i, text) for i, text in enumerate(REFERENCES)]
    assert "text around the lines" not in found(changed, both)
    assert "references" in found(PREDICTIONS, both)["text around the lines"].about


def test_beginnings_that_are_the_texts_own() -> None:
    """Captions begin with "A", answers with a name; numbers that do not count lines are content."""
    captions = [f"A {text[0].lower()}{text[1:]}" for text in PREDICTIONS]
    assert "text around the lines" not in found(captions, [f"The {text}" for text in REFERENCES])
    years = [f"{1900 + (i * 37) % 100} {text}" for i, text in enumerate(PREDICTIONS)]
    assert "text around the lines" not in found(years)
    spoken = [f"“{text}”" if i % 5 == 0 else text for i, text in enumerate(PREDICTIONS)]
    assert "text around the lines" not in found(spoken)


LOOK_EQUAL: dict[str, tuple[Callable[[str], str], str]] = {
    "BPE": (lambda text: text.replace("en", "e@@ n"), "@@"),
    "WordPiece": (lambda text: text.replace("ee", "e ##e"), "##"),
    "SentencePiece": (lambda text: "▁" + text.replace(" ", " ▁").replace("ee", "e e"), "▁"),
    "GPT-2": (lambda text: text.replace(" ", " Ġ").replace("ee", "e e"), "Ġ"),
    "special tokens": (lambda text: f"<s> {text} </s>", "<s>"),
    "one special token": (lambda text: f"{text}<|endoftext|>", "special tokens"),
    "zero width": (lambda text: text.replace("e", "e\u200b"), "zero-width"),
    "soft hyphens": (lambda text: text.replace("e", "e\u00ad"), "invisible"),
    "joiners in Latin": (lambda text: text.replace("ee", "e\u200de"), "invisible"),
    "a byte order mark": (lambda text: f"\ufeff{text}", "invisible"),
    "directions": (lambda text: f"\u200f{text}", "direction marks"),
    "no-break spaces": (lambda text: text.replace(" ", "\u00a0"), "no-break spaces"),
    "full width": (lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text), "full-width"),
    "mathematical letters": (lambda text: text.replace("a", "𝐚"), "NFKC"),
    "Cyrillic": (lambda text: text.replace("a", "а"), "Cyrillic letters in Latin words"),
    "Greek": (lambda text: text.replace("o", "ο"), "Greek letters in Latin words"),
}


@pytest.mark.parametrize("name", LOOK_EQUAL)
def test_texts_that_only_look_equal(name: str) -> None:
    change, told = LOOK_EQUAL[name]
    changed = [*map(change, PREDICTIONS)]
    findings = [each for each in doctor({"mine": changed}, REFERENCES) if each.fault == "only looks equal"]
    [own] = [each for each in findings if told in each.about]
    sound = [change(text) for text in REFERENCES]
    scorer = Bleu() if own.metric == "bleu:sacrebleu" else WordErrorRate(scale=100.0)
    assert own.score == scorer.corpus(changed, REFERENCES).value
    assert own.repaired == pytest.approx(scorer.corpus(PREDICTIONS, REFERENCES).value)
    assert "only looks equal" not in found(changed, sound)
    assert any("references" in each.about for each in doctor({"mine": PREDICTIONS}, sound))
    assert "other language or test set" not in found(changed)


def test_nothing_is_left_without_the_fault() -> None:
    assert found(REFERENCES)["equal to a reference"].segments == len(REFERENCES)
    empty = found([""] * len(REFERENCES))["empty lines"]
    assert (empty.segments, empty.repair, empty.effect) == (len(REFERENCES), "", 0)
    sources = [sentence(random.Random(place)) for place in range(len(REFERENCES))]
    assert "equal to the source" in {each.fault for each in doctor({"mine": sources}, REFERENCES, sources)}


def test_layouts_of_references() -> None:
    few = 30
    streams = [[text + " x" * place for text in REFERENCES[:few]] for place in range(few)]
    segments = [*map(list, zip(*streams, strict=True))]
    assert "layout of the references" in found(PREDICTIONS[:few], streams)
    assert "layout of the references" not in found(PREDICTIONS[:few], segments)
    characters = [list(text) for text in REFERENCES[:few]]
    own = found(PREDICTIONS[:few], characters)["layout of the references"]
    assert own.repaired == Bleu().corpus(PREDICTIONS[:few], REFERENCES[:few]).value


def test_newlines_between_sentences() -> None:
    def two(texts: Texts) -> Texts:
        ended = [text.replace('"', "").rstrip(".").capitalize() + "." for text in texts]
        return [f"{first} {second}" for first, second in zip(ended[::2], ended[1::2], strict=True)]

    ours, pairs = two(PREDICTIONS), two(REFERENCES)
    assert "rougeLsum" in found(ours, pairs)["no newlines"].metric
    parted = [text.replace(". ", ".\n") for text in pairs]
    assert "no newlines" not in found(ours, parted)


def test_scripts_that_an_ascii_tokenizer_drops() -> None:
    texts = ["кошка сидит на коврике и спит", "собака бежит домой очень быстро"]
    own = found(["кошка сидела на коврике и спит", texts[1]], texts)["erased by ASCII tokenizers"]
    assert own.score == 0
    assert own.repaired > 50


def test_copies_of_the_source() -> None:
    sources = [sentence(random.Random(place)) for place in range(len(PREDICTIONS))]
    outputs = [sources[i] if i % 10 == 0 else text for i, text in enumerate(PREDICTIONS)]
    assert "equal to the source" in {each.fault for each in doctor({"mine": outputs}, REFERENCES, sources)}
    assert doctor({"mine": PREDICTIONS}, REFERENCES, sources) == []


def test_nothing_is_no_input() -> None:
    with pytest.raises(InputError, match="no segments"):
        doctor({"mine": []}, [])


def test_command(tmp_path: Path) -> None:
    files = {"good": PREDICTIONS, "bad": FAULTS["lower case"](PREDICTIONS), "ref": REFERENCES}
    for name, texts in files.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), "utf-8")
    good, bad, ref = (str(tmp_path / name) for name in files)
    run = CliRunner().invoke
    assert run(main, ["doctor", "-p", good, "-r", ref]).output == "Nothing is plainly wrong with these files.\n"
    shown = run(main, ["doctor", "-p", good, "-p", bad, "-r", ref, "--fail"])
    assert shown.exit_code == 1
    assert shown.output.startswith("bad: lower case: The predictions have almost no capital letters")
    [own] = json.loads(run(main, ["doctor", "-p", bad, "-r", ref, "--format", "json"]).output)
    assert own["effect"] == own["repaired"] - own["score"] > 3


def test_compare_tells_faults_first_and_which_tells_them_if_nothing_fits(tmp_path: Path) -> None:
    for name, texts in {"bad": FAULTS["lower case"](PREDICTIONS), "ref": REFERENCES}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), "utf-8")
    files = ["-p", str(tmp_path / "bad"), "-r", str(tmp_path / "ref")]
    compared = CliRunner().invoke(main, ["compare", *files, "--no-live", "--resamples", "1000"])
    assert "Warning: lower case: The predictions have almost no capital letters" in compared.stderr
    searched = CliRunner().invoke(main, ["which", "wer", "99.123456", *files, "--changes", "0"])
    assert "no setting gives this number" in searched.output
    assert "lower case: The predictions have almost no capital letters" in searched.output


LINES = [f"Line {i}: {word} saw {i * 7} {other} near the {word}." for i, (word, other) in enumerate(
    zip(["cat", "river", "minister", "old house", "engine"] * 8, ["dogs", "boats", "papers", "trees"] * 10, strict=True)
)]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "fault", "told"),
    [
        (lambda lines: lines[:-1], "missing lines", "no predictions for line 40 of"),
        (lambda lines: lines[1:], "missing lines", "for line 1 of"),
        (lambda lines: lines[:7] + lines[8:30] + lines[32:], "missing lines", "for lines 8, 31, 32 of"),
        (lambda lines: [*lines[:9], lines[8], *lines[9:]], "doubled lines", "have line"),
        (
            lambda lines: [*lines[:9], "Here is the translation:", *lines[9:]],
            "lines too many",
            "no references for line 10 of",
        ),
    ],
)
def test_files_of_unequal_length_are_put_in_step(
    change: Callable[[list[str]], list[str]], fault: str, told: str
) -> None:
    found = doctor(change(LINES), LINES, change(LINES))[0]
    assert found.fault == fault
    assert told in found.about
    assert found.repaired == pytest.approx(100)
    assert found.segments == abs(len(change(LINES)) - len(LINES))


def test_too_many_missing_lines_are_refused() -> None:
    with pytest.raises(InputError, match="2 predictions but 200 references"):
        doctor(["a", "b"], ["c"] * 200)
