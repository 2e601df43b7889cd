"""An arena is the same whatever happens to it: several jobs, kills, engines that fail."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from divisorduel import Game, game, read_records
from divisorduel.bots.arena.arena_game import GameResult, play, record_of
from divisorduel.bots.arena.openings import openings
from divisorduel.bots.arena.report import as_page, text_lines
from divisorduel.bots.arena.run import ArenaRun, one_by_one, opened
from divisorduel.bots.arena.schedule import Contestant, Schedule
from divisorduel.bots.arena.sprt import Sprt
from divisorduel.bots.arena.standings import standings
from divisorduel.play.players import Judge
from divisorduel.record.writer import write_records
from divisorduel.store.atomic_file import StoreError
from tests.bots.test_compliance import bad_engine
from tests.conftest import DUEL, Duel, thorough_except
from tests.lab.executors.test_dask_cluster import running_cluster

BOARD = game("antichain", to=20)
BOARDS = [BOARD, *(game(key, to=30) for key in ("chain", "divider", "evens", "juniper"))]


def schedule(
    *kinds: str, pairs: int = 4, seed: int = 0, board: Game = BOARD, **more: str
) -> Schedule:
    """Return a schedule of built-in players, and of engines given by name and command."""
    players = [Contestant(f"{kind} {at}", kind) for at, kind in enumerate(kinds)]
    players += [Contestant(name, "bot", command) for name, command in more.items()]
    found = openings(board, pairs, Random(seed), Judge())
    return Schedule(tuple(players), found, seed=seed)


def played(plan: Schedule, sprt: Sprt | None = None) -> ArenaRun:
    run = ArenaRun(plan, sprt)
    for _ in run.play(one_by_one):
        pass
    return run


def test_every_opening_is_played_twice_with_sides_swapped() -> None:
    plan = schedule("random", "greedy", "perfect", pairs=3)
    tasks = [*plan.tasks()]
    assert len(tasks) == 2 * 3 * 3
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert first.opening == second.opening
        assert first.players == second.players[::-1]
        assert first.seed != second.seed
    assert {task.opening for task in tasks[:6]} == {plan.openings[0]}


def test_in_a_gauntlet_only_the_first_player_plays_all_others() -> None:
    plan = schedule("random", "greedy", "perfect")
    gauntlet = Schedule(plan.contestants, plan.openings, "gauntlet")
    assert gauntlet.pairings == ((0, 1), (0, 2))
    assert Schedule.from_json(gauntlet.as_json()) == gauntlet


@pytest.mark.parametrize("board", thorough_except(BOARDS, BOARD))
def test_perfect_players_split_every_pair_and_have_no_regret(board: Game) -> None:
    plan = schedule("perfect", "perfect", pairs=8, board=board)
    found = standings(played(plan), samples=20)
    assert found.counts((0, 1)) == (0, 8, 0)
    for place in found.places:
        assert place.met > 0
        assert place.regret == 0
    assert "not known" in [*text_lines(found)][2]


def test_weaker_players_have_more_regret_and_lower_ratings() -> None:
    found = standings(played(schedule("random", "8", "perfect", pairs=12)), samples=20)
    regrets = [place.regret or 0.0 for place in found.places]
    assert regrets == sorted(regrets, reverse=True)
    ratings = [place.rating.elo for place in found.places]
    assert ratings == sorted(ratings)
    shown = "\n".join(text_lines(found))
    assert shown.splitlines()[1].startswith("perfect 2")
    assert re.search(
        r"^random 0 against level 8 \(1\): \d+-\d+ \(pairs: \d+ won, \d+ split, \d+ lost\)",
        shown,
        re.MULTILINE,
    )
    page = as_page(found, "<An arena>")
    assert "<An arena>" not in page
    assert "&lt;An arena&gt;" in page
    assert "src=" not in page
    assert "Every pair of players met on 12 starting positions, each played twice" in page


def test_every_game_is_a_record_that_passes_the_check() -> None:
    plan = schedule("random", "perfect", Bad=bad_engine("crash.py"), pairs=2)
    run = played(plan)
    records = [record_of(plan.task(index), run.results[index]) for index in run.results]
    read = read_records(write_records(records))
    assert len(read) == len(run.results)
    assert [r.winner for r in read] == [result.winner for result in run.results.values()]
    assert any(record.fault == "ended" for record in read)


def test_an_engine_that_fails_loses_and_is_started_again() -> None:
    plan = schedule("random", Bad=bad_engine("crash.py"), pairs=2)
    found = standings(played(plan), samples=20)
    assert found.places[1].faults == {"ended": 4}
    assert found.places[1].wins == 0
    assert "I lost my head" in found.faults[0].last_words
    lines = [*text_lines(found)]
    at = lines.index("Games that Bad lost through faults: 4 (4 ended).")
    described = ["Game 1, Bad: It ended with exit status 1.", "  RuntimeError: I lost my head"]
    assert lines[at + 1 :] == described


def test_a_seed_repeats_a_game_of_an_engine_that_accepts_it() -> None:
    plan = schedule("3", Engine=f"{DUEL} bot random", pairs=1)
    assert play(plan.task(0)) == play(plan.task(0))


@pytest.mark.parametrize("answer", ["resign", "move 0", "nonsense"])
def test_an_engine_that_resigns_or_fails_in_a_won_position_gives_the_win_away(
    tmp_path: Path, answer: str
) -> None:
    engine = tmp_path / "engine.sh"
    engine.write_text(
        f'while read -r word rest; do case $word in duel) printf "bot Quitter\\nok\\n" ;; '
        f"go) echo {answer} ;; quit) exit 0 ;; esac; done"
    )
    plan = schedule("perfect", Quitter=f"sh {engine}", pairs=1)
    won, lost = play(plan.task(1)), play(plan.task(0))
    assert (won.met, won.given) == ((1, 0), (1, 0))
    assert lost.given == (0, 0)


def test_an_engine_is_told_about_its_game_from_beginning_to_end(tmp_path: Path) -> None:
    heard, engine = tmp_path / "heard", tmp_path / "engine.py"
    engine.write_text(
        f"""\
