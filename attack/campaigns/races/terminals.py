"""Terminals on one match file: what each has answered is in a file in the end."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

from attack.open_terminal import ANSWER, OpenTerminal
from attack.scripted_match import OPENING, ScriptedMatch, script, shared_screen, typed
from divisorduel import read_records
from divisorduel.record.model import Record
from tests.conftest import Duel

BEFORE = 6
"""How many commands the match has when the race begins."""
TROUBLE = "Traceback", "cannot be", "not saved"


def moves_at_once(home: Path, rng: Random) -> None:
    """Open a match in two or three terminals that wait; then all make moves at once."""
    duel, begun = Duel(home), shared_screen(rng, BEFORE)
    with ExitStack() as stack:
        first = stack.enter_context(OpenTerminal(duel, *OPENING))
        first.type([typed(command) for _, command in begun.commands])
        first.wait(BEFORE)
        terminals = [first]
        for _ in range(rng.choice((1, 1, 2))):
            terminals.append(stack.enter_context(OpenTerminal(duel, "resume")))
            terminals[-1].wait(0)
        own = [script(begun.states[-1], rng, rng.randint(1, 4)) for _ in terminals]
        for terminal, one in zip(terminals, own, strict=True):
            terminal.type([typed(command) for _, command in one.commands])
        shown = [terminal.leave() for terminal in terminals]
    _check(duel, own, shown, before=[BEFORE, *(0 for _ in own[1:])])


def resume_while_playing(home: Path, rng: Random) -> None:
    """Resume a match while it is being played fast in another terminal."""
    duel, begun = Duel(home), shared_screen(rng, BEFORE)
    with ExitStack() as stack:
        first = stack.enter_context(OpenTerminal(duel, *OPENING))
        first.type([typed(command) for _, command in begun.commands])
        first.wait(BEFORE)
        own = script(begun.states[-1], rng, 150)
        second = stack.enter_context(OpenTerminal(duel, "resume"))
        third = stack.enter_context(OpenTerminal(duel, "resume"))
        first.type([typed(command) for _, command in own.commands])
        late = second.leave(), third.leave()
        shown = first.leave()
    _check(duel, [own], [shown], before=[BEFORE])
    _check_calm(*late)


def resumes_at_once(home: Path, rng: Random) -> None:
    """Resume a match in two terminals at the same instant; then both make moves at once."""
    duel, begun = Duel(home), shared_screen(rng, BEFORE)
    duel.run(*OPENING, typed="".join(f"{typed(command)}\n" for _, command in begun.commands))
    own = [script(begun.states[-1], rng, rng.randint(1, 6)) for _ in range(2)]
    with ExitStack() as stack:
        terminals = [stack.enter_context(OpenTerminal(duel, "resume")) for _ in own]
        for terminal in terminals:
            terminal.wait(0)
        for terminal, one in zip(terminals, own, strict=True):
            terminal.type([typed(command) for _, command in one.commands])
        shown = [terminal.leave() for terminal in terminals]
    _check(duel, own, shown, before=[0, 0])


def _check(duel: Duel, own: list[ScriptedMatch], shown: list[str], before: list[int]) -> None:
    """Check that what each terminal has answered is in a file, and that no file is ambiguous."""
    _check_calm(*shown)
    stored = [read_records(path.read_bytes()) for path in duel.matches if path.suffix == ".duel"]
    for number, (one, text, earlier) in enumerate(zip(own, shown, before, strict=True)):
        told = len(ANSWER.findall(text)) - earlier
        assert told == len(one.commands), f"terminal {number} refused a move: {text}"
        is_held = any(_holds(one, records, told) for records in stored)
        # If its commands cancel out, another terminal cannot tell that the file was written.
        assert is_held or one.ends_as_it_began, (
            f"terminal {number} has answered {[typed(command) for _, command in one.commands]}, "
            f"but the files hold {[[list(record.moves) for record in found] for found in stored]}"
        )
    names = [records[0].tag("Match") for records in stored]
    assert len(set(names)) == len(names), f"two files have the same match id: {names}"


def _holds(own: ScriptedMatch, records: Sequence[Record], told: int) -> bool:
    try:
        own.find(records, told)
    except AssertionError:
        return False
    return True


def _check_calm(*shown: str) -> None:
    for text in shown:
        wrong = [line for line in text.splitlines() if any(word in line for word in TROUBLE)]
        assert not wrong, "\n".join([*wrong, text[-1000:]] if "Traceback" in text else wrong)
