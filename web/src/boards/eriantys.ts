// Eriantys: the ring of islands with Mother Nature, clouds in its middle, a school board for each player, assistants and
// characters. A student of the entrance is chosen first, then where it goes; everything else is one click.

import { boardWords } from '../strings';
import { h, type Child } from '../vdom';
import {
  listOf,
  newsOf,
  numberOf,
  picture,
  place,
  seatShape,
  svgText,
  target,
  textOf,
  viewOf,
  whoOf,
  type Board,
  type Scene,
} from './board';
import {
  COLORS,
  countsOf,
  listed,
  motherNature,
  professor,
  student,
  sumOf,
  tokens,
  tower,
  type Color,
  type Counts,
} from './eriantys_pieces';
import { drawer, isPhone, tabbed } from './tabs';

const say = boardWords.eriantys;
const ISLANDS = 12;
const SEATS_A_TABLE = 10;

/** Where things are in the picture of a school. */
interface Plan {
  width: number;
  height: number;
  entrance(index: number, count: number): [x: number, y: number];
  reach: number; // of a finger around a student of the entrance
  table(row: number): number;
  row: number; // the height of a table
  bench: number; // where the first student of a table sits
  step: number; // from one student of a table to the next
  professor: number;
  tower(index: number): [x: number, y: number];
  walls: string;
}

const BESIDE: Plan = {
  width: 486,
  height: 192,
  entrance: (index) => [24 + (index % 2) * 36, 22 + Math.floor(index / 2) * 36],
  reach: 17.9,
  table: (row) => 22 + row * 36,
  row: 35.4,
  bench: 106,
  step: 26,
  professor: 374,
  tower: (index) => [422 + (index % 2) * 34, 30 + Math.floor(index / 2) * 44],
  walls: 'M82 8V184M394 8V184',
};

/** On a phone the entrance is above the tables, so that everything is large enough for a finger. */
const BELOW: Plan = {
  width: 360,
  height: 286,
  entrance: (index, count) => [180 + (index - (count - 1) / 2) * Math.min(46, 356 / count), 28],
  reach: 22,
  table: (row) => 80 + row * 45,
  row: 44,
  bench: 24,
  step: 23.5,
  professor: 264,
  tower: (index) => [308 + (index % 2) * 34, 88 + Math.floor(index / 2) * 52],
  walls: 'M8 54H352M284 60V278',
};

interface Ring {
  width: number;
  height: number;
  rx: number;
  ry: number;
}

const WIDE: Ring = { width: 1000, height: 640, rx: 408, ry: 246 };
const TALL: Ring = { width: 640, height: 832, rx: 0, ry: 0 };
/** On a narrow screen the ring goes round a grid of three by five: columns and rows, clockwise from the top. */
const TALL_PLACES: [number, number][] = [
  [1, 0],
  [2, 0],
  [2, 1],
  [2, 2],
  [2, 3],
  [2, 4],
  [1, 4],
  [0, 4],
  [0, 3],
  [0, 2],
  [0, 1],
  [0, 0],
];

const colorOf = (word: string | undefined): Color | null => COLORS.find((color) => color === word) ?? null;

function angleOf(island: number): number {
  return (island / ISLANDS) * 2 * Math.PI - Math.PI / 2;
}

function pointAt(ring: Ring, island: number): [number, number] {
  const [column, row] = TALL_PLACES[island] ?? [1, 0];
  if (ring === TALL) return [105 + column * 215, 86 + row * 165];
  return [
    ring.width / 2 + ring.rx * Math.cos(angleOf(island)),
    ring.height / 2 + ring.ry * Math.sin(angleOf(island)),
  ];
}

