// The game chain with the rules of Divisor Duel: take a factor or a multiple of the last number
// taken. The first number is even. A player who cannot move loses.
'use strict';

const { INVALID_MOVE } = require('boardgame.io/core');

const LOWEST = 2;
const HIGHEST = 50;

const related = (one, other) => one !== other && (one % other === 0 || other % one === 0);

function mayTake(taken, number) {
  if (!Number.isInteger(number) || number < LOWEST || number > HIGHEST) return false;
  if (taken.length === 0) return number % 2 === 0;
  return !taken.includes(number) && related(number, taken[taken.length - 1]);
}

function isStuck(taken) {
  for (let number = LOWEST; number <= HIGHEST; number++) {
    if (mayTake(taken, number)) return false;
  }
  return true;
}

exports.Chain = {
  name: 'chain',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ taken: [] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    take: ({ G }, number) => {
      if (!mayTake(G.taken, number)) return INVALID_MOVE;
      G.taken.push(number);
    },
  },
  endIf: ({ G, ctx }) => (isStuck(G.taken) ? { winner: ctx.currentPlayer } : undefined),
};
