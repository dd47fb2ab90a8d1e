// Santorini in isometric view: towers by their heights, builders on top of them, gods with their texts beside the board. Steps are
// offered where they lead: first the builder, unless only one can act, then the field.

import { boardWords } from '../strings';
import { h, type Child, type VNode } from '../vdom';
import {
  isPoint,
  listOf,
  numberOf,
  picture,
  place,
  seatClass,
  seatShape,
  svgText,
  target,
  textOf,
  viewOf,
  whoOf,
  type Board,
  type Scene,
} from './board';

const say = boardWords.santorini;
const SIDE = 5;
const HALF_WIDTH = 66; // of a field
const HALF_HEIGHT = 36;
const LEVEL_HEIGHTS = [0, 26, 24, 22]; // of the first, second and third block
const SHRINK = [1, 0.86, 0.72, 0.58]; // how wide a block is, by level
const WIDTH = 2 * SIDE * HALF_WIDTH + 40;
const TOP = 92; // room for a tower in the far corner
const HEIGHT = TOP + 2 * SIDE * HALF_HEIGHT + 60;

interface Step {
  text: string;
  verb: string;
  builder: number | null; // from 0
  cell: number | null;
}

function stepOf(text: string): Step {
  const [verb = '', ...args] = text.split(' ');
  const cellOf = (word: string | undefined) =>
    word !== undefined && /^[0-4][0-4]$/.test(word) ? Number(word[0]) * SIDE + Number(word[1]) : null;
  if (['move', 'build', 'dome', 'force'].includes(verb))
    return { text, verb, builder: Number(args[0]) - 1, cell: cellOf(args[1]) };
  if (['place', 'remove', 'borrow'].includes(verb))
    return { text, verb, builder: null, cell: cellOf(args[0]) };
  return { text, verb, builder: null, cell: null };
}

const centreX = (cell: number) => WIDTH / 2 + ((cell % SIDE) - Math.floor(cell / SIDE)) * HALF_WIDTH;
const centreY = (cell: number) => TOP + ((cell % SIDE) + Math.floor(cell / SIDE) + 1) * HALF_HEIGHT;

function heightOf(scene: Pick<Scene, 'view'>, cell: number): number {
  const row = textOf(listOf(scene.view['heights'])[Math.floor(cell / SIDE)]);
  return Number(row[cell % SIDE] ?? 0);
}

/** How far above the ground the top of so many blocks is. */
function rise(blocks: number): number {
  let sum = 0;
  for (let level = 1; level <= blocks; level++) sum += LEVEL_HEIGHTS[level] ?? 0;
  return sum;
}

function rhombus(scale: number, lift = 0): string {
  const w = HALF_WIDTH * scale;
  const t = HALF_HEIGHT * scale;
  return `M0 ${-t - lift}L${w} ${-lift} 0 ${t - lift} ${-w} ${-lift}Z`;
}

function block(level: number, isNew: boolean): Child {
  const scale = (SHRINK[level] ?? 0.5) * 0.94;
  const w = HALF_WIDTH * scale;
  const t = HALF_HEIGHT * scale;
  const base = rise(level - 1);
  const lift = rise(level);
  return h(
    'g',
    { class: `block level-${level} ${isNew ? 'fresh' : ''}`, key: `b${level}` },
    h('path', { class: 'left', d: `M${-w} ${-base}V${-lift}L0 ${t - lift}V${t - base}Z` }),
    h('path', { class: 'right', d: `M${w} ${-base}V${-lift}L0 ${t - lift}V${t - base}Z` }),
    h('path', { class: 'up', d: rhombus(scale, lift) }),
    level < 3 &&
      h('path', {
        class: 'window',
        d: `M${-w * 0.5} ${t * 0.5 - (base + lift) / 2 + 5}v-9M${w * 0.5} ${t * 0.5 - (base + lift) / 2 + 5}v-9`,
      }),
  );
}

function dome(blocks: number): Child {
  const lift = rise(blocks);
  const w = HALF_WIDTH * (SHRINK[Math.min(3, blocks + 1)] ?? 0.5) * 0.74;
  return h(
    'g',
    { class: 'dome', key: 'dome' },
    h('path', {
      class: 'shell',
      d: `M${-w} ${-lift}A${w} ${w * 1.15} 0 0 1 ${w} ${-lift}A${w} ${w * 0.52} 0 0 1 ${-w} ${-lift}Z`,
    }),
    h('path', {
      class: 'shine',
      d: `M${-w * 0.5} ${-lift - w * 0.45}q${w * 0.15} ${-w * 0.4} ${w * 0.5} ${-w * 0.45}`,
    }),
  );
}

