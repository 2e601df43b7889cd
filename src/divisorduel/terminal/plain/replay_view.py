"""Shows a recorded game, all at once or step by step, and its review."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from divisorduel.coach.review import Review
from divisorduel.play.events import NumberTaken
from divisorduel.play.match import Match
from divisorduel.record.match_records import forfeit_of
from divisorduel.record.model import Line, Record
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.terminal import EndOfInput, StyledText, Terminal
from divisorduel.words.reviews import review_text

Frame = list[StyledText]


def frames(record: Record) -> Iterator[Frame]:
    """Yield what is shown before the first move, then for each move."""
    match = Match.of(record.game, start=record.start, kinds=record.kinds, first=record.first)
    match = replace(match, names=record.names)
    round_ = f"round {record.tag('Round', '1')}" if record.tag("Rounds", "1") != "1" else ""
    title = [" against ".join(record.names), round_, record.tag("Date")]
    yield [
        StyledText(f"{', '.join(filter(None, title))}\n", "heading"),
        *transcript.opening(match),
        *map(_comment, record.line.intro),
    ]
    for turn, ply in enumerate(record.line.plies, 1):
        echo = transcript.answered_prompt(match, ply.move)
        event = NumberTaken(ply.move)
        match = match.after(event)
        notes = [_note(note, turn) for note in ply.notes]
        yield [echo, *notes, *transcript.show(event, match)]
    yield _ending(record, match)


def _ending(record: Record, match: Match) -> Frame:
    if match.current.winner is not None:
        return []
    if record.winner is None:
        return [StyledText(f"Unfinished. {match.name(match.current.to_move)} moves next.\n")]
    event = forfeit_of(record)
    number = event.wrong_number
    echo = [] if number is None else [transcript.answered_prompt(match, number)]
    return [*echo, *transcript.show(event, match.after(event))]


def _note(note: str | Line, turn: int) -> StyledText:
    if isinstance(note, str):
        return _comment(note)
    return StyledText(f"  (instead: {_line(note, turn)})\n")


def _line(line: Line, turn: int) -> str:
    """Write a variation, with its own variations, in one line."""
    words = [*line.intro]
    for number, ply in enumerate(line.plies, turn):
        words.append(f"{number}. {ply.move}")
        words += [n if isinstance(n, str) else f"({_line(n, number)})" for n in ply.notes]
    return " ".join(words)


def _comment(text: str) -> StyledText:
    return StyledText("".join(f"  {line}\n" for line in text.splitlines()))


def show_all(terminal: Terminal, records: Sequence[Record]) -> None:
    """Print whole games."""
    for number, record in enumerate(records):
        terminal.say("\n" if number else "")
        for frame in frames(record):
            terminal.show(frame)


def step_through(terminal: Terminal, records: Sequence[Record]) -> None:
    """Show games move by move, back and forth, as the reader presses Enter."""
    shown = [frame for record in records for frame in frames(record) if frame]
    at = 0
    terminal.show(shown[0])
    while True:
        forward = "next" if at + 1 < len(shown) else "end"
        try:
            answer = terminal.ask(f"[Enter: {forward}, b: back, q: quit] ").strip().lower()
        except EndOfInput:
            return
        match answer:
            case "q" | "quit" | "exit":
                return
            case "b" | "back":
                at = max(at - 1, 0)
            case "" | "n" | "next":
                at += 1
            case _:
                terminal.say('Press Enter for the next move, or type "b" or "q".\n', "reason")
                continue
        if at == len(shown):
            return
        terminal.show(shown[at])


def show_review(review: Review, *, lines: bool = False) -> Iterator[StyledText]:
    """Yield a review with its mistakes in colour, and if wanted with their refutations."""
    heading, *turns, summary = review_text(review, lines=lines)
    yield StyledText(f"{heading}\n", "heading")
    for judgement, line in zip(review.judgements, turns, strict=True):
        yield StyledText(f"{line}\n", "reason" if judgement.mistake else "", 4)
    yield StyledText(f"{summary}\n")
