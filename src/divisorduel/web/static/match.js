// A match: the board, the players, what can be done, and what happened.

import { call } from "./api.js";
import { Board } from "./board.js";
import { ask, calm, h, put, tell, write } from "./dom.js";
import { Graph } from "./graph.js";
import { History } from "./history.js";
import { describe } from "./home.js";
import { Link } from "./link.js";
import * as memory from "./memory.js";
import { Review } from "./review.js";
import { words } from "./words.js";

const PACE = 650; // how long a computer seems to think, at least
const SPOKEN = 15; // how many numbers a screen reader is told

export async function match(id, given) {
  if (given) {
    // The key leaves the address, so that nobody reads it over your shoulder.
    memory.keep({ ...memory.game(id), id, key: given });
    history.replaceState(null, "", `#/match/${id}`);
  }
  const key = memory.game(id)?.key;
  if (!key) throw new Error(words.match.gone);
  const seen = await call(`matches/${id}`, { key }).catch((error) => {
    if (error.status === 403) throw new Error(words.match.gone);
    throw error;
  });
  const waitsForMe = seen.seats.find((seat) => !seen.match.joined[seat - 1]);
  if (waitsForMe && seen.match.state === "waiting") return joining(id, key, seen);
  const board = await call(`matches/${id}/board`, { key });
  const table = new Table(id, key, seen, board);
  return { element: table.element, title: words.match.title(seen.match), leave: () => table.leave(), ready: () => table.ready() };
}

// Somebody has opened the link to a free seat.
function joining(id, key, { match: agreed, seats }) {
  const alert = h("p", { class: "reason", role: "alert" });
  const host = agreed.names[seats[0] === 1 ? 1 : 0];
  const name = h("input", { name: "name", maxlength: 40, autocomplete: "off", value: memory.choices().you ?? "", placeholder: agreed.names[seats[0] - 1] });
  const join = async (event) => {
    event.preventDefault();
    const chosen = name.value.trim();
    try {
      const joined = await call(`matches/${id}/join`, { key, body: chosen ? { name: chosen } : {} });
      memory.keepChoices({ ...memory.choices(), you: chosen });
      memory.keep({ id, key: joined.key, ...describe(joined.match) });
      dispatchEvent(new Event("hashchange"));
    } catch (error) {
      write(alert, error.message);
    }
  };
  const { game } = agreed;
  return {
    title: words.joining.heading(host),
    element: h(
      "form",
      { class: "joining", onsubmit: join },
      h("h1", {}, words.joining.heading(host)),
      h("p", {}, `${game.title}, ${game.span}. ${game.note}`),
      h("p", {}, h("a", { href: `#/rules/${game.key}` }, words.setup.rulesOf(game.title))),
      h("label", { class: "field" }, h("span", {}, words.joining.name), name),
      h("button", { class: "main" }, words.joining.join),
      alert,
    ),
    ready: () => name.focus(),
  };
}

const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);

class Table {
  constructor(id, key, { seats, match: view, presence }, board) {
    Object.assign(this, { id, key, seats, view, presence, boardData: board });
    this.connected = false;
    this.board = new Board(board, (number) => this.take(number));
    this.history = new History(this);
    this.review = new Review(this);
    this.hints = 0;
    this.typed = "";
    this.queue = Promise.resolve();
    this.build();
    this.render();
    this.link = new Link(id, key, (message) => this.hear(message));
    this.onkey = (event) => this.shortcut(event);
    addEventListener("keydown", this.onkey);
    this.clock = setInterval(() => this.showPresence(), 1000);
  }