/** What a click on an island does now, given what is selected. */
function islandActions(scene: Scene, id: number): string[] {
  const chosen = scene.ui['student'];
  const monk = scene.ui['monk'];
  return scene.legal.filter((text) => {
    const [verb, a, b, c] = text.split(' ');
    if (verb === 'student') return b === 'island' && a === chosen && Number(c) === id;
    if (verb === 'monk') return a === monk && Number(b) === id;
    if (chosen !== undefined || monk !== undefined) return false;
    return (verb === 'mother' || verb === 'herald' || verb === 'ban') && Number(a) === id;
  });
}

function land(ring: Ring, id: number, size: number): Child {
  const members = Array.from({ length: size }, (_, i) => pointAt(ring, (id + i) % ISLANDS));
  const bridge = members.map(([x, y]) => `${x} ${y}`).join('L');
  return [
    size > 1 && h('path', { class: 'bridge', d: `M${bridge}` }),
    members.map(([x, y], i) =>
      h('path', {
        class: 'land',
        key: `l${i}`,
        transform: `translate(${x} ${y})`,
        d: 'M-80 4C-82 -28 -44 -55 2 -53 52 -55 82 -30 80 2 82 34 46 55 -2 53 -48 55 -80 32 -80 4Z',
      }),
    ),
  ];
}

/** The island of a group that carries its students and Mother Nature. */
function heart(group: Record<string, unknown>): number {
  return (numberOf(group['id']) + Math.floor((numberOf(group['size'], 1) - 1) / 2)) % ISLANDS;
}

function towers(ring: Ring, id: number, size: number, color: string): Child {
  return Array.from({ length: size }, (_, i) => {
    const [x, y] = pointAt(ring, (id + i) % ISLANDS);
    return tower(color, x - 46, y - 34, 34);
  });
}

const TOKENS_PER_ROW = 3; // of students on an island

function hasTwoRows(counts: Counts): boolean {
  return COLORS.filter((color) => counts[color] > 0).length > TOKENS_PER_ROW;
}

/** What an island, with all that has joined it, had before the others' last turn; null when nothing is to be marked. */
function islandBefore(scene: Scene, id: number, size: number): { students: Counts; towers: number } | null {
  if (scene.before === null) return null;
  const students = countsOf({});
  let towers = 0;
  for (const group of listOf(scene.before['islands']).map(viewOf)) {
    if ((numberOf(group['id']) - id + ISLANDS) % ISLANDS >= size) continue;
    const counts = countsOf(group['students']);
    for (const color of COLORS) students[color] += counts[color];
    if (typeof group['tower'] === 'string') towers += numberOf(group['size'], 1);
  }
  return { students, towers };
}

/** Where Mother Nature came from in the last turn. */
function motherTrace(scene: Scene, ring: Ring, home: Record<string, unknown>): Child {
  const was = listOf(scene.before?.['islands']).map(viewOf).find((group) => group['mother'] === true);
  if (was === undefined || was['id'] === home['id']) return null;
  const [x, y] = pointAt(ring, heart(was));
  return h('ellipse', { class: 'trace from', 'data-mark': 'from', key: 'mother-from', cx: x, cy: y, rx: 78, ry: 50 });
}

