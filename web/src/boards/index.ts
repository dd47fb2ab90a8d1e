// Which board draws which game. To add a drawing is to add a line; games without one get the generic board.

import type { Board } from './board';
import { generic } from './generic';
import { paperSoccer } from './paper_soccer';
import { santorini } from './santorini';
import { treasureHunt } from './treasure_hunt';

const boards: Record<string, Board> = {
  'paper-soccer': paperSoccer,
  santorini,
  'treasure-hunt': treasureHunt,
};

export function boardOf(game: string): Board {
  return boards[game] ?? generic;
}
