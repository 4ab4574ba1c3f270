"""Test sets and scores of WMT's metrics task in the files of mt-metrics-eval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from metrologue.data.judgements import Judgements, Ratings
from metrologue.errors import InputError, number_of, shown
from metrologue.files.objects import json_lines, read_text, score_of

# A score that is missing, and a text that is.
_NONE, _NO_TEXT = "None", "[No translation supplied]"
# WMT's own reference, where it is not the first one by name; and the systems that its results leave out.
_REFERENCES = {
    ("wmt24", "en-de"): "refB", ("wmt23", "he-en"): "refB", ("wmt23", "en-he"): "refB", ("wmt22", "cs-en"): "refB",
    ("wmt22", "en-cs"): "refB", ("wmt21.news", "en-de"): "refC", ("wmt21.news", "zh-en"): "refB",
    ("wmt21.tedtalks", "zh-en"): "refB",
}  # fmt: skip
_OUTLIERS = {"wmt24": "MSLC", "wmt23": "synthetic_ref", "wmt22": "M2M100_1.2B-B4"}


def score_rows(path: Path) -> tuple[str, Iterator[tuple[str, dict[str, str]]]]:
    """The name of the metric, and the rows, of a file of WMT's scores: NAME.seg.score or NAME.sys.score.

    Each line has a system and a score. Those of segments have a block for each system, and get the numbers of the
    segments, from 1. Raises an InputError for another name or line.
    """
    for level in ("seg", "sys"):
        if name := path.name.removesuffix(f".{level}.score") * path.name.endswith(f".{level}.score"):
            return name, _rows(path, name, level == "seg")
    raise InputError(f"{path}: the name of such a file ends in .seg.score or .sys.score.")


def _rows(path: Path, name: str, of_segments: bool) -> Iterator[tuple[str, dict[str, str]]]:
    counts: dict[str, int] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        cells = line.split()
        if len(cells) != 2:
            raise InputError(f"{path}:{number}: {number_of(len(cells), 'cell')}; a system and its score are expected.")
        system, score = cells
        counts[system] = counts.get(system, 0) + 1
        segment = {"segment": str(counts[system])} if of_segments else {}
        yield f"{path}:{number}", {"system": system, **segment, name: "" if score == _NONE else score}


def read_mt_metrics_eval(path: str | Path, reference: str | None = None) -> Judgements:
    """A test set of WMT with its scores by people, such as MQM or DA+SQM, in the folders of mt-metrics-eval.

    Parameters
    ----------
    path : str or path
        A file of scores, such as ``wmt23/human-scores/en-de.mqm.seg.score``; or the folder of a test set that has one
        language pair, with all its scores of segments. Texts are in the folders ``sources``, ``references`` and
        ``system-outputs`` beside it.
    reference : str, optional
        The name of a reference, such as "refB"; by default WMT's own for this test set, or the first by name.

    Returns
    -------
    Judgements
        A quality for each file of scores, such as "mqm". Segments are numbered from 1. The translator of the reference,
        if it is among the systems, is left out; so are systems that nobody rated.

    Raises
    ------
    InputError
        If a file is not there or has another form, or texts are not as many as their sources.
    """
    path = Path(path)
    files = [path] if path.is_file() else sorted((path / "human-scores").glob("*.seg.score"))
    parts = [each.name.removesuffix(".seg.score").partition(".") for each in files]
    if not files and path.is_dir():
        raise InputError(f"{path} is a folder without human-scores/PAIR.NAME.seg.score; such a file is expected.")
    if not files or not all(quality for _, _, quality in parts):
        raise InputError(f"{path}: no PAIR.NAME.seg.score, such as human-scores/en-de.mqm.seg.score.")
    if len({pair for pair, *_ in parts}) > 1:
        raise InputError(f"{path} has several language pairs; give one file of scores, such as {files[0]}.")
    pair, root = parts[0][0], files[0].absolute().parent.parent
    sources = _texts(_one(root / "sources", pair), "source")
    file = _one(root / "references", f"{pair}.{reference or _REFERENCES.get((root.name, pair), '*')}")
    translator = file.name.removeprefix(f"{pair}.").rpartition(".")[0]
    references = _texts(file, "target", len(sources))
    given = {quality: _by_system(each) for each, (_, _, quality) in zip(files, parts, strict=True)}
    rated = [
        system
        for system in dict.fromkeys(name for scores in given.values() for name in scores)
        if system != translator and any(not np.isnan(scores.get(system, np.nan)).all() for scores in given.values())
    ]
    rows = []
    columns: dict[str, list[float]] = {quality: [] for quality in given}
    for system in rated:
        outputs = _texts(_one(root / "system-outputs" / pair, system), "hypothesis", len(sources))
        for place, text in enumerate(outputs):
            if text == _NO_TEXT:
                continue
            rows.append((system, place, text))
            for quality, scores in given.items():
                own = scores.get(system, np.full(len(sources), np.nan))
                if len(own) != len(sources):
                    told = number_of(len(own), "score")
                    raise InputError(f"{quality}: {told} of {shown(system)} for {number_of(len(sources), 'segment')}.")
                columns[quality].append(float(own[place]))
    is_rated = any(translator in scores for scores in given.values())
    notes = [f"{translator} is the reference{', and is not scored' * is_rated}."]
    if (outlier := _OUTLIERS.get(root.name)) in rated:
        notes.append(f"WMT's results leave out {outlier}; --leave-out {outlier} does so.")
    if others := [each.name for each in sorted((root / "references").glob(f"{pair}.*")) if each != file]:
        names = [name.removeprefix(f"{pair}.").rpartition(".")[0] for name in others]
        notes.append(f"There are other references, too: {', '.join(names)}; systems of these names are people.")
    if missing := len(rated) * len(sources) - len(rows):
        notes.append(f"{number_of(missing, 'text')} {'is' if missing == 1 else 'are'} missing in the systems' outputs.")
    return Judgements(
        segments=tuple(str(place + 1) for _, place, _ in rows),
        hypotheses=tuple(text for *_, text in rows),
        ratings={name: Ratings(np.array(values)[:, None], ("mean",)) for name, values in columns.items()},
        systems=tuple(system for system, *_ in rows),
        references=tuple((references[place],) for _, place, _ in rows),
        contexts=tuple(sources[place] for _, place, _ in rows),
        notes=tuple(notes),
    )


def _by_system(path: Path) -> Mapping[str, np.ndarray]:
    name, rows = score_rows(path)
    by_system: dict[str, list[float]] = {}
    for where, row in rows:
        by_system.setdefault(row["system"], []).append(score_of(row[name], where))
    return {system: np.array(scores) for system, scores in by_system.items()}


def _one(folder: Path, stem: str) -> Path:
    """The first file of this name, with the ending .txt or .jsonl."""
    found = [each for ending in ("txt", "jsonl") for each in sorted(folder.glob(f"{stem}.{ending}"))]
    if not found:
        raise InputError(f"{folder}: there is no {stem}.txt; the folders are those of mt-metrics-eval.")
    return found[0]


def _texts(path: Path, key: str, count: int | None = None) -> list[str]:
    texts = read_text(path).split("\n") if path.suffix == ".txt" else [each.text(key) for each in json_lines(path)]
    if count not in (None, len(texts)):
        raise InputError(f"{path} has {number_of(len(texts), 'text')} for {number_of(count or 0, 'source')}.")
    return texts