function island(scene: Scene, ring: Ring, group: Record<string, unknown>): Child {
  const id = numberOf(group['id']);
  const size = numberOf(group['size'], 1);
  const [x, y] = pointAt(ring, heart(group));
  const counts = countsOf(group['students']);
  const color = textOf(group['tower']);
  const bans = numberOf(group['bans']);
  const isFull = hasTwoRows(counts);
  const before = islandBefore(scene, id, size);
  const fresh = before === null ? [] : COLORS.filter((c) => counts[c] > before.students[c]);
  const isBuilt = before !== null && (color === '' ? 0 : size) !== before.towers;
  const [tx, ty] = pointAt(ring, id);
  const inside = [
    land(ring, id, size),
    color !== '' && towers(ring, id, size, color),
    isBuilt && h('circle', { class: 'trace built', 'data-mark': 'built', cx: tx - 46, cy: ty - 32, r: 28 }),
    bans > 0 &&
      h(
        'g',
        { class: 'ban', transform: `translate(${x + 56} ${y - 30})` },
        h('circle', { r: 13 }),
        h('path', { d: 'M-7 -7L7 7M7 -7L-7 7' }),
      ),
    svgText(x, y + (isFull ? 50 : 39), id + 1, { class: 'island-number' }),
    tokens(counts, x, y - (isFull ? 24 : 4), 16, TOKENS_PER_ROW, fresh),
  ];
  const label = say.island(
    id,
    size,
    color,
    COLORS.map((c) => [c, counts[c]]),
    group['mother'] === true,
  );
  const actions = islandActions(scene, id);
  const props = { key: `i${id}`, class: 'island', 'data-island': id };
  if (actions.length === 0) return h('g', props, h('title', null, label), inside);
  const words = actions.map((text) => eriantys.words(text, scene)).join(' / ');
  return target(
    scene,
    actions,
    `${words}. ${label}`,
    props,
    h('title', null, words),
    inside,
    h('ellipse', { class: 'aim', cx: x, cy: y, rx: 84, ry: 58 }),
  );
}

function cloud(scene: Scene, ring: Ring, value: unknown, index: number, count: number): Child {
  const isTall = ring === TALL;
  const x = ring.width / 2 + (isTall ? 0 : (index - (count - 1) / 2) * 148);
  const y = ring.height / 2 + (isTall ? (index - (count - 1) / 2) * 94 : 0);
  const counts = countsOf(value);
  const action = scene.legal.filter((text) => text === `cloud ${index}`);
  const inside: Child[] = [
    h('path', {
      class: 'puff',
      transform: `translate(${x} ${y})`,
      d: 'M-50 28a24 24 0 0 1 -4 -46 28 28 0 0 1 50 -14 26 26 0 0 1 44 15 23 23 0 0 1 6 45Z',
    }),
    listed(counts).map((color, i, all) => student(color, x - 3 + (i - (all.length - 1) / 2) * 28, y + 4, 13)),
  ];
  const had = sumOf(countsOf(listOf(scene.before?.['clouds'])[index]));
  const isTaken = newsOf(scene).some(({ words: [verb, which] }) => verb === 'cloud' && Number(which) === index);
  if (isTaken || (had > 0 && sumOf(counts) === 0 && scene.before !== null))
    inside.push(h('ellipse', { class: 'trace', 'data-mark': 'taken', cx: x - 3, cy: y - 2, rx: 68, ry: 42 }));
  const label = say.cloud(
    index + 1,
    COLORS.map((c) => [c, counts[c]]),
  );
  const props = { key: `cloud${index}`, class: 'cloud' };
  if (action.length === 0) return h('g', props, h('title', null, label), inside);
  return target(
    scene,
    action,
    `${say.takeCloud(index + 1)}. ${label}`,
    props,
    h('title', null, label),
    inside,
    h('ellipse', { class: 'aim', cx: x, cy: y, rx: 74, ry: 48 }),
  );
}

function archipelago(scene: Scene): Child {
  const ring = isPhone() ? TALL : WIDE;
  const groups = listOf(scene.view['islands']).map(viewOf);
  const home = groups.find((group) => group['mother'] === true);
  const clouds = listOf(scene.view['clouds']);
  const [mx, my] = home === undefined ? [0, 0] : pointAt(ring, heart(home));
  const bag = sumOf(countsOf(scene.view['bag']));
  return picture(
    'archipelago',
    ring.width,
    ring.height,
    h('rect', { class: 'sea', width: ring.width, height: ring.height, rx: 18 }),
    groups.map((group) => island(scene, ring, group)),
    clouds.map((value, index) => cloud(scene, ring, value, index, clouds.length)),
    home !== undefined && motherTrace(scene, ring, home),
    home !== undefined && motherNature(mx + (hasTwoRows(countsOf(home['students'])) ? 52 : 2), my - 40),
    svgText(
      ring.width / 2,
      ring.height / 2 - (isPhone() ? 44 + clouds.length * 47 : 92),
      say.round(numberOf(scene.view['round']) + 1, scene.view['last-round'] === true),
      { class: 'round' },
    ),
    svgText(
      ring.width / 2,
      ring.height / 2 + (isPhone() ? 36 + clouds.length * 47 : 80),
      say.bag(bag),
      { class: 'bag' },
    ),
  );
}

