// Small pictures that stand for actions and games; drawn here, 24 units wide, in the colour of the text.

import { h, type Child, type VNode } from './vdom';

const PATHS: Record<string, string> = {
  sun: 'M12 4V2M12 22v-2M4 12H2M22 12h-2M6 6 4.6 4.6M19.4 19.4 18 18M18 6l1.4-1.4M4.6 19.4 6 18M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z',
  moon: 'M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10Z',
  auto: 'M12 3a9 9 0 1 0 0 18ZM12 3a9 9 0 0 1 0 18',
  sound: 'M4 9v6h4l5 4V5L8 9ZM16 9a4 4 0 0 1 0 6M18.500 6.500a8 8 0 0 1 0 11',
  mute: 'M4 9v6h4l5 4V5L8 9ZM17 10l4 4M21 10l-4 4',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4ZM10 21h4',
  bellOff: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4ZM3 3l18 18',
  phone: 'M8 2h8v20H8ZM11 19h2',
  save: 'M12 3v12M7 10l5 5 5-5M4 20h16',
  first: 'M6 5v14M19 5 9 12l10 7Z',
  previous: 'M16 5 6 12l10 7Z',
  next: 'M8 5l10 7L8 19Z',
  last: 'M18 5v14M5 5l10 7L5 19Z',
  play: 'M7 4l13 8L7 20Z',
  pause: 'M7 5h3v14H7ZM14 5h3v14h-3Z',
  flag: 'M6 21V4M6 5c5-3 7 3 12 0v9c-5 3-7-3-12 0',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  plus: 'M12 5v14M5 12h14',
  undo: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 0 12',
  again: 'M20 12a8 8 0 1 1-2.500-5.800M20 3v5h-5',
  copy: 'M9 9h11v11H9ZM5 15H4V4h11v1',
  wire: 'M3 12h4l3-8 4 16 3-8h4',
  lock: 'M6 11h12v9H6ZM8 11V8a4 4 0 0 1 8 0v3',
  text: 'M4 6h16M4 11h16M4 16h10',
  help: 'M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 18v.1M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z',
};

export function icon(name: string): VNode {
  return h(
    'svg',
    { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    h('path', { d: PATHS[name] ?? '' }),
  );
}

/** The emblem of a game on its card in the lobby. */
export function emblem(game: string): VNode {
  const draw = EMBLEMS[game];
  return h(
    'svg',
    { class: `emblem emblem-${game}`, viewBox: '0 0 160 90', 'aria-hidden': 'true' },
    draw === undefined ? plainEmblem() : draw(),
  );
}

function plainEmblem(): Child {
  return [
    h('rect', { x: 50, y: 25, width: 40, height: 40, rx: 8, class: 'e-a' }),
    h('circle', { cx: 100, cy: 50, r: 18, class: 'e-b' }),
  ];
}

const EMBLEMS: Record<string, () => Child> = {
  'paper-soccer': () => [
    [20, 50, 80, 110, 140].map((x) => h('path', { class: 'e-thin', d: `M${x} 5V85` })),
    [15, 45, 75].map((y) => h('path', { class: 'e-thin', d: `M5 ${y}H155` })),
    h('path', { class: 'e-line seat-0', d: 'M20 75 50 45 80 45 80 15' }),
    h('path', { class: 'e-line seat-1', d: 'M80 15 110 45 110 75 140 45' }),
    h('circle', { class: 'e-ball', cx: 140, cy: 45, r: 9 }),
  ],
  'treasure-hunt': () => [
    h('path', { class: 'e-green', d: 'M0 60q40 -18 80 -4t80 -8V90H0Z' }),
    h('path', { class: 'e-stone', d: 'M18 62 50 16 66 42 76 30 104 62Z' }),
    h('path', { class: 'e-white', d: 'M50 16l-9 13 7 -2 6 5 5 -5Z' }),
    h('path', { class: 'e-dash', d: 'M30 76q22 -12 44 -4t46 -8' }),
    h('path', { class: 'e-line seat-1', d: 'M122 56l14 14M136 56l-14 14' }),
  ],
  santorini: () => [
    h('path', { class: 'e-green', d: 'M80 30 150 60 80 90 10 60Z' }),
    h('path', { class: 'e-stone', d: 'M52 48v14l28 12 28 -12V48Z' }),
    h('path', { class: 'e-white', d: 'M80 36 108 48 80 60 52 48Z' }),
    h('path', { class: 'e-stone', d: 'M61 36v12l19 8 19 -8V36Z' }),
    h('path', { class: 'e-white', d: 'M80 28 99 36 80 44 61 36Z' }),
    h('path', { class: 'e-dome', d: 'M66 34a14 16 0 0 1 28 0q-14 8 -28 0Z' }),
  ],
  eriantys: () => [
    [
      [40, 30],
      [80, 20],
      [120, 30],
      [40, 62],
      [80, 72],
      [120, 62],
    ].map(([x, y]) => h('ellipse', { class: 'e-green', cx: x, cy: y, rx: 17, ry: 11 })),
    h('circle', { class: 'seat-0 mark', cx: 36, cy: 28, r: 4 }),
    h('circle', { class: 'seat-1 mark', cx: 46, cy: 31, r: 4 }),
    h('circle', { class: 'seat-2 mark', cx: 120, cy: 28, r: 4 }),
    h('path', { class: 'e-dome', d: 'M74 74V58h3v4h2v-4h3v4h2v-4h3V74Z' }),
    h('path', { class: 'e-line seat-3', d: 'M80 25V12m-5 4h10' }),
  ],
  renaissance: () => [
    [0, 1, 2].map((y) =>
      [0, 1, 2, 3].map((x) =>
        h('circle', { class: `marble m${(x * 3 + y * 2) % 6}`, cx: 34 + x * 20, cy: 24 + y * 20, r: 8 }),
      ),
    ),
    h('path', { class: 'e-white', d: 'M116 20h28v50h-28Z' }),
    h('path', { class: 'e-line seat-1', d: 'M130 28v18M123 35h14' }),
    h('path', { class: 'e-thin', d: 'M121 54h18M121 60h18' }),
  ],
};
