"""The start menu in plain text: it offers what the full screen offers."""

import os
from collections.abc import Callable, Collection
from difflib import get_close_matches
from typing import NamedTuple

from divisorduel.coach.quick_end import quick_end
from divisorduel.play.match import Match
from divisorduel.play.players import HUMAN
from divisorduel.rules.catalogue import rule_book, rule_book_keys
from divisorduel.rules.errors import BoardError, DuelError
from divisorduel.store import preferences
from divisorduel.store.preferences import MEANINGS, Preferences
from divisorduel.terminal.plain import local_game, setup_prompts
from divisorduel.terminal.plain.match_loop import FINISHED
from divisorduel.terminal.plain.rules_text import guide
from divisorduel.terminal.terminal import Terminal

RunCommand = Callable[[list[str]], int]
"""Runs a command of ``duel``, given its words, and returns the exit status."""


class MenuEntry(NamedTuple):
    """A line of the menu, and the command of ``duel`` that does it."""

    name: str
    about: str
    command: str


ENTRIES = (
    MenuEntry("play", "against the computer, or with a friend on the same screen", "play"),
    MenuEntry("continue", "a game that is not finished", "resume"),
    MenuEntry("puzzles", "find the one move that wins", "puzzle"),
    MenuEntry("watch", "two computers play each other", "play"),
    MenuEntry("history", "your games so far", "history"),
    MenuEntry("statistics", "how often you won", "stats"),
    MenuEntry("rules", "of all the games", "rules"),
    MenuEntry("settings", "names, opponent, colours, sounds", "settings"),
    MenuEntry("quit", "leave", ""),
)
"""The menu. An entry is offered if its command exists."""


class StartMenu:
    """Asks what to do, does it, and asks again; input from a pipe is asked once."""

    def __init__(
        self, terminal: Terminal, chosen: Preferences, commands: Collection[str], run: RunCommand
    ) -> None:
        self._terminal = terminal
        self._preferences = chosen
        self._entries = [e for e in ENTRIES if not e.command or e.command in commands]
        self._run = run

    def open(self) -> int:
        """Show the menu until the player leaves, and return the exit status."""
        while True:
            try:
                name = self._ask_entry()
            except setup_prompts.QuitRequested:
                return FINISHED
            try:
                status = self._do(name)
            except setup_prompts.QuitRequested:  # back to the menu
                status = FINISHED
            except DuelError as error:
                if not self._terminal.interactive:
                    raise
                self._terminal.say(f"{error}\n", "reason")
                status = FINISHED
            if status != FINISHED or not self._terminal.interactive:
                return status
            self._terminal.say("\n")

    def _ask_entry(self) -> str:
        names = [entry.name for entry in self._entries]
        self._terminal.say("Divisor Duel\n", "heading")
        for number, entry in enumerate(self._entries, 1):
            self._terminal.say(f"  {number}  {entry.name:<10} {entry.about}\n", indent=16)
        answers = (
            f"Type a number from 1 to {len(names)}, a word from the menu, or the name of a game."
        )

        def read(line: str) -> str:
            numbered = {str(number): name for number, name in enumerate(names, 1)}
            word = numbered.get(line, line.lower())
            found = [name for name in names if name.startswith(word)]
            if len(found) != 1 and word not in rule_book_keys():
                close = get_close_matches(word[:40], (*names, *rule_book_keys()), n=1)
                raise BoardError(f"Did you mean {close[0]}? {answers}" if close else answers)
            chosen = word if word in rule_book_keys() else found[0]
            if chosen == "quit":
                raise setup_prompts.QuitRequested
            return chosen

        return setup_prompts.ask(
            self._terminal, "What would you like to do?", read, usual="play", answers=answers
        )

    def _do(self, name: str) -> int:
        terminal = self._terminal
        match name:
            case "play":
                return self._play(setup_prompts.ask_game(terminal))
            case "watch":
                return self._watch(setup_prompts.ask_game(terminal))
            case "continue":
                return local_game.continue_one(terminal, self._preferences)
            case "puzzles":
                return self._solve_puzzles()
            case "history":
                return self._run(["history"])
            case "statistics":
                return self._run(["stats"])
            case "rules":
                terminal.show(guide(setup_prompts.ask_game(terminal)))
                return FINISHED
            case "settings":
                return self._change_settings()
        return self._play(name)

    def _play(self, key: str) -> int:
        terminal = self._terminal
        game = setup_prompts.ask_board(terminal, key)
        kinds = setup_prompts.ask_kinds(terminal, self._preferences)
        names = setup_prompts.ask_names(terminal, kinds, self._preferences)
        first = setup_prompts.ask_first(terminal, names, lambda: local_game.draw(None))
        rounds = setup_prompts.ask_rounds(terminal)
        found = quick_end(game)
        if found is not None and (terminal.interactive or kinds[first - 1] != HUMAN):
            game = setup_prompts.offer_longer(terminal, found, names[first - 1]) or game
        terminal.say("\n")
        match = Match.of(game, names=names, kinds=kinds, first=first, rounds=rounds)
        return local_game.host_new(terminal, match, delay=self._preferences.delay)

    def _watch(self, key: str) -> int:
        terminal = self._terminal
        game = setup_prompts.ask_board(terminal, key)
        kinds = setup_prompts.ask_computers(terminal)
        rounds = setup_prompts.ask_rounds(terminal)
        names = preferences.usual_names(kinds, self._preferences)
        terminal.say("\n")
        match = Match.of(game, names=names, kinds=kinds, rounds=rounds)
        return local_game.host_new(terminal, match, delay=self._preferences.delay)

    def _solve_puzzles(self) -> int:
        games = [key for key in rule_book_keys() if not rule_book(key).book.easy_win]
        answers = f'Type {", ".join(games)} or "any".'

        def read(line: str) -> list[str]:
            word = line.lower()
            if word not in (*games, "any"):
                raise BoardError(answers)
            return [] if word == "any" else [word]

        words = setup_prompts.ask(
            self._terminal, "Puzzles for which game?", read, usual="any", answers=answers
        )
        while True:
            status = self._run(["puzzle", *words])
            if status != FINISHED or not self._terminal.interactive:
                return status
            if not setup_prompts.ask_yes_or_no(self._terminal, "\nAnother one?", usual="yes"):
                return status

    def _change_settings(self) -> int:
        """Show the settings, and change one after the other until the player presses Enter."""
        self._run(["settings"])
        answers = f"Type the name of a setting ({', '.join(MEANINGS)}), or press Enter to go back."

        def read_key(line: str) -> str:
            return "" if line == "none" else preferences.check_key(line.lower())

        while True:
            key = setup_prompts.ask(
                self._terminal, "Change which one?", read_key, usual="none", answers=answers
            )
            if not key:
                return FINISHED
            self._change_setting(key)

    def _change_setting(self, key: str) -> None:
        def read(line: str) -> preferences.Value:
            return preferences.parse(key, "" if line.strip('"').lower() == "not set" else line)

        value = setup_prompts.ask(
            self._terminal,
            f"{key}: {MEANINGS[key]}.",
            read,
            usual=preferences.shown(key, self._preferences) or '"not set"',
            answers='Type a value, "not set" for none, or press Enter to leave it as it is.',
        )
        if value != getattr(self._preferences, key):
            preferences.write_preferences(preferences.settings_file(), {key: value})
            self._preferences, _ = preferences.load(os.environ)
