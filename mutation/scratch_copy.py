"""A copy of the repository in which a mutant is put to the test, with an environment of its own.

The installed command of the copy, and so every process that a test starts, runs the mutant.
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from time import monotonic

from mutation.mutants import Mutant
from mutation.stages import Tests

MEMORY = 8 * 2**30
"""How much memory a process may take: a mutant may ask for all there is."""
SECONDS_PER_TEST = 120
"""An endless loop counts as noticed."""


class TestsFail(Exception):
    """The tests fail, but not because of a mutant; the message says why."""


class ScratchCopy:
    """A copy of a repository. It runs one mutant at a time."""

    _times = count(1)

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = folder
        self._running: subprocess.Popen[bytes] | None = None
        self._make(root)
        self._python = str(self._make_environment(root))

    def seconds_for(self, tests: Tests) -> float:
        """Return how long some tests take without a mutant. Raises `TestsFail`."""
        began = monotonic()
        status, output = self._pytest(tests, None)
        if status:
            raise TestsFail(output)
        return monotonic() - began

    def killer_of(self, mutant: Mutant, tests: Tests, seconds: float) -> str | None:
        """Return what notices a mutant: a test that fails, or the time limit; None if nothing."""
        with self._mutated(mutant):
            try:
                status, output = self._pytest(tests, seconds)
            except subprocess.TimeoutExpired:
                return "the time limit"
        if status == 0:
            return None
        if status == -signal.SIGKILL:  # no mutant does that: the memory limit raises an error
            raise TestsFail("The tests were killed by another process.")
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
        return failed[1] if failed else f"exit status {status}"

    def stop(self) -> None:
        """End the tests that are running."""
        if self._running is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._running.pid, signal.SIGKILL)

    @contextmanager
    def _mutated(self, mutant: Mutant) -> Iterator[None]:
        path = self.root / "src" / "divisorduel" / mutant.file
        before, stat = path.read_bytes(), path.stat()
        path.write_text(mutant.source)
        # Python would run the bytecode of another mutant of the same size made in the same second.
        os.utime(path, (next(self._times),) * 2)
        try:
            yield
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def _pytest(self, tests: Tests, seconds: float | None) -> tuple[int, str]:
        temporary = self.root / "tmp"
        temporary.mkdir()
        options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=line")
        limit = ("-o", f"faulthandler_timeout={SECONDS_PER_TEST}")
        running = subprocess.Popen(
            [self._python, "-m", "pytest", *options, *limit, *tests],
            cwd=self.root,
            env={**os.environ, "TMPDIR": str(temporary), "DUEL_WRITE_GOLDENS": ""},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._running = running
        try:
            resource.prlimit(running.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
            output, _ = running.communicate(timeout=seconds)
        finally:
            self._clear(running, temporary)
            self._running = None
        return running.returncode, output.decode(errors="replace")

    def _clear(self, running: "subprocess.Popen[bytes]", temporary: Path) -> None:
        """End the processes that are left, and remove what they wrote."""
        self.stop()
        running.wait()
        for found in temporary.glob("*/data/postmaster.pid"):  # PostgreSQL has left the group
            with suppress(ProcessLookupError, ValueError, IndexError):
                os.kill(int(found.read_text().splitlines()[0]), signal.SIGINT)
        shutil.rmtree(temporary, ignore_errors=True)

    def _make(self, root: Path) -> None:
        listed = ("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout
        kernels = (str(path.relative_to(root)) for path in (root / "src").rglob("*.so"))
        for name in (*names.split("\0")[:-1], *kernels):
            if (root / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, self.root / name)

    def _make_environment(self, root: Path) -> Path:
        """Make an environment with the packages and commands of this one, and return its Python."""
        environment = self.root / ".venv"
        venv.create(environment, symlinks=True)
        python = environment / "bin" / "python"
        [packages] = environment.glob("lib/python*/site-packages")
        paths = [path for path in sys.path if Path(path).is_dir() and Path(path) != root / "src"]
        paths = [str(self.root / "src"), *(path for path in paths if Path(path) != root)]
        (packages / "paths.pth").write_text("".join(f"{path}\n" for path in paths))
        for command in Path(sys.executable).parent.iterdir():
            copied = environment / "bin" / command.name
            with suppress(UnicodeDecodeError, IsADirectoryError):
                first, *rest = command.read_text().splitlines(keepends=True) or [""]
                if first.startswith("#!") and "python" in first and not copied.exists():
                    copied.write_text("".join((f"#!{python}\n", *rest)))
                    copied.chmod(0o755)
        return python
