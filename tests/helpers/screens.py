"""What commands print on a terminal of a given width."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence

__all__ = ["printed_on_terminal"]

_DRIVER = """
import json, sys
from metrologue.cli import main
for arguments in json.loads(sys.argv[1]):
    main(arguments, standalone_mode=False)
    print("\\f", flush=True)
"""


def printed_on_terminal(commands: Sequence[Sequence[str]], columns: int) -> list[str]:
    """What each command writes to standard output, without colours. One process runs all of them."""
    import fcntl
    import struct
    import termios

    terminal, process_side = os.openpty()
    fcntl.ioctl(process_side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-c", _DRIVER, json.dumps([[*command] for command in commands])],
        stdout=process_side, stderr=subprocess.PIPE, env={**environment, "TERM": "xterm-256color"},
    )  # fmt: skip
    os.close(process_side)
    parts = []
    with open(terminal, "rb", buffering=0) as screen:
        while part := _read(screen.fileno()):
            parts.append(part)
    _, told = process.communicate()
    assert process.returncode == 0, told.decode()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", b"".join(parts).decode().replace("\r", ""))
    return text.split("\f")[:-1]


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux: the process has ended
        return b""
