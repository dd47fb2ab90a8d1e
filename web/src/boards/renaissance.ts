// Masters of Renaissance: market, card grid and faith track for all, a board for each player. What a turn asks for next (storing,
// paying, choosing a production) is shown as a panel of choices above the boards.

import { boardWords } from '../strings';
import { h, type Child } from '../vdom';
import {
  listOf,
  newsOf,
  numberOf,
  picture,
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
import { baseProduction, keepLeaders, questions } from './renaissance_choices';
import { KINDS, amount, cardFace, cardWords, leaderFace, marble, piece } from './renaissance_pieces';
import { drawer, isPhone, tabbed } from './tabs';

const say = boardWords.renaissance;
const COLOURS = ['purple', 'yellow', 'green', 'blue'];
const FAITH_MAX = 24;
const RESOURCES_PER_POINT = 5;
const SCORE_UNIT = 1000; // a point in results; what is below breaks ties
const FAITH_POINTS: Record<number, number> = { 3: 1, 6: 2, 9: 4, 12: 6, 15: 9, 18: 12, 21: 16, 24: 20 };
const SECTIONS = [
  { from: 5, pope: 8, tile: 2 },
  { from: 12, pope: 16, tile: 3 },
  { from: 19, pope: 24, tile: 4 },
];

const starting = (scene: Scene, prefix: string) =>
  scene.legal.filter((text) => text === prefix || text.startsWith(`${prefix} `));

function arrow(scene: Scene, prefix: string, label: string, x: number, y: number, turn: number): Child {
  const texts = starting(scene, prefix);
  const drawing = h('path', {
    ...(texts.length > 0 ? { class: 'push' } : { class: 'push idle', 'data-tip': label }),
    transform: `translate(${x} ${y}) rotate(${turn})`,
    d: 'M-14 0L6 -11V-5H16V5H6V11Z',
  });
  if (texts.length === 0) return drawing;
  return target(
    scene,
    texts,
    label,
    { key: prefix },
    h('title', null, label),
    h('circle', { class: 'hit', cx: x, cy: y, r: 24 }),
    drawing,
  );
}

/** The lines of the market that were taken in the last turn. */
function pushed(scene: Scene): [string, number][] {
  return newsOf(scene).flatMap(({ words: [verb, line = '', number] }) =>
    verb === 'push' ? [[line, Number(number)] as [string, number]] : [],
  );
}

function market(scene: Scene): Child {
  const rows = listOf(scene.view['market']).map(textOf);
  if (rows.length === 0) return null;
  const at = (row: number, column: number): [number, number] => [42 + column * 50, 60 + row * 50];
  return h(
    'section',
    { class: 'panel market' },
    h('h2', null, say.market),
    picture(
      'stall',
      280,
      230,
      h('rect', { class: 'tray', x: 12, y: 30, width: 210, height: 160, rx: 14 }),
      h(
        'g',
        null,
        h('circle', { class: 'slot', cx: 248, cy: 24, r: 20 }),
        marble(textOf(scene.view['free']), 248, 24, 16),
        h('title', null, say.freeMarble),
      ),
      rows.map((row, y) => [...row].map((letter, x) => marble(letter, ...at(y, x), 20))),
      pushed(scene).map(([line, number]) =>
        h('rect', {
          class: 'trace',
          'data-mark': 'taken',
          x: line === 'row' ? 18 : at(0, number)[0] - 23,
          y: line === 'row' ? at(number, 0)[1] - 23 : 36,
          width: line === 'row' ? 198 : 46,
          height: line === 'row' ? 46 : 148,
          rx: 23,
        }),
      ),
      rows.map((row, y) =>
        arrow(scene, `push row ${y}`, say.takeLine('row', y + 1, marbleWords([...row])), 252, at(y, 0)[1], 0),
      ),
      [0, 1, 2, 3].map((x) =>
        arrow(
          scene,
          `push column ${x}`,
          say.takeLine('column', x + 1, marbleWords(rows.map((row) => row[x] ?? ''))),
          at(0, x)[0],
          212,
          90,
        ),
      ),
    ),
  );
}

function marbleWords(letters: string[]): string {
  return letters.map((letter) => say.marbles[letter] ?? letter).join(', ');
}

const cardTrace = (mark: string, y: number): Child =>
  h('rect', { class: 'trace', 'data-mark': mark, x: 2, y, width: 106, height: 136, rx: 10 });

function grid(scene: Scene): Child {
  const ids = listOf(scene.view['grid']);
  if (ids.length === 0) return null;
  const left = listOf(scene.view['left']);
  const details = viewOf(scene.view['cards']);
  return h(
    'section',
    { class: 'panel' },
    h('h2', null, say.cards),
    picture(
      'grid',
      4 * 118,
      3 * 148,
      [2, 1, 0].map((row, y) =>
        COLOURS.map((colour, x) => {
          const pile = row * COLOURS.length + x;
          const id = textOf(ids[pile]);
          const props = {
            key: `p${pile}`,
            transform: `translate(${x * 118 + 4} ${y * 148 + 4})`,
            class: 'dev',
            ...(id === '' ? {} : { 'data-slide': `card ${id}` }),
          };
          if (id === '')
            return h('g', { ...props, 'data-tip': say.emptyPile }, h('rect', { class: 'empty', x: 2, y: 2, width: 106, height: 136, rx: 10 }));
          const card = viewOf(details[id]);
          const wasLeft = scene.before === null ? left[pile] : listOf(scene.before['left'])[pile];
          const face = [
            cardFace(id, card),
            svgText(97, 129, `×${numberOf(left[pile])}`, { class: 'left' }),
            wasLeft !== left[pile] && cardTrace('taken', 2),
          ];
          const texts = starting(scene, `buy ${colour} ${row + 1}`);
          if (texts.length === 0) return h('g', props, face);
          return target(
            scene,
            texts,
            say.buyCard(cardWords(id, card)),
            props,
            face,
            h('rect', { class: 'aim', x: 2, y: 2, width: 106, height: 136, rx: 10 }),
          );
        }),
      ),
    ),
  );
}

const SPACE_TOP = 30; // of the spaces of the faith track: a number above, markers below it
const SPACE_HEIGHT = 48;

function trackPlace(space: number): number {
  return 26 + space * 37;
}

/** The sections of the Vatican reports, paler once the report has been. */
function sections(reports: unknown[]): Child {
  return SECTIONS.map((section) => {
    const x = trackPlace(section.from);
    const width = trackPlace(section.pope) - x + 36;
    return h(
      'g',
      {
        class: `vatican ${reports.includes(section.pope) ? 'done' : ''}`,
        'data-tip': say.tileTip(section.tile, section.from, section.pope),
      },
      h('rect', { x: x - 18, y: SPACE_TOP - 5, width, height: SPACE_HEIGHT + 10, rx: 10 }),
      svgText(x + width / 2 - 18, SPACE_TOP + SPACE_HEIGHT + 18, say.tile(section.tile), { class: 'tile-word' }),
    );
  });
}

function spaces(): Child {
  return Array.from({ length: FAITH_MAX + 1 }, (_, space) => {
    const x = trackPlace(space);
    const isPope = SECTIONS.some((section) => section.pope === space);
    return h(
      'g',
      null,
      h('rect', {
        class: `space ${isPope ? 'pope' : ''}`,
        x: x - 16,
        y: SPACE_TOP,
        width: 32,
        height: SPACE_HEIGHT,
        rx: 6,
      }),
      svgText(x, SPACE_TOP + 10, space, { class: 'space-number' }),
      FAITH_POINTS[space] !== undefined &&
        svgText(x, 17, `★${FAITH_POINTS[space]}`, { class: 'space-points' }),
    );
  });
}

/** Markers of the players and of Lorenzo; one alone is large, several on one space stand two by two. */
function markers(faith: number[], lorenzo: number | null): Child {
  const all = lorenzo === null ? faith : [...faith, lorenzo];
  const marker = (key: string, index: number, draw: (size: number) => Child) => {
    const space = all[index] ?? 0;
    const before = all.slice(0, index).filter((other) => other === space).length;
    const isAlone = all.filter((other) => other === space).length === 1;
    const dx = isAlone ? 0 : before % 2 === 0 ? -8 : 8;
    const dy = isAlone ? 32 : 25 + Math.floor(before / 2) * 15;
    const transform = `translate(${trackPlace(space) + dx}px, ${SPACE_TOP + dy}px)`;
    return h('g', { key, class: `marker ${key}`, style: { transform } }, draw(isAlone ? 20 : 14));
  };
  return [
    faith.map((_, seat) => marker(`m${seat}`, seat, (size) => seatShape(seat, size))),
    lorenzo !== null &&
      marker('lorenzo', faith.length, (size) => [h('circle', { r: size / 2 }), svgText(0, 0, 'L')]),
  ];
}

/** Where markers of the others stood before the last turn. */
function faithTraces(scene: Scene, faith: number[]): Child {
  const was = listOf(scene.before?.['seats']).map((seat) => numberOf(viewOf(seat)['faith']));
  return was.map(
    (space, seat) =>
      space !== faith[seat] &&
      h('rect', {
        key: `from${seat}`,
        class: 'trace from',
        'data-mark': 'from',
        x: trackPlace(space) - 16,
        y: SPACE_TOP,
        width: 32,
        height: SPACE_HEIGHT,
        rx: 6,
      }),
  );
}

function track(scene: Scene): Child {
  const faith = listOf(scene.view['seats']).map((seat) => numberOf(viewOf(seat)['faith']));
  const solo = viewOf(scene.view['lorenzo']);
  const lorenzo = scene.view['lorenzo'] === undefined ? null : numberOf(solo['faith']);
  const label = faith.map((space, seat) => say.faithOf(scene.names[seat] ?? '', space)).join(', ');
  return h(
    'section',
    { class: 'panel wide' },
    h('h2', null, say.faithTrack),
    h(
      'div',
      { class: 'scroller', tabindex: 0, role: 'group', 'aria-label': label },
      h(
        'svg',
        { class: 'picture track', viewBox: `0 0 ${trackPlace(FAITH_MAX) + 30} ${SPACE_TOP + SPACE_HEIGHT + 28}` },
        sections(listOf(scene.view['reports'])),
        spaces(),
        faithTraces(scene, faith),
        markers(faith, lorenzo),
      ),
    ),
    lorenzo !== null && h('p', { class: 'quiet' }, say.lorenzo(lorenzo, textOf(solo['token']))),
  );
}

function warehouse(own: Record<string, unknown>): Child {
  return listOf(own['warehouse']).map((depot, i) => {
    const held = listOf(depot).map(textOf);
    const room = i < 3 ? i + 1 : 2;
    return h(
      'g',
      {
        key: `depot${i}`,
        transform: `translate(${i < 3 ? 58 : 150 + (i - 3) * 62} ${i < 3 ? 22 + i * 34 : 22})`,
      },
      h('rect', { class: 'depot', x: -room * 15 - 4, y: -15, width: room * 30 + 8, height: 30, rx: 8 }),
      held.map((kind, k) => piece(kind, (k - (room - 1) / 2) * 30, 0, 11)),
      h('title', null, say.depot(i + 1, held.map((kind) => say.kinds[kind] ?? kind).join(', '))),
    );
  });
}

function strongbox(own: Record<string, unknown>): Child {
  const box = viewOf(own['strongbox']);
  return h(
    'g',
    { transform: 'translate(134 58)' },
    h('rect', { class: 'chest', width: 210, height: 40, rx: 8 }),
    KINDS.map((kind, i) => [
      piece(kind, 22 + i * 51, 20, 10),
      svgText(44 + i * 51, 20, numberOf(box[kind]), { class: 'number' }),
    ]),
    h('title', null, say.strongbox),
  );
}

const SLOTS_TOP = 118; // of the development cards of a player: below the warehouse

function slots(scene: Scene, seat: number, own: Record<string, unknown>): Child {
  const details = viewOf(scene.view['cards']);
  const isKnown = scene.before !== null;
  const had = listOf(viewOf(listOf(scene.before?.['seats'])[seat])['slots']).flatMap((slot) => listOf(slot));
  return listOf(own['slots']).map((slot, i) => {
    const ids = listOf(slot).map(textOf);
    const top = ids[ids.length - 1];
    const texts = scene.me === seat ? scene.legal.filter((text) => text === `card ${i}`) : [];
    const stacked = [
      h('rect', { class: 'slot-place', x: 2, y: 4, width: 106, height: 180, rx: 10 }),
      ids.map((id, k) =>
        h(
          'g',
          { key: id, transform: `translate(0 ${k * 20 + 2})`, 'data-slide': `card ${id}` },
          cardFace(id, viewOf(details[id])),
          isKnown && !had.includes(id) && cardTrace('built', 2),
        ),
      ),
    ];
    const props = { key: `s${i}`, class: 'dev', transform: `translate(${i * 116 + 2} ${SLOTS_TOP})` };
    if (texts.length === 0 || top === undefined) return h('g', props, stacked);
    return target(
      scene,
      texts,
      say.produce(cardWords(top, viewOf(details[top]))),
      props,
      stacked,
      h('rect', { class: 'aim', x: 2, y: ids.length * 20 - 16, width: 106, height: 138, rx: 10 }),
    );
  });
}

function leaderRow(scene: Scene, seat: number, own: Record<string, unknown>): Child {
  const details = viewOf(scene.view['leaders']);
  const cards: Child[] = [];
  let producers = 0;
  const hand = listOf(own['hand']);
  if (scene.me === seat && scene.legal.some((text) => text.startsWith('keep '))) return null; // they are in the choice
  const hidden = hand.filter((id) => id === '?').length;
  for (const state of ['played', 'hand'] as const) {
    for (const [i, id] of listOf(own[state]).map(textOf).entries()) {
      if (id === '?') continue;
      const card = viewOf(details[id]);
      let texts: string[] = [];
      if (scene.me === seat && state === 'hand')
        texts = scene.legal.filter((text) => text === `play ${id}` || text === `discard ${id}`);
      if (state === 'played' && card['ability'] === 'production')
        texts = scene.me === seat ? starting(scene, `leader ${producers}`) : [];
      if (state === 'played' && card['ability'] === 'production') producers++;
      cards.push(
        h(
          texts.length > 0 ? 'button' : 'div',
          {
            key: `${state}${i}${id}`,
            class: `leader ${state}`,
            ...(texts.length > 0
              ? {
                  onclick: () => (texts.length === 1 ? scene.act(texts[0] ?? '') : scene.choose(texts)),
                  'data-actions': texts.join('|'),
                }
              : {}),
          },
          h('small', { class: 'state' }, say.leaderStates[state]),
          leaderFace(id, card),
        ),
      );
    }
  }
  return [
    cards.length > 0 && h('div', { class: 'leaders', key: 'leaders' }, cards),
    hidden > 0 && h('p', { class: 'quiet hidden-leaders' }, say.hiddenLeaders(hidden)),
  ];
}

/** All resources of a player, by kind. */
function stockOf(own: Record<string, unknown>): Record<string, number> {
  const stored = listOf(own['warehouse']).flatMap((depot) => listOf(depot));
  const box = viewOf(own['strongbox']);
  return Object.fromEntries(
    KINDS.map((kind) => [kind, numberOf(box[kind]) + stored.filter((held) => held === kind).length]),
  );
}

/** What a player has gained and paid since the viewer's last step. */
function gains(scene: Scene, seat: number, own: Record<string, unknown>): Child {
  if (scene.before === null) return null;
  const was = stockOf(viewOf(listOf(scene.before['seats'])[seat]));
  const now = stockOf(own);
  return KINDS.map((kind) => {
    const change = (now[kind] ?? 0) - (was[kind] ?? 0);
    if (change === 0) return null;
    const isGain = change > 0;
    return h(
      'span',
      { class: 'news', key: kind, 'data-mark': isGain ? 'taken' : 'paid' },
      isGain ? '+' : '−',
      amount(kind, Math.abs(change)),
    );
  });
}

/** Whose board it is, and what is told of its player. */
function playerLine(scene: Scene, seat: number, own: Record<string, unknown>): Child {
  return [
    h('svg', { class: 'dotmark', viewBox: '-8 -8 16 16' }, seatShape(seat, 14)),
    h('strong', null, scene.names[seat] ?? ''),
    h('span', { class: 'quiet' }, say.points(numberOf(own['points']))),
    h('span', { class: 'quiet' }, amount('faith', numberOf(own['faith']))),
    listOf(own['tiles']).map((tile) => h('span', { class: 'tile' }, `★${numberOf(tile)}`)),
    gains(scene, seat, own),
    own['away'] === true && h('span', { class: 'quiet' }, say.away),
  ];
}

/** The board of a player; those of others are drawers. */
function playerBoard(scene: Scene, seat: number, isOpen: boolean): Child {
  const own = viewOf(listOf(scene.view['seats'])[seat]);
  const name = say.boardOf(scene.names[seat] ?? '');
  const look = `panel player ${seatClass(seat)}`;
  const line = playerLine(scene, seat, own);
  const inside = [
    picture('estate', 352, SLOTS_TOP + 190, warehouse(own), strongbox(own), slots(scene, seat, own)),
    leaderRow(scene, seat, own),
  ];
  if (scene.me === seat)
    return h('section', { class: `${look} own`, key: `player${seat}`, 'aria-label': name }, h('header', null, line), inside);
  return h('div', { class: look, key: `player${seat}` }, drawer('drawer', name, isOpen, line, h('div', { class: 'stack' }, inside)));
}

/** On a phone, where the own board is behind another tab: what one could pay with. */
function purse(scene: Scene): Child {
  if (scene.me === null) return null;
  const stock = stockOf(viewOf(listOf(scene.view['seats'])[scene.me]));
  return h('p', { class: 'purse', key: 'purse' }, say.purse, ' ', KINDS.map((kind) => amount(kind, stock[kind] ?? 0)));
}

export const renaissance: Board = {
  draw(scene) {
    const { me } = scene;
    const count = listOf(scene.view['seats']).length;
    const order = Array.from({ length: count }, (_, i) => (i + (me ?? 0)) % count);
    const others = order.filter((seat) => seat !== me);
    const isOpen = me === null || (isPhone() && others.length === 1);
    const asked = [keepLeaders(scene), questions(scene, (text) => renaissance.words(text, scene))];
    const mine = me === null ? null : [playerBoard(scene, me, true), baseProduction(scene)];
    const rest = others.map((seat) => playerBoard(scene, seat, isOpen));
    const tables = [market(scene), grid(scene)];
    if (isPhone())
      return h(
        'div',
        { class: 'florence' },
        asked,
        tabbed(
          scene,
          [
            { key: 'mine', inside: mine },
            { key: 'table', inside: [purse(scene), tables, track(scene)] },
            { key: 'others', inside: rest },
          ],
          scene.legal.some((text) => /^(keep|put|fill|pay) /.test(text)),
        ),
      );
    return h(
      'div',
      { class: `florence ${me === null ? '' : 'seated'}` },
      me !== null && h('div', { class: 'stack', key: 'mine' }, asked, mine, rest),
      h('div', { class: 'public', key: 'public' }, tables),
      track(scene),
      me === null && h('div', { class: 'players', key: 'players' }, rest),
    );
  },
  words(text, scene) {
    const [verb = '', a = '', b = '', c = '', d = ''] = text.split(' ');
    const kind = (word: string) => say.kinds[word] ?? word;
    const leaders = viewOf(scene.view['leaders']);
    const leader = (id: string) => {
      const card = viewOf(leaders[id]);
      return card['ability'] === undefined
        ? say.hiddenLeader
        : `${say.abilities[textOf(card['ability'])]} (${kind(textOf(card['resource']))})`;
    };
    switch (verb) {
      case 'push':
        return say.push(a, Number(b) + 1, c);
      case 'fill':
        return b === '-' ? say.fillNone(Number(a) + 1) : say.fill(Number(a) + 1, b, Number(c));
      case 'buy':
        return say.buy(say.colours[a] ?? a, Number(b), Number(c) + 1);
      case 'base':
        return say.base(kind(a), kind(b), kind(c));
      case 'card':
        return say.useCard(Number(a) + 1);
      case 'leader':
        return say.useLeader(kind(b));
      case 'run':
        return say.run;
      case 'pay':
        return say.pay(kind(a), Number(b), Number(c), Number(d));
      case 'play':
        return say.play(leader(a));
      case 'discard':
        return say.discard(leader(a));
      case 'keep':
        return say.keep(leader(a), leader(b));
      case 'put':
        return say.put(kind(a), Number(b) + 1);
      case 'end':
        return say.end;
      case 'lay':
        return say.lays;
      case 'show':
        return say.shows;
      case 'deal':
        return say.deals(scene.names[Number(a)] ?? '');
      case 'reveal':
        return say.reveals;
      case 'token':
        return say.turnsToken;
      default:
        return text;
    }
  },
  ending({ view, names, me, winners }) {
    const by = textOf(view['by']);
    return by === 'points' ? say.mostPoints(whoOf(names, me, winners), winners.length > 1 || winners[0] === me) : (say.endings[by] ?? '');
  },
  hint(scene) {
    if (scene.legal.length === 0) return '';
    const own = viewOf(listOf(scene.view['seats'])[scene.me ?? 0]);
    if (own['setup'] === 'keep') return say.hintKeep;
    if (own['setup'] === 'put') return say.hintPut(numberOf(own['gifts']));
    return say.hints[textOf(scene.view['phase'])] ?? '';
  },
  covers() {
    return true;
  },
  tally(view) {
    const seats = listOf(view['seats']).map(viewOf);
    const worth = (details: unknown, ids: unknown[]) =>
      ids.reduce<number>((sum, id) => sum + numberOf(viewOf(viewOf(details)[textOf(id)])['points']), 0);
    const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
    const lines: [string, (own: Record<string, unknown>) => number][] = [
      [say.tally.cards, (own) => worth(view['cards'], listOf(own['slots']).flatMap((slot) => listOf(slot)))],
      [say.tally.faith, (own) => FAITH_POINTS[Math.floor(numberOf(own['faith']) / 3) * 3] ?? 0],
      [say.tally.tiles, (own) => sum(listOf(own['tiles']).map((tile) => numberOf(tile)))],
      [say.tally.leaders, (own) => worth(view['leaders'], listOf(own['played']))],
      [say.tally.resources, (own) => Math.floor(sum(Object.values(stockOf(own))) / RESOURCES_PER_POINT)],
      [say.tally.all, (own) => numberOf(own['points'])],
    ];
    return lines.map(([label, of]) => ({ label, values: seats.map(of) }));
  },
  score(points) {
    return say.points(Math.floor(points / SCORE_UNIT));
  },
  forced(legal) {
    const [only] = legal;
    return legal.length === 1 && only !== undefined && /^(pay|fill) /.test(only) ? only : null;
  },
};
