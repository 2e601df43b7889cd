"""What docs/architecture.md, README.md and CONTRIBUTING.md say about the source is true."""

import ast
import asyncio
import inspect
import json
import re
import socket
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import click
import httpx
import pytest
import uvicorn
from websockets.asyncio.client import connect

from divisorduel import Match, ServerSettings, application, game
from divisorduel.cli import solve, table
from divisorduel.web.protocols.direct_socket import DirectSocket
from tests.lab.executors.test_dask_cluster import running_cluster
from tests.terminal.plain.test_match_loop import Played
from tests.web.clients import NO_TLS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "divisorduel"
PAGE = (ROOT / "docs" / "architecture.md").read_text()

DISCOVERED = {"rules/books/", "cli/"}
"""Folders whose modules are discovered at run time, so the page need not list them."""


def section(heading: str) -> str:
    """Return the text under a heading, up to the next one of any level."""
    return re.split(r"^#+ ", PAGE.split(f"# {heading}\n")[1], flags=re.MULTILINE)[0]


def diagram(heading: str) -> str:
    """Return the code block under a heading."""
    [found] = re.findall(r"```text\n(.*?)```", section(heading), flags=re.DOTALL)
    return str(found)


def rows(heading: str, columns: int) -> list[list[str]]:
    """Return the cells of the table under a heading, without the first row."""
    lines = [line for line in section(heading).splitlines() if line.startswith("|")]
    cells = [re.split(r" *\| *", line)[1:-1] for line in lines]
    return [row for row in cells if len(row) == columns and "---" not in row][1:]


def quoted(text: str) -> list[str]:
    """Return the texts in backquotes."""
    return re.findall(r"`([^`\n]+)`", text)


FOLDERS = {quoted(folder)[0]: content for folder, _, content in rows("The folders", 3)}
PACKAGES = {
    f"{file.parent.relative_to(SOURCE)}/"
    for file in SOURCE.rglob("__init__.py")
    if file.parent != SOURCE and file.parent.name != "versions"
}


# --- folders, layers and paths


def test_the_table_of_folders_lists_every_package() -> None:
    assert {*FOLDERS} == {*PACKAGES, "web/static/"}


@pytest.mark.parametrize("folder", sorted(PACKAGES - DISCOVERED))
def test_each_folder_lists_its_modules_and_nothing_that_does_not_exist(folder: str) -> None:
    modules = {path.stem for path in (SOURCE / folder).glob("*.py")} - {"__init__"}
    listed = {*quoted(FOLDERS[folder])}
    assert modules <= listed
    package = f"divisorduel.{folder.rstrip('/').replace('/', '.')}"
    imported = [import_module(f"{package}.{name}") for name in modules - {"env"}]
    for name in listed - modules:
        assert (SOURCE / folder / name).exists() or any(hasattr(one, name) for one in imported)


def test_no_two_modules_share_a_name_except_a_command_and_what_it_runs() -> None:
    places: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        if not path.stem.startswith("__"):
            places.setdefault(path.stem, set()).add(str(path.parent.relative_to(SOURCE)))
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert shared == {
        "history": {"cli", "store"},
        "mcp": {"cli", "bots"},
        "review": {"cli", "coach"},
        "table": {"cli", "lab"},
        "verify": {"cli", "solve"},
    }


def types_in(source: str) -> Iterator[str]:
    """Yield the public classes and type aliases of a module."""
    for statement in ast.parse(source).body:
        match statement:
            case ast.ClassDef(name) | ast.Assign([ast.Name(name)]):
                if re.match("[A-Z]+[a-z]", name):
                    yield name


def test_no_two_types_share_a_name_unless_they_mean_the_same() -> None:
    places: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for name in types_in(path.read_text()):
            places.setdefault(name, set()).add(str(path.relative_to(SOURCE)))
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert shared == {  # the same type in two folders that do not import each other
        "Clock": {"bots/process.py", "web/live/clocks.py"},
        "First": {"terminal/fullscreen/setup.py", "web/schemas/requests.py"},
    }


