// A table that is played, watched in small: its board, and the names of those who play.

import type { Table } from '../api';
import { link, redraw } from '../app';
import { boardComing, boardOf } from '../boards';
import type { Scene } from '../boards/board';
import { subscribe, type Message, type Subscription } from '../socket';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { namesOf, seatMark } from './parts';

/** A position that is only looked at. */
function sceneOf(table: Table, names: string[]): Scene {
  return {
    table,
    view: table.view,
    me: null,
    names,
    legal: [],
    advised: null,
    isLive: false,
    log: [],
    before: null,
    news: [],
    ui: {},
    select: () => undefined,
    act: () => undefined,
    type: () => Promise.resolve(false),
    choose: () => undefined,
    judge: () => Promise.resolve(null),
  };
}

export class SmallTable implements Subscription {
  private table: Table | null = null;

  constructor(readonly code: string) {
    subscribe(this);
  }

  hello(): Record<string, unknown> {
    return { type: 'watch', id: this.code, table: this.code };
  }

  goodbye(): Record<string, unknown> {
    return { type: 'unwatch', table: this.code };
  }

  connected(): void {
    // The page around it says so.
  }

  heard(message: Message): void {
    if (message.type !== 'table' || message.code !== this.code) return;
    this.table = message;
    redraw();
  }

  view(): Child {
    const { table } = this;
    if (table === null || boardComing(table.game) !== null) return null;
    const names = namesOf(table.seats);
    const players = names.map((name, seat) => h('span', { class: `chip ${table.turn.includes(seat) ? 'on-turn' : ''}` }, seatMark(seat), name));
    return h(
      'li',
      { key: this.code, class: 'small-table', 'data-table': this.code },
      link(
        `/t/${this.code}`,
        null,
        h('span', { class: 'small-players' }, players, h('span', { class: 'go' }, words.watch)),
        h('div', { class: `small-board game-${table.game}`, inert: true, 'aria-hidden': 'true' }, boardOf(table.game).draw(sceneOf(table, names))),
      ),
    );
  }
}
