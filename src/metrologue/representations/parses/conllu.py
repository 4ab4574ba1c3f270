"""Parses from files in CoNLL-U (https://universaldependencies.org/format.html)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError, shown
from metrologue.files.values import whole_of_text
from metrologue.representations.parses.columns import Parses, Token, placed, whole_text

_COLUMNS = 10
# Marks of an entity in the schemes IOB and BIOES: those that begin one, and those that go on with it.
_MARKS = {"B": "B", "S": "B", "U": "B", "I": "I", "E": "I", "L": "I"}
_GROUPS = ("# newdoc", "# newpar")


class ConlluParses:
    """The parses of texts, from files in CoNLL-U. A text is found by its characters, whatever its whitespace.

    A sentence is a text, and so are all sentences of a paragraph or document that begins with ``# newpar`` or
    ``# newdoc``. Words of a range, such as 1-2, share its place in the text. Empty nodes are left out. The entry
    ``ner`` of the last column has an entity, such as ``ner=B-PER``.

    Parameters
    ----------
    *paths : str or path

    Attributes
    ----------
    name : str
        The name of the first file with the digest of all.

    Raises
    ------
    InputError
        If a file cannot be read, or a line has not 10 columns with tabs between them, an ID that is the next number,
        or a head in its sentence.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "small.conllu"
    >>> rows = "1 Cats cat NOUN NNS _ 2 nsubj _ _", "2 sleep sleep VERB VBP _ 0 root _ _"
    >>> _ = path.write_text("".join(row.replace(" ", "\\t") + "\\n" for row in rows))
    >>> parses = ConlluParses(path).parse(["Cats sleep", "Dogs sleep"])
    >>> parses.texts("lemmas", 0), parses.heads, parses.known
    (['cat', 'sleep'], array([ 1, -1]), array([ True, False]))
    """

    def __init__(self, *paths: str | os.PathLike[str]) -> None:
        places = [Path(os.fsdecode(path)) for path in paths]
        if not places:
            raise InputError("ConlluParses: `paths` is empty; a file in CoNLL-U is expected.")
        self._parses: dict[str, _Text] = {}
        for place in places:
            for text in _texts(place):
                self._parses.setdefault(text.letters, text)
        from metrologue.language_models.loaded_digest import name_of_files  # slow to import

        self.name = name_of_files(places)

    def __len__(self) -> int:
        return len(self._parses)

    def parse(self, texts: Sequence[str]) -> Parses:
        """The parses of texts; none for a text that is not in the files. A text without words has no tokens."""
        parsed = [self._parses.get(key) if (key := _letters(text)) else _Text() for text in texts]

        def spans(index: int) -> NDArray[np.int64]:
            text = parsed[index]
            return placed(texts[index], np.array(text.spans if text else (), np.int64).reshape(-1, 2))

        return Parses.of_texts(texts, [None if text is None else text.tokens for text in parsed], spans)


@dataclass
class _Text:
    """A sentence, or several: the words, their spans among the characters without whitespace, and these characters."""

    tokens: list[Token] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    letters: str = ""
    covered: int = 0  # the last word of the range that was read last
    of_range: tuple[int, int] = (0, 0)  # and its span

    def has(self, form: str) -> None:
        """Append these characters to the text."""
        self.letters += _letters(form)

    def add(self, token: Token) -> None:
        """Add a word. One of a range has the place of the range."""
        in_range, start = len(self.tokens) < self.covered, len(self.letters)
        if not in_range:
            self.has(token.form)
        self.spans.append((start, len(self.letters)) if not in_range else self.of_range)
        self.tokens.append(token)


def _texts(place: Path) -> Iterator[_Text]:
    """The texts of a file: sentences, then the paragraphs and documents of several sentences."""
    groups: dict[str, list[_Text]] = {}
    whole: list[list[_Text]] = []
    for begun, sentence in _sentences(place):
        yield sentence
        if "# newdoc" in begun:
            groups.pop("# newpar", None)
        for mark in begun:
            groups[mark] = []
            whole.append(groups[mark])
        for sentences in groups.values():
            sentences.append(sentence)
    yield from (_joined(sentences) for sentences in whole if len(sentences) > 1)


def _joined(sentences: Sequence[_Text]) -> _Text:
    whole = _Text()
    for number, sentence in enumerate(sentences):
        first, begins = len(whole.tokens), len(whole.letters)
        for token in sentence.tokens:
            head = token.head + first if token.head >= 0 else -1
            whole.tokens.append(token._replace(head=head, sentence=number))
        whole.spans += [(begins + start, begins + stop) for start, stop in sentence.spans]
        whole.letters += sentence.letters
    return whole


def _sentences(place: Path) -> Iterator[tuple[set[str], _Text]]:
    """Each sentence, with the marks of documents and paragraphs that begin with it."""
    begun, sentence, first = set[str](), _Text(), 1
    for number, line in enumerate([*whole_text(place, "ConlluParses").split("\n"), ""], start=1):
        line = line.rstrip("\r")
        if line.startswith("#"):
            begun |= {mark for mark in _GROUPS if line.startswith(mark)}
        elif line.strip():
            first = first if sentence.tokens else number
            _read(line, sentence, f"ConlluParses: line {number} of {place}")
        elif sentence.tokens:
            for at, token in enumerate(sentence.tokens):
                if token.head >= len(sentence.tokens) or token.head == at:
                    raise InputError(
                        f"ConlluParses: the sentence from line {first} of {place} on has {len(sentence.tokens)} words, "
                        f"but word {at + 1} has the head {token.head + 1}."
                    )
            yield begun, sentence
            begun, sentence = set(), _Text()


def _read(line: str, sentence: _Text, where: str) -> None:
    """Add the word of a line to a sentence."""
    row = line.split("\t")
    if len(row) != _COLUMNS or not _letters(row[1]):
        raise InputError(
            f"{where} has {len(row)} columns; {_COLUMNS} are expected, with tabs between them, and a form in "
            "the second."
        )
    expected = str(len(sentence.tokens) + 1)
    first, _, last = row[0].partition("-")
    if (end := whole_of_text(last)) is not None and first == expected:
        start, sentence.covered = len(sentence.letters), end
        sentence.has(row[1])
        sentence.of_range = start, len(sentence.letters)
        return
    if "." in row[0]:
        return
    head = 0 if row[6] == "_" else whole_of_text(row[6])
    if row[0] != expected or head is None:
        raise InputError(
            f"{where} has the ID {shown(row[0])} and the head {shown(row[6])}; {expected} and the number of a word are "
            "expected, 0 for the root."
        )
    lemma = "" if row[2] == "_" != row[1] else row[2]
    pos, tag, relation = ("" if each == "_" else each for each in (row[3], row[4], row[7]))
    sentence.add(Token(row[1], lemma, tag, pos, head - 1, relation, _entity(row[9])))


def _entity(column: str) -> str:
    """The mark of an entity as ``Token`` has it; "" for none."""
    for entry in column.split("|"):
        name, _, value = entry.partition("=")
        if name.lower() == "ner":
            mark, _, label = value.partition("-")
            return f"{_MARKS[mark]}-{label}" if label and mark in _MARKS else ""
    return ""


def _letters(text: str) -> str:
    """The characters of a text without whitespace."""
    return "".join(text.split())