function pawn(seat: number, number: number, lift: number): Child {
  return h(
    'g',
    {
      class: `pawn ${seatClass(seat)}`,
      transform: `translate(0 ${-lift})`,
      'data-slide': `pawn ${seat} ${number}`,
    },
    h('ellipse', { class: 'shadow', cx: 0, cy: 1, rx: 19, ry: 9 }),
    h('path', { class: 'body', d: 'M-15 0c0 -22 6 -26 8 -34h14c2 8 8 12 8 34a15 7 0 0 1 -30 0Z' }),
    h('circle', { class: 'body', cy: -40, r: 10 }),
    h('g', { transform: 'translate(0 -14)' }, h('g', { class: 'pawn-mark' }, seatShape(seat, 13))),
    number > 0 && svgText(0, -40, number, { class: 'pawn-number' }),
  );
}

function seatsOf(scene: Pick<Scene, 'view'>): Record<string, unknown>[] {
  return listOf(scene.view['seats']).map(viewOf);
}

interface Standing {
  seat: number;
  builder: number;
}

function standings(scene: Pick<Scene, 'view'>): Map<number, Standing> {
  const out = new Map<number, Standing>();
  seatsOf(scene).forEach((own, seat) =>
    listOf(own['builders']).forEach((at, builder) => {
      if (isPoint(at)) out.set(at[0] * SIDE + at[1], { seat, builder });
    }),
  );
  return out;
}

const isDomedAt = (scene: Pick<Scene, 'view'>, cell: number) =>
  listOf(scene.view['domes']).some((at) => isPoint(at) && at[0] * SIDE + at[1] === cell);

/** What has happened in a cell since the viewer's last step: somebody left it, came, or built there. */
function marksAt(scene: Scene, cell: number, standing: Standing | undefined): string[] {
  if (scene.before === null) return [];
  const before = { view: scene.before };
  const was = standings(before).get(cell);
  const isSame = was?.seat === standing?.seat && was?.builder === standing?.builder;
  const marks: string[] = [];
  if (was !== undefined && !isSame) marks.push('from');
  if (standing !== undefined && !isSame) marks.push('to');
  if (heightOf(before, cell) !== heightOf(scene, cell) || isDomedAt(before, cell) !== isDomedAt(scene, cell))
    marks.push('built');
  return marks;
}

function traces(marks: string[], lift: number): Child {
  return marks.map((mark) =>
    h('path', { class: `trace ${mark}`, 'data-mark': mark, d: rhombus(mark === 'built' ? 0.5 : 0.9, mark === 'built' ? lift : 0) }),
  );
}

/** The builder whose steps are shown: the selected one, or the only one that can act. */
function activeBuilder(scene: Scene, steps: Step[]): number | null {
  const able = [...new Set(steps.filter((step) => step.builder !== null).map((step) => step.builder))];
  const selected = scene.ui['builder'];
  if (typeof selected === 'number' && able.includes(selected)) return selected;
  return able.length === 1 ? (able[0] ?? null) : null;
}

/** The cell of a builder of the seat on turn; the third one is an opponent's who is led. */
function cellOfBuilder(scene: Scene, builder: number): number | null {
  const led = scene.view['led'];
  if (builder === 2) return isPoint(led) ? led[0] * SIDE + led[1] : null;
  const at = listOf(seatsOf(scene)[scene.me ?? -1]?.['builders'])[builder];
  return isPoint(at) ? at[0] * SIDE + at[1] : null;
}

/** What a click on a cell does: actions, or choosing the builder that stands there. */
function reachOf(
  scene: Scene,
  steps: Step[],
): { actions: Map<number, Step[]>; choices: Map<number, number> } {
  const active = activeBuilder(scene, steps);
  const actions = new Map<number, Step[]>();
  const choices = new Map<number, number>();
  for (const step of steps) {
    if (step.builder !== null && step.builder !== active) {
      const at = cellOfBuilder(scene, step.builder);
      if (at !== null) choices.set(at, step.builder);
    } else if (step.cell !== null) {
      actions.set(step.cell, [...(actions.get(step.cell) ?? []), step]);
    }
  }
  return { actions, choices };
}

function hintMark(verbs: string[], lift: number): Child {
  const scale = 0.62;
  const kind = verbs.length > 1 ? 'several' : (verbs[0] ?? '');
  return [
    h('path', { class: `aim aim-${kind}`, d: rhombus(scale, lift) }),
    kind === 'build' && h('path', { class: 'sign', d: `M-9 ${-lift - 2}h18M0 ${-lift - 11}v18` }),
    kind === 'dome' && h('path', { class: 'sign', d: `M-11 ${-lift + 3}a11 11 0 0 1 22 0Z` }),
    kind === 'several' && svgText(0, -lift, '…', { class: 'several-sign' }),
    (kind === 'move' || kind === 'place') && h('circle', { class: 'sign filled', cx: 0, cy: -lift, r: 6 }),
    (kind === 'remove' || kind === 'force' || kind === 'borrow') &&
      h('path', { class: 'sign', d: `M-8 ${-lift}h16` }),
  ];
}

