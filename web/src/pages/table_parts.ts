// The panels beside the board: seats with clocks, steps that are not sent yet, the list of actions, the log.

import type { Clock, Table, TableEvent } from '../api';
import { whoOf, type Board, type Scene } from '../boards/board';
import { link } from '../app';
import { icon } from '../icons';
import type { Session } from '../session';
import { words } from '../strings';
import { h, type Child } from '../vdom';
import { button, namesOf, plainWords, seatMark, sentence } from './parts';

const SUGGESTIONS_MAX = 200; // of moves that are being typed
export const CLOCK_LOW_MS = 10_000; // little time, which is marked and sounds
const ACTIONS_OPEN_MAX = 12; // more are folded away when the board offers them, too

/** Whose turn it is, and what to do. */
export function turnLine(session: Session, board: Board, table: Table, hint: string): Child {
  const names = namesOf(table.seats);
  const free = table.seats.filter((seat) => seat.kind === 'free').length;
  const isPlaying = session.at === null && session.playback.isPlaying;
  const isMine = session.at === null && !isPlaying && session.isMine(table);
  const isAsked = session.at === null && !isPlaying && session.isComplete && !session.isBusy;
  let text: string;
  if (session.at !== null) text = words.replayTitle;
  else if (isAsked) text = words.confirmAsk;
  else if (table.over) text = endText(board, table, session.log);
  else if (free > 0) text = words.waitingForPlayers(free);
  else if (session.isBusy && session.isComplete) text = words.moveSent;
  else if (isMine) text = words.yourTurn;
  else if (table.turn.length === 0 || table.chance === true) text = words.chanceDecides;
  else if (table.turn.length === 1) text = words.turnOf(names[table.turn[0] ?? 0] ?? '');
  else text = words.turnOfMany(table.turn.map((seat) => names[seat] ?? ''));
  const isEnd = session.at === null && !isPlaying && table.over;
  const isLate = session.at === null && table.seat === null && !table.over && table.watch_delay_ms > 0;
  return h(
    'div',
    { class: `turn ${isMine || isAsked ? 'mine' : ''} ${isEnd ? endKind(table) : ''}`, role: 'status', key: 'turn' },
    h('strong', null, text),
    hint !== '' && h('span', null, hint),
    isLate && h('span', { class: 'late' }, words.shownLate(Math.ceil(table.watch_delay_ms / 1000))),
  );
}

/** Who ended the table by what, without a full stop; empty when there is nothing to say. */
function endingOf(board: Board, table: Table, log: TableEvent[]): string {
  if (table.result === null) return '';
  const { winners, why } = table.result;
  const names = namesOf(table.seats);
  if (why === 'played') return board.ending?.({ names, view: table.view, me: table.seat, log, winners }) ?? '';
  const losers = names.map((_, seat) => seat).filter((seat) => !winners.includes(seat));
  const does = words.whyWords[why];
  if (does === undefined || losers.length !== 1) return '';
  return does(whoOf(names, table.seat, losers));
}

/** The end in a sentence: who did what, and what that means to the viewer. */
export function endText(board: Board, table: Table, log: TableEvent[]): string {
  const ending = endingOf(board, table, log);
  return ending === '' ? resultText(table) : words.because(ending, resultText(table));
}

/** How it ended for the viewer, for the looks of it. */
function endKind(table: Table): string {
  const { result, seat } = table;
  if (result === null || seat === null || result.why === 'undecided') return 'ended';
  if (isDraw(table)) return 'drawn';
  return result.winners.includes(seat) && !isLostAlone(table) ? 'won' : 'lost';
}

function isDraw({ result, seats }: Table): boolean {
  const count = result?.winners.length ?? 0;
  return seats.length > 1 && (count === 0 || count === seats.length);
}

/** Who plays alone against the game has lost when there are no points. */
function isLostAlone(table: Table): boolean {
  return table.seats.length === 1 && (table.result?.points[0] ?? 0) <= 0;
}

