// The native API as the page sees it: the JSON of docs/api.md, and one function per request.

export interface GameOption {
  name: string;
  help: string;
  words: string[] | null;
  min: number;
  max: number;
  default: string | number;
}

export interface Game {
  name: string;
  title: string;
  seats_min: number;
  seats_max: number;
  secrets: boolean;
  options: GameOption[];
  levels: { min: number; max: number; default: number };
  /** What clients of a table can speak: "api", and the game's own protocol when the server listens for it. */
  protocols?: string[];
}

export interface Seat {
  name: string;
  kind: 'person' | 'bot' | 'free';
  protocol: string;
  online: boolean;
  level: number | null;
}

export interface Result {
  points: number[];
  winners: number[];
  why: string;
}

export type TableState = 'open' | 'running' | 'finished';

/** A table in the lobby. */
export interface TableRow {
  code: string;
  game: string;
  protocol: string;
  state: TableState;
  version: number;
  private: boolean;
  watch_delay_ms: number;
  made_ms: number;
  seats: Seat[];
  turn: number[];
  result: Result | null;
}

export interface TableEvent {
  version: number;
  at_ms: number;
  kind: string;
  seat: number | 'chance' | null;
  actions: string[];
  text: string;
}

export interface Clock {
  seat: number;
  left_ms: number;
  running: boolean;
}

/** What a game says about its position: its own JSON, which only its board understands. */
export type View = Record<string, unknown>;

export interface Table extends TableRow {
  inspect: boolean;
  violation_loses: boolean;
  absent_bot?: number;
  options: Record<string, string | number>;
  seat: number | null;
  as: number | 'watcher' | 'all';
  over: boolean;
  clocks: Clock[] | null;
  view: View;
  legal: string[];
  legal_unlisted: boolean;
  legal_samples: string[];
  last: TableEvent | null;
  rematch: string | null;
  chance?: boolean;
  unknown?: boolean;
  events?: TableEvent[];
  gap?: boolean;
  owner_token?: string;
  token?: string;
}

export interface WireItem {
  n: number;
  at_ms: number;
  seat: number | null;
  connection: number;
  protocol: string;
  direction: 'in' | 'out';
  text: string;
  hidden: boolean;
  refused: boolean;
  error: string;
  reason: string;
  rule: string;
}

export interface NewTable {
  game: string;
  seats?: number;
  options?: Record<string, string | number>;
  bots?: { seat: number; level: number }[];
  private?: boolean;
  inspect?: boolean;
  turn_ms?: number;
  game_ms?: number;
  increment_ms?: number;
  absent_bot?: number;
  protocol?: string;
  seat?: { name: string; seat?: number };
  from?: { code: string; version: number };
}

/** A refusal: what the server says, or that it cannot be reached (status 0). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly word: string,
    readonly reason: string,
    readonly rule: string,
  ) {
    super(reason);
  }
}

export function refusalOf(status: number, problem: unknown): Refusal {
  const p = (typeof problem === 'object' && problem !== null ? problem : {}) as Record<string, unknown>;
  const text = (name: string) => (typeof p[name] === 'string' ? (p[name] as string) : '');
  return new Refusal(status, text('error'), text('reason') || text('title'), text('rule'));
}

/** A request for what not every page asks for. */
export const ask = request;

async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  token?: string,
  key?: string,
): Promise<T> {
  const headers: Record<string, string> = {};
  if (key !== undefined) headers['Idempotency-Key'] = key;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token !== undefined) headers['Authorization'] = `Bearer ${token}`;
  let response: Response;
  try {
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    response = await fetch(`/api/v1${path}`, init);
  } catch {
    throw new Refusal(0, 'offline', '', '');
  }
  let answer: unknown = null;
  try {
    answer = await response.json();
  } catch {
    // A body that is no JSON leaves the status to speak.
  }
  if (!response.ok) throw refusalOf(response.status, answer);
  return answer as T;
}

const KEY_BYTES = 16;
const TRIES_MAX = 3;

/** A request that gives a token: when its answer is lost it is asked again under the same key, and done once. */
async function requestOnce<T>(path: string, body: unknown, token?: string): Promise<T> {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  for (let tries = 1; ; tries++) {
    try {
      return await request<T>('POST', path, body, token, key);
    } catch (refusal) {
      if (tries === TRIES_MAX || !(refusal instanceof Refusal) || refusal.status !== 0) throw refusal;
    }
  }
}

const tablePath = (code: string) => `/tables/${encodeURIComponent(code)}`;

export async function getGames(): Promise<Game[]> {
  return (await request<{ games: Game[] }>('GET', '/games')).games;
}

export interface Protocol {
  name: string;
  about: string;
  game: string | null;
  listener: string;
  /** Where it is spoken; null when the listener is off. */
  address: string | null;
  page: string;
}

export function getProtocols(): Promise<{ version: string; protocols: Protocol[] }> {
  return request('GET', '/protocols');
}

export async function getTables(state: TableState, limit: number): Promise<TableRow[]> {
  return (await request<{ tables: TableRow[] }>('GET', `/tables?state=${state}&limit=${limit}`)).tables;
}

/** Some tables that are over, the newest first, of one game or of all ('');  next is where to go on. */
export function getFinished(game: string, before: string | null, limit: number): Promise<{ tables: TableRow[]; next: string | null }> {
  const query = [`state=finished&limit=${limit}`];
  if (game !== '') query.push(`game=${encodeURIComponent(game)}`);
  if (before !== null) query.push(`before=${encodeURIComponent(before)}`);
  return request('GET', `/tables?${query.join('&')}`);
}

