// What games are called, as the server says: asked once, when the first table is shown.

import { getGames } from './api';
import { redraw } from './app';

let titles: Map<string, string> | null = null;
let isAsked = false;

async function load(): Promise<void> {
  try {
    titles = new Map((await getGames()).map((game) => [game.name, game.title]));
    redraw();
  } catch {
    isAsked = false; // the next drawing asks again
  }
}

/** The names of all games, once they are known. */
export function gameNames(): string[] {
  titleOf('');
  return [...(titles?.keys() ?? [])];
}

/** The title of a game; its name until the title is known. */
export function titleOf(game: string): string {
  if (!isAsked) {
    isAsked = true;
    void load();
  }
  return titles?.get(game) ?? game;
}
