"""The bodies of HTTP responses; WebSocket messages share some of their parts."""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from divisorduel.play.events import Event, Forfeited, Offered, OfferKind, Seat
from divisorduel.play.match import LONGEST_NAME, MOST_ROUNDS, State, Then
from divisorduel.record.event_json import kebab_case
from divisorduel.solve.solver import Part
from divisorduel.web.board_limits import LARGEST_NUMBER
from divisorduel.web.own_addresses import Reach
from divisorduel.web.schemas import requests
from divisorduel.web.schemas.requests import OneOf, PlayerKind


class Problem(BaseModel):
    """Why a request was refused."""

    code: str = Field(description="A stable name for programs.", examples=["invalid-request"])
    reason: str = Field(description="A sentence for people.")


class RefusedOut(Problem):
    """Why a command was refused."""

    version: int = Field(description="The current version of the match.")
    asks: bool = Field(
        description='Whether the same command with "sure": true would be carried out.'
    )


class BookOut(BaseModel):
    """A rule book and a board, in a few words."""

    key: str
    title: str
    nickname: str = Field(description="Tells games with the same title apart; may be empty.")
    board: str
    move: str = Field(description="What a move is, in a few words.")
    wrong_number: Literal["ask again", "forfeit"]


class GameOut(BookOut):
    """A game on its board."""

    span: str
    note: str


class ForfeitOut(BaseModel):
    """Who forfeited, and the wrong number, if there was one."""

    by: Seat
    wrong_number: int | str | None = Field(
        description="A string if it is above 2⁵³; a record can contain such a number."
    )
    away: bool = Field(
        description="Whether the opponent claimed the win because the player had left."
    )
    fault: str = Field(description="What went wrong with an engine, in a word; or empty.")
    reason: str


class MatchOut(BaseModel):
    """A match, with everything needed to show it."""

    id: str
    version: int
    state: State
    game: GameOut
    names: tuple[str, str]
    kinds: tuple[PlayerKind, PlayerKind]
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
    turns: tuple[int, ...]
    to_move: Seat | None
    winner: Seat | None
    forfeit: ForfeitOut | None
    legal: tuple[int, ...]
    playable: tuple[int, ...]
    last: int | None
    redoable: int
    score: tuple[int, int]
    results: tuple[Seat, ...]
    offer: Offered | None


MatchFields = Mapping[str, Any]
"""The fields of a `MatchOut`, as plain values."""

if TYPE_CHECKING:
    MatchChanges = MatchFields
else:  # a match of which only some fields are sent
    _CHANGES: dict[str, Any] = {
        name: (hint, None) for name, hint in get_type_hints(MatchOut, include_extras=True).items()
    }
    MatchChanges = create_model("MatchChanges", **_CHANGES)


class KeysOut(BaseModel):
    """The keys to a match, null for a computer's seat. They are sent only once."""

    one: str | None = Field(alias="1")
    two: str | None = Field(alias="2")
    watch: str


class CreatedOut(BaseModel):
    """A new match and its keys."""

    id: str
    keys: KeysOut
    match: MatchOut


class JoinedOut(BaseModel):
    """A seat that was taken."""

    key: str
    seat: Seat
    match: MatchOut


class OpenMatchOut(BaseModel):
    """A match that anyone may join."""

    id: str
    game: GameOut
    host: str
    rounds: int
    starts: Literal["host", "you"]
    created: float = Field(description="Seconds since 1970.")


if TYPE_CHECKING:
    EventOut = dict[str, Any]
else:  # one model for each event, made from its dataclass

    def _event_model(kind: type) -> type[BaseModel]:
        hints = {"type": Annotated[str, OneOf([kebab_case(kind)])], **get_type_hints(kind)}
        if kind is Forfeited:
            hints["reason"] = str
        return create_model(f"{kind.__name__}Event", __doc__=kind.__doc__, **hints)

    _EVENTS = [_event_model(kind) for kind in get_args(Event)]
    EventOut = Annotated[reduce(or_, _EVENTS), Field(discriminator="type")]


