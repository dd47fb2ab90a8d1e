// What keeps large boards in sight: on a phone tabs for what is one's own, the table and the others; drawers for boards of others.

import { redraw } from '../app';
import { words } from '../strings';
import { h, type Child, type VNode } from '../vdom';
import type { Scene } from './board';

const phone = window.matchMedia('(max-width: 640px)');
phone.addEventListener('change', redraw);

/** Whether the page is as narrow as a phone that is held upright. */
export const isPhone = (): boolean => phone.matches;

export interface Tab {
  key: 'mine' | 'table' | 'others';
  inside: Child;
}

/** The tab that is shown, of the table and the position that it was last chosen or found for. */
let shown: { code: string; view: unknown; key: string } = { code: '', view: null, key: '' };

function nodesOf(child: Child): VNode[] {
  if (Array.isArray(child)) return child.flatMap(nodesOf);
  return typeof child === 'object' && child !== null ? [child, ...child.children.flatMap(nodesOf)] : [];
}

const isChoice = ({ tag, props }: VNode): boolean =>
  props['role'] === 'button' || (tag === 'button' && props['disabled'] !== true && props['data-look'] === undefined);

/** Whether there is something to choose in a part of a board. */
const hasChoice = (child: Child): boolean => nodesOf(child).some(isChoice);

/** Whether something in a part of a board is marked as new. */
const hasNews = (child: Child): boolean => nodesOf(child).some(({ props }) => props['data-mark'] !== undefined);

/** Which tab to show: the one that was shown, unless a new position asks for something elsewhere. */
function shownTab(scene: Scene, tabs: Tab[], isAsked: boolean): string {
  const isNew = shown.view !== scene.view || shown.code !== scene.table.code;
  const kept = tabs.find(({ key }) => shown.code === scene.table.code && key === shown.key)?.key;
  let key = kept ?? tabs[0]?.key ?? '';
  if (isNew) {
    const open = tabs.filter(({ inside }) => hasChoice(inside));
    if (isAsked) key = tabs[0]?.key ?? '';
    else if (!open.some((tab) => tab.key === key)) key = open[0]?.key ?? key;
    shown = { code: scene.table.code, view: scene.view, key };
  }
  return key;
}

/** Parts of a board behind tabs, of which those with something to choose are marked, and those where something has happened. When something is asked above them, what is the
 * viewer's own is shown below it. */
export function tabbed(scene: Scene, all: Tab[], isAsked: boolean): Child {
  const tabs = all.filter(({ inside }) => nodesOf(inside).length > 0);
  const key = shownTab(scene, tabs, isAsked);
  const label = (tab: Tab) => (tab.key === 'others' && scene.me === null ? words.tabs.players : words.tabs[tab.key]);
  return [
    h(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': words.board, key: 'tabs' },
      tabs.map((tab) => {
        const isOpen = hasChoice(tab.inside);
        const isNews = tab.key !== key && hasNews(tab.inside);
        return h(
          'button',
          {
            key: tab.key,
            type: 'button',
            role: 'tab',
            id: `tab-${tab.key}`,
            class: `${isOpen ? 'open' : ''} ${isNews ? 'fresh-news' : ''}`,
            'data-mark': isNews ? 'behind' : undefined,
            'aria-selected': tab.key === key ? 'true' : 'false',
            'aria-controls': 'tab-panel',
            'data-look': tab.key,
            onclick: () => {
              shown = { code: scene.table.code, view: scene.view, key: tab.key };
              redraw();
            },
          },
          label(tab),
          isOpen && h('span', { class: 'sr' }, ` (${words.tabOpen})`),
          isNews && h('span', { class: 'sr' }, ` (${words.tabNews})`),
        );
      }),
    ),
    h(
      'div',
      { class: 'tab-panel', role: 'tabpanel', id: 'tab-panel', 'aria-labelledby': `tab-${key}`, key: `panel-${key}` },
      tabs.filter((tab) => tab.key === key).map((tab) => tab.inside),
    ),
  ];
}

/** The board of somebody else: a line that opens by a tap. What has happened in it is told by a mark on the line. */
export function drawer(key: string, name: string, isOpen: boolean, line: Child, ...inside: Child[]): VNode {
  return h(
    'details',
    { class: `drawer ${hasNews(inside) ? 'fresh-news' : ''}`, key, 'aria-label': name, open: isOpen },
    h('summary', null, line),
    inside,
  );
}
