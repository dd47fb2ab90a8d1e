// The lobby: one click to a game against a bot, tables that wait for players, tables to watch and to replay.

import * as api from '../api';
import { go, link, redraw, setTitle, type Page } from '../app';
import { findTable, getCups, type CupRow } from '../cups';
import { emblem, icon } from '../icons';
import { subscribe, unsubscribe, type Message, type Subscription } from '../socket';
import { botLevel, dropTicket, keepLesson, keepTicket, ownCodes, playerName, setBotLevel, setPlayerName, ticketOf } from '../store';
import { pitches, words } from '../strings';
import { h, type Child } from '../vdom';
import { cupRow } from './cup_row';
import { NewTableDialog, optionsOf } from './new_table';
import { button, seatChips, tellRefusal } from './parts';

const FINISHED_MAX = 8;
const LEVEL_QUICK = 2; // until one was chosen
const CUPS_MAX = 6; // championships that are shown
const OWN_MAX = 12; // tables of one's own that are looked for

/** The player's name; the first time one is made up, so that nobody is asked before the first game. */
export function nameOrGuest(): string {
  if (playerName() === '') setPlayerName(words.guest(100 + Math.floor(Math.random() * 900)));
  return playerName();
}

/** Whether anybody is at a table: people who are all gone are not waited for, and bots among themselves are. */
function isVisited({ seats }: api.TableRow): boolean {
  const people = seats.filter((seat) => seat.kind === 'person');
  return people.length === 0 || people.some((seat) => seat.online);
}

/** Opens a table, sits down when the wish says so, and goes there; with a guide for a first game when that is wanted. */
export async function openTable(wish: api.NewTable, isGuided = false): Promise<void> {
  try {
    const table = await api.createTable(wish);
    const ticket = {
      seat: table.seat ?? -1,
      token: table.token ?? '',
      ...(table.owner_token ? { owner: table.owner_token } : {}),
    };
    keepTicket(table.code, ticket);
    if (isGuided) keepLesson(table.code, { step: 0, from: table.version });
    go(`/t/${table.code}`);
  } catch (refusal) {
    tellRefusal(refusal);
  }
}

export class Lobby implements Page, Subscription {
  private games: api.Game[] | null = null;
  private tables = new Map<string, api.TableRow>();
  private finished: api.TableRow[] = [];
  private own = new Map<string, api.TableRow>(); // as they were when the page was opened; the list has those that are not private anew
  private dialog: NewTableDialog | null = null;
  private code = '';
  private isConnected = true;
  private cups: CupRow[] = [];

  constructor() {
    setTitle(words.product);
    void this.load();
    subscribe(this);
  }

  closed(): void {
    unsubscribe(this);
  }

  hello(): Record<string, unknown> {
    return { type: 'lobby' };
  }

  goodbye(): Record<string, unknown> {
    return { type: 'unlobby' };
  }

  connected(isConnected: boolean): void {
    this.isConnected = isConnected;
    if (isConnected && this.games === null) void this.load();
    redraw();
  }

  heard(message: Message): void {
    if (message.type === 'lobby') {
      this.tables = new Map(message.tables.map((table) => [table.code, table]));
    } else if (message.type === 'lobby-table') {
      this.tables.delete(message.table.code);
      this.tables.set(message.table.code, message.table);
    } else if (message.type === 'lobby-gone') {
      this.tables.delete(message.code);
      this.own.delete(message.code);
      void this.loadFinished();
    }
    redraw();
  }

  private async load(): Promise<void> {
    try {
      // Those with a line of their own in its order, others behind them.
      const order = Object.keys(pitches);
      const rank = (game: api.Game) => (order.includes(game.name) ? order.indexOf(game.name) : order.length);
      this.games = (await api.getGames()).sort((a, b) => rank(a) - rank(b));
      redraw();
      await this.loadCups();
      await Promise.all([this.loadFinished(), this.loadOwn()]);
    } catch {
      // The socket says that the server is away, and calls again when it is back.
    }
  }

  /** Championships that can be entered or watched; a table of one's own in them is among one's own tables. */
  private async loadCups(): Promise<void> {
    try {
      this.cups = (await getCups()).filter(({ state }) => state !== 'finished' && state !== 'cancelled');
      await Promise.all(this.cups.map(findTable));
    } catch {
      // Without them the lobby is as useful.
    }
  }