class DoneOut(BaseModel):
    """What a command did."""

    events: list[EventOut]
    match: MatchOut


class PresenceOut(BaseModel):
    """Who is connected."""

    present: tuple[bool, bool]
    away: tuple[float | None, float | None] = Field(
        description="How many seconds each player has been away; null if present."
    )
    watchers: int = Field(description="How many spectators are connected.")
    claim_after: float


class MatchForCallerOut(BaseModel):
    """A match as the caller sees it."""

    seats: list[Seat] = Field(description="The seats you play for; empty for a spectator.")
    match: MatchOut
    presence: PresenceOut


class BoardOut(BaseModel):
    """The numbers of a board. Edges are left out if there are too many to draw."""

    code: str = Field(description="The position code of the start.")
    pool: bool = Field(description="Whether all numbers are on the board from the start.")
    numbers: tuple[int, ...]
    edges: list[tuple[int, int]]
    caption: str = Field(description="What an edge means, in a sentence.")
    last: int | None = Field(
        description="The last number taken before the start, or the starting number of descent."
    )


class TurnOut(BaseModel):
    """A turn: who took which number, which were legal, and which others it ruled out."""

    seat: Seat
    number: int
    legal: tuple[int, ...]
    gone: list[int]


class RoundOut(BaseModel):
    """A round, turn by turn."""

    round: int
    starter: Seat
    turns: list[TurnOut]
    legal: tuple[int, ...]
    winner: Seat | None
    forfeit: ForfeitOut | None


class HintOut(BaseModel):
    """A hint."""

    code: str = Field(description="A stable word for the hint.")
    params: dict[str, int] = Field(description="The numbers in the sentence.")
    text: str
    move: int | None
    more: bool = Field(description="Whether the next hint says more.")


class ReasonParams(BaseModel):
    """The numbers in the sentence of a reason."""

    move: int | None = Field(description="The winning move; null if there is none or it is hidden.")
    answers: list[tuple[int, int]] = Field(description="The loser's moves, each with its answer.")
    more: bool = Field(description="Whether the loser has more moves than these.")
    nimbers: list[int] = Field(description="The nimbers of the parts that cancel.")


class ReasonOut(BaseModel):
    """Why a position is won or lost: the winner's pairs, or the parts that cancel."""

    code: str = Field(description="A stable word for the reason.")
    params: ReasonParams
    text: str
    hidden: bool = Field(
        description="Whether the winning plan is left out because it names a move."
    )
    move: int | None
    pairs: list[tuple[int, int]]
    parts: list[Part]


class PositionOut(BaseModel):
    """A position, with everything needed to show it."""

    code: str = Field(description="The position code.")
    game: GameOut
    parameters: dict[str, int | str] = Field(description="The board's parameters.")
    playable: tuple[int, ...]
    last: int | None
    legal: tuple[int, ...] = Field(description="The legal moves; empty if too many to list.")
    moves: int = Field(description="How many moves are legal.")
    markable: bool = Field(
        description="Whether any set of numbers can be out of play, so that a position can be set "
        "up number by number. In other games, take numbers instead."
    )
    board: BoardOut | None = Field(description="The board from its start, if asked for.")


class LinesOut(BaseModel):
    """The lines of a record: the games, and their variations."""

    code: str = Field(description="The position where every line starts.")
    lines: list[list[int]]


class OptionOut(BaseModel):
    """A legal move, judged."""

    move: int
    wins: bool | None = Field(description="Null if that could not be proven in time.")
    nimber: int | None = Field(description="The nimber that the move leaves, if it is known.")


