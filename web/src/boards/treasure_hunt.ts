// Treasure Hunt as a map: terrain for everybody, fog over what this seat has not uncovered, forts, treasures and avatars, and the
// effort that a step has taken so far.

import { boardWords } from '../strings';
import { h, type Child } from '../vdom';
import {
  isPoint,
  listOf,
  numberOf,
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
import { halfEditor } from './hunt_editor';
import { EDGE, UNIT, at, field, fogPattern, fort, type Point } from './hunt_pieces';
import { isPhone } from './tabs';

const OFFSETS: Record<string, Point> = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

const BAND = 26; // above the map, and below it when the halves are stacked
const LABEL = 20; // how far beyond the map its halves are named
const LONG_COLUMNS = 20; // of halves that lie side by side
const NEAR_COLUMNS = 8; // of such a map on a phone: as many as are large enough for a finger
const EMPTY = { width: 10, height: 3 }; // fields that are drawn before there is a map
const LABEL_COLUMNS_MIN = 3; // of a half that must be in sight to be named

/** Columns of the map that are in sight. */
interface Sight {
  from: number;
  columns: number;
}

/** On a phone, of a map that is too long for fingers: what is around the viewer's avatar; null when the whole map is large enough. */
function nearSight(scene: Scene, width: number): Sight | null {
  const position = scene.me === null ? null : seatAt(scene, scene.me)['position'];
  if (!isPhone() || width < LONG_COLUMNS || !isPoint(position)) return null;
  const from = Math.min(position[0] - NEAR_COLUMNS / 2, width - NEAR_COLUMNS);
  return { from: Math.max(0, from), columns: NEAR_COLUMNS };
}

function treasure(place: Point, seat: number, isCollected: boolean, tip: string): Child {
  return h(
    'g',
    {
      key: `treasure${seat}`,
      class: `treasure ${seatClass(seat)} ${isCollected ? 'taken' : ''}`,
      'data-tip': tip,
      transform: at(place),
    },
    h('path', { class: 'chest', d: 'M-12 -2a12 9 0 0 1 24 0V11h-24Z' }),
    h('path', { class: 'band', d: 'M-12 -1H12M0 -2v6' }),
  );
}

function avatar(place: Point, seat: number, isTold: boolean, shift: number, tip: string): Child {
  const [x, y] = place;
  const left = EDGE + x * UNIT + UNIT / 2 + shift;
  const top = EDGE + y * UNIT + UNIT / 2;
  return h(
    'g',
    {
      key: `avatar${seat}`,
      class: `avatar ${seatClass(seat)} ${isTold ? 'told' : ''}`,
      'data-tip': tip,
      style: { transform: `translate(${left}px, ${top}px)` },
    },
    h('path', { class: 'body', d: 'M-9 14c0 -12 4 -14 9 -14s9 2 9 14Z' }),
    h('circle', { class: 'body', cy: -6, r: 6.5 }),
    h('g', { transform: 'translate(0 8)' }, seatShape(seat, 8)),
    isTold && svgText(11, -11, '?', { class: 'rumour' }),
  );
}

function seatAt(scene: Pick<Scene, 'view'>, seat: number): Record<string, unknown> {
  return viewOf(listOf(scene.view['seats'])[seat]);
}

/** Where an avatar is, as far as it is known: the truth, or what this viewer was told. */
function whereabouts(scene: Pick<Scene, 'view' | 'me'>, seat: number): { place: Point; isTold: boolean } | null {
  const position = seatAt(scene, seat)['position'];
  const told = scene.me === null || scene.me === seat ? null : seatAt(scene, scene.me)['told'];
  if (isPoint(told)) return { place: told, isTold: true };
  return isPoint(position) ? { place: position, isTold: false } : null;
}

/** Where others came from and went to since the viewer's last step, as far as it is known. */
function traces(scene: Scene): Child {
  const { before, me } = scene;
  if (before === null) return null;
  return [0, 1].map((seat) => {
    const now = whereabouts(scene, seat);
    const was = whereabouts({ view: before, me }, seat);
    if (seat === me || now === null || String(was?.place) === String(now.place)) return null;
    const mark = (place: Point, kind: string) =>
      h('rect', {
        key: `${kind}${seat}`,
        class: `trace ${kind}`,
        'data-mark': kind,
        transform: at(place),
        x: 2 - UNIT / 2,
        y: 2 - UNIT / 2,
        width: UNIT - 4,
        height: UNIT - 4,
        rx: 6,
      });
    return [was !== null && mark(was.place, 'from'), mark(now.place, 'to')];
  });
}

/** Whether a seat has come to something since the viewer's last step. */
function isNews(scene: Scene, seat: number): boolean {
  const was = scene.before === null ? null : seatAt({ view: scene.before }, seat);
  return was !== null && was['collected'] !== seatAt(scene, seat)['collected'];
}

function pieces(scene: Scene): Child {
  const out: Child[] = [];
  const seats = [0, 1];
  for (const seat of seats) {
    const own = seatAt(scene, seat);
    if (isPoint(own['fort'])) out.push(h('g', { key: `fort${seat}`, 'data-tip': boardWords.hunt.fortOf(scene.names[seat] ?? '', seat === scene.me) }, fort(own['fort'], seat)));
    if (isPoint(own['treasure'])) out.push(treasure(own['treasure'], seat, own['collected'] === true, boardWords.hunt.treasureOf(scene.names[seat] ?? '', seat === scene.me)));
  }
  const found = seats.map((seat) => whereabouts(scene, seat));
  const meet = String(found[0]?.place) === String(found[1]?.place);
  for (const seat of seats) {
    const known = found[seat];
    if (known) out.push(avatar(known.place, seat, known.isTold, meet ? (seat === 0 ? -8 : 8) : 0, boardWords.hunt.avatarOf(scene.names[seat] ?? '', seat === scene.me, known.isTold)));
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
      // Near the edge where the step begins, so that what stands on the field can be seen.
      h('path', { class: 'arrow', transform: `rotate(${turn})`, d: 'M0 -1L8 10H3.500V17H-3.500V10H-8Z' }),
      Array.from({ length: done }, (_, i) =>
        h('circle', { class: 'effort', cx: 14 - i * 9, cy: -14, r: 3.500 }),
      ),
    );
  });
}