  build() {
    const button = (name, does, properties = {}) =>
      (this.buttons[name] = h("button", { type: "button", onclick: does, ...properties }, words.actions[name]));
    this.buttons = {};
    this.players = h("div", { class: "players", role: "group", "aria-label": words.match.players });
    this.status = h("p", { class: "status" });
    this.spoken = h("p", { class: "unseen", "aria-live": "polite" });
    this.alert = h("p", { class: "reason", role: "alert" });
    this.notice = h("div", { class: "notice", role: "status" });
    this.current = h("p", { class: "current" });
    this.advice = h("div", { class: "advice", "aria-live": "polite" });
    this.waiting = h("section", { class: "waiting" });
    this.graphBox = h("section", { class: "graphbox", hidden: true });
    this.number = h("input", { name: "number", inputmode: "numeric", pattern: "[0-9]*", maxlength: 15, autocomplete: "off" });
    this.entry = h(
      "form",
      { class: "entry", onsubmit: (event) => this.enter(event) },
      h("label", {}, h("span", {}, words.match.enter), this.number),
      h("button", {}, words.match.take),
    );
    button("hint", () => this.hint(), { "aria-keyshortcuts": "h" });
    button("why", () => this.why(), { "aria-keyshortcuts": "w" });
    button("undo", () => this.command("undo"), { "aria-keyshortcuts": "u" });
    button("redo", () => this.command("redo"), { "aria-keyshortcuts": "r" });
    button("forfeit", () => this.forfeit());
    button("accept", () => this.command("accept"), { class: "main" });
    button("decline", () => this.command("decline"));
    button("claim", () => this.command("claim"), { class: "main" });
    button("callOff", () => this.command("call-off"));
    button("rematch", () => this.command("rematch"), { class: "main", "aria-keyshortcuts": "n" });
    button("review", () => this.review.open(this.view.round), { class: "main" });
    button("graph", () => this.toggleGraph(), { "aria-pressed": "false", "aria-keyshortcuts": "g" });
    button("download", () => this.download());
    button("share", () => this.share());
    const { buttons } = this;
    this.offer = h("div", { class: "offer", role: "status" }, (this.offerText = h("span")), buttons.accept, buttons.decline, buttons.claim);
    this.actions = h(
      "div",
      { class: "actions", role: "group", "aria-label": words.actions.label },
      buttons.hint, buttons.why, buttons.undo, buttons.redo, buttons.graph, buttons.rematch, buttons.review, buttons.forfeit,
      buttons.callOff, buttons.share, buttons.download,
      h("a", { class: "button", href: `#/rules/${this.view.game.key}`, target: "_blank", rel: "noopener" }, words.actions.rules),
      h("a", { class: "button", href: "#/" }, words.actions.newGame),
    );
    this.heading = h("h1", { class: "small" });
    this.element = h(
      "div",
      { class: "table" },
      h("div", { class: "play" },
        this.heading, this.players, this.status, this.spoken, this.alert, this.notice, this.waiting, this.current,
        this.history.banner, this.board.element, this.entry, this.offer, this.advice),
      h("div", { class: "side" }, this.actions, this.graphBox, this.review.element, this.history.element),
    );
  }

  ready() {
    if (this.canMove) this.board.focus(this.view.legal[0]);
  }

  leave() {
    this.link.close();
    clearInterval(this.clock);
    clearInterval(this.ticking);
    removeEventListener("keydown", this.onkey);
  }

  // --- what the server says

  hear(message) {
    if (message.type === "step") {
      this.queue = this.queue.then(() => this.step(message));
    } else if (message.type === "welcome") {
      this.connected = true;
      this.seats = message.seats;
      this.queue = this.queue.then(() => this.catchUp(message));
    } else if (message.type === "presence") {
      this.notePresence(message.presence);
    } else if (message.type === "notice") {
      put(this.notice, h("p", {}, message.text));
    } else if (message.type === "error") {
      write(this.alert, message.reason);
    } else if (message.type === "lost" || message.type === "gone") {
      this.connected = false;
      write(this.alert, words.match[message.type]);
      this.render();
    }
  }

  catchUp({ match: view, presence }) {
    if ([words.match.lost, words.match.connecting].includes(this.alert.textContent)) write(this.alert, "");
    const behind = view.version !== this.view.version;
    this.notePresence(presence);
    if (behind) this.advance(view);
    this.render();
    if (behind) this.speak(this.situation());
  }

