// Offers: the opponent's, your own, and the offer to claim a win when the opponent is away.

import { words } from "../words/words.js";
import { h, write } from "./dom.js";

export class Offers {
  /** @param {import("../views/match_view.js").MatchView} matchView */
  constructor(matchView) {
    this.matchView = matchView;
    const button = (name, does, kind) => h("button", { type: "button", class: kind, onclick: does }, words.actions[name]);
    this.accept = button("accept", () => matchView.commands.command("accept"), "main");
    this.decline = button("decline", () => matchView.commands.command("decline"), "");
    this.claim = button("claim", () => matchView.commands.command("claim"), "main");
    this.text = h("span");
    this.element = h("div", { class: "offer", hidden: true }, this.text, this.accept, this.decline, this.claim);
    this.spoken = "";
  }

  // How many seconds the opponent has been away, or null.
  get away() {
    const { view, seats, presence, connected } = this.matchView;
    if (!view.apart || seats.length !== 1 || view.state !== "playing" || !connected) return null;
    const since = presence.since?.[2 - seats[0]] ?? null;
    return since === null ? null : performance.now() / 1000 - since;
  }

  show() {
    const { view, seats, plays, presence, message } = this.matchView;
    const offer = plays ? view.offer : null;
    const theirs = Boolean(offer && !seats.includes(offer.by));
    const away = theirs ? null : this.away;
    const left = away === null ? null : Math.ceil(presence.claim_after - away);
    const opponent = view.names[2 - seats[0]];
    const mayClaim = left !== null && left <= 0;
    let text = "";
    if (offer && !mayClaim) text = theirs ? words.match.offered[offer.kind](view.names[offer.by - 1]) : words.match.asked[offer.kind];
    else if (left !== null) text = mayClaim ? words.match.claimNow(opponent) : words.match.claimIn(opponent, left);
    const news = offer || mayClaim ? text : "";
    this.matchView.keepFocus(() => {
      this.accept.hidden = !theirs;
      this.decline.hidden = !offer;
      this.claim.hidden = !mayClaim;
      write(this.decline, theirs ? words.actions.decline : words.actions.withdraw);
      write(this.text, text);
      this.element.hidden = !text;
    });
    // Screen readers read a countdown only when it ends.
    if (news && news !== this.spoken) message.speak(news);
    this.spoken = news;
  }
}
