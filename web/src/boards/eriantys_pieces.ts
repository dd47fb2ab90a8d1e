// The pieces of Eriantys: students with a colour and a sign each, professors, towers, Mother Nature.

import { boardWords } from '../strings';
import { h, type Child, type VNode } from '../vdom';
import { numberOf, svgText, viewOf } from './board';

export const COLORS = ['BLUE', 'FUCHSIA', 'GREEN', 'RED', 'YELLOW'] as const;
export type Color = (typeof COLORS)[number];

export type Counts = Record<Color, number>;

export function countsOf(value: unknown): Counts {
  const view = viewOf(value);
  return Object.fromEntries(COLORS.map((color) => [color, numberOf(view[color])])) as Counts;
}

export function sumOf(counts: Counts): number {
  return COLORS.reduce((sum, color) => sum + counts[color], 0);
}

/** Students one by one, by colour. */
export function listed(counts: Counts): Color[] {
  return COLORS.flatMap((color) => Array.from({ length: counts[color] }, () => color));
}

/** The sign of a colour, so that nobody must tell colours apart: drop, flower, leaf, diamond, star; 20 units wide. */
const SIGNS: Record<Color, string> = {
  BLUE: 'M0 -6C3 -2 5 0 5 2.500a5 5 0 0 1 -10 0C-5 0 -3 -2 0 -6Z',
  FUCHSIA:
    'M0 -6a3 3 0 0 1 3 3 3 3 0 0 1 3 3 3 3 0 0 1 -3 3 3 3 0 0 1 -3 3 3 3 0 0 1 -3 -3 3 3 0 0 1 -3 -3 3 3 0 0 1 3 -3 3 3 0 0 1 3 -3Z',
  GREEN: 'M-5 5C-6 -3 -1 -6 6 -6 6 1 3 6 -3 5Z',
  RED: 'M0 -6.500 5 0 0 6.500 -5 0Z',
  YELLOW: 'M0 -6.500 1.700 -2 6.200 -2 2.700 1 4 5.500 0 2.800 -4 5.500 -2.700 1 -6.200 -2 -1.700 -2Z',
};

export function student(color: Color, x: number, y: number, radius: number): VNode {
  return h(
    'g',
    { class: `student c-${color}`, transform: `translate(${x} ${y}) scale(${radius / 10})` },
    h('circle', { class: 'disc', r: 10 }),
    h('path', { class: 'glyph', d: SIGNS[color] }),
  );
}

export function professor(color: Color, x: number, y: number, radius: number, isHere: boolean): VNode {
  return h(
    'g',
    {
      class: `professor c-${color} ${isHere ? '' : 'absent'}`,
      'data-tip': boardWords.eriantys.professor(boardWords.eriantys.colors[color] ?? color, isHere),
      transform: `translate(${x} ${y}) scale(${radius / 10})`,
    },
    h('path', { class: 'disc', d: 'M0 -11 9.500 -5.500V5.500L0 11 -9.500 5.500V-5.500Z' }),
    h('path', { class: 'glyph', d: SIGNS[color] }),
  );
}

export function tower(color: string, x: number, y: number, size: number): VNode {
  return h(
    'g',
    { class: `tower t-${color}`, 'data-tip': boardWords.eriantys.tower, transform: `translate(${x} ${y}) scale(${size / 20})` },
    h('path', { d: 'M-8 12V-8h4v4h2v-4h4v4h2v-4h4V12Z' }),
  );
}

export function motherNature(x: number, y: number): VNode {
  return h(
    'g',
    { class: 'mother', key: 'mother', style: { transform: `translate(${x}px, ${y}px)` } },
    h('title', null, boardWords.eriantys.mother),
    h('path', { d: 'M-13 16C-12 -2 -6 -6 0 -6s12 4 13 22Z' }),
    h('circle', { cy: -13, r: 8 }),
    h('path', { class: 'crown', d: 'M-8 -19l3 3 5 -6 5 6 3 -3v6h-16Z' }),
  );
}

/** Students in few tokens: one of a colour with its number; those that have just come are marked. */
export function tokens(
  counts: Counts,
  x: number,
  y: number,
  radius: number,
  perRow: number,
  fresh: Color[] = [],
): Child {
  const present = COLORS.filter((color) => counts[color] > 0);
  const step = radius * 2 + 6;
  return present.map((color, i) => {
    const row = Math.floor(i / perRow);
    const inRow = Math.min(perRow, present.length - row * perRow);
    const cx = x + ((i % perRow) - (inRow - 1) / 2) * step;
    const cy = y + row * step;
    return h(
      'g',
      { key: color },
      student(color, cx, cy, radius),
      fresh.includes(color) && h('circle', { class: 'trace', 'data-mark': 'to', cx, cy, r: radius + 3 }),
      counts[color] > 1 && svgText(cx + radius * 0.85, cy + radius * 0.8, counts[color], { class: 'count' }),
    );
  });
}
