// What something on a board is, for whoever wonders: the words of a card, a god, a sign or a field in a small box beside it, under the pointer after a
// moment, at once by the focus of the keyboard, and by a long press of a finger. Shift with → and ← leads the focus to everything that has such words.

import { plainWords } from './pages/parts';

const HOVER_MS = 350;
const PRESS_MS = 500; // of a finger, before it is a long one
const MOVED_PX_MAX = 12; // of a finger that stays where it is

let box: HTMLElement | null = null;
let owner: Element | null = null; // what the box is about
let timer = 0;
let pressed: { x: number; y: number } | null = null;
let pointer = { x: -1, y: -1 }; // where a mouse was last
let isLong = false; // the finger that is lifted next has asked, not played

/** The innermost thing with words of its own: a tip, a title within a picture, or a name for screen readers. */
function explained(target: EventTarget | null): { el: Element; text: string; isTitle: boolean } | null {
  let el = target instanceof Element ? target : null;
  for (; el !== null && el.closest('.drawing') !== null; el = el.parentElement) {
    const text = ownWords(el);
    const isTitle = !el.hasAttribute('data-tip') && [...el.children].some((child) => child.tagName === 'title');
    if (text !== '' && !el.matches('svg.picture, .drawing')) return { el, text: plainWords(text), isTitle };
  }
  return null;
}

/** What a thing itself has to say about it; empty when it has nothing. */
function ownWords(el: Element): string {
  const title = [...el.children].find((child) => child.tagName === 'title')?.textContent ?? '';
  return el.getAttribute('data-tip') ?? (title !== '' ? title : (el.getAttribute('aria-label') ?? ''));
}

/** Everything of the board that can be explained and seen, in the order of the document. */
function everything(): Element[] {
  const all = document.querySelectorAll('.drawing [data-tip], .drawing [aria-label], .drawing :has(> title)');
  return [...all].filter((el) => {
    const { width, height } = el.getBoundingClientRect();
    return ownWords(el) !== '' && !el.matches('svg.picture') && el.closest('[aria-hidden="true"]') === null && width + height > 0;
  });
}

/** Goes to the next thing, or to the one before: also to those that nothing can be done with, at which Tab does not stop. */
function walk(step: number): boolean {
  const all = everything();
  if (all.length === 0) return false;
  const at = all.indexOf(document.activeElement ?? document.body);
  const first = at < 0 && step < 0 ? 0 : at;
  for (let i = 1; i <= all.length; i++) {
    const next = all[(first + step * i + all.length * 2) % all.length] as HTMLElement | SVGElement;
    if (!next.hasAttribute('tabindex')) next.setAttribute('tabindex', '-1');
    next.focus();
    if (document.activeElement === next) return true; // a button that is switched off takes none
  }
  return false;
}

function hide(): void {
  window.clearTimeout(timer);
  box?.remove();
  box = null;
  owner = null;
}

/** Within the content, so that whoever goes by landmarks finds it there. */
function place(tip: HTMLElement): void {
  (document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body).append(tip);
}

function show(el: Element, text: string): void {
  hide();
  box = document.createElement('div');
  box.className = 'tip';
  owner = el;
  box.setAttribute('role', 'tooltip');
  box.textContent = text;
  place(box);
  move(el);
}

/** Puts the box beside what it is about. */
function move(el: Element): void {
  if (box === null) return;
  const at = el.getBoundingClientRect();
  const own = box.getBoundingClientRect();
  const left = Math.max(4, Math.min(window.innerWidth - own.width - 4, at.x + at.width / 2 - own.width / 2));
  const above = at.y - own.height - 8;
  box.style.left = `${left}px`;
  box.style.top = `${above < 4 ? Math.min(at.bottom + 8, window.innerHeight - own.height - 4) : above}px`;
}

/** After a drawing, which leaves only what it has drawn: what is gone is explained no more. */
export function keepTip(): void {
  if (owner !== null && !owner.isConnected) hide();
  else if (box !== null && !box.isConnected) place(box);
}

/** Begins to explain whatever is pointed at. */
export function startTips(): void {
  document.addEventListener('pointerover', (event) => {
    // What scrolls below a pointer that stays where it is was not pointed at.
    if (event.pointerType === 'touch' || (event.clientX === pointer.x && event.clientY === pointer.y)) return;
    pointer = { x: event.clientX, y: event.clientY };
    hide();
    const found = explained(event.target); // a title is shown by the browser itself
    if (found !== null && !found.isTitle)
      timer = window.setTimeout(() => found.el.isConnected && show(found.el, found.text), HOVER_MS);
  });
  document.addEventListener('focusin', (event) => {
    const found = explained(event.target);
    if (found !== null && found.el.matches(':focus-visible')) show(found.el, found.text);
    else hide();
  });
  document.addEventListener('focusout', hide);
  document.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const isTyping = event.target instanceof Element && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.shiftKey && step !== 0 && !isTyping && !event.ctrlKey && !event.altKey && !event.metaKey && walk(step)) event.preventDefault();
  });
  document.addEventListener('pointerdown', (event) => {
    hide();
    isLong = false;
    if (event.pointerType !== 'touch') return;
    pressed = { x: event.clientX, y: event.clientY };
    const found = explained(event.target);
    if (found === null) return;
    timer = window.setTimeout(() => {
      isLong = true;
      show(found.el, found.text);
    }, PRESS_MS);
  });
  document.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch' || pressed === null || isLong) return;
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > MOVED_PX_MAX) window.clearTimeout(timer);
  });
  for (const type of ['pointerup', 'pointercancel'] as const)
    document.addEventListener(type, () => {
      if (!isLong) window.clearTimeout(timer);
      pressed = null;
    });
  // Who has asked by a long press has not played.
  document.addEventListener(
    'click',
    (event) => {
      if (!isLong) return;
      isLong = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  document.addEventListener('contextmenu', (event) => {
    if (isLong || pressed !== null) event.preventDefault();
  });
  // What has the focus keeps its box: it may have been scrolled into sight for it.
  const scrolled = () => (owner !== null && owner === document.activeElement ? move(owner) : hide());
  document.addEventListener('scroll', scrolled, { passive: true, capture: true });
}
