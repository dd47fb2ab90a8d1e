// One table as this browser follows it: the live position, the steps of a turn that are not sent yet, the log, and old positions
// when it is looked back upon. It simulates nothing: what unsent steps lead to is asked of the server, which plays nothing then.

import * as api from './api';
import { notify, redraw, speak } from './app';
import { play } from './notice';
import { Playback } from './playback';
import { resubscribe, subscribe, unsubscribe, type Message, type Subscription } from './socket';
import { dropTicket, keepTicket, keepUnsent, ticketOf, unsentOf, type Ticket } from './store';
import { words } from './strings';

export type Phase = 'loading' | 'missing' | 'ready';

const POSITIONS_MAX = 600; // old positions that are kept for going back and forth

export class Session implements Subscription {
  phase: Phase = 'loading';
  live: api.Table | null = null;
  log: api.TableEvent[] = [];
  isConnected = true;
  ticket: Ticket | null;

  /** Steps of my turn that are not sent yet, and the position after them. */
  pending: string[] = [];
  tried: api.Table | null = null;
  isBusy = false;
  private isSending = false;

  /** The version that is looked back upon, or null; its position once it is there. */
  at: number | null = null;
  past: api.Table | null = null;
  as: string | undefined;

  /** What others did, step by step. */
  readonly playback = new Playback(this);

  /** When the clocks of the live position were told. */
  heardMs = 0;

  private positions = new Map<string, api.Table>();
  private isClosed = false;

  constructor(
    readonly code: string,
    readonly onTurn: () => void,
  ) {
    const ticket = ticketOf(code);
    this.ticket = ticket === null || ticket.token === '' ? null : ticket; // an owner need not have a seat
    subscribe(this);
  }

  close(): void {
    this.isClosed = true;
    unsubscribe(this);
  }

  hello(): Record<string, unknown> {
    const wish: Record<string, unknown> = { type: 'watch', id: this.code, table: this.code };
    if (this.ticket !== null) wish['token'] = this.ticket.token;
    if (this.live !== null) wish['version'] = this.live.version;
    return wish;
  }

  goodbye(): Record<string, unknown> {
    return { type: 'unwatch', table: this.code };
  }

  connected(isConnected: boolean): void {
    this.isConnected = isConnected;
    redraw();
  }

  heard(message: Message): void {
    if (message.type === 'table' && message.code === this.code) this.prepare(message);
    else if (message.type === 'refused' && message.id === this.code) this.refused(message.refusal);
  }

  /** What must be there before a table of a game can be taken; null when nothing is missing. */
  awaited: (game: string) => Promise<void> | null = () => null;

  private prepare(table: api.Table): void {
    const coming = this.awaited(table.game);
    if (coming === null) this.take(table);
    else void coming.then(() => this.isClosed || this.take(table));
  }

  private refused(refusal: api.Refusal): void {
    if (refusal.status === 401 && this.ticket !== null) {
      this.ticket = null; // the seat is somebody else's now: watch
      resubscribe(this);
    } else if (this.live === null) {
      this.phase = 'missing';
    } else {
      this.complain(refusal);
    }
    redraw();
  }

  /** A newer position of the live table. */
  private take(table: api.Table): void {
    const before = this.live;
    if (before !== null && table.version < before.version) return;
    const wasMine = before !== null && this.isMine(before);
    const showing = this.newest;
    this.live = table;
    this.heardMs = performance.now();
    this.phase = 'ready';
    if (table.over && this.ticket?.isOver !== true && this.ticket !== null) {
      this.ticket = { ...this.ticket, isOver: true };
      keepTicket(this.code, this.ticket);
    }
    this.follow(before, table);
    this.playback.take(table, showing);
    if (before !== null) this.sound(before, table);
    // Who has just sat down may have seen this version as a watcher.
    if (before === null || table.version !== before.version || table.seat !== before.seat) this.settle(table);
    if (this.isMine(table) && !wasMine && this.at === null) this.onTurn();
    redraw();
  }

  /** What a newer position sounds like; steps that are shown one by one sound then. */
  private sound(before: api.Table, table: api.Table): void {
    const fresh = (table.events ?? []).filter((event) => event.version > before.version && event.seat !== table.seat);
    const { result, seat } = table;
    if (table.over && !before.over)
      play(seat === null || result === null ? 'ended' : result.winners.includes(seat) ? 'won' : 'lost');
    else if (fresh.some((event) => event.kind === 'seat')) play('seated');
    else if (fresh.some((event) => event.kind === 'action') && !this.playback.isPlaying) play('move');
  }

  isMine(table: api.Table): boolean {
    if (table.seat === null || table.over || !table.turn.includes(table.seat)) return false;
    // A table that still waits for players rarely wants anything, but some rules do.
    return table.state === 'running' || table.legal.length > 0 || table.legal_unlisted;
  }

