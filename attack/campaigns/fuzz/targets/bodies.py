"""Requests to the API: every call that is described, with bodies of every kind."""

import json
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

from attack.campaigns.fuzz.mutations import mutated_json
from attack.campaigns.fuzz.target import Target
from attack.campaigns.fuzz.targets.records import records
from attack.description import Json, Operation, Values, operations
from attack.in_process_app import Answer, Application
from divisorduel import Match, read_records, records_to_match
from divisorduel.rules.catalogue import rule_book_keys
from divisorduel.web.security import HEADERS

SHORT_OF_TIME = {"thinking": 0.2, "workers": 1}
BUSY = {"server-busy", "too-hard"}
"""The codes with which the solvers may refuse."""
STRANGE_PATHS = ("aaaaaaaaaa", "x", "..", "%00", "é", "AAAAAAAAAA", "a" * 3_000)
CONTENT_TYPES = ("text/plain", "application/xml", "", "application/json; charset=utf-16", "é")
HERE: Json = {"who": "here", "name": "Ann"}
LINK: Json = {"who": "link"}
COMPUTER: Json = {"who": "computer", "kind": "greedy"}
MATCHES: tuple[Json, ...] = (
    {"game": "chain", "board": {"to": 20}, "players": [HERE, LINK], "rounds": 3},
    {"game": "divider", "board": {"to": 12}, "players": [HERE, LINK], "listed": True},
    {"game": "descent", "board": {"number": 360}, "players": [HERE, COMPUTER]},
    {"game": "antichain", "board": {"to": 12}, "players": [HERE, {"who": "here"}], "undo": False},
)
CODES = (
    "chain 2-20 2-7,9-20 8", "divider 2-12 2-12 -", "descent 360 - 60", "antichain 2-12 5,7 -",
)  # fmt: skip
NEW_AFTER = 500
"""After how many inputs new matches are created."""


class Request(NamedTuple):
    """A request to the match of a number, whose id replaces "{id}" in the path."""

    method: str
    path: str
    body: bytes
    content_type: str
    match: int
    key: str | None
    """Which of the match's keys is sent, or a wrong one."""
    statuses: frozenset[int]


