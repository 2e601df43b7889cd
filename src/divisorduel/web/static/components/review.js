// The review of a finished round: who was winning when, and which moves were mistakes.

import { call } from "../model/api.js";
import { h, put, svg } from "./dom.js";
import { words } from "../words/words.js";

const WIDTH = 640;
const HEIGHT = { 1: 28, 2: 92 };

export class Review {
  constructor(matchView) {
    this.matchView = matchView;
    this.element = h("section", { class: "review", "aria-live": "polite", hidden: true });
  }

  close() {
    this.element.hidden = true;
    put(this.element);
  }

  async open() {
    const { view, id, key, history } = this.matchView;
    // Review the round on screen if it is over, otherwise the last finished round.
    const finished = view.results.length;
    const looked = history.looking ? history.round.round : view.round;
    const number = Math.min(looked, finished);
    this.element.hidden = false;
    put(this.element, h("h2", {}, words.review.heading), h("p", { class: "quiet" }, words.review.wait));
    try {
      this.show(await call(`matches/${id}/rounds/${number}/review`, { key }), number);
    } catch (error) {
      put(this.element, h("h2", {}, words.review.heading), h("p", { class: "reason" }, error.message));
    }
    this.element.scrollIntoView({ block: "nearest" });
  }

  show(review, number) {
    const mistakes = review.turns.filter((turn) => turn.mistake !== false);
    put(
      this.element,
      h("h2", {}, words.review.heading),
      h("p", {}, review.summary),
      this.timeline(review, number),
      h("p", { class: "quiet" }, words.review.legend),
      mistakes.length || review.gave_up_a_win
        ? h("ul", { class: "mistakes" }, mistakes.map((turn) => this.mistake(turn, review, number)))
        : h("p", {}, words.review.clean),
    );
  }

  mistake(turn, review, number) {
    const name = review.players[turn.player - 1];
    const remark = turn.mistake ? [h("strong", {}, words.review.mistake), ` ${review.told[turn.turn]}`] : words.review.unproven;
    const line = turn.line_text ? h("details", {}, h("summary", {}, words.review.line), turn.line_text) : null;
    return h(
      "li",
      {},
      h("button", { type: "button", class: "plain", onclick: () => this.matchView.history.look(turn.turn, number) }, words.review.turn(turn.turn, name, turn.move)),
      " ",
      remark,
      line,
    );
  }

  timeline(review, number) {
    const favours = [...review.turns.map((turn) => turn.favours), review.favours_end];
    const step = Math.min(60, (WIDTH - 140) / Math.max(1, favours.length - 1));
    const points = favours.map((seat, at) => [125 + at * step, HEIGHT[seat] ?? 60]);
    const marks = review.turns.map((turn, at) => this.mark(turn, points[at], number));
    if (review.gave_up_a_win) marks.push(triangle(points.at(-1)));
    const name = (seat) => svg("text", { x: 0, y: HEIGHT[seat] + 5, "font-size": 18 }, `${words.match.seatMark[seat]} ${review.players[seat - 1].slice(0, 8)}`);
    return h(
      "div",
      { class: "timeline" },
      svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} 120`, role: "img", "aria-label": words.review.course },
        name(1),
        name(2),
        svg("polyline", { class: "course", points: points.map((point) => point.join(",")).join(" ") }),
        marks,
      ),
    );
  }

  mark(turn, [x, y], number) {
    const shape = turn.mistake ? triangle([x, y]) : svg("circle", { class: "dot", cx: x, cy: y, r: 5 });
    return svg("g", { class: "turn", onclick: () => this.matchView.history.look(turn.turn, number) }, shape, svg("title", {}, words.review.show(turn.turn)));
  }
}

const triangle = ([x, y]) => svg("path", { class: "bad", d: `M${x} ${y - 11} l10 18 h-20 z` });
