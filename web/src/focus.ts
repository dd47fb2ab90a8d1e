// Where the keyboard is. Who plays by keys must not look for the board after every move: when what had the focus is gone, the next choice
// gets it, the nearest one to where it was, as soon as there is one.

const CHOICES =
  '#choose[open] button[data-action], .steps .confirm:not([disabled]), .drawing [role=button], .drawing button:not([disabled]), .actions > .choices button';
const WITHIN = '.drawing, .steps, .actions, dialog, .turn-bar';

let isByKeys = false;
let last: { x: number; y: number } | null = null; // where the focus was lost; null while it is somewhere

document.addEventListener('keydown', () => (isByKeys = true), true);
document.addEventListener(
  'pointerdown',
  () => {
    isByKeys = false;
    last = null;
  },
  true,
);

export function centreOf(el: Element): { x: number; y: number } {
  const box = el.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Where the focus is within what can be played with; to be asked before a drawing. */
export function focusSpot(): { x: number; y: number } | null {
  const focused = document.activeElement;
  return isByKeys && focused?.closest(WITHIN) ? centreOf(focused) : null;
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

/** After a drawing: a focus that is gone goes to the next choice, now or as soon as there is one. */
export function keepFocus(before: { x: number; y: number } | null): void {
  const focused = document.activeElement;
  const isGone = focused === null || focused === document.body;
  if (!isGone) {
    last = null;
    return;
  }
  last = before ?? last;
  if (isByKeys && last !== null && focusChoice(last)) last = null;
}
