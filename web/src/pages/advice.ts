// What a bot says to whoever plays against bots alone: what it would play now, and, when the table is over, what every position was worth, as a curve.

import * as api from '../api';
import { redraw } from '../app';
import type { Board, Scene } from '../boards/board';
import { icon } from '../icons';
import type { Session } from '../session';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { button, namesOf, plainWords, sentence, tellRefusal } from './parts';

const VALUE_MAX = 1000; // a sure win
const CURVE = { width: 300, height: 80 };

/** Whether at most one person sits at a table, and nobody but bots of the server beside. */
function isAmongBots(table: api.Table): boolean {
  return table.seats.filter((seat) => seat.kind !== 'bot' || seat.level === null).length <= 1;
}

/** A value as players count: 50 % is even. */
const percentOf = (value: number): number => Math.round(50 + (50 * value) / VALUE_MAX);

export class Hint {
  private asked = ''; // the position that was asked about
  private isThinking = false;
  private action: string | null = null;
  private why: api.Why | null = null;

  constructor(private readonly session: Session) {}

  private get position(): string {
    const { session } = this;
    return `${session.live?.version} ${session.pending.join('|')}`;
  }

  /** What the bot would play in the position that is shown; null when it was not asked, or still thinks. */
  get text(): string | null {
    return this.session.canAct && this.asked === this.position ? this.action : null;
  }

  private async ask(): Promise<void> {
    const { session, position } = this;
    if (session.live === null || session.ticket === null || this.isThinking) return;
    this.asked = position;
    this.action = null;
    this.isThinking = true;
    redraw();
    try {
      const { action, why } = await api.getHint(session.code, session.ticket.token, session.live.version, session.pending);
      if (this.asked === position) [this.action, this.why] = [action, why];
    } catch (refusal) {
      this.asked = '';
      tellRefusal(refusal);
    } finally {
      this.isThinking = false;
      redraw();
    }
  }

  /** What the bot knows of its reasons, in sentences: what it has looked at, what it expects for the player, and what comes next. */
  private reasons(board: Board, scene: Scene): string[] {
    const { nodes, visits, depth, value, line } = this.why ?? { nodes: 0, visits: 0, depth: 0, value: null, line: [] };
    const turns: { seat: number; actions: string[] }[] = [];
    for (const { seat, action } of line.slice(1)) {
      const said = plainWords(board.words(action, scene));
      const last = turns[turns.length - 1];
      if (last?.seat === seat) last.actions.push(said);
      else turns.push({ seat, actions: [said] });
    }
    const out: string[] = [];
    if (value !== null) out.push(words.hintWorth(percentOf(value)));
    if (turns.length > 0) out.push(words.hintLine(turns.map(({ seat, actions }) => `${scene.names[seat]}: ${actions.join(', ')}`).join('; ')));
    if (nodes > 0) out.push(words.hintLooked(nodes, visits, depth));
    return out.length > 0 ? out : [words.hintNoReason];
  }

  /** The question, or the answer with its reasons and a way to play it. */
  view(board: Board, scene: Scene): Child {
    const { session, text } = this;
    if (session.live === null || !session.canAct || !isAmongBots(session.live)) return null;
    if (text === null)
      return button([icon('help'), this.isThinking ? words.hintThinks : words.hintAsk], () => void this.ask(), {
        key: 'hint',
        class: 'again brief hint-ask',
        disabled: this.isThinking,
      });
    return h(
      'span',
      { class: 'advice', key: 'hint', role: 'status' },
      words.hintTold(sentence(plainWords(board.words(text, scene)))),
      button(words.hintPlay, () => scene.act(text), { class: 'again' }),
      h(
        'details',
        { class: 'reasons', key: text },
        h('summary', null, words.hintWhy),
        this.reasons(board, scene).map((line) => h('p', null, line)),
      ),
    );
  }
}

/** The values of a finished table, read page by page when somebody wants them. */
export class Curve {
  private values: api.Value[] | null = null;
  private isReading = false;

  constructor(private readonly session: Session) {}

  private async read(): Promise<void> {
    const { session } = this;
    this.values = [];
    this.isReading = true;
    try {
      for (let next: number | null = 1; next !== null; redraw()) {
        const page: { values: api.Value[]; next: number | null } = await api.getValues(session.code, next);
        this.values.push(...page.values);
        next = page.next;
      }
    } catch (refusal) {
      if (this.values.length === 0) this.values = null;
      tellRefusal(refusal);
    }
    this.isReading = false;
    redraw();
  }

  /** The lines to draw: of two players one, of which the other one's is the mirror image, otherwise one each. */
  private lines(seats: number): { seat: number; points: api.Value[] }[] {
    const values = this.values ?? [];
    if (seats === 2)
      return [{ seat: 0, points: values.map((one) => (one.seat === 0 ? one : { ...one, value: -one.value })) }];
    return Array.from({ length: seats }, (_, seat) => ({ seat, points: values.filter((one) => one.seat === seat) }));
  }

  private picture(table: api.Table): Child {
    const { session } = this;
    const { width, height } = CURVE;
    const names = namesOf(table.seats);
    const last = Math.max(2, table.version);
    const x = (version: number) => ((version - 1) / (last - 1)) * width;
    const y = (value: number) => (height / 2) * (1 - value / VALUE_MAX);
    const at = session.at ?? table.version;
    const here = (this.values ?? []).filter((one) => one.version <= at).pop();
    const look = (event: MouseEvent) => {
      const box = (event.currentTarget as Element).getBoundingClientRect();
      const wanted = 1 + ((event.clientX - box.x) / box.width) * (last - 1);
      const near = [...(this.values ?? [])].sort((a, b) => Math.abs(a.version - wanted) - Math.abs(b.version - wanted))[0];
      if (near !== undefined) void session.look(near.version);
    };
    return [
      h(
        'svg',
        {
          class: 'curve',
          viewBox: `0 0 ${width} ${height}`,
          preserveAspectRatio: 'none',
          role: 'img',
          'aria-label': words.curveOf(names.length === 2 ? names : []),
          onclick: look,
        },
        h('line', { class: 'even', x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
        this.lines(names.length).map(({ seat, points }) =>
          h('polyline', { class: `seat-${seat}`, points: points.map((one) => `${x(one.version).toFixed(1)},${y(one.value).toFixed(1)}`).join(' ') }),
        ),
        h('line', { class: 'here', x1: x(at), x2: x(at), y1: 0, y2: height }),
      ),
      h(
        'p',
        { class: 'quiet', 'aria-live': 'polite' },
        this.isReading
          ? words.curveReads(Math.round((100 * ((this.values ?? []).slice(-1)[0]?.version ?? 0)) / last))
          : here !== undefined && words.curveAt(names[here.seat] ?? '', percentOf(here.value)),
      ),
    ];
  }

  view(): Child {
    const { live } = this.session;
    if (live === null || !live.over || !isAmongBots(live)) return null;
    return h(
      'div',
      { class: 'worth', key: 'worth' },
      this.values === null ? button(words.curveShow, () => void this.read()) : this.picture(live),
    );
  }
}