function cellDrawing(
  scene: Scene,
  cell: number,
  standing: Standing | undefined,
  active: number | null,
): VNode {
  const blocks = heightOf(scene, cell);
  const isDomed = isDomedAt(scene, cell);
  const marks = marksAt(scene, cell, standing);
  const isChosen = standing !== undefined && active !== null && cellOfBuilder(scene, active) === cell;
  return h(
    'g',
    { class: `cell ${isChosen ? 'chosen' : ''}` },
    h('path', { class: `tile ${cell % 2 === 0 ? 'even' : 'odd'}`, d: rhombus(1) }),
    traces(marks.filter((mark) => mark !== 'built'), 0),
    Array.from({ length: blocks }, (_, i) => block(i + 1, marks.includes('built') && i + 1 === blocks && !isDomed)),
    isDomed && dome(blocks),
    traces(marks.filter((mark) => mark === 'built'), rise(blocks)),
    blocks > 0 &&
      !isDomed &&
      standing === undefined &&
      svgText(0, -rise(blocks), blocks, { class: 'height-number' }),
    isChosen && h('path', { class: 'halo', d: rhombus(0.66, rise(blocks)) }),
    standing !== undefined && pawn(standing.seat, standing.builder + 1, rise(blocks)),
  );
}

function cells(scene: Scene): Child {
  const steps = scene.legal.map(stepOf);
  const active = activeBuilder(scene, steps);
  const { actions, choices } = reachOf(scene, steps);
  const standing = standings(scene);
  const order = Array.from({ length: SIDE * SIDE }, (_, cell) => cell).sort(
    (a, b) => (a % SIDE) + Math.floor(a / SIDE) - ((b % SIDE) + Math.floor(b / SIDE)) || a - b,
  );
  return order.map((cell) => {
    const props = { key: `c${cell}`, transform: `translate(${centreX(cell)} ${centreY(cell)})` };
    const drawing = cellDrawing(scene, cell, standing.get(cell), active);
    const here = actions.get(cell) ?? [];
    const builder = choices.get(cell);
    const lift = rise(heightOf(scene, cell));
    if (here.length > 0) {
      const verbs = [...new Set(here.map((step) => step.verb))];
      const label = here.map((step) => santorini.words(step.text, scene)).join(' / ');
      return target(
        scene,
        here.map((step) => step.text),
        label,
        { ...props, class: 'aimed' },
        h('title', null, label),
        drawing,
        hintMark(verbs, lift),
      );
    }
    if (builder !== undefined)
      return place(
        say.chooseBuilder(builder + 1, say.cell(Math.floor(cell / SIDE) + 1, (cell % SIDE) + 1)),
        () => scene.select({ builder }),
        { ...props, class: 'choosable', 'data-builder': builder + 1 },
        drawing,
        h('path', { class: 'aim aim-choose', d: rhombus(0.66, lift) }),
      );
    const on = standing.get(cell);
    const who = on === undefined ? '' : say.builderOf(scene.names[on.seat] ?? '', on.builder + 1);
    const name = say.cell(Math.floor(cell / SIDE) + 1, (cell % SIDE) + 1);
    return h('g', { ...props, 'data-tip': say.field(name, heightOf(scene, cell), isDomedAt(scene, cell), who) }, drawing);
  });
}

/** Letters of the columns and numbers of the rows along the near edges, as the log speaks of them. */
function coordinates(): Child {
  const near = SIDE - 1;
  return Array.from({ length: SIDE }, (_, i) => [
    svgText(
      centreX(near * SIDE + i) - HALF_WIDTH / 2 - 9,
      centreY(near * SIDE + i) + HALF_HEIGHT / 2 + 25,
      say.columns[i] ?? '',
      { class: 'coordinate' },
    ),
    svgText(centreX(i * SIDE + near) + HALF_WIDTH / 2 + 9, centreY(i * SIDE + near) + HALF_HEIGHT / 2 + 25, i + 1, {
      class: 'coordinate',
    }),
  ]);
}

function godCard(scene: Scene, name: string, text: string, action: string | undefined, note: Child): Child {
  const inside = [h('strong', null, name), h('span', null, text), note];
  if (action === undefined) return h('div', { class: 'god', key: name }, inside);
  return h(
    'button',
    { class: 'god', key: name, 'data-action': action, onclick: () => scene.act(action) },
    inside,
  );
}

