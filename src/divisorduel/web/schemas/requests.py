"""The shapes of what goes into the API. Everything is bounded."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from divisorduel.play.match import LONGEST_NAME, MOST_ROUNDS, Then
from divisorduel.web.board_limits import LARGEST_NUMBER

LONGEST_RECORD = 200_000

Number = Annotated[int, Field(ge=0, lt=LARGEST_NUMBER)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, examples=["Ann"])]
Version = Annotated[int, Field(ge=0, le=1_000_000, description="The version you have seen.")]
Word = Annotated[str, Field(max_length=20)]
ComputerKind = Literal[
    "random", "greedy", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "perfect"
]


class Input(BaseModel):
    """What a client sends; nothing is added to it, and nothing is guessed."""

    model_config = ConfigDict(extra="forbid", strict=True)


# --- what is agreed


class Here(Input):
    """A person where the match is created."""

    who: Literal["here"]
    name: Name | None = None


class Link(Input):
    """A person who comes by a link, or from the list of open matches."""

    who: Literal["link"]
    name: Name | None = None


class Computer(Input):
    """A computer player."""

    who: Literal["computer"]
    kind: ComputerKind = "5"


Player = Annotated[Here | Link | Computer, Field(discriminator="who")]


class NewMatch(Input):
    """What is agreed before a match."""

    game: Word = Field(examples=["chain"])
    board: dict[Word, Number | Word] = Field(
        default_factory=dict,
        max_length=8,
        description="The board's parameters, as GET /api/games lists them.",
        examples=[{"to": 50, "opening": "even"}],
    )
    players: Annotated[list[Player], Field(min_length=2, max_length=2)]
    first: Literal["1", "2", "random"] = "1"
    then: Then = "alternate"
    rounds: int = Field(default=1, ge=1, le=MOST_ROUNDS)
    undo: bool = True
    hints: bool = True
    listed: bool = Field(default=False, description="Whether anybody may find and join it.")


class TakenUp(Input):
    """A record to go on from."""

    record: str = Field(min_length=1, max_length=LONGEST_RECORD)


class Joining(Input):
    """Who joins."""

    name: Name | None = None
    key: str | None = Field(
        default=None,
        pattern="^[A-Za-z0-9_-]{22,64}$",
        description="A random key of your own making, so that you have it whatever happens.",
    )


# --- commands


class TakeIn(Input):
    """Take a number."""

    type: Literal["take"]
    number: Number
    sure: bool = Field(
        default=False, description="Whether a wrong number may forfeit the game, where it does."
    )


class OtherIn(Input):
    """Whatever needs no number."""

    type: Literal["forfeit", "undo", "redo", "rematch", "accept", "decline", "claim", "call-off"]


CommandIn = Annotated[TakeIn | OtherIn, Field(discriminator="type")]


class Submission(Input):
    """A command, and the version it is made for."""

    version: Version
    command: CommandIn


class Question(Input):
    """How much a hint may give away: 1 who wins, 2 how many moves win, 3 which one."""

    step: int = Field(default=1, ge=1, le=3)
