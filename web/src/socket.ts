// The one WebSocket of the page. It comes back by itself after a cut, first soon, then at growing intervals, at once when the
// browser says that the network is back; whoever has subscribed says again what it wants to hear, with the version it has.

import { notify } from './app';
import { refusalOf, type Refusal, type Table, type TableRow, type WireItem } from './api';

export type Message =
  | ({ type: 'table' } & Table)
  | { type: 'lobby'; tables: TableRow[] }
  | { type: 'lobby-table'; table: TableRow }
  | { type: 'lobby-gone'; code: string }
  | { type: 'wire'; code: string; items: WireItem[] }
  | { type: 'announcement'; text: string }
  | { type: 'championship'; championship: { name: string; version: number } }
  | { type: 'refused'; id?: string; refusal: Refusal };

export interface Subscription {
  /** What to say on every new connection. */
  hello(): Record<string, unknown>;
  /** What to say when nobody listens any more. */
  goodbye(): Record<string, unknown> | null;
  heard(message: Message): void;
  connected(isConnected: boolean): void;
}

const RETRY_FIRST_MS = 400;
const RETRY_MAX_MS = 10_000;
const PING_MS = 25_000;

let socket: WebSocket | null = null;
let retryMs = RETRY_FIRST_MS;
let retryTimer = 0;
let pingTimer = 0;
const subscriptions = new Set<Subscription>();

function say(message: Record<string, unknown>): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function hear(text: string): void {
  let raw: Record<string, unknown>;
  try {
    raw = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return;
  }
  let message: Message;
  if (raw['type'] === 'refused') {
    message = { type: 'refused', refusal: refusalOf(Number(raw['status']), raw) };
    if (typeof raw['id'] === 'string') message.id = raw['id'];
  } else {
    message = raw as unknown as Message;
  }
  if (message.type === 'announcement') notify(message.text);
  for (const subscription of [...subscriptions]) subscription.heard(message);
}

function lost(): void {
  socket = null;
  window.clearInterval(pingTimer);
  for (const subscription of [...subscriptions]) subscription.connected(false);
  if (subscriptions.size === 0) return;
  window.clearTimeout(retryTimer);
  retryTimer = window.setTimeout(connect, retryMs);
  retryMs = Math.min(RETRY_MAX_MS, retryMs * 2);
}

function connect(): void {
  window.clearTimeout(retryTimer);
  if (socket !== null || subscriptions.size === 0) return;
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const mine = new WebSocket(`${scheme}://${location.host}/api/v1/ws`);
  socket = mine;
  mine.onopen = () => {
    retryMs = RETRY_FIRST_MS;
    pingTimer = window.setInterval(() => say({ type: 'ping' }), PING_MS);
    for (const subscription of [...subscriptions]) {
      say(subscription.hello());
      subscription.connected(true);
    }
  };
  mine.onmessage = (event) => hear(String(event.data));
  mine.onclose = () => {
    if (socket === mine) lost();
  };
}

function retryNow(): void {
  retryMs = RETRY_FIRST_MS;
  connect();
}

window.addEventListener('online', retryNow);
window.addEventListener('offline', () => socket?.close());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') retryNow();
});

export function subscribe(subscription: Subscription): void {
  subscriptions.add(subscription);
  if (socket?.readyState === WebSocket.OPEN) {
    say(subscription.hello());
    subscription.connected(true);
  } else {
    connect();
  }
}

/** Says the subscription's hello again, after what it wants has changed. */
export function resubscribe(subscription: Subscription): void {
  if (subscriptions.has(subscription)) say(subscription.hello());
}

export function unsubscribe(subscription: Subscription): void {
  if (!subscriptions.delete(subscription)) return;
  const goodbye = subscription.goodbye();
  if (goodbye !== null) say(goodbye);
}
