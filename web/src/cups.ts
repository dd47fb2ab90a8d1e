// Championships as the page sees them: the JSON of docs/api.md, and what this browser may do in them.

import { ask } from './api';
import { keepTicket, keptFor, ticketOf } from './store';
import { language } from './strings';
import type { CupWords } from './words/en_cups';

export interface Standing {
  place?: number;
  nick: string;
  points?: number;
  played?: number;
  won: number;
  drawn?: number;
  lost: number;
  direct?: number;
  buchholz?: number;
  sonneborn_berger?: number;
  gone?: boolean;
}

/** A championship as lists have it; one of the Universal Game System has no format. */
export interface CupRow {
  name: string;
  type: string;
  entered: number;
  state: string;
  format?: string;
  round?: number;
  pairings_decided?: number;
  pairings_planned?: number;
  standings: Standing[];
}

export interface Pairing {
  number: number;
  round: number;
  state: 'waiting' | 'playing' | 'decided';
  how: string;
  table: string | null;
  players: string[];
  points: number[];
  loser: string | null;
  reason: string;
  why: string;
}

export interface Entrant {
  name: string;
  bot: number | null;
  gone: boolean;
  disqualified: boolean;
  why: string;
}

export interface Cup extends CupRow {
  entrants: Entrant[];
  pairings: Pairing[];
  you: { name: string; table: string | null; seat: number | null } | null;
}

/** What this browser may do in a championship: direct it, and play in it under a name. */
export interface CupKeys {
  owner?: string;
  token?: string;
}

const CUPS_MAX = 100; // championships whose secrets are kept, the newest

const { of, keep } = keptFor<CupKeys>('parlor.cups', CUPS_MAX);

export const cupKeysOf = (name: string): CupKeys => of(name) ?? {};
export const keepCupKeys = keep;

export const cupPath = (name: string) => `/championships/${encodeURIComponent(name)}`;

export async function getCups(): Promise<CupRow[]> {
  return (await ask<{ championships: CupRow[] }>('GET', '/championships')).championships;
}

export function getCup(name: string, token?: string): Promise<Cup> {
  return ask('GET', cupPath(name), undefined, token);
}

/** One that is asked for by its owner or an entrant: start, entrants, leave and so on. */
export function directCup<T = unknown>(name: string, what: string, body: Record<string, unknown>, token?: string): Promise<T> {
  return ask('POST', `${cupPath(name)}/${what}`, body, token);
}

/** Keeps the seat at the table that waits for somebody, so that it is played like any other. */
export function keepSeat({ name, you }: Cup): void {
  const { token } = cupKeysOf(name);
  if (token !== undefined && you !== null && you.table !== null && you.seat !== null && ticketOf(you.table) === null)
    keepTicket(you.table, { seat: you.seat, token, cup: name });
}

/** Looks for a table that waits for somebody who has entered from this browser. */
export async function findTable({ name, state }: CupRow): Promise<void> {
  const { token } = cupKeysOf(name);
  if (token !== undefined && state !== 'open') keepSeat(await getCup(name, token));
}

/** The words of these pages, which are loaded when somebody goes there. */
export async function cupWords(): Promise<CupWords> {
  const load = language === 'de' ? import('./words/de_cups') : import('./words/en_cups');
  return (await load).cupWords;
}

/** "1", "½", "0.67": as players write points. */
export function pointsText(points: number): string {
  const whole = Math.floor(points);
  if (points - whole === 0.5) return `${whole === 0 ? '' : whole}½`;
  return String(Math.round(points * 100) / 100);
}