export function resultText(table: Table): string {
  const { result, seat } = table;
  if (result === null || result.why === 'undecided') return words.undecided;
  const names = namesOf(table.seats);
  const hasWon = seat !== null && result.winners.includes(seat) && !isLostAlone(table);
  if (isDraw(table)) return words.drawn;
  if (seat !== null) return hasWon ? words.won : words.lost;
  if (isLostAlone(table)) return words.lostBy(names[0] ?? '');
  return `${words.wonBy(result.winners.map((winner) => names[winner] ?? ''))}.`;
}

/** The end of a table, with a wreath for whoever has won, and how to go on. */
export function outcome(session: Session, board: Board, playAgain: () => void): Child {
  const table = session.live;
  if (table === null || !table.over || table.result === null || session.at !== null || session.playback.isPlaying) return null;
  const names = namesOf(table.seats);
  const { points, winners } = table.result;
  const isPlain = points.every((value) => value === 0 || value === 1);
  return h(
    'div',
    { class: `outcome ${endKind(table)}`, key: 'outcome' },
    !isLostAlone(table) &&
      winners.map((seat) => h('span', { class: 'winner', key: seat }, seatMark(seat), names[seat] ?? '')),
    !isPlain &&
      board.tally === undefined &&
      h(
        'ul',
        null,
        points
          .slice(0, table.seats.length)
          .map((value, seat) =>
            h('li', null, `${names[seat]}: ${board.score?.(value) ?? words.points(value)}`),
          ),
      ),
    session.ticket !== null && table.seat !== null && goOn(table, session.ticket.cup, playAgain),
  );
}

/** Where it goes on when a table is over: the championship that it belongs to, or another game of the same players. */
function goOn(table: Table, cup: string | undefined, playAgain: () => void): Child {
  if (cup !== undefined) return link(`/c/${encodeURIComponent(cup)}`, { class: 'button primary', key: 'cup' }, words.cups.back(cup));
  return button([icon('again'), table.rematch === null ? words.rematch : rematchOffer(table)], playAgain, {
    class: `primary ${table.rematch === null ? '' : 'offered'}`,
    key: 'rematch',
  });
}

/** What the result was counted from, line by line. */
export function tally(session: Session, board: Board): Child {
  const table = session.live;
  if (table?.result?.why !== 'played' || session.at !== null || session.playback.isPlaying || board.tally === undefined) return null;
  const lines = board.tally(table.view);
  return h(
    'table',
    { class: 'tally', key: 'tally' },
    h(
      'thead',
      null,
      h('tr', null, h('td', null), namesOf(table.seats).map((name, seat) => h('th', { scope: 'col' }, seatMark(seat), ' ', name))),
    ),
    h(
      'tbody',
      null,
      lines.map(({ label, values }) =>
        h('tr', null, h('th', { scope: 'row' }, label), values.map((value) => h('td', null, String(value)))),
      ),
    ),
  );
}

/** That somebody wants to play again, by name where only one can be meant. */
export function rematchOffer(table: Table): string {
  const others = namesOf(table.seats).filter((_, seat) => table.seats[seat]?.kind === 'person' && seat !== table.seat);
  return others.length === 1 ? words.rematchBy(others[0] ?? '') : words.rematchJoin;
}

/** What is left on a clock, in milliseconds, as far as it is known here. */
export function clockLeft(session: Session, clock: Clock): number {
  return Math.max(0, clock.left_ms - (clock.running ? performance.now() - session.heardMs : 0));
}

