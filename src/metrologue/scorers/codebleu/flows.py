"""The data flow of a program, as CodeXGLUE's scripts find it in a syntax tree, and the forks that took them over.

A flow says that a variable takes its value from others. The walk through a tree is the same in all languages; only the
types of the nodes differ. It keeps, for each name, the tokens where it may have got its value.

CodeXGLUE joins the names of a flow that is found twice in the order of a Python set, which differs from process to
process. Here they keep the order in which they are found, so that the flows of a program do not change if its names do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["RULES", "Rules", "data_flow"]

COMES, COMPUTED = "comesFrom", "computedFrom"
# Nodes that are one token, whatever is in them.
_WHOLE = frozenset({"string_literal", "string", "character_literal"})


class Flow(NamedTuple):
    """A token of a variable, and the tokens that its value comes from."""

    name: str
    place: int
    relation: str
    names: list[str]
    places: list[int]


States = dict[str, list[int]]  # for each name, the tokens where it may have got its value
Found = tuple[list[Flow], States]
Steps = Generator[tuple["Node", States], Found, Found]
Ends = tuple["Node | None", "Node | None"]


class _NoNodeError(LookupError):
    """A node without the part that is looked for; the text then has no data flow."""


def _there(node: Node | None) -> Node:
    if node is None:
        raise _NoNodeError
    return node


def _fields(first: str, second: str) -> Callable[[Node], Ends]:
    """What gives the nodes in two fields."""
    return lambda node: (node.child_by_field_name(first), node.child_by_field_name(second))


def _of_two(node: Node) -> Ends:
    """C#: a declarator with two children has a value."""
    children = node.children
    return children[0], children[1] if len(children) == 2 else None


def _after_first(node: Node) -> Ends:
    """Rust: a function and its parameters."""
    children = node.children
    return children[1], children[2] if len(children) >= 3 else None


def _variables_of_php(node: Node) -> Ends:
    """PHP: the second variable of a loop is the item, the first what has it."""
    found = [child for child in node.children if child.type == "variable_name"]
    return (found[1] if len(found) > 1 else None), (found[0] if found else None)


