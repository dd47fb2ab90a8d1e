// Where a protocol is reached from this page, and the line by which a program of ours joins a table.

import type { Protocol } from './api';

const ANY_ADDRESS = /^(0\.0\.0\.0|\[?::\]?):/; // a listener that is reached by every name of the machine

/** Host and port as somebody at this page would reach them; null when nothing listens. */
export function reach(protocol: Protocol): { host: string; port: string } | null {
  if (protocol.address === null) return null;
  const address = protocol.address.replace(ANY_ADDRESS, `${location.hostname}:`);
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: address.slice(at + 1) };
}

/** What to type so that a bot of this program sits down at a table that is open for a protocol; null where there is no such bot. */
export function joinLine(protocol: Protocol, code: string): string | null {
  const at = reach(protocol);
  if (at === null) return null;
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  const lines: Record<string, string> = {
    ugs: `parlor bot paper-soccer --connect_to ${host}:${at.port} --nick robin --games 1`,
    treasure: `parlor bot treasure-hunt --connect ${location.origin} --game ${code} --name robin`,
    santorini: `parlor bot santorini --connect ${host}:${at.port} --name robin`,
    eriantys: `parlor bot eriantys --connect ${host}:${at.port} --name robin --code ${code}`,
    renaissance: `parlor bot renaissance --connect ${host}:${at.port} --name robin`,
  };
  return lines[protocol.name] ?? null;
}

/** Whether clients say which table they want; otherwise the next one that wants to play gets the seat. */
export function knowsCodes(protocol: Protocol): boolean {
  return protocol.name === 'treasure' || protocol.name === 'eriantys';
}
