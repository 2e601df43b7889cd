"""The files of the page: read once, joined into a few, and named by version."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from divisorduel.web import joined_modules
from divisorduel.web.static_files import StaticFile

FOLDER = Path(__file__).parent / "static"
PAGE, SCRIPT, FIRST_VIEW = "index.html", "main.js", "views/home.js"
STYLES = ("style.css", "home.css", "board.css", "match.css")
"""The style sheets that every view needs, in order."""
JOINED = "joined/"
SERVICE_WORKER = "service_worker.js"
ADDRESS = "/static/"

MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ts": "text/plain",
    ".webmanifest": "application/manifest+json",
}
OFFLINE = (".css", ".json", ".svg", ".webmanifest")
"""The extensions of the files that the page needs without the server, besides joined scripts."""


class PageFiles:
    """The files in a folder, some generated ones, and joined ones, as a server serves them."""

    def __init__(self, folder: Path, generated: Mapping[str, bytes]) -> None:
        found = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        contents = {**found, **generated, **joined(found)}
        self.version = version_of(contents)
        """Changes with every change of a file."""
        self.base = f"{ADDRESS}{self.version}/"
        """Where the files are for as long as they stay the same."""
        for name in [name for name in contents if name.endswith(".html")]:
            page = contents[name].decode().replace(f'"{ADDRESS}', f'"{self.base}')
            contents[name] = page.encode()
        kept = [PAGE, *(name for name in contents if is_kept(name))]
        worker = contents[SERVICE_WORKER].decode()
        worker = worker.replace('"/static/VERSION/"', json.dumps(self.base))
        worker = worker.replace("/* files */", ", ".join(map(json.dumps, kept)))
        contents[SERVICE_WORKER] = worker.encode()
        self._files = {
            name: StaticFile(content, MEDIA_TYPES[Path(name).suffix])
            for name, content in contents.items()
        }

    def __getitem__(self, name: str) -> StaticFile:
        return self._files[name]

    def __contains__(self, name: str) -> bool:
        return name in self._files


def joined(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the modules and the style sheets of the page, joined into a few files."""
    texts = {name: text.decode() for name, text in contents.items() if name.endswith(".js")}
    files = {f"{JOINED}style.css": b"\n".join(contents[name] for name in STYLES)}
    for name, script in joined_modules.scripts(texts, SCRIPT, FIRST_VIEW, JOINED).items():
        files[f"{JOINED}{name}"] = script.text.encode()
        files[f"{JOINED}{name}.map"] = script.source_map.encode()
    return files


def is_kept(name: str) -> bool:
    """Tell whether browsers keep a file, so that the page opens without the server."""
    if name.startswith(JOINED):
        return not name.endswith(".map")
    return name.endswith(OFFLINE) and name not in STYLES


def version_of(contents: Mapping[str, bytes]) -> str:
    """Return a hash of files and their names."""
    hashed = sha256()
    for name, content in sorted(contents.items()):
        hashed.update(f"{name} {len(content)} ".encode() + content)
    return hashed.hexdigest()[:12]
