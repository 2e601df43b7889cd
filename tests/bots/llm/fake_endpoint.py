"""A real HTTP endpoint on this machine, with a model that plays as a test wants."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

from divisorduel import read_code
from divisorduel.play.players import PLAYERS, Judge
from examples.player_endpoint import code_in


@dataclass(frozen=True)
class Response:
    """What the endpoint answers: JSON or bytes, or nothing until the test ends."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    is_hanging: bool = False


Behaviour = Callable[[str, int], Response]
"""Answers a prompt, given how often it has been asked before."""


def completion(text: Any, finish: str = "stop", tokens: int | None = 100) -> Response:
    """Return a completion in the form of the OpenAI API."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    usage = {} if tokens is None else {"usage": {"total_tokens": tokens}}
    return Response(
        {"object": "chat.completion", "choices": [{**choice, "finish_reason": finish}]} | usage
    )


def playing(kind: str) -> Behaviour:
    """Return a model that plays like a computer player. It reads the prompt, as a model does.

    A player that chooses at random chooses again each time it is asked.
    """
    judge = Judge()

    def answer(prompt: str, before: int) -> Response:
        code = code_in(prompt)
        rng = Random(f"{code}/{before}")
        move = PLAYERS[kind](judge).choose(*read_code(code), rng)
        return completion(f"I have thought about it.\n\n**ANSWER: {move}**")

    return answer


def saying(text: str, finish: str = "stop") -> Behaviour:
    """Return a model that always gives the same reply."""
    return lambda _prompt, _before: completion(text, finish)


class FakeEndpoint:
    """Counts requests, and answers them as its model does."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.prompts: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.encodings: list[str | None] = []
        self.over = threading.Event()
        self.url = ""
        self._lock = threading.Lock()

    def respond(self, body: bytes, key: str | None) -> Response:
        """Answer a request."""
        asked = json.loads(body)
        [message] = asked["messages"]
        with self._lock:
            before = self.prompts.count(message["content"])
            self.prompts.append(message["content"])
            self.bodies.append(asked)
            self.keys.append(key)
        found = self.behaviour(message["content"], before)
        if found.is_hanging:
            self.over.wait()
        return found


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[FakeEndpoint]:
    """Run an endpoint on a free port of this machine."""
    endpoint = FakeEndpoint(behaviour)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # otherwise each answer waits for an acknowledgement of its headers

        def do_POST(self) -> None:
            assert self.path == "/v1/chat/completions"
            body = self.rfile.read(int(self.headers["Content-Length"]))
            endpoint.encodings.append(self.headers["Accept-Encoding"])
            found = endpoint.respond(body, self.headers["Authorization"])
            data = found.body if isinstance(found.body, bytes) else json.dumps(found.body).encode()
            try:
                self.send_response(found.status)
                for name, value in found.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
                self.wfile.flush()
            except OSError:  # the client has given up
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
