"""Says why a command is refused, and why a round was forfeited."""

from divisorduel.play.match import Match, Round
from divisorduel.rules.errors import in_seconds
from divisorduel.rules.refusal import Refusal

_SENTENCES = {
    "already-joined": "Both players have joined, so the game can no longer be called off.",
    "already-offered": "You have already asked. Wait for an answer.",
    "asked-too-often": "You have asked {most} times since the last move. Wait for your opponent.",
    "called-off": "This game was called off.",
    "claim-too-early": (
        "{name} has not been away long enough. "
        "You can claim the win once they have been away for {seconds}."
    ),
    "closed-expired": "This game was closed because no one played for a long time.",
    "forfeit-final": "A forfeit is final: it cannot be undone.",
    "match-over": "The game is over.",
    "no-own-move-to-undo": "You have not made a move that can be undone.",
    "not-over-yet": "The game is not over yet.",
    "not-your-turn": "It is not your turn.",
    "nothing-to-accept": "There is nothing to accept.",
    "nothing-to-claim": "You can claim a win only against an opponent on another device.",
    "nothing-to-decline": "There is nothing to decline.",
    "nothing-to-redo": "Nothing to redo.",
    "nothing-to-undo": "Nothing to undo.",
    "redo-apart": "Redo works only when both players are on the same screen.",
    "seat-taken": "This seat is already taken.",
    "stale-version": "The game has changed. Check the board and try again.",
    "too-many-commands": "Too many commands at once. Wait a moment.",
    "too-many-rounds": "A match has at most {most:,} rounds. Start a new match.",
    "too-many-steps": "This game has become too long. Start a new one.",
    "undo-disabled": "Undo is turned off in this game.",
    "undo-too-far": "{most} moves have been made since your last one, so it cannot be undone.",
    "waiting-for-players": "The game begins when both players have joined.",
}


_FAULTS = {
    "closed": "{name} stopped answering.",
    "ended": "{name} stopped running during the game.",
    "flood": "{name} sent too many lines without a move.",
    "illegal": "{name} made an illegal move.",
    "late": "{name} did not move in time.",
    "long-line": "{name} sent too much text without a move.",
    "no-start": "{name} could not be started.",
    "not-played": "{name} does not play this game.",
    "silent": "{name} could not be started.",
    "twice": "{name} answered more than once.",
    "unclear": "{name} sent something that is not a move.",
}
"""What went wrong with an engine, by the word that a record has for it."""


def refusal_text(refusal: Refusal, match: Match) -> str:
    """Say why a command is refused. The game itself explains a wrong number."""
    if refusal.code in _SENTENCES:
        params = dict(refusal.params)
        if "seconds" in params:
            params["seconds"] = in_seconds(float(params["seconds"]))
        return _SENTENCES[refusal.code].format_map(params)
    return match.game.explain(refusal)


def forfeit_reason(match: Match, played: Round | None = None) -> str:
    """Say why a round was forfeited; an empty text if the player simply gave up."""
    played = played or match.current
    forfeit = played.forfeit
    if forfeit is not None and forfeit.away:
        return f"{match.name(forfeit.by)} left the game."
    if forfeit is not None and forfeit.fault:
        told = _FAULTS.get(forfeit.fault, "{name} failed.")
        return told.format(name=match.name(forfeit.by))
    if forfeit is None or forfeit.wrong_number is None:
        return ""
    refusal = match.move_refusal(forfeit.wrong_number, played)
    return refusal_text(refusal, match) if refusal else ""
