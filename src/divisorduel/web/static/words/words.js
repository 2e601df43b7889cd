// Every text of the page. To translate the page, translate this file.
// A text that contains names or numbers is a function of them.
//
// The server sends refusals, hints, reasons, reviews and rules.

const list = (items) =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

export const words = {
  brand: "Divisor Duel",
  skip: "Skip to content",
  close: "Close",
  loading: "Loading …",
  number: (n) => n.toLocaleString("en").replaceAll(",", "\u2009"),
  again: "Try again",
  title: (game) => game.nickname || game.title,
  sentence: (text) => `${text[0].toUpperCase()}${text.slice(1)}.`,

  setup: {
    heading: "Play",
    lead: "Two players, one set of numbers. If you cannot move, you lose.",
    game: "Game",
    rulesOf: (title) => `Rules of ${title}`,
    rules: "Rules",
    board: "Board",
    parameters: {
      from: "Smallest number",
      to: "Largest number",
      step: "Step",
      opening: "First number",
      number: "Starting number",
    },
    openings: { any: "Any", even: "Even", low: "At most half the largest" },
    opponent: "Opponent",
    opponents: {
      computer: "The computer",
      here: "A friend on the same screen",
      link: "A friend online",
    },
    level: "Level",
    levels: (kind) =>
      ({ random: "Random", greedy: "Greedy", perfect: "Perfect", 1: "1, for beginners", 10: "10, almost perfect" })[kind] ?? kind,
    you: "Your name",
    friend: "Your friend's name",
    starter: "Who starts",
    starters: { 1: "You", 2: "Your opponent", random: "Random" },
    more: "More options",
    rounds: "Rounds",
    then: "Who starts the next round",
    thens: { alternate: "The other player", same: "The same player", loser: "The loser" },
    undo: "Allow undo",
    hints: "Allow hints",
    listed: "List it as an open game that anyone can join",
    play: "Play",
    defaultYou: "Player 1",
    defaultFriend: "Player 2",
  },

  lobby: {
    heading: "Open games",
    none: "No open games right now.",
    join: (host) => `Play against ${host}`,
    about: (game, rounds, starts) =>
      `${words.title(game)} (${game.title}), ${game.span}${rounds > 1 ? `, ${rounds} rounds` : ""}; ${
        starts === "you" ? "you start" : "your opponent starts"
      }.${game.note ? ` ${game.note}` : ""}`,
  },

  mine: {
    heading: "Your games",
    about: (one) => `${one.title}, ${one.span}: ${one.names.join(" vs. ")}`,
    forget: (one) => `Remove ${one.title}, ${one.names.join(" vs. ")}`,
  },

  record: {
    heading: "Continue a saved game",
    lead: "Drop a saved game on this page, or choose a file.",
    choose: "Choose a file",
    drop: "Drop the file to continue this game",
    tooLong: "This file is too large to be a saved game. Choose another file.",
  },

  match: {
    title: (match) => `${match.game.title}: ${match.names.join(" vs. ")}`,
    board: "The numbers",
    players: "Players",
    seatMark: { 1: "●", 2: "■" },
    you: "you",
    computer: "computer",
    score: (n) => count(n, "game won", "games won"),
    round: (n, of) => `Round ${n} of ${of}`,
    present: "online",
    away: "away",
    notJoined: "not joined yet",
    watchers: (n) => count(n, "spectator", "spectators"),
    watching: "You are watching.",
    lost: "Connection lost. Reconnecting …",
    waits: "Connection lost. Your move will be sent as soon as the connection is back.",
    busy: "Your last move is still being sent. Wait a moment.",
    lookedBack: "You were looking at an earlier move. This is the current position.",
    movedOn: "The game has moved on.",
    opponentsLink: "You are already in this game. Send this link to your opponent.",
    gone: "This link is no longer valid. Ask for a new one, or start a new game.",
    turn: (name) => `${name}'s turn.`,
    yourTurn: "Your turn.",
    thinking: (name) => `${name} is thinking …`,
    wonRound: (name, round, score) => `${name} wins round ${round}. The score is ${score[0]} to ${score[1]}.`,
    nextRound: "Next round",
    came: (name) => `${name} is online.`,
    left: (name) => `${name} is away.`,
    forfeited: (name) => `${name} gave up.`,
    wrongNumber: (name, reason) => `${name} took a wrong number: ${reason}`,
    won: (name) => `${name} wins!`,
    youWon: "You win!",
    stuck: (name) => `${name} has no move left.`,
    roundBegan: (n) => `Round ${n} begins.`,
    final: (names, score) =>
      score[0] === score[1]
        ? `The match is a draw, ${score[0]} to ${score[1]}.`
        : `${names[score[0] > score[1] ? 0 : 1]} wins the match, ${Math.max(...score)} to ${Math.min(...score)}.`,
    mayTake: (numbers, more) =>
      more ? `You may take ${numbers.join(", ")} and ${count(more, "other number", "other numbers")}.` : numbers.length ? `You may take ${list(numbers)}.` : "",
    offered: { undo: (name) => `${name} asks to undo a move.`, rematch: (name) => `${name} wants to play again.` },
    asked: { undo: "You have asked to undo a move.", rematch: "You have asked to play again." },
    calledOff: "This game was called off.",
    expired: "This game was closed because no one played for a long time.",
    claimIn: (name, seconds) => `${name} is away. You can claim the win in ${count(seconds, "second", "seconds")}.`,
    claimNow: (name) => `${name} has been away too long. You can claim the win or keep waiting.`,
    current: "Current number",
    enter: "Type a number",
    take: "Take",
    typed: (digits) => `${digits} … press Enter to take it`,
  },

  // What happened, by the type of the event. An event without a line here is not announced.
  // The second argument has
  //   mover: the name of the player whose turn it was
  //   by: the name of the player in `event.by`, if the event has one
  //   isYours: whether you are that player
  //   offer: the offer that was open before the event, or null
  events: {
    "number-taken": ({ number, again }, { mover }) => (again ? `${mover} took ${number} again.` : `${mover} took ${number}.`),
    "move-undone": ({ number }) => `${number} was taken back.`,
    joined: ({ name }) => `${name} has joined.`,
    declined: (event, { by, isYours, offer }) => {
      if (isYours) return "";
      return event.by === offer?.by ? `${by} cancelled the request.` : `${by} declined.`;
    },
  },

  tile: {
    free: (n) => `${n}, can be taken`,
    blocked: (n) => `${n}, cannot be taken now`,
    waiting: (n) => `${n}, not taken`,
    gone: (n) => `${n}, gone`,
    taken: (n, name, turn) => `${n}, taken by ${name} on turn ${turn}`,
    last: (label) => `${label}, the last number taken`,
    partner: (label, n) => `${label}; partner ${n}`,
    best: (label) => `${label}; suggested`,
  },

  actions: {
    label: "Actions",
    hint: "Hint",
    more: "Another hint",
    why: "Why?",
    undo: "Undo",
    askUndo: "Ask to undo",
    redo: "Redo",
    forfeit: "Give up",
    claim: "Claim the win",
    callOff: "Call off the game",
    rematch: "Play again",
    accept: "Accept",
    decline: "Decline",
    withdraw: "Cancel request",
    review: "Review",
    download: "Download this game",
    share: "Share",
    graph: "Show the graph",
    noGraph: "Hide the graph",
    rules: "Rules",
    keys: "Shortcuts",
    newGame: "New game",
  },

  sure: {
    forfeit: "Give up this game?",
    forfeitYes: "Give up",
    wrong: (reason) => `${reason} A wrong number loses the game. Take it anyway?`,
    wrongYes: "Take it and lose",
    no: "No, go back",
  },

  share: {
    heading: "Share",
    invite: "Send this link to your opponent (anyone who has it can take the seat)",
    watch: "Send this link to spectators",
    own: "Open this link on another device to continue there (keep it secret)",
    copy: "Copy",
    copied: "Copied.",
    localOnly: 'These links work only on this computer. To play with others on your network, start the server with "duel serve --host 0.0.0.0".',
    waiting: "Waiting for your opponent",
    waitingForBoth: "Waiting for the players.",
    waitingLead: "The game begins when your opponent opens the link and joins.",
    waitingListed: "The game begins when someone joins.",
  },

  joining: {
    heading: (host) => `${host} invites you to play`,
    name: "Your name",
    join: "Join the game",
  },

  history: {
    heading: "Moves",
    none: "No moves yet.",
    turn: (turn, name, number) => `${turn}. ${name}: ${number}`,
    also: (numbers) => `also removes ${list(numbers)}`,
    first: "First",
    back: "Back",
    forward: "Forward",
    last: "Last",
    looking: (turn, of) => (turn ? `Looking back: after turn ${turn} of ${of}.` : "Looking back: before the first move."),
    now: "Back to the game",
    which: "Round",
    round: (n) => `Round ${n}`,
  },

  graph: {
    heading: "The graph",
    label: "The numbers and the lines between them",
    pairs: "Thick lines join partners: answer a number with its partner.",
    parts: (parts) =>
      `Letters mark the parts: ${parts.map((p) => `${p.letter} (worth ${p.nimber})`).join(", ")}.`,
    none: "This board is too large to draw.",
  },

  review: {
    heading: "Review",
    wait: "Reviewing the game …",
    course: "Who was winning, turn by turn",
    legend: "The line is on the side of the player who could force a win. A triangle marks a mistake.",
    turn: (turn, name, move) => `Turn ${turn}: ${name} took ${move}.`,
    mistake: "Mistake!",
    line: "Show the line",
    clean: "No mistakes.",
    unproven: "The solver ran out of time before it could tell whether this was a mistake.",
    show: (turn) => `Show turn ${turn}`,
  },

  keys: {
    heading: "Keyboard shortcuts",
    lead: "Everything works without a mouse.",
    letters: "Use single letters as shortcuts",
    table: [
      ["← → ↑ ↓", "move from number to number"],
      ["0 – 9", "type a number to go to it"],
      ["Enter or Space", "take the number"],
      ["H", "hint; press again for more"],
      ["W", "why?"],
      ["U", "undo"],
      ["R", "redo"],
      ["G", "show or hide the graph"],
      ["[ and ]", "step back and forward through the moves"],
      ["Esc", "back to the game"],
      ["N", "play again, when the game is over"],
      ["?", "show this list"],
    ],
  },

  rules: {
    heading: (title) => `How to play ${title}`,
    others: "Other games",
    howTo: "How to play",
    example: (span) => `An example game (${span})`,
    tips: "Tips",
    play: "Play this game",
    run: "Play the example",
    pause: "Pause",
    again: "Play it again",
    takes: (turn, name, number) => `Turn ${turn}: ${name} takes ${number}.`,
    over: (loser, winner) => `${loser} cannot move: ${winner} wins.`,
    start: "The game begins.",
    wrongForfeit: "A wrong number loses the game. The page asks you before that happens.",
    wrongAgain: "A wrong number costs nothing: the page says why, and you choose again.",
    players: ["Player 1", "Player 2"],
  },

  footer: { api: "API", rules: "Rules" },

  errors: {
    offline: "The server is not responding. Check your connection and try again.",
    unknown: "Something went wrong. Try again.",
  },

  docs: {
    heading: "The API",
    lead: "Programs can do everything that the page does. docs/api.md explains how. The machine-readable descriptions are",
    and: "and",
    needsKey: "needs a key",
    body: "Body",
    http: "HTTP calls",
    live: "WebSocket messages",
    received: "You send",
    sent: "The server sends",
    shapes: "Schemas",
  },
};
