// Paper Soccer on squared paper: the pitch, every line in the colour of whoever drew it, and where the ball may go next with a
// mark that says what happens there (stop, bounce, goal).

import { boardWords } from '../strings';
import { h, type Child } from '../vdom';
import {
  isPoint,
  listOf,
  numberOf,
  picture,
  seatClass,
  svgText,
  target,
  whoOf,
  type Board,
  type Scene,
} from './board';

type Point = [number, number];

const UNIT = 40;
const MARGIN = 30;
const WIDTH = 8 * UNIT + 2 * MARGIN;
const HEIGHT = 12 * UNIT + 2 * MARGIN;
const BALL_RADIUS = 9;

const STEPS: Record<string, Point> = {
  N: [0, 1],
  NE: [1, 1],
  E: [1, 0],
  SE: [1, -1],
  S: [0, -1],
  SW: [-1, -1],
  W: [-1, 0],
  NW: [-1, 1],
};

const px = (x: number) => MARGIN + (x + 4) * UNIT;
const py = (y: number) => MARGIN + (6 - y) * UNIT;
const keyOf = (a: Point, b: Point) =>
  a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]) ? `${a} ${b}` : `${b} ${a}`;
const isGoal = (p: Point) => Math.abs(p[1]) === 6;

/** Points that have a line from the beginning: the border and the posts. */
function isBorder([x, y]: Point): boolean {
  return Math.abs(x) === 4 || (Math.abs(y) === 5 && x !== 0);
}

function linesOf(scene: Scene): [Point, Point][] {
  return listOf(scene.view['lines']).filter(
    (line): line is [Point, Point] => Array.isArray(line) && isPoint(line[0]) && isPoint(line[1]),
  );
}

/** Who drew which line, from the log; and the lines of the last turn. */
function authors(scene: Scene): { owner: Map<string, number>; latest: Set<string> } {
  const owner = new Map<string, number>();
  let latest = new Set<string>();
  let ball: Point = [0, 0];
  let author: number | null = null;
  for (const event of scene.log) {
    if (event.kind !== 'action' || typeof event.seat !== 'number') continue;
    if (event.seat !== author) latest = new Set();
    author = event.seat;
    for (const step of event.actions) {
      const offset = STEPS[step.toUpperCase()];
      if (offset === undefined) continue;
      const next: Point = [ball[0] + offset[0], ball[1] + offset[1]];
      owner.set(keyOf(ball, next), event.seat);
      latest.add(keyOf(ball, next));
      ball = next;
    }
  }
  return { owner, latest };
}

function paper(): Child {
  const squares = [];
  for (let x = 0; x <= WIDTH; x += UNIT / 2)
    squares.push(h('path', { class: 'square', d: `M${x + 10} 0V${HEIGHT}` }));
  for (let y = 0; y <= HEIGHT; y += UNIT / 2)
    squares.push(h('path', { class: 'square', d: `M0 ${y + 10}H${WIDTH}` }));
  return [h('rect', { class: 'paper', width: WIDTH, height: HEIGHT, rx: 10 }), squares];
}

function goal(scene: Scene, side: 'top' | 'bottom'): Child {
  const attacker = listOf(scene.view['attacks']).indexOf(side);
  const top = side === 'top' ? py(6) : py(-5);
  const name = scene.names[attacker] ?? '';
  return h(
    'g',
    { class: seatClass(Math.max(0, attacker)), 'data-tip': boardWords.soccer.goalTip(name) },
    h('rect', { class: 'goal', x: px(-1), y: top, width: 2 * UNIT, height: UNIT }),
    svgText(px(0), side === 'top' ? py(6) - 14 : py(-6) + 14, boardWords.soccer.scores(name), {
      class: 'goal-label',
    }),
  );
}

function border(): Child {
  const outline = [
    [-4, 5],
    [-1, 5],
    [-1, 6],
    [1, 6],
    [1, 5],
    [4, 5],
    [4, -5],
    [1, -5],
    [1, -6],
    [-1, -6],
    [-1, -5],
    [-4, -5],
  ] as Point[];
  const points = outline.map((p) => `${px(p[0])} ${py(p[1])}`).join('L');
  return [
    h('path', { class: 'middle', d: `M${px(-4)} ${py(0)}H${px(4)}` }),
    h('circle', { class: 'middle', cx: px(0), cy: py(0), r: UNIT * 1.4 }),
    h('path', { class: 'border', d: `M${points}Z`, 'data-tip': boardWords.soccer.borderTip }),
  ];
}

/** Points that a line has touched, as texts. */
function touchedBy(scene: Scene): Set<string> {
  const touched = new Set<string>(['0,0']);
  for (const [a, b] of linesOf(scene)) touched.add(String(a)).add(String(b));
  return touched;
}

function dots(scene: Scene): Child {
  const touched = touchedBy(scene);
  const out = [];
  for (let y = -5; y <= 5; y++)
    for (let x = -4; x <= 4; x++) {
      const bounces = isBorder([x, y]) || touched.has(String([x, y]));
      const about = { 'data-tip': boardWords.soccer.pointTip(bounces) };
      out.push(h('g', about, h('circle', { class: 'dot', cx: px(x), cy: py(y), r: 1.8 }), h('circle', { class: 'around', cx: px(x), cy: py(y), r: UNIT * 0.3 })));
    }
  return out;
}

