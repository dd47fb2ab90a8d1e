// One championship (/c/NAME), live: to enter and to play in it, for its owner to direct it, and what has come of it so far.

import * as api from '../api';
import { link, redraw, setTitle, type Page } from '../app';
import * as cups from '../cups';
import { Question } from '../dialogs';
import { call, play } from '../notice';
import { subscribe, unsubscribe, type Message, type Subscription } from '../socket';
import { playerName, setPlayerName } from '../store';
import { words } from '../strings';
import { titleOf } from '../titles';
import { h, type Child } from '../vdom';
import type { CupWords } from '../words/en_cups';
import { allGames, crosstable, files, head, standings } from './championship_parts';
import { nameOrGuest } from './lobby';
import { Director } from './director';
import { button, tellRefusal } from './parts';
import { SmallTable } from './small_table';

const SMALL_MAX = 6; // tables that are shown in small
const READ_GAP_MS = 400; // from one reading to the next, however often something changes
const LOOK_AGAIN_MS = 5000; // at one that does not say when it changes

export class Championship implements Page, Subscription {
  private say: CupWords | null = null;
  private cup: cups.Cup | null = null;
  private refusal: api.Refusal | null = null;
  private isConnected = true;
  private isClosed = false;
  private isReading = false;
  private isStale = false; // something has changed since it was read
  private tables = new Map<string, SmallTable>();
  private waiting: string | null = null; // the table that waits for the viewer
  private typed: string | null = null;
  private readonly question = new Question();
  private readonly director: Director;

  constructor(private readonly name: string) {
    setTitle(`${name} · ${words.product}`);
    this.director = new Director(name, this.question, (run) => this.attempt(run));
    void cups.cupWords().then((say) => {
      this.say = say;
      redraw();
    });
    subscribe(this);
    void this.read();
  }

  closed(): void {
    this.isClosed = true;
    unsubscribe(this);
    for (const table of this.tables.values()) unsubscribe(table);
  }

  hello(): Record<string, unknown> {
    return { type: 'watch-championship', name: this.name };
  }

  goodbye(): Record<string, unknown> {
    return { type: 'unwatch-championship', name: this.name };
  }

  connected(isConnected: boolean): void {
    this.isConnected = isConnected;
    redraw();
  }

  heard(message: Message): void {
    if (message.type === 'championship' && message.championship.name === this.name) void this.read();
  }

  /** Reads all of it; what changes meanwhile is read a moment later. */
  private async read(): Promise<void> {
    this.isStale = true;
    if (this.isReading) return;
    this.isReading = true;
    while (this.isStale && !this.isClosed) {
      this.isStale = false;
      await this.readOnce();
      redraw();
      await new Promise((resolve) => window.setTimeout(resolve, READ_GAP_MS));
    }
    this.isReading = false;
  }

  private async readOnce(): Promise<void> {
    const { owner, token } = cups.cupKeysOf(this.name);
    try {
      this.cup = await cups.getCup(this.name, token);
      this.refusal = null;
      cups.keepSeat(this.cup);
      this.follow(this.cup);
    } catch (refusal) {
      if (!(refusal instanceof api.Refusal)) throw refusal;
      if (refusal.status === 401 && token !== undefined) {
        cups.keepCupKeys(this.name, owner === undefined ? null : { owner }); // an entry that was taken back
        this.isStale = true;
      } else if (refusal.status === 404) {
        await this.readFromList(refusal);
      } else {
        this.refusal = refusal;
      }
    }
  }

  /** One of the Universal Game System stands in the list alone, and does not say when it changes. */
  private async readFromList(refusal: api.Refusal): Promise<void> {
    const row = (await cups.getCups().catch(() => [])).find(({ name }) => name === this.name);
    if (row === undefined) {
      this.refusal = refusal;
      return;
    }
    this.cup = { ...row, entrants: [], pairings: [], you: null };
    if (row.state !== 'finished') window.setTimeout(() => void this.read(), LOOK_AGAIN_MS);
  }

