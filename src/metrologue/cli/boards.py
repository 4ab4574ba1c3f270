"""What ``metrologue compare`` shows: findings and tables, which fill while libraries run if a terminal shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from metrologue.writing import progress_bar

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from metrologue.comparison.findings.answer import Job
    from metrologue.comparison.findings.number import Number
    from metrologue.comparison.harness import Stages
    from metrologue.comparison.showing.terminal import Board


def show(stages: Stages) -> bool:
    """Run the stages, and show what they find as it comes. False if it was interrupted."""
    try:
        _show(stages)
    except (KeyboardInterrupt, SystemExit):
        return False
    return True


def _show(stages: Stages) -> None:
    """The answer of each metric, which begins with its table of scores; then what the libraries give that run here."""
    from rich.console import Console

    from metrologue.comparison.showing.terminal import Board, findings

    console, boards = Console(highlight=False), dict[str, Board]()
    bars: list[Callable[..., None]] = []

    def tell(job: Job, number: Number) -> None:
        bars[-1](description=f"{job.kind.name}: {number.label}", advance=1)

    answers = stages.answers(tell)
    for job in stages.jobs:
        with progress_bar(total=len(stages.texts) * len(job.ours)) as bar:
            bar(description=job.kind.name)
            bars.append(bar)
            answer = next(answers)
        board = Board(answer, {each.name: job.mirror_of(each) for each in job.live})
        boards[job.kind.name] = board
        console.print(*findings(board, console.width), "", sep="\n")
    waiting = [board for board in boards.values() if board.runs]
    if waiting and console.is_terminal:
        _while_running(stages, console, boards, waiting)
    elif waiting:
        _after_running(stages, console, boards, waiting)


def _after_running(stages: Stages, console: Console, boards: Mapping[str, Board], waiting: Sequence[Board]) -> None:
    """Show the tables when all libraries have run: a file does not change."""
    with progress_bar(total=sum(len(job.live) for job in stages.jobs) * len(stages.texts)) as update:
        for job, number in stages.numbers():
            boards[job.kind.name].add(number)
            what = f"{job.kind.name}: {number.label}"
            update(description=what, advance=1, finished=f"{what}, {number.system}")
    for board in waiting:
        _print_run(console, board)


def _while_running(stages: Stages, console: Console, boards: Mapping[str, Board], waiting: list[Board]) -> None:
    """Show the first table that is not complete. The others stand above it, or follow."""
    from rich.live import Live

    class Screen:
        def __rich__(self) -> RenderableType:
            return waiting[0].runs_here() if waiting else ""

    with Live(Screen(), console=console, refresh_per_second=4, transient=True) as screen:
        try:
            for job, number in stages.numbers(lambda job, library: boards[job.kind.name].begin(library.name)):
                boards[job.kind.name].add(number)
                while waiting and waiting[0].is_complete:
                    _print_run(console, waiting.pop(0))
        finally:
            screen.stop()
            for board in waiting:
                _print_run(console, board)


def _print_run(console: Console, board: Board) -> None:
    """Print what the libraries have given, with notes."""
    console.print(board.runs_here(), *board.notes(console.width), "", sep="\n")
