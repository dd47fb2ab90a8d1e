// Which board draws which game. To add a drawing is to add a line; games without one get the generic board. A drawing is loaded when a table of its
// game is looked at.

import { redraw } from '../app';
import type { Board } from './board';
import { generic, plain } from './generic';
import { sentencesOf } from './sentences';

const DRAWINGS: Record<string, () => Promise<Board>> = {
  eriantys: async () => (await import('./eriantys')).eriantys,
  'paper-soccer': async () => (await import('./paper_soccer')).paperSoccer,
  renaissance: async () => (await import('./renaissance')).renaissance,
  santorini: async () => (await import('./santorini')).santorini,
  'treasure-hunt': async () => (await import('./treasure_hunt')).treasureHunt,
};

const boards: Record<string, Board> = {};
const coming: Record<string, Promise<void>> = {};

async function fetchBoard(game: string, load: () => Promise<Board>): Promise<void> {
  boards[game] = await load().catch(() => generic); // without its drawing a game can be played all the same
  redraw();
}

/** What to wait for before a table of this game is shown; null when its board is there. */
export function boardComing(game: string): Promise<void> | null {
  const load = DRAWINGS[game];
  if (load === undefined || boards[game] !== undefined) return null;
  return (coming[game] ??= fetchBoard(game, load));
}

/** The position in sentences, with the words of the game's own: for whoever prefers text. */
export function textBoardOf(game: string): Board {
  const own = boardOf(game);
  return {
    ...plain,
    draw: (scene) => sentencesOf(game, scene.view, scene.names) ?? plain.draw(scene),
    words: own.words.bind(own),
    ...(own.score ? { score: own.score.bind(own) } : {}),
    ...(own.tally ? { tally: own.tally.bind(own) } : {}),
    ...(own.ending ? { ending: own.ending.bind(own) } : {}),
    ...(own.forced ? { forced: own.forced.bind(own) } : {}),
  };
}

export function boardOf(game: string): Board {
  return boards[game] ?? generic;
}
