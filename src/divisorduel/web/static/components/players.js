// The strips of the two players: the opponent above the board, you below.

import { words } from "../words/words.js";
import { h, put } from "./dom.js";

export class Players {
  /** @param {import("../views/match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    const strip = (place) => h("div", { class: `player ${place}`, role: "group", "aria-label": words.match.players });
    this.top = strip("above");
    this.bottom = strip("below");
  }

  show() {
    const { seats } = this.matchView;
    const below = seats.length === 1 ? seats[0] : 1;
    this.fill(this.bottom, "below", below);
    this.fill(this.top, "above", 3 - below);
  }

  fill(strip, place, seat) {
    const { view, seats, presence, connected, history } = this.matchView;
    const at = seat - 1;
    const human = view.kinds[at] === "human";
    const elsewhere = human && view.apart && view.joined[at] && !seats.includes(seat);
    const here = presence.present[at];
    const mine = seats.length === 1 && seats.includes(seat);
    const notes = [
      mine && words.match.you,
      !human && words.match.computer,
      human && !view.joined[at] && words.match.notJoined,
      elsewhere && connected && (here ? words.match.present : words.match.away),
    ];
    const winner = history.ended ? history.round?.winner : view.winner; // of the round on screen
    const turn = view.to_move === seat && !history.ended;
    const kind = ["player", place, seat === 1 ? "one" : "two", turn && "turn", elsewhere && !here && "away", winner === seat && "won"];
    strip.className = kind.filter(Boolean).join(" ");
    strip.setAttribute("aria-label", words.match.player(view.names[at]));
    put(
      strip,
      h("span", { class: "mark", "aria-hidden": "true" }, words.match.seatMark[seat]),
      h("span", { class: "name" }, view.names[at]),
      h("span", { class: "quiet" }, notes.filter(Boolean).join(", ")),
      place === "above" && presence.watchers > 0 && h("span", { class: "quiet watchers" }, words.match.watchers(presence.watchers)),
      h("span", { class: "pill" }, turn ? (mine ? words.match.yours : human ? words.match.theirs : words.match.thinks) : ""),
      (view.rounds > 1 || view.results.length > 0) && h("span", { class: "score" }, words.match.score(view.score[at])),
    );
  }

  /** Someone has come or left. @param {import("../model/types.d.ts").Presence} presence */
  note(presence, { quietly = false } = {}) {
    const { matchView } = this;
    const { view, seats, presence: before } = matchView;
    const since = presence.away.map((seconds) => (seconds === null ? null : performance.now() / 1000 - seconds));
    matchView.presence = { ...presence, since };
    if (JSON.stringify([presence.present, presence.watchers]) !== JSON.stringify([before.present, before.watchers])) this.show();
    for (const seat of quietly ? [] : [1, 2]) {
      const [was, is] = [before.present[seat - 1], presence.present[seat - 1]];
      if (was === is || seats.includes(seat) || !view.apart || !view.joined[seat - 1]) continue;
      matchView.message.speak((is ? words.match.came : words.match.left)(view.names[seat - 1]));
    }
    matchView.offers.show();
  }
}
