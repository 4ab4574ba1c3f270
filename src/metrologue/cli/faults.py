"""The errors of commands, as one line on standard error; and warnings."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from metrologue.cli.help import Command
from metrologue.errors import InputError, respelled, shown
from metrologue.files.values import number_of_text
from metrologue.origin import pip_install


class Refused(click.ClickException):
    """An error for bad input: one line on standard error, and the exit status of a wrong call."""

    exit_code = 2


_NUMBERS = (click.types.IntParamType, click.types.FloatParamType)


class DeclaringCommand(Command):
    """A command whose options depend on what is asked."""

    def declare(self, ctx: click.Context, args: Sequence[str]) -> object:
        """Take up the options that these words of the command line may name."""
        raise NotImplementedError


# Commands that most users never need.
_RARE = ("train", "baseline", "documents", "publish", "warmup")


class Commands(click.Group):
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with a whole sentence on what it does, in the order of use."""
        shown = {name: each.get_short_help_str(1000) for name, each in self.commands.items() if not each.hidden}
        for title, is_rare in (("Commands", False), ("Commands for single needs", True)):
            with formatter.section(title):
                formatter.write_dl([(name, told) for name, told in shown.items() if (name in _RARE) is is_rare])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if command and not ctx.resilient_parsing:
            _check_options(command, click.Context(command, ctx, info_name=name, **command.context_settings), rest)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except ModuleNotFoundError as error:
            raise Refused(f"{error.name} is not installed; {pip_install('compare')}.") from error
        except (InputError, ImportError) as error:
            command = self.commands.get(ctx.invoked_subcommand or "")
            raise Refused(in_options(str(error), command)) from error
        except BrokenPipeError:  # the reader of the output has seen enough
            ctx.exit(128 + 13)  # the status of a process that SIGPIPE ended
        except OSError as error:
            raise click.ClickException(told(error)) from error
        except MemoryError as error:
            raise click.ClickException("there is not enough memory for this.") from error


# Values of Python as settings are written.
_AS_SETTING = {"None": "null", "True": "true", "False": "false"}
_QUOTES = "'\""
# How messages of the library name a place by its index in Python.
_FROM_ZERO = re.compile(r"\b(segment|text|row|pair) (\d+), counted from 0")


def in_options(message: str, command: click.Command | None) -> str:
    """A message of the library with the command's options in place of Python's arguments."""
    options = {each.name: each for each in (command.params if command else ()) if isinstance(each, click.Option)}

    def spell(name: str, value: str | None) -> str | None:
        option = options.get(name)
        if option and not option.secondary_opts and value is None:
            return next((each for each in option.opts if each.startswith("--")), option.opts[0])
        place = _place_of_field(name)
        if place is None or place not in options:
            return None
        if place == "model":
            return "--model"
        return f"--set {name}" if value is None else f"--set {name}={_AS_SETTING.get(value) or value.strip(_QUOTES)}"

    return respelled(from_one(message), spell)


def from_one(message: str, before: int = 0) -> str:
    """A message in which segments, texts and rows are counted from 1, as on the command line; so many came before."""
    return _FROM_ZERO.sub(lambda found: f"{found[1]} {int(found[2]) + before + 1}, counted from 1", message)


def _place_of_field(name: str) -> str | None:
    """The parameter of commands that sets a field of a metric in use: "model" or "settings"; None if it is no field."""
    if "metrologue.scorers.core.configuration" not in sys.modules:  # no metric is in use
        return None
    from metrologue.scorers.core.needs import model_field
    from metrologue.scorers.core.options import options_of
    from metrologue.scorers.core.registry import loaded_scorers

    kinds = [kind for kind in loaded_scorers() if name in options_of(kind)]
    return None if not kinds else "model" if any(model_field(kind) == name for kind in kinds) else "settings"


def _check_options(command: click.Command, context: click.Context, arguments: list[str]) -> None:
    """Refuse an option that is given twice and may be given once, and a number that no float holds.

    click would take the last value; and for a number whatever Python reads, such as nan, 1_0 and digits of all scripts.
    """
    if isinstance(command, DeclaringCommand):
        command.declare(context, arguments)
    values, _, given = command.make_parser(context).parse_args([*arguments])
    for number, option in enumerate(given):
        once = isinstance(option, click.Option) and option.expose_value and not (option.multiple or option.count)
        if once and option in given[:number]:
            names = " / ".join([*option.opts, *option.secondary_opts])
            raise click.UsageError(f"Option '{names}' is given twice; give it once.", context)
        text = values.get(option.name) if once and isinstance(option.type, _NUMBERS) else None
        if isinstance(text, str) and number_of_text(text) is None:
            raise click.BadParameter(f"{shown(text)} is not a finite decimal number.", context, option)


@contextmanager
def located(
    prediction: str, references: Sequence[str], start: int | None = None, ids: Sequence[str] | None = None
) -> Iterator[None]:
    """Say in the message of an InputError which line of which file is at fault, as far as the error knows it.

    Where the rows have `ids`, the id stands in place of the line.

    Otherwise, with `start`, name the file, and count its segments from its first line, or say from which line the
    message counts: a scorer sees a part of a streamed file.
    """
    try:
        yield
    except InputError as error:
        if error.place:
            argument, index, what = error.place
            path = prediction if argument == "predictions" else ", ".join(references)
            place = f"{path}:{index + 1}" if ids is None else f"{path}, {shown(ids[index])}:"
            raise InputError(f"{place}{what}") from error
        if start is None:
            raise
        told = from_one(str(error), start)
        counted = f", counted from line {start + 1}" if start and told == str(error) else ""
        raise InputError(f"{prediction}{counted}: {told}") from error


def told(error: OSError) -> str:
    """The error and its file, on one line."""
    what = error.strerror or str(error)
    return what if error.filename is None else f"{os.fsdecode(error.filename)}: {what}"


def shown_path(path: str) -> str:
    """A path as text. Bytes that are not UTF-8 are written as in ``\\xff``."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def warning_line(message: object) -> str:
    """The line for a warning, with the options of the command that runs."""
    context = click.get_current_context(silent=True)
    return f"Warning: {in_options(str(message), context.command if context else None)}\n"


def echo_warning(message: str) -> None:
    """Print a warning as one line on standard error."""
    click.echo(warning_line(message), err=True, nl=False)
