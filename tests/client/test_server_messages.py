"""What the client reads and sends is what the server sends and reads."""

from dataclasses import fields
from typing import get_args

import pytest
from pydantic import BaseModel

from divisorduel.client import match_client, remote_match, server_messages
from divisorduel.play.commands import Command, Join, Take
from divisorduel.web import board_limits
from divisorduel.web.routes import websocket
from divisorduel.web.schemas import messages as server
from divisorduel.web.schemas import requests, responses

PAIRS: list[tuple[type, type[BaseModel]]] = [
    (server_messages.SentGame, responses.GameOut),
    (server_messages.SentMatch, responses.MatchOut),
    (server_messages.Presence, responses.PresenceOut),
    (server_messages.SentBoard, responses.BoardOut),
    (server_messages.SentSeat, responses.JoinedOut),
    (server_messages.Welcome, server.WelcomeMessage),
    (server_messages.Welcome, responses.MatchForCallerOut),
    (server_messages.SentStep, server.StepMessage),
    (server_messages.PresenceChange, server.PresenceMessage),
    (server_messages.Done, server.DoneMessage),
    (server_messages.SentRefusal, server.RefusedMessage),
    (server_messages.Complaint, server.ErrorMessage),
    (server_messages.Notice, server.NoticeMessage),
]


@pytest.mark.parametrize(("ours", "sent"), PAIRS)
def test_every_field_that_the_client_needs_is_sent(ours: type, sent: type[BaseModel]) -> None:
    assert {field.name for field in fields(ours)} <= sent.model_fields.keys()


def test_every_kind_of_message_is_known_except_the_answer_to_a_ping() -> None:
    kinds = {one.model_fields["type"].default for one in server.SENT}
    assert kinds - server_messages._KINDS.keys() == {"pong"}
    assert server_messages.read_message('{"type": "pong"}') is None
    assert server_messages.read_message('{"type": "of a newer server"}') is None


@pytest.mark.parametrize(
    "text", ["", "[]", "3", '{"type": "welcome"}', '{"type": "done", "id": "x"}', "[" * 100_000]
)
def test_a_message_that_is_not_valid_is_an_error(text: str) -> None:
    with pytest.raises((ValueError, RecursionError)):
        server_messages.read_message(text)


def test_the_server_reads_every_command() -> None:
    kinds = set(get_args(Command)) - {Take, Join}
    for command in (Take(8), Take(10**60), *(kind() for kind in kinds)):
        sent = server_messages.command_to_json(command, sure=True)
        requests.Submission.model_validate({"version": 0, "command": sent})


def test_limits_and_close_codes_are_those_of_the_server() -> None:
    assert server_messages.LARGEST_NUMBER == board_limits.LARGEST_NUMBER - 1
    assert remote_match.MOST_NUMBERS == board_limits.MOST_NUMBERS
    assert remote_match.HIGHEST == board_limits.HIGHEST
    assert (match_client.REFUSED, match_client.TOO_MANY) == (websocket.REFUSED, websocket.TOO_MANY)
