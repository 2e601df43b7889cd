"""A server for assistants that speak the Model Context Protocol."""

import json
from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from typing import Annotated, Any, ParamSpec

from pydantic import Field

from divisorduel.bots import assistant
from divisorduel.bots.assistant import Data, NumberOrText
from divisorduel.coach.hints import LAST_STEP
from divisorduel.coach.puzzles import LEVELS
from divisorduel.play.players import PLAYERS
from divisorduel.rules.catalogue import rule_book_keys
from divisorduel.rules.errors import DuelError, MissingExtra, one_of

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError:
    raise MissingExtra("The server for assistants", "mcp") from None

P = ParamSpec("P")

INSTRUCTIONS = """\
Number games for two players, with an exact solver. A position code says everything about a game:
pass the code from the last answer to the next call. Verdicts, hints, reasons and reviews are
proven, not guessed. With a learner, give hints step by step before you name a move.
"""

GAMES = "divisorduel://games"
"""The address of the list of games."""

CodeArgument = Annotated[
    str, Field(description="A position code, such as 'chain 2-50 2-7,9-50 8'.")
]
KeyArgument = Annotated[str, Field(description=f"The game: {one_of(rule_book_keys())}.")]
BoardArgument = Annotated[
    dict[str, NumberOrText],
    Field(
        default_factory=dict,
        description="What differs from the usual board: to, from, step, opening (any, even or "
        "low); for descent, number.",
    ),
]


def server() -> "MCPServer[Any]":
    """Return the server, with all its tools."""
    made: MCPServer[Any] = MCPServer(
        "divisorduel",
        title="Divisor Duel",
        instructions=INSTRUCTIONS,
        version=version("divisorduel"),
        log_level="WARNING",
    )
    for tool in (new_game, legal_moves, play, hint, why, solve, review, puzzle):
        made.tool()(_explaining(tool))
    made.resource(GAMES, mime_type="application/json")(games)
    return made


def _explaining(tool: Callable[P, Data]) -> Callable[P, Data]:
    """Let a tool answer with the reason for a refusal."""

    @wraps(tool)
    def run(*args: P.args, **kwargs: P.kwargs) -> Data:
        try:
            return tool(*args, **kwargs)
        except DuelError as error:
            raise ToolError(str(error)) from None

    return run


def games() -> str:
    """List the games: their keys, titles, usual boards, and what a move is."""
    return json.dumps(assistant.games())


def new_game(game: KeyArgument, board: BoardArgument) -> Data:
    """Begin a game. Returns its rules, its position code and the legal moves."""
    return assistant.new_game(game, board)


def legal_moves(position: CodeArgument) -> Data:
    """List the legal moves of a position: the first 200, and how many there are."""
    return assistant.legal_moves(position)


def play(
    position: CodeArgument,
    number: Annotated[NumberOrText, Field(description="The number to take.")],
    opponent: Annotated[
        str | None,
        Field(description=f"A computer player that answers at once: {one_of(PLAYERS)}."),
    ] = None,
) -> Data:
    """Take a number, and optionally let a computer player answer. An illegal move is explained."""
    return assistant.play(position, number, opponent)


def hint(
    position: CodeArgument,
    step: Annotated[
        int,
        Field(ge=1, le=LAST_STEP, description="1: who wins; 2: how many moves win; 3: a move."),
    ] = 1,
) -> Data:
    """Give a hint to the player to move. Each step gives away a little more."""
    return assistant.hint(position, step)


def why(position: CodeArgument) -> Data:
    """Explain why the player to move wins or loses, with the winner's plan."""
    return assistant.why(position)


def solve(position: CodeArgument) -> Data:
    """Say who wins if both play perfectly, and which moves win. The answer is proven."""
    return assistant.solve(position)


def review(
    position: Annotated[str, Field(description="The position code before the first move.")],
    moves: Annotated[list[NumberOrText], Field(description="The numbers taken, in order.")],
) -> Data:
    """Find the mistakes in a game, and what would have won. Player 1 made the first move."""
    return assistant.review(position, moves)


def puzzle(
    game: KeyArgument,
    board: BoardArgument,
    level: Annotated[
        int | None, Field(ge=LEVELS[0], le=LEVELS[-1], description="1 is easy, 5 is hard.")
    ] = None,
    seed: Annotated[int | None, Field(description="The same seed gives the same puzzle.")] = None,
) -> Data:
    """Pose a puzzle: a position with exactly one winning move, which is not named."""
    return assistant.puzzle(game, board, level, seed)