  private async loadFinished(): Promise<void> {
    try {
      this.finished = await api.getTables('finished', FINISHED_MAX);
      redraw();
    } catch {
      // An old list is better than none.
    }
  }

  /** Where this browser has a seat, private tables, too. */
  private async loadOwn(): Promise<void> {
    await Promise.all(
      ownCodes()
        .slice(0, OWN_MAX)
        .map(async (code) => {
          const ticket = ticketOf(code);
          try {
            // Without the token: who looks at the lobby is not at the table, and others may see that it waits for nobody.
            const table = await api.getTable(code);
            if (table.over && ticket !== null) keepTicket(code, { ...ticket, isOver: true });
            else if (table.seats[ticket?.seat ?? -1]?.kind === 'person') this.own.set(code, table);
          } catch (refusal) {
            if (refusal instanceof api.Refusal && refusal.status === 404) dropTicket(code);
          }
        }),
    );
    redraw();
  }

  /** Tables of one's own that are not over: those where it is one's turn first. */
  private ownTables(): api.TableRow[] {
    const all = new Map(this.own);
    for (const table of this.tables.values())
      if ((ticketOf(table.code)?.token ?? '') !== '') all.set(table.code, table);
    return [...all.values()]
      .filter((table) => table.state !== 'finished')
      .sort((a, b) => Number(this.isMyTurn(b)) - Number(this.isMyTurn(a)) || b.made_ms - a.made_ms);
  }

  private isMyTurn(table: api.TableRow): boolean {
    const seat = ticketOf(table.code)?.seat;
    return seat !== undefined && table.state === 'running' && table.turn.includes(seat);
  }

  /** Two seats where the game has them, even when it can be played alone: the other one is a bot's. */
  private quick(game: api.Game, isGuided = false): void {
    const seats = Math.min(game.seats_max, Math.max(2, game.seats_min));
    const level = isGuided ? game.levels.min : this.level(game);
    const bots = Array.from({ length: seats - 1 }, (_, i) => ({ seat: i + 1, level }));
    void openTable({ game: game.name, options: optionsOf(game), bots, seats, seat: { name: nameOrGuest(), seat: 0 } }, isGuided);
  }

  private level({ levels }: api.Game): number {
    return Math.min(levels.max, Math.max(levels.min, botLevel() ?? LEVEL_QUICK));
  }

  private levels(game: api.Game): Child {
    const { min, max } = game.levels;
    return h(
      'div',
      { class: 'levels', role: 'group', 'aria-label': words.botLevels },
      h('small', null, words.botLevel),
      Array.from({ length: max - min + 1 }, (_, i) => min + i).map((level) =>
        button(
          String(level),
          () => {
            setBotLevel(level);
            redraw();
          },
          {
            key: level,
            'data-level': level,
            'aria-label': words.level(level),
            'aria-pressed': level === this.level(game) ? 'true' : 'false',
          },
        ),
      ),
    );
  }

  private openDialog(game: api.Game): void {
    this.dialog = new NewTableDialog(
      game,
      this.games ?? [],
      (wish, sits) => {
        this.dialog = null;
        if (sits && wish.seat !== undefined) wish.seat.name = nameOrGuest();
        void openTable(wish);
      },
      () => {
        this.dialog = null;
        redraw();
      },
    );
    redraw();
  }

  private card(game: api.Game): Child {
    return h(
      'article',
      { class: 'card', key: game.name, 'data-game': game.name },
      emblem(game.name),
      h('h2', null, game.title),
      h('p', null, pitches[game.name]?.line ?? ''),
      h(
        'div',
        { class: 'buttons' },
        button(
          [
            icon('play'),
            game.seats_max === 1 ? words.playSolo : words.playBot,
            game.seats_max > 1 && h('small', { class: 'level' }, words.level(this.level(game))),
            h('span', { class: 'sr' }, `: ${game.title}`),
          ],
          () => this.quick(game),
          { class: 'primary' },
        ),
        button(icon('plus'), () => this.openDialog(game), {
          'aria-label': words.newTableOf(game.title),
          title: words.newTableOf(game.title),
        }),
      ),
      game.seats_max > 1 && this.levels(game),
      pitches[game.name] !== undefined &&
        button([icon('help'), words.tourShort], () => this.quick(game, true), {
          class: 'learn',
          'aria-label': words.tourOf(game.title),
          title: words.tourOf(game.title),
        }),
    );
  }

