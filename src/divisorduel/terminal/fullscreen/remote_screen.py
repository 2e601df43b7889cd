"""A match on a server, in full screen: play it or watch it, as it happens."""

from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.binding import Binding, BindingType

from divisorduel.client.client_error import ClientError
from divisorduel.client.match_client import (
    Connected,
    ConnectionLost,
    MatchAdvanced,
    MatchChanged,
    MatchClient,
    NoticeReceived,
    PresenceChanged,
    Refused,
    Update,
)
from divisorduel.client.remote_match import AppliedEvents
from divisorduel.coach.review import Review, review
from divisorduel.play.commands import (
    Accept,
    CallOff,
    Claim,
    Command,
    Decline,
    Forfeit,
    Rematch,
    Take,
    Undo,
)
from divisorduel.play.decide import Decision
from divisorduel.play.match import Match
from divisorduel.record.match_records import Heading, match_to_records
from divisorduel.terminal import remote_words
from divisorduel.terminal.fullscreen import sentences
from divisorduel.terminal.fullscreen.coached_screen import CoachedScreen
from divisorduel.terminal.fullscreen.dialogs import Confirm
from divisorduel.terminal.fullscreen.review_screen import ReviewScreen
from divisorduel.terminal.fullscreen.sentences import Said
from divisorduel.terminal.fullscreen.text_screen import TextScreen
from divisorduel.terminal.terminal import printable
from divisorduel.words.reviews import summary

if TYPE_CHECKING:
    from textual.timer import Timer

    from divisorduel.terminal.fullscreen.duel_app import DuelApp


