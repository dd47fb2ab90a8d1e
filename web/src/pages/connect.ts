// For people who write clients: where each protocol is spoken, how to reach it, and where it is described.

import { getProtocols, type Protocol } from '../api';
import { link, redraw, setTitle, type Page } from '../app';
import { reach } from '../reach';
import { titleOf } from '../titles';
import { words } from '../strings';
import { h, type Child } from '../vdom';

export class Connect implements Page {
  private known: { version: string; protocols: Protocol[] } | null = null;
  private hasFailed = false;

  constructor() {
    setTitle(`${words.connect.title} · ${words.product}`);
    void this.load();
  }

  closed(): void {
    // Nothing goes on.
  }

  private async load(): Promise<void> {
    try {
      this.known = await getProtocols();
    } catch {
      this.hasFailed = true;
    }
    redraw();
  }

  /** The address as somebody at this page would reach it. */
  private reach(protocol: Protocol): string {
    const at = reach(protocol);
    return protocol.listener === 'http' || at === null ? location.origin : `${at.host} ${at.port}`;
  }

  private row(protocol: Protocol): Child {
    const isOff = protocol.address === null;
    const command = protocol.listener === 'http' ? `curl ${this.reach(protocol)}/api/v1/games` : `nc ${this.reach(protocol)}`;
    return h(
      'article',
      { class: 'panel protocol', key: protocol.name, 'data-protocol': protocol.name },
      h('h2', null, protocol.name, protocol.game !== null && h('small', null, ` ${titleOf(protocol.game)}`)),
      h('p', null, protocol.about),
      isOff
        ? h('p', { class: 'quiet' }, words.connect.off(protocol.listener))
        : [
            h('p', null, words.connect.listens, ' ', h('code', { class: 'address' }, protocol.address)),
            (protocol.name === 'api' || protocol.listener !== 'http') &&
              h('p', null, words.connect.tryIt, ' ', h('code', null, command)),
          ],
      h('p', { class: 'quiet' }, words.connect.described, ' ', link(`/docs/${protocol.page.replace(/\.md$/, '')}`, {}, h('code', null, `docs/${protocol.page}`))),
    );
  }

  view(): Child {
    const { known } = this;
    return h(
      'main',
      { id: 'content', tabindex: -1, class: 'connect', key: 'connect' },
      h('h1', null, words.connect.title),
      h('p', null, words.connect.about),
      known === null
        ? h('p', { class: 'quiet' }, this.hasFailed ? words.unreachable : words.loading)
        : [
            h('div', { class: 'protocols' }, known.protocols.map((protocol) => this.row(protocol))),
            h(
              'p',
              null,
              words.connect.machine,
              ' ',
              h('a', { href: '/api/v1/openapi.json' }, '/api/v1/openapi.json'),
              '. ',
              words.connect.version(known.version),
            ),
          ],
      link('/', {}, words.toLobby),
    );
  }
}
