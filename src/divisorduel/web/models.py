"""The shapes of what goes into the API and comes out of it. Every input is bounded."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from divisorduel.play.events import Seat
from divisorduel.play.match import LONGEST_NAME, MOST_ROUNDS, Then
from divisorduel.web.boards import LARGEST_NUMBER

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


class Problem(BaseModel):
    """Why something was refused."""

    reason: str = Field(description="A sentence for people.")


class Refusal(Problem):
    """Why a command was refused."""

    version: int = Field(description="The match's version now.")
    asks: bool = Field(description='Whether it would be carried out with "sure": true.')


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


# --- what comes out


class GameOut(BaseModel):
    """A game on its board."""

    key: str
    title: str
    board: str
    span: str
    note: str
    wrong_number: Literal["ask again", "forfeit"]


class ForfeitOut(BaseModel):
    """Who gave up, and by which wrong number if by one."""

    by: Seat
    wrong_number: int | None
    reason: str


class OfferOut(BaseModel):
    """What a player asks for."""

    kind: Literal["undo", "rematch"]
    by: Seat


class MatchOut(BaseModel):
    """A match, with all one needs to show it."""

    id: str
    version: int
    state: Literal["waiting", "playing", "over", "off", "expired"]
    game: GameOut
    names: tuple[str, str]
    kinds: tuple[str, str]
    joined: tuple[bool, bool]
    apart: bool
    rounds: int
    series: int
    then: Then
    undo: bool
    hints: bool
    listed: bool
    round: int
    starter: Seat
    turns: list[int]
    to_move: Seat | None
    winner: Seat | None
    forfeit: ForfeitOut | None
    legal: list[int]
    playable: list[int]
    last: int | None
    redoable: int
    score: tuple[int, int]
    results: list[Seat]
    offer: OfferOut | None


class KeysOut(BaseModel):
    """The keys to a match. Nobody can ask for them again."""

    one: str | None = Field(alias="1")
    two: str | None = Field(alias="2")
    watch: str


class CreatedOut(BaseModel):
    """A new match."""

    id: str
    keys: KeysOut
    match: MatchOut


class JoinedOut(BaseModel):
    """A seat that was taken."""

    key: str
    seat: Seat
    match: MatchOut


class WaitingOut(BaseModel):
    """A match that anybody may join."""

    id: str
    game: GameOut
    host: str
    rounds: int
    starts: Literal["host", "you"]
    created: float = Field(description="Seconds since 1970.")


class DoneOut(BaseModel):
    """What a command caused."""

    events: list[dict[str, Any]]
    match: MatchOut


class PresenceOut(BaseModel):
    """Who is there."""

    present: tuple[bool, bool]
    away: tuple[float | None, float | None] = Field(description="Seconds, null for who is there.")
    watchers: int
    claim_after: float


class SeenOut(BaseModel):
    """A match as whoever asks sees it."""

    seats: list[Seat] = Field(description="The seats you may play for; none if you watch.")
    match: MatchOut
    presence: PresenceOut


class BoardOut(BaseModel):
    """The numbers of a board; ties are left out where there are too many to draw."""

    pool: bool = Field(description="Whether the numbers lie on the table from the start.")
    numbers: list[int]
    ties: list[tuple[int, int]]


class TurnOut(BaseModel):
    """A turn: who took which number, what else could be taken, what went with it."""

    seat: Seat
    number: int
    legal: list[int]
    gone: list[int]


class RoundOut(BaseModel):
    """A round, turn by turn."""

    round: int
    starter: Seat
    turns: list[TurnOut]
    legal: list[int]
    winner: Seat | None
    forfeit: ForfeitOut | None


class HintOut(BaseModel):
    """A hint."""

    text: str
    move: int | None
    more: bool = Field(description="Whether the next step tells more.")


class PartOut(BaseModel):
    """Numbers that hang together, and the nimber they are worth."""

    numbers: list[int]
    nimber: int


class ReasonOut(BaseModel):
    """Why a position is won or lost: the winner's pairs, or the parts that cancel."""

    text: str
    move: int | None
    pairs: list[tuple[int, int]]
    parts: list[PartOut]


class JudgedOut(BaseModel):
    """What is to be said of a turn."""

    turn: int
    player: Seat
    move: int
    favours: Seat | None
    mistake: bool | None
    better: list[int]
    answer: int | None
    line: list[int]
    shortest: bool


class ReviewOut(BaseModel):
    """A finished round, judged exactly."""

    game: str
    board: str
    players: tuple[str, str]
    first: Seat
    result: Literal["1-0", "0-1", "*"]
    turns: list[JudgedOut]
    favours_end: Seat | None
    gave_up_a_win: bool
    summary: str
    told: dict[str, str] = Field(description="What to say of a mistake, by its turn.")


class ParameterOut(BaseModel):
    """What can be chosen of a board."""

    name: str
    choices: list[str] | None
    default: int | str | None


class ExampleOut(BaseModel):
    """A game that explains the rules."""

    span: str
    board: BoardOut
    round: RoundOut
    remarks: dict[str, str]


class RuleBookOut(BaseModel):
    """A rule book."""

    key: str
    title: str
    board: str
    move: str
    wrong_number: Literal["ask again", "forfeit"]
    parameters: list[ParameterOut]
    rules: list[str]
    tips: list[str]
    example: ExampleOut
