"""A server whose page has been changed, as a new version would be.

Run as ``python -m tests.web.static.edited_server DATABASE PORT '{"main.js": ["old", "new"]}'``.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from divisorduel.web.app import application
from divisorduel.web.page_files import FOLDER
from divisorduel.web.routes import pages
from divisorduel.web.server import bind, run
from divisorduel.web.server_settings import ServerSettings


def main() -> None:
    """Run it."""
    database, port, words = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "static"
        shutil.copytree(FOLDER, copy)
        for name, (old, new) in json.loads(words).items():
            text = (copy / name).read_text()
            assert old in text, (name, old)
            (copy / name).write_text(text.replace(old, new, 1))
        vars(pages)["FOLDER"] = copy
        settings = ServerSettings(database=database, port=int(port))
        with bind(settings) as taken:
            at = f"http://127.0.0.1:{taken.getsockname()[1]}/"
            run(application(settings), settings, taken, lambda: print(f"It is at {at}", flush=True))


if __name__ == "__main__":
    main()