/** The map, or what is there before both halves are. */
function map(scene: Scene): { rows: string[]; width: number; height: number } {
  const rows = listOf(scene.view['map']).map(textOf);
  return { rows, width: rows[0]?.length ?? EMPTY.width, height: rows.length || EMPTY.height };
}

/** Where the map will be, as long as there is none. */
function unknownLand(): Child {
  const size = { width: EMPTY.width * UNIT, height: EMPTY.height * UNIT };
  return h(
    'g',
    { transform: `translate(${EDGE} ${EDGE})` },
    h('rect', { ...size, class: 'unknown' }),
    svgText(size.width / 2, size.height / 2, boardWords.hunt.noMap, { class: 'unknown-words' }),
  );
}

function fields(scene: Scene, rows: string[]): Child {
  const seen = new Set<string>();
  if (scene.me !== null)
    for (const place of listOf(seatAt(scene, scene.me)['seen'])) seen.add(String(place));
  // A watcher has uncovered nothing and is not kept from anything either: terrain is known to all.
  const isClear = scene.view['phase'] === 'over' || scene.me === null;
  return rows.flatMap((row, y) =>
    [...row].map((letter, x) => field(letter, x, y, isClear || seen.has(`${x},${y}`))),
  );
}

/** The border between the halves, and whose they are. */
function halves(scene: Scene, width: number, height: number, sight: Sight): Child {
  const origin = scene.view['origin'];
  if (typeof origin !== 'number') return null;
  const isStacked = scene.view['shape'] === 'stacked';
  const w = width * UNIT;
  const half = isStacked ? (height * UNIT) / 2 : w / 2;
  const label = (seat: number, isFirst: boolean) => {
    // In the middle of what is in sight of the half.
    const from = Math.max(sight.from, isStacked || isFirst ? 0 : width / 2);
    const to = Math.min(sight.from + sight.columns, isStacked || !isFirst ? width : width / 2);
    if (to - from < LABEL_COLUMNS_MIN) return null;
    return svgText(
      EDGE + ((from + to) / 2) * UNIT,
      isStacked && !isFirst ? EDGE + 2 * half + LABEL : EDGE - LABEL,
      boardWords.hunt.halfOf(scene.names[seat] ?? '', seat === scene.me),
      {
        class: `half-label ${seatClass(seat)}`,
      },
    );
  };
  return [
    h('path', {
      class: 'divide',
      d: isStacked ? `M${EDGE} ${EDGE + half}h${w}` : `M${EDGE + half} ${EDGE}v${height * UNIT}`,
    }),
    label(origin, true),
    label(1 - origin, false),
  ];
}

/** Half maps of which one is wanted from me now: there are too many to list, and these are allowed. */
function halfExamples(scene: Scene): string[] {
  const { me, table } = scene;
  if (me === null || !table.turn.includes(me) || !scene.isLive) return [];
  return table.legal_samples.filter((text) => text.startsWith('half '));
}

