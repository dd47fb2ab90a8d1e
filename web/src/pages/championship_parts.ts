// What the page of a championship shows: how it stands, who met whom, all games, and files to take along.

import { link } from '../app';
import { cupPath, pointsText, ratingText, type Cup, type Entrant, type Pairing, type Standing } from '../cups';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import type { CupWords } from '../words/en_cups';
import { button } from './parts';

const CROSS_MAX = 24; // entrants of a crosstable
const ROUNDS_OPEN_MAX = 8; // of one that is over, which are not folded

/** What is wider than the page scrolls within it. */
function scroller(title: string, table: Child): Child {
  return h('div', { class: 'scroller', tabindex: 0, role: 'group', 'aria-label': title }, table);
}

/** Whether rounds follow each other; where everybody meets everybody all of them are played at the same time. */
const hasRounds = ({ format = '' }: Cup) => !format.endsWith('round-robin');

export function head(cup: Cup, title: string, say: CupWords): Child {
  const [first] = cup.standings;
  const { round = 0, pairings_planned: planned = 0, pairings_decided: decided = 0 } = cup;
  return [
    h('h1', { key: 'name' }, cup.name),
    h(
      'p',
      { class: 'cup-line', key: 'line' },
      h('strong', { class: `cup-state ${cup.state}` }, words.cups.states[cup.state] ?? cup.state),
      h('span', null, title),
      h('span', null, say.formats[cup.format ?? ''] ?? say.ofProtocol),
      h('span', null, words.cups.entrants(cup.entered)),
      hasRounds(cup) && round > 0 && h('span', null, say.round(round)),
      planned > 0 && h('span', null, say.decided(decided, planned)),
    ),
    cup.state === 'finished' && first !== undefined && h('p', { class: 'cup-winner', key: 'winner' }, h('span', { class: 'star', 'aria-hidden': 'true' }, '★ '), say.winner(first.nick)),
    cup.format === undefined && h('p', { class: 'quiet', key: 'how' }, say.howToLogIn(cup.name)),
  ];
}

function noteOf(entrant: Entrant | undefined, say: CupWords): string {
  if (entrant === undefined) return '';
  if (entrant.disqualified) return entrant.why === '' ? say.disqualified : `${say.disqualified}: ${entrant.why}`;
  if (entrant.gone) return say.gone;
  return entrant.bot === null ? '' : words.seatBot(entrant.bot);
}

/** One of the Universal Game System counts fewer things. */
export function standings(cup: Cup, say: CupWords): Child {
  if (cup.standings.length === 0) return h('p', { class: 'quiet', key: 'standings' }, say.nobody);
  const entrants = new Map(cup.entrants.map((one) => [one.name, one]));
  const columns: [keyof Standing, string, string?][] = [
    ['points', say.points],
    ['played', say.played],
    ['won', say.won],
    ['drawn', say.drawn],
    ['lost', say.lost],
    ['rating', say.rating, say.ratingAbout],
    ...say.ties.map(([key, text, title]): [keyof Standing, string, string] => [key as keyof Standing, text, title]),
  ];
  const shown = columns.filter(([key]) => cup.standings[0]?.[key] !== undefined);
  return h(
    'section',
    { key: 'standings' },
    h('h2', null, say.standings),
    scroller(
      say.standings,
      h(
        'table',
        { class: 'standings' },
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, say.place), h('th', { scope: 'col' }, say.player), shown.map(([, text, title]) => h('th', { scope: 'col', title }, text)))),
        h(
          'tbody',
          null,
          cup.standings.map((row, index) => {
            const entrant = entrants.get(row.nick);
            const isPerson = entrant === undefined || entrant.bot === null;
            const note = noteOf(entrant, say);
            return h(
              'tr',
              { key: row.nick, class: cup.you?.name === row.nick ? 'own-row' : '' },
              h('td', null, row.place ?? index + 1),
              h('th', { scope: 'row' }, isPerson ? link(`/p/${encodeURIComponent(row.nick)}`, null, row.nick) : row.nick, note !== '' && h('small', null, ` ${note}`)),
              shown.map(([key]) => h('td', { 'data-column': key }, key === 'rating' ? ratingText(row) : pointsText(Number(row[key])))),
            );
          }),
        ),
      ),
    ),
  );
}

/** For each two names what the first has got where they met: points that lead to the tables. */
function meetings(cup: Cup, say: CupWords): Map<string, Child[]> {
  const met = new Map<string, Child[]>();
  for (const { players, points, table, number } of cup.pairings) {
    if (table === null || points.length === 0) continue;
    players.forEach((row, i) =>
      players.forEach((column, j) => {
        if (i === j) return;
        const text = pointsText(points[i] ?? 0);
        const key = `${row}\n${column}`;
        met.set(key, [...(met.get(key) ?? []), link(`/t/${table}`, { key: number, 'aria-label': say.crossCell(row, column, text) }, text)]);
      }),
    );
  }
  return met;
}

