// The dialog that opens a table: game, seats, who sits where, rules, clock, and who may find it.

import type { Game, NewTable } from '../api';
import { redraw } from '../app';
import { dialog } from '../dialogs';
import { botLevel } from '../store';
import { optionWords, words } from '../strings';
import { h, type Child } from '../vdom';
import { LEVEL_STAND_IN } from './absence';
import { clockChoices, clockWish } from './clock_choice';
import { button } from './parts';

/** How a game begins on this page: as the server says, unless there is a simpler way. */
export function optionsOf(game: Game): Record<string, string | number> {
  return Object.fromEntries(
    game.options.map((option) => {
      const known = Object.keys(optionWords[game.name]?.[option.name]?.words ?? {});
      return [option.name, known.find((word) => option.words?.includes(word)) ?? option.default];
    }),
  );
}

export class NewTableDialog {
  private seats: number;
  private sitting: string[]; // per seat: "me", "open" or the level of a bot
  private options: Record<string, string | number> = {};
  private clock = '';
  private protocol = 'api';
  private isPrivate = false;
  private inspects = false;
  private botPlaysOn = false;

  constructor(
    private game: Game,
    private readonly games: Game[],
    private readonly create: (wish: NewTable, sits: boolean) => void,
    private readonly closed: () => void,
  ) {
    this.seats = game.seats_min;
    this.sitting = this.sittingFor(game);
    this.pick(game);
  }

  private sittingFor(game: Game): string[] {
    return Array.from({ length: game.seats_max }, (_, seat) => (seat === 0 ? 'me' : 'open'));
  }

  private pick(game: Game): void {
    this.game = game;
    this.seats = game.seats_min;
    this.sitting = this.sittingFor(game);
    this.protocol = 'api';
    this.options = optionsOf(game);
  }

  private submit(): void {
    const sitting = this.sitting.slice(0, this.seats);
    const me = sitting.indexOf('me');
    const wish: NewTable = {
      game: this.game.name,
      seats: this.seats,
      options: this.options,
      bots: sitting.flatMap((who, seat) =>
        who === 'me' || who === 'open' ? [] : [{ seat, level: Number(who) }],
      ),
      private: this.isPrivate,
      inspect: this.inspects,
    };
    // Tables of a protocol of its own have the clock of that protocol.
    if (this.protocol === 'api') Object.assign(wish, clockWish(this.clock), this.botPlaysOn ? { absent_bot: botLevel() ?? LEVEL_STAND_IN } : {});
    else wish.protocol = this.protocol;
    if (me >= 0) wish.seat = { name: '', seat: me };
    this.create(wish, me >= 0);
  }

  private select(
    label: string,
    value: string,
    choices: [string, string][],
    chosen: (value: string) => void,
  ): Child {
    return h(
      'label',
      { class: 'row' },
      h('span', null, label),
      h(
        'select',
        {
          value,
          onchange: (event: Event) => {
            chosen((event.target as HTMLSelectElement).value);
            redraw();
          },
        },
        choices.map(([word, text]) => h('option', { value: word, selected: word === value }, text)),
      ),
    );
  }

  private check(label: string, value: boolean, changed: (value: boolean) => void): Child {
    return h(
      'label',
      { class: 'row check' },
      h('input', {
        type: 'checkbox',
        checked: value,
        onchange: (event: Event) => {
          changed((event.target as HTMLInputElement).checked);
          redraw();
        },
      }),
      h('span', null, label),
    );
  }

  private seatRows(): Child {
    const { levels } = this.game;
    const choices: [string, string][] = [
      ['me', words.seatMe],
      ['open', words.seatOpen],
    ];
    for (let level = levels.min; level <= levels.max; level++)
      choices.push([String(level), words.seatBot(level)]);
    return this.sitting.slice(0, this.seats).map((who, seat) =>
      this.select(words.seatNumber(seat), who, choices, (value) => {
        const old = this.sitting.indexOf('me');
        if (value === 'me' && old >= 0) this.sitting[old] = who; // there is only one of me
        this.sitting[seat] = value;
      }),
    );
  }

  private optionRows(): Child {
    return this.game.options.map((option) => {
      const value = this.options[option.name] ?? option.default;
      const known = optionWords[this.game.name]?.[option.name];
      const label = known?.label ?? (option.help === '' ? option.name : option.help);
      if (option.words !== null)
        return this.select(
          label,
          String(value),
          option.words.map((word) => [word, known?.words[word] ?? word]),
          (word) => (this.options[option.name] = word),
        );
      return h(
        'label',
        { class: 'row' },
        h('span', null, label),
        h('input', {
          type: 'number',
          min: option.min,
          max: option.max,
          value,
          onchange: (event: Event) =>
            (this.options[option.name] = Number((event.target as HTMLInputElement).value)),
        }),
      );
    });
  }

  /** What only matters to those who let programs play, folded away; nothing where the game is spoken here and nowhere else. */
  private forPrograms(): Child {
    const { game } = this;
    if ((game.protocols?.length ?? 0) < 2) return null;
    return h(
      'details',
      { class: 'for-programs' },
      h('summary', null, words.forPrograms),
      this.select(
        words.protocol,
        this.protocol,
        (game.protocols ?? []).map((name) => [name, name === 'api' ? words.protocolApi : words.protocolAnd(name)]),
        (name) => {
          this.protocol = name;
          // Clients of a protocol expect what it knows.
          for (const option of game.options)
            if (name !== 'api' && option.words !== null) this.options[option.name] = option.default;
        },
      ),
      this.check(words.inspectLabel, this.inspects, (value) => (this.inspects = value)),
    );
  }

  view(): Child {
    const { game } = this;
    const counts = Array.from({ length: game.seats_max - game.seats_min + 1 }, (_, i) =>
      String(game.seats_min + i),
    );
    return dialog(
      'new-table',
      words.newTable,
      this.closed,
      h(
        'form',
        {
          onsubmit: (event: Event) => {
            event.preventDefault();
            this.submit();
          },
        },
        this.select(
          words.game,
          game.name,
          this.games.map((g) => [g.name, g.title]),
          (name) => {
            const next = this.games.find((g) => g.name === name);
            if (next !== undefined) this.pick(next);
          },
        ),
        counts.length > 1 &&
          this.select(
            words.seats,
            String(this.seats),
            counts.map((n) => [n, n]),
            (n) => (this.seats = Number(n)),
          ),
        this.seatRows(),
        game.options.length > 0 && h('h3', null, words.options),
        this.optionRows(),
        this.protocol === 'api' &&
          this.select(
            words.clock,
            this.clock,
            clockChoices(),
            (choice) => (this.clock = choice),
          ),
        this.check(words.privateLabel, this.isPrivate, (value) => (this.isPrivate = value)),
        this.protocol === 'api' && this.check(words.absentBotLabel, this.botPlaysOn, (value) => (this.botPlaysOn = value)),
        this.forPrograms(),
        h(
          'div',
          { class: 'buttons' },
          button(words.cancel, this.closed),
          h('button', { class: 'primary' }, words.create),
        ),
      ),
    );
  }
}
