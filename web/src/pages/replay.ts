// Looking back: a slider over the positions of a table, keys, playing on by itself, other eyes, and playing on from here.

import { notify, redraw } from '../app';
import { icon } from '../icons';
import type { Session } from '../session';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { Curve } from './advice';
import { nameOrGuest, openTable } from './lobby';
import { button, namesOf } from './parts';

const AUTOPLAY_MS = 900;
const LEVEL_BOT = 3;

export class Replay {
  private timer = 0;

  private readonly curve: Curve;

  constructor(private readonly session: Session) {
    this.curve = new Curve(session);
  }

  stop(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
  }

  private get isPlaying(): boolean {
    return this.timer !== 0;
  }

  /** Where in the list of stops we are. */
  private index(stops: number[]): number {
    const { at } = this.session;
    if (at === null) return stops.length - 1;
    const found = stops.findIndex((version) => version >= at);
    return found < 0 ? stops.length - 1 : found;
  }

  private jump(index: number): void {
    const { stops } = this.session;
    const version = stops[Math.max(0, Math.min(stops.length - 1, index))];
    if (version !== undefined) void this.session.look(version);
  }

  private play(): void {
    if (this.isPlaying) {
      this.stop();
    } else {
      const { stops } = this.session;
      if (this.index(stops) >= stops.length - 1) this.jump(0);
      this.timer = window.setInterval(() => {
        const index = this.index(this.session.stops);
        if (this.session.at === null || index >= this.session.stops.length - 1) this.stop();
        else this.jump(index + 1);
        redraw();
      }, AUTOPLAY_MS);
    }
    redraw();
  }

  private leave(): void {
    this.stop();
    void this.session.look(null);
  }

  key(event: KeyboardEvent): void {
    const { session } = this;
    const isInside = session.at !== null;
    const on = event.target as Element;
    if (
      session.stops.length === 0 ||
      on.getAttribute('role') === 'button' ||
      (on as HTMLInputElement).type === 'range'
    )
      return;
    if (!isInside && !(session.live?.over ?? false)) return;
    const index = this.index(session.stops);
    const moves: Record<string, () => void> = {
      ArrowLeft: () => this.jump(index - 1),
      ArrowRight: () => this.jump(index + 1),
      Home: () => this.jump(0),
      End: () => this.jump(session.stops.length - 1),
    };
    if (isInside && on.tagName !== 'BUTTON') moves[' '] = () => this.play();
    if (isInside) moves['Escape'] = () => this.leave();
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    if (event.key !== ' ') this.stop();
    move();
  }

  private async playFromHere(): Promise<void> {
    const { past, code, live } = this.session;
    if (past === null || live === null) return;
    const seat = past.turn[0];
    if (seat === undefined || seat >= past.seats.length) {
      notify(words.playFromHereImpossible);
      return;
    }
    await openTable({
      game: past.game,
      seats: past.seats.length,
      options: past.options,
      from: { code, version: past.version },
      seat: { name: nameOrGuest(), seat },
      bots: past.seats.flatMap((_, other) => (other === seat ? [] : [{ seat: other, level: LEVEL_BOT }])),
    });
  }

  private eyes(): Child {
    const { session } = this;
    const table = session.live;
    if (table === null || !table.over) return null;
    const value = session.as ?? String(session.past?.as ?? 'watcher');
    return h(
      'label',
      { class: 'row' },
      h('span', null, words.perspective),
      h(
        'select',
        { value, onchange: (event: Event) => void session.lookAs((event.target as HTMLSelectElement).value) },
        h('option', { value: 'all' }, words.perspectiveAll),
        h('option', { value: 'watcher' }, words.perspectiveWatcher),
        namesOf(table.seats).map((name, seat) => h('option', { value: String(seat) }, name)),
      ),
    );
  }

  private control(name: string, label: string, run: () => void): Child {
    return button(icon(name), run, { 'aria-label': label, title: label, class: 'tool' });
  }

  view(): Child {
    const { session } = this;
    const { stops, live, at } = session;
    if (live === null || stops.length < 2 || (at === null && !live.over)) return null;
    const index = this.index(stops);
    const jump = (to: number) => () => {
      this.stop();
      this.jump(to);
    };
    return h(
      'section',
      { class: 'replay', key: 'replay', 'aria-label': words.replayTitle },
      h('input', {
        type: 'range',
        min: 0,
        max: stops.length - 1,
        value: index,
        'aria-label': words.replayTitle,
        'aria-valuetext': words.replayAt(index, stops.length - 1),
        oninput: (event: Event) => jump(Number((event.target as HTMLInputElement).value))(),
      }),
      h(
        'div',
        { class: 'transport' },
        this.control('first', words.first, jump(0)),
        this.control('previous', words.previous, jump(index - 1)),
        this.control(
          this.isPlaying ? 'pause' : 'play',
          this.isPlaying ? words.autostop : words.autoplay,
          () => this.play(),
        ),
        this.control('next', words.next, jump(index + 1)),
        this.control('last', words.last, jump(stops.length - 1)),
        h('span', { class: 'count' }, words.replayAt(index, stops.length - 1)),
      ),
      this.curve.view(),
      at !== null && this.eyes(),
      at !== null &&
        h(
          'div',
          { class: 'buttons' },
          button(words.live, () => this.leave()),
          live.over &&
            session.past !== null &&
            !session.past.over &&
            button(words.playFromHere, () => void this.playFromHere(), { class: 'primary' }),
        ),
      at !== null && h('p', { class: 'quiet keys' }, words.keysHelp),
    );
  }
}
