// What something on a board is, for whoever wonders: the words of a card, a god, a sign or a field in a small box beside it, under the pointer after a
// moment, at once by the focus of the keyboard, and by a long press of a finger.

import { plainWords } from './pages/parts';

const HOVER_MS = 350;
const PRESS_MS = 500; // of a finger, before it is a long one
const MOVED_PX_MAX = 12; // of a finger that stays where it is

let box: HTMLElement | null = null;
let owner: Element | null = null; // what the box is about
let timer = 0;
let pressed: { x: number; y: number } | null = null;
let isLong = false; // the finger that is lifted next has asked, not played

/** The innermost thing with words of its own: a tip, a title within a picture, or a name for screen readers. */
function explained(target: EventTarget | null): { el: Element; text: string; isTitle: boolean } | null {
  let el = target instanceof Element ? target : null;
  for (; el !== null && el.closest('.drawing') !== null; el = el.parentElement) {
    const title = [...el.children].find((child) => child.tagName === 'title')?.textContent ?? '';
    const text = el.getAttribute('data-tip') ?? (title !== '' ? title : (el.getAttribute('aria-label') ?? ''));
    if (text !== '' && !el.matches('svg.picture, .drawing')) return { el, text: plainWords(text), isTitle: text === title };
  }
  return null;
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
    if (event.pointerType === 'touch') return;
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
  document.addEventListener('scroll', hide, { passive: true, capture: true });
}
