// The terrain of Treasure Hunt and what stands on it, for the map and for the editor of half maps.

import { boardWords } from '../strings';
import { h, type Child, type VNode } from '../vdom';
import { seatClass, svgText } from './board';

export type Point = [number, number];

export const UNIT = 44; // the side of a field
export const EDGE = 8; // around the map

/** A number from the place of a field, so that the same field always looks the same. */
function grain(x: number, y: number, n: number): number {
  return ((x * 73 + y * 151 + n * 37) % 17) / 17;
}

function grass(x: number, y: number): Child {
  return [0, 1, 2].map((n) => {
    const gx = 8 + grain(x, y, n) * 28;
    const gy = 14 + grain(y, x, n + 3) * 22;
    return h('path', { class: 'tuft', d: `M${gx} ${gy}l2 -5 2 5m1 0 3 -4` });
  });
}

function mountain(x: number, y: number): Child {
  const peak = 18 + grain(x, y, 1) * 6;
  return [
    h('path', { class: 'peak', d: `M4 38L${peak} 8 ${peak + 8} 22 ${peak + 12} 17 41 38Z` }),
    h('path', { class: 'snow', d: `M${peak} 8l-5 9 4 -1 3 3 4 -3Z` }),
  ];
}

function water(x: number, y: number): Child {
  return [0, 1, 2].map((n) => {
    const wx = 3 + grain(x, y, n) * 12;
    const wy = 11 + n * 11;
    return h('path', { class: 'wave', d: `M${wx} ${wy}q5 -5 10 0t10 0` });
  });
}

const TERRAIN: Record<
  string,
  { name: 'grass' | 'mountain' | 'water' | 'unknown'; draw: (x: number, y: number) => Child }
> = {
  G: { name: 'grass', draw: grass },
  M: { name: 'mountain', draw: mountain },
  W: { name: 'water', draw: water },
  '?': { name: 'unknown', draw: () => svgText(22, 22, '?', { class: 'unknown-mark' }) },
};

export function field(letter: string, x: number, y: number, isSeen: boolean): VNode {
  const terrain = TERRAIN[letter] ?? TERRAIN['?']!;
  return h(
    'g',
    {
      key: `f${x},${y}`,
      class: `field ${terrain.name}`,
      'data-tip': boardWords.hunt.fields[terrain.name] + (isSeen ? '' : ` (${boardWords.hunt.unseen})`),
      transform: `translate(${EDGE + x * UNIT} ${EDGE + y * UNIT})`,
    },
    h('rect', { class: 'ground', width: UNIT, height: UNIT }),
    terrain.draw(x, y),
    !isSeen && h('rect', { class: 'fog', width: UNIT, height: UNIT }),
    !isSeen && h('rect', { class: 'hatch', width: UNIT, height: UNIT, fill: 'url(#hatch)' }),
  );
}

/** The hatching of fields that are not seen yet. */
export function fogPattern(): VNode {
  return h(
    'defs',
    null,
    h(
      'pattern',
      { id: 'hatch', width: 8, height: 8, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      h('path', { class: 'hatching', d: 'M0 0V8' }),
    ),
  );
}

export function at([x, y]: Point, dx = UNIT / 2, dy = UNIT / 2): string {
  return `translate(${EDGE + x * UNIT + dx} ${EDGE + y * UNIT + dy})`;
}

export function fort(place: Point, seat: number): Child {
  return h(
    'g',
    { key: `fort${seat}`, class: `fort ${seatClass(seat)}`, transform: at(place) },
    h('path', { class: 'walls', d: 'M-15 15V-8h6v5h6v-5h6v5h6v-5h6V15Z' }),
    h('path', { class: 'gate', d: 'M-4 15v-8a4 4 0 0 1 8 0v8Z' }),
    h('path', { class: 'flag', d: 'M0 -8V-20l10 4 -10 4' }),
  );
}
