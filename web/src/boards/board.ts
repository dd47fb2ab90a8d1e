// What the page asks of the drawing of a game, and what the drawings share. A board knows no rules: it shows the view, and
// maps the legal actions, which are texts, to places. Whatever it does not map stands in the list of actions beside it, so
// that no game can get stuck for want of a drawing.

import type { Refusal, Table, TableEvent, View } from '../api';
import { boardWords } from '../strings';
import { centreOf } from '../focus';
import { h, type Child, type Props, type VNode } from '../vdom';

/** A position to be drawn, and what the player may do with it. */
export interface Scene {
  table: Table;
  view: View;
  /** My seat, or null for a watcher. */
  me: number | null;
  names: string[];
  /** What I may do now; empty when it is not my turn or an old position is shown. */
  legal: string[];
  /** The action that a bot has recommended, to be marked; null when there is none. */
  advised: string | null;
  /** False when an old position is shown. */
  isLive: boolean;
  /** What has happened up to this position, as far as it is known. */
  log: TableEvent[];
  /** What was there before the others' last turn (of an old position: before its last step), to mark what has changed; null when there
   * is nothing to mark, as after a step of the viewer's own. */
  before: View | null;
  /** What has happened since then. */
  news: TableEvent[];
  /** What is selected on the board; forgotten when the position changes. */
  ui: Record<string, unknown>;
  select(ui: Record<string, unknown>): void;
  act(text: string): void;
  /** Plays moves that were typed; false, and it was said, when one of them is none. */
  type(text: string): Promise<boolean>;
  /** Lets the player choose one of several actions that belong to one place. */
  choose(texts: string[]): void;
  /** Asks the server whether it would allow an action, which is not played; null when it would. */
  judge(text: string): Promise<Refusal | null>;
}

/** What the end of a table is told from. */
export type Ending = Pick<Scene, 'names' | 'view' | 'me' | 'log'> & { winners: number[] };

export interface Board {
  draw(scene: Scene): Child;
  /** An action in words, for the list of actions, the log and the names of places. */
  words(text: string, scene: Pick<Scene, 'names' | 'view'>): string;
  /** What to do now, in a sentence; empty when there is nothing to say. */
  hint(scene: Scene): string;
  /** True when the action can be done on the board itself. */
  covers(text: string, scene: Scene): boolean;
  /** Who ended it by what, as a sentence without its full stop; empty when there is nothing to say. */
  ending?(end: Ending): string;
  /** What the result is counted from, line by line and seat by seat; the last line is what counts. */
  tally?(view: View): { label: string; values: (number | string)[] }[];
  /** The points of a result in words, where the game's numbers are not what players count. */
  score?(points: number): string;
  /** What is answered for the player at the beginning of a turn because nobody wants to be asked; null otherwise. */
  auto?(view: View, legal: string[]): string | null;
  /** The one action that is done without asking, when nothing else is possible and nothing is lost by it; or null. */
  forced?(legal: string[]): string | null;
}

/** The colours of the seats are told apart by shape, too: see seatShape. */
export function seatClass(seat: number): string {
  return `seat-${seat}`;
}

/** The mark of a seat: circle, diamond, triangle or square. */
export function seatShape(seat: number, size: number): VNode {
  const r = size / 2;
  const common = { class: `mark ${seatClass(seat)}` };
  if (seat === 1) return h('path', { ...common, d: `M0 ${-r}L${r} 0 0 ${r} ${-r} 0Z` });
  if (seat === 2) return h('path', { ...common, d: `M0 ${-r}L${r} ${r * 0.8}H${-r}Z` });
  if (seat === 3)
    return h('rect', { ...common, x: -r * 0.85, y: -r * 0.85, width: r * 1.7, height: r * 1.7 });
  return h('circle', { ...common, r: r * 0.95 });
}

/** With a capital at the beginning. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The words of the news, in order. */
export function newsOf(scene: Scene): { seat: number; words: string[] }[] {
  return scene.news.flatMap((event) =>
    typeof event.seat === 'number' ? event.actions.map((text) => ({ seat: event.seat as number, words: text.split(' ') })) : [],
  );
}

/** Seats by name, the viewer's own as "you"; for the beginning of a sentence. */
export function whoOf(names: string[], me: number | null, seats: number[]): string {
  return boardWords.who(seats.map((seat) => (seat === me ? null : (names[seat] ?? ''))));
}

/** A place on the board that one or more actions belong to: can be clicked, focused and read aloud. */
export function target(
  scene: Scene,
  texts: string[],
  label: string,
  props: Props,
  ...children: Child[]
): VNode {
  const run = () => {
    const [only] = texts;
    if (texts.length === 1 && only !== undefined) scene.act(only);
    else scene.choose(texts);
  };
  const isAdvised = scene.advised !== null && texts.includes(scene.advised);
  const marked = isAdvised ? { class: `${String(props['class'] ?? '')} advised` } : {};
  return place(label, run, { 'data-actions': texts.join('|'), ...props, ...marked }, ...children);
}

/** A place that can be clicked, focused and read aloud. */
export function place(label: string, run: () => void, props: Props, ...children: Child[]): VNode {
  return h(
    'g',
    {
      ...props,
      class: `target ${String(props['class'] ?? '')}`,
      role: 'button',
      tabindex: 0,
      'aria-label': label,
      onclick: run,
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        run();
      },
    },
    ...children,
  );
}

/** Moves the focus among the choices of a board by arrow keys: to the nearest one in that direction. */
export function moveFocus(event: KeyboardEvent): void {
  if (event.shiftKey) return; // which leads to everything that is explained: tips.ts
  const directions: Record<string, [number, number]> = {
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
  };
  const direction = directions[event.key];
  const from = document.activeElement;
  if (direction === undefined || event.defaultPrevented || from?.matches('[role=button], button') !== true) return;
  event.preventDefault(); // at the edge, too: an arrow that leads nowhere must not lead into the past
  const { x, y } = centreOf(from);
  let best: SVGElement | HTMLElement | null = null;
  let bestCost = Infinity;
  for (const el of (event.currentTarget as Element).querySelectorAll<HTMLElement>('[role=button], button:not([disabled])')) {
    if (el === from) continue;
    const at = centreOf(el);
    const along = (at.x - x) * direction[0] + (at.y - y) * direction[1];
    const across = Math.abs((at.x - x) * direction[1]) + Math.abs((at.y - y) * direction[0]);
    const cost = along + 2 * across;
    if (along > 2 && cost < bestCost) [best, bestCost] = [el, cost];
  }
  best?.focus();
}

/** The picture of a board. Its width follows the page. */
export function picture(name: string, width: number, height: number, ...children: Child[]): VNode {
  return h(
    'svg',
    {
      class: `picture ${name}`,
      viewBox: `0 0 ${width} ${height}`,
      role: 'group',
      style: { '--ratio': String(width / height) },
    },
    ...children,
  );
}

export function isPoint(value: unknown): value is [number, number] {
  return (
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'number'
  );
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function viewOf(value: unknown): View {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as View) : {};
}

export function numberOf(value: unknown, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function svgText(x: number, y: number, text: string | number, props: Props = {}): VNode {
  return h('text', { x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central', ...props }, String(text));
}
