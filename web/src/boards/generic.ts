// The board of a game without a drawing: its view as a table of names and values, which is all that a player needs beside
// the list of actions.

import { h, type Child } from '../vdom';
import type { Board } from './board';

const DEPTH_MAX = 12;

function isFlat(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function flatText(value: unknown): string {
  return value === null ? '–' : String(value);
}

/** A value of a view as nested lists. */
export function viewAsText(value: unknown, depth = 0): Child {
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
      value.map((item) => h('li', null, viewAsText(item, depth + 1))),
    );
  }
  return h(
    'dl',
    null,
    Object.entries(value as Record<string, unknown>).map(([name, item]) => [
      h('dt', null, name),
      h('dd', null, viewAsText(item, depth + 1)),
    ]),
  );
}

export const generic: Board = {
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
