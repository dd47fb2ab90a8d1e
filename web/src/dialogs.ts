// Dialogs of the page, on the browser's own <dialog>: it traps the focus and closes with Escape.

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
