"""Shows the history and the statistics: as tables, or as lists on a narrow terminal."""

from collections.abc import Container, Iterator, Sequence

from divisorduel.coach.statistics import Score, Statistics, statistics
from divisorduel.store.history import History, HistoryEntry
from divisorduel.store.match_files import StoreError
from divisorduel.system import program
from divisorduel.terminal.plain.game_list import NARROW, is_narrow
from divisorduel.terminal.terminal import StyledText, Terminal
from divisorduel.words import results as words

SHOWN = 20
"""How many games are listed unless all of them are asked for."""
BOARDS = 10
"""How many boards the statistics list."""
SECONDS = 0.5
"""How long to look for mistakes in games that have not been judged yet."""

LEAST_WIDTH = 6
"""A column is not cut any further than this."""


def show_history(
    terminal: Terminal, *, most: int | None = SHOWN, ids: bool = False, seconds: float = SECONDS
) -> None:
    """List the games, most recent first."""
    history = History.of_user()
    entries = read_entries(terminal, history)
    if not entries:
        terminal.say(f"You have no games yet. To play one: {program()} play GAME\n")
        return
    shown = history.judge(entries[:most], seconds)
    if is_narrow(terminal):
        terminal.show(_list(shown, ids=ids))
    else:
        terminal.show(_table(shown, terminal.width, ids=ids))
    terminal.show(_notes(shown, len(entries)))


def read_entries(terminal: Terminal, history: History) -> list[HistoryEntry]:
    """Return the games, and complain about files that cannot be read."""

    def report(error: StoreError) -> None:
        terminal.complain(str(error))

    def progress(done: int, files: int) -> None:
        if files > SHOWN and terminal.interactive:
            terminal.complain(f"Reading the games: {done:,} of {files:,}")

    return history.entries(report, progress)


def _table(
    entries: Sequence[HistoryEntry], width: int | None, *, ids: bool
) -> Iterator[StyledText]:
    heads = ("", "id" if ids else "date", "game", "board", "players", "result", "mistakes")
    rows = [
        (
            str(entry.number),
            entry.name if ids else f"{entry.when:%Y-%m-%d %H:%M}",
            entry.summary.key,
            words.board(entry.summary),
            words.opponent(entry.summary),
            words.result(entry.summary),
            words.mistakes(entry),
        )
        for entry in entries
    ]
    yield from _aligned(heads, rows, right=(0, 6), cut=(3, 4, 5), width=width)


def _aligned(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Container[int],
    cut: Sequence[int] = (),
    width: int | None = None,
) -> Iterator[StyledText]:
    """Yield rows in columns; rich would take seconds for thousands of them.

    The columns in `right` are aligned to the right. Those in `cut` are shortened to fit the width.
    """
    from rich.cells import cell_len, set_cell_size

    widths = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
    while width is not None and sum(widths) + 2 * (len(widths) - 1) > width:
        widest = max(cut, key=lambda at: widths[at], default=0)
        if not cut or widths[widest] <= LEAST_WIDTH:
            break
        widths[widest] -= 1

    def fitted(text: str, at: int) -> str:
        spaces = widths[at] - cell_len(text)
        if spaces < 0:
            return f"{set_cell_size(text, widths[at] - 3)}..."
        return f"{' ' * spaces}{text}" if at in right else f"{text}{' ' * spaces}"

    for number, row in enumerate((heads, *rows)):
        line = "  ".join(fitted(text, at) for at, text in enumerate(row)).rstrip()
        yield StyledText(f"{line}\n", "" if number else "heading")


def _list(entries: Sequence[HistoryEntry], *, ids: bool) -> Iterator[StyledText]:
    for entry in entries:
        summary = entry.summary
        what = f"{entry.number}. {summary.key} {words.board(summary)}, {words.opponent(summary)}"
        yield StyledText(f"{what}\n", "heading", 3)
        when = entry.name if ids else f"{entry.when:%Y-%m-%d %H:%M}"
        counted = words.mistakes(entry)
        mistakes = f", mistakes: {counted}" if counted else ""
        yield StyledText(f"   {when}: {words.result(summary)}{mistakes}\n", "", 3)


def _notes(shown: Sequence[HistoryEntry], number: int) -> Iterator[StyledText]:
    """Yield what the signs mean, and what can be done with the games."""
    counted = [words.mistakes(entry) for entry in shown]
    signs = []
    if any(count.endswith(words.SOME_UNPROVEN) for count in counted):
        signs.append(words.SOME_UNPROVEN)
    if words.NOT_JUDGED in counted:
        signs.append(words.NOT_JUDGED)
    if signs:
        meanings = (f"{sign}: {words.MISTAKE_SIGNS[sign]}." for sign in signs)
        yield StyledText(f"\n{' '.join(meanings)}\n", "prose")
    if len(shown) < number:
        rest = f"These are the last {len(shown)} of {number:,} games. To list them all:"
        yield StyledText(f"\n{rest} {program()} history --all\n")
    example = shown[0].number
    yield StyledText(
        f"\nTo work with a game: {program()} review {example} (or replay, resume), "
        f"{program()} history export {example} FILE, {program()} history delete {example}.\n",
        "prose",
    )


