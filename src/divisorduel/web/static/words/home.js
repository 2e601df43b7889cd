// The texts of the home view.

import { number, titleOf } from "./lists.js";

export const home = {
  home: {
    heading: "Number games for two",
    friend: "Play a friend",
    learn: "Learn",
    analyse: "Analyse",
    games: "Choose a game",
    last: ({ key, title, nickname }, { opponent, level }) => `${key === "juniper" ? title : nickname || title} · ${opponent === "computer" ? home.setup.levels(level) : home.setup.opponents[opponent]}`,
    code: "Have a code or a link?",
    join: "Join",
    noCode: "This is not a link or a position code. Paste all of it.",
  },

  setup: {
    lead: "Take numbers in turn. If you cannot move, you lose.",
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
    game: "Game",
    span: (board) => (board.number ? number(board.number) : `${board.from}–${board.to}`),
    sizes: { small: "Small", classic: "Classic", large: "Large", custom: "Custom" },
    prime: (n) => `${number(n)} is a prime: the first player cannot move.`,
    notPrime: "Choose a starting number that is not a prime.",
    openings: { any: "Any", even: "Even", low: "At most half the largest" },
    opponent: "Opponent",
    opponents: {
      computer: "Computer",
      here: "Friend on this screen",
      link: "Friend online",
    },
    level: "Level",
    levels: (kind) => ({ random: "Random", greedy: "Greedy", perfect: "Perfect" })[kind] ?? (kind.startsWith("bot:") ? kind.slice(4) : `Level ${kind}`),
    strength: "Strength",
    strengths: (kind) =>
      ({ random: "Takes any number", greedy: "Leaves you few moves", perfect: "No mistakes on boards it can solve" })[kind] ??
      (kind.startsWith("bot:") ? "An engine on this server" : undefined) ??
      ["Beginner", "Learner", "Club player", "Expert", "Almost perfect"][Math.min(4, Math.floor((Number(kind) - 1) / 2))],
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
    join: (host) => `Play against ${host}`,
    about: (game, rounds, starts) => {
      const parts = [`${titleOf(game)} (${game.title})`, game.span, rounds > 1 && `${rounds} rounds`].filter(Boolean);
      return [`${parts.join(", ")}; ${starts === "you" ? "you start" : "your opponent starts"}.`, game.note].filter(Boolean).join(" ");
    },
  },

  mine: {
    heading: "Your games",
    about: (one) => `${one.span} · ${one.names.join(" vs. ")}`,
    forget: (one) => `Remove ${one.title}, ${one.names.join(" vs. ")}, from the list`,
    remove: "Remove from the list",
    sure: "Remove this game from the list? You will not be able to return to it.",
    keep: "Keep it",
    badge: ({ state, toMove, winner, seats = [], names }) => {
      if (state === "waiting") return { text: "Waiting", yours: false };
      const alone = seats.length === 1;
      if (state === "playing") {
        const yours = seats.includes(toMove);
        return { text: yours ? "Your turn" : alone ? "Their turn" : "In progress", yours };
      }
      if (!winner) return { text: "", yours: false };
      return { text: alone && seats.includes(winner) ? "You won" : `${names[winner - 1]} won`, yours: false };
    },
  },

  record: {
    heading: "Continue a saved game",
    lead: "Drop a saved game on this page, or choose a file.",
    choose: "Choose a file",
    drop: "Drop the file to continue this game",
    tooLong: "This file is too large to be a saved game. Choose another file.",
  },
};
