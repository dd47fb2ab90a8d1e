// All championships (/c), and a form to open one.

import { ask, getGames, type Game } from '../api';
import { go, redraw, setTitle, type Page } from '../app';
import { cupWords, getCups, keepCupKeys, type Cup, type CupRow } from '../cups';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import type { CupWords } from '../words/en_cups';
import { clockChoices, clockWish } from './clock_choice';
import { cupRow } from './cup_row';
import { optionsOf } from './new_table';
import { tellRefusal } from './parts';

export class Championships implements Page {
  private say: CupWords | null = null;
  private games: Game[] = [];
  private rows: CupRow[] | null = null;
  private hasFailed = false;
  private wish = { name: '', game: '', format: 'round-robin', seats: 2, rounds: 0, clock: '60', tables: 8 };

  constructor() {
    setTitle(`${words.cups.title} · ${words.product}`);
    void this.load();
  }

  closed(): void {
    // Nothing goes on.
  }

  private async load(): Promise<void> {
    try {
      [this.say, this.games, this.rows] = await Promise.all([cupWords(), getGames(), getCups()]);
      this.wish.game = this.games[0]?.name ?? '';
    } catch {
      this.hasFailed = true;
    }
    redraw();
  }

  private async open(): Promise<void> {
    const { name, game, format, seats, rounds, clock, tables } = this.wish;
    const chosen = this.games.find((one) => one.name === game);
    if (chosen === undefined) return;
    const wish = { name: name.trim(), game, options: optionsOf(chosen), format, seats, rounds, ...clockWish(clock), tables_max: tables };
    try {
      const made = await ask<Cup & { owner_token: string }>('POST', '/championships', wish);
      keepCupKeys(made.name, { owner: made.owner_token });
      go(`/c/${encodeURIComponent(made.name)}`);
    } catch (refusal) {
      tellRefusal(refusal);
    }
  }

  private number(key: 'seats' | 'rounds' | 'tables', label: string, min: number, max: number): Child {
    return h(
      'label',
      { key },
      h('span', null, label),
      h('input', {
        type: 'number',
        min,
        max,
        required: true,
        value: this.wish[key],
        oninput: (event: Event) => (this.wish[key] = Number((event.target as HTMLInputElement).value)),
      }),
    );
  }

  private select(key: 'game' | 'format' | 'clock', label: string, options: [string, string][]): Child {
    return h(
      'label',
      { key },
      h('span', null, label),
      h(
        'select',
        {
          value: this.wish[key],
          onchange: (event: Event) => {
            this.wish[key] = (event.target as HTMLSelectElement).value;
            if (key === 'game') this.wish.seats = 2;
            redraw();
          },
        },
        options.map(([value, text]) => h('option', { value, selected: value === this.wish[key] }, text)),
      ),
    );
  }

  private form(say: CupWords): Child {
    const game = this.games.find((one) => one.name === this.wish.game);
    const hasRounds = this.wish.format === 'swiss' || this.wish.format === 'ladder';
    return h(
      'form',
      {
        class: 'cup-box cup-form',
        key: 'form',
        onsubmit: (event: Event) => {
          event.preventDefault();
          void this.open();
        },
      },
      h('h2', null, words.cups.open),
      h(
        'label',
        { key: 'name' },
        h('span', null, say.name),
        h('input', {
          value: this.wish.name,
          placeholder: say.nameHint,
          required: true,
          maxlength: 50,
          pattern: '[A-Za-z0-9][A-Za-z0-9_.\\-]*',
          title: say.nameRule,
          autocomplete: 'off',
          oninput: (event: Event) => (this.wish.name = (event.target as HTMLInputElement).value),
        }),
        h('small', null, say.nameRule),
      ),
      this.select('game', say.game, this.games.filter((one) => one.seats_max > 1).map((one) => [one.name, one.title])),
      this.select('format', say.format, Object.entries(say.formats)),
      game !== undefined && game.seats_max > 2 && this.number('seats', say.seats, Math.max(2, game.seats_min), game.seats_max),
      hasRounds && this.number('rounds', say.rounds, 0, 255),
      this.select('clock', words.clock, clockChoices().slice(1)),
      this.number('tables', say.tablesMax, 1, 64),
      h('button', { class: 'primary' }, say.openIt),
    );
  }

  private list(say: CupWords, rows: CupRow[]): Child {
    if (rows.length === 0) return h('p', { class: 'quiet', key: 'rows' }, say.none);
    const title = (cup: CupRow) => this.games.find((game) => game.name === cup.type)?.title ?? cup.type;
    return h(
      'section',
      { class: 'tables', key: 'rows' },
      h('ul', null, rows.map((cup) => cupRow(cup, title(cup), say.formats[cup.format ?? ''] ?? say.ofProtocol))),
    );
  }

  view(): Child {
    const { say, rows } = this;
    const main = (...children: Child[]) => h('main', { id: 'content', tabindex: -1, class: 'cup', key: 'cups' }, ...children);
    if (say === null || rows === null) return main(h('p', { class: 'quiet' }, this.hasFailed ? words.unreachable : words.loading));
    return main(h('h1', null, words.cups.title), h('p', { class: 'quiet' }, say.about), this.list(say, rows), this.form(say));
  }
}
