// Tables that are over: all of them with a search (/archive), and those of one name with its results (/p/NAME).

import { getGames, type Game, type TableRow } from '../api';
import { go, link, redraw, setTitle, type Page } from '../app';
import { getRatings, type Rating } from '../cups';
import { fareOf, Past } from '../past';
import { gameNames, titleOf } from '../titles';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { button, seatChips } from './parts';

const SHOWN_MAX = 200; // rows; a narrower search shows others
const DAY_MS = 24 * 60 * 60 * 1000;

function row(table: TableRow): Child {
  return h(
    'li',
    { key: table.code },
    link(
      `/t/${table.code}`,
      { class: 'table-row' },
      h('span', { class: 'row-game' }, titleOf(table.game), h('small', null, ` ${table.code}`)),
      h('span', { class: 'row-seats' }, seatChips(table.seats, table.result?.winners ?? [])),
      h(
        'span',
        { class: 'row-end' },
        table.protocol !== 'api' && h('small', null, words.viaProtocol(table.protocol)),
        h('small', null, new Date(table.made_ms).toLocaleDateString()),
        h('span', { class: 'go' }, words.replay),
      ),
    ),
  );
}

/** The rows, how many there are, and how to look further back. */
function rows(tables: TableRow[], past: Past): Child {
  return h(
    'section',
    { class: 'tables', key: 'found' },
    h('p', { class: 'quiet', role: 'status' }, past.hasFailed ? words.unreachable : words.archive.found(tables.length, past.tables.length)),
    h(
      'ul',
      null,
      tables.slice(0, SHOWN_MAX).map((table) => row(table)),
    ),
    past.hasMore && button(past.isReading ? words.loading : words.archive.more, () => void past.read(), { disabled: past.isReading }),
  );
}

export class Archive implements Page {
  private past: Past;
  private wish = { game: '', player: '', protocol: '', from: '', to: '' };

  constructor() {
    setTitle(`${words.archive.title} · ${words.product}`);
    this.past = new Past('', redraw);
    void this.past.read();
  }

  closed(): void {
    // Nothing goes on.
  }

  private set(name: keyof Archive['wish'], value: string): void {
    this.wish[name] = value;
    if (name === 'game') {
      this.past = new Past(value, redraw);
      void this.past.read();
    }
    redraw();
  }

  private fits(table: TableRow): boolean {
    const { player, protocol, from, to } = this.wish;
    const name = player.trim().toLowerCase();
    const day = (text: string) => new Date(`${text}T00:00`).getTime();
    return (
      (name === '' || table.seats.some((seat) => seat.name.toLowerCase().includes(name))) &&
      (protocol === '' || table.protocol === protocol || table.seats.some((seat) => seat.protocol === protocol)) &&
      (from === '' || table.made_ms >= day(from)) &&
      (to === '' || table.made_ms < day(to) + DAY_MS)
    );
  }

  private field(name: keyof Archive['wish'], label: string, input: Child): Child {
    return h('label', { key: name }, h('span', null, label), input);
  }

  private select(name: 'game' | 'protocol', options: [string, string][]): Child {
    return h(
      'select',
      { name, value: this.wish[name], onchange: (event: Event) => this.set(name, (event.target as HTMLSelectElement).value) },
      h('option', { value: '' }, words.archive.any),
      options.map(([value, text]) => h('option', { value, key: value }, text)),
    );
  }

  private input(name: 'player' | 'from' | 'to', type: string): Child {
    return h('input', {
      name,
      type,
      value: this.wish[name],
      oninput: (event: Event) => this.set(name, (event.target as HTMLInputElement).value),
    });
  }

  view(): Child {
    const protocols = [...new Set(this.past.tables.flatMap((table) => [table.protocol, ...table.seats.map((seat) => seat.protocol)]))];
    const { archive } = words;
    return h(
      'main',
      { id: 'content', tabindex: -1, class: 'archive' },
      h('h1', null, archive.title),
      h(
        'form',
        { class: 'search', role: 'search', onsubmit: (event: Event) => event.preventDefault() },
        this.field('game', words.game, this.select('game', gameNames().map((name) => [name, titleOf(name)]))),
        this.field('player', archive.player, this.input('player', 'search')),
        this.field('protocol', archive.protocol, this.select('protocol', protocols.filter((one) => one !== '' && one !== 'bot').map((one) => [one, one]))),
        this.field('from', archive.from, this.input('from', 'date')),
        this.field('to', archive.to, this.input('to', 'date')),
      ),
      rows(this.past.tables.filter((table) => this.fits(table)), this.past),
    );
  }
}

