"""The shapes of what comes out of the API."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from divisorduel.play.events import Seat
from divisorduel.play.match import Then


class Problem(BaseModel):
    """Why something was refused."""

    reason: str = Field(description="A sentence for people.")


class Refusal(Problem):
    """Why a command was refused."""

    version: int = Field(description="The match's version now.")
    asks: bool = Field(description='Whether it would be carried out with "sure": true.')


class GameOut(BaseModel):
    """A game on its board."""

    key: str
    title: str
    board: str
    span: str
    note: str
    move: str = Field(description="What a move is, in a few words.")
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
    caption: str = Field(description="What a tie means, in a sentence.")
    last: int | None = Field(description="The number to answer at the start, if there is one.")


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

    code: str = Field(description="A stable word for the hint.")
    params: dict[str, int] = Field(description="The numbers in the sentence.")
    text: str
    move: int | None
    more: bool = Field(description="Whether the next step tells more.")


class PartOut(BaseModel):
    """Numbers that hang together, and the nimber they are worth."""

    numbers: list[int]
    nimber: int


class ReasonParams(BaseModel):
    """The numbers in the sentence of a reason."""

    move: int | None = Field(description="The winning move; null if the player to move loses.")
    answers: list[tuple[int, int]] = Field(description="What answers each move of the loser.")
    more: bool = Field(description="Whether the loser has other moves than these.")
    nimbers: list[int] = Field(description="The nimbers of the parts that cancel.")


class ReasonOut(BaseModel):
    """Why a position is won or lost: the winner's pairs, or the parts that cancel."""

    code: str = Field(description="A stable word for the reason.")
    params: ReasonParams
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
    code: Literal["good", "mistake", "unproven"]
    text: str = Field(description="A remark in a sentence or two; empty for a good move.")
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
