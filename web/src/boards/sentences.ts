// A position in sentences, for whoever listens instead of looking, or prefers to read: what lies where, who has what, in the words of the players.
// Nothing is said that the view has not. Games without sentences are shown by their names and values.

import type { View } from '../api';
import { boardWords } from '../strings';
import { h, type Child } from '../vdom';
import { isPoint, listOf, numberOf, textOf, viewOf } from './board';
import { amountWords, cardWords } from './renaissance_pieces';

const say = boardWords.text;

/** A heading, empty where none is needed, and what stands below it. */
interface Part {
  title: string;
  lines: string[];
}

const STEPS: [string, number, number][] = [
  ['N', 0, 1],
  ['NE', 1, 1],
  ['E', 1, 0],
  ['SE', 1, -1],
  ['S', 0, -1],
  ['SW', -1, -1],
  ['W', -1, 0],
  ['NW', -1, 1],
];
const PITCH = { x: 4, y: 5 }; // from the centre to its border

function soccer(view: View, names: string[]): Part[] {
  const ball = isPoint(view['ball']) ? view['ball'] : ([0, 0] as [number, number]);
  const lines = listOf(view['lines']).map((line) => listOf(line).filter(isPoint));
  const touched = new Set(lines.flat().map(String));
  const isDrawn = (x: number, y: number) =>
    lines.some(([a, b]) => [`${String(a)} ${String(b)}`, `${String(b)} ${String(a)}`].includes(`${String(ball)} ${x},${y}`));
  const ways = STEPS.map(([word, dx, dy]) => ({ word: boardWords.soccer.directions[word] ?? word, x: ball[0] + dx, y: ball[1] + dy }));
  const bounces = ways.filter(
    ({ x, y }) => !isDrawn(x, y) && Math.abs(x) <= PITCH.x && Math.abs(y) <= PITCH.y && (touched.has(`${x},${y}`) || Math.abs(x) === PITCH.x || Math.abs(y) === PITCH.y),
  );
  const drawn = ways.filter(({ x, y }) => isDrawn(x, y));
  return [
    {
      title: '',
      lines: [
        say.ball(ball[0], ball[1]),
        ...listOf(view['attacks']).map((goal, seat) => say.attacks(names[seat] ?? '', goal === 'top')),
        say.linesDrawn(lines.length),
        say.drawnFrom(drawn.map(({ word }) => word)),
        say.bouncesAt(bounces.map(({ word }) => word)),
      ],
    },
  ];
}

/** "3 grass, mountain, 2 water": the fields of a row from left to right. */
function rowWords(row: string): string {
  const runs: [string, number][] = [];
  for (const letter of row) {
    const last = runs[runs.length - 1];
    if (last?.[0] === letter) last[1]++;
    else runs.push([letter, 1]);
  }
  return runs.map(([letter, count]) => say.fields(letter, count)).join(', ');
}

function hunt(view: View, names: string[]): Part[] {
  const seats = listOf(view['seats']).map(viewOf);
  const at = (value: unknown) => (isPoint(value) ? say.at(value[0] + 1, value[1] + 1) : null);
  const own = seats.flatMap((seat, index) => {
    const name = names[index] ?? '';
    const places: [string | null, (name: string, place: string) => string][] = [
      [at(seat['position']), say.standsAt],
      [at(seat['fort']), say.fortAt],
      [at(seat['treasure']), say.treasureAt],
    ];
    return [
      `${boardWords.hunt.status(name, seat['collected'] === true, numberOf(seat['actions']))}.`,
      ...places.flatMap(([place, tell]) => (place === null ? [] : [tell(name, place)])),
    ];
  });
  const rows = listOf(view['map']).map((row, index) => say.row(index + 1, rowWords(textOf(row))));
  return [
    { title: '', lines: [...own, `${boardWords.hunt.left(numberOf(view['actions']), numberOf(view['actions-max']))}.`] },
    ...(rows.length > 0 ? [{ title: say.land, lines: rows }] : []),
  ];
}

function isle(view: View, names: string[]): Part[] {
  const words = boardWords.santorini;
  const seats = listOf(view['seats']).map(viewOf);
  const domes = new Set(listOf(view['domes']).map(String));
  const lines: string[] = [];
  listOf(view['heights']).forEach((row, r) =>
    [...textOf(row)].forEach((height, c) => {
      const who = seats
        .flatMap((seat, index) => listOf(seat['builders']).map((place, builder) => ({ place, name: words.builderOf(names[index] ?? '', builder + 1) })))
        .find(({ place }) => String(place) === `${r},${c}`)?.name;
      const isDomed = domes.has(`${r},${c}`);
      if (who !== undefined || isDomed || height !== '0') lines.push(`${words.field(words.cell(r + 1, c + 1), Number(height), isDomed, who ?? '')}.`);
    }),
  );
  const texts = new Map(listOf(view['gods']).map(viewOf).map((god) => [textOf(god['name']), textOf(god['text'])]));
  const gods = seats.flatMap((seat, index) => {
    const god = textOf(seat['power']) || textOf(seat['god']);
    return god === '' ? [] : [say.hasGod(names[index] ?? '', god, texts.get(god) ?? '')];
  });
  return [
    { title: '', lines: lines.length > 0 ? [...lines, say.elseGround] : [say.allGround] },
    ...(gods.length > 0 ? [{ title: say.gods, lines: gods }] : []),
  ];
}

