// What the server sends during a match, handled in order.

import { describeEvents, ending, roundEnded } from "../model/announcer.js";
import { PACE, pause } from "../model/pace.js";
import { play } from "../sound/sound.js";
import { words } from "../words/words.js";

export class Inbox {
  /** @param {import("./match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    this.greeted = false;
    this.stepped = -PACE;
    this.queue = Promise.resolve();
  }

  receive(message) {
    const { matchView } = this;
    if (message.type === "step") {
      this.queue = this.queue.then(() => this.step(message));
    } else if (message.type === "welcome") {
      this.queue = this.queue.then(() => this.catchUp(message));
    } else if (message.type === "presence") {
      matchView.players.note(message.presence);
    } else if (message.type === "notice") {
      matchView.message.note(message.text);
    } else if (message.type === "error") {
      matchView.message.warn(message.reason);
    } else if (message.type === "lost" || message.type === "gone") {
      matchView.connected = false;
      matchView.message.warn(message.type === "lost" && matchView.connection.pending ? words.match.waits : words.match[message.type], true);
      matchView.render();
    }
  }

  async catchUp({ match: view, presence, seats }) {
    const { matchView } = this;
    const { message, view: before } = matchView;
    matchView.connected = true;
    matchView.seats = seats;
    if ([words.match.lost, words.match.waits].includes(message.alert.textContent ?? "")) message.warn("");
    const behind = view.version !== before.version;
    const missed = view.round > before.round && view.results.length > before.results.length; // the end of a round
    matchView.players.note(presence, { quietly: true });
    matchView.keepFocus(() => {
      if (behind) matchView.advance(view);
      matchView.render();
    });
    if (missed) await matchView.history.showEnd(view.round - 1);
    if (behind || !this.greeted) message.speak(matchView.situation());
    this.greeted = true;
  }

  async step({ events, match: view }) {
    const { matchView } = this;
    const { view: before, seats, message } = matchView;
    if (view.version <= before.version) return;
    const { to_move: mover } = before;
    if (mover && before.kinds[mover - 1] !== "human") await pause(this.stepped);
    const lines = describeEvents(events, before, view, seats);
    const ended = roundEnded(events, view, seats);
    matchView.keepFocus(() => {
      matchView.advance(view);
      matchView.just = events.findLast((event) => event.type === "number-taken")?.number ?? null;
      matchView.render();
      matchView.just = null;
      // The board already shows the numbers taken.
      const isNews = ({ type }) => type in words.events && type !== "number-taken";
      if (events.some(isNews)) message.note(lines.join(" "));
    });
    play(view, seats);
    if (ended) await matchView.history.showEnd(view.round - 1);
    if (view.state === "over" && before.state !== "over") matchView.result.open(ending(view, seats));
    message.speak([...lines, matchView.situation()].join(" "));
    this.stepped = performance.now();
  }
}
