"""A headless Chromium for tests, driven over a pipe: nothing but the browser is needed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

__all__ = ["Browser", "opened"]

_OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
# A screen with a mouse, as most have; without it a page may leave out what serves the keys.
_MOUSE = "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"


class Browser:
    """One tab of a browser. Its protocol is JSON, each message ended by a NUL.

    Parameters
    ----------
    to, back : int
        The ends of the two pipes.
    """

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back, self._count, self._waiting = to, back, 0, b""
        target = self._asked("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._asked("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def _asked(self, method: str, **parameters: Any) -> Any:
        self._count += 1
        session = {"sessionId": self._session} if hasattr(self, "_session") else {}
        message = {"id": self._count, "method": method, "params": parameters, **session}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self._waiting:
                part = os.read(self._back, 1 << 16)
                assert part, "the browser has gone"
                self._waiting += part
            line, _, self._waiting = self._waiting.partition(b"\0")
            answer = json.loads(line)
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                return answer["result"]

    def run(self, code: str) -> Any:
        """The value of JavaScript in the page."""
        found = self._asked("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait(self, code: str, seconds: float = 30) -> None:
        """Wait until the JavaScript is true."""
        end = time.monotonic() + seconds
        while not self.run(code):
            assert time.monotonic() < end, f"not true within {seconds} s: {code}"
            time.sleep(0.1)

    def screen(self, width: int, height: int = 900, dark: bool = False) -> None:
        """Have a screen of this size, in pixels, which asks pages for light or dark colours."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._asked("Emulation.setEmulatedMedia", features=[scheme])
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self._asked("Emulation.setDeviceMetricsOverride", **size)

    def open(self, address: str) -> None:
        """Open a page and wait until it is loaded."""
        self._asked("Page.navigate", url=address)
        self.wait(f"location.href.startsWith({json.dumps(address)}) && document.readyState === 'complete'")


@contextmanager
def opened(folder: Path) -> Iterator[Browser]:
    """A browser whose files are in this folder. Without a Chromium the test is skipped."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not program:
        pytest.skip("no Chromium: apt install chromium")
    theirs_in, to = os.pipe()
    back, theirs_out = os.pipe()
    # The browser reads its file 3 and writes its file 4.
    command = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
    process = subprocess.Popen(
        [
            "bash",
            "-c",
            command,
            program,
            *_OPTIONS,
            f"--blink-settings={_MOUSE}",
            "--remote-debugging-pipe",
            f"--user-data-dir={folder}",
        ],
        pass_fds=(theirs_in, theirs_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(to, back)
    finally:
        process.terminate()
        process.wait(30)
        os.close(to)
        os.close(back)
