// The view of a match: the board, the players, the actions.

import { describeEvents, roundEnded, situation, whoseTurn } from "../model/announcer.js";
import { call } from "../model/api.js";
import { Board } from "../components/board.js";
import { Connection } from "../model/connection.js";
import { ask, h, isVisible, put, reducedMotion, write } from "../components/dom.js";
import { Graph } from "../components/graph.js";
import { History } from "../components/history.js";
import { describe } from "../model/new_match.js";
import { Review } from "../components/review.js";
import { share, waitingPanel } from "../components/share_dialog.js";
import * as storage from "../model/storage.js";
import { words } from "../words/words.js";

const PACE = 650; // the shortest time between a computer's moves, in ms
const DIGITS_TOGETHER = 4000; // how long typed digits are kept, in ms

export class MatchView {
  constructor(id, key, { seats, match: view, presence }, boardData) {
    Object.assign(this, { id, key, seats, view, presence, boardData });
    this.connected = false;
    this.board = new Board(boardData, (number) => this.take(number));
    this.history = new History(this);
    this.review = new Review(this);
    this.hints = 0;
    this.typed = "";
    this.queue = Promise.resolve();
    this.build();
    this.render();
    this.connection = new Connection(id, key, (message) => this.receive(message));
    this.onkey = (event) => this.shortcut(event);
    addEventListener("keydown", this.onkey);
    this.clock = setInterval(() => this.showOffer(), 1000);
  }

  build() {
    const { buttons } = this.buildButtons();
    this.heading = h("h1", { class: "small" });
    this.players = h("div", { class: "players", role: "group", "aria-label": words.match.players });
    this.status = h("p", { class: "status", tabindex: "-1" });
    this.spoken = h("p", { class: "unseen", "aria-live": "polite" });
    this.alert = h("p", { class: "reason", role: "alert" });
    this.notice = h("div", { class: "notice", role: "status" });
    this.current = h("p", { class: "current" });
    this.advice = h("div", { class: "advice", "aria-live": "polite" });
    this.waiting = h("section", { class: "waiting", hidden: true });
    this.graphBox = h("section", { class: "graphbox", hidden: true });
    this.number = h("input", { name: "number", inputmode: "numeric", pattern: "[0-9]*", maxlength: 15, autocomplete: "off" });
    this.entry = h(
      "form",
      { class: "entry", onsubmit: (event) => this.enter(event) },
      h("label", {}, h("span", {}, words.match.enter), this.number),
      h("button", {}, words.match.take),
    );
    this.offerText = h("span");
    this.offer = h("div", { class: "offer" }, this.offerText, buttons.accept, buttons.decline, buttons.claim);
    this.boardBox = h("div", {}, this.board.element);
    this.element = h(
      "div",
      { class: "table" },
      h("div", { class: "play" },
        this.heading, this.players, this.status, this.spoken, this.alert, this.notice, this.waiting, this.offer, this.current,
        this.history.banner, this.boardBox, this.entry, this.advice),
      h("div", { class: "side" }, this.actions, this.graphBox, this.review.element, this.history.element),
    );
  }

  buildButtons() {
    const { key } = this.view.game;
    const buttons = (this.buttons = {});
    const button = (name, does, properties = {}) =>
      (buttons[name] = h("button", { type: "button", onclick: does, ...properties }, words.actions[name]));
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
    button("review", () => this.review.open(), { class: "main" });
    button("graph", () => this.toggleGraph(), { "aria-pressed": "false", "aria-keyshortcuts": "g" });
    button("download", () => this.download());
    button("share", () => share(this.view));
    this.actions = h(
      "div",
      { class: "actions", role: "group", "aria-label": words.actions.label },
      ["hint", "why", "undo", "redo", "graph", "rematch", "review", "forfeit", "callOff", "share", "download"].map((name) => buttons[name]),
      h("a", { class: "button", href: `#/rules/${key}`, target: "_blank", rel: "noopener" }, words.actions.rules),
      h("a", { class: "button", href: "#/" }, words.actions.newGame),
    );
    return this;
  }

