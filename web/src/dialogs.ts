// Dialogs of the page, on the browser's own <dialog>: it traps the focus and closes with Escape.

import { redraw } from './app';
import { words } from './strings';
import { h, type Child } from './vdom';

/** A modal dialog, as long as it is drawn. */
export function dialog(name: string, title: string, closed: () => void, ...children: Child[]): Child {
  requestAnimationFrame(() => {
    const element = document.getElementById(name);
    if (element instanceof HTMLDialogElement && !element.open) element.showModal();
  });
  return h(
    'dialog',
    {
      id: name,
      key: name,
      'aria-labelledby': `${name}-title`,
      onclose: closed,
      onclick: (event: Event) => {
        if (event.target === event.currentTarget) closed(); // beside it
      },
    },
    h('div', { class: 'dialog' }, h('h2', { id: `${name}-title` }, title), ...children),
  );
}

/** A question before something that cannot be taken back; at most one is open. */
export class Question {
  private asked: { question: string; yes: string; run: () => void } | null = null;

  get isOpen(): boolean {
    return this.asked !== null;
  }

  ask(question: string, yes: string, run: () => void): void {
    this.asked = { question, yes, run };
    redraw();
  }

  view(): Child {
    if (this.asked === null) return null;
    const { question, yes, run } = this.asked;
    const close = () => {
      this.asked = null;
      redraw();
    };
    const confirm = () => {
      close();
      run();
    };
    return dialog(
      'ask',
      question,
      close,
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'button', onclick: close }, words.cancel),
        h('button', { type: 'button', class: 'primary', onclick: confirm }, yes),
      ),
    );
  }
}
