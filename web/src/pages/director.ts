// What the owner of a championship can do with it: enter bots, start, pause, go on, cancel, have a pair play again, put somebody out.

import { cupKeysOf, directCup, type Cup, type Pairing } from '../cups';
import type { Question } from '../dialogs';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import type { CupWords } from '../words/en_cups';
import { button } from './parts';

const LEVELS = [1, 2, 3, 4, 5];
const WHY_CHARACTERS_MAX = 100;

export class Director {
  private level = 2;

  constructor(
    private readonly name: string,
    private readonly question: Question,
    private readonly attempt: (run: () => Promise<unknown>) => Promise<void>,
  ) {}

  private direct(what: string, body: Record<string, unknown> = {}): void {
    void this.attempt(() => directCup(this.name, what, body, cupKeysOf(this.name).owner));
  }

  /** The next name that no entrant has. */
  private addBot({ entrants }: Cup, say: CupWords): void {
    let number = 1;
    while (entrants.some(({ name }) => name === say.botName(number))) number++;
    this.direct('entrants', { name: say.botName(number), bot: this.level });
  }

  replay({ number, players }: Pairing, say: CupWords): void {
    this.question.ask(say.againSure(players.join(' – ')), say.again, () => this.direct('replay', { pairing: number }));
  }

  private bots(cup: Cup, say: CupWords): Child {
    return h(
      'div',
      { class: 'buttons', key: 'bots' },
      button(say.addBot, () => this.addBot(cup, say), { class: 'add-bot' }),
      h(
        'select',
        {
          'aria-label': words.botLevels,
          value: String(this.level),
          onchange: (event: Event) => (this.level = Number((event.target as HTMLSelectElement).value)),
        },
        LEVELS.map((level) => h('option', { value: String(level), selected: level === this.level }, words.level(level))),
      ),
    );
  }

  /** Takes an entry back before it begins, and disqualifies afterwards, with the reason for everybody to read. */
  private putOut({ state, entrants }: Cup, say: CupWords): Child {
    const here = entrants.filter(({ gone, disqualified }) => !gone && !disqualified);
    if (here.length === 0) return null;
    const isOpen = state === 'open';
    const what = isOpen ? say.takeOut : say.disqualify;
    return h(
      'details',
      { key: 'out', class: 'cup-out' },
      h('summary', null, what),
      h(
        'form',
        {
          onsubmit: (event: Event) => {
            event.preventDefault();
            const form = event.target as HTMLFormElement;
            const text = (field: string) => (form.elements.namedItem(field) as HTMLInputElement | null)?.value.trim() ?? '';
            const name = text('who');
            if (isOpen) this.direct('leave', { name });
            else this.question.ask(say.disqualifySure(name), say.disqualify, () => this.direct('disqualify', { name, why: text('why') }));
          },
        },
        h('label', null, h('span', null, say.player), h('select', { name: 'who' }, here.map(({ name }) => h('option', { value: name, key: name }, name)))),
        !isOpen && h('label', { key: 'why' }, h('span', null, say.why), h('input', { name: 'why', maxlength: WHY_CHARACTERS_MAX, autocomplete: 'off' })),
        h('button', { class: 'put-out' }, what),
      ),
    );
  }

  view(cup: Cup, say: CupWords): Child {
    if (cup.state === 'finished' || cup.state === 'cancelled') return null;
    const isOpen = cup.state === 'open';
    const isStartable = cup.entrants.length >= 2;
    return h(
      'section',
      { class: 'cup-box cup-owner', key: 'owner' },
      h('h2', null, say.owner),
      isOpen && this.bots(cup, say),
      isOpen && !isStartable && h('p', { class: 'quiet' }, say.startHint),
      h(
        'div',
        { class: 'buttons', key: 'direct' },
        isOpen && button(say.start, () => this.direct('start'), { key: 'start', class: 'primary start', disabled: !isStartable }),
        cup.state === 'running' && button(say.pause, () => this.direct('pause'), { key: 'pause', class: 'pause' }),
        cup.state === 'paused' && button(say.resume, () => this.direct('resume'), { key: 'resume', class: 'primary resume' }),
        button(say.cancel, () => this.question.ask(say.cancelSure, say.cancel, () => this.direct('cancel')), { key: 'cancel', class: 'cancel' }),
      ),
      this.putOut(cup, say),
    );
  }
}