export function createTable(wish: NewTable): Promise<Table> {
  return requestOnce('/tables', wish);
}

export function takeSeat(
  code: string,
  name: string,
  seat?: number,
): Promise<{ seat: number; token: string }> {
  return requestOnce(`${tablePath(code)}/seats`, seat === undefined ? { name } : { name, seat });
}

/** Seats a bot, by somebody who sits at the table. */
export function seatBot(code: string, token: string, seat: number, level: number): Promise<unknown> {
  return request('POST', `${tablePath(code)}/seats`, { bot: level, seat }, token);
}

export function getTable(code: string, token?: string): Promise<Table> {
  return request('GET', tablePath(code), undefined, token);
}

export function getTableAt(
  code: string,
  version: number,
  as: string | undefined,
  token?: string,
): Promise<Table> {
  const query = as === undefined ? '' : `?as=${encodeURIComponent(as)}`;
  return request('GET', `${tablePath(code)}/at/${version}${query}`, undefined, token);
}

const JOURNAL_PAGES_MAX = 40;

/** All events of a table from a version on. */
export async function getJournal(
  code: string,
  from: number,
  as: string | undefined,
  token?: string,
): Promise<TableEvent[]> {
  const events: TableEvent[] = [];
  let next: number | null = from;
  for (let page = 0; next !== null && page < JOURNAL_PAGES_MAX; page++) {
    const query: string = `from=${next}` + (as === undefined ? '' : `&as=${encodeURIComponent(as)}`);
    const answer: { events: TableEvent[]; next: number | null } = await request(
      'GET',
      `${tablePath(code)}/journal?${query}`,
      undefined,
      token,
    );
    events.push(...answer.events);
    next = answer.next;
  }
  return events;
}

export function act(
  code: string,
  token: string,
  version: number,
  actions: string[],
): Promise<{ version: number }> {
  return request('POST', `${tablePath(code)}/actions`, { version, actions }, token);
}

/** The table as it would be after these actions; nothing is played. */
export function tryActions(code: string, token: string, version: number, actions: string[]): Promise<Table> {
  return request('POST', `${tablePath(code)}/actions`, { version, actions, dry_run: true }, token);
}

/** What a bot would play after these actions, which are not played. */
/** What a bot knows of the reasons of its hint: what it has looked at, 0 where it does not count; what it expects for the player, from -1000, lost, to
 * 1000, won; and how it expects the game to go on, of which the hint is the first. */
export interface Why {
  nodes: number;
  visits: number;
  depth: number;
  value: number | null;
  line: { seat: number; action: string }[];
}

export function getHint(code: string, token: string, version: number, actions: string[]): Promise<{ action: string; why: Why }> {
  return request('POST', `${tablePath(code)}/hint`, { version, actions }, token);
}

/** What a position was worth to the seat that was to act: from -1000, lost, to 1000, won. */
export interface Value {
  version: number;
  seat: number;
  value: number;
}

export function getValues(code: string, from: number): Promise<{ values: Value[]; next: number | null }> {
  return request('GET', `${tablePath(code)}/values?from=${from}`);
}

export function resign(code: string, token: string): Promise<unknown> {
  return request('POST', `${tablePath(code)}/resign`, {}, token);
}

export function leave(code: string, token: string): Promise<unknown> {
  return request('POST', `${tablePath(code)}/leave`, {}, token);
}

/** A seat whose player is gone, and when it may be claimed. */
export interface Absent {
  seat: number;
  in_ms: number;
  /** The level of the bot that plays on for it. */
  bot: number | null;
}

export async function getAbsent(code: string, token: string): Promise<Absent[]> {
  return (await request<{ seats: Absent[] }>('GET', `${tablePath(code)}/claim`, undefined, token)).seats;
}

/** Gives up the seat of somebody who is gone, or with a level has a bot play on for it. */
export function claim(code: string, token: string, seat: number, bot?: number): Promise<unknown> {
  return request('POST', `${tablePath(code)}/claim`, bot === undefined ? { seat } : { seat, bot }, token);
}

export function giveHandover(code: string, token: string): Promise<{ handover: string; for_ms: number }> {
  return request('POST', `${tablePath(code)}/handover`, {}, token);
}

export function fetchHandover(code: string, handover: string): Promise<{ seat: number; token: string }> {
  return request('POST', `${tablePath(code)}/handover`, { handover });
}

export function rematch(code: string, token: string): Promise<{ code: string; seat: number; token: string }> {
  return requestOnce(`${tablePath(code)}/rematch`, {}, token);
}

/** Who was to act when a recorded message was said, and what its seat could have done. */
export interface WireLegal {
  version: number;
  seat: number | null;
  turn: number[];
  legal: string[];
  legal_unlisted: boolean;
  legal_samples: string[];
}

export function getWireLegal(code: string, token: string, n: number): Promise<WireLegal> {
  return request('GET', `${tablePath(code)}/wire/${n}`, undefined, token);
}

/** Records from now on. */
export function record(code: string, token: string): Promise<unknown> {
  return request('POST', `${tablePath(code)}/wire`, {}, token);
}

export function getWire(code: string, token: string): Promise<{ items: WireItem[] }> {
  return request('GET', `${tablePath(code)}/wire`, undefined, token);
}
