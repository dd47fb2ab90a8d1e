// At a table that waits for programs of a protocol: where they connect, and the very line to type.

import { getProtocols, type Protocol, type Table } from '../api';
import { redraw } from '../app';
import { joinLine, knowsCodes, reach } from '../reach';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { copyButton } from './share';

let known: Protocol[] | null = null;
let isAsked = false;

async function load(): Promise<void> {
  isAsked = true;
  try {
    known = (await getProtocols()).protocols;
    redraw();
  } catch {
    isAsked = false; // asked again with the next drawing
  }
}

/** Nothing for a table that only people of this page come to. */
export function joinBox(table: Table): Child {
  if (table.protocol === 'api') return null;
  if (!isAsked) void load();
  const protocol = known?.find((one) => one.name === table.protocol);
  if (protocol === undefined) return null;
  const at = reach(protocol);
  const line = joinLine(protocol, table.code);
  return h(
    'div',
    { class: 'share join-line', key: 'join-line' },
    at === null
      ? h('p', null, words.joinOff(protocol.name))
      : [
          line !== null && [h('p', null, words.joinLine), h('code', { class: 'line' }, line), copyButton(line, words.copyLine)],
          h(
            'p',
            { class: 'quiet' },
            words.joinAddress(protocol.name, at.host, at.port),
            ' ',
            knowsCodes(protocol) ? words.joinCode(table.code) : words.joinNext,
          ),
        ],
  );
}
