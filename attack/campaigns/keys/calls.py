"""Every call of the API with every kind of key, in its place and in every other."""

from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from functools import partial
from random import Random
from typing import Any

import httpx

from attack.campaign import Context
from attack.campaigns.keys.expectations import CALLS, PAGES, Access, Rights, is_allowed
from attack.campaigns.keys.scenes import SCENES, Key, Scene
from attack.description import Json, Operation, Values, operations
from attack.in_process_app import Application
from divisorduel.web.schemas.asyncapi import CHANNEL
from tests.web.clients import HERE, LINK, NO_TLS, Match

REFUSALS = {"missing": {"key-missing"}, "invalid": {"key-invalid"}, "watch": {"spectator"}}
OTHER_METHODS = ("PUT", "PATCH", "DELETE")
RECORD = '[Game "chain"]\n[Board "2-8"]\n\n8 4 *\n'


class Calls:
    """The calls of a server, as it describes them."""

    def __init__(self, context: Context, url: str, other: Match) -> None:
        self._context, self._url, self._other = context, url, other
        self._http = httpx.Client(base_url=url, timeout=60, verify=NO_TLS)
        self._document: Json = self._http.get("/openapi.json").json()
        self._operations = operations(self._document)

    def try_all(self) -> None:
        """Make every call with every key in every state of a match."""
        self.check_expectations()
        for operation in self._operations:
            for make in SCENES:
                if not self._context.seconds_left:
                    return
                self._try_operation(operation, partial(make, self._url, self._other))

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def check_expectations(self) -> None:
        """Report calls and pages that no one has thought about."""
        for operation in self._operations:
            with self._context.attempt("find what is expected of a call", call=operation.label):
                assert operation.label in CALLS, "Add it to attack/campaigns/keys/expectations.py"
                takes_key = CALLS[operation.label] != "anyone"
                assert operation.takes_key == takes_key, "openapi.json says otherwise"
        described = {operation.label for operation in self._operations}
        with self._context.attempt("find the calls that are expected"):
            assert not CALLS.keys() - described, CALLS.keys() - described
        with self._context.attempt("find routes that are not described"):
            hidden = paths_of_routes(self._context) - {one.path for one in self._operations}
            assert hidden == {*PAGES, CHANNEL}, hidden ^ {*PAGES, CHANNEL}

    def _try_operation(self, operation: Operation, make: Callable[[], Scene]) -> None:
        """Try the keys that open nothing, then each of the others in a new match."""
        access, scene = CALLS.get(operation.label), make()
        before = scene.match.watch.see()
        body = self._body(operation, before)
        for key in scene.wrong():
            self._try(operation, scene, key, access, body)
        if operation.takes_key:
            for place, more in wrong_places(scene).items():
                key = Key(f"seat 1's, in the wrong place: {place}", None, "missing")
                self._try(operation, scene, key, access, body, **more)
            for method in OTHER_METHODS:
                self._try_method(method, operation, scene)
        if not is_allowed(access, "missing", is_listed=scene.is_listed):
            with self._context.attempt("see that nothing has changed", call=operation.label):
                assert scene.match.watch.see() == before
        for at in range(len(scene.right())):
            with make() as fresh:
                self._try(operation, fresh, fresh.right()[at], access, body)
        scene.close()

    def _body(self, operation: Operation, seen: Json) -> Any:
        if operation.body is None:
            return None
        known: Json = {
            "version": seen["version"],
            "command": {"type": "take", "number": (seen["legal"] or [8])[0]},
            "game": "chain",
            "board": {},
            "players": [HERE, LINK],
            "record": RECORD,
        }
        made = Values(self._document, Random(1), largest=False).of(operation.body)
        made.pop("key", None)  # the key that a player makes up is tried separately
        return {name: known.get(name, value) for name, value in made.items()}

    def _try(
        self,
        operation: Operation,
        scene: Scene,
        key: Key,
        access: Access | None,
        body: Any,
        **more: Any,
    ) -> None:
        given = {"call": operation.label, "state": scene.name, "key": key.kind}
        with self._context.attempt("make a call with a key", **given):
            headers = more.pop("headers", _bearer(key.text))
            path = operation.at(id=scene.match.id, number=1)
            answer = self._http.request(operation.method, path, headers=headers, json=body, **more)
            if is_allowed(access, key.rights, is_listed=scene.is_listed):
                assert answer.status_code not in (401, 403), answer.text
                assert answer.status_code < 500, answer.text
            else:
                _check_refused(answer, key.rights)

    def _try_method(self, method: str, operation: Operation, scene: Scene) -> None:
        described = {one.method for one in self._operations if one.path == operation.path}
        if method in described:
            return
        with self._context.attempt("use another method", method=method, path=operation.path):
            path = operation.at(id=scene.match.id, number=1)
            answer = self._http.request(method, path, headers=_bearer(scene.own))
            assert answer.status_code == 405, answer.text


def _check_refused(answer: httpx.Response, rights: Rights) -> None:
    assert answer.status_code == (401 if rights == "missing" else 403), answer.text
    told = answer.json()
    assert told["code"] in REFUSALS[rights], told
    assert told.keys() == {"code", "reason"}, told


def _bearer(key: str | None) -> dict[bytes, bytes]:
    # As bytes: a key may hold anything.
    return {} if key is None else {b"authorization": f"Bearer {key}".strip().encode("latin-1")}


def wrong_places(scene: Scene) -> dict[str, dict[str, Any]]:
    """Return where else a client could put a key; it must not be found there."""
    key = scene.own
    basic = b64encode(f"user:{key}".encode()).decode()
    headers = {
        "a basic password": {"authorization": f"Basic {basic}"},
        "another scheme": {"authorization": f"Token {key}"},
        "no scheme": {"authorization": key},
        "another header": {"x-api-key": key},
        "a proxy's header": {"proxy-authorization": f"Bearer {key}"},
        "a cookie": {"cookie": f"key={key}; authorization=Bearer {key}"},
        "the referrer": {"referer": f"http://127.0.0.1/#/match/{scene.match.id}/{key}"},
        "a protocol": {"sec-websocket-protocol": key},
    }
    queries = ({"key": key}, {"token": key}, {"authorization": f"Bearer {key}"})
    return {
        **{place: {"headers": sent} for place, sent in headers.items()},
        **{f"the query, {', '.join(query)}": {"params": query} for query in queries},
    }


def paths_of_routes(context: Context) -> set[str]:
    """Return the paths of all routes of the application, described or not."""
    with closing(Application(context.folder("routes"))) as running:
        found = set()
        for route in running.app.routes:
            inner = getattr(route, "original_router", None)
            found |= {one.path for one in (inner.routes if inner else [route])}
        return found
