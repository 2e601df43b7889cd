"""HTTP routes for exploring positions, apart from any match."""

from functools import partial

from fastapi import Request

from divisorduel.play.match import default_names
from divisorduel.play.players import HUMAN
from divisorduel.rules.code import read_code
from divisorduel.rules.errors import IllegalMove
from divisorduel.rules.game import Game, Taken
from divisorduel.rules.position import Position
from divisorduel.web import dependencies as deps
from divisorduel.web.board_limits import check_showable
from divisorduel.web.invitation import chosen_game
from divisorduel.web.live.match_cache import LONG_RECORD
from divisorduel.web.schemas import requests, responses, views
from divisorduel.web.schemas.problems import refusals
from divisorduel.web.services import Services

NAMES = default_names((HUMAN, HUMAN))
"""What refusals call the players: the first one is to move at the start."""

routes = deps.router("analysis")


@routes.post("/positions", responses=refusals(400, 413, 429, 503))
async def position(
    request: Request, services: deps.ServicesOf, wanted: requests.PositionRequest
) -> responses.PositionOut:
    """Show the position after some moves: what is playable, and what is legal."""
    deps.count_call(services.address_limit, request, "moves")
    job = partial(_after, wanted.code, wanted.moves)
    game, at = await deps.in_background(services, request, job)
    return await _shown(request, services, game, at, with_board=wanted.board)


@routes.post("/positions/start", responses=refusals(400, 413, 429, 503))
async def start(
    request: Request, services: deps.ServicesOf, wanted: requests.StartRequest
) -> responses.PositionOut:
    """Show the start of a game on a board."""
    deps.count_call(services.address_limit, request, "moves")
    game = chosen_game(wanted.game, wanted.board)
    return await _shown(request, services, game, game.start(), with_board=True)


@routes.post("/positions/record", responses=refusals(400, 413, 429, 503))
async def record(
    request: Request, services: deps.ServicesOf, wanted: requests.RecordToAnalyse
) -> responses.LinesOut:
    """List the lines of a record, to explore them."""
    long = len(wanted.record) > LONG_RECORD
    found = await deps.ask_coach(services, request, "lines", long=long, record=wanted.record)
    return responses.LinesOut(**found)


@routes.post("/analysis", responses=refusals(400, 413, 429, 503))
async def analysis(
    request: Request, services: deps.ServicesOf, wanted: requests.AnalysisRequest
) -> responses.AnalysisOut:
    """Judge a position: who wins, which moves win, and why."""
    found = await deps.ask_coach(services, request, "analyse", code=wanted.code)
    return responses.AnalysisOut(**found)


def _after(code: str, moves: list[int]) -> tuple[Game, Position]:
    """Return the position after some moves. Raises `CodeError` and `IllegalMove`."""
    game, at = read_code(code, check_showable)
    taken: list[Taken] = []
    for turn, number in enumerate(moves):
        if refusal := game.refusal(at, number, taken):
            raise IllegalMove(game.explain(refusal), refusal)
        at = game.after(at, number)
        taken.append(Taken(number, NAMES[turn % 2]))
    return game, at


async def _shown(
    request: Request, services: Services, game: Game, at: Position, *, with_board: bool
) -> responses.PositionOut:
    board = await deps.show_board(services, request, game, game.start()) if with_board else None
    job = partial(views.position_view, game, at, board)
    return await deps.in_background(services, request, job)