function mapPicture(scene: Scene, sight: Sight): Child {
  const { rows, width, height } = map(scene);
  const tall = height * UNIT + 2 * EDGE;
  const below = scene.view['shape'] === 'stacked' ? BAND : 0;
  const box = { width: sight.columns * UNIT + 2 * EDGE, height: tall + BAND + below };
  return h(
    'svg',
    {
      class: 'picture hunt',
      viewBox: `${sight.from * UNIT} 0 ${box.width} ${box.height}`,
      role: 'group',
      style: { '--ratio': String(box.width / box.height) },
      key: 'map',
    },
    h('title', null, boardWords.hunt.board),
    fogPattern(),
    h(
      'g',
      { transform: `translate(0 ${BAND})` },
      h('rect', { class: 'frame', width: width * UNIT + 2 * EDGE, height: tall, rx: 10 }),
      rows.length === 0 ? unknownLand() : fields(scene, rows),
      halves(scene, width, height, sight),
      traces(scene),
      pieces(scene),
      ways(scene),
    ),
  );
}

/** The whole of a long map above the part of it that one plays on. */
function overview(scene: Scene, near: Sight): Child {
  const { rows, width, height } = map(scene);
  const size = { width: width * UNIT + 2 * EDGE, height: height * UNIT + 2 * EDGE };
  return h(
    'svg',
    { class: 'picture hunt overview', viewBox: `0 0 ${size.width} ${size.height}`, role: 'img', 'aria-label': boardWords.hunt.whole, key: 'overview' },
    h('rect', { class: 'frame', ...size, rx: 10 }),
    fields(scene, rows),
    pieces(scene),
    h('rect', {
      class: 'near',
      x: EDGE + near.from * UNIT,
      y: EDGE,
      width: near.columns * UNIT,
      height: height * UNIT,
      rx: 6,
    }),
  );
}

export const treasureHunt: Board = {
  draw(scene) {
    const { width } = map(scene);
    const examples = halfExamples(scene);
    if (examples.length > 0) return halfEditor(scene, examples);
    const near = nearSight(scene, width);
    return [
      near !== null && overview(scene, near),
      mapPicture(scene, near ?? { from: 0, columns: width }),
      h(
        'ul',
        { class: 'facts' },
        [0, 1].map((seat) =>
          h(
            'li',
            { key: `fact${seat}`, class: isNews(scene, seat) ? 'news' : '' },
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
        scene.view['phase'] !== 'over' && scene.me !== null && h('li', null, boardWords.hunt.fog),
      ),
    ];
  },
  words(text) {
    const [word = ''] = text.split(' ');
    if (word in OFFSETS) return boardWords.hunt.moves[word] ?? text;
    if (word === 'half') return boardWords.hunt.half;
    if (word === 'hide') return boardWords.hunt.hidden;
    if (word === 'fort') return boardWords.hunt.fort;
    if (word === 'fake') return boardWords.hunt.faked;
    if (word === 'join') return boardWords.hunt.joined;
    if (text === 'enter seed') return boardWords.hunt.enterSeed;
    if (text === 'enter course') return boardWords.hunt.enterCourse;
    return text.includes('?') ? boardWords.hunt.secret : text;
  },
  ending({ view, names, me, winners }) {
    const by = textOf(view['by']);
    const [winner = -1] = winners;
    if (by !== 'fort' || winner < 0) return boardWords.hunt.endings[by] ?? '';
    const loser = 1 - winner;
    return boardWords.hunt.reached(whoOf(names, me, [winner]), loser === me ? null : (names[loser] ?? ''));
  },
  hint(scene) {
    if (halfExamples(scene).length > 0)
      return boardWords.hunt.editor.hint(
        scene.view['shape'] === 'stacked',
        scene.view['origin'] === scene.me,
        scene.names[1 - (scene.me ?? 0)] ?? '',
      );
    if (scene.me === null || scene.legal.length === 0) return '';
    const own = seatAt(scene, scene.me);
    if (!isPoint(own['position'])) return '';
    const other = seatAt(scene, 1 - scene.me);
    const direction = boardWords.hunt.directions[textOf(own['direction'])];
    if (direction !== undefined && numberOf(own['progress']) > 0)
      return boardWords.hunt.onTheWay(direction, numberOf(own['progress']));
    if (own['collected'] !== true) return boardWords.hunt.findTreasure;
    return isPoint(other['fort']) ? boardWords.hunt.reachFort : boardWords.hunt.findFort;
  },
  covers(text) {
    return text.startsWith('half ') || text in OFFSETS;
  },
};
