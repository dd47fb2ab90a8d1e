// How others come to a table, and what can be taken home from it: its address to copy and as a QR code, and files.

import * as api from '../api';
import { notify, redraw } from '../app';
import { copyText } from '../copy';
import { icon } from '../icons';
import { qrCode } from '../qr';
import type { Session } from '../session';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { button } from './parts';

const files = () => import('../picture_file'); // when somebody wants one

const QUIET_MODULES = 4; // around a code

let last: { address: string; size: number; path: string } | null = null; // drawn again and again

function codePath(address: string): { size: number; path: string } | null {
  if (last?.address === address) return last;
  const code = qrCode(address);
  if (code === null) return null;
  const path = code.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET_MODULES} ${y + QUIET_MODULES}h1v1h-1z`] : [])));
  last = { address, size: code.length + 2 * QUIET_MODULES, path: path.join('') };
  return last;
}

/** An address as a picture for a phone; nothing when it is too long for one. */
export function qrPicture(address: string, label: string): Child {
  const code = codePath(address);
  if (code === null) return null;
  const { size, path } = code;
  return h(
    'svg',
    { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    h('rect', { width: size, height: size, class: 'qr-paper' }),
    h('path', { d: path, class: 'qr-ink' }),
  );
}

export function copyButton(address: string, label: string = words.copy): Child {
  return button([icon('copy'), label], () => {
    void copyText(address).then((isCopied) => notify(isCopied ? words.copied : address));
  });
}

/** While seats are free: the address and the code of the table. */
export function shareBox(code: string): Child {
  const address = `${location.origin}/t/${code}`;
  return h(
    'div',
    { class: 'share', key: 'share' },
    h(
      'div',
      { class: 'share-words' },
      h('p', null, words.shareCode),
      h('p', { class: 'big-code' }, code),
      h('p', { class: 'address' }, address),
      copyButton(address),
    ),
    qrPicture(address, words.shareQr),
  );
}

/** The whole log as lines of text, oldest first. */
function logText(session: Session, lineOf: (event: api.TableEvent) => string): string {
  return session.log.map((event) => `${event.version}. ${lineOf(event)}`).join('\n') + '\n';
}

/** Files of a table: everything as JSON, the log as text, the position that is shown as a picture. */
export class Files {
  private isOpen = false;

  constructor(
    private readonly session: Session,
    private readonly lineOf: (event: api.TableEvent) => string,
  ) {}

  private get name(): string {
    const { session } = this;
    return `parlor-${session.code}${session.at === null ? '' : `-${session.at}`}`;
  }

  private async saveJson(): Promise<void> {
    const { session } = this;
    const token = session.ticket?.token;
    const table = await api.getTable(session.code, token);
    const events = await api.getJournal(session.code, 1, undefined, token);
    const text = JSON.stringify({ table, events }, null, 2);
    (await files()).saveFile(`parlor-${session.code}.json`, new Blob([text], { type: 'application/json' }));
  }

  private async saveLog(): Promise<void> {
    const text = logText(this.session, this.lineOf);
    (await files()).saveFile(`parlor-${this.session.code}.txt`, new Blob([text], { type: 'text/plain' }));
  }

  private async savePicture(isDrawing: boolean): Promise<void> {
    const drawing = document.querySelector('.drawing');
    if (drawing === null) return;
    const { pictureOf, pixelsOf, saveFile } = await files();
    const svg = pictureOf(drawing);
    const file = isDrawing ? new Blob([svg], { type: 'image/svg+xml' }) : await pixelsOf(svg);
    if (file === null) notify(words.fileImpossible);
    else saveFile(`${this.name}.${isDrawing ? 'svg' : 'png'}`, file);
  }

  private save(kind: string): void {
    const run: Record<string, () => Promise<void>> = {
      json: () => this.saveJson(),
      txt: () => this.saveLog(),
      svg: () => this.savePicture(true),
      png: () => this.savePicture(false),
    };
    void run[kind]?.().catch(() => notify(words.unreachable));
  }

  command(): Child {
    return button(
      [icon('save'), words.files],
      () => {
        this.isOpen = !this.isOpen;
        redraw();
      },
      { key: 'files', 'aria-expanded': this.isOpen ? 'true' : 'false' },
    );
  }

  view(): Child {
    if (!this.isOpen) return null;
    return h(
      'div',
      { class: 'how files', key: 'file-list' },
      h('h2', null, words.files),
      h(
        'div',
        { class: 'buttons' },
        Object.entries(words.fileKinds).map(([kind, label]) =>
          button(label, () => this.save(kind), { key: kind, 'data-file': kind }),
        ),
      ),
    );
  }
}
