// The texts of the end of a game and of its review.

import { count } from "./lists.js";

export const review = {
  review: {
    heading: "Review",
    wait: "Reviewing the game …",
    course: "Who was winning, turn by turn",
    // A player without a name is you.
    turn: (turn, name, move) => `Turn ${turn}: ${name || "you"} took ${move}.`,
    // Whose mistake it is, if the mistakes of the players are counted separately.
    count: (owner, at, of) => (of > 1 ? `${owner ? `${owner} (${at} of ${of})` : `Mistake ${at} of ${of}`}.` : owner ? `${owner}.` : "The only mistake."),
    your: "Your mistake",
    theirs: (name) => `${name}'s mistake`,
    yours: "Your mistakes",
    others: (name) => `${name}'s mistakes`,
    see: "Press → to see it on the board.",
    line: "Show the moves",
    after: (move) => `After ${move}`,
    good: "Nothing better was possible.",
    answers: "Press → to see the best answer.",
    // A line that was not played, and what was played instead.
    could: (name, line, ended) => `${name || "You"} could have answered with ${line[0]}${line.length > 1 ? `, then ${line.slice(1).join(", ")}` : ""}${ended ? "." : " …"}`,
    instead: (name, number) => `In the game, ${name || "you"} took ${number}.`,
    loses: (move, line, ended) => `${move} loses to ${line[0]}${line.length > 1 ? `, then ${line.slice(1).join(", ")}` : ""}${ended ? "." : " …"}`,
    unproven: "The solver ran out of time before it could tell whether this was a mistake.",
    show: (turn, mistake) => (mistake ? `Turn ${turn}, a mistake` : `Turn ${turn}`),
    back: "Back",
    on: "Next step",
    next: "Next mistake",
    done: "Close review",
    analyse: "Analyse this position",
  },

  result: {
    heading: "Result",
    mistakes: (n) => (n ? `${count(n, "mistake", "mistakes")}.` : "No mistakes."),
    yours: (n, name, others) => `You made ${n ? count(n, "mistake", "mistakes") : "no mistakes"}; ${name} made ${others || "none"}.`,
    gaveUp: (name) => `${name || "You"} could have won at the end.`,
    find: (n) => (n === 1 ? "Find it" : "Find them"),
  },
};