const students = (value: unknown) => Object.entries(viewOf(value)).map(([color, count]): [string, number] => [color, numberOf(count)]);
const countOf = (value: unknown) => students(value).reduce((sum, [, count]) => sum + count, 0);

function schools(view: View, names: string[]): Part[] {
  const words = boardWords.eriantys;
  const professors = viewOf(view['professors']);
  const islands = listOf(view['islands']).map(viewOf);
  const characters = listOf(view['characters']).map(viewOf);
  return [
    { title: '', lines: [`${words.round(numberOf(view['round']) + 1, view['last-round'] === true)}.`, `${words.bag(countOf(view['bag']))}.`] },
    {
      title: say.islands,
      lines: islands.map(
        (one) => `${words.island(numberOf(one['id']), numberOf(one['size']), textOf(one['tower']), students(one['students']), one['mother'] === true)}${say.bans(numberOf(one['bans']))}.`,
      ),
    },
    { title: say.clouds, lines: listOf(view['clouds']).map((one, index) => `${words.cloud(index + 1, students(one))}.`) },
    ...(characters.length > 0
      ? [
          {
            title: say.characters,
            lines: characters.map((one) => {
              const about = words.characters[numberOf(one['id'])];
              return say.character(about?.title ?? '', words.coins(numberOf(one['cost'])), about?.text ?? '');
            }),
          },
        ]
      : []),
    ...listOf(view['seats'])
      .map(viewOf)
      .map((seat, index) => ({
        title: words.school(names[index] ?? ''),
        lines: [
          say.towers(numberOf(seat['towers'])),
          say.entrance(boardWords.students(students(seat['entrance']))),
          say.tables(boardWords.students(students(seat['dining']))),
          say.professors(Object.keys(professors).filter((color) => professors[color] === index).map((color) => words.colors[color] ?? color)),
          ...(view['mode'] === 'expert' ? [`${words.coins(numberOf(seat['coins']))}.`] : []),
          ...(typeof seat['assistant'] === 'number' ? [say.assistant(seat['assistant'])] : []),
          ...(Array.isArray(seat['hand']) ? [say.hand(seat['hand'].filter((one) => typeof one === 'number').join(', '))] : []),
        ],
      })),
  ];
}

function florence(view: View, names: string[]): Part[] {
  const words = boardWords.renaissance;
  const cards = viewOf(view['cards']);
  const leaders = viewOf(view['leaders']);
  const solo = viewOf(view['lorenzo']);
  const card = (id: string) => cardWords(id, viewOf(cards[id]));
  const marbles = (row: string) => [...row].map((letter) => words.marbles[letter] ?? letter).join(', ');
  const leader = (id: string) => {
    const details = viewOf(leaders[id]);
    const kind = textOf(details['resource']);
    return words.abilityTexts[textOf(details['ability'])]?.(words.kinds[kind] ?? kind) ?? '';
  };
  return [
    {
      title: words.market,
      lines: [...listOf(view['market']).map((row, index) => say.row(index + 1, marbles(textOf(row)))), say.free(marbles(textOf(view['free'])))],
    },
    ...(typeof solo['faith'] === 'number' ? [{ title: '', lines: [`${words.lorenzo(solo['faith'], textOf(solo['token']))}.`] }] : []),
    { title: words.cards, lines: listOf(view['grid']).flatMap((id) => (typeof id === 'string' ? [`${card(id)}.`] : [])) },
    ...listOf(view['seats'])
      .map(viewOf)
      .map((seat, index) => {
        const box = amountWords(seat['strongbox']);
        const hand = listOf(seat['hand']).map(textOf);
        return {
          title: words.boardOf(names[index] ?? ''),
          lines: [
            say.faithAndPoints(numberOf(seat['faith']), words.points(numberOf(seat['points']))),
            ...listOf(seat['warehouse']).map((held, depot) => `${words.depot(depot + 1, listOf(held).map((kind) => words.kinds[textOf(kind)] ?? textOf(kind)).join(', '))}.`),
            say.strongbox(box === '' ? words.nothing : box),
            ...listOf(seat['slots']).map((slot, number) => say.slot(number + 1, listOf(slot).map((id) => card(textOf(id))).join('; '))),
            ...listOf(seat['played']).map((id) => say.leaderPlayed(leader(textOf(id)))),
            ...hand.filter((id) => id !== '?').map((id) => say.leaderHeld(leader(id))),
            ...(hand.includes('?') ? [`${words.hiddenLeaders(hand.filter((id) => id === '?').length)}.`] : []),
          ],
        };
      }),
  ];
}

const TELLERS: Record<string, (view: View, names: string[]) => Part[]> = {
  'paper-soccer': soccer,
  'treasure-hunt': hunt,
  santorini: isle,
  eriantys: schools,
  renaissance: florence,
};

/** The position in sentences; null for a game that has none. */
export function sentencesOf(game: string, view: View, names: string[]): Child {
  const parts = TELLERS[game]?.(view, names);
  if (parts === undefined) return null;
  return h(
    'div',
    { class: 'plain-board sentences' },
    parts.map(({ title, lines }) => [title !== '' && h('h4', null, title), h('ul', null, lines.filter((line) => line !== '').map((line) => h('li', null, line.charAt(0).toUpperCase() + line.slice(1))))]),
  );
}