function entrance(scene: Scene, seat: number, own: Record<string, unknown>, plan: Plan): Child {
  const movable = new Set(
    scene.me === seat
      ? scene.legal.flatMap((text) => (text.startsWith('student ') ? [text.split(' ')[1]] : []))
      : [],
  );
  return listed(countsOf(own['entrance'])).map((color, i, all) => {
    const [x, y] = plan.entrance(i, all.length);
    const drawing = student(color, x, y, 0.76 * plan.reach);
    if (!movable.has(color)) return h('g', { key: `e${i}` }, drawing);
    const isChosen = scene.ui['student'] === color && scene.ui['entrance'] === i;
    return place(
      say.chooseStudent(color, isChosen),
      () => scene.select({ student: isChosen ? undefined : color, entrance: i, monk: undefined }),
      { key: `e${i}`, class: isChosen ? 'chosen' : '', 'data-student': color },
      h('circle', { class: 'aim', cx: x, cy: y, r: plan.reach }),
      drawing,
    );
  });
}

/** On a phone: the students of the own entrance above the islands, so that nobody has to go from tab to tab to move one. */
function entranceStrip(scene: Scene): Child {
  if (scene.me === null || !scene.legal.some((text) => text.startsWith('student '))) return null;
  return h(
    'svg',
    { viewBox: `0 0 ${BELOW.width} 54`, class: 'picture board-school strip', role: 'group', key: 'strip' },
    entrance(scene, scene.me, viewOf(listOf(scene.view['seats'])[scene.me]), BELOW),
  );
}

/** A table of the dining room: its students, free places and the professor; what has just come is marked. */
function bench(scene: Scene, seat: number, own: Record<string, unknown>, plan: Plan, color: Color, y: number): Child {
  const count = countsOf(own['dining'])[color];
  const was = scene.before === null ? count : countsOf(viewOf(listOf(scene.before['seats'])[seat])['dining'])[color];
  const holder = viewOf(scene.view['professors'])[color];
  const held = viewOf((scene.before ?? scene.view)['professors'])[color];
  const { bench: left, step, professor: right } = plan;
  return [
    h('rect', { class: `bench c-${color}`, x: left - 14, y: y - 15, width: 10 * step + 2, height: 30, rx: 15 }),
    Array.from({ length: SEATS_A_TABLE }, (_, i) =>
      i < count
        ? [
            student(color, left + i * step, y, 10),
            i >= was && h('circle', { class: 'trace', 'data-mark': 'to', cx: left + i * step, cy: y, r: 12 }),
          ]
        : h('circle', {
            class: (i + 1) % 3 === 0 && scene.view['mode'] === 'expert' ? 'free coin' : 'free',
            cx: left + i * step,
            cy: y,
            r: 6,
          }),
    ),
    professor(color, right, y, 12, holder === seat),
    holder === seat && held !== seat && h('circle', { class: 'trace', 'data-mark': 'taken', cx: right, cy: y, r: 14 }),
  ];
}

function dining(scene: Scene, seat: number, own: Record<string, unknown>, plan: Plan): Child {
  const counts = countsOf(own['dining']);
  const professors = viewOf(scene.view['professors']);
  return COLORS.map((color, row) => {
    const y = plan.table(row);
    // Once a student is chosen only the table of its colour can follow.
    const chosen = scene.ui['monk'] !== undefined ? '' : (scene.ui['student'] ?? color);
    const isOpen = scene.me === seat && chosen === color;
    const action = isOpen ? scene.legal.filter((text) => text === `student ${color} dining`) : [];
    const inside = bench(scene, seat, own, plan, color, y);
    const label = say.dining(color, counts[color], professors[color] === seat);
    if (action.length === 0) return h('g', { key: `d${color}` }, h('title', null, label), inside);
    return target(
      scene,
      action,
      `${eriantys.words(action[0] ?? '', scene)}. ${label}`,
      { key: `d${color}`, class: 'row' },
      h('title', null, label),
      inside,
      h('rect', { class: 'aim', x: plan.bench - 16, y: y - plan.row / 2, width: 10 * plan.step + 6, height: plan.row, rx: 16 }),
    );
  });
}

