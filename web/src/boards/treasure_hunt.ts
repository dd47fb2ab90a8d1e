// Treasure Hunt as a map: terrain for everybody, fog over what this seat has not uncovered, forts, treasures and avatars, and the
// effort that a step has taken so far.

import { redraw } from '../app';
import { boardWords } from '../board_strings';
import { h, type Child, type VNode } from '../vdom';
import {
  isPoint,
  listOf,
  numberOf,
  picture,
  seatClass,
  seatShape,
  svgText,
  target,
  textOf,
  viewOf,
  type Board,
  type Scene,
} from './board';

type Point = [number, number];

const UNIT = 44;
const EDGE = 8;
const OFFSETS: Record<string, Point> = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

const WIDE_FIELDS = 20; // of halves that lie side by side
const isNarrow = window.matchMedia('(max-width: 640px)');
isNarrow.addEventListener('change', redraw);

/** Whether fields are too small for a finger: then the map can be scrolled, and moves stand in the list, too. */
function isTooSmall(scene: Scene): boolean {
  return isNarrow.matches && textOf(listOf(scene.view['map'])[0]).length >= WIDE_FIELDS;
}

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

function field(letter: string, x: number, y: number, isSeen: boolean): VNode {
  const terrain = TERRAIN[letter] ?? TERRAIN['?']!;
  return h(
    'g',
    {
      key: `f${x},${y}`,
      class: `field ${terrain.name}`,
      transform: `translate(${EDGE + x * UNIT} ${EDGE + y * UNIT})`,
    },
    h('rect', { class: 'ground', width: UNIT, height: UNIT }),
    terrain.draw(x, y),
    !isSeen && h('rect', { class: 'fog', width: UNIT, height: UNIT }),
  );
}

function at([x, y]: Point, dx = UNIT / 2, dy = UNIT / 2): string {
  return `translate(${EDGE + x * UNIT + dx} ${EDGE + y * UNIT + dy})`;
}

function fort(place: Point, seat: number): Child {
  return h(
    'g',
    { key: `fort${seat}`, class: `fort ${seatClass(seat)}`, transform: at(place) },
    h('path', { class: 'walls', d: 'M-15 15V-8h6v5h6v-5h6v5h6v-5h6V15Z' }),
    h('path', { class: 'gate', d: 'M-4 15v-8a4 4 0 0 1 8 0v8Z' }),
    h('path', { class: 'flag', d: 'M0 -8V-20l10 4 -10 4' }),
  );
}

function treasure(place: Point, seat: number, isCollected: boolean): Child {
  return h(
    'g',
    {
      key: `treasure${seat}`,
      class: `treasure ${seatClass(seat)} ${isCollected ? 'taken' : ''}`,
      transform: at(place),
    },
    h('path', { class: 'chest', d: 'M-12 -2a12 9 0 0 1 24 0V11h-24Z' }),
    h('path', { class: 'band', d: 'M-12 -1H12M0 -2v6' }),
  );
}

function avatar(place: Point, seat: number, isTold: boolean, shift: number): Child {
  const [x, y] = place;
  const left = EDGE + x * UNIT + UNIT / 2 + shift;
  const top = EDGE + y * UNIT + UNIT / 2;
  return h(
    'g',
    {
      key: `avatar${seat}`,
      class: `avatar ${seatClass(seat)} ${isTold ? 'told' : ''}`,
      style: { transform: `translate(${left}px, ${top}px)` },
    },
    h('path', { class: 'body', d: 'M-9 14c0 -12 4 -14 9 -14s9 2 9 14Z' }),
    h('circle', { class: 'body', cy: -6, r: 6.5 }),
    h('g', { transform: 'translate(0 8)' }, seatShape(seat, 8)),
    isTold && svgText(11, -11, '?', { class: 'rumour' }),
  );
}

function seatAt(scene: Scene, seat: number): Record<string, unknown> {
  return viewOf(listOf(scene.view['seats'])[seat]);
}

