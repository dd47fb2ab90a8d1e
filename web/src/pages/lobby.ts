// The lobby: one click to a game against a bot, tables that wait for players, tables to watch and to replay.

import * as api from '../api';
import { go, link, notify, redraw, setTitle, type Page } from '../app';
import { emblem, icon } from '../icons';
import { subscribe, unsubscribe, type Message, type Subscription } from '../socket';
import { keepTicket, playerName, setPlayerName, ticketOf } from '../store';
import { pitches, words } from '../strings';
import { h, type Child } from '../vdom';
import { NewTableDialog } from './new_table';
import { button, seatChips } from './parts';

const FINISHED_MAX = 8;
const LEVEL_QUICK = 2;

/** The player's name; the first time one is made up, so that nobody is asked before the first game. */
export function nameOrGuest(): string {
  if (playerName() === '') setPlayerName(words.guest(100 + Math.floor(Math.random() * 900)));
  return playerName();
}

/** Opens a table, sits down when the wish says so, and goes there. */
export async function openTable(wish: api.NewTable): Promise<void> {
  try {
    const table = await api.createTable(wish);
    const ticket = {
      seat: table.seat ?? -1,
      token: table.token ?? '',
      ...(table.owner_token ? { owner: table.owner_token } : {}),
    };
    keepTicket(table.code, ticket);
    go(`/t/${table.code}`);
  } catch (refusal) {
    if (!(refusal instanceof api.Refusal)) throw refusal;
    notify(refusal.status === 0 ? words.unreachable : words.refusedBy(refusal.reason, refusal.rule));
  }
}

export class Lobby implements Page, Subscription {
  private games: api.Game[] | null = null;
  private tables = new Map<string, api.TableRow>();
  private finished: api.TableRow[] = [];
  private dialog: NewTableDialog | null = null;
  private code = '';
  private isConnected = true;

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
      await this.loadFinished();
    } catch {
      // The socket says that the server is away, and calls again when it is back.
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

  /** Two seats where the game has them, even when it can be played alone: the other one is a bot's. */
  private quick(game: api.Game): void {
    const seats = Math.min(game.seats_max, Math.max(2, game.seats_min));
    const bots = Array.from({ length: seats - 1 }, (_, i) => ({ seat: i + 1, level: LEVEL_QUICK }));
    void openTable({ game: game.name, bots, seats, seat: { name: nameOrGuest(), seat: 0 } });
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
          [icon('play'), game.seats_max === 1 ? words.playSolo : words.playBot],
          () => this.quick(game),
          {
            class: 'primary',
            'aria-label': words.playBotAt(game.title),
          },
        ),
        button(icon('plus'), () => this.openDialog(game), {
          'aria-label': words.newTableOf(game.title),
          title: words.newTableOf(game.title),
        }),
      ),
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
          h('span', { class: 'go' }, action),
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
    const tables = [...this.tables.values()].sort((a, b) => b.made_ms - a.made_ms);
    return h(
      'main',
      { id: 'content', tabindex: -1, class: 'lobby' },
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
      ),
      this.dialog?.view(),
    );
  }
}
