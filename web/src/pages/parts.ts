// Pieces that several pages show.

import type { Seat } from '../api';
import { seatShape } from '../boards/board';
import { words } from '../strings';
import { h, type Child, type VNode } from '../vdom';

export function button(label: Child, run: () => void, props: Record<string, unknown> = {}): VNode {
  return h('button', { type: 'button', ...props, onclick: run }, label);
}

/** With a capital at the beginning. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function seatMark(seat: number): VNode {
  return h('svg', { class: 'dotmark', viewBox: '-8 -8 16 16', 'aria-hidden': 'true' }, seatShape(seat, 14));
}

/** The names by which seats are spoken of. */
export function namesOf(seats: Seat[]): string[] {
  return seats.map((seat, index) => (seat.name === '' ? words.seatNumber(index) : seat.name));
}

export function seatChip(seat: Seat, index: number): VNode {
  return h(
    'span',
    { class: `chip ${seat.kind}` },
    seatMark(index),
    seat.kind === 'free' ? words.freeSeat : seat.name,
    seat.kind === 'bot' && h('small', null, ` ${words.bot}`),
  );
}