class RemoteScreen(CoachedScreen, inherit_bindings=False):
    """One match on a server, for a player or a spectator."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "choose", "Take", tooltip="Take the number in brackets, or the one you typed"
        ),
        Binding("y", "accept", "Accept", tooltip="Accept what your opponent asks for"),
        Binding("d", "decline", "Decline", tooltip="Decline what your opponent asks for"),
        Binding("d", "withdraw", "Cancel request", tooltip="Cancel your request"),
        Binding("c", "claim", "Claim", tooltip="Claim the win if your opponent is away too long"),
        *CoachedScreen.COACH,
        Binding("u", "undo", "Undo", tooltip="Undo: ask to take back your last move"),
        Binding("v", "review", "Review", tooltip="Review: which moves were mistakes"),
        Binding("n", "rematch", "Play again", tooltip="Ask to play again"),
        Binding("l", "links", "Share", tooltip="Share: the links to this game"),
        Binding("x", "call_off", "Call off", tooltip="Call off the game if no one has joined"),
        *CoachedScreen.COMMON,
        Binding("w", "why", "Why", tooltip="Why: who is winning, and how"),
        Binding("f", "forfeit", "Give up", tooltip="Give up this game"),
    ]

    def __init__(self, client: MatchClient, links: tuple[str, ...] = ()) -> None:
        """Show the match of a client; `links` are lines with links to send to others."""
        super().__init__()
        self.client = client
        self._links = links
        self._told = client.match
        self._waiting_page: TextScreen | None = None
        self._is_sending = False
        self._late: Timer | None = None
        """Fires when the answer is late."""
        self._is_lost = False
        self._has_ended = False

    # --- what is shown

    @property
    def can_take(self) -> bool:
        """Whether the person is to move, and sees the board as it is now."""
        return self.client.is_my_turn and not (self._has_ended or self.is_earlier)

    @property
    def match(self) -> Match:
        """The match as the server last sent it, with the others in the third person."""
        return remote_words.as_seen_by(self.client.match, self.client.seats)

    @property
    def players_of(self) -> Match:
        """The match with notes on who is away."""
        return remote_words.with_presence(self.shown, self.client.presence, self.client.seats)

    def title_text(self) -> str:
        """Name the game, and say if the connection is lost or the person only watches."""
        notes = [
            super().title_text(),
            "" if self.client.seats else "watching",
            "not connected" if self._is_lost else "",
        ]
        return " · ".join(filter(None, notes))

    def _situation(self) -> str:
        """Say what is asked for, whose turn it is, or why no one plays."""
        state = remote_words.state(self.client.match, self.client.seats)
        offer = self._with_keys(remote_words.offer(self.client.match, self.client.seats))
        return " ".join(filter(None, (offer, state or sentences.turn(self.match))))

    def _with_keys(self, offer: str) -> str:
        if not offer or not self.client.seats:
            return offer
        return f"{offer} {'y accepts, d declines.' if self._is_asked else 'd cancels the request.'}"

    @property
    def _is_asked(self) -> bool:
        """Whether the opponent asks for something."""
        offer = self.client.match.offer
        return offer is not None and bool(self.client.seats) and offer.by not in self.client.seats

    def say(self, said: Said) -> None:
        """Show a message; what a server sends may contain anything."""
        super().say(Said(printable(said.text), said.tone))

    def on_mount(self) -> None:
        """Connect; while the opponent has not joined, show the links."""
        self._note_farewell()
        self.say(Said("Connecting …"))
        self.run_worker(self._follow(), group="link")
        if self._links and self.client.match.state == "waiting":
            self._waiting_page = self._links_page("Waiting for your opponent")
            self.app.push_screen(self._waiting_page)

    async def _follow(self) -> None:
        try:
            async with self.client as client:
                async for update in client.updates():
                    self._tell(update)
        except ClientError as error:
            self._has_ended = True
            self.say(Said(str(error), "notice"))
            self.show_all()

    def _tell(self, update: Update) -> None:
        """Show what has arrived."""
        self._is_lost = isinstance(update, ConnectionLost) or (
            self._is_lost and not self.client.is_connected
        )
        match update:
            case Connected(_, applied, has_changed):
                if self._is_sending:
                    self._wait_for_answer()
                if has_changed:
                    self._changed()
                if applied and self.client.match.state == "playing":
                    self._say_events(applied)
                else:
                    self._told = self.client.match
                    self.say(Said(self._situation()))
            case ConnectionLost():
                lost = remote_words.WAITS if self._is_sending else remote_words.LOST
                self.say(Said(lost, "notice"))
            case MatchAdvanced(applied):
                self._changed()
                self._say_events(applied)
            case PresenceChanged(before, presence):
                seats = self.client.seats
                if said := remote_words.presence(before, presence, self.client.match, seats):
                    self.say(Said(f"{said} {self._situation()}"))
            case NoticeReceived(text):
                self.say(Said(text))
        if wait := self.client.claim_in:
            self.set_timer(wait, self.refresh_bindings)
        self._note_farewell()
        self.show_all()
        self._look_back()

    def _changed(self) -> None:
        """Drop what was said about an earlier position."""
        self.thinker.drop()
        self.forget_advice()
        if self._waiting_page is not None and self.app.screen is self._waiting_page:
            self._waiting_page.dismiss()
        self._waiting_page = None

    def _say_events(self, applied: AppliedEvents) -> None:
        seats, told = self.client.seats, list[str]()
        for event, after in applied:
            before, self._told = self._told, after
            told.append(remote_words.happened(event, before, after, seats))
        seen = tuple((event, remote_words.as_seen_by(after, seats)) for event, after in applied)
        said = sentences.happened(Decision(self.match, seen))
        if self.client.match.state not in ("playing", "over"):
            said = Said(remote_words.state(self.client.match, seats))
        elif self.client.match.offer is not None:
            told, said = [], Said(self._situation(), said.tone)
        self.say(Said(" ".join(filter(None, dict.fromkeys((*told, said.text)))), said.tone))

    def _note_farewell(self) -> None:
        """Let the program say how to come back, unless the match is over."""
        is_open = self.client.match.state in ("waiting", "playing")
        back = remote_words.come_back(self.client.link)
        cast("DuelApp", self.app).farewell = back if is_open else ""

    def _look_back(self) -> None:
        """Once the match is over, find out who was winning when."""
        is_due = self.match.over and self.review is None and not self.thinker.is_busy
        if not is_due or not self.match.current.moves:
            return
        record = match_to_records(self.client.match, Heading(self.client.link.match_id, ""))[-1]

        def show(found: Review) -> None:
            self.review, self.advice = found, summary(found)
            self.show_all()

        self.thinker.start("Reviewing the game", lambda judge: review(record, judge.budget()), show)

    # --- what is done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the keys that do nothing now."""
        client, state = self.client, self.client.match.state
        is_playing = bool(client.seats) and state == "playing" and not self._has_ended
        match action:
            case "choose":
                return is_playing
            case "forfeit":
                return is_playing
            case "undo":
                return client.match.undo and bool(client.seats) and state in ("playing", "over")
            case "hint" | "why":
                return client.is_my_turn and client.hints
            case "accept" | "decline":
                return self._is_asked
            case "withdraw":
                return client.match.offer is not None and bool(client.seats) and not self._is_asked
            case "claim":
                return is_playing and client.claim_in == 0
            case "rematch":
                return bool(client.seats) and state == "over"
            case "review":
                return state == "over"
            case "call_off":
                return bool(client.seats) and state == "waiting"
        return super().check_action(action, parameters)

    def choose(self, number: int) -> None:
        """Take a number."""
        if self.is_earlier:
            self.say(Said("This is an earlier turn. Press Esc to return to the game.", "reason"))
        else:
            self._send(Take(number))

    def _send(self, command: Command, *, sure: bool = False) -> None:
        """Send a command for the match that is shown."""
        if not self.client.seats:
            self.say(Said(remote_words.WATCHING, "reason"))
        elif self._is_sending:
            self.say(Said(remote_words.BUSY, "reason"))
        else:
            self._is_sending = True
            if not self.client.is_connected:
                self.say(Said(remote_words.WAITS, "notice"))
            self._wait_for_answer()
            version = self.client.match.version
            self.run_worker(self._await_answer(command, version, sure), group="sending")

    def _wait_for_answer(self) -> None:
        self._stop_waiting()
        self._late = self.set_timer(remote_words.SLOW_AFTER, self._say_late)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.stop()
            self._late = None

    def _say_late(self) -> None:
        if self._is_sending and self.client.is_connected:  # if it is lost, that was said
            self.say(Said(remote_words.SLOW, "notice"))

    async def _await_answer(self, command: Command, version: int, sure: bool) -> None:
        try:
            answer = await self.client.send(command, sure=sure, version=version)
        except ClientError:  # `_follow` says so
            return
        finally:
            self._is_sending = False
            self._stop_waiting()
        match answer:
            case Refused(_, reason, asks) if asks:
                question = f"{printable(reason)} A wrong number loses the game."
                self._send_if(question, "Take it", "Go back", command)
            case Refused(_, reason):
                self.say(Said(reason, "reason"))
            case MatchChanged() if not isinstance(command, Take):
                self.say(Said(remote_words.MOVED_ON, "reason"))

    def _send_if(self, question: str, yes: str, no: str, command: Command) -> None:
        version = self.client.match.version

        def decided(is_yes: bool | None) -> None:
            if is_yes and version != self.client.match.version:
                self.say(Said(remote_words.MOVED_ON, "reason"))
            elif is_yes:
                self._send(command, sure=True)

        self.app.push_screen(Confirm(question, yes, no), decided)

    def action_accept(self) -> None:
        """Accept what the opponent asks for."""
        self._send(Accept())

    def action_decline(self) -> None:
        """Decline what the opponent asks for."""
        self._send(Decline())

    def action_withdraw(self) -> None:
        """Withdraw what the player has asked for."""
        self._send(Decline())

    def action_claim(self) -> None:
        """Claim the win because the opponent is away."""
        self._send(Claim())

    def action_undo(self) -> None:
        """Take back the last move, or ask for it."""
        self._send(Undo())

    def action_rematch(self) -> None:
        """Ask to play again."""
        self._send(Rematch())

    def action_call_off(self) -> None:
        """Call the game off, once the player has confirmed it."""
        self._send_if("Call off this game?", "Call it off", "Keep waiting", CallOff())

    def action_forfeit(self) -> None:
        """Give up, once the player has confirmed it."""
        self._send_if("Give up this game?", "Give up", "Keep playing", Forfeit())

    def action_review(self) -> None:
        """Show which moves were mistakes."""
        if self.review is None:
            self.say(Said("The review is not ready yet. Try again in a moment.", "reason"))
        else:
            self.app.push_screen(ReviewScreen(self.match, self.review))

    def action_links(self) -> None:
        """Show the links to this match."""
        self.app.push_screen(self._links_page("Share"))

    def _links_page(self, heading: str) -> TextScreen:
        own = f"Your own link (keep it secret): {self.client.link}"
        lines = "\n\n".join((*self._links, own)).replace(": http", ":\nhttp")
        return TextScreen(heading, Text(lines))
