"""A graph of nodes and edges: as lines for a terminal, and as a picture for a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

from metrologue.tracing.blocks import Block, Span, piece_text
from metrologue.tracing.picture import LETTER
from metrologue.tracing.spelling import visible, width_of

# The picture's measures, in pixels: the height of a node's row, the gap between words and lines, the room of an arrow.
ROW, GAP, ARROW = 34.0, 12.0, 7.0
# Lines that end at one node have so many heights, this far apart.
ENDS, APART = 5, 4.0


@dataclass(frozen=True, kw_only=True)
class Node:
    """A node of a graph, and its attributes.

    Attributes
    ----------
    name : Span
        Its words, with the state "matched" or "missing".
    attributes : tuple of Span
    """

    name: Span
    attributes: tuple[Span, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Edge:
    """A relation of two nodes.

    Attributes
    ----------
    source, target : int
        The indices of the nodes.
    name : Span
        Its words, with the state "matched" or "missing".
    """

    source: int
    target: int
    name: Span


@dataclass(frozen=True, kw_only=True)
class Graph(Block):
    """Nodes with attributes, and edges between them, such as a scene graph.

    Attributes
    ----------
    name : str
    nodes : tuple of Node
    edges : tuple of Edge
    """

    kind: ClassVar[str] = "graph"

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def spans(self) -> list[Span]:
        """The words of all nodes, attributes and edges."""
        return [*(span for node in self.nodes for span in (node.name, *node.attributes)), *(e.name for e in self.edges)]

    @property
    def size(self) -> int:
        """The number of nodes, attributes and edges."""
        return len(self.spans)

    @property
    def matched_count(self) -> int:
        """How many of them match."""
        return sum(span.state == "matched" for span in self.spans)

    @property
    def title(self) -> str:
        """The name, and how many match.

        Examples
        --------
        >>> Graph(name="hypothesis", nodes=(Node(name=Span(tokens=("dog",), state="matched")),), edges=()).title
        'hypothesis: 1 of 1 match'
        """
        return f"{self.name}: {self.matched_count} of {self.size} match"

    @property
    def lines(self) -> list[str]:
        """A line for each node with its attributes, then one for each edge.

        Examples
        --------
        >>> dog, run = Span(tokens=("dog",), state="matched"), Span(tokens=("run",), state="missing")
        >>> nodes = Node(name=dog, attributes=(run,)), Node(name=Span(tokens=("park",), state="matched"))
        >>> edge = Edge(source=0, target=1, name=Span(tokens=("in",), state="matched"))
        >>> Graph(name="hypothesis", nodes=nodes, edges=(edge,)).lines
        ['●dog: ○run', '●park', 'dog —●in→ park']
        """
        return [*map(_node_text, self.nodes), *map(self.spelled, self.edges)]

    def spelled(self, edge: Edge) -> str:
        """An edge with its two nodes, in words."""
        source, target = (" ".join(map(visible, self.nodes[place].name.tokens)) for place in (edge.source, edge.target))
        return f"{source} —{piece_text(edge.name)}→ {target}"

    # What the picture draws.

    @cached_property
    def _left(self) -> float:
        """Where the words of the nodes end."""
        return GAP + max([LETTER * width_of(_node_text(node)) for node in self.nodes], default=0.0) + GAP

    @cached_property
    def _lanes(self) -> list[float]:
        """Where the line of each edge runs, from left to right; after the last one, the width of the picture."""
        rooms = (GAP + LETTER * width_of(piece_text(edge.name)) + GAP for edge in self.edges)
        return [*accumulate(rooms, initial=self._left + 2 * GAP)]

    @property
    def width(self) -> float:
        """The width of the picture."""
        return self._lanes[-1]

    @property
    def height(self) -> float:
        """The height of the picture."""
        return ROW * len(self.nodes) + GAP

    @staticmethod
    def _y(node: int) -> float:
        return ROW * (node + 0.5)

    @property
    def words(self) -> Iterator[tuple[float, float, str, str]]:
        """The beginning of the words of each node and attribute, the words, and their state."""
        for index, node in enumerate(self.nodes):
            x = GAP
            for place, span in enumerate((node.name, *node.attributes)):
                last = place == len(node.attributes)
                text = piece_text(span) + ("" if last else "," if place else ":")
                yield x, self._y(index), text, span.state
                x += LETTER * (width_of(text) + 1)

    @property
    def arrows(self) -> Iterator[tuple[str, str, float, float, Edge]]:
        """The path of each edge, that of its head, and where its words begin."""
        for number, (edge, lane) in enumerate(zip(self.edges, self._lanes, strict=False)):
            shift = APART * (number % ENDS - ENDS // 2)
            start, end = self._y(edge.source) + shift, self._y(edge.target) + shift + APART / 2
            path = f"M{self._left:.1f} {start:.1f}H{lane:.1f}V{end:.1f}H{self._left + ARROW:.1f}"
            head = f"M{self._left:.1f} {end:.1f}l{ARROW} {-ARROW / 2}v{ARROW}z"
            between = ROW * (min(edge.source, edge.target) + 1)  # two rows, where no other line runs across
            yield path, head, lane + GAP / 2, between, edge


def _node_text(node: Node) -> str:
    attributes = ", ".join(map(piece_text, node.attributes))
    return f"{piece_text(node.name)}: {attributes}" if attributes else piece_text(node.name)