  /** Watches some of the tables that are played now, and calls whoever is waited for at one. */
  private follow({ pairings, you }: cups.Cup): void {
    const now = pairings.flatMap(({ state, table }) => (state === 'playing' && table !== null ? [table] : [])).slice(0, SMALL_MAX);
    for (const [code, table] of this.tables)
      if (!now.includes(code)) {
        unsubscribe(table);
        this.tables.delete(code);
      }
    for (const code of now) if (!this.tables.has(code)) this.tables.set(code, new SmallTable(code));
    const waiting = you?.table ?? null;
    setTitle(`${waiting === null ? '' : `${words.yourTurnTitle} · `}${this.name} · ${words.product}`);
    if (waiting !== null && waiting !== this.waiting) {
      play('turn');
      call(this.say?.yourTable ?? '', this.name, waiting);
    }
    this.waiting = waiting;
  }

  private async attempt(run: () => Promise<unknown>): Promise<void> {
    await run().catch(tellRefusal);
    void this.read();
  }

  private enter(): Promise<void> {
    const name = (this.typed ?? playerName()).trim() || nameOrGuest();
    if (playerName() === '') setPlayerName(name);
    return this.attempt(() => cups.enterCup(this.name, name));
  }

  private withdraw(say: CupWords): void {
    const { token, owner } = cups.cupKeysOf(this.name);
    this.question.ask(say.withdrawSure, say.withdraw, () =>
      void this.attempt(async () => {
        await cups.directCup(this.name, 'leave', {}, token);
        cups.keepCupKeys(this.name, owner === undefined ? null : { owner });
      }),
    );
  }

  /** What the viewer has to do with it: to enter, to play, to withdraw. */
  private own(cup: cups.Cup, say: CupWords): Child {
    const { you, state } = cup;
    const isOver = state === 'finished' || state === 'cancelled';
    if (you !== null)
      return h(
        'section',
        { class: 'cup-box cup-own', key: 'own', role: 'status' },
        you.table !== null && link(`/t/${you.table}`, { class: 'button primary big' }, say.yourTable),
        h('p', null, say.entered(you.name), you.table === null && !isOver && ` ${say.noTable}`),
        !isOver && button(say.withdraw, () => this.withdraw(say), { class: 'withdraw' }),
      );
    if (cup.format === undefined || !(state === 'open' || (cup.format === 'ladder' && state === 'running'))) return null;
    return h(
      'form',
      {
        class: 'join cup-box cup-enter',
        key: 'enter',
        onsubmit: (event: Event) => {
          event.preventDefault();
          void this.enter();
        },
      },
      h('label', { for: 'cup-as' }, say.enterAs),
      h('input', {
        id: 'cup-as',
        value: this.typed ?? playerName(),
        maxlength: 30,
        autocomplete: 'nickname',
        oninput: (event: Event) => (this.typed = (event.target as HTMLInputElement).value),
      }),
      h('button', { class: 'primary' }, say.enter),
    );
  }

  private playing(say: CupWords): Child {
    const tables = [...this.tables.values()].map((table) => table.view());
    if (tables.length === 0) return null;
    return h('section', { key: 'now' }, h('h2', null, say.now), h('ul', { class: 'small-tables' }, tables));
  }

  view(): Child {
    const { say, cup } = this;
    const main = (...children: Child[]) => h('main', { id: 'content', tabindex: -1, class: 'cup', key: `cup-${this.name}` }, ...children);
    if (say === null || (cup === null && this.refusal === null)) return main(h('p', { class: 'quiet' }, words.loading));
    const all = link('/c', { class: 'to-cups', key: 'all' }, words.cups.all);
    if (cup === null) return main(h('h1', null, this.refusal?.status === 404 ? say.unknown : words.unreachable), all);
    const isOwner = cups.cupKeysOf(this.name).owner !== undefined;
    return main(
      head(cup, titleOf(cup.type), say),
      !this.isConnected && h('p', { class: 'banner', role: 'status', key: 'cut' }, words.reconnecting),
      this.own(cup, say),
      isOwner && this.director.view(cup, say),
      standings(cup, say),
      this.playing(say),
      crosstable(cup, say),
      allGames(cup, say, isOwner ? (pairing) => this.director.replay(pairing, say) : null),
      files(cup, say),
      all,
      this.question.view(),
    );
  }
}
