"""The lines of a match on a server: those of a local match, and what concerns the others."""

from collections.abc import Collection, Iterator

from divisorduel.client.match_link import MatchLink
from divisorduel.play.events import Event, Joined, MoveUndone
from divisorduel.play.match import Match
from divisorduel.terminal import remote_words
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.remote_input import help_text
from divisorduel.terminal.plain.rules_text import guide
from divisorduel.terminal.terminal import StyledText


def opening(match: Match, seats: Collection[int]) -> Iterator[StyledText]:
    """Yield what is shown first: who plays, and the match as it is."""
    yield StyledText(f"{remote_words.introduction(match, seats)}\n", "heading")
    if match.state == "playing" and len(match.played) == 1 and not match.current.moves:
        yield from transcript.opening(remote_words.as_seen_by(match, seats))
    else:
        yield from position(match, seats)


def position(match: Match, seats: Collection[int]) -> Iterator[StyledText]:
    """Yield the match as it is now."""
    if state := remote_words.state(match, seats):
        yield StyledText(f"{state}\n")
    else:
        yield from transcript.resume_round(remote_words.as_seen_by(match, seats))
    yield from _with_answers(remote_words.offer(match, seats), match, seats)


def happened(
    event: Event, before: Match, after: Match, seats: Collection[int]
) -> Iterator[StyledText]:
    """Yield what is shown of an event, given the match before it and after it."""
    yield from _with_answers(remote_words.happened(event, before, after, seats), after, seats)
    seen = remote_words.as_seen_by(after, seats)
    if isinstance(event, Joined):
        yield from transcript.opening(seen) if after.state == "playing" else ()
    else:
        yield from transcript.show(event, seen)


def undone(event: Event, match: Match, seats: Collection[int]) -> Iterator[StyledText]:
    """Yield the position after the last undone move, if it is not this player's turn."""
    seen = remote_words.as_seen_by(match, seats)
    if isinstance(event, MoveUndone) and seen.is_computer(seen.current.to_move):
        yield from transcript.resume_round(seen)


def answer(
    name: str, match: Match, seats: Collection[int], link: MatchLink
) -> Iterator[StyledText]:
    """Yield the answer to a word that asks about a match, as this player sees it."""
    match name:
        case "moves":
            yield transcript.moves(match)
        case "history":
            yield from transcript.history(match)
        case "board":
            yield from position(match, seats)
        case "score":
            yield transcript.standing(match)
        case "rules":
            yield from guide(match.game.book.key, match.game)
        case "link":
            yield StyledText(f"{remote_words.come_back(link)}\n")
        case "save":
            yield StyledText(
                "The server has saved the game. To download it, open your link in a browser.\n"
            )
        case _:
            yield StyledText(f"{help_text(is_player=bool(seats))}\n")


def _with_answers(said: str, match: Match, seats: Collection[int]) -> Iterator[StyledText]:
    """Yield a sentence, and how to answer if it is an offer to this player."""
    if said:
        is_asked = match.offer is not None and seats and match.offer.by not in seats
        yield StyledText(f'{said} Type "accept" or "decline".\n' if is_asked else f"{said}\n")