  private titleOf(name: string): string {
    return this.games?.find((game) => game.name === name)?.title ?? name;
  }

  private row(table: api.TableRow): Child {
    const isMine = (ticketOf(table.code)?.token ?? '') !== '';
    const action =
      table.state === 'finished'
        ? words.replay
        : isMine
          ? words.resume
          : table.state === 'open'
            ? words.sitDown
            : words.watch;
    return h(
      'li',
      { key: table.code },
      link(
        `/t/${table.code}`,
        { class: 'table-row' },
        h('span', { class: 'row-game' }, this.titleOf(table.game), h('small', null, ` ${table.code}`)),
        h('span', { class: 'row-seats' }, seatChips(table.seats, table.result?.winners ?? [])),
        h(
          'span',
          { class: 'row-end' },
          table.protocol !== 'api' && h('small', null, words.viaProtocol(table.protocol)),
          h('small', null, words.ago(Math.floor((Date.now() - table.made_ms) / 60_000))),
          h('span', { class: 'go' }, isMine && this.isMyTurn(table) ? `${words.yourTurn}: ${words.resume}` : action),
        ),
      ),
    );
  }

  private list(title: string, tables: api.TableRow[], none: string): Child {
    return h(
      'section',
      { class: 'tables', key: title },
      h('h2', null, title, tables.length > 0 && h('small', null, ` ${tables.length}`)),
      tables.length === 0
        ? h('p', { class: 'quiet' }, none)
        : h(
            'ul',
            null,
            tables.map((table) => this.row(table)),
          ),
    );
  }

  private championships(): Child {
    const shown = this.cups.slice(0, CUPS_MAX);
    return h(
      'section',
      { class: 'tables cups', key: 'cups' },
      h('h2', null, words.cups.title, this.cups.length > 0 && h('small', null, ` ${this.cups.length}`)),
      h('ul', null, shown.map((cup) => cupRow(cup, this.titleOf(cup.type)))),
      link('/c', { class: 'to-cups' }, shown.length > 0 ? words.cups.all : words.cups.open),
    );
  }

  private join(): Child {
    return h(
      'form',
      {
        class: 'join',
        onsubmit: (event: Event) => {
          event.preventDefault();
          if (this.code.trim() !== '') go(`/t/${encodeURIComponent(this.code.trim().toUpperCase())}`);
        },
      },
      h('label', { for: 'code' }, words.joinByCode),
      h('input', {
        id: 'code',
        value: this.code,
        placeholder: words.codeHint,
        autocomplete: 'off',
        spellcheck: 'false',
        size: 8,
        oninput: (event: Event) => (this.code = (event.target as HTMLInputElement).value),
      }),
      h('button', null, words.open),
    );
  }

  view(): Child {
    const own = this.ownTables();
    const tables = [...this.tables.values()]
      .filter((table) => !own.some((mine) => mine.code === table.code) && isVisited(table))
      .sort((a, b) => b.made_ms - a.made_ms);
    return h(
      'main',
      { id: 'content', tabindex: -1, class: 'lobby' },
      own.length > 0 && h('div', { class: 'own', key: 'own' }, this.list(words.ownTables, own, '')),
      h('div', { class: 'hero' }, h('h1', null, words.tagline), this.join()),
      !this.isConnected && h('p', { class: 'banner', role: 'status' }, words.offline),
      this.games === null
        ? h('p', { class: 'quiet' }, words.loading)
        : h(
            'div',
            { class: 'cards' },
            this.games.map((game) => this.card(game)),
          ),
      h(
        'div',
        { class: 'lists' },
        this.list(
          words.openTables,
          tables.filter((table) => table.state === 'open'),
          words.noTablesOpen,
        ),
        this.list(
          words.runningTables,
          tables.filter((table) => table.state === 'running'),
          words.noTables,
        ),
        this.list(words.finishedTables, this.finished, words.noTables),
        this.championships(),
      ),
      h(
        'p',
        { class: 'quiet foot', key: 'foot' },
        link('/archive', {}, words.archive.title),
        this.games?.filter((game) => pitches[game.name] !== undefined).map((game) => link(`/rules/${game.name}`, { key: game.name }, words.rulesOf(game.title))),
        link('/connect', {}, words.connect.title),
      ),
      this.dialog?.view(),
    );
  }
}