  ready() {
    if (this.canMove && this.board.focus(this.view.legal[0])) return;
    this.status.focus();
  }

  leave() {
    this.connection.close();
    clearInterval(this.clock);
    removeEventListener("keydown", this.onkey);
  }

  // --- messages from the server

  receive(message) {
    if (message.type === "step") {
      this.queue = this.queue.then(() => this.step(message));
    } else if (message.type === "welcome") {
      this.queue = this.queue.then(() => this.catchUp(message));
    } else if (message.type === "presence") {
      this.notePresence(message.presence);
    } else if (message.type === "notice") {
      put(this.notice, h("p", {}, message.text));
    } else if (message.type === "error") {
      write(this.alert, message.reason);
    } else if (message.type === "lost" || message.type === "gone") {
      this.connected = false;
      write(this.alert, message.type === "lost" && this.connection.pending ? words.match.waits : words.match[message.type]);
      this.render();
    }
  }

  catchUp({ match: view, presence, seats }) {
    this.connected = true;
    this.seats = seats;
    if ([words.match.lost, words.match.waits].includes(this.alert.textContent)) write(this.alert, "");
    const behind = view.version !== this.view.version;
    this.notePresence(presence, { quietly: true });
    this.keepFocus(() => {
      if (behind) this.advance(view);
      this.render();
    });
    if (behind || !this.greeted) this.speak(this.situation());
    this.greeted = true;
  }

  async step({ events, match: view }) {
    if (view.version <= this.view.version) return;
    const mover = this.view.to_move;
    if (mover && this.view.kinds[mover - 1] !== "human") await this.pause();
    const lines = describeEvents(events, this.view, view, this.seats);
    const ended = roundEnded(events, view);
    this.keepFocus(() => {
      this.advance(view);
      this.just = events.findLast((event) => event.type === "number-taken")?.number;
      this.render();
      this.just = null;
      // The board already shows the numbers taken.
      const isNews = ({ type }) => type in words.events && type !== "number-taken";
      if (events.some(isNews)) put(this.notice, h("p", {}, lines.join(" ")));
    });
    if (ended) await this.history.showEnd(ended, view.round - 1);
    this.speak([...lines, this.situation()].join(" "));
    this.stepped = performance.now();
  }

  // Delay a computer's answer, so that the player sees what happened.
  pause() {
    const wait = (reducedMotion.matches ? PACE / 2 : PACE) - (performance.now() - (this.stepped ?? -PACE));
    return wait > 0 ? new Promise((done) => setTimeout(done, wait)) : null;
  }

  advance(view) {
    this.view = view;
    this.hints = 0;
    this.hinted = this.reason = null;
    put(this.advice);
    put(this.notice);
    write(this.alert, "");
    this.history.moveOn();
    if (view.winner === null) this.review.close();
    if (storage.game(this.id)) storage.keep({ id: this.id, ...describe(view) });
  }

  speak(text) {
    this.spoken.textContent = text;
  }

  situation() {
    return situation(this.view, this.seats, this.boardData.pool);
  }

  // Make a change that may hide the focused element. If it does, focus the status instead.
  keepFocus(change) {
    const focused = document.activeElement;
    const inside = this.element.contains(focused);
    change();
    if (inside && !isVisible(focused)) this.status.focus();
  }

  // --- state

  get canMove() {
    return this.view.state === "playing" && this.seats.includes(this.view.to_move);
  }

  get plays() {
    return this.seats.length > 0;
  }

  get shown() {
    return this.history.looking ?? this.present;
  }

  // The current position, for the board and the graph.
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

  // --- rendering

  render() {
    const { view } = this;
    const rounds = view.series > 1 ? ` · ${words.match.round(view.round, view.rounds)}` : "";
    write(this.heading, `${words.title(view.game)}: ${view.game.title}, ${view.game.span}${rounds}`);
    this.showPlayers();
    this.status.classList.toggle("over", view.state === "over");
    this.status.classList.toggle("lost", view.state === "over" && this.seats.length === 1 && !this.seats.includes(view.winner));
    write(this.status, this.brief());
    this.showPosition();
    this.showWaiting();
    this.showOffer();
    this.showButtons();
    this.history.render();
  }

