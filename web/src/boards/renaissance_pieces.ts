// The pieces of Masters of Renaissance: resources, marbles, development cards and leaders, as pictures of their own.

import { boardWords } from '../strings';
import { h, type Child, type VNode } from '../vdom';
import { numberOf, svgText, textOf, viewOf } from './board';

const say = boardWords.renaissance;

export const KINDS = ['coins', 'stones', 'servants', 'shields'] as const;
export type Kind = (typeof KINDS)[number];

/** 20 units wide: coin, stone, servant, shield, faith. */
const SHAPES: Record<string, Child> = {
  coins: [h('circle', { r: 9 }), h('circle', { class: 'inner', r: 5.5 })],
  stones: [
    h('path', { d: 'M-9 3L-6 -6 2 -8 8 -3 9 5 2 8 -6 8Z' }),
    h('path', { class: 'inner', d: 'M-6 -6L0 0 8 -3M0 0L2 8' }),
  ],
  servants: [h('circle', { cy: -4.5, r: 4.5 }), h('path', { d: 'M-8 9C-8 1 -4 1 0 1s8 0 8 8Z' })],
  shields: [
    h('path', { d: 'M-8 -8H8V0C8 5 4 8 0 10 -4 8 -8 5 -8 0Z' }),
    h('path', { class: 'inner', d: 'M0 -8V10M-8 -2H8' }),
  ],
  faith: [h('path', { d: 'M-2.500 -9h5v5h5v5h-5v8h-5v-8h-5v-5h5Z' })],
};

export function piece(kind: string, x: number, y: number, radius: number): VNode {
  return h(
    'g',
    { class: `piece k-${kind}`, transform: `translate(${x} ${y}) scale(${radius / 10})` },
    SHAPES[kind] ?? SHAPES['stones'],
  );
}

/** A resource within text, with its number. */
export function amount(kind: string, count: number): Child {
  return h(
    'span',
    { class: 'amount', role: 'img', 'aria-label': say.amount(kind, count) },
    count !== 1 && h('b', null, String(count)),
    h('svg', { viewBox: '-11 -11 22 22', 'aria-hidden': 'true' }, piece(kind, 0, 0, 10)),
  );
}

export function amounts(value: unknown): Child {
  const view = viewOf(value);
  return ['coins', 'stones', 'servants', 'shields', 'faith'].flatMap((kind) => {
    const count = numberOf(view[kind]);
    return count > 0 ? [amount(kind, count)] : [];
  });
}

export function amountWords(value: unknown): string {
  const view = viewOf(value);
  return Object.keys(view)
    .filter((kind) => numberOf(view[kind]) > 0)
    .map((kind) => say.amount(kind, numberOf(view[kind])))
    .join(', ');
}

export function marble(letter: string, x: number, y: number, radius: number): VNode {
  return h(
    'g',
    { class: `ball m-${letter}`, 'data-tip': say.marbleTip(say.marbles[letter] ?? letter, letter === 'W'), transform: `translate(${x} ${y}) scale(${radius / 10})` },
    h('circle', { class: 'glass', r: 10 }),
    h('path', { class: 'gleam', d: 'M-5 -4A6 6 0 0 1 0 -7' }),
    letter !== 'W' &&
      h('g', { class: 'marble-sign', transform: 'scale(0.55)' }, SHAPES[MARBLE_KINDS[letter] ?? '']),
  );
}

export const MARBLE_KINDS: Record<string, string> = {
  B: 'shields',
  G: 'stones',
  Y: 'coins',
  P: 'servants',
  R: 'faith',
};

function line(value: unknown, y: number, width: number): Child {
  const view = viewOf(value);
  const parts = [...KINDS, 'faith']
    .map((kind) => [kind, numberOf(view[kind])] as const)
    .filter(([, count]) => count > 0);
  const step = Math.min(38, (width - 10) / Math.max(1, parts.length));
  return parts.map(([kind, count], i) => {
    const x = width / 2 + (i - (parts.length - 1) / 2) * step;
    if (count === 1) return piece(kind, x, y, 9); // a piece without a number is one
    return [svgText(x - 9, y, count, { class: 'number' }), piece(kind, x + 7, y, 9)];
  });
}

/** A development card, 110 by 140. */
export function cardFace(id: string, details: Record<string, unknown>): Child {
  const colour = textOf(details['colour']);
  const level = numberOf(details['level']);
  const output = { ...viewOf(details['output']), faith: numberOf(details['faith']) };
  return [
    h('rect', { class: `card-face g-${colour}`, x: 2, y: 2, width: 106, height: 136, rx: 10 }),
    h('rect', { class: `card-band g-${colour}`, x: 2, y: 2, width: 106, height: 34, rx: 10 }),
    line(details['cost'], 19, 104),
    Array.from({ length: level }, (_, i) => h('circle', { class: 'pip', cx: 14 + i * 11, cy: 46, r: 4 })),
    h(
      'text',
      { class: 'colour-letter', x: 99, y: 47, 'text-anchor': 'end', 'dominant-baseline': 'central' },
      say.colourMarks[colour] ?? '',
    ),
    line(details['input'], 64, 106),
    h('path', { class: 'gives', d: 'M55 75v8m-5 -4l5 5 5 -5' }),
    line(output, 97, 106),
    h('path', { class: 'laurel', d: 'M36 124a19 12 0 0 0 38 0' }),
    svgText(55, 122, numberOf(details['points']), { class: 'points' }),
    h('title', null, cardWords(id, details)),
  ];
}

export function cardWords(id: string, details: Record<string, unknown>): string {
  return say.card(
    id,
    textOf(details['colour']),
    numberOf(details['level']),
    amountWords(details['cost']),
    amountWords(details['input']),
    amountWords({ ...viewOf(details['output']), faith: numberOf(details['faith']) }),
    numberOf(details['points']),
  );
}

/** A leader, as HTML: what it asks, what it does, its points. */
export function leaderFace(id: string, details: Record<string, unknown>): Child {
  if (id === '?' || details['ability'] === undefined) return [h('strong', null, say.hiddenLeader)];
  const kind = textOf(details['resource']);
  const cards = (value: unknown, level: string) =>
    Object.entries(viewOf(value)).map(([colour, count]) =>
      h('span', { class: `need g-${colour}` }, `${numberOf(count)} ${say.colours[colour] ?? colour}${level}`),
    );
  return [
    h('strong', null, say.abilities[textOf(details['ability'])] ?? '', ' ', amount(kind, 1)),
    h(
      'span',
      { class: 'does' },
      say.abilityTexts[textOf(details['ability'])]?.(say.kinds[kind] ?? kind) ?? '',
    ),
    h(
      'span',
      { class: 'asks' },
      say.asks,
      ' ',
      amounts(details['asks']),
      cards(details['asks-cards'], ''),
      cards(details['asks-cards-level-two'], say.levelTwo),
    ),
    h('b', { class: 'points' }, say.points(numberOf(details['points']))),
  ];
}