/** Where an avatar is, as far as it is known: the truth, or what this viewer was told. */
function whereabouts(scene: Scene, seat: number): { place: Point; isTold: boolean } | null {
  const position = seatAt(scene, seat)['position'];
  const told = scene.me === null || scene.me === seat ? null : seatAt(scene, scene.me)['told'];
  if (isPoint(told)) return { place: told, isTold: true };
  return isPoint(position) ? { place: position, isTold: false } : null;
}

function pieces(scene: Scene): Child {
  const out: Child[] = [];
  const seats = [0, 1];
  for (const seat of seats) {
    const own = seatAt(scene, seat);
    if (isPoint(own['fort'])) out.push(fort(own['fort'], seat));
    if (isPoint(own['treasure'])) out.push(treasure(own['treasure'], seat, own['collected'] === true));
  }
  const found = seats.map((seat) => whereabouts(scene, seat));
  const meet = String(found[0]?.place) === String(found[1]?.place);
  for (const seat of seats) {
    const known = found[seat];
    if (known) out.push(avatar(known.place, seat, known.isTold, meet ? (seat === 0 ? -8 : 8) : 0));
  }
  return out;
}

function ways(scene: Scene): Child {
  const me = scene.me;
  if (me === null) return null;
  const own = seatAt(scene, me);
  const position = own['position'];
  if (!isPoint(position)) return null;
  return scene.legal.map((text) => {
    const offset = OFFSETS[text];
    if (offset === undefined) return null;
    const to: Point = [position[0] + offset[0], position[1] + offset[1]];
    const isBegun = own['direction'] === text;
    const done = isBegun ? numberOf(own['progress']) : 0;
    const label = boardWords.hunt.go(text, done);
    const turn = { up: 0, right: 90, down: 180, left: 270 }[text] ?? 0;
    return target(
      scene,
      [text],
      label,
      { key: `go-${text}`, class: `way ${isBegun ? 'begun' : ''}`, transform: at(to) },
      h('title', null, label),
      h('rect', { class: 'hit', x: -UNIT / 2, y: -UNIT / 2, width: UNIT, height: UNIT }),
      h('rect', {
        class: 'glow',
        x: -UNIT / 2 + 2,
        y: -UNIT / 2 + 2,
        width: UNIT - 4,
        height: UNIT - 4,
        rx: 6,
      }),
      h('path', { class: 'arrow', transform: `rotate(${turn})`, d: 'M0 -9L8 3H3V10H-3V3H-8Z' }),
      done > 0 && svgText(13, -13, done, { class: 'effort' }),
    );
  });
}

/** The map, or what is there before both halves are. */
function map(scene: Scene): { rows: string[]; width: number; height: number } {
  const rows = listOf(scene.view['map']).map(textOf);
  return { rows, width: rows[0]?.length ?? 10, height: rows.length || 10 };
}

function fields(scene: Scene, rows: string[]): Child {
  const seen = new Set<string>();
  const eyes = scene.me === null ? [0, 1] : [scene.me];
  for (const seat of eyes) for (const place of listOf(seatAt(scene, seat)['seen'])) seen.add(String(place));
  const isOver = scene.view['phase'] === 'over';
  return rows.flatMap((row, y) =>
    [...row].map((letter, x) => field(letter, x, y, isOver || seen.has(`${x},${y}`))),
  );
}

/** The border between the halves, and whose they are. */
function halves(scene: Scene, width: number, height: number): Child {
  const origin = scene.view['origin'];
  if (typeof origin !== 'number') return null;
  const isStacked = scene.view['shape'] === 'stacked';
  const w = width * UNIT;
  const half = isStacked ? (height * UNIT) / 2 : w / 2;
  const label = (seat: number, isFirst: boolean) =>
    svgText(
      EDGE + (isStacked ? w / 2 : isFirst ? half / 2 : half * 1.5),
      EDGE + (isStacked && !isFirst ? half : 0) + 9,
      boardWords.hunt.halfOf(scene.names[seat] ?? '', seat === scene.me),
      {
        class: `half-label ${seatClass(seat)}`,
      },
    );
  return [
    h('path', {
      class: 'divide',
      d: isStacked ? `M${EDGE} ${EDGE + half}h${w}` : `M${EDGE + half} ${EDGE}v${height * UNIT}`,
    }),
    label(origin, true),
    label(1 - origin, false),
  ];
}

