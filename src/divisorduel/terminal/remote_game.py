"""Matches on a server: creates them, prints their links, and plays them on either front end."""

import sys
from collections.abc import Mapping

from divisorduel.client.client_error import ClientError
from divisorduel.client.http_api import Admission, NewLinks, create_match, enter
from divisorduel.client.match_client import MatchClient
from divisorduel.client.match_link import MatchLink
from divisorduel.coach.quick_end import quick_end
from divisorduel.play.match import Match
from divisorduel.store.atomic_file import StoreError
from divisorduel.store.online_links import OnlineLink, OnlineLinks
from divisorduel.store.preferences import Preferences
from divisorduel.system import program
from divisorduel.terminal.plain.setup_prompts import ask_place
from divisorduel.terminal.plain.transcript import summary
from divisorduel.terminal.terminal import Terminal, printable, system_terminal
from divisorduel.words.quick_ends import longer_text, quick_end_text

OWN_LINK = "Your own link, to come back (keep it secret)"


def play_link(
    link: str | None, name: str | None, preferences: Preferences, *, is_full: bool
) -> int:
    """Play or watch the match of a link, and return the exit status. Raises `ClientError`.

    Without a link, come back to a match in which the person has a seat.
    """
    terminal = system_terminal(sounds=preferences.sounds)
    chosen = _own_link(terminal) if link is None else link
    admission = _admit(terminal, MatchLink.read(chosen), name)
    return _play(terminal, admission, preferences, is_full=is_full)


def list_online() -> int:
    """List the online matches to which the person can come back; return the exit status."""
    terminal, known = system_terminal(), OnlineLinks.of_user().newest_first()
    _list(terminal, known)
    if not known:
        terminal.say("You have no unfinished games on a server.\n")
    return 0


def host(
    server: str,
    wanted: Mapping[str, object],
    preferences: Preferences,
    *,
    is_full: bool,
    joins: bool,
) -> int:
    """Create a match on a server, print its links, and play it; return the exit status.

    Raises `ClientError`.
    """
    terminal = system_terminal(sounds=preferences.sounds)
    links = create_match(server, **wanted)
    told = link_lines(links)
    for line in (*told, *([] if joins else [f"{OWN_LINK}: {links.one}"])):
        terminal.say(f"{line}\n")
    terminal.flush()
    if links.one is None:
        return 0
    admission = _admit(terminal, links.one, None)
    found = quick_end(admission.match.game) if terminal.interactive else None
    if found is not None:
        told = (*told, f"{quick_end_text(found)} {longer_text(found)}".rstrip())
        terminal.say(f"{told[-1]}\n", "prose")
    return _play(terminal, admission, preferences, is_full=is_full, told=told) if joins else 0


def link_lines(links: NewLinks) -> tuple[str, ...]:
    """Return the links to send to others, in lines."""
    return f"Link for your opponent: {links.two}", f"Link for spectators: {links.watch}"


def _own_link(terminal: Terminal) -> str:
    """Return the link to the person's own match; if there are several, list them and ask."""
    known = OnlineLinks.of_user().newest_first()
    if not known:
        raise ClientError(
            "You have no unfinished games on a server. To play one, use a link: "
            f"{program()} join LINK",
            "bad-link",
        )
    if len(known) == 1:
        return known[0].link
    _list(terminal, known)
    if not terminal.interactive:  # a pipe has moves for the match, not an answer
        return known[0].link
    return ask_place(terminal, "Which one?", [one.link for one in known])


def _list(terminal: Terminal, known: list[OnlineLink]) -> None:
    for number, one in enumerate(known, 1):
        terminal.say(f"  {number}  {one.when:%Y-%m-%d %H:%M}  {printable(one.about)}\n", indent=5)


def _admit(terminal: Terminal, link: MatchLink, name: str | None) -> Admission:
    """Enter a match; if the person has a seat in it, remember the way back to it."""
    try:
        admission = enter(link, name)
    except ClientError as error:
        if error.code != "key-invalid":
            raise
        _forget(terminal, link)
        raise ClientError(
            "This link is not valid: the seat may be taken, the game deleted, or the link "
            f"incomplete. To return to your own game: {program()} join",
            error.code,
        ) from None
    if admission.link != link:  # a seat was taken; if the program is killed, this is the way back
        terminal.say(f"{OWN_LINK}: {admission.link}\n")
        terminal.flush()
    _remember(terminal, admission, admission.match)
    return admission


def _remember(terminal: Terminal, admission: Admission, match: Match) -> None:
    """Remember the way back to a match as it is now, if the person has a seat in it."""
    if admission.seats:
        about = f"{summary(match)}, at {admission.link.server}"
        try:
            OnlineLinks.of_user().remember(str(admission.link), about)
        except StoreError as error:  # the match can be played nevertheless
            terminal.complain(str(error))


def _forget(terminal: Terminal, link: MatchLink) -> None:
    try:
        OnlineLinks.of_user().forget(str(link))
    except StoreError as error:
        terminal.complain(str(error))


def _play(
    terminal: Terminal,
    admission: Admission,
    preferences: Preferences,
    *,
    is_full: bool,
    told: tuple[str, ...] = (),
) -> int:
    client = MatchClient(admission)
    is_valid = True
    try:
        if is_full:
            from divisorduel.terminal.fullscreen.launch import open_remote

            return open_remote(client, told, preferences)
        from divisorduel.terminal.plain.remote_loop import play_remote

        return play_remote(terminal, client, sys.stdin)
    except ClientError as error:
        is_valid = error.code != "key-invalid"
        raise
    finally:
        if is_valid and client.match.state in ("waiting", "playing"):
            _remember(terminal, admission, client.match)
        else:
            _forget(terminal, admission.link)