/** The seat that shares the towers, -1 where everybody plays alone. */
function partnerOf(scene: Scene, seat: number): number {
  const teams = listOf(scene.view['seats']).map((value) => numberOf(viewOf(value)['team']));
  return teams.findIndex((team, other) => other !== seat && team === teams[seat]);
}

/** Whose school it is, and what is told of its player. */
function schoolLine(scene: Scene, seat: number, own: Record<string, unknown>): Child {
  const assistant = own['assistant'];
  const isNews = newsOf(scene).some((one) => one.seat === seat && one.words[0] === 'assistant');
  const partnerSeat = partnerOf(scene, seat);
  const partner = scene.names[partnerSeat];
  return [
    h('svg', { class: 'dotmark', viewBox: '-8 -8 16 16' }, seatShape(seat, 14)),
    h('strong', null, scene.names[seat] ?? ''),
    partner !== undefined && h('span', { class: 'quiet' }, say.partner(partner, scene.me === partnerSeat)),
    typeof assistant === 'number' &&
      h('span', { class: `played ${isNews ? 'news' : ''}`, title: say.assistant(assistant) }, say.playedAssistant(assistant)),
    scene.view['mode'] === 'expert' && h('span', { class: 'coins' }, say.coins(numberOf(own['coins']))),
    h('span', { class: 'left' }, say.handLeft(listOf(own['hand']).length)),
  ];
}

function schoolPicture(scene: Scene, seat: number, own: Record<string, unknown>): Child {
  const plan = isPhone() && scene.me === seat ? BELOW : BESIDE;
  return h(
    'svg',
    { viewBox: `0 0 ${plan.width} ${plan.height}`, class: 'picture board-school', role: 'group' },
    h('rect', { class: 'wood', x: 2, y: 2, width: plan.width - 4, height: plan.height - 4, rx: 12 }),
    h('path', { class: 'wall', d: plan.walls }),
    entrance(scene, seat, own, plan),
    dining(scene, seat, own, plan),
    Array.from({ length: numberOf(own['towers']) }, (_, i) => tower(textOf(own['tower']), ...plan.tower(i), 26)),
  );
}

/** The school of a player; those of others are drawers. */
function school(scene: Scene, seat: number, isOpen: boolean): Child {
  const own = viewOf(listOf(scene.view['seats'])[seat]);
  const name = say.school(scene.names[seat] ?? '');
  const [line, drawing] = [schoolLine(scene, seat, own), schoolPicture(scene, seat, own)];
  if (scene.me !== seat) return h('div', { class: 'school', key: `school${seat}` }, drawer('drawer', name, isOpen, line, drawing));
  return h('section', { class: 'school own', key: `school${seat}`, 'aria-label': name }, h('header', null, line), drawing);
}

function assistants(scene: Scene): Child {
  if (scene.me === null) return null;
  const hand = listOf(viewOf(listOf(scene.view['seats'])[scene.me])['hand']).map((value) => numberOf(value));
  const legal = new Set(scene.legal);
  if (!scene.legal.some((text) => text.startsWith('assistant '))) return null;
  return h(
    'div',
    { class: 'hand', role: 'group', 'aria-label': say.hand },
    hand.map((value) => {
      const text = `assistant ${value}`;
      const isOpen = legal.has(text);
      return h(
        'button',
        {
          key: value,
          class: 'assistant',
          disabled: !isOpen,
          'data-action': isOpen ? text : undefined,
          'aria-label': say.assistant(value),
          onclick: () => scene.act(text),
        },
        h('b', null, String(value)),
        h('small', null, '➤'.repeat(Math.ceil(value / 2))),
      );
    }),
  );
}

