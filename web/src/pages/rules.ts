// The numbered rules of a game as a page, and what describes a protocol. The server has them as they stand in the documentation: the few signs of Markdown that
// they use are drawn here.

import { go, redraw, setTitle, type Page } from '../app';
import { titleOf } from '../titles';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { button } from './parts';

/** Text within a line: **strong**, *stressed*, `code`, [words](address). Links lead to other documents of the project, which are not here: their words stay. */
function inline(text: string): Child[] {
  return text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith('**')) return h('strong', null, part.slice(2, -2));
    if (/^\*.+\*$/.test(part)) return h('em', null, part.slice(1, -1));
    if (part.startsWith('`')) return h('code', null, part.slice(1, -1));
    const linked = /^\[([^\]]+)\]\(/.exec(part);
    return linked === null ? part : (linked[1] ?? '');
  });
}

function table(lines: string[]): Child {
  const cells = (line: string) => line.split('|').slice(1, -1).map((cell) => cell.trim());
  const [head = '', , ...body] = lines;
  return h(
    'div',
    { class: 'scroller', tabindex: 0 },
    h(
      'table',
      null,
      h('thead', null, h('tr', null, cells(head).map((cell) => (cell === '' ? h('td', null) : h('th', { scope: 'col' }, inline(cell)))))),
      h('tbody', null, body.map((line) => h('tr', null, cells(line).map((cell) => h('td', null, inline(cell)))))),
    ),
  );
}

function list(block: string): Child {
  const isOrdered = /^\d/.test(block);
  const items = block.split(/\n(?=(?:[-*]|\d+\.) )/).map((item) => item.replace(/^([-*]|\d+\.) /, '').replace(/\s*\n\s*/g, ' '));
  return h(isOrdered ? 'ol' : 'ul', null, items.map((item) => h('li', null, inline(item))));
}

function paragraph(block: string): Child {
  const number = /^\*\*(R\d+)\./.exec(block);
  return h('p', number === null ? null : { id: number[1], class: 'rule' }, inline(block.replace(/\n/g, ' ')));
}

/** The blocks of a document. Its first heading and the paragraph for those who read the sources are left out. */
function blocks(text: string): Child[] {
  const out: Child[] = [];
  for (const part of text.split(/^(```[\s\S]*?^```)$/m)) {
    if (part.startsWith('```')) {
      out.push(h('pre', { tabindex: 0 }, part.replace(/^```.*\n/, '').replace(/\n```$/, '')));
      continue;
    }
    for (const block of part.split(/\n\s*\n/).map((one) => one.trim())) {
      if (block === '' || block.startsWith('# ') || block.startsWith('Every rule has a number')) continue;
      const heading = /^(#{2,}) (.*)/.exec(block);
      if (heading !== null) {
        out.push(h(`h${heading[1]?.length}`, null, inline(heading[2] ?? '')));
        const rest = block.slice(block.indexOf('\n') + 1);
        if (block.includes('\n')) out.push(...blocks(rest));
      } else if (block.startsWith('|')) out.push(table(block.split('\n')));
      else if (/^([-*]|\d+\.) /.test(block)) out.push(list(block));
      else out.push(paragraph(block));
    }
  }
  return out;
}

/** A text of the server, by its address. */
abstract class Text implements Page {
  protected text: string | null = null;
  private isMissing = false;

  constructor(private readonly address: string) {
    void this.load();
  }

  protected abstract get title(): string;

  closed(): void {
    // Nothing goes on.
  }

  private async load(): Promise<void> {
    try {
      const answer = await fetch(this.address);
      if (answer.ok) this.text = await answer.text();
      else this.isMissing = true;
    } catch {
      this.isMissing = true;
    }
    redraw();
    if (location.hash !== '') requestAnimationFrame(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
  }

  view(): Child {
    const { title } = this;
    setTitle(`${title} · ${words.product}`);
    if (this.isMissing)
      return h(
        'main',
        { id: 'content', tabindex: -1, class: 'missing' },
        h('h1', null, words.notFound),
        button(words.toLobby, () => go('/'), { class: 'primary' }),
      );
    return h(
      'main',
      { id: 'content', tabindex: -1, class: 'rules' },
      h('h1', null, title),
      this.text === null ? h('p', { class: 'quiet' }, words.loading) : blocks(this.text),
    );
  }
}

export class Rules extends Text {
  constructor(private readonly game: string) {
    super(`/rules/${encodeURIComponent(game)}.md`);
  }

  protected get title(): string {
    return words.rulesOf(titleOf(this.game));
  }
}

/** What describes the API or a protocol, by its place in the documentation. */
export class Manual extends Text {
  constructor(name: string) {
    super(`/docs/${name}.md`);
  }

  protected get title(): string {
    return /^# (.*)/m.exec(this.text ?? '')?.[1]?.replaceAll('`', '') ?? words.connect.title;
  }
}
