// The beginning: the frame around all pages, and which address is which page.

import { go, link, notify, redraw, start, type Page } from './app';
import { takeHandover } from './handover';
import { icon } from './icons';
import { canCall } from './notice';
import { Lobby } from './pages/lobby';
import { button } from './pages/parts';
import {
  applyTheme,
  isCalling,
  isSoundOn,
  playerName,
  setCalling,
  setPlayerName,
  setSound,
  setTheme,
  theme,
  type Theme,
} from './store';
import { words } from './strings';
import { startTips } from './tips';
import { h, type Child } from './vdom';

const NAME_CHARACTERS_MAX = 30;
const TABLE_AFTER_MS = 1000;
const THEME_ICONS: Record<Theme, string> = { auto: 'auto', light: 'sun', dark: 'moon' };
const THEME_NEXT: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' };

function unknownPage(): Page {
  return {
    view: () =>
      h(
        'main',
        { id: 'content', tabindex: -1, class: 'missing' },
        h('h1', null, words.notFound),
        button(words.toLobby, () => go('/'), { class: 'primary' }),
      ),
    closed: () => undefined,
  };
}

/** A part of an address as text; undefined when it is no text at all. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** A page whose code is loaded when somebody goes there. */
function later(load: () => Promise<Page>): Page {
  let page: Page | null = null;
  let hasFailed = false;
  let isClosed = false;
  load().then(
    (loaded) => {
      page = loaded;
      if (isClosed) loaded.closed();
      else redraw();
    },
    () => {
      hasFailed = true;
      redraw();
    },
  );
  return {
    view: () =>
      page?.view() ??
      h(
        'main',
        { id: 'content', tabindex: -1, class: 'missing', key: 'later' },
        h('p', { class: 'quiet' }, hasFailed ? words.unreachable : words.loading),
        // Browsers do not try again what could not be loaded, and a newer server has it under another name.
        hasFailed && button(words.tryAgain, () => location.reload(), { class: 'primary' }),
      ),
    key: (event) => page?.key?.(event),
    closed: () => {
      isClosed = true;
      page?.closed();
    },
  };
}

const archive = () => import('./pages/archive');
const tablePage = () => import('./pages/table');

/** The code of the table that an address is about. */
function tableOf(path: string): string | undefined {
  const [, code] = /^\/t\/([^/]+)/.exec(path) ?? [];
  return code === undefined ? undefined : decoded(code)?.toUpperCase();
}

function openPage(path: string): Page {
  if (path === '/') return new Lobby();
  if (path === '/connect') return later(async () => new (await import('./pages/connect')).Connect());
  if (path === '/archive') return later(async () => new (await archive()).Archive());
  if (/^\/c\/?$/.test(path)) return later(async () => new (await import('./pages/championships')).Championships());
  const [, kind, name] = /^\/(p|rules|c)\/([^/]+)\/?$/.exec(path) ?? [];
  const named = name === undefined ? undefined : decoded(name);
  if (named !== undefined && kind === 'c') return later(async () => new (await import('./pages/championship')).Championship(named));
  if (named !== undefined && kind === 'p') return later(async () => new (await archive()).Profile(named));
  if (named !== undefined) return later(async () => new (await import('./pages/rules')).Rules(named));
  const [, manual] = /^\/docs\/([a-z-]+(?:\/[a-z-]+)?)\/?$/.exec(path) ?? [];
  if (manual !== undefined) return later(async () => new (await import('./pages/rules')).Manual(manual));
  const [matched, what, version] = /^\/t\/[^/]+(?:\/(wire|at\/(\d+)))?\/?$/.exec(path) ?? [];
  const table = matched === undefined ? undefined : tableOf(path);
  if (table === undefined) return unknownPage();
  if (what === 'wire') return later(async () => new (await import('./pages/inspector')).Inspector(table));
  return later(async () => new (await tablePage()).TablePage(table, version !== undefined ? Number(version) : null));
}

/** The browser is asked for leave when somebody wants to be called, not before. */
async function toggleCall(): Promise<void> {
  const isWanted = !isCalling();
  if (isWanted && (await Notification.requestPermission()) !== 'granted') notify(words.callRefused);
  else setCalling(isWanted);
  redraw();
}

/** A name that is being typed: what is drawn anew meanwhile does not take it away. */
let typedName: string | null = null;

function tools(): Child {
  return h(
    'div',
    { class: 'tools' },
    h('input', {
      class: 'name',
      value: typedName ?? playerName(),
      placeholder: words.yourName,
      'aria-label': words.yourName,
      maxlength: NAME_CHARACTERS_MAX,
      autocomplete: 'nickname',
      oninput: (event: Event) => (typedName = (event.target as HTMLInputElement).value),
      onchange: (event: Event) => {
        typedName = null;
        setPlayerName((event.target as HTMLInputElement).value.trim());
      },
    }),
    button(
      icon(isSoundOn() ? 'sound' : 'mute'),
      () => {
        setSound(!isSoundOn());
        redraw();
      },
      {
        class: 'tool',
        'aria-label': isSoundOn() ? words.soundOn : words.soundOff,
        title: isSoundOn() ? words.soundOn : words.soundOff,
      },
    ),
    canCall() &&
      button(icon(isCalling() ? 'bell' : 'bellOff'), () => void toggleCall(), {
        class: 'tool',
        'aria-label': isCalling() ? words.callOn : words.callOff,
        title: isCalling() ? words.callOn : words.callOff,
      }),
    button(
      icon(THEME_ICONS[theme()]),
      () => {
        setTheme(THEME_NEXT[theme()]);
        redraw();
      },
      { class: 'tool', 'aria-label': words.themeWords[theme()], title: words.themeWords[theme()] },
    ),
  );
}

function frame(page: Child): Child[] {
  return [
    h('a', { class: 'skip', href: '#content', key: 'skip' }, words.skip),
    h(
      'header',
      { class: 'top', key: 'top' },
      link(
        '/',
        { class: 'brand', 'aria-label': `${words.product}: ${words.lobby}` },
        h('img', { src: '/icon.svg', alt: '', width: 30, height: 30 }),
        words.product,
      ),
      tools(),
    ),
    h('div', { class: 'page', key: 'page' }, page),
  ];
}

applyTheme();
startTips();
void takeHandover(tableOf(location.pathname) ?? '').then(() => start(openPage, frame));
// Whoever looks at the lobby will soon be at a table: its page is fetched when the lobby stands.
window.setTimeout(() => void tablePage().catch(() => undefined), TABLE_AFTER_MS);