  async step({ events, match: view }) {
    if (view.version <= this.view.version) return;
    const mover = this.view.to_move;
    if (mover && this.view.kinds[mover - 1] !== "human") await this.pause();
    const before = this.view;
    const mine = this.element.contains(document.activeElement);
    this.advance(view);
    this.just = events.findLast((event) => event.type === "number-taken")?.number;
    this.render();
    this.just = null;
    this.speak([...this.told(events, before), this.situation()].filter(Boolean).join(" "));
    if (mine && !this.element.contains(document.activeElement)) this.board.focus();
    this.stepped = performance.now();
  }

  // A computer's answer waits a moment, so that one sees what happened.
  pause() {
    const wait = (calm.matches ? PACE / 2 : PACE) - (performance.now() - (this.stepped ?? -PACE));
    return wait > 0 ? new Promise((done) => setTimeout(done, wait)) : null;
  }

  advance(view) {
    this.view = view;
    this.hints = 0;
    this.hinted = this.reason = null;
    put(this.advice);
    write(this.alert, "");
    this.history.forget();
    if (view.winner === null) this.review.close();
    memory.keep({ id: this.id, ...describe(view) });
  }

  // What happened, in words.
  told(events, before) {
    const names = this.view.names;
    const mover = (seat) => names[seat - 1];
    let turn = before.to_move;
    return events.map((event) => {
      switch (event.type) {
        case "number-taken": {
          const who = mover(turn);
          turn = 3 - turn;
          return event.again ? words.match.tookAgain(who, event.number) : words.match.took(who, event.number);
        }
        case "move-undone": return words.match.undone(event.number);
        case "forfeited":
          return event.reason ? words.match.wrongNumber(mover(event.by), event.reason) : words.match.forfeited(mover(event.by));
        case "round-began":
          turn = event.starter;
          return words.match.roundBegan(this.view.round);
        case "joined": return words.match.joined(event.name);
        case "offered":
          return this.seats.includes(event.by) ? words.match.asked[event.kind] : words.match.offered[event.kind](mover(event.by));
        case "declined": return this.seats.includes(event.by) ? "" : words.match.declined(mover(event.by));
        default: return "";
      }
    });
  }

  speak(text) {
    this.spoken.textContent = text;
  }

  // --- how things stand

  get canMove() {
    return this.view.state === "playing" && this.seats.includes(this.view.to_move);
  }

  get plays() {
    return this.seats.length > 0;
  }

  get apart() {
    return this.view.apart;
  }

  get shown() {
    return this.history.looking ?? this.present;
  }

  // The current position, as the board and the graph show it.
  get present() {
    const { view } = this;
    const other = 3 - view.starter;
    return {
      legal: view.legal,
      playable: this.boardData.pool ? view.playable : null,
      turns: view.turns.map((number, at) => ({ number, turn: at + 1, seat: at % 2 ? other : view.starter })),
      last: view.turns.at(-1),
      current: this.boardData.pool ? null : view.last,
      canMove: this.canMove,
    };
  }

  // Whose turn it is and what may be done, or how it ended.
  situation() {
    const { view } = this;
    if (view.state === "off") return words.match.calledOff;
    if (view.state === "expired") return words.match.expired;
    if (view.state === "waiting") return words.share.waiting;
    if (view.state === "over") return this.ending();
    if (this.canMove) {
      const alone = this.seats.length === 1;
      const whose = alone ? words.match.yourTurn : words.match.turn(view.names[view.to_move - 1], false);
      return `${whose} ${this.choices()}`;
    }
    const name = view.names[view.to_move - 1];
    return view.kinds[view.to_move - 1] === "human" ? words.match.turn(name, false) : words.match.thinking(name);
  }

  choices() {
    const { legal, last } = this.view;
    if (!this.boardData.pool) return words.match.chooseDivisor(last);
    return words.match.mayTake(legal.slice(0, SPOKEN), Math.max(0, legal.length - SPOKEN));
  }