/** Colours as buttons, for characters that ask for one. */
function colorButtons(scene: Scene, verb: string, label: string): Child {
  const texts = scene.legal.filter(
    (text) => text.startsWith(`${verb} `) && colorOf(text.slice(verb.length + 1)) !== null,
  );
  if (texts.length === 0) return null;
  return h(
    'div',
    { class: 'colors' },
    h('span', null, label),
    texts.map((text) => {
      const color = colorOf(text.slice(verb.length + 1)) ?? 'BLUE';
      return h(
        'button',
        {
          key: text,
          'data-action': text,
          'aria-label': `${label} ${say.colors[color]}`,
          onclick: () => scene.act(text),
        },
        h('svg', { viewBox: '-12 -12 24 24' }, student(color, 0, 0, 11)),
      );
    }),
  );
}

function monkButtons(scene: Scene): Child {
  const colors = [
    ...new Set(
      scene.legal.filter((text) => text.startsWith('monk ')).map((text) => colorOf(text.split(' ')[1])),
    ),
  ];
  if (colors.length === 0) return null;
  return h(
    'div',
    { class: 'colors' },
    h('span', null, say.monkChoose),
    colors.map(
      (color) =>
        color !== null &&
        h(
          'button',
          {
            key: color,
            class: scene.ui['monk'] === color ? 'on' : '',
            'aria-pressed': scene.ui['monk'] === color ? 'true' : 'false',
            'aria-label': say.colors[color],
            onclick: () => scene.select({ monk: color, student: undefined }),
          },
          h('svg', { viewBox: '-12 -12 24 24' }, student(color, 0, 0, 11)),
        ),
    ),
  );
}

function character(scene: Scene, card: Record<string, unknown>): Child {
  const id = numberOf(card['id']);
  const info = say.characters[id];
  const pay = `pay ${id}`;
  const isActive = card['active'] === true;
  const counts = countsOf(card['students']);
  return h(
    'div',
    { class: `character ${isActive ? 'active' : ''}`, key: id },
    h(
      'header',
      null,
      h('strong', null, info?.title ?? textOf(card['name'])),
      h('span', { class: 'coins' }, say.coins(numberOf(card['cost']))),
    ),
    h('p', null, info?.text ?? ''),
    sumOf(counts) > 0 &&
      h(
        'svg',
        { class: 'on-card', viewBox: `0 0 ${sumOf(counts) * 26} 26` },
        listed(counts).map((color, i) => h('g', { 'data-tip': say.onCard(say.colors[color] ?? color, info?.title ?? '') }, student(color, 13 + i * 26, 13, 11))),
      ),
    card['bans'] !== undefined && h('p', { class: 'quiet' }, say.bansLeft(numberOf(card['bans']))),
    scene.legal.includes(pay) &&
      h(
        'button',
        { class: 'primary', 'data-action': pay, onclick: () => scene.act(pay) },
        say.pay(numberOf(card['cost'])),
      ),
    isActive && [
      monkButtons(scene),
      colorButtons(scene, 'ignore', say.ignoreChoose),
      colorButtons(scene, 'return', say.returnChoose),
      colorButtons(scene, 'princess', say.princessChoose),
      colorButtons(scene, 'swap in', say.swapIn),
      colorButtons(scene, 'swap out', say.swapOut),
    ],
  );
}

/** The characters of the variant for experts. */
function characters(scene: Scene): Child {
  const cards = listOf(scene.view['characters']).map(viewOf);
  if (cards.length === 0) return null;
  return h(
    'div',
    { class: 'characters', key: 'characters' },
    cards.map((card) => character(scene, card)),
  );
}

