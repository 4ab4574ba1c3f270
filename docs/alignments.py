"""Draws docs/meteor.svg and docs/rouge.svg: what METEOR and ROUGE-L match in one pair of texts, from their traces.

``python -m docs.alignments`` writes the files. METEOR needs its tables; a missing one is an error that says what to
install.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

import metrologue
from metrologue.tracing import Alignment, Link, Span, Text, Texts, aligned_words
from metrologue.tracing.picture import Picture

# What each picture shows.
MATCHES = {"meteor": "The words that METEOR 1.5 matches in", "rouge": "The longest common subsequence of"}
FOLDER = Path(__file__).parent
PREDICTION = "they bought a big automobile last week"
REFERENCE = "last week they bought a large car"
MARGIN, LEGEND = 20, 30
STYLE = """
text { font: 14px ui-monospace, "DejaVu Sans Mono", monospace; fill: #1f2328; text-anchor: middle }
.left { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; text-anchor: start }
.quiet, .left { fill: #59636e }
.card { fill: #ffffff; stroke: #d1d9e0 }
.line { fill: none; stroke-width: 2 }
.circle .line { stroke: #0f6cbd } .circle .mark { fill: #0f6cbd }
.diamond .line { stroke: #2a7a4f; stroke-dasharray: 2 4 } .diamond .mark { fill: #2a7a4f }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .quiet, .left { fill: #9198a1 }
  .card { fill: #0d1117; stroke: #3d444d }
  .circle .line { stroke: #4b9fea } .circle .mark { fill: #4b9fea }
  .diamond .line { stroke: #57b984 } .diamond .mark { fill: #57b984 }
}
"""


def of_meteor() -> Alignment:
    """What METEOR 1.5 matches."""
    (found,) = metrologue.trace("meteor:meteor-1.5", PREDICTION, [REFERENCE]).every(Alignment)
    return found


def of_rouge() -> Alignment:
    """The longest common subsequence of ROUGE-L: its words, in the order that they have in both texts."""
    trace = metrologue.trace("rouge:rouge_score", PREDICTION, [REFERENCE])
    (section,) = (each for each in trace.sections if each.name == "rougeL")
    ((own, its),) = (each.texts for each in section.every(Texts))
    links = [
        Link(name="in the longest common subsequence", shape="circle", starts=pair, lengths=(1, 1))
        for pair in zip(_matched(own), _matched(its), strict=True)
    ]
    return aligned_words(("prediction", "reference"), [_words(own), _words(its)], links)


def _pieces(text: Text) -> Iterator[tuple[str, bool]]:
    """The words of a text, and whether each is matched."""
    for sentence in text.sentences:
        for piece in sentence:
            if isinstance(piece, Span):
                yield from ((word, piece.state == "matched") for word in piece.tokens)
            else:
                yield piece, False


def _words(text: Text) -> list[str]:
    return [word for word, _ in _pieces(text)]


def _matched(text: Text) -> list[int]:
    return [place for place, (_, matched) in enumerate(_pieces(text)) if matched]


def description(name: str) -> str:
    """The picture of a metric in words, of which none is computed: a page needs no tables of METEOR."""
    return f"{MATCHES[name]} \u201c{PREDICTION}\u201d and \u201c{REFERENCE}\u201d"


def svg(alignment: Alignment) -> str:
    """The picture of an alignment, with a card around it and a legend below."""
    picture = Picture(alignment)
    width, height = picture.width + 2 * MARGIN, picture.height + 2 * MARGIN + LEGEND
    parts = [
        f'<g class="{link.shape}"><path class="line" d="{path}"/>'
        + "".join(
            f'<path class="mark" transform="translate({x:.1f} {y:.1f})" d="{picture.shapes[link.shape]}"/>'
            for x, y in ends
        )
        + "</g>"
        for path, ends, link in picture.curves
    ]
    parts += [
        f'<text class="{"word" if word.link else "quiet"}" x="{x:.1f}" y="{y + 5:.1f}">{escape(word.text)}</text>'
        for x, y, word in picture.words
    ]
    names = zip(picture.names, ("prediction", "reference"), strict=True)
    parts += [f'<text class="left" x="{x:.1f}" y="{y + 4:.1f}">{name}</text>' for (x, y, _), name in names]
    x, y = picture.names[0][0], picture.height + LEGEND - 6
    for name, shape in dict.fromkeys((link.name, link.shape) for link in alignment.links):
        parts.append(
            f'<g class="{shape}"><path class="mark" transform="translate({x + 6:.1f} {y - 4.5:.1f})" '
            f'd="{picture.shapes[shape]}"/></g><text class="left" x="{x + 18:.1f}" y="{y:.1f}">{escape(name)}</text>'
        )
        x += 30 + 7 * len(name)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">
<title>{escape(picture.sentence)}</title>
<style>{STYLE}</style>
<rect class="card" x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="8"/>
<g transform="translate({MARGIN} {MARGIN})">
{chr(10).join(parts)}
</g>
</svg>
"""


DRAWN = {"meteor": of_meteor, "rouge": of_rouge}


if __name__ == "__main__":
    for name, alignment_of in DRAWN.items():
        (FOLDER / f"{name}.svg").write_text(svg(alignment_of()), "utf-8")