  /** Brings the log up to the version of the table: by what came along, or by asking. */
  private follow(before: api.Table | null, table: api.Table): void {
    const known = this.log[this.log.length - 1]?.version ?? 0;
    const fresh = (table.events ?? []).filter((event) => event.version > known);
    const isWhole =
      fresh.length > 0 &&
      fresh[0]?.version === known + 1 &&
      fresh[fresh.length - 1]?.version === table.version;
    const isEnd = table.over && before !== null && !before.over;
    if (table.version > known && isWhole && !isEnd) {
      this.log.push(...fresh);
      this.tell(fresh);
    } else if (table.version > known || isEnd) {
      // What was hidden while it ran is shown when it is over, so the whole log is read again then.
      void this.readLog(isEnd ? 1 : known + 1);
    }
  }

  /** Log lines for whoever does not see the board. */
  tell: (events: api.TableEvent[]) => void = (events) => {
    const last = events[events.length - 1];
    if (last !== undefined) speak(last.text);
  };

  private async readLog(from: number): Promise<void> {
    try {
      const events = await api.getJournal(this.code, from, undefined, this.ticket?.token);
      if (this.isClosed) return;
      const kept = this.log.filter((event) => event.version < from);
      const known = kept[kept.length - 1]?.version ?? 0;
      this.log = [...kept, ...events.filter((event) => event.version > known)];
      this.playback.advance();
      redraw();
    } catch {
      this.playback.skip(); // the next position asks again
    }
  }

  /** A new live version: steps that were chosen for the old one are tried again, unless they are being played. */
  private settle(table: api.Table): void {
    this.positions.clear();
    if (this.isSending) this.forget(); // what has come is at least as new as their picture
    if (this.isBusy) return;
    if (this.pending.length === 0) {
      if (!this.bringBack(table)) void this.actByItself(table);
      return;
    }
    if (this.isMine(table)) void this.tryPending(this.pending);
    else this.forget();
  }

  /** Steps that were chosen before the page was loaded again. */
  private bringBack(table: api.Table): boolean {
    const kept = unsentOf(this.code);
    if (kept === null || this.ticket === null) return false;
    if (kept.version !== table.version || !this.isMine(table)) {
      keepUnsent(this.code, null);
      return false;
    }
    this.forcedSteps = new Set(kept.forced);
    void this.tryPending(kept.steps);
    return true;
  }

  /** What a board answers for its player without asking, or null. */
  auto: (table: api.Table) => string | null = () => null;

  private async actByItself(table: api.Table): Promise<void> {
    const text = this.ticket !== null && this.isMine(table) ? this.auto(table) : null;
    if (text === null || this.ticket === null) return;
    try {
      await api.act(this.code, this.ticket.token, table.version, [text]);
    } catch {
      // The table has moved on: its next position asks again, and the board offers what is left.
    }
  }

  private forget(): void {
    keepUnsent(this.code, null);
    this.forcedSteps.clear();
    this.pending = [];
    this.tried = null;
  }

  private complain(refusal: unknown): void {
    if (!(refusal instanceof api.Refusal)) throw refusal;
    play('refused');
    if (refusal.status === 0) notify(words.unreachable);
    else if (refusal.word === 'conflict') notify(words.conflict);
    else notify(words.refusedBy(refusal.reason, refusal.rule));
  }

  /** The position that is to be drawn. */
  get shown(): api.Table | null {
    if (this.at !== null) return this.past ?? this.live;
    return this.newest;
  }

  private get newest(): api.Table | null {
    return this.playback.frame ?? this.tried ?? this.live;
  }

  /** True when nothing but a confirmation is missing. */
  get isComplete(): boolean {
    const { tried } = this;
    return tried !== null && (tried.chance === true || tried.unknown === true || !this.isMine(tried));
  }

  get canAct(): boolean {
    const table = this.tried ?? this.live;
    const isOpen = table !== null && table.chance !== true && table.unknown !== true;
    return this.at === null && !this.isBusy && !this.playback.isPlaying && isOpen && this.isMine(table);
  }

  /** Which of the pending steps were done without asking. */
  private forcedSteps = new Set<number>();

  /** The one thing that can be done, when a board says that it need not be asked for. */
  forced: (legal: string[]) => string | null = () => null;

  /** One step of my turn. A turn of one step is played at once, a longer one when it is confirmed. */
  async step(text: string): Promise<void> {
    if (!this.canAct) return;
    const steps = [...this.pending, text];
    if (!(await this.tryPending(steps))) return;
    for (let only = this.nextForced(); only !== null; only = this.nextForced()) {
      this.forcedSteps.add(this.pending.length);
      if (!(await this.tryPending([...this.pending, only]))) return;
    }
    if (this.pending.length === 1 && this.isComplete) await this.send();
  }

