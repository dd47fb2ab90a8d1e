// A seat that an address brings along from another device. What makes the address good stands behind its #, which browsers do not send: no log has it.

import * as api from './api';
import { notify } from './app';
import { keepTicket, ticketOf } from './store';
import { words } from './strings';

export const HANDOVER_SIGN = '#seat=';

// Such an address may be opened where the page is open already.
window.addEventListener('hashchange', () => location.hash.startsWith(HANDOVER_SIGN) && location.reload());

/** Fetches the seat that the address brings along, if it does; then the address does not say it any more. */
export async function takeHandover(code: string): Promise<void> {
  if (!location.hash.startsWith(HANDOVER_SIGN)) return;
  const handover = location.hash.slice(HANDOVER_SIGN.length);
  history.replaceState(null, '', location.pathname);
  try {
    const { seat, token } = await api.fetchHandover(code, handover);
    keepTicket(code, { ...ticketOf(code), seat, token });
  } catch (refusal) {
    if (!(refusal instanceof api.Refusal)) throw refusal;
    notify(refusal.status === 0 ? words.unreachable : words.handoverOld);
  }
}
