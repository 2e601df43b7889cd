"""Lines typed at the prompts of a match and of a puzzle."""

import io
from pathlib import Path
from random import Random
from typing import NamedTuple

from attack.campaigns.fuzz.target import Target
from attack.campaigns.fuzz.targets.typed_lines import typed_lines
from divisorduel import Heading, Match, game
from divisorduel.coach.puzzles import puzzle
from divisorduel.play.names import JOINER
from divisorduel.store.match_files import MatchFile, MatchFolder, read_match
from divisorduel.terminal.local_match import LocalMatch
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.match_loop import PlainMatch
from divisorduel.terminal.plain.puzzle_prompt import pose
from divisorduel.terminal.plain.setup_prompts import QuitRequested
from divisorduel.terminal.terminal import Terminal
from tests.conftest import ALL_KEYS, small_game
from tests.play.test_decide import is_legal

MOST_LINES = 30


class Session(NamedTuple):
    """A match, or a puzzle if no game is named, and what is typed."""

    key: str | None
    kinds: tuple[str, str]
    rounds: int
    is_terminal: bool
    width: str
    lines: list[str]


class Keyboard(io.StringIO):
    """Typed lines that seem to come from a terminal."""

    def isatty(self) -> bool:
        """Pretend."""
        return True


class Prompts(Target[Session]):
    """Matches of every game, and a puzzle."""

    puzzle = puzzle(game("chain", to=20), Random(1))

    def make(self, rng: Random) -> Session:
        """Choose what is played, and what is typed."""
        return Session(
            key=None if rng.random() < 0.1 else rng.choice(ALL_KEYS),
            kinds=rng.choice([("human", "human"), ("human", "greedy"), ("random", "human")]),
            rounds=rng.choice((1, 1, 2, 3)),
            is_terminal=rng.random() < 0.3,
            width=rng.choice(("", "", "40", "1", "99999", "x")),
            lines=typed_lines(rng, MOST_LINES),
        )

    def check(self, given: Session) -> str:
        """Play; nothing but text is shown, and the match on disk is the match that was shown."""
        for old in self.folder.glob("*.duel"):
            old.unlink()
        out, err = io.StringIO(), io.StringIO()
        typed = "".join(f"{line}\n" for line in given.lines)
        source = Keyboard(typed) if given.is_terminal else io.StringIO(typed)
        terminal = Terminal(source, out, err, {"COLUMNS": given.width})
        outcome = self._solve(terminal) if given.key is None else self._play(terminal, given)
        strange = {char for char in out.getvalue() if not char.isprintable()}
        strange -= {"\n", JOINER}  # names may contain joined emoji
        assert not strange, f"{strange} was shown"
        return outcome

    def _solve(self, terminal: Terminal) -> str:
        assert self.puzzle is not None
        try:
            status = pose(terminal, self.puzzle, None)
        except QuitRequested:
            return "puzzle left"
        assert status in (0, 3)
        return "puzzle solved" if status == 0 else "puzzle left"

    def _play(self, terminal: Terminal, given: Session) -> str:
        match = Match.of(small_game(given.key or ""), rounds=given.rounds, kinds=given.kinds)
        folder = MatchFolder(self.folder / "data")
        paths: list[Path] = []

        def begin(match: Match) -> LocalMatch:
            heading = Heading(f"m{len(paths)}", "2026-11-15")
            paths.append(folder.path(heading.match_id))
            paths[-1].unlink(missing_ok=True)
            return LocalMatch(match, heading, MatchFile(folder, heading.match_id, heading), seed=0)

        plain = PlainMatch(terminal, begin(match), delay=0, begin=begin)
        status = plain.play(transcript.begin_round(match, 1))
        assert status in (0, 3), status
        assert is_legal(plain.match)
        _check_saved(paths[-1], plain.match)
        return "match over" if plain.match.over else "match left"


def _check_saved(path: Path, match: Match) -> None:
    if path.exists():
        saved = read_match(path).match
        assert saved.played == match.played
        assert saved.undone == match.undone
    else:
        assert all(not played.moves for played in match.played)
