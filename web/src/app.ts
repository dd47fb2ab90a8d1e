// The frame around every page: which page an address means, drawing, and notices that pass.

import { keepFocus, noteFocus } from './focus';
import { slideFrom, spots } from './slide';
import { keepTip } from './tips';
import { h, patch, type Child } from './vdom';

export interface Page {
  view(): Child;
  /** A key that nothing on the page has used. */
  key?(event: KeyboardEvent): void;
  closed(): void;
}

const TOAST_MS = 5000;

let current: Page | null = null;
let opener: (path: string) => Page = () => ({ view: () => null, closed: () => undefined });
let frame: (page: Child) => Child[] = (page) => [page];
let isDirty = false;
let toast: string | null = null;
let toastTimer = 0;
let spoken = '';

function draw(): void {
  isDirty = false;
  const root = document.getElementById('app');
  if (root === null || current === null) return;
  const before = spots();
  noteFocus();
  patch(root, [
    ...frame(current.view()),
    h('div', { class: 'sr', 'aria-live': 'polite', key: 'speech' }, spoken),
    toast === null ? null : h('div', { class: 'toast', role: 'alert', key: 'toast' }, toast),
  ]);
  slideFrom(before);
  keepFocus();
  keepTip();
}

/** Draws before the browser paints next, once for all changes of this moment. */
export function redraw(): void {
  if (isDirty) return;
  isDirty = true;
  queueMicrotask(draw);
}

/** Shows a sentence for a while. */
export function notify(text: string): void {
  toast = text;
  window.clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => {
    toast = null;
    redraw();
  }, TOAST_MS);
  redraw();
}

/** Has a screen reader say something, even what it has said before. */
export function speak(text: string): void {
  spoken = text === spoken ? `${text}\u00a0` : text;
  redraw();
}

function open(): void {
  const old = current;
  current = null;
  old?.closed();
  current = opener(location.pathname);
  redraw();
}

/** Goes to another address of the page. */
export function go(path: string): void {
  history.pushState(null, '', path);
  open();
  window.scrollTo(0, 0);
  // Whoever listens instead of looking begins with the new page, not with what was clicked.
  requestAnimationFrame(() => document.getElementById('content')?.focus({ preventScroll: true }));
}

/** Changes the address without changing the page. */
export function setPath(path: string): void {
  if (location.pathname !== path) history.replaceState(null, '', path);
}

export function setTitle(title: string): void {
  if (document.title !== title) document.title = title;
}

/** A link within the page. */
export function link(path: string, props: Record<string, unknown> | null, ...children: Child[]): Child {
  return h(
    'a',
    {
      ...props,
      href: path,
      onclick: (event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(path);
      },
    },
    ...children,
  );
}

export function start(open_page: (path: string) => Page, around: (page: Child) => Child[]): void {
  opener = open_page;
  frame = around;
  window.addEventListener('popstate', open);
  document.addEventListener('keydown', (event) => {
    const on = event.target as Element | null;
    const isTyping =
      on !== null &&
      /^(INPUT|SELECT|TEXTAREA)$/.test(on.tagName) &&
      (on as HTMLInputElement).type !== 'range';
    if (!event.defaultPrevented && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey)
      current?.key?.(event);
  });
  open();
}
