// Describes events and the state of a match in words, for screen readers and notices.

import { words } from "../words/words.js";

const MOST_SPOKEN = 15; // how many numbers a screen reader reads out

const nameOf = (view, seat) => view.names[seat - 1];

// The name of a player, or "" for you: the texts then say "you".
const nameFor = (view, seat, seats) => (seats.length === 1 && seats[0] === seat ? "" : nameOf(view, seat));

// Say why a round ended.
function howItEnded(view, loser, forfeit, seats) {
  const name = nameFor(view, loser, seats);
  if (!forfeit) return words.match.stuck(name);
  if (forfeit.wrong_number !== null) return words.match.wrongNumber(name, forfeit.reason);
  return forfeit.reason || words.match.forfeited(name);
}

// Say how the previous round ended, if these events ended it; otherwise return "".
export function roundEnded(events, view, seats) {
  const began = events.filter((event) => event.type === "round-began").length;
  if (!began || events[0].type === "rounds-added") return "";
  const round = view.round - began;
  const winner = view.results[round - 1];
  const forfeit = events.find((event) => event.type === "forfeited");
  return endOfRound({ round, winner, forfeit }, view, seats);
}

/** Say how a round ended. @param {{round: number, winner: number, forfeit?: import("./types.d.ts").Forfeit | null}} round */
export function endOfRound({ round, winner, forfeit }, view, seats) {
  return `${howItEnded(view, 3 - winner, forfeit, seats)} ${words.match.wonRound(nameFor(view, winner, seats), round, view.score[winner - 1], view.score[2 - winner])}`;
}

// Return a list of sentences that say what happened: those that `words.events` has for the events,
// then how the round ended. `situation` says how a match ended.
export function describeEvents(events, before, view, seats) {
  let turn = before.to_move ?? 1;
  const lines = [];
  for (const event of events) {
    lines.push(words.events[event.type]?.(event, {
      mover: nameOf(view, turn),
      by: nameOf(view, event.by),
      isYours: seats.includes(event.by),
      offer: before.offer,
    }));
    if (event.type === "number-taken") turn = 3 - turn;
    else if (event.type === "round-began") turn = event.starter;
  }
  const ended = roundEnded(events, view, seats);
  if (ended) lines.push(ended, words.match.roundBegan(view.round));
  return lines.filter(Boolean);
}

// Say whose turn it is and what can be taken, or how the match ended.
export function situation(view, seats, pool) {
  if (view.state === "off") return words.match.calledOff;
  if (view.state === "expired") return words.match.expired;
  if (view.state === "waiting") return seats.length ? `${words.share.waiting}.` : words.share.waitingForBoth;
  if (view.state === "over") return said(ending(view, seats));
  const mover = view.to_move;
  if (seats.includes(mover)) return `${whoseTurn(view, seats)} ${choices(view, pool)}`.trim();
  return view.kinds[mover - 1] === "human" ? words.match.turn(nameOf(view, mover)) : words.match.thinking(nameOf(view, mover));
}

// Say the situation in brief, without the numbers, which the board shows.
export function brief(view, seats, pool) {
  if (view.state === "playing" && seats.includes(view.to_move)) {
    const first = pool ? view.game.note : words.sentence(view.game.move);
    if (!view.turns.length) return `${whoseTurn(view, seats)} ${first}`.trim();
    const opponent = nameOf(view, 3 - view.to_move);
    return seats.length === 1 ? `${words.match.took(opponent, view.turns.at(-1))} ${whoseTurn(view, seats)}` : whoseTurn(view, seats);
  }
  if (view.state === "waiting" && seats.length) return ""; // a panel says so
  return `${situation(view, seats, pool)}${seats.length ? "" : ` ${words.match.watching}`}`;
}

function whoseTurn(view, seats) {
  return seats.length === 1 ? words.match.yourTurn : words.match.turn(nameOf(view, view.to_move));
}

function choices({ legal, game }, pool) {
  const listed = words.match.mayTake(legal.slice(0, MOST_SPOKEN), Math.max(0, legal.length - MOST_SPOKEN));
  return pool ? listed : `${words.sentence(game.move)} ${listed}`;
}

const said = ({ by, title, match }) => [by, title, match].filter(Boolean).join(" ");

/** Say who starts the next round. @param {import("./types.d.ts").Match} view @param {number[]} seats */
export function nextStarter(view, seats) {
  const { starter, winner, then } = view;
  const seat = { alternate: 3 - starter, same: starter, loser: 3 - (winner ?? 1) }[then];
  return words.match.starts(nameFor(view, seat, seats));
}

/** Say how the match ended: why, who won, and the score. @param {import("./types.d.ts").Match} view @param {number[]} seats */
export function ending(view, seats) {
  const loser = view.winner === 1 ? 2 : 1;
  const kind = view.kinds[view.winner === 1 ? 0 : 1];
  const computer = seats.length === 1 && kind !== "human" && !kind.startsWith("bot:");
  const name = computer ? words.match.theComputer : nameFor(view, view.winner, seats);
  const [one, two] = view.score;
  const first = one >= two ? 1 : 2; // the winner of the match, unless it is a draw
  return {
    by: howItEnded(view, loser, view.forfeit, seats),
    title: words.match.won(name),
    match: view.rounds > 1 && view.series > 1 ? words.match.final(nameFor(view, first, seats), Math.max(one, two), Math.min(one, two)) : "",
    won: !name,
    turns: view.turns,
  };
}