export const eriantys: Board = {
  draw(scene) {
    const { me } = scene;
    const count = listOf(scene.view['seats']).length;
    const order = Array.from({ length: count }, (_, i) => (i + (me ?? 0)) % count);
    const others = order.filter((seat) => seat !== me);
    const isOpen = me === null || others.length === 1;
    const mine = me === null ? null : school(scene, me, true);
    const rest = others.map((seat) => school(scene, seat, isOpen));
    if (isPhone())
      return tabbed(
        scene,
        [
          { key: 'mine', inside: [assistants(scene), mine] },
          { key: 'table', inside: [entranceStrip(scene), archipelago(scene), characters(scene)] },
          { key: 'others', inside: h('div', { class: 'schools' }, rest) },
        ],
        false,
      );
    return [
      assistants(scene),
      me !== null && h('div', { class: 'schools near', key: 'near' }, mine, h('div', { class: 'stack', key: 'others' }, rest)),
      archipelago(scene),
      characters(scene),
      me === null && h('div', { class: 'schools', key: 'far' }, rest),
    ];
  },
  words(text, scene) {
    const [verb = '', a = '', b = '', c = ''] = text.split(' ');
    const color = (word: string) => say.colors[word] ?? word.toLowerCase();
    switch (verb) {
      case 'assistant':
        return say.assistant(Number(a));
      case 'student':
        return b === 'dining' ? say.toDining(color(a)) : say.toIsland(color(a), Number(c));
      case 'mother':
        return say.moveMother(Number(a));
      case 'cloud':
        return say.takeCloud(Number(a) + 1);
      case 'pay':
        return say.pays(say.characters[Number(a)]?.title ?? a);
      case 'monk':
        return say.monk(color(a), Number(b));
      case 'herald':
        return say.herald(Number(a));
      case 'ban':
        return say.ban(Number(a));
      case 'ignore':
        return say.ignore(color(a));
      case 'return':
        return say.returns(color(a));
      case 'princess':
        return say.toDining(color(a));
      case 'swap':
        return a === 'in' ? say.swapsIn(color(b)) : say.swapsOut(color(b));
      case 'draw':
        return say.draws(a === 'entrance' ? (scene.names[Number(b)] ?? '') : '', a, c);
      case 'islands':
        return say.drawsIslands;
      case 'characters':
        return say.drawsCharacters([a, b, c].map((id) => say.characters[Number(id)]?.title ?? id));
      default:
        return text;
    }
  },
  ending({ view, names, me, winners }) {
    const by = textOf(view['by']);
    return say.ending(by, whoOf(names, me, winners), winners.length > 1 || winners[0] === me);
  },
  tally(view) {
    const seats = listOf(view['seats']).map(viewOf);
    const holders = Object.values(viewOf(view['professors'])).filter((seat) => typeof seat === 'number');
    const teamOf = (seat: unknown) => seats[numberOf(seat, -1)]?.['team'];
    return [
      { label: say.tally.professors, values: seats.map((own) => holders.filter((seat) => teamOf(seat) === own['team']).length) },
      { label: say.tally.towers, values: seats.map((own) => numberOf(own['towers'])) },
    ];
  },
  hint(scene) {
    if (scene.legal.length === 0) return '';
    if (scene.ui['student'] !== undefined) return say.hintWhere;
    const phase = textOf(scene.view['phase']);
    if (phase === 'students')
      return say.hintStudents(numberOf(scene.view['to-move']) - numberOf(scene.view['moved']));
    if (phase === 'mother') return say.hintMother(numberOf(scene.view['steps']));
    return say.hints[phase] ?? '';
  },
  covers(text, scene) {
    const [verb = ''] = text.split(' ');
    if (verb === 'assistant') return scene.me !== null;
    return [
      'student',
      'mother',
      'cloud',
      'pay',
      'monk',
      'herald',
      'ban',
      'ignore',
      'return',
      'princess',
      'swap',
    ].includes(verb);
  },
};
