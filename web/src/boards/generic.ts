// The board of a game without a drawing: its grids as pictures that take clicks, and the rest of its view as a table of names
// and values. With the list of actions beside it that is all that a player needs.

import { h, type Child } from '../vdom';
import type { Board, Scene } from './board';
import { drawGrid, gridAsText, gridHint, gridOf, isClickable, type Grid } from './grid';

const DEPTH_MAX = 12;

function isFlat(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function flatText(value: unknown): string {
  return value === null ? '–' : String(value);
}

/** A value of a view as nested lists. */
export function viewAsText(value: unknown, draw: (grid: Grid) => Child = gridAsText, depth = 0): Child {
  if (isFlat(value)) return h('span', { class: 'value' }, flatText(value));
  if (depth >= DEPTH_MAX) return '…';
  if (Array.isArray(value)) {
    if (value.every(isFlat))
      return h('span', { class: 'value' }, value.length === 0 ? '–' : value.map(flatText).join(' '));
    if (value.every((item) => Array.isArray(item) && item.every(isFlat)))
      return h(
        'span',
        { class: 'value' },
        value.map((item) => `(${(item as unknown[]).map(flatText).join(', ')})`).join(' '),
      );
    return h(
      'ol',
      { start: 0 },
      value.map((item) => h('li', null, viewAsText(item, draw, depth + 1))),
    );
  }
  const grid = gridOf(value);
  if (grid !== null) return draw(grid);
  return h(
    'dl',
    null,
    Object.entries(value as Record<string, unknown>).map(([name, item]) => [
      h('dt', null, name),
      h('dd', null, viewAsText(item, draw, depth + 1)),
    ]),
  );
}

/** The grids of a view stand above what else there is to know. */
function drawView(scene: Scene): Child {
  const draw = (grid: Grid) => drawGrid(scene, grid);
  const entries = Object.entries(scene.view);
  const grids = entries.map(([, value]) => gridOf(value)).filter((grid) => grid !== null);
  const rest = Object.fromEntries(entries.filter(([, value]) => gridOf(value) === null));
  return [
    grids.map(draw),
    (Object.keys(rest).length > 0 || grids.length === 0) &&
      h('div', { class: 'plain-board', key: 'rest' }, viewAsText(rest, draw)),
  ];
}

/** The board of whoever prefers text. */
export const plain: Board = {
  draw(scene) {
    return h('div', { class: 'plain-board' }, viewAsText(scene.view));
  },
  words(text) {
    return text;
  },
  hint() {
    return '';
  },
  covers() {
    return false;
  },
};

export const generic: Board = {
  ...plain,
  draw: drawView,
  hint: gridHint,
  covers: isClickable,
};
