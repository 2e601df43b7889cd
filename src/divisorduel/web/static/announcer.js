// Describes events and the state of a match in words.

import { words } from "./words.js";

const SPOKEN = 15; // how many numbers a screen reader reads out

const nameOf = (view, seat) => view.names[seat - 1];

// Why a round ended, in a sentence.
export function howItEnded(view, loser, forfeit) {
  const name = nameOf(view, loser);
  if (!forfeit) return words.match.stuck(name);
  if (forfeit.wrong_number !== null) return words.match.wrongNumber(name, forfeit.reason);
  return forfeit.reason || words.match.forfeited(name);
}

// How the previous round ended, if these events ended it; "" if not.
export function roundEnded(events, view) {
  const began = events.filter((event) => event.type === "round-began").length;
  if (!began || events[0].type === "rounds-added") return "";
  const round = view.round - began;
  const winner = view.results[round - 1];
  const forfeit = events.find((event) => event.type === "forfeited");
  return `${howItEnded(view, 3 - winner, forfeit)} ${words.match.wonRound(nameOf(view, winner), round, view.score)}`;
}

// What happened, as a list of sentences. `situation` says how a match ended.
export function happened(events, before, view, seats) {
  let turn = before.to_move;
  const lines = [];
  for (const event of events) {
    if (event.type === "number-taken") {
      const took = event.again ? words.match.tookAgain : words.match.took;
      lines.push(took(nameOf(view, turn ?? 1), event.number));
      turn = 3 - turn;
    } else if (event.type === "round-began") {
      turn = event.starter;
    } else if (event.type === "move-undone") lines.push(words.match.undone(event.number));
    else if (event.type === "joined") lines.push(words.match.joined(event.name));
    else if (event.type === "declined" && !seats.includes(event.by)) {
      const said = event.by === before.offer?.by ? words.match.withdrew : words.match.declined;
      lines.push(said(nameOf(view, event.by)));
    }
  }
  const ended = roundEnded(events, view);
  return ended ? [...lines, ended, words.match.roundBegan(view.round)] : lines;
}

// Whose turn it is and what can be taken, or how the match ended.
export function situation(view, seats, pool) {
  if (view.state === "off") return words.match.calledOff;
  if (view.state === "expired") return words.match.expired;
  if (view.state === "waiting") return seats.length ? `${words.share.waiting}.` : words.share.waitingForBoth;
  if (view.state === "over") return ending(view, seats);
  const mover = view.to_move;
  if (seats.includes(mover)) return `${whoseTurn(view, seats)} ${choices(view, pool)}`.trim();
  return view.kinds[mover - 1] === "human" ? words.match.turn(nameOf(view, mover)) : words.match.thinking(nameOf(view, mover));
}

export function whoseTurn(view, seats) {
  return seats.length === 1 ? words.match.yourTurn : words.match.turn(nameOf(view, view.to_move));
}

function choices({ legal, game }, pool) {
  const listed = words.match.mayTake(legal.slice(0, SPOKEN), Math.max(0, legal.length - SPOKEN));
  return pool ? listed : `${words.sentence(game.move)} ${listed}`;
}

function ending(view, seats) {
  const how = howItEnded(view, 3 - view.winner, view.forfeit);
  const mine = seats.length === 1 && seats.includes(view.winner);
  const won = mine ? words.match.youWon : words.match.won(nameOf(view, view.winner));
  const match = view.rounds > 1 && view.series > 1 ? words.match.final(view.names, view.score) : "";
  return [how, won, match].filter(Boolean).join(" ");
}