def show_stats(terminal: Terminal, *, seconds: float = SECONDS) -> None:
    """Show what the person has achieved against the computer."""
    history = History.of_user()
    entries = history.judge(read_entries(terminal, history), seconds)
    bars = words.BARS if terminal.can_show(words.BARS) else words.ASCII_BARS
    terminal.show(statistics_of(entries, terminal.width, bars))
    if missing := sum(not entry.is_judged for entry in entries):
        games = "1 game is" if missing == 1 else f"{missing:,} games are"
        more = f"{games} not judged yet. To judge more: {program()} stats --budget 60"
        terminal.say(f"\n{more}\n")


def statistics_of(
    entries: Sequence[HistoryEntry], width: int | None, bars: str = words.BARS
) -> Iterator[StyledText]:
    """Yield the statistics of games, which are given with the newest first."""
    games = [
        game for entry in reversed(entries) for game in entry.summary.finished_games(entry.tallies)
    ]
    if games:
        yield from _statistics(statistics(games), width, bars)
    else:
        yield StyledText("You have not finished a game against the computer yet.\n", "prose")
    others = [entry for entry in entries if entry.summary.person is None]
    unfinished = [e for e in entries if e.summary.person is not None and not e.summary.is_over]
    left_out = [f"{len(unfinished):,} unfinished"] if unfinished else []
    left_out += [f"{len(others):,} between two people or two computers"] if others else []
    if left_out:
        yield StyledText(f"\nNot counted: {' and '.join(left_out)}.\n", "prose")


def _statistics(found: Statistics, width: int | None, bars: str) -> Iterator[StyledText]:
    """Yield totals, streaks, the trend, and scores by game, board and opponent."""
    total, is_list = found.total, (width or 80) < NARROW
    totals = [
        ("Games", f"{total.games:,}"),
        ("Won", words.share(total.wins, total.games)),
        ("Winning positions kept", words.share(total.kept, total.winning)),
        ("Wins in a row", f"{found.streak:,} now, best {found.longest_streak:,}"),
    ]
    kept = [score.kept_share for score in found.over_time]
    if total.games > 1:
        wins = [score.win_share for score in found.over_time]
        totals.append(("Wins over time", words.sparkline(wins, bars)))
        totals.append(("Kept over time", words.sparkline(kept, bars)))
    yield StyledText("Your games against the computer\n", "heading")
    for name, value in totals:
        yield StyledText(f"{name}: {value}\n" if is_list else f"  {name:<24}{value}\n", "", 2)
    if total.games > 1:
        legend = words.sparkline_legend(total.games, kept, bars)
        yield StyledText(f"{'' if is_list else '  '}{legend}\n", "prose", 2)
    boards = {f"{key} {board}": score for (key, board), score in found.by_board.items()}
    levels = {words.opponent_kind(kind): score for kind, score in found.by_opponent.items()}
    for head, scores in (("game", found.by_game), ("board", boards), ("opponent", levels)):
        yield StyledText("\n")
        shown = dict([*scores.items()][:BOARDS]) if head == "board" else scores
        yield from _score_list(head, shown) if is_list else _score_table(head, shown, width)
        if len(shown) < len(scores):
            yield StyledText(f"... and {len(scores) - len(shown):,} more\n")
    yield StyledText(f"\n{words.WINNING_POSITIONS}\n", "prose")


def _score_table(head: str, scores: dict[str, Score], width: int | None) -> Iterator[StyledText]:
    heads = (f"By {head}", "games", "won", "", "winning positions", "kept", "")
    rows = [
        (
            name,
            f"{score.games:,}",
            f"{score.wins:,}",
            words.percent(score.wins, score.games),
            f"{score.winning:,}",
            f"{score.kept:,}",
            words.percent(score.kept, score.winning),
        )
        for name, score in scores.items()
    ]
    yield from _aligned(heads, rows, right=range(1, 7), cut=(0,), width=width)


def _score_list(head: str, scores: dict[str, Score]) -> Iterator[StyledText]:
    yield StyledText(f"By {head}\n", "heading")
    for name, score in scores.items():
        yield StyledText(f"{name}: {score.games:,} game{'' if score.games == 1 else 's'}\n")
        won = words.percent(score.wins, score.games)
        kept = words.percent(score.kept, score.winning)
        yield StyledText(f"  won {won}, winning positions kept {kept}\n")


def found_games(history: History, words_: Sequence[str]) -> list[HistoryEntry]:
    """Return games by their numbers or ids. Raises `StoreError`."""
    found: dict[str, HistoryEntry] = {}
    for word in words_:
        entry = history.find(word)
        if entry is None:
            raise StoreError(
                f"No saved game is called {word!r}. To see your games: {program()} history"
            )
        found[entry.name] = entry
    return [*found.values()]


def described(entry: HistoryEntry) -> str:
    """Describe a game in one line."""
    summary = entry.summary
    what = f"{summary.key} {words.board(summary)}, {words.opponent(summary)}"
    return f"{entry.number}: {what}, {words.result(summary)} ({entry.when:%Y-%m-%d %H:%M})"


def delete_games(
    terminal: Terminal, history: History, chosen: Sequence[HistoryEntry], *, ask: bool
) -> None:
    """Delete games, once the player has confirmed it. Raises `StoreError`."""
    for entry in chosen:
        terminal.say(f"{described(entry)}\n")
    count = "this game" if len(chosen) == 1 else f"these {len(chosen)} games"
    if ask:
        answer = terminal.ask(f"Delete {count} for good? (yes or no): ").strip().lower()
        if answer not in ("y", "yes"):
            terminal.say("Nothing was deleted.\n")
            return
    for entry in chosen:
        history.delete(entry)
    terminal.say("Deleted.\n")
