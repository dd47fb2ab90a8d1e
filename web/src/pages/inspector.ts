// The wire inspector: every message of the seed-protocol connections of a table, live, for people who write clients.

import * as api from '../api';
import { link, redraw, setTitle, type Page } from '../app';
import { resubscribe, subscribe, unsubscribe, type Message, type Subscription } from '../socket';
import { keepTicket, ticketOf } from '../store';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { button, tellRefusal } from './parts';

const ITEMS_MAX = 2000; // messages that the page keeps, the oldest forgotten first
const LEGAL_SHOWN_MAX = 60; // actions that are listed of those that were legal

const PINGS = /^\s*(\{\s*"type"\s*:\s*"(ping|pong)"|<message type="(ping|pong)")/i;

/** Where the sentence of a refusal stands in a message of JSON: the sentence before the word. */
const TOLD = ['description', 'reason', 'message', 'error'].map((name) => new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`));

/** The sentence in an answer that refuses, as the client reads it; empty when there is none. */
function toldIn(text: string): string {
  for (const pattern of TOLD) {
    const [, json] = pattern.exec(text) ?? [];
    if (json !== undefined) return String(JSON.parse(json));
  }
  const [, xml] = /<exceptionMessage>([^<]+)</.exec(text) ?? /<message type="error">(?:<error[^>]*>)?([^<]+)</.exec(text) ?? [];
  return xml === undefined ? '' : (new DOMParser().parseFromString(xml, 'text/html').documentElement.textContent ?? '');
}

/** What a client was told after a request, until it said something else: the first message, and the sentence in any of them. */
interface Answer {
  item: api.WireItem;
  isRefused: boolean;
  told: string;
}

/** Requests by number, with what the same client was told next. Pings of either side belong to no request. */
function pairs(items: api.WireItem[]): Map<number, Answer> {
  const found = new Map<number, Answer>();
  const open = new Map<string, { asked: number[]; isAnswered: boolean }>();
  for (const item of items) {
    if (PINGS.test(item.text)) continue;
    // A client is known by its seat as soon as it has one: what a master says about a move has no connection.
    const keys = [...(item.seat === null ? [] : [`seat ${item.seat}`]), ...(item.connection === 0 ? [] : [`connection ${item.connection}`])];
    const own = keys.map((key) => open.get(key)).find((one) => one !== undefined);
    if (item.direction === 'in') {
      const request = { asked: own === undefined || own.isAnswered ? [item.n] : [...own.asked, item.n], isAnswered: false };
      for (const key of keys) open.set(key, request);
    } else if (own !== undefined) {
      own.isAnswered = true;
      for (const n of own.asked) {
        const answer = found.get(n) ?? { item, isRefused: false, told: '' };
        found.set(n, { item: answer.item, isRefused: answer.isRefused || item.refused, told: answer.told || toldIn(item.text) });
      }
    }
  }
  return found;
}

/** A box to tick, with its words. */
function tick(text: string, isTicked: boolean, set: (isTicked: boolean) => void): Child {
  const onchange = (event: Event) => {
    set((event.target as HTMLInputElement).checked);
    redraw();
  };
  return h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: isTicked, onchange }), text);
}

/** What was legal when requests were refused: asked one after the other, as they come into sight. */
class Legal {
  private known = new Map<number, api.WireLegal | null>(); // null: nobody can tell
  private wanted: number[] = [];
  private isAsking = false;

  constructor(private readonly code: string) {}

  of(n: number, token: string): api.WireLegal | null {
    const told = this.known.get(n);
    if (told === undefined && !this.wanted.includes(n)) {
      this.wanted.push(n);
      void this.ask(token);
    }
    return told ?? null;
  }

  private async ask(token: string): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    for (let n = this.wanted[0]; n !== undefined; n = this.wanted[0]) {
      this.known.set(n, await api.getWireLegal(this.code, token, n).catch(() => null));
      this.wanted.shift();
      redraw();
    }
    this.isAsking = false;
  }
}

/** Who was to act, and what the refused seat could have done. */
function legalView({ seat, turn, legal, legal_unlisted, legal_samples }: api.WireLegal): Child {
  const listed = legal_unlisted ? legal_samples : legal.slice(0, LEGAL_SHOWN_MAX);
  const head =
    seat === null || !turn.includes(seat)
      ? words.wireTurn(turn.map((other) => words.seatNumber(other)))
      : legal_unlisted
        ? words.wireSamples
        : words.wireLegal(legal.length);
  return h(
    'div',
    { class: 'legal' },
    h('p', null, head),
    listed.length > 0 && h('ul', null, listed.map((text) => h('li', null, h('code', null, text)))),
    !legal_unlisted && legal.length > listed.length && h('p', { class: 'quiet' }, words.wireMore(legal.length - listed.length)),
  );
}

export class Inspector implements Page, Subscription {
  private items: api.WireItem[] = [];
  private held: api.WireItem[] = [];
  private token: string;
  private typed = '';
  private refusal: api.Refusal | null = null;
  private filter = '';
  private seat = '';
  private onlyRefused = false;
  private hasPings = false;
  private answers = new Map<number, Answer>(); // of the drawing that is being made
  private isPaused = false;
  private isConnected = true;
  private isOff = false; // the table does not record
  private isOver = false;
  private readonly legal: Legal;

  constructor(private readonly code: string) {
    this.legal = new Legal(code);
    this.token = ticketOf(code)?.owner ?? '';
    setTitle(`${words.inspectorOf(code)} · ${words.product}`);
    if (this.token !== '') this.begin();
  }

  private begin(): void {
    subscribe(this);
    resubscribe(this);
    void api.getTable(this.code, this.token).then(
      (table) => {
        this.isOff = !table.inspect;
        this.isOver = table.over;
        redraw();
      },
      () => undefined, // the socket tells why
    );
  }

  /** Records from now on. */
  private async record(): Promise<void> {
    try {
      await api.record(this.code, this.token);
      this.isOff = false;
      resubscribe(this);
    } catch (refusal) {
      tellRefusal(refusal);
    }
    redraw();
  }

  closed(): void {
    unsubscribe(this);
  }

  hello(): Record<string, unknown> {
    return { type: 'inspect', id: `wire ${this.code}`, table: this.code, token: this.token };
  }

  goodbye(): null {
    return null; // ends with the connection; what still comes is not heard
  }

  connected(isConnected: boolean): void {
    this.isConnected = isConnected;
    redraw();
  }

  heard(message: Message): void {
    if (message.type === 'wire' && message.code === this.code) {
      this.refusal = null;
      this.take(message.items);
    } else if (message.type === 'refused' && message.id === `wire ${this.code}`) {
      this.refusal = message.refusal;
    }
    redraw();
  }

  private take(items: api.WireItem[]): void {
    const list = this.isPaused ? this.held : this.items;
    const newest = Math.max(
      this.items[this.items.length - 1]?.n ?? -1,
      this.held[this.held.length - 1]?.n ?? -1,
    );
    list.push(...items.filter((item) => item.n > newest));
    list.splice(0, Math.max(0, list.length - ITEMS_MAX));
  }

  private pause(): void {
    this.isPaused = !this.isPaused;
    if (!this.isPaused) {
      this.items.push(...this.held);
      this.items.splice(0, Math.max(0, this.items.length - ITEMS_MAX));
      this.held = [];
    }
    redraw();
  }

  private get shown(): api.WireItem[] {
    const needle = this.filter.toLowerCase();
    return this.items.filter(
      (item) =>
        (!this.onlyRefused || item.refused) &&
        (this.hasPings || !PINGS.test(item.text)) &&
        (this.seat === '' || String(item.seat) === this.seat) &&
        (needle === '' ||
          `${item.text} ${item.reason} ${item.rule} ${item.error}`.toLowerCase().includes(needle)),
    );
  }

  private exportJson(): void {
    const blob = new Blob([JSON.stringify({ code: this.code, items: this.shown }, null, 1)], {
      type: 'application/json',
    });
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(blob);
    anchor.download = `parlor-wire-${this.code}.json`;
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  }

  private ask(): Child {
    return h(
      'form',
      {
        class: 'join',
        onsubmit: (event: Event) => {
          event.preventDefault();
          this.token = this.typed.trim();
          const known = ticketOf(this.code);
          keepTicket(this.code, { seat: known?.seat ?? -1, token: known?.token ?? '', owner: this.token });
          this.refusal = null;
          this.begin();
        },
      },
      h('label', { for: 'token' }, words.inspectorToken),
      h('input', {
        id: 'token',
        value: this.typed,
        autocomplete: 'off',
        oninput: (event: Event) => (this.typed = (event.target as HTMLInputElement).value),
      }),
      h('button', null, words.inspectorShow),
    );
  }

  private controls(): Child {
    const seats = [...new Set(this.items.map((item) => item.seat).filter((seat) => seat !== null))].sort();
    return h(
      'div',
      { class: 'controls' },
      h('input', {
        type: 'search',
        value: this.filter,
        placeholder: words.filter,
        'aria-label': words.filter,
        oninput: (event: Event) => {
          this.filter = (event.target as HTMLInputElement).value;
          redraw();
        },
      }),
      h(
        'select',
        {
          value: this.seat,
          'aria-label': words.seats,
          onchange: (event: Event) => {
            this.seat = (event.target as HTMLSelectElement).value;
            redraw();
          },
        },
        h('option', { value: '' }, words.allSeats),
        seats.map((seat) => h('option', { value: String(seat) }, words.seatNumber(Number(seat)))),
      ),
      tick(words.onlyRefused, this.onlyRefused, (isTicked) => (this.onlyRefused = isTicked)),
      tick(words.withPings, this.hasPings, (isTicked) => (this.hasPings = isTicked)),
      button(this.isPaused ? words.goOn : words.pause, () => this.pause()),
      button(words.exportJson, () => this.exportJson()),
      h('span', { class: 'quiet' }, words.shownOf(this.shown.length, this.items.length)),
    );
  }

  private item(item: api.WireItem): Child {
    const answer = this.answers.get(item.n) ?? null;
    const isRefused = item.direction === 'in' && (item.refused || answer?.isRefused === true);
    const legal = isRefused && item.seat !== null && !item.hidden ? this.legal.of(item.n, this.token) : null;
    const at = new Date(item.at_ms);
    const time = `${at.toLocaleTimeString([], { hour12: false })}.${String(at.getMilliseconds()).padStart(3, '0')}`;
    return h(
      'li',
      { key: item.n, class: `wire-item ${item.direction} ${item.refused ? 'refused' : ''}` },
      h(
        'div',
        { class: 'wire-head' },
        h('span', { class: 'way', 'aria-hidden': 'true' }, item.direction === 'in' ? '→' : '←'),
        h('span', { class: 'sr' }, item.direction === 'in' ? words.fromClient : words.toClient),
        h('time', { datetime: at.toISOString() }, time),
        item.seat !== null && h('span', null, words.seatNumber(item.seat)),
        h('span', null, item.protocol),
        h('span', null, words.connection(item.connection)),
        h('span', { class: 'number' }, words.wireNumber(item.n)),
        answer !== null && h('span', { class: 'answered' }, words.wireAnswered(answer.item.n, answer.item.at_ms - item.at_ms)),
        item.refused && h('span', { class: 'badge' }, words.refused),
      ),
      item.hidden ? h('p', { class: 'quiet' }, words.wireHidden) : h('pre', null, item.text),
      isRefused && answer !== null && answer.told !== '' && h('p', { class: 'told' }, words.wireTold(answer.told)),
      item.refused &&
        h('p', { class: 'why' }, words.refusedBy(item.reason, item.rule), h('code', null, item.error)),
      legal !== null && legalView(legal),
    );
  }

  /** Why there is nothing to show, and what can be done about it. */
  private nothing(): Child {
    if (!this.isOff) return h('p', { class: 'quiet' }, words.nothingRecorded);
    return h(
      'p',
      { class: 'record' },
      words.inspectorOff,
      ' ',
      !this.isOver && button(words.inspectorRecord, () => void this.record(), { class: 'primary' }),
    );
  }

  view(): Child {
    this.answers = pairs(this.items);
    return h(
      'main',
      { id: 'content', tabindex: -1, class: 'inspector', key: `wire-${this.code}` },
      h('h1', null, words.inspectorOf(this.code)),
      h('p', { class: 'quiet' }, words.inspectorAbout, ' ', link(`/t/${this.code}`, {}, words.live)),
      !this.isConnected && h('p', { class: 'banner', role: 'status' }, words.reconnecting),
      this.refusal !== null &&
        h(
          'p',
          { class: 'banner', role: 'alert' },
          this.refusal.status === 404
            ? words.tableUnknown
            : this.refusal.status === 401
              ? words.inspectorWrong
              : words.refusedBy(this.refusal.reason, this.refusal.rule),
        ),
      (this.token === '' || this.refusal !== null) && this.ask(),
      this.token !== '' && this.refusal === null && this.controls(),
      this.token !== '' &&
        this.refusal === null &&
        (this.items.length === 0
          ? this.nothing()
          : h(
              'ol',
              { class: 'wire', 'aria-live': 'off' },
              this.shown
                .slice()
                .reverse()
                .map((item) => this.item(item)),
            )),
    );
  }
}