/** The gods to choose from, or those in play with their owners. */
function gods(scene: Scene): Child {
  const list = listOf(scene.view['gods']).map(viewOf);
  if (list.length === 0) return null;
  const seats = seatsOf(scene);
  const legal = new Set(scene.legal);
  return h(
    'div',
    { class: 'gods' },
    list.map((god) => {
      const name = textOf(god['name']);
      const owner = seats.findIndex((seat) => seat['god'] === name);
      const action = [`offer ${name}`, `take ${name}`].find((text) => legal.has(text));
      const note =
        owner >= 0
          ? h(
              'small',
              { class: 'owner' },
              h('svg', { class: 'dotmark', viewBox: '-8 -8 16 16' }, seatShape(owner, 14)),
              scene.names[owner] ?? '',
              seats[owner]?.['power'] !== name && seats[owner]?.['power'] != null
                ? ` (${say.hasPower(textOf(seats[owner]?.['power']))})`
                : '',
            )
          : god['named'] === true && h('small', { class: 'owner' }, say.named);
      return godCard(scene, name, textOf(god['text']), action, note);
    }),
  );
}

const cellWords = (word: string | undefined) =>
  word === undefined || word.length !== 2 ? '' : say.cell(Number(word[0]) + 1, Number(word[1]) + 1);

export const santorini: Board = {
  draw(scene) {
    const isBefore =
      ['born', 'offer', 'take', 'draw', 'start', 'color'].includes(textOf(scene.view['phase'])) &&
      Number(scene.view['turns']) === 0;
    return [
      !isBefore &&
        picture(
          'isle',
          WIDTH,
          HEIGHT,
          h('title', null, say.board),
          h('path', {
            class: 'sea',
            d: `M${WIDTH / 2} ${TOP - 26}L${WIDTH} ${TOP + SIDE * HALF_HEIGHT + 4} ${WIDTH / 2} ${HEIGHT - 8} 0 ${TOP + SIDE * HALF_HEIGHT + 4}Z`,
          }),
          h('path', {
            class: 'cliff',
            d: `M${WIDTH / 2 - SIDE * HALF_WIDTH} ${TOP + SIDE * HALF_HEIGHT}v14L${WIDTH / 2} ${TOP + 2 * SIDE * HALF_HEIGHT + 14}l${SIDE * HALF_WIDTH} ${-SIDE * HALF_HEIGHT}v-14Z`,
          }),
          coordinates(),
          cells(scene),
        ),
      gods(scene),
    ];
  },
  words(text, scene) {
    const [verb = '', a, b] = text.split(' ');
    switch (verb) {
      case 'born':
        return a === 'unknown' ? say.bornUnknown : say.bornOn(a ?? '');
      case 'offer':
        return say.offer(a ?? '');
      case 'take':
        return say.take(a ?? '');
      case 'draw':
        return say.draws(a ?? '');
      case 'start':
        return say.start(scene.names[Number(a)] ?? '');
      case 'color':
        return say.color(a ?? '');
      case 'place':
        return say.place(cellWords(a));
      case 'move':
        return say.move(a ?? '', cellWords(b));
      case 'build':
        return say.build(cellWords(b));
      case 'dome':
        return say.dome(cellWords(b));
      case 'force':
        return say.force(cellWords(b));
      case 'remove':
        return say.remove(cellWords(a));
      case 'borrow':
        return say.borrow(cellWords(a));
      case 'end':
        return say.end;
      default:
        return text;
    }
  },
  ending({ view, names, me, winners }) {
    const by = textOf(view['by']);
    const who = whoOf(names, me, winners);
    if (by === 'climb') return say.climbed(who);
    if (by === 'power') return say.byPower(who, textOf(seatsOf({ view })[winners[0] ?? -1]?.['god']));
    if (by !== 'last') return say.endings[by] ?? '';
    const losers = names.map((_, seat) => seat).filter((seat) => !winners.includes(seat));
    return say.stuck(whoOf(names, me, losers));
  },
  auto(view, legal) {
    if (view['phase'] === 'born') return 'born unknown';
    return view['phase'] === 'color' ? (legal.find((text) => text.startsWith('color ')) ?? null) : null;
  },
  hint(scene) {
    if (scene.legal.length === 0) return '';
    const steps = scene.legal.map(stepOf);
    const verbs = new Set(steps.map((step) => step.verb));
    const phase = textOf(scene.view['phase']);
    if (phase !== 'turn') return say.phases[phase] ?? '';
    if (activeBuilder(scene, steps) === null && steps.some((step) => step.builder !== null))
      return say.hintChoose;
    if (verbs.has('move')) return verbs.size > 1 ? say.hintMoveOr : say.hintMove;
    return numberOf(verbs.size) > 1 && verbs.has('end') ? say.hintBuildOrEnd : say.hintBuild;
  },
  covers(text, scene) {
    const { verb } = stepOf(text);
    if (verb === 'offer' || verb === 'take') return listOf(scene.view['gods']).length > 0;
    if (verb === 'born') return scene.view['phase'] === 'born';
    return !['end', 'start', 'color'].includes(verb);
  },
};
