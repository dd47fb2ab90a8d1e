// Which board draws which game. To add a drawing is to add a line; games without one get the generic board.

import type { Board } from './board';
import { eriantys } from './eriantys';
import { generic } from './generic';
import { paperSoccer } from './paper_soccer';
import { renaissance } from './renaissance';
import { santorini } from './santorini';
import { treasureHunt } from './treasure_hunt';

const boards: Record<string, Board> = {
  eriantys,
  'paper-soccer': paperSoccer,
  renaissance,
  santorini,
  'treasure-hunt': treasureHunt,
};

export function boardOf(game: string): Board {
  return boards[game] ?? generic;
}
