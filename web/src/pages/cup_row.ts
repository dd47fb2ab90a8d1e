// A championship as a line of a list: in the lobby, and among all of them.

import { link } from '../app';
import type { CupRow } from '../cups';
import { words } from '../strings';
import { h, type Child } from '../vdom';

/** With the title of its game, and more about it where there is room. */
export function cupRow(cup: CupRow, title: string, about = ''): Child {
  const { cups } = words;
  return h(
    'li',
    { key: cup.name },
    link(
      `/c/${encodeURIComponent(cup.name)}`,
      { class: 'table-row' },
      h('span', { class: 'row-game' }, cup.name, h('small', null, ` ${title}`)),
      h('span', { class: 'row-seats' }, cups.entrants(cup.entered), about !== '' && h('small', null, about)),
      h('span', { class: 'row-end' }, h('span', { class: 'go' }, cups.states[cup.state] ?? cup.state)),
    ),
  );
}
