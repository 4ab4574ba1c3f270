"""The score of every hypothesis with every reference, as a matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Offsets
from metrologue.data.columns import Items
from metrologue.data.intake import are_lists, as_text, grouped_text, holds_lists, is_list, listed, with_type
from metrologue.errors import InputError, instead_of, number_of, shown
from metrologue.scorers.core.crossed import Collection, Crossed, Group, Tile
from metrologue.scorers.core.hints import warn
from metrologue.scorers.core.inputs import in_form
from metrologue.scorers.core.result import finite
from metrologue.scorers.core.threads import each_of, thread_count
from metrologue.segments import Segments
from metrologue.text.reading.text import Text

# A scorer, whose method ``pairwise`` calls this module.
Scorer = Any


# The most pairs, and the most bytes of their texts, that are scored at once. So the rows stay in the processor's cache,
# and Python can handle an interrupt between two blocks.
_MOST_PAIRS = 1 << 14
_MOST_BYTES = 1 << 24
# Blocks for each thread: as many that all threads end at about the same time.
_BLOCKS = 8


def pairwise(
    scorer: Scorer,
    hypotheses: Any,
    references: Any = None,
    threads: int | None = None,
    key: str | None = None,
    others: Mapping[str, Any] | None = None,
) -> Floats | list[Floats]:
    """The matrix of segment scores, or a list of matrices for groups; see ``Scorer.pairwise``."""
    owner = _owner(scorer)
    _refuse_others(scorer, others)
    hypotheses = listed(hypotheses, "hypotheses", owner, of="strings, or of lists of strings,")
    references = None if references is None else listed(references, "references", owner)
    _refuse_empty(owner, hypotheses, references)
    in_groups = _are_groups(hypotheses, scorer.takes("sets", "spans"))
    if references is not None and _are_groups(references, scorer.takes("sets", "spans")) != in_groups:
        kinds = "one list of texts", "lists of texts, one for each group"
        raise InputError(
            f"{owner}: `hypotheses` are {kinds[in_groups]}, but `references` are {kinds[not in_groups]}; give both in "
            "the same shape."
        )
    if in_groups:
        return pairwise_groups(scorer, hypotheses, references, threads, key, others)
    rows = _single(scorer, hypotheses, "hypotheses")
    columns = None if references is None else _single(scorer, references, "references")
    given = {name: [each] if isinstance(each, str) else each for name, each in (others or {}).items()}
    (matrix,) = _matrices(scorer, rows, columns, threads, key, given)
    return matrix


def pairwise_groups(
    scorer: Scorer,
    hypotheses: Any,
    references: Any = None,
    threads: int | None = None,
    key: str | None = None,
    others: Mapping[str, Any] | None = None,
) -> list[Floats]:
    """A matrix for each group of hypotheses with the group of references at the same place.

    `others` has the metric's other inputs, a text for each group.
    """
    return _matrices(scorer, *_sides(scorer, hypotheses, references, others), threads, key, others)


def grouped_texts(
    scorer: Scorer, hypotheses: Any, references: Any = None
) -> tuple[Collection, list[range], list[range]]:
    """All texts of some groups, and the hypotheses and the references of each group."""
    rows, columns = _sides(scorer, hypotheses, references)
    collection = Collection(rows.column, columns and columns.column, True)
    return collection, rows.groups, (columns or rows).groups


def _sides(
    scorer: Scorer, hypotheses: Any, references: Any, others: Mapping[str, Any] | None = None
) -> tuple[_Side, _Side | None]:
    _refuse_others(scorer, others)
    own = _grouped(scorer, hypotheses, "hypotheses")
    if references is None:
        return own, None
    if len(references) != len(hypotheses):
        raise InputError(
            f"{_owner(scorer)}: {len(hypotheses)} groups of `hypotheses`, but {len(references)} groups of "
            "`references`; each group of hypotheses needs its references."
        )
    return own, _grouped(scorer, references, "references")


class _Side(NamedTuple):
    """The hypotheses or the references, and where each group begins; None if they are no groups."""

    column: Text | Items
    offsets: Offsets | None = None

    @property
    def groups(self) -> list[range]:
        ends = [0, len(self.column)] if self.offsets is None else self.offsets.tolist()
        return [*map(range, ends[:-1], ends[1:])]


def _owner(scorer: Scorer) -> str:
    return f"{type(scorer).__name__}.pairwise"


def _refuse_others(scorer: Scorer, others: Mapping[str, Any] | None) -> None:
    """Refuse a metric that is no score of two texts and of what is given beside them."""
    inputs = {each.name: each for each in scorer.inputs}
    # One that compares pairs may be without references where it has sources.
    alone = not hasattr(scorer, "multi_reference") and all(
        name == "predictions" for name, each in inputs.items() if each.required
    )
    if not scorer.about.two_texts or "references" not in inputs or alone or scorer.about.by_index:
        raise InputError(
            f"{_owner(scorer)}: {scorer.name} is not a score of one text with one reference, so it has no matrix."
        )
    beside = {name for name in inputs if name not in ("predictions", "references")}
    if unknown := next((name for name in others or {} if name not in beside), None):
        raise InputError(f"{_owner(scorer)}: {scorer.name} has no input {unknown!r} beside the two sides.")
    missing = next(
        (each for name, each in inputs.items() if each.required and name in beside - {*(others or {})}), None
    )
    if missing:
        raise InputError(f"{_owner(scorer)}: {missing.missing}")


def _of_groups(scorer: Scorer, others: Mapping[str, Any] | None, count: int) -> dict[str, Text]:
    """The other inputs, a text for each group."""
    owner = _owner(scorer)
    columns = {name: _in_form(scorer, Text(as_text(rows, name, owner))) for name, rows in (others or {}).items()}
    for name, column in columns.items():
        if len(column) != count:
            raise InputError(
                f"{owner}: `{name}` are {number_of(len(column), 'text')} for {number_of(count, 'group')} of "
                "hypotheses; one for each is expected."
            )
    return columns


def _refuse_empty(owner: str, hypotheses: Any, references: Any) -> None:
    for name, side in (("hypotheses", hypotheses), ("references", references)):
        if side is not None and not len(side):
            raise InputError(f"{owner}: `{name}` is empty; a matrix needs at least one text on each side.")


def _are_groups(rows: Any, labels: bool) -> bool:
    """Whether rows are lists of texts. For a metric of sets, a list of strings is a set of labels, as everywhere."""
    if not are_lists(rows):
        return False
    if not labels:
        return True
    return not isinstance(rows[0], (tuple, np.ndarray)) and holds_lists([*rows[0]])


def _single(scorer: Scorer, rows: Any, argument: str) -> _Side:
    owner = _owner(scorer)
    if scorer.takes("sets", "spans") and holds_lists(rows):
        return _Side(Items.of(rows, argument, owner))
    if not hasattr(rows, "type"):  # not Arrow text
        for index, row in enumerate(rows):
            if is_list(row):
                raise InputError(
                    f"{owner}: `{argument}[{index}]` is {with_type(row)} but earlier items are strings; give strings "
                    "only, or lists only."
                )
    return _Side(_in_form(scorer, Text(as_text(rows, argument, owner))))


def _in_form(scorer: Scorer, texts: Text) -> Text:
    """The texts in the Unicode form of the scorer."""
    column = in_form(scorer, Segments.of_columns({"predictions": texts})).predictions
    assert isinstance(column, Text)
    return column


def _grouped(scorer: Scorer, rows: Any, argument: str) -> _Side:
    owner = _owner(scorer)
    if not (scorer.takes("sets", "spans") and _are_groups(rows, True)):
        texts, offsets = grouped_text(rows, owner, argument)
        return _Side(_in_form(scorer, Text(texts)), offsets)
    for index, row in enumerate(rows):
        if not is_list(row) or not len(row):
            raise InputError(f"{owner}: `{argument}[{index}]` is {with_type(row)}; a group of sets is expected.")
    items = Items.of([each for row in rows for each in row], argument, owner)
    return _Side(items, np.cumsum([0, *map(len, rows)]))


def _matrices(
    scorer: Scorer,
    hypotheses: _Side,
    references: _Side | None,
    threads: int | None,
    key: str | None,
    others: Mapping[str, Any] | None = None,
) -> list[Floats]:
    groups, count = [*zip(hypotheses.groups, (references or hypotheses).groups, strict=True)], thread_count(threads)
    collection = Collection(
        hypotheses.column, references and references.column, hypotheses.offsets is not None,
        _of_groups(scorer, others, len(groups)),
    )  # fmt: skip
    scorer, key = _prepared(scorer, collection, key)
    mirrored = collection.same and scorer._symmetric(key)
    matrices = [np.empty((len(rows), len(columns))) for rows, columns in groups]

    def fill(tiles: Sequence[Tile]) -> None:
        values, start = _values(scorer, collection, tiles, key), 0
        for tile in tiles:
            part = values[start : start + tile.area].reshape(len(tile.hypotheses), -1)
            start += tile.area
            matrix = matrices[tile.group.number]
            rows, columns = (slice(side.start, side.stop) for side in tile.within)
            matrix[rows, columns] = part
            if mirrored:
                matrix[columns, rows] = part.T

    most = min(_MOST_PAIRS, max(1, _MOST_BYTES // _pair_bytes(collection)))
    if count > 1:
        most = min(most, -(-sum(map(np.size, matrices)) // (_BLOCKS * count)))
    each_of(fill, _blocks(groups, mirrored, most), count)
    warn(scorer._hints(collection.alone if collection.same else collection.both, of_each=True))
    return matrices


def _prepared(scorer: Scorer, collection: Collection, key: str | None) -> tuple[Scorer, str]:
    """The scorer with its tables, which counts no more than is needed, and the name of the number."""
    if key is not None and (not isinstance(key, str) or key not in scorer.range):
        raise InputError(f"{_owner(scorer)}: no number is called {shown(key)}; {instead_of(key, scorer.range)}")
    if not scorer._is_fitted:
        references = collection.references
        scorer = scorer.fit(Segments.of_columns({"predictions": references, "references": references}))
    chosen = scorer.primary if key is None else key
    fewest = scorer if scorer._chosen or chosen != scorer.primary else scorer._narrowed()
    return fewest, chosen


def _pair_bytes(collection: Collection) -> int:
    sides = collection.hypotheses, collection.references
    return 1 + sum(side.nbytes // len(side) for side in sides)


def _blocks(groups: Sequence[tuple[range, range]], mirrored: bool, most: int) -> Iterator[list[Tile]]:
    """All pairs in blocks of at most `most` pairs; with `mirrored`, only those on the diagonal and right of it."""
    block: list[Tile] = []
    # What is known of a group is forgotten with its last tile.
    parts = (_tiles(Group(number, *sides), mirrored, most) for number, sides in enumerate(groups))
    for tile in chain.from_iterable(parts):
        if block and sum(each.area for each in block) + tile.area > most:
            yield block
            block = []
        block.append(tile)
    if block:
        yield block


def _tiles(group: Group, mirrored: bool, most: int) -> Iterator[Tile]:
    (top, bottom), (left, right) = ((side.start, side.stop) for side in (group.hypotheses, group.references))
    height = max(1, most // (right - left))
    for row in range(top, bottom, height):
        for column in range(row if mirrored else left, right, most):
            yield Tile(group, range(row, min(row + height, bottom)), range(column, min(column + most, right)))


def _values(scorer: Scorer, collection: Collection, tiles: Sequence[Tile], key: str) -> Floats:
    try:
        return _scores(scorer, collection, tiles, key)
    except InputError as error:
        raise _located(scorer, collection, tiles, key, error) from None


def _scores(scorer: Scorer, collection: Collection, tiles: Sequence[Tile], key: str) -> Floats:
    block = Crossed(collection, tiles)
    # A block remembers itself as its only part. Such a circle stays in memory until Python looks for circles.
    with block.forgetting():
        numbers = scorer._score(scorer._rows(block, 1))
    return finite(scorer._label, {key: numbers[key]}, scorer._infinite)[key]


def _located(scorer: Scorer, collection: Collection, tiles: Sequence[Tile], key: str, error: InputError) -> InputError:
    if len(tiles) == 1 and tiles[0].area == 1:
        return _of_pair(scorer, collection, tiles[0], error)
    middle = len(tiles) // 2
    for half in ([each] for each in tiles[0].halves) if middle == 0 else (tiles[:middle], tiles[middle:]):
        try:
            _scores(scorer, collection, half, key)
        except InputError as found:
            return _located(scorer, collection, half, key, found)
    return error


def _of_pair(scorer: Scorer, collection: Collection, tile: Tile, error: InputError) -> InputError:
    try:
        scorer._of_each(Segments.of_columns(Crossed(collection, [tile]).columns), 1)
    except InputError as found:
        error = found
    rows, columns = tile.within
    group = f"[{tile.group.number}]" if collection.in_groups else ""
    hypothesis = f"`hypotheses{group}[{rows.start}]`"
    reference = f"`{'hypotheses' if collection.same else 'references'}{group}[{columns.start}]`"
    message = str(error).replace("`predictions[0]`", hypothesis).replace("`references[0]`", reference)
    return InputError(f"{message} (the pair of {hypothesis} and {reference})")
