"""The questions before a game: which one, on which board, who plays, who starts."""

from collections.abc import Callable, Iterable

from divisorduel.coach.quick_end import quick_end
from divisorduel.play.match import Match, default_names
from divisorduel.play.players import HUMAN
from divisorduel.rules.catalogue import rule_book
from divisorduel.rules.errors import DuelError
from divisorduel.terminal.fullscreen.fields import Choice, Field, TextLine
from divisorduel.terminal.fullscreen.form_screen import FormScreen
from divisorduel.terminal.fullscreen.setup import (
    COMPUTERS,
    GAMES,
    OPPONENTS,
    First,
    Setup,
)
from divisorduel.terminal.plain.local_game import draw
from divisorduel.terminal.plain.setup_prompts import usual_board
from divisorduel.words.quick_ends import longer_text, quick_end_text

Begin = Callable[[Match, Setup], None]


class NewGameScreen(FormScreen):
    """Sets up a match between a person and a computer player, or between two people."""

    heading = "New game"

    def __init__(self, begin: Begin, setup: Setup | None = None) -> None:
        super().__init__()
        self._begin = begin
        self._setup = setup or Setup("chain")

    def fields(self) -> Iterable[Field]:
        """Return the fields: the game, the board, the players, the starter, the rounds."""
        setup = self._setup
        yield Field("Game", Choice(GAMES, setup.key, id="key"))
        yield Field("Board", TextLine(setup.board, usual_board(setup.key), id="board"))
        yield from self.players(setup)
        yield Field("Who starts", Choice(self._firsts(setup.kinds), setup.first, id="first"))
        yield Field("Rounds", TextLine(setup.rounds, "1", id="rounds"))

    def players(self, setup: Setup) -> Iterable[Field]:
        """Return the fields about the players."""
        one, two = default_names(setup.kinds)
        yield Field("Against", Choice(OPPONENTS, setup.kinds[1], id="kind2"))
        yield Field("Your name", TextLine(setup.names[0], one, id="name1"))
        yield Field("Friend", TextLine(setup.names[1], two, id="name2"))

    def kinds(self) -> tuple[str, str]:
        """Return who plays for each seat."""
        return HUMAN, self.value("kind2")

    def setup(self) -> Setup:
        """Return the choices."""
        first: First = next(f for f in ("1", "2", "random") if f == self.value("first"))
        is_friend = self.kinds()[1] == HUMAN
        return Setup(
            key=self.value("key"),
            board=self.value("board"),
            kinds=self.kinds(),
            names=(self.value("name1"), self.value("name2") if is_friend else ""),
            first=first,
            rounds=self.value("rounds"),
        )

    def _firsts(self, kinds: tuple[str, str]) -> dict[str, str]:
        other = "your friend" if kinds[1] == HUMAN else "the computer"
        return {"1": "you", "2": other, "random": "random"}

    def on_mount(self) -> None:
        """Hide what does not matter yet."""
        self.chosen("kind2")

    def chosen(self, field: str) -> None:
        """Ask for a friend's name if a friend plays; offer the usual board of another game."""
        if field == "key":
            board = self.query_one("#board", TextLine)
            board.value, board.placeholder = "", usual_board(self.value("key"))
        elif field == "kind2":
            self.query_one("#field-name2").display = self.kinds()[1] == HUMAN
            self.query_one("#first", Choice).offer(self._firsts(self.kinds()))

    def about(self) -> str:
        """Say what the game is, and what is special about the board."""
        book = rule_book(self.value("key")).book
        told = f"{book.title}: {book.move}. The player who cannot move loses."
        try:
            game = self.setup().game()
        except DuelError:
            return told  # `problem` says why
        told = f"{told} Board: {game.span}."
        found = quick_end(game)
        quick = (quick_end_text(found), longer_text(found)) if found else ()
        return " ".join(filter(None, (told, game.note, *quick)))

    def problem(self) -> str:
        """Say why the board or the number of rounds cannot be used."""
        try:
            self.setup().match(lambda: 1)
        except DuelError as error:
            return str(error)
        return ""

    def start(self) -> None:
        """Begin the match."""
        setup = self.setup()
        self._begin(setup.match(lambda: draw(None)), setup)


class WatchScreen(NewGameScreen):
    """Sets up a match between two computer players."""

    heading = "Watch two computers"

    def __init__(self, begin: Begin) -> None:
        super().__init__(begin, Setup("chain", kinds=("perfect", "5")))

    def players(self, setup: Setup) -> Iterable[Field]:
        """Return the fields about the players: who they are."""
        yield Field("Player 1", Choice(COMPUTERS, setup.kinds[0], id="kind1"))
        yield Field("Player 2", Choice(COMPUTERS, setup.kinds[1], id="kind2"))

    def kinds(self) -> tuple[str, str]:
        """Return who plays for each seat."""
        return self.value("kind1"), self.value("kind2")

    def setup(self) -> Setup:
        """Return the choices; the players keep their usual names."""
        first: First = next(f for f in ("1", "2", "random") if f == self.value("first"))
        return Setup(
            self.value("key"),
            self.value("board"),
            self.kinds(),
            first=first,
            rounds=self.value("rounds"),
        )

    def _firsts(self, kinds: tuple[str, str]) -> dict[str, str]:
        return {"1": "Player 1", "2": "Player 2", "random": "random"}

    def chosen(self, field: str) -> None:
        """Offer the usual board of another game."""
        if field == "key":
            super().chosen(field)