/** Rows and columns in the order of the standings. */
export function crosstable(cup: Cup, say: CupWords): Child {
  const names = cup.standings.map((row) => row.nick);
  if (names.length < 2 || cup.pairings.length === 0) return null;
  if (names.length > CROSS_MAX) return h('p', { class: 'quiet', key: 'cross' }, say.crossMany);
  const met = meetings(cup, say);
  return h(
    'section',
    { key: 'cross' },
    h('h2', null, say.cross),
    h('p', { class: 'quiet' }, say.crossAbout),
    scroller(
      say.cross,
      h(
        'table',
        { class: 'cross' },
        h('thead', null, h('tr', null, h('td', null), names.map((name, i) => h('th', { scope: 'col', title: name }, h('span', { 'aria-hidden': 'true' }, i + 1), h('span', { class: 'sr' }, name))))),
        h(
          'tbody',
          null,
          names.map((row, i) =>
            h(
              'tr',
              { key: row },
              h('th', { scope: 'row' }, h('span', { class: 'number', 'aria-hidden': 'true' }, i + 1), ' ', row),
              names.map((column) => h('td', { class: row === column ? 'self' : '' }, met.get(`${row}\n${column}`) ?? '')),
            ),
          ),
        ),
      ),
    ),
  );
}

const WHY_TOLD = ['violation', 'time']; // reasons that leave open what exactly it was

/** How a pairing ended, or that it has not: a lost one says why. */
function fateOf({ state, how, loser, reason, why }: Pairing, say: CupWords): string {
  if (state === 'playing') return say.plays;
  if (state === 'waiting') return say.waits;
  if (loser === null) return say.how[how] ?? '';
  const text = say.reasons[reason]?.(loser) ?? '';
  return why !== '' && WHY_TOLD.includes(reason) ? `${text} (${why})` : text;
}

/** What a table was lost by: the rule, what was sent, and the time that it took. */
function causeOf({ rule, sent, stamps }: Pairing, say: CupWords): Child {
  const seconds = (ms: number) => `${Math.round(ms / 10) / 100} s`;
  if (!stamps) return null;
  return h(
    'small',
    { class: 'cup-cause' },
    [rule ?? '', stamps.allowed_ms > 0 ? say.usedOf(seconds(stamps.used_ms), seconds(stamps.allowed_ms)) : say.used(seconds(stamps.used_ms))]
      .filter((text) => text !== '')
      .join(', '),
    sent ? [`, ${say.sent} `, h('code', null, sent)] : null,
  );
}

function game(pairing: Pairing, say: CupWords, replay: ((pairing: Pairing) => void) | null): Child {
  const { number, players, points, state, table } = pairing;
  const fate = fateOf(pairing, say);
  const isDecided = state === 'decided';
  return h(
    'li',
    { key: number, class: `cup-game ${state}`, 'data-pairing': number },
    h('span', { class: 'cup-players' }, players.join(' – ')),
    points.length > 0 && h('strong', null, points.map(pointsText).join(' : ')),
    fate !== '' && h('small', null, fate),
    causeOf(pairing, say),
    table !== null &&
      h(
        'span',
        { class: 'cup-links' },
        link(`/t/${table}`, null, isDecided ? words.replay : words.watch),
        isDecided && h('a', { href: `/api/v1/tables/${table}/journal`, download: `${table}.json` }, say.journal),
        replay !== null && button(say.again, () => replay(pairing), { class: 'replay-pair' }),
      ),
  );
}

/** Round by round; of one that runs those are unfolded that are being played. */
export function allGames(cup: Cup, say: CupWords, replay: ((pairing: Pairing) => void) | null): Child {
  if (cup.format === undefined) return null;
  const rounds = new Map<number, Pairing[]>();
  for (const pairing of cup.pairings) rounds.set(pairing.round, [...(rounds.get(pairing.round) ?? []), pairing]);
  const isOver = cup.state === 'finished' || cup.state === 'cancelled';
  return h(
    'section',
    { key: 'games', class: 'cup-games' },
    h('h2', null, say.games),
    rounds.size === 0 && h('p', { class: 'quiet' }, say.noGames),
    [...rounds].map(([round, pairings]) =>
      h(
        'details',
        { key: round, open: isOver ? rounds.size <= ROUNDS_OPEN_MAX : pairings.some(({ state }) => state === 'playing') },
        h('summary', null, say.round(round), h('small', null, ` ${say.decided(pairings.filter(({ state }) => state === 'decided').length, pairings.length)}`)),
        h('ul', null, pairings.map((pairing) => game(pairing, say, isOver ? null : replay))),
      ),
    ),
  );
}

export function files(cup: Cup, say: CupWords): Child {
  if (cup.format === undefined) return null;
  const path = `/api/v1${cupPath(cup.name)}`;
  const file = (address: string, ending: string, text: string) => h('a', { href: address, download: `${cup.name}${ending}` }, text);
  return h(
    'p',
    { class: 'quiet cup-files', key: 'files' },
    say.files,
    file(`${path}/standings.csv`, '-standings.csv', say.standingsCsv),
    file(`${path}/pairings.csv`, '-games.csv', say.gamesCsv),
    file(path, '.json', say.json),
  );
}
