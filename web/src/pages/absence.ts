// An opponent who is gone: after a while the game can be claimed, a bot can play on, or it is left as it is. When that is so the
// server knows; it is asked once somebody is offline, and again when the time has come.

import * as api from '../api';
import { go, redraw } from '../app';
import { icon } from '../icons';
import type { Session } from '../session';
import { botLevel } from '../store';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { button, namesOf } from './parts';

export const LEVEL_STAND_IN = 3; // until one was chosen in the lobby
const LATE_MS = 50; // after the time that the server has told
const AGAIN_MS = 5000; // after an answer that was lost

export class Absence {
  private asked = ''; // for whom, so that it is asked once
  private absent: api.Absent[] = [];
  private toldMs = 0;
  private timer = 0;

  constructor(private readonly session: Session) {}

  stop(): void {
    window.clearTimeout(this.timer);
  }

  /** The seats of people who are offline while the table runs, as one word. */
  private offline(table: api.Table): string {
    if (table.state !== 'running' || table.seat === null || this.session.ticket === null || table.protocol !== 'api') return '';
    const seats = table.seats.map((seat, index) => (seat.kind === 'person' && !seat.online && index !== table.seat ? index : -1));
    return seats.filter((seat) => seat >= 0).join();
  }

  private async ask(key: string): Promise<void> {
    const token = this.session.ticket?.token;
    if (token === undefined) return;
    try {
      const absent = await api.getAbsent(this.session.code, token);
      if (this.asked !== key) return;
      this.absent = absent;
      this.toldMs = performance.now();
      const next = Math.min(...absent.map((one) => one.in_ms).filter((ms) => ms > 0));
      // Where the table says so a bot plays on by itself, at a time that is not told.
      const isAwaited = (this.session.live?.absent_bot ?? 0) > 0 && absent.some((one) => one.bot === null);
      if (Number.isFinite(next) || isAwaited) this.again(key, Math.min(next + LATE_MS, isAwaited ? AGAIN_MS : Infinity));
    } catch {
      if (this.asked === key) this.again(key, AGAIN_MS);
    }
    redraw();
  }

  private again(key: string, ms: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(key), ms);
  }

  /** Asks when somebody else is gone than before. */
  private follow(table: api.Table): void {
    const key = this.offline(table);
    if (key === this.asked) return;
    this.asked = key;
    this.absent = [];
    this.stop();
    if (key !== '') void this.ask(key);
  }

  private async claim(seat: number, bot?: number): Promise<void> {
    await this.session.request((token) => api.claim(this.session.code, token, seat, bot));
    if (this.asked !== '') await this.ask(this.asked);
  }

  private choices(name: string, { seat }: api.Absent): Child {
    return h(
      'div',
      { class: 'gone', role: 'status', key: 'gone' },
      h('strong', null, words.gone(name)),
      h(
        'div',
        { class: 'buttons' },
        button([icon('flag'), words.claim], () => void this.claim(seat), { class: 'primary', key: 'claim' }),
        button(words.botPlaysOn, () => void this.claim(seat, botLevel() ?? LEVEL_STAND_IN), { key: 'stand-in' }),
        button(words.leaveIt, () => go('/'), { key: 'leave-it' }),
      ),
    );
  }

  /** What can be done about whom the table waits for; nothing while everybody is there. */
  view(): Child {
    const table = this.session.live;
    if (table === null || this.session.at !== null) return null;
    this.follow(table);
    const names = namesOf(table.seats);
    const one = this.absent.find((absent) => table.turn.includes(absent.seat)) ?? this.absent[0];
    if (one === undefined) return null;
    const name = names[one.seat] ?? '';
    if (one.bot !== null) return h('p', { class: 'gone', key: 'gone' }, words.botStandsIn(name));
    const left = one.in_ms - (performance.now() - this.toldMs);
    if (!table.turn.includes(one.seat)) return null;
    if (left > 0) return h('p', { class: 'gone', key: 'gone' }, words.goneSoon(name));
    return this.choices(name, one);
  }
}