_NAME_AND_VALUE = _fields("name", "value")


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The types of nodes of a language that change what a name stands for."""

    assignments: frozenset[str]
    definitions: frozenset[str]
    branches: frozenset[str]
    alternatives: frozenset[str] = frozenset()  # those within a branch; the branches themselves by default
    increments: frozenset[str] = frozenset()
    loops: frozenset[str]
    second_pass: str = ""  # what follows this child of a loop is walked through twice
    iterations: frozenset[str] = frozenset()  # loops over items
    whiles: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()  # children that come before the others
    defined: Callable[[Node], Ends] = _NAME_AND_VALUE
    iterated: Callable[[Node], Ends] = _NAME_AND_VALUE
    by_sides: bool = False  # whether several names on the left are assigned one by one
    one_way: bool = True  # whether all children after the first alternative are alternatives
    may_skip: bool = False  # whether no branch may be taken even if there is an "else"
    in_place: bool = False  # whether a node changes the states of the node above it


def _set(*types: str) -> frozenset[str]:
    return frozenset(types)


_C_SHARP = Rules(
    assignments=_set("assignment_expression"),
    definitions=_set("variable_declarator"),
    increments=_set("postfix_unary_expression"),
    branches=_set("if_statement", "else"),
    loops=_set("for_statement"),
    second_pass="local_variable_declaration",
    iterations=_set("for_each_statement"),
    whiles=_set("while_statement"),
    defined=_of_two,
    iterated=_fields("left", "right"),
)
_JAVASCRIPT = Rules(
    assignments=_set("assignment_pattern", "augmented_assignment_expression"),
    definitions=_set("variable_declarator"),
    increments=_set("update_expression"),
    branches=_set("if_statement", "else"),
    loops=_set("for_statement"),
    second_pass="variable_declaration",
    whiles=_set("while_statement"),
    may_skip=True,
)
RULES = {
    "c": _C_SHARP,  # as in XLCoST, which gave them to the package codebleu
    "cpp": _C_SHARP,
    "c_sharp": _C_SHARP,
    "go": Rules(
        assignments=_set("assignment_statement"),
        definitions=_set("var_spec"),
        increments=_set("inc_statement"),
        branches=_set("if_statement", "else"),
        loops=_set("for_statement"),
        second_pass="for_clause",
        may_skip=True,
    ),
    "java": Rules(
        assignments=_set("assignment_expression"),
        definitions=_set("variable_declarator"),
        increments=_set("update_expression"),
        branches=_set("if_statement", "else"),
        loops=_set("for_statement"),
        second_pass="local_variable_declaration",
        iterations=_set("enhanced_for_statement"),
        whiles=_set("while_statement"),
    ),
    "javascript": _JAVASCRIPT,
    "php": Rules(
        assignments=_set("assignment_expression", "augmented_assignment_expression"),
        definitions=_set("simple_parameter"),
        increments=_set("update_expression"),
        branches=_set("if_statement", "else_clause"),
        loops=_set("for_statement"),
        second_pass="assignment_expression",
        iterations=_set("foreach_statement"),
        whiles=_set("while_statement"),
        defined=_fields("name", "default_value"),
        iterated=_variables_of_php,
        may_skip=True,
    ),
    "python": Rules(
        assignments=_set("assignment", "augmented_assignment", "for_in_clause"),
        definitions=_set("default_parameter"),
        branches=_set("if_statement"),
        alternatives=_set("elif_clause", "else_clause"),
        loops=_set("for_statement"),
        whiles=_set("while_statement"),
        first=_set("for_in_clause"),
        by_sides=True,
        one_way=False,
    ),
    "ruby": Rules(
        assignments=_set("assignment", "operator_assignment"),
        definitions=_set("keyword_parameter"),
        branches=_set("if", "elsif", "else", "unless", "when"),
        loops=_set("for"),
        whiles=_set("while_modifier", "until"),
        by_sides=True,
        one_way=False,
        in_place=True,
    ),
    "rust": Rules(
        assignments=_set("assignment_expression", "compound_assignment_expr", "let_expression"),
        definitions=_set("function_item"),
        branches=_set("if_expression", "if_let_expression", "match_expression", "else"),
        loops=_set("for_expression"),
        second_pass="local_variable_declaration",
        iterations=_set("for_each_statement"),
        whiles=_set("while_expression", "while_let_expression", "loop_expression"),
        defined=_after_first,
        iterated=_fields("left", "right"),
    ),
    "typescript": _JAVASCRIPT,  # no fork has rules of its own for it
}


def data_flow(root: Node, code: str, language: str) -> Counter[tuple[int, str, tuple[int, ...]]]:
    """The flows of a program, with its names numbered in the order in which they are met, and how often each occurs.

    A text whose tree lacks a part that the rules look for has none.
    """
    try:
        flows, _ = _walk(_Reader(root, code, RULES[language]), root)
    except LookupError:
        return Counter()
    flows.sort(key=lambda flow: flow.place)
    joined = {flow.place for flow in flows if flow.places}.union(*(flow.places for flow in flows))
    numbers: dict[str, int] = {}
    found: Counter[tuple[int, str, tuple[int, ...]]] = Counter()
    for flow in _merged((flow for flow in flows if flow.place in joined), lambda flow: flow.place):
        for name in (*flow.names, flow.name):
            numbers.setdefault(name, len(numbers))
        found[numbers[flow.name], flow.relation, tuple(numbers[name] for name in flow.names)] += 1
    return found


def _merged(flows: Iterable[Flow], key: Callable[[Flow], object]) -> list[Flow]:
    """One flow for each key, with the distinct names and places of all that have it."""
    merged: dict[object, Flow] = {}
    for flow in flows:
        if (known := merged.get(own := key(flow))) is None:
            merged[own] = flow
        else:
            names = [*dict.fromkeys([*known.names, *flow.names])]
            merged[own] = known._replace(names=names, places=sorted({*known.places, *flow.places}))
    return [*merged.values()]


def _walk(reader: _Reader, root: Node) -> Found:
    """Drive the reader's steps, so that the depth of a tree is no depth of Python's calls."""
    waiting = [reader.flow(root, {})]
    found: Found | None = None
    while waiting:
        try:
            step = waiting[-1]
            node, states = next(step) if found is None else step.send(found)
        except StopIteration as end:
            found = end.value
            waiting.pop()
        else:
            waiting.append(reader.flow(node, states))
            found = None
    assert found is not None
    return found


def _is_token(node: Node) -> bool:
    return (not node.children or node.type in _WHOLE) and node.type != "comment"


def _tokens(root: Node) -> list[Node]:
    """The tokens of a tree, in their order."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        if _is_token(node):
            found.append(node)
        else:
            waiting.extend(reversed(node.children))
    return found


