// A seat that is taken to another device: an address that is good once, and what that address does there.

import * as api from '../api';
import { redraw } from '../app';
import { HANDOVER_SIGN } from '../handover';
import { icon } from '../icons';
import type { Session } from '../session';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { button } from './parts';
import { copyButton, qrPicture } from './share';

export class OtherDevice {
  private address: string | null = null;
  private timer = 0;

  constructor(private readonly session: Session) {}

  stop(): void {
    window.clearTimeout(this.timer);
  }

  private close(): void {
    this.address = null;
    this.stop();
    redraw();
  }

  private async open(): Promise<void> {
    await this.session.request(async (token) => {
      const { handover, for_ms } = await api.giveHandover(this.session.code, token);
      this.address = `${location.origin}/t/${this.session.code}${HANDOVER_SIGN}${handover}`;
      this.stop();
      this.timer = window.setTimeout(() => this.close(), for_ms);
    });
    redraw();
  }

  command(): Child {
    if (this.session.ticket === null) return null;
    return button([icon('copy'), words.otherDevice], () => (this.address === null ? void this.open() : this.close()), {
      key: 'device',
      'aria-expanded': this.address === null ? 'false' : 'true',
    });
  }

  view(): Child {
    if (this.address === null) return null;
    return h(
      'div',
      { class: 'how device', key: 'device-box' },
      h('h2', null, words.otherDevice),
      h('p', null, words.otherDeviceHow),
      h('p', { class: 'address' }, this.address),
      copyButton(this.address),
      qrPicture(this.address, words.otherDeviceQr),
    );
  }
}