def test_the_layers_on_the_page_are_those_that_import_linter_checks() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    [layers] = [found["layers"] for found in settings["contracts"] if found["type"] == "layers"]
    assert diagram("The layers").splitlines() == layers


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/architecture.md"])
def test_every_path_on_the_page_exists(page: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.DOTALL)
    paths = r"[\w.-]+(/[\w.-]+)+/?|[\w-]+/|[\w.-]+\.(py|js|css|md|toml)"
    for path in quoted(text):
        if re.fullmatch(paths, path):
            places = (ROOT, SOURCE, SOURCE / "web" / "static", ROOT / "docs", ROOT / "tests")
            assert any((place / path).exists() for place in places), path


def test_the_table_of_changes_mentions_every_folder() -> None:
    files = [name for _, where in rows("Where does a change belong?", 2) for name in quoted(where)]
    assert {name.split("/")[0] for name in files} >= {name.split("/")[0] for name in FOLDERS}


# --- the four paths


@dataclass(frozen=True)
class Method:
    """A method, or one that overrides it in a subclass."""

    owner: type
    name: str

    def runs_in(self, frame: FrameType) -> bool:
        """Return whether a frame is a call of this method."""
        code = frame.f_code
        return (
            code.co_name == self.name
            and code.co_argcount > 0
            and isinstance(frame.f_locals.get(code.co_varnames[0]), self.owner)
        )


@dataclass(frozen=True)
class Function:
    """A function, or a method that is bound to an object."""

    code: CodeType
    bound_to: object = None

    def runs_in(self, frame: FrameType) -> bool:
        """Return whether a frame is a call of this function."""
        if frame.f_code is not self.code or self.bound_to is None:
            return frame.f_code is self.code
        return frame.f_locals.get(self.code.co_varnames[0]) is self.bound_to


@dataclass(eq=False)
class Call:
    """One line of a diagram."""

    name: str
    target: Method | Function | ModuleType
    caller: "Call | None"
    """The line that calls it, if that is a function in the same thread."""


def resolve(name: str) -> Method | Function | ModuleType:
    """Return what a name refers to, relative to the package."""
    words = name.split(".")
    found: Any = import_module("divisorduel")
    owner: Any = None
    for at, word in enumerate(words, 1):
        path = SOURCE / "/".join(words[:at])
        if path.is_dir() or path.with_suffix(".py").is_file():
            found = import_module(f"divisorduel.{'.'.join(words[:at])}")
        else:
            owner, found = found, inspect.getattr_static(found, word)
    if isinstance(found, ModuleType):
        return found
    if inspect.isclass(found):
        return Method(found, "__init__")
    if inspect.isclass(owner) and inspect.isfunction(found):
        return Method(owner, words[-1])
    found = found.callback if isinstance(found, click.Command) else found
    code = inspect.unwrap(getattr(found, "__func__", found)).__code__
    return Function(code, found.__self__ if inspect.ismethod(found) else None)


def path_of(heading: str) -> list[Call]:
    """Return the calls in a diagram, without its modules and files."""
    calls: list[Call] = []
    above: dict[int, Call] = {}
    lines = re.findall(r"^( +)([→⇢]) ([\w.]+)(?= |$)", diagram(heading), re.MULTILINE)
    for indent, arrow, name in lines:
        above = {at: call for at, call in above.items() if at < len(indent)}
        caller = above[max(above)] if above and arrow == "→" else None
        if caller is not None and isinstance(caller.target, ModuleType):
            caller = None
        call = above[len(indent)] = Call(name, resolve(name), caller)
        if not isinstance(call.target, ModuleType):
            calls.append(call)
    return calls


