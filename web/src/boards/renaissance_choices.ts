// What a turn of Masters of Renaissance asks for next, as a panel of choices: leaders to keep, resources to store, depots to fill,
// what to pay from where, and the base production.

import { boardWords } from '../strings';
import { h, type Child } from '../vdom';
import { listOf, numberOf, sentence, textOf, viewOf, type Scene } from './board';
import { KINDS, amount, amounts, leaderFace } from './renaissance_pieces';

const say = boardWords.renaissance;
type Words = (text: string) => string;

function panel(title: string, ...children: Child[]): Child {
  return h('section', { class: 'panel choice', 'aria-label': title }, h('h3', null, title), ...children);
}

/** Two of the four leaders: the second click keeps both. */
export function keepLeaders(scene: Scene): Child {
  const texts = scene.legal.filter((text) => text.startsWith('keep '));
  if (texts.length === 0 || scene.me === null) return null;
  const hand = listOf(viewOf(listOf(scene.view['seats'])[scene.me])['hand']).map(textOf);
  const details = viewOf(scene.view['leaders']);
  const chosen = scene.ui['keep'];
  const pick = (id: string) => {
    if (chosen === id) scene.select({ keep: undefined });
    else if (typeof chosen !== 'string') scene.select({ keep: id });
    else {
      const text = texts.find((one) => one.split(' ').includes(id) && one.split(' ').includes(chosen));
      if (text !== undefined) scene.act(text);
    }
  };
  return panel(
    say.hintKeep,
    h(
      'div',
      { class: 'leaders' },
      hand.map((id) =>
        h(
          'button',
          {
            key: id,
            class: `leader hand ${chosen === id ? 'on' : ''}`,
            'data-leader': id,
            'aria-pressed': chosen === id ? 'true' : 'false',
            onclick: () => pick(id),
          },
          leaderFace(id, viewOf(details[id])),
        ),
      ),
    ),
  );
}

/** A starting resource: which one, then where. */
function put(scene: Scene, words: Words): Child {
  const texts = scene.legal.filter((text) => text.startsWith('put '));
  if (texts.length === 0) return null;
  const chosen = scene.ui['put'];
  const kinds = KINDS.filter((kind) => texts.some((text) => text.split(' ')[1] === kind));
  const places = texts.filter((text) => text.split(' ')[1] === chosen);
  return panel(
    say.choosePut,
    h(
      'div',
      { class: 'choices' },
      kinds.map((kind) =>
        h(
          'button',
          {
            key: kind,
            class: chosen === kind ? 'on' : '',
            'aria-pressed': chosen === kind ? 'true' : 'false',
            'data-put': kind,
            onclick: () => scene.select({ put: kind }),
          },
          amount(kind, 1),
          say.kinds[kind] ?? kind,
        ),
      ),
    ),
    places.length > 0 &&
      h(
        'div',
        { class: 'choices' },
        places.map((text) =>
          h(
            'button',
            { key: text, class: 'primary', 'data-action': text, onclick: () => scene.act(text) },
            words(text),
          ),
        ),
      ),
  );
}

/** What goes into the next depot; the rest of what was taken is discarded. */
function fill(scene: Scene, words: Words): Child {
  const texts = scene.legal.filter((text) => text.startsWith('fill '));
  if (texts.length === 0) return null;
  return panel(
    say.fillDepot(numberOf(scene.view['depot']) + 1),
    h('p', null, say.pool, ' ', amounts(scene.view['pool'])),
    h(
      'div',
      { class: 'choices' },
      texts.map((text) => {
        const [, , kind = '-', count = '0'] = text.split(' ');
        return h(
          'button',
          { key: text, 'data-action': text, 'aria-label': kind === '-' ? `${say.nothing}: ${words(text)}` : words(text), onclick: () => scene.act(text) },
          kind === '-' ? say.nothing : Array.from({ length: Number(count) }, () => amount(kind, 1)),
        );
      }),
    ),
  );
}

function pay(scene: Scene, words: Words): Child {
  const texts = scene.legal.filter((text) => text.startsWith('pay '));
  if (texts.length === 0) return null;
  return panel(
    say.payTitle,
    h('p', null, say.owed, ' ', amounts(scene.view['owed'])),
    h(
      'div',
      { class: 'choices' },
      texts.map((text) =>
        h('button', { key: text, 'data-action': text, onclick: () => scene.act(text) }, words(text)),
      ),
    ),
  );
}

/** Base production: two resources paid, one gained; each choice leaves only what is still possible. */
export function baseProduction(scene: Scene): Child {
  const texts = scene.legal.filter((text) => text.startsWith('base '));
  if (texts.length === 0) return null;
  const chosen = [scene.ui['base0'], scene.ui['base1'], scene.ui['base2']];
  const fits = (text: string, until: number) => {
    const words = text.split(' ').slice(1);
    return chosen.slice(0, until).every((kind, i) => kind === undefined || words[i] === kind);
  };
  const options = (i: number) =>
    KINDS.filter((kind) => texts.some((text) => fits(text, i) && text.split(' ')[i + 1] === kind));
  const row = (i: number, title: string) =>
    h(
      'div',
      { class: 'colors' },
      h('span', null, title),
      options(i).map((kind) =>
        h(
          'button',
          {
            key: kind,
            class: chosen[i] === kind ? 'on' : '',
            'aria-pressed': chosen[i] === kind ? 'true' : 'false',
            'aria-label': `${title} ${say.kinds[kind] ?? kind}`,
            'data-base': `${i} ${kind}`,
            onclick: () => {
              const next = [...chosen];
              next[i] = kind;
              const text = i === 2 ? texts.find((one) => one === `base ${next.join(' ')}`) : undefined;
              if (text !== undefined) scene.act(text);
              else
                scene.select(
                  i === 0
                    ? { base0: kind, base1: undefined, base2: undefined }
                    : i === 1
                      ? { base1: kind, base2: undefined }
                      : {},
                );
            },
          },
          h('span', null, amount(kind, 1)),
        ),
      ),
    );
  return panel(
    say.baseTitle,
    row(0, say.baseFirst),
    chosen[0] !== undefined && row(1, say.baseSecond),
    chosen[1] !== undefined && row(2, say.baseGain),
  );
}

/** What ends a part of a turn: starting the productions that were chosen, and the end of the turn. */
function finish(scene: Scene, words: Words): Child {
  const texts = scene.legal.filter((text) => text === 'run' || text === 'end');
  if (texts.length === 0) return null;
  return h(
    'div',
    { class: 'buttons finish', key: 'finish' },
    texts.map((text) => h('button', { key: text, class: 'primary', 'data-action': text, onclick: () => scene.act(text) }, sentence(words(text)))),
  );
}

/** What must be answered before anything else, and what goes on. */
export function questions(scene: Scene, words: Words): Child {
  return [put(scene, words), fill(scene, words), pay(scene, words), finish(scene, words)];
}
