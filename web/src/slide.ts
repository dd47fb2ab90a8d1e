// Pieces that slide: what carries `data-slide` and is somewhere else after a drawing moves there from where it was. Where something
// is counts within its picture, so that a page that grows or scrolls moves nothing.

const SLIDE_MS = 250;
const JUMP_PX_MIN = 2;

const wantsLess = window.matchMedia('(prefers-reduced-motion: reduce)');

/** Whether anything may move by itself: not for who wants less motion, and not while nobody looks. */
export const isMotionWanted = (): boolean => !wantsLess.matches && document.visibilityState === 'visible';

interface Spot {
  x: number;
  y: number;
  picture: Element | null;
  inPicture: { x: number; y: number };
}

export type Spots = Map<string, Spot>;

/** Everything that can slide; what is folded away is nowhere, and tables in small stand still. */
function pieces(): Element[] {
  return [...document.querySelectorAll('[data-slide]:not(.small-board *)')].filter((el) => el.closest('details:not([open])') === null);
}

function spotOf(el: Element): Spot {
  const box = el.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const picture = el.closest('.picture');
  const frame = picture?.getBoundingClientRect();
  return { x, y, picture, inPicture: { x: x - (frame?.x ?? 0), y: y - (frame?.y ?? 0) } };
}

/** Where everything is that can slide; none when nothing shall move. */
export function spots(): Spots {
  const out: Spots = new Map();
  if (!isMotionWanted()) return out;
  for (const el of pieces()) out.set(el.getAttribute('data-slide') ?? '', spotOf(el));
  return out;
}

/** Lets everything that has moved since then slide. */
export function slideFrom(before: Spots): void {
  if (before.size === 0) return;
  for (const el of pieces()) {
    const old = before.get(el.getAttribute('data-slide') ?? '');
    if (old === undefined) continue;
    const now = spotOf(el);
    const isSame = old.picture === now.picture;
    const dx = isSame ? old.inPicture.x - now.inPicture.x : old.x - now.x;
    const dy = isSame ? old.inPicture.y - now.inPicture.y : old.y - now.y;
    if (Math.abs(dx) < JUMP_PX_MIN && Math.abs(dy) < JUMP_PX_MIN) continue;
    // Lengths in a picture are its own, not the screen's.
    const scale = (el instanceof SVGGraphicsElement ? el.getScreenCTM()?.a : undefined) ?? 1;
    el.animate(
      { translate: [`${dx / scale}px ${dy / scale}px`, '0px 0px'] },
      { duration: SLIDE_MS, easing: 'ease-out', id: 'slide' },
    );
  }
}