function drawnLines(scene: Scene): Child {
  const { owner, latest } = authors(scene);
  return linesOf(scene).map(([a, b]) => {
    const key = keyOf(a, b);
    const seat = owner.get(key);
    const who = seat === undefined ? 'ink' : seatClass(seat);
    return h('path', {
      key,
      class: `line ${who} ${latest.has(key) ? 'latest' : ''}`,
      'data-tip': boardWords.soccer.lineTip(seat === undefined ? '' : (scene.names[seat] ?? '')),
      d: `M${px(a[0])} ${py(a[1])}L${px(b[0])} ${py(b[1])}`,
    });
  });
}

function exits(scene: Scene, ball: Point): Child {
  const touched = touchedBy(scene);
  const attack = listOf(scene.view['attacks'])[numberOf(scene.me, -1)];
  return scene.legal.map((text) => {
    const offset = STEPS[text];
    if (offset === undefined) return null;
    const to: Point = [ball[0] + offset[0], ball[1] + offset[1]];
    const bounces = !isGoal(to) && (isBorder(to) || touched.has(String(to)));
    const isOwn = isGoal(to) && attack !== (to[1] > 0 ? 'top' : 'bottom');
    const kind = isGoal(to) ? (isOwn ? 'to-own-goal' : 'to-goal') : bounces ? 'to-bounce' : 'to-stop';
    const said = isGoal(to)
      ? isOwn
        ? boardWords.soccer.toOwnGoal
        : boardWords.soccer.toGoal
      : bounces
        ? boardWords.soccer.toBounce
        : boardWords.soccer.toStop;
    const label = `${boardWords.soccer.directions[text] ?? text}: ${said}`;
    const cx = px(to[0]);
    const cy = py(to[1]);
    return target(
      scene,
      [text],
      label,
      { key: text, class: kind },
      h('title', null, label),
      h('path', { class: 'way', d: `M${px(ball[0])} ${py(ball[1])}L${cx} ${cy}` }),
      h('circle', { class: 'hit', cx, cy, r: UNIT * 0.48 }),
      h('circle', { class: 'spot', cx, cy, r: kind === 'to-stop' ? 7 : 9 }),
      kind === 'to-bounce' && h('path', { class: 'bounce', d: `M${cx - 4} ${cy - 2}l4 4 4 -4` }),
      kind === 'to-goal' && h('path', { class: 'bounce', d: `M${cx - 4} ${cy}l3 3 5 -6` }),
      kind === 'to-own-goal' &&
        h('path', { class: 'bounce', d: `M${cx - 4} ${cy - 4}l8 8m0 -8l-8 8` }),
    );
  });
}

/** Where the ball came from in the last turn. */
function traceAt([x, y]: Point, ball: Point): Child {
  if (x === ball[0] && y === ball[1]) return null;
  return h('circle', { class: 'trace from', 'data-mark': 'from', 'data-tip': boardWords.soccer.fromTip, cx: px(x), cy: py(y), r: BALL_RADIUS });
}

function ballAt([x, y]: Point): Child {
  return h(
    'g',
    { class: 'ball', key: 'ball', 'data-tip': boardWords.soccer.ballTip, style: { transform: `translate(${px(x)}px, ${py(y)}px)` } },
    h('circle', { r: BALL_RADIUS }),
    h('path', { d: 'M0 -4 3.8 -1.2 2.4 3.2H-2.4L-3.8 -1.2Z' }),
  );
}

export const paperSoccer: Board = {
  draw(scene) {
    const ball: Point = isPoint(scene.view['ball']) ? scene.view['ball'] : [0, 0];
    return picture(
      'soccer',
      WIDTH,
      HEIGHT,
      h('title', null, boardWords.soccer.board(ball[0], ball[1])),
      paper(),
      goal(scene, 'top'),
      goal(scene, 'bottom'),
      border(),
      dots(scene),
      drawnLines(scene),
      isPoint(scene.before?.['ball']) && traceAt(scene.before['ball'], ball),
      exits(scene, ball),
      ballAt(ball),
    );
  },
  words(text) {
    const arrow = boardWords.soccer.arrows[text];
    return arrow === undefined ? text : `${arrow} ${boardWords.soccer.directions[text]}`;
  },
  ending({ view, names, me, log, winners }) {
    const last = log.filter((event) => event.kind === 'action').pop();
    const seat = numberOf(last?.seat, -1);
    const who = whoOf(names, me, [seat]);
    if (!isPoint(view['ball']) || !isGoal(view['ball'])) return boardWords.soccer.stuck(who);
    return winners.includes(seat) ? boardWords.soccer.scored(who) : boardWords.soccer.ownGoal(who);
  },
  hint(scene) {
    if (scene.legal.length === 0) return '';
    const attack = listOf(scene.view['attacks'])[numberOf(scene.me, -1)];
    return boardWords.soccer.hint(attack === 'top');
  },
  covers(text) {
    return text in STEPS;
  },
};
