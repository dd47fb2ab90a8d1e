// What this browser remembers: the player's name, the secrets of its seats, how the page looks and sounds. Without storage
// (private windows may refuse it) everything works until the page is closed.

export interface Ticket {
  seat: number;
  token: string;
  owner?: string;
  /** The championship that the table belongs to. */
  cup?: string;
  /** The table is over: its seat need not be looked for any more. */
  isOver?: boolean;
}

const memory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string | null): void {
  if (value === null) memory.delete(key);
  else memory.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Memory has it.
  }
}

const TICKETS_MAX = 200; // tables whose seats are remembered, the oldest forgotten first

function tickets(): Record<string, Ticket> {
  try {
    return JSON.parse(read('parlor.tickets') ?? '{}') as Record<string, Ticket>;
  } catch {
    return {};
  }
}

export function ticketOf(code: string): Ticket | null {
  return tickets()[code] ?? null;
}

/** The codes of tables where this browser has a seat and that were not over when it last saw them, the newest first. */
export function ownCodes(): string[] {
  return Object.entries(tickets())
    .filter(([, ticket]) => ticket.token !== '' && ticket.isOver !== true)
    .map(([code]) => code)
    .reverse();
}

export function keepTicket(code: string, ticket: Ticket): void {
  const all = tickets();
  delete all[code];
  all[code] = ticket;
  const codes = Object.keys(all);
  for (const old of codes.slice(0, Math.max(0, codes.length - TICKETS_MAX))) delete all[old];
  write('parlor.tickets', JSON.stringify(all));
}

export function dropTicket(code: string): void {
  const all = tickets();
  delete all[code];
  write('parlor.tickets', JSON.stringify(all));
}

/** Steps of a turn that were not sent yet. */
export interface Unsent {
  version: number;
  steps: string[];
  /** Which of them were done without asking. */
  forced: number[];
}

const KEPT_MAX = 20; // tables of which something is kept, the newest

/** Something that is kept for each of the last tables, or of other things with a name. */
export function keptFor<T>(key: string, max = KEPT_MAX): { of: (code: string) => T | null; keep: (code: string, what: T | null) => void } {
  const all = (): Record<string, T> => {
    try {
      return JSON.parse(read(key) ?? '{}') as Record<string, T>;
    } catch {
      return {};
    }
  };
  const keep = (code: string, what: T | null): void => {
    const kept = all();
    if (what === null && !(code in kept)) return;
    delete kept[code];
    if (what !== null) kept[code] = what;
    const codes = Object.keys(kept);
    for (const old of codes.slice(0, Math.max(0, codes.length - max))) delete kept[old];
    write(key, JSON.stringify(kept));
  };
  return { of: (code) => all()[code] ?? null, keep };
}

/** Kept for when the page comes back; null forgets them. */
export const { of: unsentOf, keep: keepUnsent } = keptFor<Unsent>('parlor.unsent');

/** Where somebody is in the guided first game of a table: the step, and the version at which it began. */
export interface LessonAt {
  step: number;
  from: number;
}

/** Kept for when the page comes back; null ends it. */
export const { of: lessonOf, keep: keepLesson } = keptFor<LessonAt>('parlor.lessons');

/** The secret by which this browser has entered championships, and has its ratings; null before the first one. */
export function entrantToken(): string | null {
  return read('parlor.entrant');
}

export function setEntrantToken(token: string): void {
  write('parlor.entrant', token);
}

export function playerName(): string {
  return read('parlor.name') ?? '';
}

export function setPlayerName(name: string): void {
  write('parlor.name', name);
}

/** The level of the bots that are played by one click; null until one was chosen. */
export function botLevel(): number | null {
  const level = Number(read('parlor.level') ?? NaN);
  return Number.isInteger(level) ? level : null;
}

export function setBotLevel(level: number): void {
  write('parlor.level', String(level));
}

export function isSoundOn(): boolean {
  return read('parlor.sound') !== 'off';
}

export function setSound(on: boolean): void {
  write('parlor.sound', on ? 'on' : 'off');
}

/** Whether the browser shall call when it is one's turn while another page is looked at. */
export function isCalling(): boolean {
  return read('parlor.call') === 'on';
}

export function setCalling(on: boolean): void {
  write('parlor.call', on ? 'on' : null);
}

/** Whether positions are shown in words and numbers instead of drawings. */
export function isBoardText(): boolean {
  return read('parlor.board') === 'text';
}

export function setBoardText(isText: boolean): void {
  write('parlor.board', isText ? 'text' : null);
}

export type Theme = 'auto' | 'light' | 'dark';

export function theme(): Theme {
  const word = read('parlor.theme');
  return word === 'light' || word === 'dark' ? word : 'auto';
}

export function setTheme(next: Theme): void {
  write('parlor.theme', next === 'auto' ? null : next);
  applyTheme();
}

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
systemIsDark.addEventListener('change', applyTheme);

export function applyTheme(): void {
  const word = theme() === 'auto' ? (systemIsDark.matches ? 'dark' : 'light') : theme();
  document.documentElement.setAttribute('data-theme', word);
}
