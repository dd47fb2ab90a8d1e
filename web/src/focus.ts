// Where the keyboard is. Who plays by keys must not look for the board after every move: when what had the focus is gone, or cannot be
// operated any more, the next choice gets it, the nearest one to where it was, as soon as there is one.

const CHOICES =
  '#choose[open] button[data-action], .steps .confirm:not([disabled]), .drawing [role=button], .drawing button:not([disabled], [data-look]), .actions > .choices button';
const WITHIN = '.drawing, .steps, .actions, dialog, .turn-bar';

let isByKeys = false;
let last: { x: number; y: number } | null = null; // where the focus is or was among what can be played with; null while it is elsewhere

document.addEventListener('keydown', () => (isByKeys = true), true);
document.addEventListener(
  'pointerdown',
  () => {
    isByKeys = false;
    last = null;
  },
  true,
);
document.addEventListener('focusin', (event) => {
  const on = event.target as Element;
  last = on.closest(WITHIN) === null ? null : centreOf(on);
});

export function centreOf(el: Element): { x: number; y: number } {
  const box = el.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Before a drawing: remembers where the focus is within what can be played with. */
export function noteFocus(): void {
  const focused = document.activeElement;
  if (focused?.closest(WITHIN)) last = centreOf(focused);
}

/** Gives the focus to the choice that is nearest to a spot; the first one that asks for an answer goes before all others. */
export function focusChoice(spot: { x: number; y: number }): boolean {
  const [asked] = document.querySelectorAll<HTMLElement>('#choose[open] button[data-action], .steps .confirm:not([disabled])');
  let best: HTMLElement | SVGElement | null = asked ?? null;
  let least = Infinity;
  for (const el of asked === undefined ? document.querySelectorAll<HTMLElement>(CHOICES) : []) {
    const at = centreOf(el);
    const cost = Math.hypot(at.x - spot.x, at.y - spot.y);
    if (cost < least) [best, least] = [el, cost];
  }
  best?.focus();
  return best !== null;
}

/** Whether the focus is nowhere. A browser takes it from an element that cannot be operated any more only when it paints, which may be before or
 * after the next drawing: so such an element counts as nowhere at once. */
function isFocusGone(): boolean {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return true;
  const isOperable = (focused as HTMLElement).tabIndex >= 0 && !focused.matches(':disabled');
  return !isOperable && focused.closest(WITHIN) !== null;
}

/** After a drawing: a focus that is gone goes to the next choice, now or after the drawing that brings one. */
export function keepFocus(): void {
  if (isByKeys && last !== null && isFocusGone()) focusChoice(last);
}
