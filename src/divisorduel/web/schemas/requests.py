"""The bodies of HTTP requests. Every value has a limit."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, model_validator
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from divisorduel.play.commands import Command, Join, Take
from divisorduel.play.match import LONGEST_NAME, MOST_ROUNDS, Then
from divisorduel.play.players import BOT, HUMAN, KINDS
from divisorduel.record.event_json import kebab_case
from divisorduel.web.board_limits import LARGEST_NUMBER, MOST_NUMBERS

LONGEST_RECORD = 200_000
MOST_FIELDS = 20
"""The most fields of an object."""
LONGEST_CODE = 8_000
"""The position code of the largest board that the page shows is shorter, in any position."""

COMPUTERS = tuple(kind for kind in KINDS if kind != HUMAN)
COMMANDS: dict[str, Callable[[], Command]] = {
    kebab_case(kind): kind for kind in get_args(Command) if kind not in (Take, Join)
}
"""The commands that need no number, by their names in JSON."""


class OneOf:
    """Restrict a string to values that are listed elsewhere: ``Annotated[str, OneOf(KINDS)]``."""

    def __init__(self, values: Iterable[str]) -> None:
        self._values = list(values)

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> CoreSchema:
        return core_schema.literal_schema(self._values)


def refuse_many_fields(value: Any) -> Any:
    """Refuse an object with too many fields: listing what is wrong with each takes too long."""
    if isinstance(value, dict) and len(value) > MOST_FIELDS:
        raise PydanticCustomError("too_many_fields", f"an object has at most {MOST_FIELDS} fields")
    return value


Number = Annotated[int, Field(ge=0, lt=LARGEST_NUMBER)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, examples=["Ann"])]
ShortText = Annotated[str, Field(max_length=20)]
BotKind = Annotated[str, Field(pattern="^bot:[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")]
PlayerKind = Annotated[str, OneOf((*KINDS, BOT))] | BotKind
ComputerKind = Annotated[str, OneOf(COMPUTERS)]
PositionCode = Annotated[
    str, Field(min_length=1, max_length=LONGEST_CODE, examples=["chain 2-50 2-7,9-50 8"])
]
BoardIn = Annotated[
    dict[ShortText, Number | ShortText],
    Field(
        max_length=8,
        description="The board's parameters, as GET /api/games lists them.",
        examples=[{"to": 50, "opening": "even"}],
    ),
    BeforeValidator(refuse_many_fields),
]
First = Literal["1", "2", "random"]
Seated = Literal["here", "link"]


class RequestBody(BaseModel):
    """What a client sends. Unknown fields and values of the wrong type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)

    _refuse_many_fields = model_validator(mode="before")(refuse_many_fields)


# --- new matches


class Computer(RequestBody):
    """A computer player."""

    who: Literal["computer"]
    kind: ComputerKind = "5"
    name: ClassVar[None] = None


class Bot(RequestBody):
    """An engine that this server offers, as GET /api/options lists them."""

    who: Literal["bot"]
    kind: BotKind
    name: ClassVar[None] = None


class Person(RequestBody):
    """A person on the same screen, or one who joins by a link or from the list of open matches."""

    who: Seated
    name: Name | None = None
    kind: ClassVar[str] = HUMAN


PlayerIn = Annotated[Computer | Bot | Person, Field(discriminator="who")]


class NewMatch(RequestBody):
    """The settings of a new match."""

    game: ShortText = Field(examples=["chain"])
    board: BoardIn = Field(default_factory=dict)
    start: PositionCode | None = Field(
        default=None,
        description="Where every round starts. Leave out the board: the position code sets it.",
    )
    players: Annotated[list[PlayerIn], FailFast()] = Field(min_length=2, max_length=2)
    first: First = "1"
    then: Then = "alternate"
    rounds: int = Field(default=1, ge=1, le=MOST_ROUNDS)
    undo: bool = True
    hints: bool = True
    listed: bool = Field(default=False, description="Whether anyone may find and join the match.")


class RecordToResume(RequestBody):
    """The record of a match to continue."""

    record: str = Field(min_length=1, max_length=LONGEST_RECORD)


class JoinRequest(RequestBody):
    """The player who joins."""

    name: Name | None = None
    key: str | None = Field(
        default=None,
        pattern="^[A-Za-z0-9_-]{22,64}$",
        description="A random key of your own, which works even if the answer gets lost.",
    )


# --- commands


class TakeIn(RequestBody):
    """Take a number."""

    type: Literal["take"]
    number: Number
    sure: bool = Field(
        default=False,
        description="Whether to take the number even if it is wrong and forfeits the game.",
    )


class SimpleCommandIn(RequestBody):
    """Send a command that needs no number."""

    type: Annotated[str, OneOf(COMMANDS)]


class Submission(RequestBody):
    """A command and the version of the match it is made for."""

    version: int = Field(ge=0, le=1_000_000, description="The version you have seen.")
    command: Annotated[TakeIn | SimpleCommandIn, Field(discriminator="type")]


class HintRequest(RequestBody):
    """How much a hint may say: 1 who wins, 2 how many moves win, 3 a move to take."""

    step: int = Field(default=1, ge=1, le=3)


class QrRequest(RequestBody):
    """A link to draw as a QR code."""

    link: str = Field(
        pattern="^[!-~]{1,300}$", examples=["https://duel.example.org/#/match/k3v9h2m8qa/KEY"]
    )


# --- analysis


class PositionRequest(RequestBody):
    """A position, and numbers that are taken from there on."""

    code: PositionCode
    moves: Annotated[list[Number], FailFast()] = Field(
        default_factory=list, max_length=MOST_NUMBERS
    )
    board: bool = Field(default=False, description="Whether to send the board with the answer.")


class StartRequest(RequestBody):
    """A board to start from."""

    game: ShortText = Field(examples=["chain"])
    board: BoardIn = Field(default_factory=dict)


class AnalysisRequest(RequestBody):
    """A position to judge."""

    code: PositionCode


class RecordToAnalyse(RequestBody):
    """The record of a game to explore."""

    record: str = Field(min_length=1, max_length=LONGEST_RECORD)
