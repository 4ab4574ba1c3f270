"""The command ``metrologue``, and ``python -m metrologue``: the process in which the command line runs.

The command runs in a thread of its own while the main thread waits. Python delivers signals only to the main thread,
between two of its instructions. A kernel in the main thread would block every signal.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
import warnings
from functools import partial
from types import FrameType

# Seconds that a command may take to clean up after a signal, for example to remove a half-written file.
_PATIENCE = 0.5


def run() -> None:
    """Run the command line on ``sys.argv`` and end the process with its status.

    SIGINT and SIGTERM end the process at once with the status 128 plus the signal's number. A file that was being
    written is then complete, or as it was before.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - as long as the process
    if sys.stdout is None:
        sys.exit("Error: standard output is closed.")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]  # as input is
    outcome: list[BaseException] = []
    worker = threading.Thread(target=_work, args=(outcome,), daemon=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, partial(_stop, worker))
    worker.start()
    while worker.is_alive():
        worker.join(0.2)  # without a timeout, Windows would handle no signal until the thread ends
    _let_go_of_output()
    raise outcome[0]


def _work(outcome: list[BaseException]) -> None:
    try:
        from metrologue.cli import main, told, warning_line

        warnings.formatwarning = lambda message, *_: warning_line(message)  # no line of our code
        try:
            main(prog_name="metrologue")
        except OSError as error:  # from printing the help text, which happens outside any command
            print(f"Error: {told(error)}", file=sys.stderr)
            sys.exit(1)
    except BaseException as error:
        outcome.append(error)


def _stop(worker: threading.Thread, number: int, frame: FrameType | None) -> None:
    """End the process. The thread is asked to stop, and abandoned if it does not stop in time.

    A command that writes what it has found gets its time, unless the signal comes again.
    """
    from metrologue.writing import finishing

    if worker.ident:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident), ctypes.py_object(SystemExit))
    patience = time.monotonic() + _PATIENCE
    again = finishing.is_set()
    while worker.is_alive() and (time.monotonic() < patience or (finishing.is_set() and not again)):
        time.sleep(0.01)
    if worker.is_alive() and sys.stderr.isatty():
        os.write(sys.stderr.fileno(), b"\x1b[?25h\n")  # a progress bar has hidden the cursor
    os._exit(128 + number)


def _let_go_of_output() -> None:
    """Drop output that cannot be written. Otherwise Python would try again at exit, and print an error."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    run()
