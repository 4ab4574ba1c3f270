"""Every option of every metric through ``--set``, and every option of every command that may be given once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

import click
import pytest
from amounts import everyday, nth
from click.testing import CliRunner, Result

from metrologue.cli import main
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.configuration import _texts
from metrologue.scorers.core.options import LabelText, Option, field_types, options_of, parsed_fields, spelled
from metrologue.scorers.core.variants import short_signature

Write = Callable[[str, list[str]], str]
# Any text is a tag, a relation or a predicate, and most are regular expressions.
ANY_TEXT = {"function_tags", "left_out", "optional_facts", "regexes_to_ignore"}


def fields() -> list[Any]:
    """Every option of every metric. What reads them knows the declaration only: everyday, one of each kind."""
    every = [(metric, field) for metric in list_scorers() for field in options_of(get_scorer(metric))]
    kinds = {declaration(*each): each for each in reversed(every)}
    firsts = {metric: (metric, field) for metric, field in reversed(every)}
    return everyday(every, {*kinds.values(), *firsts.values()}.__contains__)


def declaration(metric: str, field: str) -> tuple[Any, ...]:
    declared, kind = options_of(get_scorer(metric))[field], field_types(get_scorer(metric))[field]
    return (
        repr(kind), declared.kind, declared.least, declared.greatest, declared.infinite,
        declared.one_of is None, field in ANY_TEXT,
    )  # fmt: skip


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, lines: list[str]) -> str:
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return str(tmp_path / name)

    return write


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def item_of(kind: Any) -> Any:
    return item_of(get_args(kind)[0]) if isinstance(kind, UnionType) or get_origin(kind) is tuple else kind


def is_list(kind: Any) -> bool:
    return any(map(is_list, get_args(kind))) if isinstance(kind, UnionType) else get_origin(kind) is tuple


def wrong_items(declared: Option, item: Any) -> Iterator[str]:
    """Texts that no option with this declaration takes."""
    if item in (int, float):
        yield from ("", "abc", "true", "nan", "-inf", "1_0", "٤", "0x1", "[", "1,5")
        yield repr(item(declared.least) - 1)
        yield repr(item(declared.greatest) + 1 if item is int else declared.greatest * 1.01)
        yield from () if declared.infinite else ("inf", "1e999")
        yield from ("1.5", "1e1") if item is int else ()
    elif item is bool:
        yield from ("", "maybe", "2", "null", "[true]")
    elif item is not LabelText:
        yield from ("no-such-name", "1", " ", "null?")


@pytest.mark.parametrize(("metric", "field"), fields())
def test_what_a_scorer_does_not_take_is_refused_and_the_option_named(metric: str, field: str, write: Write) -> None:
    scorer = get_scorer(metric)
    declared, kind = options_of(scorer)[field], field_types(scorer)[field]
    wrong = {*wrong_items(declared, item_of(kind))} - (
        {"1", " ", "no-such-name", "null?"} if field in ANY_TEXT else set()
    )
    if is_list(kind):
        items = {text for text in wrong if text and "," not in text}
        wrong |= {f"[{text}]" for text in items} | {f"[1,{text}]" for text in items}
        wrong |= {"[1,,1]", "[,]", "1", "[1", "a]"} if field not in ANY_TEXT else {"["}
    references = ["-r", write("ref.txt", ["a c"])] if scorer.input("references") else []
    files = ["-p", write("hyp.txt", ["a b"]), *references]
    for text in sorted(wrong)[:: nth(2)]:
        result = run("score", metric, *files, "--set", f"{field}={text}")
        assert (result.exit_code, result.stdout) == (2, ""), (text, result.exception)
        assert isinstance(result.exception, SystemExit)
        assert re.search(rf"\b{field}\b", result.stderr), (text, result.stderr)


def accepted(declared: Option, item: Any) -> list[str]:
    if declared.one_of:
        return list(declared.one_of)
    if item is bool:
        return ["true", "false"]
    if item in (int, float):
        least, greatest = item(declared.least), item(min(declared.greatest, 1000))
        return [spelled(least), spelled(min(max(least, item(3)), greatest)), spelled(greatest)]
    return []


@pytest.mark.parametrize(("metric", "field"), fields())
def test_what_is_taken_appears_in_the_signature(metric: str, field: str) -> None:
    """A value is in the signature as it is given, or is refused beside the other fields; none becomes another one."""
    scorer = get_scorer(metric)
    kind = field_types(scorer)[field]
    for text in accepted(options_of(scorer)[field], item_of(kind)):
        given = f"[{text}]" if is_list(kind) else text
        result = run("score", metric, "--cite", "--set", f"{field}={given}")
        if result.exit_code:
            assert (result.exit_code, "--set" in result.stderr or "--model" in result.stderr) == (2, True), given
            continue
        made = scorer._from_fields(parsed_fields(scorer, {field: given}))
        _, parts = _texts(made.signature, Scorer)
        assert parts[field] == given
        assert short_signature(made) in result.stdout or made.signature in result.stdout


@pytest.mark.parametrize("text", ["inf", "infinite", "Infinity"])
def test_an_infinite_number_has_the_word_of_the_list_too(text: str, write: Write) -> None:
    files = ["-p", write("hyp.txt", ["a b"]), "-r", write("ref.txt", ["a c d e"])]
    infinite = [(name, field) for name in list_scorers() for field, each in options_of(get_scorer(name)).items()
                if each.infinite]  # fmt: skip
    assert ("rouge", "beta") in infinite
    for metric, field in infinite:
        made = get_scorer(metric)
        assert made._from_fields(parsed_fields(made, {field: text})) == made._from_fields({field: float("inf")})
    result = run("score", "rouge", "--set", f"beta={text}", "--set", "types=[rouge1]", "-b", *files)
    assert result.stdout == "0.2500\n"


def test_an_unknown_option_of_every_metric(write: Write) -> None:
    for metric in list_scorers():
        result = run("score", metric, "-p", write("hyp.txt", ["a"]), "--set", "no_such_field=1")
        assert result.exit_code == 2
        assert "no_such_field" in result.stderr


def test_a_number_is_written_with_digits_only(write: Write) -> None:
    files = ["-p", write("hyp.txt", ["a b c d"]), "-r", write("ref.txt", ["a b x d"])]
    result = run("score", "bleu", "--set", "max_order=0", *files)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: Bleu: --set max_order is 0; an int from 1 to 100 is expected.\n"
    for text, value in (("+2", 2), (" 2", 2), ("002", 2)):
        found = json.loads(run("score", "bleu", "--set", f"max_order={text}", *files, "--json").stdout)
        assert f"|max_order={value}|" in found["signature"]


def given_once() -> Iterator[tuple[str, str]]:
    for name, command in main.commands.items():
        for option in command.params:
            if isinstance(option, click.Option) and not option.multiple and option.expose_value:
                yield from ((name, spelling) for spelling in (*option.opts, *option.secondary_opts))


@pytest.mark.parametrize(("command", "option"), [*given_once()])
def test_an_option_that_is_given_twice(command: str, option: str) -> None:
    """click takes the last one. Whatever else is wrong, this is told first."""
    declared = next(each for each in main.commands[command].params if option in (*each.opts, *each.secondary_opts))
    assert isinstance(declared, click.Option)
    one = [option] if declared.is_flag else [option, *["1"] * declared.nargs]
    names = " / ".join([*declared.opts, *declared.secondary_opts])
    result = run(command, *one, *one)
    assert result.exit_code == 2
    assert f"Error: Option '{names}' is given twice; give it once.\n" in result.stderr
    assert f"Usage: metrologue {command}" in result.stderr or f"Usage: main {command}" in result.stderr


def test_options_that_may_be_repeated(write: Write) -> None:
    files = ["-p", write("hyp.txt", ["a b"]), "-p", write("other.txt", ["a c"]), "-r", write("ref.txt", ["a c"])]
    assert run("score", "wer", "bleu", *files, "--set", "bleu.max_order=2", "--set", "wer.scale=2").exit_code == 0
    assert run("score", "--help", "--help").exit_code == 0
    assert "given twice" not in run("compare", "--metric", "bleu", "--metric", "ter", "--library", "x").stderr


def test_two_formats_are_no_format(write: Write) -> None:
    files = ["-p", write("hyp.txt", ["a b"]), "-r", write("ref.txt", ["a c"])]
    for options in (["--json", "--format", "latex"], ["--format", "text", "--markdown"], ["--json", "--markdown"]):
        result = run("score", "wer", *files, *options)
        assert result.exit_code == 2
        assert "are two formats; choose one." in result.stderr
    assert run("score", "wer", *files, "--json", "--format", "json").exit_code == 0
