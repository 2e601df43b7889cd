// Every text of the page. To translate the page, translate the files of this folder.
// A text that contains names or numbers is a function of them.
//
// The server sends refusals, hints, reasons, reviews and rules.

import { analysis } from "./analysis.js";
import { guide } from "./guide.js";
import { home } from "./home.js";
import { bothNames, count, list, number, titleOf } from "./lists.js";
import { review } from "./review.js";

const wins = (name) => (name ? `${name} wins` : "You win");

export const words = {
  brand: "Divisor Duel",
  skip: "Skip to content",
  close: "Close",
  loading: "Loading …",
  number,
  again: "Try again",
  title: titleOf,
  bothNames,
  sentence: (text) => `${text[0].toUpperCase()}${text.slice(1)}.`,

  match: {
    title: (match, yourTurn) => `${yourTurn ? "● Your turn – " : ""}${match.game.title}: ${match.names.join(" vs. ")}`,
    board: "The numbers",
    players: "Players",
    player: (name) => `Player: ${name}`,
    yours: "Your turn",
    theirs: "To move",
    thinks: "Thinking …",
    lose: "If you cannot move, you lose.",
    seatMark: { 1: "●", 2: "■" },
    you: "you",
    computer: "computer",
    score: (n) => count(n, "win", "wins"),
    theComputer: "The computer",
    starts: (name) => (name ? `${name} starts` : "You start"),
    round: (n, of) => `Round ${n} of ${of}`,
    present: "online",
    away: "away",
    notJoined: "not joined yet",
    watchers: (n) => count(n, "spectator", "spectators"),
    watching: "You are watching.",
    lost: "Connection lost. Reconnecting …",
    waits: "Connection lost. This will be sent as soon as the connection is back.",
    slow: "The connection is slow. Still sending …",
    busy: "Your last action is still being sent. Wait a moment.",
    lookedBack: "You were looking at an earlier move. This is the current position.",
    movedOn: "The game has moved on.",
    changed: "The game has changed. Check the board and try again.",
    opponentsLink: "You are already in this game. Send this link to your opponent.",
    gone: "This link is no longer valid. Ask for a new one, or start a new game.",
    used: "This link no longer works. If it was an invitation, someone else has already joined. To watch the game, ask the player who created it for a spectator link.",
    noKey: "This browser cannot open this game. Ask the player who created the game for a link. It is under Share.",
    turn: (name) => `${name}'s turn.`,
    yourTurn: "Your turn.",
    took: (name, number) => `${name} took ${number}.`,
    rule: "Rule",
    thinking: (name) => `${name} is thinking …`,
    // In the texts about the end of a game, a player without a name is you. The score of the named player comes first.
    wonRound: (name, round, own, other) => `${wins(name)} round ${round}. The score is ${own} to ${other}.`,
    nextRound: "Next round",
    came: (name) => `${name} is online.`,
    left: (name) => `${name} is away.`,
    forfeited: (name) => `${name || "You"} gave up.`,
    wrongNumber: (name, reason) => `${name || "You"} took a wrong number: ${reason}`,
    won: (name) => `${wins(name)}!`,
    stuck: (name) => (name ? `${name} has no move left.` : "You have no move left."),
    roundBegan: (n) => `Round ${n} begins.`,
    final: (name, most, least) => (most === least ? `The match is a draw, ${most} to ${least}.` : `${wins(name)} the match, ${most} to ${least}.`),
    mayTake: (numbers, more) =>
      numbers.length ? `You may take ${list(more ? [...numbers, more > 1 ? `one of ${more} others` : "one other number"] : numbers, "or")}.` : "",
    offered: { undo: (name) => `${name} asks to undo a move.`, rematch: (name) => `${name} wants to play again.` },
    asked: { undo: "You have asked to undo a move.", rematch: "You have asked to play again." },
    calledOff: "This game was called off.",
    expired: "This game was closed because no one played for a long time.",
    claimIn: (name, seconds) => `${name} is away. You can claim the win in ${count(seconds, "second", "seconds")}.`,
    claimNow: (name) => `${name} has been away too long. You can claim the win or keep waiting.`,
    current: "Current number",
    enter: "Type a number",
    take: "Take",
    tapAgain: (n) => `Tap again to take ${n}.`,
    typed: (digits) => `${digits} … press Enter to take it`,
  },

  // What happened, by the type of the event. An event without a line here is not announced.
  // The second argument has
  //   mover: the name of the player whose turn it was
  //   by: the name of the player in `event.by`, if the event has one
  //   isYours: whether you are that player
  //   offer: the offer that was open before the event, or null
  events: {
    "number-taken": ({ number, again }, { mover }) => (again ? `Redo: ${mover} took ${number}.` : `${mover} took ${number}.`),
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
    pending: (label) => `${label}; being sent`,
    good: (label) => `${label}; would have won`,
    bad: (label) => `${label}; the mistake`,
    could: (n, name) => `${n}, could be taken by ${name}`,
    question: "?",
    verdict: (judged) => (judged?.wins === true ? "✓" : judged?.wins === false ? "✗" : ""),
    nimber: (judged) => (typeof judged?.nimber === "number" ? `→${judged.nimber}` : ""),
    judged: (label, { wins, nimber }) => {
      const result = wins === null ? "" : wins ? "; wins" : "; loses";
      return `${label}${result}${nimber === null ? "" : `, leaves a position worth ${nimber}`}`;
    },
  },

  actions: {
    label: "Actions",
    menu: "More",
    others: "More actions",
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
    analyse: "Analyse",
    download: "Download",
    share: "Share",
    graph: "Graph",
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
    system: "Share …",
    turn: (n) => `Link to the position after turn ${n}`,
    review: "Link to the review",
    qr: "QR code",
    qrLead: "Scan the code with the camera of another device to open the link there.",
    qrLabel: "QR code for the link",
    network: (origin) => `Other devices on your network can reach this computer at ${origin}.`,
    local: {
      machine: 'These links work only on this computer. To play with others on your network, stop the server and start it with "duel serve --host 0.0.0.0".',
      offline: "These links work only on this computer, because it is not on a network. Connect it to one, then open Share again.",
    },
    waiting: "Waiting for your opponent",
    waitingForBoth: "Waiting for the players to join.",
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
    who: (name) => `${name}: `,
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

  coach: {
    letters: "On the board, partners have the same letter.",
  },

  graph: {
    heading: "The graph",
    label: "The numbers and the lines between them",
    pairs: "Thick lines join partners: answer a number with its partner.",
    parts: (parts) => `The coloured areas are ${parts.length} separate parts. The number after = is what a part is worth: equal parts cancel out.`,
    worth: (n) => `=${n}`,
    some: "Only the lines to numbers that can be taken now are drawn.",
    near: (n) => `The lines join ${n} to the numbers that can follow it.`,
    point: "To see the lines of a number, point to it.",
    none: "This board is too large to draw.",
  },

  footer: { api: "API", rules: "Rules" },

  errors: {
    offline: "The server is not responding. Check your connection and try again.",
    needsServer: "The server is not responding. Rules, settings and your results work without it; games, hints and reviews need it.",
    unknown: "Something went wrong. Try again.",
  },

  ...analysis,
  ...home,
  ...guide,
  ...review,
};