  showButtons() {
    const { view, buttons, plays } = this;
    const playing = view.state === "playing";
    const over = view.state === "over";
    const mine = view.apart ? this.seats[0] : null; // apart, you can undo only if you have moved yourself
    const moved = view.round > 1 || view.turns.some((_, at) => !mine || (at % 2 ? 3 - view.starter : view.starter) === mine);
    const asks = playing && this.canMove && view.hints;
    const seen = {
      hint: asks && this.hinted?.more !== false,
      why: asks,
      undo: plays && view.undo && (playing || over) && moved && !view.forfeit,
      redo: plays && view.undo && !view.apart && view.redoable > 0,
      forfeit: playing && plays,
      callOff: view.state === "waiting" && plays,
      rematch: over && plays,
      review: view.results.length > 0,
      graph: this.boardData.numbers.length > 0,
    };
    for (const [name, condition] of Object.entries(seen)) buttons[name].hidden = !condition;
    this.entry.hidden = this.boardData.pool || !this.canMove;
    write(buttons.undo, view.apart ? words.actions.askUndo : words.actions.undo);
    write(buttons.hint, this.hints ? words.actions.more : words.actions.hint);
  }

  // Say the situation in brief, without the numbers, which the board shows.
  brief() {
    const { view } = this;
    if (this.canMove) {
      const note = this.boardData.pool ? (view.turns.length ? "" : view.game.note) : words.sentence(view.game.move);
      return `${whoseTurn(view, this.seats)} ${note}`.trim();
    }
    if (view.state === "waiting" && this.plays) return ""; // a panel says so
    return `${this.situation()}${this.plays ? "" : ` ${words.match.watching}`}`;
  }

  showPosition() {
    this.listDivisors();
    const shown = this.shown;
    const now = !this.history.looking;
    const best = now ? (this.hinted?.move ?? this.reason?.move) : null;
    const pairs = now ? (this.reason?.pairs ?? []) : [];
    const partner = new Map(pairs.flatMap(([a, b]) => [[a, b], [b, a]]));
    this.board.show({ ...shown, names: this.view.names, best, partner, just: now ? this.just : null });
    this.board.element.classList.toggle("back", !now);
    this.graph?.show({ ...shown, best, pairs, parts: now ? (this.reason?.parts ?? []) : [] });
    put(this.current, shown.current && [h("span", { class: "quiet" }, words.match.current), h("strong", {}, words.number(shown.current))]);
  }

  // A number with too many divisors to list has no tiles at first: the players type their moves. Show
  // tiles as soon as the divisors can be listed.
  listDivisors() {
    const { legal } = this.shown;
    if (this.boardData.pool || this.boardData.numbers.length) return;
    const listed = legal.length > 0 || this.view.state !== "playing";
    if (listed && legal.every((number) => this.board.tiles.has(number))) return;
    this.board = new Board({ numbers: legal, pool: false }, (number) => this.take(number));
    put(this.boardBox, this.board.element);
  }

  showPlayers() {
    const { view } = this;
    const { watchers } = this.presence;
    put(
      this.players,
      h("div", { class: "pair" }, this.playerCard(1), this.playerCard(2)),
      watchers > 0 && h("p", { class: "quiet" }, words.match.watchers(watchers)),
    );
    this.players.classList.toggle("lost", view.apart && !this.connected);
  }

  playerCard(seat) {
    const { view } = this;
    const at = seat - 1;
    const human = view.kinds[at] === "human";
    const elsewhere = human && view.apart && view.joined[at] && !this.seats.includes(seat);
    const here = this.presence.present[at];
    const notes = [
      this.seats.length === 1 && this.seats.includes(seat) && words.match.you,
      !human && words.match.computer,
      human && !view.joined[at] && words.match.notJoined,
      elsewhere && this.connected && (here ? words.match.present : words.match.away),
    ];
    const kind = ["player", seat === 1 ? "one" : "two", view.to_move === seat && "turn", elsewhere && !here && "away"];
    return h(
      "div",
      { class: kind.filter(Boolean).join(" ") },
      h("span", { class: "mark", "aria-hidden": "true" }, words.match.seatMark[seat]),
      h("span", { class: "name" }, view.names[at]),
      h("span", { class: "quiet" }, notes.filter(Boolean).join(", ")),
      (view.rounds > 1 || view.results.length > 0) && h("span", { class: "score", title: words.match.score(view.score[at]) }, String(view.score[at])),
    );
  }

