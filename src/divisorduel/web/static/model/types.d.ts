// The values that the server sends, as the page uses them. web/schemas/responses.py declares them.

export type Seat = 1 | 2;

export interface Game {
  key: string;
  title: string;
  nickname: string;
  board: string;
  move: string;
  wrong_number: string;
  span: string;
  note: string;
}

export interface Forfeit {
  by: Seat;
  wrong_number: number | string | null;
  away: boolean;
  fault: string;
  reason: string;
}

export interface Match {
  id: string;
  version: number;
  state: "waiting" | "playing" | "over" | "off" | "expired";
  game: Game;
  names: [string, string];
  kinds: [string, string];
  joined: [boolean, boolean];
  apart: boolean;
  rounds: number;
  series: number;
  then: "alternate" | "same" | "loser";
  undo: boolean;
  hints: boolean;
  listed: boolean;
  round: number;
  starter: Seat;
  turns: number[];
  to_move: Seat | null;
  winner: Seat | null;
  forfeit: Forfeit | null;
  legal: number[];
  playable: number[];
  last: number | null;
  redoable: number;
  score: [number, number];
  results: Seat[];
  offer: { kind: "undo" | "rematch"; by: Seat } | null;
}

export interface Presence {
  present: [boolean, boolean];
  away: [number | null, number | null];
  watchers: number;
  claim_after: number;
  since?: (number | null)[];
}

export interface BoardData {
  code: string;
  pool: boolean;
  numbers: number[];
  edges: [number, number][];
  caption: string;
  last: number | null;
}

export interface Turn {
  seat: Seat;
  number: number;
  turn: number;
}

export interface Round {
  round: number;
  starter: Seat;
  turns: { seat: Seat; number: number; legal: number[]; gone: number[] }[];
  legal: number[];
  winner: Seat | null;
  forfeit: Forfeit | null;
}

export interface Position {
  legal: number[];
  playable: number[] | null;
  turns: Turn[];
  last?: number;
  current?: number | null;
  canMove: boolean;
}

export interface Judged {
  turn: number;
  player: Seat;
  move: number;
  favours: Seat | null;
  mistake: boolean | null;
  text: string;
  better: number[];
  answer: number | null;
  line: number[];
  line_text: string;
}

export interface ReviewOf {
  players: [string, string];
  turns: Judged[];
  favours_end: Seat | null;
  gave_up_a_win: boolean;
  summary: string;
  told: Record<string, string>;
}

export interface RuleBook extends Game {
  parameters: { name: string; choices: string[] | null; default: number | string | null }[];
  first_board: Record<string, number | string>;
  rules: string[];
  own_board: string;
  tips: string[];
  example: { span: string; board: BoardData; round: Round; remarks: Record<string, string> };
}

export interface AnalysedPosition {
  code: string;
  game: Game;
  parameters: Record<string, number | string>;
  playable: number[];
  last: number | null;
  legal: number[];
  moves: number;
  markable: boolean;
  board: BoardData | null;
}

export interface Option {
  move: number;
  wins: boolean | null;
  nimber: number | null;
}

export interface AnalysisOf {
  code: string;
  winner: Seat | null;
  proven: boolean;
  method: string;
  nimber: number | null;
  text: string;
  options: Option[];
  reason: { code: string; text: string; move: number | null; pairs: [number, number][]; parts: { numbers: number[]; nimber: number }[] };
}