@dataclass
class Trace:
    """Records which calls of a path are made, in the order of their first occurrence."""

    path: list[Call]
    made: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    """The calls that were not made by the line above them."""

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Record a call that `sys.setprofile` reports."""
        if event != "call":
            return
        for call in self.path:
            is_due = self.made or call is self.path[0]
            if is_due and call.name not in self.made and _runs(call, frame):
                self.made.append(call.name)
                if not _is_called_by(call.caller, frame.f_back):
                    self.elsewhere.append(call.name)


def _runs(call: Call, frame: FrameType) -> bool:
    return not isinstance(call.target, ModuleType) and call.target.runs_in(frame)


def _is_called_by(caller: Call | None, frame: FrameType | None) -> bool:
    while caller is not None and frame is not None and not _runs(caller, frame):
        frame = frame.f_back
    return caller is None or frame is not None


@contextmanager
def expecting(heading: str, *, without: tuple[str, ...] = ()) -> Iterator[None]:
    """Check that the calls made here are those in a diagram, apart from some exceptions."""
    trace = Trace([call for call in path_of(heading) if call.name not in without])
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert trace.made == [call.name for call in trace.path]
    assert trace.elsewhere == []


PATHS = re.findall(r"^### (.*)$", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize("heading", PATHS)
def test_everything_named_in_a_path_exists(heading: str) -> None:
    assert len(path_of(heading)) >= 10
    folders = "|".join(sorted({folder.split("/")[0] for folder in PACKAGES}))
    for name in re.findall(rf"(?<![\w.])(?:{folders})(?:\.\w+)+", section(heading)):
        resolve(name)
    for file, function in re.findall(r"(web/static/[\w/]+\.js) (\w+)", section(heading)):
        assert re.search(rf"^  (async )?{function}\(", (SOURCE / file).read_text(), re.MULTILINE)


def test_there_are_four_paths() -> None:
    assert PATHS == [
        "A move in the terminal",
        "A move on the web",
        "A solve",
        "A table on a cluster",
    ]


def test_a_move_in_the_terminal_follows_its_path(tmp_path: Path) -> None:
    with expecting("A move in the terminal"):
        Played(Match.of(game("chain")), "8\n", tmp_path)


async def play_on_the_web(database: str) -> list[str]:
    """Make a move over a WebSocket, and return the types of the messages that the server sends."""
    app = application(ServerSettings(database=database))
    server = uvicorn.Server(uvicorn.Config(app, ws=DirectSocket, log_level="warning"))
    bound = socket.create_server(("127.0.0.1", 0))
    at = f"127.0.0.1:{bound.getsockname()[1]}"
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    wanted = {"game": "chain", "players": [{"who": "here"}, {"who": "here"}]}
    take = {"type": "command", "id": 1, "version": 0, "command": {"type": "take", "number": 8}}
    while not server.started:
        await asyncio.sleep(0.01)
    async with httpx.AsyncClient(base_url=f"http://{at}", verify=NO_TLS) as client:
        made = (await client.post("/api/matches", json=wanted)).json()
    async with connect(f"ws://{at}/api/matches/{made['id']}/live") as line:
        await line.send(json.dumps({"type": "hello", "key": made["keys"]["1"]}))
        messages = [await line.recv() for _ in range(2)]
        await app.state.services.hub._writer.flush()  # writing the presence is not on the path
        await line.send(json.dumps(take))
        messages += [await line.recv() for _ in range(2)]
    server.should_exit = True
    await serving
    return [json.loads(message)["type"] for message in messages]


def test_a_move_on_the_web_follows_its_path(tmp_path: Path) -> None:
    with expecting("A move on the web"):
        told = asyncio.run(play_on_the_web(f"sqlite:///{tmp_path / 'matches.sqlite'}"))
    assert told == ["welcome", "presence", "step", "done"]


def test_a_solve_follows_its_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with expecting("A solve"):
        words = ["chain", "--certificate", str(tmp_path / "proof.json")]
        assert solve.command.main(words, standalone_mode=False) == 0
    assert "wins" in capsys.readouterr().out


@pytest.mark.thorough
def test_a_table_on_a_cluster_follows_its_path(tmp_path: Path) -> None:
    on_a_worker = (
        "lab.executors.dask_cluster.work_here",
        "lab.tasks.work",
        "solve.solver.solve",
    )
    output = tmp_path / "t.csv"
    with running_cluster(tmp_path) as (address, _):
        words = ["antichain", "2..4", "--output", str(output), "--cluster", address]
        with expecting("A table on a cluster", without=on_a_worker):
            assert table.command.main(words, standalone_mode=False) == 0
    assert output.exists()