  notePresence(presence, { quietly = false } = {}) {
    const before = this.presence;
    const since = presence.away.map((seconds) => (seconds === null ? null : performance.now() / 1000 - seconds));
    this.presence = { ...presence, since };
    if (JSON.stringify([presence.present, presence.watchers]) !== JSON.stringify([before.present, before.watchers])) this.showPlayers();
    for (const seat of quietly ? [] : [1, 2]) {
      const [was, is] = [before.present[seat - 1], presence.present[seat - 1]];
      if (was === is || this.seats.includes(seat) || !this.view.apart || !this.view.joined[seat - 1]) continue;
      this.speak((is ? words.match.came : words.match.left)(this.view.names[seat - 1]));
    }
    this.showOffer();
  }

  // How many seconds the opponent has been away, or null.
  get opponentAway() {
    if (!this.view.apart || this.seats.length !== 1 || this.view.state !== "playing" || !this.connected) return null;
    const since = this.presence.since?.[2 - this.seats[0]] ?? null;
    return since === null ? null : performance.now() / 1000 - since;
  }

  // Show the opponent's offer or your own, or when you can claim the win because your opponent is away.
  showOffer() {
    const { view, buttons } = this;
    const offer = this.plays ? view.offer : null;
    const theirs = offer && !this.seats.includes(offer.by);
    const away = theirs ? null : this.opponentAway;
    const left = away === null ? null : Math.ceil(this.presence.claim_after - away);
    const opponent = view.names[2 - this.seats[0]];
    const mayClaim = left !== null && left <= 0;
    let text = "";
    if (offer && !mayClaim) text = theirs ? words.match.offered[offer.kind](view.names[offer.by - 1]) : words.match.asked[offer.kind];
    else if (left !== null) text = mayClaim ? words.match.claimNow(opponent) : words.match.claimIn(opponent, left);
    const news = offer || mayClaim ? text : "";
    this.keepFocus(() => {
      buttons.accept.hidden = !theirs;
      buttons.decline.hidden = !offer;
      buttons.claim.hidden = !mayClaim;
      write(buttons.decline, theirs ? words.actions.decline : words.actions.withdraw);
      write(this.offerText, text);
      this.offer.hidden = !text;
    });
    // Screen readers read a countdown only when it ends.
    if (news && news !== this.offerSpoken) this.speak(news);
    this.offerSpoken = news;
  }

  showWaiting() {
    const waits = this.view.state === "waiting" && this.plays;
    this.board.element.classList.toggle("idle", waits);
    if (waits === !this.waiting.hidden) return;
    this.waiting.hidden = !waits;
    put(this.waiting, waits && waitingPanel(this.view));
  }

  // --- actions

  async take(number) {
    if (this.history.looking) {
      this.history.now();
      return write(this.alert, words.match.lookedBack);
    }
    if (!this.plays) return write(this.alert, words.match.watching);
    const { version } = this.view;
    const taken = await this.send({ type: "take", number });
    if (taken.asks && (await this.sure(words.sure.wrong(taken.refused), words.sure.wrongYes, version))) {
      this.say(await this.send({ type: "take", number, sure: true }));
    } else if (!taken.asks) {
      this.say(taken);
    }
    if (document.activeElement === document.body) this.board.focus(number);
  }

  // Ask before something final. Resolves to false if the match has changed in the meantime.
  async sure(question, yes, version) {
    const answer = await ask(question, [
      { label: words.sure.no, value: "no", kind: "main" },
      { label: yes, value: "yes" },
    ]);
    if (answer !== "yes" || version === this.view.version) return answer === "yes";
    write(this.alert, words.match.movedOn);
    return false;
  }

