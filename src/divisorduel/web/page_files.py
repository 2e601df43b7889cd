"""The files of the page: read once, named by version, and linked in the order they are needed."""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from divisorduel.web.static_files import StaticFile

FOLDER = Path(__file__).parent / "static"
PAGE, SCRIPT, FIRST_VIEW = "index.html", "main.js", "views/home.js"
VIEWS, DOCS = "views/", "views/docs.js"
SERVICE_WORKER = "service_worker.js"
ADDRESS = "/static/"

MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ts": "text/plain",
    ".webmanifest": "application/manifest+json",
}
NOT_OFFLINE = (".html", ".png", ".ts", SERVICE_WORKER, DOCS)
"""How the names end of files that the page does not need without the server."""

_IMPORT = re.compile(r'^(?:import|export)\b(?:[^"();=]*from)?\s*"(\.[^"]+)"', re.MULTILINE)


class PageFiles:
    """The files in a folder and some generated ones, as a server serves them."""

    def __init__(self, folder: Path, generated: Mapping[str, bytes]) -> None:
        found = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        contents = {**found, **generated}
        self.version = version_of(contents)
        """Changes with every change of a file."""
        self.base = f"{ADDRESS}{self.version}/"
        """Where the files are for as long as they stay the same."""
        self._contents = contents
        for name in [name for name in contents if name.endswith(".html")]:
            contents[name] = self._with_links(contents[name].decode()).encode()
        contents[SERVICE_WORKER] = self._with_files(contents[SERVICE_WORKER].decode()).encode()
        self._files = {
            name: StaticFile(content, MEDIA_TYPES[Path(name).suffix])
            for name, content in contents.items()
        }

    def __getitem__(self, name: str) -> StaticFile:
        return self._files[name]

    def __contains__(self, name: str) -> bool:
        return name in self._files

    @property
    def first_view(self) -> list[str]:
        """The modules that the first view needs, the script of the page first."""
        return modules(self._contents, SCRIPT, FIRST_VIEW)

    @property
    def views(self) -> dict[str, list[str]]:
        """The modules that each other view needs in addition, by its name."""
        first = {*self.first_view}
        views = [name for name in self._contents if name.startswith(VIEWS) and name != DOCS]
        parts = {part for view in views for part in imports_of(view, self._contents)}
        return {
            Path(view).stem: [one for one in modules(self._contents, view) if one not in first]
            for view in views
            if view not in first | parts
        }

    def _with_links(self, page: str) -> str:
        """Return a page with addresses that name the version, and with links to its modules."""
        links = [
            f'<link rel="modulepreload" href="{ADDRESS}{name}">' for name in self.first_view[1:]
        ]
        page = page.replace("<!-- modules -->", "\n".join(links))
        page = page.replace('id="modules">{}', f'id="modules">{json.dumps(self.views)}')
        return page.replace(f'"{ADDRESS}', f'"{self.base}')

    def _with_files(self, script: str) -> str:
        """Return the service worker with the version, and with the files to keep."""
        kept = [name for name in self._contents if not name.endswith(NOT_OFFLINE)]
        return script.replace('"/static/VERSION/"', json.dumps(self.base)).replace(
            "/* files */", ", ".join(map(json.dumps, [PAGE, *kept]))
        )


def version_of(contents: Mapping[str, bytes]) -> str:
    """Return a hash of files and their names."""
    hashed = sha256()
    for name, content in sorted(contents.items()):
        hashed.update(f"{name} {len(content)} ".encode() + content)
    return hashed.hexdigest()[:12]


def modules(contents: Mapping[str, bytes], *entries: str) -> list[str]:
    """Return modules and everything that they import at once, each once, in order of discovery."""
    found = dict.fromkeys(entries)
    waiting = [*entries]
    while waiting:
        new = [name for name in imports_of(waiting.pop(0), contents) if name not in found]
        found.update(dict.fromkeys(new))
        waiting += dict.fromkeys(new)
    return list(found)


def imports_of(name: str, contents: Mapping[str, bytes]) -> Iterator[str]:
    """Return the modules that a module imports when it is loaded, in order."""
    for relative in _IMPORT.findall(contents[name].decode()):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(name), relative))
