// A WebSocket connection to a match that reconnects by itself.
//
// If the connection is lost before a command is answered, the command is sent again, but only if the
// match is still at the version that the command was made for. Otherwise the command was carried out
// or is out of date. So no move is lost, and none is made twice.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
const PING_EVERY = 15000;
const LONGEST_SILENCE = 10000; // before the welcome
const CLOSED_FOR_GOOD = 4403;

// The match after a step, which says what has changed.
function afterStep(match, { version, changes, added, removed }) {
  const after = { ...match, ...changes, version };
  for (const name in added) after[name] = [...match[name], ...added[name]];
  for (const name in removed) {
    const gone = new Set(removed[name]);
    after[name] = match[name].filter((number) => !gone.has(number));
  }
  return after;
}

export class Connection {
  constructor(id, key, onMessage) {
    this.id = id;
    this.key = key;
    this.onMessage = onMessage;
    this.wait = FIRST_WAIT;
    this.number = 0;
    /** @type {{id: number, version: number, command: object, answer: (outcome: any) => void} | null} */
    this.pending = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = 0;
    this.pinging = 0;
    this.alive = false;
    /** @type {any} */
    this.match = null;
    this.closed = false;
    this.reconnect = () => this.socket?.readyState !== WebSocket.OPEN && this.connect();
    addEventListener("online", this.reconnect);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    this.drop();
    if (this.closed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.id}/live`));
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", key: this.key }));
    socket.onmessage = ({ data }) => socket === this.socket && this.receive(JSON.parse(data));
    socket.onclose = ({ code }) => socket === this.socket && this.lost(code);
    this.timer = setTimeout(() => this.lost(), LONGEST_SILENCE);
  }

  drop() {
    clearInterval(this.pinging);
    this.pinging = 0;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  receive(message) {
    this.alive = true;
    if (message.type === "step") {
      if (message.version <= this.match.version) return;
      if (message.version !== this.match.version + 1) return this.socket?.send('{"type":"sync"}');
      message.match = afterStep(this.match, message);
    }
    this.match = message.match ?? this.match;
    if (message.type === "welcome") {
      const { pending } = this;
      if (pending && pending.version !== message.match.version) this.settle({ stale: true });
      else if (pending && !this.pinging) this.transmit();
      if (!this.pinging) this.begin();
    } else if (message.type === "done" || message.type === "refused") {
      if (message.id === this.pending?.id) {
        this.settle(message.type === "done" ? { done: true } : { refused: message.reason, asks: message.asks });
      }
      return;
    }
    this.onMessage(message);
  }

  begin() {
    this.wait = FIRST_WAIT;
    clearTimeout(this.timer);
    this.pinging = setInterval(() => this.ping(), PING_EVERY);
  }

  ping() {
    if (!this.alive) return this.lost();
    this.alive = false;
    this.socket?.send('{"type":"ping"}');
  }

  lost(code) {
    clearTimeout(this.timer);
    this.drop();
    if (code === CLOSED_FOR_GOOD) {
      this.close();
      this.onMessage({ type: "gone" });
      return;
    }
    this.onMessage({ type: "lost" });
    // With jitter, so that the clients do not all reconnect at once after the server restarts.
    this.timer = setTimeout(() => this.connect(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  // Send a command. Resolves to { done }, { refused, asks }, { stale }, or { busy } while an earlier
  // command is unanswered. An earlier command for an older version counts as answered: the page
  // already shows its result, even though its answer has not arrived.
  command(version, command) {
    if (this.pending && this.pending.version < version) this.settle({ stale: true });
    if (this.pending) return Promise.resolve({ busy: true });
    return new Promise((answer) => {
      this.pending = { id: ++this.number, version, command, answer };
      this.transmit();
    });
  }

  transmit() {
    if (!this.pending) return;
    const { id, version, command } = this.pending;
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ type: "command", id, version, command }));
    }
  }

  settle(outcome) {
    const answered = this.pending;
    this.pending = null;
    answered?.answer(outcome);
  }

  close() {
    this.closed = true;
    removeEventListener("online", this.reconnect);
    clearTimeout(this.timer);
    this.drop();
  }
}