  ending() {
    const { view } = this;
    const alone = this.seats.length === 1;
    const loser = view.names[2 - view.winner];
    const how = view.forfeit
      ? view.forfeit.reason ? words.match.wrongNumber(loser, view.forfeit.reason) : words.match.forfeited(loser)
      : words.match.stuck(loser);
    const won = alone && this.seats.includes(view.winner) ? words.match.youWon : words.match.won(view.names[view.winner - 1]);
    const match = view.rounds > 1 && view.series > 1 ? words.match.final(view.names, view.score) : "";
    return [how, won, match].filter(Boolean).join(" ");
  }

  // --- showing it

  render() {
    const { view, buttons } = this;
    const playing = view.state === "playing";
    const over = view.state === "over";
    write(this.heading, `${view.game.title}, ${view.game.span}${view.series > 1 ? ` · ${words.match.round(view.round, view.rounds)}` : ""}`);
    this.showPlayers();
    this.status.classList.toggle("mine", this.canMove);
    this.status.classList.toggle("over", over);
    write(this.status, this.brief());
    this.showPosition();
    this.showWaiting();
    this.showOffer();
    this.entry.hidden = this.boardData.pool || !this.canMove;
    const when = (name, condition) => (buttons[name].hidden = !condition);
    const mayUndo = this.plays && view.undo && (playing || over) && (view.turns.length > 0 || view.round > 1) && !view.forfeit;
    when("hint", playing && this.canMove && view.hints);
    when("why", playing && this.canMove && view.hints);
    when("undo", mayUndo);
    when("redo", this.plays && view.undo && !this.apart && view.redoable > 0);
    when("forfeit", playing && this.plays);
    when("callOff", view.state === "waiting" && this.plays);
    when("rematch", over && this.plays);
    when("review", view.winner !== null || view.results.length > 0);
    when("share", Boolean(memory.game(this.id)?.watch));
    write(buttons.undo, this.apart ? words.actions.askUndo : words.actions.undo);
    write(buttons.hint, this.hints ? words.actions.more : words.actions.hint);
    this.history.render();
  }

  // The situation for the eye, which sees the numbers on the board.
  brief() {
    if (this.canMove && this.boardData.pool) {
      const { view } = this;
      const turn = this.seats.length === 1 ? words.match.yourTurn : words.match.turn(view.names[view.to_move - 1], false);
      return view.turns.length ? turn : `${turn} ${view.game.note}`.trim();
    }
    if (this.view.state === "waiting" && this.plays) return ""; // there is a panel for it
    const watching = this.plays ? "" : ` ${words.match.watching}`;
    return this.situation() + watching;
  }

  showPosition() {
    const shown = this.shown;
    const names = this.view.names;
    const now = !this.history.looking;
    const best = now ? (this.hinted?.move ?? this.reason?.move) : null;
    const pairs = now ? (this.reason?.pairs ?? []) : [];
    const partner = new Map(pairs.flatMap(([a, b]) => [[a, b], [b, a]]));
    this.board.show({ ...shown, names, best, partner, just: now ? this.just : null });
    this.board.element.classList.toggle("back", !now);
    this.graph?.show({ ...shown, best, pairs, parts: now ? (this.reason?.parts ?? []) : [] });
    const current = this.boardData.pool ? "" : shown.current;
    put(this.current, current && [h("span", { class: "quiet" }, words.match.current), h("strong", {}, words.number(current))]);
  }

  showPlayers() {
    const { view } = this;
    const card = (seat) => {
      const at = seat - 1;
      const turn = view.to_move === seat;
      const human = view.kinds[at] === "human";
      const here = this.presence.present[at];
      const notes = [
        this.seats.length === 1 && this.seats.includes(seat) && words.match.you,
        !human && words.match.computer,
        human && !view.joined[at] && words.match.notJoined,
        human && this.apart && view.joined[at] && !this.seats.includes(seat) && (here ? words.match.present : words.match.away),
      ].filter(Boolean);
      return h(
        "div",
        { class: `player ${seat === 1 ? "one" : "two"}${turn ? " turn" : ""}${human && this.apart && !here ? " away" : ""}` },
        h("span", { class: "mark", "aria-hidden": "true" }, words.match.seatMark[seat]),
        h("span", { class: "name" }, view.names[at]),
        h("span", { class: "quiet" }, notes.join(", ")),
        (view.rounds > 1 || view.results.length > 0) && h("span", { class: "score", title: words.match.score(view.score[at]) }, String(view.score[at])),
      );
    };
    const cards = h("div", { class: "pair" }, card(1), card(2));
    const { watchers } = this.presence;
    put(this.players, cards, watchers > 0 && h("p", { class: "quiet" }, words.match.watchers(watchers)));
  }

