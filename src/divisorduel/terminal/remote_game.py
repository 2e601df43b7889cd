"""Matches on a server: creates them, prints their links, and plays them on either front end."""

import sys
from collections.abc import Mapping

from divisorduel.client.http_api import NewLinks, create_match, enter
from divisorduel.client.match_client import MatchClient
from divisorduel.client.match_link import MatchLink
from divisorduel.store.preferences import Preferences
from divisorduel.terminal.terminal import Terminal, system_terminal

OWN_LINK = "Your own link, to come back (keep it secret)"


def play_link(link: str, name: str | None, preferences: Preferences, *, is_full: bool) -> int:
    """Play or watch the match of a link, and return the exit status. Raises `ClientError`."""
    terminal = system_terminal(sounds=preferences.sounds)
    return _play(terminal, MatchLink.read(link), name, preferences, is_full=is_full)


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
    if not joins or links.one is None:
        return 0
    return _play(terminal, links.one, None, preferences, is_full=is_full, told=told)


def link_lines(links: NewLinks) -> tuple[str, ...]:
    """Return the links to send to others, in lines."""
    return f"Link for your opponent: {links.two}", f"Link for spectators: {links.watch}"


def _play(
    terminal: Terminal,
    link: MatchLink,
    name: str | None,
    preferences: Preferences,
    *,
    is_full: bool,
    told: tuple[str, ...] = (),
) -> int:
    admission = enter(link, name)
    if admission.link != link:  # a seat was taken; if the program is killed, this is the way back
        terminal.say(f"{OWN_LINK}: {admission.link}\n")
        terminal.flush()
    if is_full:
        from divisorduel.terminal.fullscreen.launch import open_remote

        return open_remote(MatchClient(admission), told, preferences)
    from divisorduel.terminal.plain.remote_loop import play_remote

    return play_remote(terminal, MatchClient(admission), sys.stdin)
