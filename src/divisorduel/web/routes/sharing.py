"""HTTP routes for inviting others: where the server can be reached, and QR codes for links."""

from functools import partial

from fastapi import Request

from divisorduel.web import dependencies as deps
from divisorduel.web.own_addresses import is_neighbour, own_addresses, reach_of, url_of
from divisorduel.web.qr_code import qr_code
from divisorduel.web.schemas import requests, responses
from divisorduel.web.schemas.problems import refusals

routes = deps.router("sharing")


@routes.get("/server")
async def server(request: Request, services: deps.ServicesOf) -> responses.ServerOut:
    """Say where this server can be reached from, and its addresses on the network.

    Only clients on the same machine or in a private network learn the addresses.
    """
    reach, client = reach_of(services.settings), request.client
    told = reach == "network" and client is not None and is_neighbour(client.host)
    port = (request.scope.get("server") or ("", 0))[1]
    hosts = own_addresses(services.settings.host) if told else []
    return responses.ServerOut(reach=reach, addresses=[url_of(host, port) for host in hosts])


@routes.post("/qr", responses=refusals(400, 413, 429, 503))
async def draw_qr_code(
    request: Request, services: deps.ServicesOf, wanted: requests.QrRequest
) -> responses.QrOut:
    """Draw a link as a QR code. The link is not stored or logged."""
    deps.count_call(services.question_limit, request, "requests")
    rows = await deps.in_background(services, request, partial(qr_code, wanted.link))
    return responses.QrOut(rows=rows)