/** The clock of a seat; a running one that is low is marked. */
function clockFace(session: Session, seat: number): Child {
  const live = session.live;
  const clock = live?.clocks?.find((one) => one.seat === seat);
  if (live === null || clock === undefined) return null;
  const left = clockLeft(session, clock);
  const seconds = Math.ceil(left / 1000);
  const runs = clock.running && !live.over;
  return h(
    'span',
    { class: `clock ${runs ? 'runs' : ''} ${runs && left <= CLOCK_LOW_MS ? 'low' : ''}`, role: 'timer', 'aria-label': words.clockLeft, 'aria-live': 'off' },
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`,
  );
}

/** All clocks beside the question, where the list of seats is not in sight: on a phone. */
export function clockBar(session: Session): Child {
  if (session.live?.clocks == null || session.at !== null) return null;
  return h(
    'div',
    { class: 'clock-bar', key: 'clocks' },
    session.live.clocks.map(({ seat }) => h('span', { class: 'chip', key: seat }, seatMark(seat), h('span', { class: 'sr' }, namesOf(session.live?.seats ?? [])[seat]), clockFace(session, seat))),
  );
}

export function seatList(
  session: Session,
  table: Table,
  sit: (seat: number) => void,
  addBot: (seat: number) => void,
): Child {
  const live = session.live ?? table;
  const turn = session.at === null ? live.turn : table.turn; // unsent steps do not pass the turn
  const names = namesOf(live.seats);
  return h(
    'ul',
    { class: 'seats', key: 'seats' },
    live.seats.map((seat, index) => {
      const isOnTurn = !table.over && turn.includes(index) && live.state === 'running';
      const notes: string[] = [];
      if (session.live?.seat === index) notes.push(words.you);
      if (seat.kind === 'bot')
        notes.push(`${words.bot}${seat.level === null ? '' : `, ${words.level(seat.level)}`}`);
      if (seat.kind === 'person' && seat.protocol !== 'api') notes.push(words.viaProtocol(seat.protocol));
      if (seat.kind === 'person' && !seat.online && !live.over) notes.push(words.offlineSeat);
      return h(
        'li',
        { key: index, class: `${isOnTurn ? 'on-turn' : ''} ${seat.kind}`, 'data-seat': index },
        seatMark(index),
        h(
          'span',
          { class: 'who' },
          seat.kind === 'free'
            ? words.freeSeat
            : seat.kind === 'person' && seat.name !== ''
              ? link(`/p/${encodeURIComponent(seat.name)}`, { title: words.profile }, names[index])
              : names[index],
          h('small', null, notes.join(', ')),
        ),
        clockFace(session, index),
        isOnTurn && h('span', { class: 'sr' }, words.onTurn),
        seat.kind === 'free' &&
          session.ticket === null &&
          button(words.sitDown, () => sit(index), { class: 'primary', 'aria-label': words.sitDownAt(index) }),
        seat.kind === 'free' &&
          session.ticket !== null &&
          button(words.addBot, () => addBot(index), { 'aria-label': words.addBotAt(index) }),
      );
    }),
  );
}

/** Steps that are not sent yet: undo them, or confirm. */
export function stepBar(session: Session): Child {
  if (
    session.at !== null ||
    session.pending.length === 0 ||
    (session.pending.length === 1 && session.isComplete)
  )
    return null;
  return h(
    'div',
    { class: 'steps', key: 'steps' },
    h('span', null, words.pendingSteps(session.pending.length)),
    h(
      'div',
      { class: 'buttons' },
      button([icon('undo'), words.undo], () => void session.undo(), { disabled: session.isBusy }),
      session.pending.length > 1 &&
        button(words.undoAll, () => session.undoAll(), { class: 'undo-all', disabled: session.isBusy }),
      session.isComplete &&
        button(words.confirm, () => void session.send(), {
          class: 'primary confirm',
          disabled: session.isBusy,
        }),
    ),
  );
}

function actionButtons(board: Board, scene: Scene, texts: string[]): Child {
  return h(
    'div',
    { class: 'choices' },
    texts.map((text) =>
      button(sentence(board.words(text, scene)), () => scene.act(text), { key: text, 'data-action': text }),
    ),
  );
}

/** Everything that can be done, in words: first what the board does not offer, then the rest. */
export function actionList(board: Board, scene: Scene): Child {
  const { legal, table } = scene;
  const isUnlisted = table.legal_unlisted && scene.me !== null && table.turn.includes(scene.me);
  if (legal.length === 0 && !isUnlisted) return null;
  const beside = legal.filter((text) => !board.covers(text, scene));
  const covered = legal.filter((text) => board.covers(text, scene));
  return h(
    'div',
    { class: 'actions', key: 'actions' },
    beside.length > 0 && h('h2', null, words.actions),
    beside.length > 0 &&
      (beside.length <= ACTIONS_OPEN_MAX || covered.length === 0
        ? actionButtons(board, scene, beside)
        : null),
    (covered.length > 0 || beside.length > ACTIONS_OPEN_MAX) &&
      h(
        'details',
        { key: 'all' },
        h('summary', null, words.allActions(legal.length)),
        actionButtons(board, scene, legal),
      ),
    isUnlisted && unlisted(board, scene),
    !isUnlisted && typed(board, scene),
  );
}

/** A field for moves in the words of the log, or in the short ones of the API; several with commas between them. */
function typed(board: Board, scene: Scene): Child {
  return h(
    'form',
    {
      class: 'free typed',
      key: 'typed',
      onsubmit: (event: Event) => {
        event.preventDefault();
        const input = (event.target as HTMLFormElement).elements.namedItem('move') as HTMLInputElement;
        const text = input.value.trim();
        if (text !== '') void scene.type(text).then((isDone) => isDone && (input.value = ''));
      },
    },
    h('input', {
      name: 'move',
      'aria-label': words.typeMove,
      placeholder: words.typeMove,
      title: words.typeMoveKey,
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      list: 'moves',
    }),
    h('datalist', { id: 'moves' }, scene.legal.slice(0, SUGGESTIONS_MAX).map((text) => h('option', { value: plainWords(board.words(text, scene)) }))),
    h('button', null, words.send),
  );
}

const folded = (text: string) => plainWords(text).toLowerCase().replace(/\s+/g, ' ').trim();

/** The action that somebody has typed, by its words or as it is written in the API; null when it is none. */
export function typedAction(board: Board, legal: string[], scene: Pick<Scene, 'names' | 'view'>, text: string): string | null {
  const wanted = folded(text);
  return legal.find((one) => folded(one) === wanted) ?? legal.find((one) => folded(board.words(one, scene)) === wanted) ?? null;
}

/** Actions that are too many to list: examples and a field for any other, folded away when the board has a way of its own. */
function unlisted(board: Board, scene: Scene): Child {
  const samples = scene.table.legal_samples;
  const inside = [h('p', null, words.samples), actionButtons(board, scene, samples), freeText(scene)];
  if (!samples.every((text) => board.covers(text, scene))) return inside;
  return h('details', { key: 'unlisted' }, h('summary', null, words.textAction), freeText(scene));
}

function freeText(scene: Scene): Child {
  return h(
    'form',
    {
      class: 'free',
      onsubmit: (event: Event) => {
        event.preventDefault();
        const input = (event.target as HTMLFormElement).elements.namedItem('action') as HTMLInputElement;
        if (input.value.trim() !== '') scene.act(input.value.trim());
      },
    },
    h('input', {
      name: 'action',
      'aria-label': words.textAction,
      placeholder: words.textAction,
      autocomplete: 'off',
    }),
    h('button', null, words.send),
  );
}

/** What has happened, newest first; each line leads to its position. */
export function logList(
  session: Session,
  wordsOf: (event: TableEvent) => string,
  look: (version: number) => void,
): Child {
  const names = session.live === null ? [] : namesOf(session.live.seats);
  const events = session.log.filter((event) => event.kind !== 'setup').reverse();
  return h(
    'section',
    { class: 'log', key: 'log' },
    h('h2', { id: 'log-title' }, words.log),
    events.length === 0
      ? h('p', { class: 'quiet' }, words.logEmpty)
      : h(
          'ol',
          { reversed: true, 'aria-labelledby': 'log-title' },
          events.map((event) => {
            const text = wordsOf(event);
            const isPlayer = typeof event.seat === 'number' && event.actions.length > 0;
            const who = isPlayer
              ? `${names[event.seat as number] ?? ''}: `
              : event.seat === 'chance'
                ? `${words.chance}: `
                : '';
            return h(
              'li',
              { key: event.version, class: `${event.kind} ${session.at === event.version ? 'here' : ''}` },
              button(
                [isPlayer && seatMark(event.seat as number), h('span', null, who, text)],
                () => look(event.version),
                { 'aria-label': words.logOpen(who + text) },
              ),
            );
          }),
        ),
  );
}
