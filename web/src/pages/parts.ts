// Pieces that several pages show.

import { Refusal, type Seat } from '../api';
import { notify } from '../app';
import { seatShape } from '../boards/board';
import { words } from '../strings';
import { h, type Child, type VNode } from '../vdom';

export function button(label: Child, run: () => void, props: Record<string, unknown> = {}): VNode {
  return h('button', { type: 'button', ...props, onclick: run }, label);
}

/** Says why the server has refused something, or that it cannot be reached. */
export function tellRefusal(refusal: unknown): void {
  if (!(refusal instanceof Refusal)) throw refusal;
  notify(refusal.status === 0 ? words.unreachable : words.refusedBy(refusal.reason, refusal.rule));
}

export { sentence } from '../boards/board';

export function seatMark(seat: number): VNode {
  return h('svg', { class: 'dotmark', viewBox: '-8 -8 16 16', 'aria-hidden': 'true' }, seatShape(seat, 14));
}

/** The names by which seats are spoken of; who has the name of somebody before gets a number with it. */
export function namesOf(seats: Seat[]): string[] {
  return seats.map((seat, index) => {
    if (seat.name === '') return words.seatNumber(index);
    const before = seats.slice(0, index).filter((other) => other.name === seat.name).length;
    return before > 0 ? words.namesake(seat.name, before + 1) : seat.name;
  });
}

/** The seats of a table in a line, with a star for those who have won. */
export function seatChips(seats: Seat[], winners: number[]): VNode[] {
  return seats.map((seat, index) =>
    h(
      'span',
      { class: `chip ${seat.kind}`, key: index },
      seatMark(index),
      seat.kind === 'free' ? words.freeSeat : seat.name,
      winners.includes(index) &&
        h('span', { class: 'star', role: 'img', 'aria-label': words.hasWon, title: words.hasWon }, '★'),
    ),
  );
}

const ARROWS = /[\u2190-\u21ff] ?/g; // signs for the eye: words follow them

/** The words of an action without signs. */
export function plainWords(text: string): string {
  return text.replace(ARROWS, '');
}
