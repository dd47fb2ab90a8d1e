// Championships as the page sees them: the JSON of docs/api.md, and what this browser may do in them.

import { ask, Refusal } from './api';
import { entrantToken, keepTicket, keptFor, setEntrantToken, ticketOf } from './store';
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
  rating?: number | null;
  rating_change?: number | null;
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
  rule?: string;
  sent?: string;
  stamps?: { asked_ms: number; heard_ms: number; used_ms: number; allowed_ms: number } | null;
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

/** A rating as players read it, with what the championship has changed about it when it is over. */
export function ratingText({ rating, rating_change: change }: Standing): string {
  if (rating === undefined || rating === null) return '';
  const sign = (by: number) => (by < 0 ? `−${-by}` : `+${by}`);
  return change === undefined || change === null ? String(Math.round(rating)) : `${Math.round(rating)} (${sign(Math.round(change))})`;
}

/** Enters somebody, by the token of the entries before where there is one: a rating goes on by it. */
export async function enterCup(name: string, as: string): Promise<void> {
  const known = entrantToken();
  const enter = (token?: string) => directCup<{ token?: string }>(name, 'entrants', { name: as }, token);
  const entry = await enter(known ?? undefined).catch((refusal: unknown) => {
    if (known === null || !(refusal instanceof Refusal) || refusal.status !== 401) throw refusal;
    return enter(); // a server that does not know it
  });
  const token = entry.token ?? known;
  if (token === null) return;
  setEntrantToken(token);
  keepCupKeys(name, { ...cupKeysOf(name), token });
}

export interface Rating {
  name: string;
  bot: number | null;
  rating: number;
  deviation: number;
  games: number;
}

/** The ratings of everybody in a game, the strongest first. */
export async function getRatings(game: string): Promise<Rating[]> {
  return (await ask<{ ratings: Rating[] }>('GET', `/ratings?game=${encodeURIComponent(game)}`)).ratings;
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
