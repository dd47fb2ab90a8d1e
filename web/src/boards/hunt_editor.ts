// The editor of half maps for Treasure Hunt: terrain is painted by mouse, finger or keys. It knows no rules. The server is asked
// about every change and says which rule is broken; the counts beside the brushes only tell how far it is.

import type { Refusal } from '../api';
import { redraw } from '../app';
import { boardWords } from '../strings';
import { h, type Child } from '../vdom';
import { picture, seatClass, type Scene } from './board';
import { EDGE, UNIT, field, fort } from './hunt_pieces';

const say = boardWords.hunt.editor;
const COLUMNS = 10;
const ROWS = 5;
const BRUSHES = ['G', 'M', 'W', 'F'];
const LEAST: Record<string, number> = { G: 24, M: 5, W: 7 }; // fields of a half map, for the counts
const FORT_FIRST = 24; // where the fort stands on a map of grass only: in the middle

interface Draft {
  code: string;
  letters: string[]; // of the fields, row by row
  fort: number;
  brush: string;
  cursor: number; // the field that Tab leads to
  example: number;
  judged: string; // the text that the verdict is about
  refusal: Refusal | null;
  isAsking: boolean;
}

/** Kept beside the page's other selections, which are forgotten whenever the table changes: nobody wants to paint twice. */
let draft: Draft | null = null;

function textOf(map: Draft): string {
  const rows = Array.from({ length: ROWS }, (_, y) =>
    map.letters.slice(y * COLUMNS, (y + 1) * COLUMNS).join(''),
  );
  return `half ${rows.join('/')} ${map.fort % COLUMNS},${Math.floor(map.fort / COLUMNS)}`;
}

/** The fields and the fort of a half map from its text. */
function parse(text: string): { letters: string[]; fort: number } {
  const [, rows = '', place = ''] = text.split(' ');
  const [x = 0, y = 0] = place.split(',').map(Number);
  return { letters: [...rows.replaceAll('/', '')], fort: y * COLUMNS + x };
}

function begin(code: string, examples: string[]): Draft {
  const first = examples[0] ?? '';
  return {
    code,
    ...parse(first),
    brush: 'G',
    cursor: 0,
    example: 0,
    judged: first,
    refusal: null,
    isAsking: false,
  };
}

/** Asks about the map as it is, and again when it has changed meanwhile; one question at a time. */
async function judge(scene: Scene, map: Draft): Promise<void> {
  if (map.isAsking) return;
  map.isAsking = true;
  try {
    for (let text = textOf(map); text !== map.judged; text = textOf(map)) {
      redraw();
      map.refusal = await scene.judge(text);
      map.judged = text;
    }
  } finally {
    map.isAsking = false;
    redraw();
  }
}

function load(scene: Scene, map: Draft, letters: string[], place: number): void {
  map.letters = letters;
  map.fort = place;
  void judge(scene, map);
  redraw();
}

function paint(scene: Scene, map: Draft, index: number, brush: string): void {
  if (brush === 'F') map.fort = index;
  else map.letters[index] = brush;
  void judge(scene, map);
  redraw();
}

