"""Shows a recorded game as it was played, at once or step by step."""

from collections.abc import Iterator, Sequence

from divisorduel.play.events import NumberTaken
from divisorduel.play.match import Match
from divisorduel.record.match_records import forfeit_of
from divisorduel.record.model import Line, Record
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.transcript import Styled
from divisorduel.terminal.terminal import EndOfInput, Terminal

Frame = list[Styled]


def frames(record: Record) -> Iterator[Frame]:
    """Yield what is shown before the first move, and then move by move."""
    match = Match.of(record.game, start=record.start, names=record.names, first=record.first)
    welcome = Styled(transcript.fill(match.game.book.wording.welcome, match), "heading")
    yield [
        *_title(record),
        welcome,
        *transcript.begin_round(match, 1),
        *map(_comment, record.line.intro),
    ]
    for turn, ply in enumerate(record.line.plies, 1):
        echo = Styled(f"{transcript.prompt(match)}{ply.move}\n")
        event = NumberTaken(ply.move)
        match = match.after(event)
        notes = [_note(note, turn) for note in ply.notes]
        yield [echo, *notes, *transcript.show(event, match)]
    yield _ending(record, match)


def _title(record: Record) -> Frame:
    round_ = f"round {record.tag('Round', '1')}" if record.tag("Rounds", "1") != "1" else ""
    parts = [f"{record.names[0]} against {record.names[1]}", round_, record.tag("Date")]
    return [Styled(f"{', '.join(filter(None, parts))}\n", "heading")]


def _ending(record: Record, match: Match) -> Frame:
    if match.current.winner is not None:
        return []
    if record.winner is None:
        return [Styled(f"Not finished: {match.name(match.current.to_move)} is to move.\n")]
    event = forfeit_of(record, match)
    echo = "" if event.wrong_number is None else f"{transcript.prompt(match)}{event.wrong_number}\n"
    return [Styled(echo), *transcript.show(event, match.after(event))]


def _note(note: str | Line, turn: int) -> Styled:
    return (
        _comment(note) if isinstance(note, str) else Styled(f"  (instead: {_line(note, turn)})\n")
    )


def _line(line: Line, turn: int) -> str:
    """Write a variation and what branches off it in one line."""
    words = [*line.intro]
    for number, ply in enumerate(line.plies, turn):
        words.append(f"{number}. {ply.move}")
        words += [n if isinstance(n, str) else f"({_line(n, number)})" for n in ply.notes]
    return " ".join(words)


def _comment(text: str) -> Styled:
    return Styled("".join(f"  {line}\n" for line in text.splitlines()))


def show_all(terminal: Terminal, records: Sequence[Record]) -> None:
    """Print games from beginning to end."""
    for number, record in enumerate(records):
        terminal.say("\n" if number else "")
        for frame in frames(record):
            _show(terminal, frame)


def step_through(terminal: Terminal, records: Sequence[Record]) -> None:
    """Show games a move at a time, back and forth, at the pace of the Enter key."""
    shown = [frame for record in records for frame in frames(record) if frame]
    at = 0
    while at < len(shown):
        _show(terminal, shown[at])
        onward = "next" if at + 1 < len(shown) else "end"
        try:
            answer = terminal.ask(f"[Enter: {onward}, b: back, q: quit] ").strip().lower()
        except EndOfInput:
            return
        if answer.startswith("q"):
            return
        at = max(at - 1, 0) if answer.startswith("b") else at + 1


def _show(terminal: Terminal, frame: Frame) -> None:
    for said in frame:
        terminal.say(*said)
