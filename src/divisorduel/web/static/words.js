// Every word of the page itself. To translate it, translate this file.
// A text with something to fill in is a function of it.
//
// What the server says (why a move is refused, hints, reasons, reviews, the rules) comes from the
// program that the terminal uses, too, in the words of its rule books.

const list = (items) =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

export const words = {
  brand: "Divisor Duel",
  skip: "Skip to the page",
  close: "Close",
  loading: "One moment …",
  number: (n) => n.toLocaleString("en").replaceAll(",", "\u2009"),
  again: "Try again",
  title: (game) => words.games[game.key] ?? game.title,
  sentence: (text) => `${text[0].toUpperCase()}${text.slice(1)}.`,

  games: {
    antichain: "No relatives allowed",
    chain: "Follow the chain",
    descent: "Down to a prime",
    divider: "Multiples vanish",
    evens: "A chain of evens",
    juniper: "The classroom classic",
  },

  setup: {
    heading: "Play",
    lead: "Two players, one set of numbers. Whoever cannot move loses.",
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
    openings: { any: "any", even: "even", low: "at most half the largest" },
    opponent: "Opponent",
    opponents: {
      computer: "The computer",
      here: "A friend beside me",
      link: "A friend elsewhere",
    },
    level: "Level",
    levels: (kind) =>
      ({ random: "Random", greedy: "Greedy", perfect: "Perfect", 1: "1, for a first game", 10: "10, hardly ever wrong" })[kind] ?? kind,
    you: "Your name",
    friend: "Your friend's name",
    starter: "Who starts",
    starters: { 1: "I do", 2: "My opponent", random: "Draw lots" },
    more: "More choices",
    rounds: "Rounds",
    then: "Who starts the next round",
    thens: { alternate: "the other one", same: "the same one", loser: "whoever lost" },
    undo: "Moves may be taken back",
    hints: "Hints may be asked for",
    listed: "Anybody may join, not only who has the link",
    play: "Play",
    defaultYou: "Player 1",
    defaultFriend: "Player 2",
  },

  lobby: {
    heading: "Open games",
    none: "Nobody waits for an opponent just now.",
    join: (host) => `Play against ${host}`,
    about: (game, rounds, starts) =>
      `${words.title(game)} (${game.title}), ${game.span}${rounds > 1 ? `, ${rounds} rounds` : ""}; ${
        starts === "you" ? "you start" : "they start"
      }.${game.note ? ` ${game.note}` : ""}`,
  },

  mine: {
    heading: "Your games",
    about: (one) => `${one.title}, ${one.span}: ${one.names.join(" against ")}`,
    forget: (one) => `Forget ${one.title}, ${one.names.join(" against ")}`,
  },

  record: {
    heading: "Go on with a recorded game",
    lead: "Drop a record on this page, or choose its file.",
    choose: "Choose a file",
    drop: "Drop it to go on with that game",
    tooLong: "That file is too large to be a record.",
  },

  match: {
    title: (match) => `${match.game.title}: ${match.names.join(" against ")}`,
    board: "The numbers",
    players: "Players",
    seatMark: { 1: "●", 2: "■" },
    you: "you",
    computer: "computer",
    score: (n) => count(n, "game won", "games won"),
    round: (n, of) => `Round ${n} of ${of}`,
    present: "is here",
    away: "is away",
    notJoined: "has not joined yet",
    watchers: (n) => count(n, "person watches", "people watch"),
    watching: "You are watching.",
    lost: "The connection is lost. Trying again …",
    waits: "The connection is lost. What you did is sent as soon as it is back.",
    busy: "One moment: what you did before is still on its way.",
    lookedBack: "You were looking back. This is the game as it stands.",
    movedOn: "The game has moved on.",
    opponentsLink: "You sit in this game already. This link is for the other seat.",
    gone: "This link does not open a game any more. Ask for it again, or start a new one.",
    turn: (name) => `${name}'s turn.`,
    yourTurn: "Your turn.",
    thinking: (name) => `${name} is thinking …`,
    took: (name, number) => `${name} took ${number}.`,
    tookAgain: (name, number) => `${name} took ${number} again.`,
    undone: (number) => `${number} is taken back.`,
    wonRound: (name, round, score) => `${name} wins round ${round}. The score is ${score[0]} to ${score[1]}.`,
    nextRound: "Next round",
    came: (name) => `${name} is here.`,
    left: (name) => `${name} is away.`,
    forfeited: (name) => `${name} gave up.`,
    wrongNumber: (name, reason) => `${name} gave the game away: ${reason}`,
    won: (name) => `${name} wins!`,
    youWon: "You win!",
    stuck: (name) => `${name} has no move left.`,
    roundBegan: (n) => `Round ${n} begins.`,
    final: (names, score) =>
      score[0] === score[1]
        ? `The match ends level, ${score[0]} to ${score[1]}.`
        : `${names[score[0] > score[1] ? 0 : 1]} wins the match, ${Math.max(...score)} to ${Math.min(...score)}.`,
    mayTake: (numbers, more) =>
      more ? `You may take ${numbers.join(", ")} and ${more} more.` : numbers.length ? `You may take ${list(numbers)}.` : "",
    joined: (name) => `${name} has joined.`,
    offered: { undo: (name) => `${name} asks to take a move back.`, rematch: (name) => `${name} would like to play again.` },
    asked: { undo: "You have asked to take a move back.", rematch: "You have asked for another game." },
    declined: (name) => `${name} would rather not.`,
    withdrew: (name) => `${name} asks no longer.`,
    calledOff: "This game was called off.",
    expired: "This game was closed: nobody has played for a long time.",
    claimIn: (name, seconds) => `${name} is away. You may claim the game in ${seconds} seconds.`,
    claimNow: (name) => `${name} has stayed away. You may claim the game, or wait.`,
    current: "Current number",
    enter: "Another number",
    take: "Take",
    typed: (digits) => `${digits} … press Enter to take it`,
  },

  tile: {
    free: (n) => `${n}, can be taken`,
    blocked: (n) => `${n}, cannot be taken now`,
    waiting: (n) => `${n}, still there`,
    gone: (n) => `${n}, ruled out`,
    taken: (n, name, turn) => `${n}, taken by ${name} on turn ${turn}`,
    last: (label) => `${label}, the last one taken`,
    partner: (label, n) => `${label}; partner ${n}`,
    best: (label) => `${label}; suggested`,
  },

  actions: {
    label: "What you can do",
    hint: "Hint",
    more: "More of a hint",
    why: "Why?",
    undo: "Take back",
    askUndo: "Ask to take back",
    redo: "Again",
    forfeit: "Give up",
    claim: "Claim the game",
    callOff: "Call the game off",
    rematch: "Play again",
    accept: "Agree",
    decline: "No",
    withdraw: "Withdraw",
    review: "Review",
    download: "Download the record",
    share: "Links",
    graph: "Show the graph",
    noGraph: "Hide the graph",
    rules: "Rules",
    keys: "Keys",
    newGame: "New game",
  },

  sure: {
    forfeit: "Give up this game?",
    forfeitYes: "Give up",
    wrong: (reason) => `${reason} A wrong number loses the game. Take it all the same?`,
    wrongYes: "Take it and lose",
    no: "No, go back",
  },

  share: {
    heading: "Links",
    invite: "Send this link to your opponent alone: whoever has it plays",
    watch: "Send this link to whoever wants to watch",
    own: "Go on elsewhere yourself: this link is your place",
    copy: "Copy",
    copied: "Copied.",
    localOnly: 'These links work on this computer only. For others in your network, start the server with "duel serve --host 0.0.0.0".',
    waiting: "Waiting for your opponent",
    waitingForBoth: "Waiting for the players.",
    waitingLead: "The game begins as soon as they open the link.",
    waitingListed: "The game begins as soon as somebody joins.",
  },

  joining: {
    heading: (host) => `${host} invites you to play`,
    name: "Your name",
    join: "Join the game",
  },

  history: {
    heading: "Moves",
    none: "No number has been taken yet.",
    turn: (turn, name, number) => `${turn}. ${name}: ${number}`,
    also: (numbers) => `rules out ${list(numbers)}`,
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
    none: "This board is too large to be drawn.",
  },

  review: {
    heading: "Review",
    wait: "Looking back at the game …",
    course: "Who was winning, turn by turn",
    legend: "The line is on the side of the player who could force a win. A triangle marks a mistake.",
    turn: (turn, name, move) => `Turn ${turn}: ${name} took ${move}.`,
    mistake: "Mistake!",
    clean: "No move gave the game away.",
    unproven: "Whether this was a mistake could not be proven in time.",
    show: (turn) => `Show turn ${turn}`,
  },

  keys: {
    heading: "Keys",
    lead: "The whole page works without a mouse.",
    letters: "Single letters are shortcuts",
    table: [
      ["← → ↑ ↓", "move from number to number"],
      ["0 – 9", "type a number to go to it"],
      ["Enter or Space", "take the number"],
      ["H", "hint; again for more"],
      ["W", "why?"],
      ["U", "take back"],
      ["R", "make the move again"],
      ["G", "show or hide the graph"],
      ["[ and ]", "step back and forward through the moves"],
      ["Esc", "back to the game"],
      ["N", "play again, when the game is over"],
      ["?", "this list"],
    ],
  },

  rules: {
    heading: (title) => `How to play ${title}`,
    others: "Other games",
    howTo: "How to play",
    example: (span) => `A game on ${span}`,
    tips: "Tips",
    play: "Play this game",
    run: "Play the example",
    pause: "Pause",
    again: "Play it again",
    takes: (turn, name, number) => `Turn ${turn}: ${name} takes ${number}.`,
    over: (loser, winner) => `${loser} cannot move: ${winner} wins.`,
    start: "The game begins.",
    wrongForfeit: "A wrong number loses the game; this page asks before.",
    wrongAgain: "A wrong number costs nothing: you are told why, and choose again.",
    players: ["Player 1", "Player 2"],
  },

  footer: { api: "For programs", rules: "Rules" },

  errors: {
    offline: "The server does not answer. Is it still running?",
    unknown: "That did not work.",
  },

  docs: {
    heading: "The HTTP API",
    lead: "Whatever the page does, a program can do. The WebSocket and the whole story are in docs/api.md; the machine-readable description is",
    needsKey: "needs a key",
    body: "Body",
    shapes: "Shapes",
    live: "Live, over a WebSocket",
    liveLead: "Connect, send hello with a key within ten seconds, then listen and send commands:",
  },
};
