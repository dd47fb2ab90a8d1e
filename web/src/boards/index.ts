// Which board draws which game. To add a drawing is to add a line; games without one get the generic board.

import type { Board } from './board';
import { eriantys } from './eriantys';
import { generic, plain } from './generic';
import { paperSoccer } from './paper_soccer';
import { renaissance } from './renaissance';
import { santorini } from './santorini';
import { sentencesOf } from './sentences';
import { treasureHunt } from './treasure_hunt';

const boards: Record<string, Board> = {
  eriantys,
  'paper-soccer': paperSoccer,
  renaissance,
  santorini,
  'treasure-hunt': treasureHunt,
};

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