class Bodies(Target[Request]):
    """Requests, answered in this process."""

    def __init__(self, folder: Path) -> None:
        """Start the application."""
        super().__init__(folder)
        self._running = Application(folder, **SHORT_OF_TIME)
        self._document = self._running.openapi
        self._operations = operations(self._document)
        self._seen = 0
        self._matches = self._new_matches()

    def close(self) -> None:
        """Stop the application."""
        self._running.close()

    def _new_matches(self) -> list[Json]:
        made = [self._running.post("/api/matches", body).json for body in MATCHES]
        for match in made[:2]:
            joined = self._running.post(
                f"/api/matches/{match['id']}/join", {"name": "Bob"}, match["keys"]["2"]
            )
            match["keys"] = {**match["keys"], "2": joined.json["key"], "link": match["keys"]["2"]}
        return made

    def make(self, rng: Random) -> Request:
        """Call something with a body that is right, changed, made from its schema, or nonsense."""
        operation = rng.choice(self._operations)
        known = {name: _part(rng, name) for name in operation.parameters}
        path = operation.path.format(**known)
        if operation.query and rng.random() < 0.5:
            values = Values(self._document, rng, largest=False)
            path += "?" + "&".join(f"{k}={values.of(v)}" for k, v in operation.query.items())
        return Request(
            method=operation.method if rng.random() < 0.98 else rng.choice(("PUT", "HEAD", "X")),
            path=path,
            body=self._body(rng, operation),
            content_type="application/json" if rng.random() < 0.95 else rng.choice(CONTENT_TYPES),
            match=rng.randrange(len(MATCHES)),
            key=rng.choice(("1", "2", "1", "2", "watch", "link", "x" * 24, "é", None)),
            statuses=operation.statuses,
        )

    def _body(self, rng: Random, operation: Operation) -> bytes:
        if operation.body is None:
            return b"" if rng.random() < 0.9 else b"{}"
        values = Values(self._document, rng, largest=False)
        corpus: list[Any] = [values.of(operation.body) for _ in range(2)]
        if operation.label == "POST /api/matches":
            corpus += [*MATCHES, {"game": rng.choice(rule_book_keys()), "players": [HERE, LINK]}]
        elif operation.label in ("POST /api/records", "POST /api/positions/record"):
            corpus += [{"record": record.decode()} for record in rng.sample(_RECORDS, 3)]
        elif operation.label in ("POST /api/positions", "POST /api/analysis"):
            corpus += [{"code": code} for code in CODES]
        elif operation.label == "POST /api/positions/start":
            corpus += [
                {"game": rng.choice(rule_book_keys()), "board": one["board"]} for one in MATCHES
            ]
        elif operation.label.endswith("/commands"):
            number = rng.randrange(25)
            take = {"type": "take", "number": number}
            corpus += [{"version": version, "command": take} for version in range(8)]
        return mutated_json(rng, corpus)

    def check(self, given: Request) -> str:
        """Make the request; the answer is one that is described, and says why it refuses."""
        self._seen += 1
        if self._seen % NEW_AFTER == 0:
            self._matches = self._new_matches()
        match = self._matches[given.match]
        key = None if given.key is None else match["keys"].get(given.key, given.key)
        headers = {"content_type": given.content_type}
        if key is not None:
            headers["authorization"] = f"Bearer {key}"
        path = given.path.replace("{id}", match["id"])
        answer = self._running.call(given.method, path, given.body, **headers)
        check_answer(answer, given.statuses | {404, 405})
        if answer.status == 201:
            self._check_record(answer.json)
        return str(answer.status)

    def _check_record(self, created: Json) -> None:
        """Check that the record of a new match describes it, and can be continued."""
        path, key = f"/api/matches/{created['id']}/record", _any_key(created)
        text = self._running.get(path, key).body.decode()
        match = records_to_match(read_records(text))
        again = self._running.post("/api/records", {"record": text})
        assert again.status == 201, f"{text!r} cannot be continued: {again.body!r}"
        assert _same(match, created["match"]), (match, created["match"])
        assert _same(match, again.json["match"]), (match, again.json["match"])


def check_answer(answer: Answer, statuses: frozenset[int]) -> None:
    """Check that an answer is described, and that a refusal has a code, a reason and headers."""
    assert answer.status in statuses, f"{answer.status} is not described: {answer.body[:300]!r}"
    missing = [name for name in HEADERS if name not in answer.headers]
    assert not missing, f"{answer.status} without {missing}"
    if answer.status >= 400 and answer.body:
        problem = json.loads(answer.body)
        assert all(problem[name] for name in ("code", "reason")), problem
        assert answer.status < 500 or problem["code"] in BUSY, problem


def _same(match: Match, shown: Json) -> bool:
    current = match.current
    told = (shown["game"]["key"], shown["game"]["board"], shown["names"], shown["kinds"])
    turns = shown["turns"][: len(current.moves)]  # a computer may have moved since
    return (*told, shown["rounds"], turns) == (
        match.game.book.key,
        match.game.board,
        list(match.names),
        list(match.kinds),
        match.rounds,
        list(current.moves),
    )


def _any_key(created: Json) -> str:
    return next(str(key) for key in created["keys"].values() if key is not None)


def _part(rng: Random, name: str) -> str:
    """Return a part of a path: mostly what it should be, sometimes nonsense."""
    if rng.random() < 0.1:
        return quote(rng.choice(STRANGE_PATHS), safe="%")
    return {"id": "{id}", "number": rng.choice(("1", "1", "2", "0", "1000", "1001", "x"))}.get(
        name, "1"
    )


_RECORDS = records()