  notePresence(presence) {
    const away = presence.away.map((seconds) => (seconds === null ? null : performance.now() / 1000 - seconds));
    this.presence = { ...presence, since: away };
    this.showPresence();
  }

  showPresence() {
    const key = JSON.stringify([this.presence.present, this.presence.watchers, this.view.version, this.seats]);
    if (key !== this.presenceShown) {
      this.presenceShown = key;
      this.showPlayers();
    }
    this.showOffer();
  }

  // How long the opponent has been away, in seconds; null if that is not so.
  get opponentAway() {
    if (!this.apart || this.seats.length !== 1 || this.view.state !== "playing") return null;
    const since = this.presence.since?.[2 - this.seats[0]];
    return since === null || since === undefined ? null : performance.now() / 1000 - since;
  }

  showOffer() {
    const { view, buttons } = this;
    const theirs = view.offer && this.plays && !this.seats.includes(view.offer.by);
    const away = this.opponentAway;
    const opponent = view.names[2 - this.seats[0]];
    const left = away === null ? null : Math.ceil(this.presence.claim_after - away);
    const text = theirs
      ? words.match.offered[view.offer.kind](view.names[view.offer.by - 1])
      : view.offer && this.plays
        ? words.match.asked[view.offer.kind]
        : left === null ? "" : left > 0 ? words.match.claimIn(opponent, left) : words.match.claimNow(opponent);
    buttons.accept.hidden = buttons.decline.hidden = !theirs;
    buttons.claim.hidden = Boolean(view.offer) || left === null || left > 0;
    // A countdown must not be read out every second.
    this.offer.setAttribute("aria-live", left !== null && left > 0 ? "off" : "polite");
    write(this.offerText, text);
    this.offer.hidden = !text;
  }

  showWaiting() {
    const kept = memory.game(this.id);
    const waits = this.view.state === "waiting" && this.plays;
    if (waits === !this.waiting.hidden && this.waiting.childElementCount) return;
    this.waiting.hidden = !waits;
    this.board.element.classList.toggle("idle", waits);
    if (!waits) return;
    put(
      this.waiting,
      h("h2", {}, words.share.waiting),
      h("p", {}, this.view.listed ? words.share.waitingListed : words.share.waitingLead),
      kept?.invite && this.linkRow(words.share.invite, kept.invite),
      kept?.watch && this.linkRow(words.share.watch, kept.watch),
      isLocal && h("p", { class: "quiet" }, words.share.localOnly),
    );
  }

  linkRow(label, key) {
    const address = `${location.origin}/#/match/${this.id}/${key}`;
    const input = h("input", { readonly: true, value: address, onfocus: () => input.select() });
    const said = h("span", { role: "status", class: "quiet" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(address);
      } catch {
        input.select(); // plain http has no clipboard but the old one
        document.execCommand("copy");
      }
      write(said, words.share.copied);
    };
    return h("div", { class: "linkrow" }, h("label", {}, h("span", {}, label), input), h("button", { type: "button", onclick: copy }, words.share.copy), said);
  }

  share() {
    const kept = memory.game(this.id);
    tell(
      words.share.heading,
      words.close,
      kept.invite && this.view.apart && this.linkRow(words.share.invite, kept.invite),
      this.linkRow(words.share.watch, kept.watch),
    );
  }

  // --- what a person does

  async take(number) {
    if (this.history.looking) this.history.now();
    if (!this.plays) return write(this.alert, words.match.watching);
    write(this.alert, "");
    const version = this.view.version;
    const taken = await this.send({ type: "take", number });
    if (taken.asks && (await this.sure(words.sure.wrong(taken.refused), words.sure.wrongYes))) {
      if (version === this.view.version) this.say(await this.send({ type: "take", number, sure: true }));
    } else if (!taken.asks) {
      this.say(taken);
    }
    this.board.focus(number);
  }

