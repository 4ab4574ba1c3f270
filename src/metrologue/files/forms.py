"""Forms of JSON values: what a file may say, declared once, and checked whole before anything is made of it.

A form is a function of a value and of where it stands, which raises an InputError if the value has another form.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from metrologue.errors import InputError, shown

Form = Callable[[Any, str], None]


def _form(holds: Callable[[Any], bool], expected: str) -> Form:
    def check(value: Any, where: str) -> None:
        if not holds(value):
            raise InputError(f"{where} is {shown(value)}; {expected} is expected.")

    return check


def ANY(value: Any, where: str) -> None:
    """Every value has this form."""


def text(most: int = 1 << 20) -> Form:
    """A text of at most so many characters."""
    return _form(lambda value: isinstance(value, str) and len(value) <= most, "a text")


TEXT = text()
FLAG = _form(lambda value: isinstance(value, bool), "true or false")


def whole(least: int, most: int) -> Form:
    """A whole number from `least` to `most`.

    Examples
    --------
    >>> whole(1, 9)(True, "`layer`")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: `layer` is True; an int from 1 to 9 is expected.
    """
    expected = f"an int from {least} to {most}"
    return _form(lambda value: type(value) is int and least <= value <= most, expected)


def real(least: float = -1e308, most: float = 1e308) -> Form:
    """A finite number from `least` to `most`."""
    expected = "a finite number" if most == -least == 1e308 else f"a number from {least:g} to {most:g}"
    return _form(lambda value: type(value) in (int, float) and least <= value <= most, expected)  # never of NaN


REAL = real()


def one_of(names: Collection[str]) -> Form:
    """One of these texts."""
    return _form(lambda value: isinstance(value, str) and value in names, f"one of {', '.join(names)}")


def only(*values: Any) -> Form:
    """One of these values, of the same kind: 0 is not false."""
    kept = [(type(each), each) for each in values]
    return _form(lambda value: (type(value), value) in kept, " or ".join(map(shown, values)))


def small(most: int) -> Form:
    """Any value whose numbers are from -`most` to `most`, and whose lists and objects have 1,000 parts at most."""

    def holds(value: Any) -> bool:
        if isinstance(value, dict | list):
            return len(value) <= 1000 and all(map(holds, value.values() if isinstance(value, dict) else value))
        return not isinstance(value, int | float) or -most <= value <= most

    return _form(holds, f"a value with numbers up to {most}")


def by_key(forms: Mapping[str, Form]) -> Form:
    """An object of the form of the first of these keys that it has."""

    def check(value: Any, where: str) -> None:
        key = next((key for key in forms if isinstance(value, dict) and key in value), None)
        if key is None:
            raise InputError(f"{where} is {shown(value)}; an object with one of {', '.join(forms)} is expected.")
        forms[key](value, where)

    return check


def maybe(form: Form) -> Form:
    """A value of this form, or null."""

    def check(value: Any, where: str) -> None:
        if value is not None:
            form(value, where)

    return check


def list_of(form: Form, *, least: int = 0, most: int = 1 << 24) -> Form:
    """A list of values of this form, of `least` to `most`."""

    def check(value: Any, where: str) -> None:
        if not (isinstance(value, list) and least <= len(value) <= most):
            raise InputError(f"{where} is {shown(value)}; a list of {least} to {most} values is expected.")
        for place, each in enumerate(value):
            form(each, f"{where}[{place}]")

    return check


def mapping_of(form: Form) -> Form:
    """An object whose values have this form, whatever its keys are."""
    return record({}, others=form)


def record(
    required: Mapping[str, Form], optional: Mapping[str, Form] | None = None, others: Form | None = None
) -> Form:
    """An object with these keys.

    Parameters
    ----------
    required, optional : mapping of str to form
    others : form, optional
        The form of the values of all other keys; None: there may be no other key.

    Examples
    --------
    >>> record({"head": TEXT})({"head": "value", "tail": 1}, "`settings`")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: `settings` has the key 'tail', which is unknown.
    """
    known = {**required, **(optional or {})}

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise InputError(f"{where} is {shown(value)}; an object is expected.")
        for key in required:
            if key not in value:
                raise InputError(f"{where} has no key {key!r}.")
        for key, each in value.items():
            if (form := known.get(key, others)) is None:
                raise InputError(f"{where} has the key {shown(key)}, which is unknown.")
            form(each, f"{where}, key {shown(key)}")

    return check