  async forfeit() {
    if (await this.sure(words.sure.forfeit, words.sure.forfeitYes, this.view.version)) await this.command("forfeit");
  }

  async command(type) {
    this.say(await this.send({ type }));
  }

  send(command) {
    write(this.alert, this.connected ? "" : words.match.waits);
    return this.connection.command(this.view.version, command);
  }

  say({ refused, busy }) {
    if (refused) write(this.alert, refused);
    else if (busy) write(this.alert, words.match.busy);
  }

  enter(event) {
    event.preventDefault();
    const digits = this.number.value.trim();
    this.number.value = "";
    if (/^[0-9]{1,15}$/.test(digits)) this.take(Number(digits));
  }

  async hint() {
    const step = Math.min(this.hints + 1, 3);
    await this.learn(call(`matches/${this.id}/hint`, { key: this.key, body: { step } }), (hinted) => {
      this.hints = step;
      this.hinted = hinted;
    });
  }

  async why() {
    await this.learn(call(`matches/${this.id}/why?hints=${this.hints}`, { key: this.key }), (reason) => {
      this.reason = reason;
      if (this.boardData.edges.length && !this.graph) this.toggleGraph();
    });
  }

  // Wait for an answer about this position, and use it unless the match has changed.
  async learn(answer, use) {
    const { version } = this.view;
    put(this.advice, h("p", { class: "quiet" }, words.loading));
    try {
      const learned = await answer;
      if (version !== this.view.version) return;
      use(learned);
      put(this.advice, h("p", {}, learned.text));
      this.keepFocus(() => this.render());
    } catch (error) {
      put(this.advice);
      write(this.alert, error.message);
    }
  }

  toggleGraph() {
    const { graph: button } = this.buttons;
    this.graph = this.graph ? null : new Graph(this.boardData);
    put(this.graphBox, this.graph && [h("h2", {}, words.graph.heading), this.graph.element]);
    this.graphBox.hidden = !this.graph;
    button.setAttribute("aria-pressed", String(Boolean(this.graph)));
    write(button, this.graph ? words.actions.noGraph : words.actions.graph);
    this.showPosition();
  }

  async download() {
    try {
      const record = await call(`matches/${this.id}/record`, { key: this.key });
      const address = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
      h("a", { href: address, download: `${this.view.game.key}-${this.id}.duel` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    } catch (error) {
      write(this.alert, error.message);
    }
  }

  // --- the keyboard

  shortcut(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches("input, select, textarea")) return;
    if (/^[a-z[\]]$/i.test(event.key) && storage.choices().letters === false) return;
    const press = (name) => !this.buttons[name].hidden && this.buttons[name].click();
    const does = {
      h: () => press("hint"),
      w: () => press("why"),
      u: () => press("undo"),
      r: () => press("redo"),
      g: () => press("graph"),
      n: () => (this.history.ended ? this.history.now() : press("rematch")),
      "[": () => this.history.back(),
      "]": () => this.history.forward(),
      Escape: () => this.escape(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (does) does();
    else if (/^[0-9]$/.test(event.key)) this.type(event.key);
    else if (event.key === "Enter" && this.typed) this.takeTyped(event);
  }

  // Collect typed digits into a number. Focus its tile if there is one. Otherwise focus the status,
  // so that Enter does nothing once the digits are cleared.
  type(digit) {
    this.typed = `${this.typed}${digit}`.slice(-15);
    clearTimeout(this.forgetting);
    this.forgetting = setTimeout(() => this.forgetTyped(), DIGITS_TOGETHER);
    if (!this.board.focus(Number(this.typed))) this.status.focus();
    put(this.notice, h("p", { class: "typed" }, words.match.typed(this.typed)));
  }

  forgetTyped() {
    clearTimeout(this.forgetting);
    if (this.typed) put(this.notice);
    this.typed = "";
  }

  takeTyped(event) {
    event.preventDefault();
    const number = Number(this.typed);
    this.forgetTyped();
    this.take(number);
  }

  escape() {
    this.forgetTyped();
    if (this.history.looking) this.history.now();
  }
}