  async sure(question, yes) {
    const answer = await ask(question, [
      { label: words.sure.no, value: "no", kind: "main" },
      { label: yes, value: "yes" },
    ]);
    return answer === "yes";
  }

  async forfeit() {
    if (await this.sure(words.sure.forfeit, words.sure.forfeitYes)) await this.command("forfeit");
  }

  async command(type) {
    write(this.alert, "");
    this.say(await this.send({ type }));
  }

  send(command) {
    return this.link.command(this.view.version, command);
  }

  say({ refused }) {
    if (refused) write(this.alert, refused);
  }

  enter(event) {
    event.preventDefault();
    const digits = this.number.value.trim();
    this.number.value = "";
    if (/^[0-9]{1,15}$/.test(digits)) this.take(Number(digits));
  }

  async hint() {
    const step = Math.min(this.hints + 1, 3);
    await this.learn(async () => {
      const hinted = await call(`matches/${this.id}/hint`, { key: this.key, body: { step } });
      this.hints = step;
      this.hinted = hinted;
      return hinted.text;
    });
  }

  async why() {
    await this.learn(async () => {
      this.reason = await call(`matches/${this.id}/why`, { key: this.key });
      if (this.boardData.ties.length && !this.graph) this.toggleGraph();
      return this.reason.text;
    });
  }

  // Ask the server something about this position; the answer is shown if it is still this one.
  async learn(asking) {
    const version = this.view.version;
    put(this.advice, h("p", { class: "quiet" }, words.loading));
    try {
      const text = await asking();
      if (version !== this.view.version) return;
      put(this.advice, h("p", {}, text));
      this.render();
    } catch (error) {
      put(this.advice);
      write(this.alert, error.message);
    }
  }

  toggleGraph() {
    const { graph: button } = this.buttons;
    if (this.graph) {
      this.graph = null;
      put(this.graphBox);
    } else {
      this.graph = new Graph(this.boardData);
      put(this.graphBox, h("h2", {}, words.graph.heading), this.graph.element);
    }
    this.graphBox.hidden = !this.graph;
    button.setAttribute("aria-pressed", String(Boolean(this.graph)));
    write(button, this.graph ? words.actions.noGraph : words.actions.graph);
    this.showPosition();
  }

  async download() {
    const record = await call(`matches/${this.id}/record`, { key: this.key });
    const address = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
    h("a", { href: address, download: `${this.view.game.key}-${this.id}.duel` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  // --- the keyboard

  shortcut(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches("input, select, textarea")) return;
    const press = (name) => !this.buttons[name].hidden && this.buttons[name].click();
    const does = {
      h: () => press("hint"),
      w: () => press("why"),
      u: () => press("undo"),
      r: () => press("redo"),
      g: () => press("graph"),
      n: () => press("rematch"),
      "[": () => this.history.back(),
      "]": () => this.history.forward(),
      Escape: () => this.escape(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (does) does();
    else if (/^[0-9]$/.test(event.key)) this.type(event.key);
    else if (event.key === "Enter" && this.typed) this.takeTyped(event);
  }

  // Digits add up to a number while they are typed in a row.
  type(digit) {
    this.typed = `${this.typed}${digit}`.slice(-15);
    clearTimeout(this.forgetting);
    this.forgetting = setTimeout(() => (this.typed = ""), 2500);
    this.board.focus(Number(this.typed));
    put(this.notice, h("p", { class: "typed" }, words.match.typed(this.typed)));
    setTimeout(() => !this.typed && put(this.notice), 2600);
  }

  takeTyped(event) {
    event.preventDefault();
    const number = Number(this.typed);
    this.typed = "";
    put(this.notice);
    this.take(number);
  }

  escape() {
    this.typed = "";
    put(this.notice);
    if (this.history.looking) this.history.now();
  }
}