function paintable(scene: Scene, map: Draft, index: number): Child {
  const x = index % COLUMNS;
  const y = Math.floor(index / COLUMNS);
  const letter = map.letters[index] ?? 'G';
  const isFort = map.fort === index;
  const brush = () => paint(scene, map, index, map.brush);
  return h(
    'g',
    {
      key: `p${index}`,
      class: 'target paintable',
      role: 'button',
      tabindex: map.cursor === index ? 0 : -1,
      'aria-label': say.field(x + 1, y + 1, say.terrain[letter] ?? letter, isFort),
      'data-field': `${x},${y}`,
      onclick: brush,
      onpointerdown: (event: PointerEvent) => event.pointerType === 'mouse' && brush(),
      onpointerenter: (event: PointerEvent) =>
        event.pointerType === 'mouse' && event.buttons === 1 && brush(),
      onfocus: () => {
        map.cursor = index;
        redraw();
      },
      onkeydown: (event: KeyboardEvent) => {
        const letterKey = event.key.toUpperCase();
        const isPaint = event.key === 'Enter' || event.key === ' ';
        if ((!isPaint && !BRUSHES.includes(letterKey)) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        if (!isPaint) map.brush = letterKey;
        brush();
      },
    },
    field(letter, x, y, true),
    h('rect', {
      class: 'cursor',
      x: EDGE + x * UNIT + 2,
      y: EDGE + y * UNIT + 2,
      width: UNIT - 4,
      height: UNIT - 4,
      rx: 5,
    }),
  );
}

function canvas(scene: Scene, map: Draft): Child {
  const width = COLUMNS * UNIT + 2 * EDGE;
  const height = ROWS * UNIT + 2 * EDGE;
  return picture(
    'hunt half-canvas',
    width,
    height,
    h('title', null, say.title),
    h('rect', { class: 'frame', width, height, rx: 10 }),
    map.letters.map((_, index) => paintable(scene, map, index)),
    h(
      'g',
      { class: 'untouchable' },
      fort([map.fort % COLUMNS, Math.floor(map.fort / COLUMNS)], scene.me ?? 0),
    ),
  );
}

function brushes(scene: Scene, map: Draft): Child {
  return h(
    'div',
    { class: 'brushes', role: 'group', 'aria-label': say.brushKeys },
    BRUSHES.map((brush) => {
      const least = LEAST[brush];
      const count = map.letters.filter((letter) => letter === brush).length;
      const name = say.brushes[brush] ?? brush;
      const isEnough = least === undefined || count >= least;
      return h(
        'button',
        {
          key: brush,
          type: 'button',
          class: `brush ${map.brush === brush ? 'on' : ''} ${isEnough ? 'enough' : 'short'}`,
          'data-brush': brush,
          'aria-pressed': map.brush === brush ? 'true' : 'false',
          title: least === undefined ? name : say.count(name, count, least),
          onclick: () => {
            map.brush = brush;
            redraw();
          },
        },
        h(
          'svg',
          { viewBox: `${EDGE} ${EDGE} ${UNIT} ${UNIT}`, class: `hunt ${seatClass(scene.me ?? 0)}` },
          field(brush === 'F' ? 'G' : brush, 0, 0, true),
          brush === 'F' && fort([0, 0], scene.me ?? 0),
        ),
        h('span', null, name, least !== undefined && h('small', null, ` ${count} / ${least}`)),
      );
    }),
  );
}

function verdict(map: Draft): { text: string; kind: string; isAllowed: boolean } {
  if (map.judged !== textOf(map)) return { text: say.asking, kind: 'asking', isAllowed: false };
  if (map.refusal === null) return { text: say.allowed, kind: 'allowed', isAllowed: true };
  if (map.refusal.rule === '') return { text: say.doubtful, kind: 'asking', isAllowed: true };
  return { text: say.refused(map.refusal.reason, map.refusal.rule), kind: 'refused', isAllowed: false };
}

function example(scene: Scene, map: Draft, text: string, number: number): Child {
  const { letters, fort: place } = parse(text);
  return h(
    'button',
    {
      key: text,
      type: 'button',
      class: 'half',
      'aria-label': say.example(number),
      onclick: () => load(scene, map, letters, place),
    },
    h(
      'svg',
      { viewBox: `0 0 ${COLUMNS * UNIT + 2 * EDGE} ${ROWS * UNIT + 2 * EDGE}`, class: 'hunt' },
      letters.map((letter, index) => field(letter, index % COLUMNS, Math.floor(index / COLUMNS), true)),
      fort([place % COLUMNS, Math.floor(place / COLUMNS)], scene.me ?? 0),
    ),
  );
}

function commands(scene: Scene, map: Draft, examples: string[], isAllowed: boolean): Child {
  return h(
    'div',
    { class: 'buttons' },
    h(
      'button',
      {
        type: 'button',
        class: 'primary',
        disabled: !isAllowed,
        'data-action': isAllowed ? textOf(map) : undefined,
        onclick: () => scene.act(textOf(map)),
      },
      say.send,
    ),
    h(
      'button',
      {
        type: 'button',
        onclick: () => {
          map.example = (map.example + 1) % examples.length;
          const { letters, fort: place } = parse(examples[map.example] ?? '');
          load(scene, map, letters, place);
        },
      },
      say.sample,
    ),
    h(
      'button',
      {
        type: 'button',
        onclick: () => load(scene, map, Array.from({ length: COLUMNS * ROWS }, () => 'G'), FORT_FIRST),
      },
      say.clear,
    ),
  );
}

/** The editor, beginning with one of the examples, all of which are allowed. */
export function halfEditor(scene: Scene, examples: string[]): Child {
  if (draft?.code !== scene.table.code) draft = begin(scene.table.code, examples);
  const map = draft;
  const { text, kind, isAllowed } = verdict(map);
  return h(
    'div',
    { class: 'half-editor', key: 'half-editor' },
    brushes(scene, map),
    canvas(scene, map),
    h('p', { class: `verdict ${kind}`, role: 'status' }, text),
    commands(scene, map, examples, isAllowed),
    h('p', { class: 'quiet keys' }, say.keys),
    h('h2', null, say.examples),
    h(
      'div',
      { class: 'halves' },
      examples.map((one, i) => example(scene, map, one, i + 1)),
    ),
  );
}