class AnalysisOut(BaseModel):
    """A position, judged move by move. Nothing in it is a guess."""

    code: str = Field(description="The position code.")
    winner: Literal[1, 2] | None = Field(
        description="1 if the player to move wins, 2 if the opponent does, null if unknown."
    )
    proven: bool = Field(description="Whether the winner and all winning moves are known.")
    method: str = Field(description="How it was solved.")
    nimber: int | None = Field(description="The position's own nimber, if it is known.")
    text: str = Field(description="Who wins, in a sentence or two.")
    options: list[OptionOut] = Field(description="The legal moves; empty if too many to list.")
    reason: ReasonOut = Field(description="Why, as the player to move would be told.")


class JudgedOut(BaseModel):
    """A turn, judged."""

    turn: int
    player: Seat
    move: int
    favours: Seat | None
    mistake: bool | None
    code: Literal["good", "mistake", "unproven"]
    text: str = Field(
        description="A remark in a sentence or two; "
        "empty unless the move was a mistake or could not be judged."
    )
    better: list[int]
    answer: int | None
    line: list[int]
    line_text: str = Field(description="The line in a sentence; empty if it has one move.")
    shortest: bool


class ReviewOut(BaseModel):
    """A finished round, judged turn by turn."""

    game: str
    board: str
    players: tuple[str, str]
    first: Seat
    result: Literal["1-0", "0-1", "*"]
    turns: list[JudgedOut]
    favours_end: Seat | None
    gave_up_a_win: bool
    summary: str
    told: dict[str, str] = Field(description="A remark on each mistake, by its turn.")


class ParameterOut(BaseModel):
    """A parameter of a board."""

    name: str
    choices: list[str] | None
    default: int | str | None


class ExampleOut(BaseModel):
    """A game that explains the rules."""

    span: str
    board: BoardOut
    round: RoundOut
    remarks: dict[str, str]


class RuleBookOut(BookOut):
    """A rule book with its guide."""

    parameters: list[ParameterOut]
    first_board: dict[str, int | str] = Field(
        description="Parameters for a first game, where they differ from the defaults."
    )
    rules: list[str]
    own_board: str = Field(
        description="What replaces the first paragraph of the rules on a board other than the "
        "default; empty if the rules hold for every board."
    )
    tips: list[str]
    example: ExampleOut


class LimitsOut(BaseModel):
    """The largest values that are accepted."""

    name: int = Field(default=LONGEST_NAME, description="Characters in a player's name.")
    rounds: int = Field(default=MOST_ROUNDS, description="Rounds in a match.")
    number: int = Field(default=LARGEST_NUMBER - 1, description="A number on a board.")
    record: int = Field(default=requests.LONGEST_RECORD, description="Characters in a record.")


class OptionsOut(BaseModel):
    """The values that requests accept and that matches can have."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    players: tuple[str, ...] = Field(
        default=("computer", "bot", *get_args(requests.Seated)),
        description="Who can play for a seat of a new match.",
    )
    computers: tuple[requests.ComputerKind, ...] = requests.COMPUTERS
    bots: tuple[requests.BotKind, ...] = Field(
        default=(), description="The engines of this server, for players with who: bot."
    )
    first: tuple[requests.First, ...] = get_args(requests.First)
    then: tuple[Then, ...] = get_args(Then)
    commands: tuple[str, ...] = ("take", *requests.COMMANDS)
    states: tuple[State, ...] = get_args(State)
    offers: tuple[OfferKind, ...] = get_args(OfferKind)
    limits: LimitsOut = LimitsOut()


class ServerOut(BaseModel):
    """Where a server can be reached from."""

    reach: Reach = Field(
        description="Whether only this machine can reach the server, or also its network, "
        "or everyone a proxy lets through."
    )
    addresses: list[str] = Field(
        description="Its URLs on the network, the usual one first; empty if they are not known, "
        "or not told to this client."
    )


class QrOut(BaseModel):
    """A QR code, to be drawn with a light margin of four modules."""

    rows: list[str] = Field(description='The rows from top to bottom; "1" is a dark module.')