interface Tally {
  won: number;
  drawn: number;
  lost: number;
}

export class Profile implements Page {
  private readonly past = new Past('', redraw);
  private ratings: { game: Game; rating: Rating }[] = [];

  constructor(private readonly name: string) {
    setTitle(`${name} · ${words.product}`);
    void this.past.read();
    void this.readRatings();
  }

  /** By game; what cannot be read is not shown. */
  private async readRatings(): Promise<void> {
    const games = await getGames().catch(() => []);
    const all = await Promise.all(
      games.map(async (game) => {
        const own = (await getRatings(game.name).catch(() => [])).filter(({ name, bot }) => name === this.name && bot === null);
        return own.map((rating) => ({ game, rating }));
      }),
    );
    this.ratings = all.flat();
    redraw();
  }

  private rated(): Child {
    if (this.ratings.length === 0) return null;
    const heads = [words.game, words.archive.rating, words.archive.games];
    return h(
      'table',
      { class: 'tally rated', key: 'rated' },
      h('thead', null, h('tr', null, heads.map((head) => h('th', { scope: 'col' }, head)))),
      h(
        'tbody',
        null,
        this.ratings.map(({ game, rating }) =>
          h('tr', null, h('th', { scope: 'row' }, game.title), h('td', null, `${Math.round(rating.rating)} ± ${Math.round(rating.deviation)}`), h('td', null, String(rating.games))),
        ),
      ),
    );
  }

  closed(): void {
    // Nothing goes on.
  }

  private seatOf(table: TableRow): number {
    return table.seats.findIndex((seat) => seat.kind === 'person' && seat.name === this.name);
  }

  /** Results under one heading: of games, or of opponents. */
  private results(title: string, tables: TableRow[], keysOf: (table: TableRow, seat: number) => string[], cell: (key: string) => Child): Child {
    const all = new Map<string, Tally>();
    for (const table of tables) {
      const seat = this.seatOf(table);
      const fare = fareOf(table, seat);
      if (fare === null) continue;
      for (const key of keysOf(table, seat)) {
        const tally = all.get(key) ?? { won: 0, drawn: 0, lost: 0 };
        tally[fare]++;
        all.set(key, tally);
      }
    }
    const heads = [title, words.archive.won, words.archive.drawn, words.archive.lost];
    return h(
      'table',
      { class: 'tally', key: title },
      h('thead', null, h('tr', null, heads.map((head) => h('th', { scope: 'col' }, head)))),
      h(
        'tbody',
        null,
        [...all].map(([key, tally]) =>
          h(
            'tr',
            { key },
            h('th', { scope: 'row' }, cell(key)),
            [tally.won, tally.drawn, tally.lost].map((count) => h('td', null, String(count))),
          ),
        ),
      ),
    );
  }

  view(): Child {
    const own = this.past.tables.filter((table) => this.seatOf(table) >= 0);
    const others = (table: TableRow, seat: number) => table.seats.filter((_, other) => other !== seat).map((one) => one.name);
    const isPerson = (name: string) => own.some((table) => table.seats.some((seat) => seat.kind === 'person' && seat.name === name));
    return h(
      'main',
      { id: 'content', tabindex: -1, class: 'archive' },
      h('h1', null, this.name),
      (own.length > 0 || this.ratings.length > 0) &&
        h(
          'div',
          { class: 'results' },
          this.rated(),
          own.length > 0 && this.results(words.game, own, (table) => [table.game], (game) => titleOf(game)),
          own.length > 0 && this.results(words.archive.opponent, own, others, (name) => (isPerson(name) ? link(`/p/${encodeURIComponent(name)}`, {}, name) : name)),
        ),
      rows(own, this.past),
      button(words.archive.title, () => go('/archive'), { key: 'archive' }),
    );
  }
}