/** A half map from the text of its action, small. */
function halfMap(scene: Scene, text: string): Child {
  const [, rows = '', place = ''] = text.split(' ');
  const [x, y] = place.split(',').map(Number);
  return h(
    'button',
    { class: 'half', onclick: () => scene.act(text), 'aria-label': boardWords.hunt.half },
    h(
      'svg',
      { viewBox: `0 0 ${10 * UNIT + 2 * EDGE} ${5 * UNIT + 2 * EDGE}`, class: 'picture hunt' },
      rows.split('/').map((row, fy) => [...row].map((letter, fx) => field(letter, fx, fy, true))),
      x !== undefined && y !== undefined && fort([x, y], scene.me ?? 0),
    ),
  );
}

export const treasureHunt: Board = {
  draw(scene) {
    const { rows, width, height } = map(scene);
    const samples =
      scene.legal.length === 0 && scene.me !== null && scene.table.turn.includes(scene.me)
        ? scene.table.legal_samples
        : [];
    return [
      samples.some((text) => text.startsWith('half ')) &&
        h(
          'div',
          { class: 'halves' },
          samples.filter((text) => text.startsWith('half ')).map((text) => halfMap(scene, text)),
        ),
      h(
        'div',
        { class: isTooSmall(scene) ? 'scroller wide-map' : '' },
        picture(
          'hunt',
          width * UNIT + 2 * EDGE,
          height * UNIT + 2 * EDGE,
          h('title', null, boardWords.hunt.board),
          h('rect', {
            class: 'frame',
            width: width * UNIT + 2 * EDGE,
            height: height * UNIT + 2 * EDGE,
            rx: 10,
          }),
          fields(scene, rows),
          halves(scene, width, height),
          pieces(scene),
          ways(scene),
        ),
      ),
      h(
        'ul',
        { class: 'facts' },
        [0, 1].map((seat) =>
          h(
            'li',
            { key: `fact${seat}` },
            h('svg', { viewBox: '-8 -8 16 16', class: 'dotmark' }, seatShape(seat, 12)),
            boardWords.hunt.status(
              scene.names[seat] ?? '',
              seatAt(scene, seat)['collected'] === true,
              numberOf(seatAt(scene, seat)['actions']),
            ),
          ),
        ),
        h(
          'li',
          null,
          boardWords.hunt.left(numberOf(scene.view['actions']), numberOf(scene.view['actions-max'])),
        ),
      ),
    ];
  },
  words(text) {
    const [word = ''] = text.split(' ');
    if (word in OFFSETS) return boardWords.hunt.moves[word] ?? text;
    if (word === 'half') return boardWords.hunt.half;
    if (word === 'hide') return boardWords.hunt.hidden;
    if (word === 'fake') return boardWords.hunt.faked;
    if (word === 'join') return boardWords.hunt.joined;
    if (text === 'enter seed') return boardWords.hunt.enterSeed;
    if (text === 'enter course') return boardWords.hunt.enterCourse;
    return text.includes('?') ? boardWords.hunt.secret : text;
  },
  hint(scene) {
    if (scene.me === null || scene.legal.length === 0) return '';
    const own = seatAt(scene, scene.me);
    if (!isPoint(own['position'])) return '';
    const other = seatAt(scene, 1 - scene.me);
    if (own['collected'] !== true) return boardWords.hunt.findTreasure;
    return isPoint(other['fort']) ? boardWords.hunt.reachFort : boardWords.hunt.findFort;
  },
  covers(text, scene) {
    return text in OFFSETS && !isTooSmall(scene);
  },
};
