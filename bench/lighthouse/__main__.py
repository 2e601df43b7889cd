"""Measure the page with Lighthouse, as on a slow phone, and write the results as a table."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

from bench.page import running_server

HERE = Path(__file__).parent
TARGETS = {"performance": 95, "accessibility": 100, "best-practices": 100}
TIMES = "first-contentful-paint", "largest-contentful-paint", "total-blocking-time"
CHROME = "--headless=new --no-sandbox --disable-gpu"

HEAD = """\
# Lighthouse

Written by `scripts/lighthouse --keep`. Mobile profile: a phone four times slower than this machine,
on a simulated slow 4G network (150 ms, 1.6 Mbit/s). Scores are medians of {runs} runs; the target
is {targets}. *Speed* is Lighthouse's own benchmark
of the machine: if other programs are busy, it is low, and so is the performance.

| view | performance | accessibility | best practices | first paint | largest | blocked | speed |
|---|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Report:
    """The medians of several runs on one view."""

    scores: dict[str, float]
    times: dict[str, float]
    problems: set[str]
    """The audits that did not pass, with their titles."""
    speed: float
    """How fast the machine was, by Lighthouse's own benchmark."""

    @property
    def met(self) -> bool:
        """Whether every score reaches its target."""
        return all(self.scores[name] >= least for name, least in TARGETS.items())


def run(lighthouse: Path, address: str, runs: int) -> Report:
    """Run Lighthouse several times."""
    found = [_run_once(lighthouse, address) for _ in range(runs)]
    judged = [name for name in TARGETS if name != "performance"]
    problems = {
        f"{audit['id']}: {audit['title']}"
        for report in found
        for name in judged
        for reference in report["categories"][name]["auditRefs"]
        if (audit := report["audits"][reference["id"]])["score"] not in (None, 1)
        and reference["weight"]
    }
    return Report(
        {name: median(100 * one["categories"][name]["score"] for one in found) for name in TARGETS},
        {name: median(one["audits"][name]["numericValue"] for one in found) for name in TIMES},
        problems,
        median(one["environment"]["benchmarkIndex"] for one in found),
    )


def _run_once(lighthouse: Path, address: str) -> dict[str, Any]:
    options = ["--quiet", "--output=json", f"--only-categories={','.join(TARGETS)}"]
    done = subprocess.run(
        ["node", str(lighthouse), address, *options, f"--chrome-flags={CHROME}"],
        env={**os.environ, "CHROME_PATH": shutil.which("chromium") or ""},
        stdout=subprocess.PIPE,
        check=True,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def views(url: str) -> dict[str, str]:
    """Return the addresses of the views, with a new match."""
    wanted = {"game": "chain", "players": [{"who": "here"}, {"who": "computer", "kind": "3"}]}
    body, kind = json.dumps(wanted).encode(), {"content-type": "application/json"}
    with urlopen(Request(f"{url}api/matches", body, kind)) as answer:
        made = json.load(answer)
    return {"home": url, "match": f"{url}#/match/{made['id']}/{made['keys']['1']}"}


def install(folder: Path) -> Path:
    """Install Lighthouse in a folder, and return its program."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    subprocess.run(
        ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        cwd=folder,
        check=True,
    )
    return folder / "node_modules" / "lighthouse" / "cli" / "index.js"


def row(view: str, report: Report) -> str:
    """Return a row of the table."""
    scores = [f"{report.scores[name]:.0f}" for name in TARGETS]
    times = [f"{report.times[name]:.0f} ms" for name in TIMES]
    return f"| {' | '.join([view, *scores, *times, f'{report.speed:.0f}'])} |"


def main() -> None:
    """Measure, print, and with ``--keep`` write RESULTS.md."""
    parser = argparse.ArgumentParser(prog="scripts/lighthouse", description=__doc__)
    parser.add_argument("--keep", action="store_true", help="write bench/lighthouse/RESULTS.md")
    parser.add_argument("--runs", type=int, default=3, help="runs for each view (3)")
    chosen = parser.parse_args()
    missing = [name for name in ("node", "npm", "chromium") if not shutil.which(name)]
    if missing:
        sys.exit(f"{', '.join(missing)} not found. On Debian: apt-get install nodejs npm chromium")
    targets = ", ".join(f"{least} for {name}" for name, least in TARGETS.items())
    text = HEAD.format(runs=chosen.runs, targets=targets.replace("-", " "))
    with tempfile.TemporaryDirectory() as folder, running_server() as url:
        lighthouse = install(Path(folder))
        reports = {view: run(lighthouse, at, chosen.runs) for view, at in views(url).items()}
    text += "".join(f"{row(view, report)}\n" for view, report in reports.items())
    print(text)
    for view, report in reports.items():
        for problem in sorted(report.problems):
            print(f"{view}: {problem}", file=sys.stderr)
    if chosen.keep:
        (HERE / "RESULTS.md").write_text(text)
    sys.exit(0 if all(report.met for report in reports.values()) else 1)


if __name__ == "__main__":
    main()