import sys
for line in sys.stdin:
    print(line, end="", file=open({str(heard)!r}, "a"))
    word = line.split()[0]
    if word == "duel":
        print("bot Ear\\noption seed\\nwant legal\\nok", flush=True)
    elif word == "go":
        print("move", line.split()[-1], flush=True)
    elif word == "quit":
        break
"""
    )
    plan = schedule("perfect", Ear=f"{sys.executable} -S {engine}", pairs=1)
    result = play(plan.task(0))
    first, seed, new, *_, over, last = heard.read_text().splitlines()
    assert (first, last) == ("duel 1", "quit")
    assert seed.startswith("option seed ")
    assert new == f"newgame {plan.openings[0]}"
    assert over == ("over win" if result.winner == 2 else "over loss")


def test_a_result_is_read_back_as_it_was_written() -> None:
    result = GameResult(0, 2, "4 2", (1, 0), (0, 0), 3, "late", "It slept.", "zzz")
    assert GameResult.from_json(result.as_json()) == result
    plain = GameResult(7, 1, "4", (0, 0), (0, 0))
    assert GameResult.from_json(plain.as_json()) == plain


def test_an_arena_continues_where_it_stopped(tmp_path: Path) -> None:
    plan, path = schedule("random", "5", pairs=3), tmp_path / "a.jsonl"
    whole = played(plan)
    for cut in (0, 1, 3):
        with opened(path) as file:
            run = ArenaRun(plan)
            for _ in run.add(file.open(plan)):
                pass
            for _, _ in zip(range(cut), run.play(one_by_one, file), strict=False):
                pass
        with path.open("ab") as half:
            half.write(b'{"game": 5, "win')
    with opened(path) as file:
        run = ArenaRun(plan)
        for _ in run.add(file.open(plan)):
            pass
        assert len(run.results) == 4
        for _ in run.play(one_by_one, file):
            pass
    assert run.results == whole.results
    assert len(path.read_bytes().splitlines()) == 1 + len(whole.results)


def test_the_file_of_another_arena_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with opened(path) as file:
        file.open(schedule("random", "5"))
    before = path.read_bytes()
    with opened(path) as file, pytest.raises(StoreError, match="holds another tournament"):
        file.open(schedule("random", "6"))
    assert path.read_bytes() == before
    path.write_text("my notes\n")
    with opened(path) as file, pytest.raises(StoreError, match="is damaged, or was not written by"):
        file.open(schedule("random", "6"))
    assert path.read_text() == "my notes\n"


def test_a_sequential_test_decides_at_the_same_pair_in_any_order_of_the_games() -> None:
    plan, sprt = schedule("perfect", "random", pairs=40), Sprt(0, 200)
    run = played(plan, sprt)
    assert run.decided is not None
    assert run.decided[1] == "H1"
    assert len(run.pairs) == run.decided[0] < 40
    everything = played(plan)
    for seed in range(3):
        shuffled = [*everything.results.values()]
        Random(seed).shuffle(shuffled)
        other = ArenaRun(plan, sprt)
        for _ in other.add(shuffled):
            pass
        assert other.decided == run.decided
        assert other.pairs == run.pairs


PLAYERS = ["--player", "random", "--player", "6", "--player", "perfect"]
ARENA = ["arena", "antichain", "--to", "24", *PLAYERS, "--pairs", "6"]


@pytest.mark.thorough
def test_several_jobs_play_the_same_games(duel: Duel, tmp_path: Path) -> None:
    one = duel.run(*ARENA, "--output", tmp_path / "1")
    assert one.returncode == 0
    four = duel.run(*ARENA, "--output", tmp_path / "4", "--jobs", "4")
    assert four.stdout == one.stdout
    lines = [(tmp_path / name).read_text().splitlines() for name in "14"]
    assert sorted(lines[0]) == sorted(lines[1])


@pytest.mark.thorough
@pytest.mark.parametrize("kills", [1, 10])
def test_an_arena_that_is_killed_and_continued_ends_with_the_same_table(
    duel: Duel, tmp_path: Path, kills: int
) -> None:
    whole, path, rng = tmp_path / "expected", tmp_path / "killed", Random(kills)
    expected = duel.run(*ARENA, "--output", whole, "--html", tmp_path / "expected.html")
    words = [*ARENA, "--output", str(path), "--html", str(tmp_path / "killed.html")]
    for _ in range(kills):
        running = subprocess.Popen(
            [DUEL, *words, "--jobs", str(rng.randint(1, 2))],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=duel.environment(),
        )
        begun, more = size(path), rng.randint(1, 400)
        while running.poll() is None and size(path) < begun + more:
            time.sleep(0.002)
        os.kill(running.pid, signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL, "it ended before it was killed"
    done = duel.run(*words)
    assert done.stdout == expected.stdout
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())
    pages = [(tmp_path / f"{name}.html").read_text() for name in ("killed", "expected")]
    assert pages[0] == pages[1]


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@pytest.mark.thorough
def test_a_cluster_plays_the_same_games_even_if_a_worker_is_killed(
    duel: Duel, tmp_path: Path
) -> None:
    words, path, whole = [*ARENA, "--pairs", "60"], tmp_path / "results", tmp_path / "expected"
    expected = duel.run(*words, "--output", whole)
    with running_cluster(tmp_path) as (address, (_, worker, _)):
        running = subprocess.Popen(
            [DUEL, *words, "--cluster", address, "--output", str(path)],
            stdout=subprocess.PIPE,
            env=duel.environment(),
            text=True,
        )
        while running.poll() is None and size(path) < 20_000:
            time.sleep(0.01)
        assert running.poll() is None, "it ended before the worker was killed"
        worker.kill()
        shown, _ = running.communicate()
    assert shown == expected.stdout
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--player", "5"], "A tournament needs two or more players"),
        (["--player", "5", "--player", "human"], "A tournament needs two or more players"),
        (["--player", "5", "--player", "6", "--sprt", "5", "0"], "ELO0 below ELO1"),
        (["--player", "5", "--player", "6", "--anchor", "7"], "No player is called '7'"),
        (["--player", "5", "--player", "6", "--jobs", "2", "--cluster", "x"], "drop --jobs"),
    ],
)
def test_invalid_options_are_refused(duel: Duel, words: list[str], reason: str) -> None:
    done = duel.run("arena", "antichain", *words)
    assert done.returncode == 2
    assert reason in " ".join(done.stderr.split())
