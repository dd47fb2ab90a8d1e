// Which clock a table has, as one choice of a list: none, one for each turn, or one for the whole game with something more for each turn.

import type { NewTable } from '../api';
import { words } from '../strings';

const TURNS_S = [15, 30, 60, 120, 300, 900];
const GAMES: [minutes: number, increment_s: number][] = [
  [1, 1],
  [3, 2],
  [5, 3],
  [10, 5],
  [15, 10],
  [30, 0],
];

/** The choices as values and words; the first one is none. */
export function clockChoices(): [string, string][] {
  return [
    ['', words.clockNone],
    ...TURNS_S.map((seconds): [string, string] => [String(seconds), words.clockTurn(words.clockSeconds(seconds))]),
    ...GAMES.map(([minutes, more]): [string, string] => [`${minutes}+${more}`, words.clockGame(minutes, more)]),
  ];
}

/** What a choice asks of the server. */
export function clockWish(choice: string): Pick<NewTable, 'turn_ms' | 'game_ms' | 'increment_ms'> {
  const [minutes, more] = choice.split('+');
  if (choice === '') return {};
  if (more === undefined) return { turn_ms: Number(choice) * 1000 };
  return { game_ms: Number(minutes) * 60_000, ...(more === '0' ? {} : { increment_ms: Number(more) * 1000 }) };
}