class _Reader:
    """The flows of each node of one program."""

    def __init__(self, root: Node, code: str, rules: Rules) -> None:
        self.rules = rules
        lines = code.split("\n")
        # Tokens without characters can be at one place; the last one counts.
        self.tokens = {
            (token.start_point, token.end_point): (place, _text(token, lines))
            for place, token in enumerate(_tokens(root))
        }
        self.known: dict[object, Found] = {}

    def token(self, node: Node) -> tuple[int, str]:
        return self.tokens[node.start_point, node.end_point]

    def variables(self, node: Node | None) -> list[tuple[int, str]]:
        """Place and name of each token within a node that is no mark or keyword."""
        found = ((token.type, self.token(token)) for token in _tokens(_there(node)))
        return [token for kind, token in found if kind != token[1]]

    def flow(self, node: Node, states: States) -> Steps:
        """The flows within a node, and the states after it."""
        rules, kind = self.rules, node.type
        if _is_token(node):
            return (yield from self._of_token(node, states))
        if not rules.in_place:
            states = dict(states)
        if kind in rules.definitions:
            return (yield from self._of_ends(*rules.defined(node), states, COMES))
        if kind in rules.assignments:
            if rules.by_sides:
                return (yield from self._of_sides(*self._sides(node), states))
            return (yield from self._of_ends(*_fields("left", "right")(node), states, COMPUTED))
        if kind in rules.increments:
            variables = self.variables(node)
            return self._assigned(variables, variables, states, COMPUTED), states
        if kind in rules.branches:
            return (yield from self._of_branches(node, states))
        for types, steps in (
            (rules.loops, self._of_sided_loop if rules.by_sides else self._of_loop),
            (rules.iterations, self._of_iteration),
            (rules.whiles, self._of_while),
        ):
            if kind in types:
                return (yield from self._of_repeated(node, states, steps))
        children = sorted(node.children, key=lambda child: child.type not in rules.first)
        return (yield from self._of_all(children, states))

    def _of_token(self, node: Node, states: States) -> Steps:
        place, name = self.token(node)
        states = dict(states)
        yield from ()
        if node.type == name:
            return [], states
        if name in states:
            return [Flow(name, place, COMES, [name], [*states[name]])], states
        if node.type == "identifier":
            states[name] = [place]
        return [Flow(name, place, COMES, [], [])], states

    def _of_all(self, nodes: Iterable[Node | None], states: States) -> Steps:
        flows: list[Flow] = []
        for node in nodes:
            own, states = yield _there(node), states
            flows += own
        return flows, states

    @staticmethod
    def _assigned(
        left: Sequence[tuple[int, str]], right: Sequence[tuple[int, str]], states: States, relation: str
    ) -> list[Flow]:
        """A flow from each variable on the right to each on the left."""
        flows = []
        for place, name in left:
            flows += [Flow(name, place, relation, [other], [source]) for source, other in right]
            states[name] = [place]
        return flows

    def _of_ends(self, name: Node | None, value: Node | None, states: States, relation: str) -> Steps:
        """A definition or an assignment. A definition may have no value."""
        if value is None and relation == COMES:
            flows = []
            for place, own in self.variables(name):
                flows.append(Flow(own, place, COMES, [], []))
                states[own] = [place]
            return flows, states
        left, right = self.variables(name), self.variables(value)
        flows, states = yield _there(value), states
        flows += self._assigned(left, right, states, relation)
        return flows, states

    def _sides(self, node: Node) -> tuple[list[Node], list[Node]]:
        """The names and the values of an assignment; none if it only says a type."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if node.type == "for_in_clause":
            return [_there(left)], [node.children[-1]]
        if right is None and node.type in ("assignment", "augmented_assignment") and not self.rules.in_place:
            return [], []
        sides = _parted(left, right)
        return ([node.children[0]], [node.children[-1]]) if node.type == "operator_assignment" else sides

    def _of_sides(self, left: list[Node], right: list[Node], states: States) -> Steps:
        flows, states = yield from self._of_all(right, states)
        for one, other in zip(left, right, strict=False):
            names, sources = self.variables(one), self.variables(other)
            for place, name in names:
                flows.append(
                    Flow(name, place, COMPUTED, [each for _, each in sources], [source for source, _ in sources])
                )
                states[name] = [place]
        return flows, states

    def _of_branches(self, node: Node, states: States) -> Steps:
        rules, flows = self.rules, list[Flow]()
        alternatives = rules.alternatives or rules.branches
        current, ends, is_past, is_complete = dict(states), [], False, "else" in node.type
        for child in node.children:
            is_complete = is_complete or "else" in child.type
            if child.type in alternatives or (is_past and rules.one_way):
                is_past = True
                own, end = yield child, states
                ends.append(end)
            else:
                own, current = yield child, current
            flows += own
        ends.append(current)
        if rules.may_skip or not is_complete:
            ends.append(states)
        joined: dict[str, set[int]] = {}
        for end in ends:
            for name, places in end.items():
                joined.setdefault(name, set()).update(places)
        return flows, {name: sorted(places) for name, places in joined.items()}

    def _of_repeated(self, node: Node, states: States, steps: Callable[[Node, States], Steps]) -> Steps:
        """A loop, whose steps walk through it twice. What it did with equal states is remembered: loops are nested."""
        key = node.id, tuple((name, tuple(places)) for name, places in sorted(states.items()))
        if key not in self.known:
            flows, states = yield from steps(node, states)
            merged = _merged(flows, lambda flow: (flow.name, flow.place, flow.relation))
            self.known[key] = merged, states
        flows, states = self.known[key]
        return [*flows], dict(states)

    def _of_while(self, node: Node, states: States) -> Steps:
        return (yield from self._of_all([*node.children, *node.children], states))

    def _of_loop(self, node: Node, states: States) -> Steps:
        """All of it, then again what follows the child that sets the variable."""
        mark, children = self.rules.second_pass, node.children
        flows, states = yield from self._of_all(children, states)
        at = next((at for at, child in enumerate(children) if child.type == mark), len(children))
        rest = children[at + 1 :]
        if at < len(children) and mark == "for_clause" and (update := children[at].child_by_field_name("update")):
            rest = [update, *rest]
        more, states = yield from self._of_all(rest, states)
        return flows + more, states

    def _of_iteration(self, node: Node, states: States) -> Steps:
        name, value = self.rules.iterated(node)
        flows: list[Flow] = []
        for _ in range(2):
            own, states = yield _there(value), states
            flows += own + self._assigned(self.variables(name), self.variables(value), states, COMPUTED)
            own, states = yield _there(node.child_by_field_name("body")), states
            flows += own
        return flows, states

    def _of_sided_loop(self, node: Node, states: States) -> Steps:
        """A loop of Python or Ruby, whose variables are assigned as in an assignment."""
        if self.rules.in_place:
            left, right = [_there(node.child_by_field_name("pattern"))], [_there(node.child_by_field_name("value"))]
            body = _there(node.child_by_field_name("body"))
        else:
            left, right = _parted(*_fields("left", "right")(node))
            body = node.children[-1]
        flows: list[Flow] = []
        for _ in range(2):
            own, states = yield from self._of_sides(left, right, states)
            flows += own
            if self.rules.in_place or body.type == "block":
                own, states = yield body, states
                flows += own
        return flows, states


def _parted(left: Node | None, right: Node | None) -> tuple[list[Node], list[Node]]:
    """The nodes on both sides of an assignment: one by one, or the sides as they are if their numbers differ."""
    names, values = ([child for child in _there(side).children if child.type != ","] for side in (left, right))
    if len(names) != len(values) or not names:
        return [_there(left)], [_there(right)]
    return names, values


def _text(token: Node, lines: list[str]) -> str:
    """The characters of a token. Columns are counted in bytes; the programs take them for characters."""
    (row, start), (last, end) = token.start_point, token.end_point
    if row == last:
        return lines[row][start:end]
    return "".join([lines[row][start:], *lines[row + 1 : last], lines[last][:end]])