  private nextForced(): string | null {
    return this.tried === null || this.isComplete ? null : this.forced(this.tried.legal);
  }

  private async tryPending(steps: string[]): Promise<boolean> {
    const { live, ticket } = this;
    if (live === null || ticket === null) return false;
    this.isBusy = true;
    redraw();
    try {
      const tried = await api.tryActions(this.code, ticket.token, live.version, steps);
      this.pending = steps;
      this.tried = tried;
      keepUnsent(this.code, { version: live.version, steps, forced: [...this.forcedSteps] });
      return true;
    } catch (refusal) {
      if (steps.length === this.pending.length || this.tried === null) this.forget(); // they were right for an older position
      this.complain(refusal);
      return false;
    } finally {
      this.isBusy = false;
      redraw();
    }
  }

  /** Whether the server would allow an action now; nothing is played, and nothing shown here changes. */
  async judge(text: string): Promise<api.Refusal | null> {
    const { live, ticket } = this;
    if (live === null || ticket === null) return null;
    try {
      await api.tryActions(this.code, ticket.token, live.version, [text]);
      return null;
    } catch (refusal) {
      if (!(refusal instanceof api.Refusal)) throw refusal;
      return refusal;
    }
  }

  async undo(): Promise<void> {
    let count = this.pending.length - 1;
    while (count > 0 && this.forcedSteps.has(count)) count--;
    for (const step of [...this.forcedSteps]) if (step >= count) this.forcedSteps.delete(step);
    const steps = this.pending.slice(0, count);
    if (steps.length === 0) this.undoAll();
    else await this.tryPending(steps);
  }

  undoAll(): void {
    if (this.isBusy) return;
    this.forget();
    redraw();
  }

  /** Plays the pending steps. Their picture stays until the table has come that far. */
  async send(): Promise<void> {
    const { live, ticket } = this;
    if (live === null || ticket === null || this.pending.length === 0 || this.isBusy) return;
    this.isBusy = true;
    this.isSending = true;
    redraw();
    try {
      const answer = await api.act(this.code, ticket.token, live.version, this.pending);
      if ((this.live?.version ?? 0) < answer.version) this.take(await api.getTable(this.code, ticket.token));
    } catch (refusal) {
      this.complain(refusal);
    } finally {
      this.isBusy = false;
      this.isSending = false;
      this.forget();
      redraw();
    }
  }

  async sit(name: string, seat: number): Promise<Ticket | null> {
    try {
      const answer = await api.takeSeat(this.code, name, seat);
      this.ticket = { ...ticketOf(this.code), seat: answer.seat, token: answer.token };
      keepTicket(this.code, this.ticket);
      resubscribe(this);
      return this.ticket;
    } catch (refusal) {
      this.complain(refusal);
      return null;
    }
  }

  async request(ask: (token: string) => Promise<unknown>): Promise<boolean> {
    if (this.ticket === null) return false;
    try {
      await ask(this.ticket.token);
      return true;
    } catch (refusal) {
      this.complain(refusal);
      return false;
    }
  }

  /** Gives the seat of a table that still waits for players back, and watches from then on. */
  async leave(): Promise<void> {
    const { ticket } = this;
    if (ticket === null || !(await this.request((token) => api.leave(this.code, token)))) return;
    this.ticket = null;
    if (ticket.owner === undefined) dropTicket(this.code);
    else keepTicket(this.code, { ...ticket, token: '' });
    resubscribe(this);
    redraw();
  }

  /** Versions at which looking back stops: what chance adds to an action belongs to it. */
  get stops(): number[] {
    const stops: number[] = [];
    let isPlayed = false;
    for (const event of this.log) {
      if (event.kind === 'chance' && stops.length > 0) stops[stops.length - 1] = event.version;
      else if (event.kind === 'action' || !isPlayed) stops.push(event.version);
      else stops[stops.length - 1] = event.version;
      isPlayed = isPlayed || event.kind === 'action';
    }
    return stops;
  }

  /** Looks back, or with null at the live table again. */
  async look(version: number | null): Promise<void> {
    this.at = version;
    if (version === null) {
      this.past = null;
      redraw();
      return;
    }
    const key = `${version} ${this.as ?? ''}`;
    const known = this.positions.get(key);
    if (known !== undefined) {
      this.past = known;
      redraw();
      return;
    }
    try {
      const table = await api.getTableAt(this.code, version, this.as, this.ticket?.token);
      if (this.positions.size >= POSITIONS_MAX) this.positions.clear();
      this.positions.set(key, table);
      if (this.at === version) this.past = table;
    } catch (refusal) {
      if (this.at === version) this.at = null;
      this.complain(refusal);
    }
    redraw();
  }

  async lookAs(as: string | undefined): Promise<void> {
    this.as = as;
    if (this.at !== null) await this.look(this.at);
  }
}
