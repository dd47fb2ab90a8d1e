// A table: the board, whose turn it is, what may be done, and what has happened. The same page plays, watches and looks back.

import * as api from '../api';
import { go, link, notify, redraw, setPath, setTitle, speak, type Page } from '../app';
import { boardComing, boardOf, textBoardOf } from '../boards';
import { moveFocus, type Board, type Scene } from '../boards/board';
import { viewAsText } from '../boards/generic';
import { sentencesOf } from '../boards/sentences';
import { dialog, Question } from '../dialogs';
import { focusChoice } from '../focus';
import { icon } from '../icons';
import { call, play } from '../notice';
import { Session } from '../session';
import { stepsOf, turnStart } from '../playback';
import { titleOf } from '../titles';
import { isBoardText, keepTicket, setBoardText, ticketOf } from '../store';
import { pitches, words } from '../strings';
import { h, type Child } from '../vdom';
import { Hint } from './advice';
import { joinBox } from './join';
import { Absence } from './absence';
import { OtherDevice } from './device';
import { nameOrGuest } from './lobby';
import { button, namesOf, plainWords, sentence } from './parts';
import { Replay } from './replay';
import { Files, shareBox } from './share';
import { legend, Tour } from './tour';
import { actionList, CLOCK_LOW_MS, clockBar, clockLeft, endText, logList, outcome, rematchOffer, seatList, stepBar, tally, turnLine, typedAction } from './table_parts';

const CLOCK_TICK_MS = 500;
const LEVEL_BOT = 3; // of a bot that fills a free seat

export class TablePage implements Page {
  private readonly session: Session;
  private readonly replay: Replay;
  private readonly files: Files;
  private readonly advice: Hint;
  private readonly tour: Tour;
  private readonly absence: Absence;
  private readonly device: OtherDevice;
  private ui: Record<string, unknown> = {};
  private uiKey = '';
  private choosing: string[] | null = null;
  private readonly question = new Question();
  private isHelpShown = false;
  private clockTimer = 0;
  private warnedAt = -1;
  private announced: string | null = null;

  constructor(code: string, at: number | null) {
    this.session = new Session(code, () => this.called());
    this.replay = new Replay(this.session);
    this.advice = new Hint(this.session);
    this.tour = new Tour(this.session);
    this.absence = new Absence(this.session);
    this.device = new OtherDevice(this.session);
    this.files = new Files(this.session, (event) => this.lineOf(event));
    this.session.awaited = boardComing;
    this.session.forced = (legal) => boardOf(this.session.live?.game ?? '').forced?.(legal) ?? null;
    this.session.auto = (table) => boardOf(table.game).auto?.(table.view, table.legal) ?? null;
    this.session.tell = (events) => this.tell(events);
    if (at !== null) void this.session.look(at);
    setTitle(`${code} · ${words.product}`);
    this.clockTimer = window.setInterval(() => {
      if (this.session.live?.clocks == null) return;
      this.warn();
      redraw();
    }, CLOCK_TICK_MS);
  }

  closed(): void {
    window.clearInterval(this.clockTimer);
    this.replay.stop();
    this.absence.stop();
    this.device.stop();
    this.session.close();
  }

  key(event: KeyboardEvent): void {
    if (this.choosing !== null || this.question.isOpen) return;
    if (this.session.playback.isPlaying && ['Enter', ' ', 'Escape'].includes(event.key)) {
      event.preventDefault();
      this.session.playback.skip();
    } else if (
      event.key === 'Enter' &&
      this.session.isComplete &&
      (event.target as Element).getAttribute('role') !== 'button'
    ) {
      event.preventDefault();
      void this.session.send();
    } else if ((event.key === 'Backspace' || event.key === 'u') && this.session.pending.length > 0) {
      event.preventDefault();
      void this.session.undo();
    } else if (event.key === '/') {
      event.preventDefault();
      document.querySelector<HTMLInputElement>('.typed input')?.focus();
    } else if (event.key === 'ArrowDown' && this.session.canAct && focusChoice({ x: 0, y: 0 })) {
      event.preventDefault(); // from anywhere to the board
    } else {
      this.replay.key(event);
    }
  }

  /** It is the viewer's turn. */
  private called(): void {
    play('turn');
    const table = this.session.live;
    if (table !== null) call(words.yourTurn, `${titleOf(table.game)} ${table.code}`, table.code);
  }

  /** Own time that is running out sounds once a turn. */
  private warn(): void {
    const { session } = this;
    const own = session.live?.clocks?.find((clock) => clock.seat === session.live?.seat && clock.running);
    const left = own === undefined ? Infinity : clockLeft(session, own);
    const version = session.live?.version ?? 0;
    if (left > CLOCK_LOW_MS || this.warnedAt === version || session.live?.over === true) return;
    this.warnedAt = version;
    play('low');
  }

  /** What others have done, for whoever does not see the board. Whose turn it is says the line above it. */
  private tell(events: api.TableEvent[]): void {
    const table = this.session.live;
    if (table === null) return;
    const names = namesOf(table.seats);
    const board = boardOf(table.game);
    const said = events
      .filter((event) => typeof event.seat === 'number' && event.seat !== table.seat)
      .map((event) => `${names[Number(event.seat)]}: ${this.wordsOf(board, event, names, table.view)}`);
    if (said.length > 0) speak(plainWords(said.join('. ')));
  }

  /** An event in words, with who did it. */
  private lineOf(event: api.TableEvent): string {
    const table = this.session.live;
    if (table === null) return event.text;
    const names = namesOf(table.seats);
    const text = plainWords(this.wordsOf(boardOf(table.game), event, names, table.view));
    if (event.seat === 'chance') return `${words.chance}: ${text}`;
    return typeof event.seat === 'number' && event.actions.length > 0 ? `${names[event.seat]}: ${text}` : text;
  }

  private wordsOf(board: Board, event: api.TableEvent, names: string[], view: api.View): string {
    if (event.kind === 'result')
      return this.session.live === null ? event.text : endText(board, { ...this.session.live, seat: null }, this.session.log);
    if (event.actions.length === 0) return event.text;
    return event.actions.map((text) => board.words(text, { names, view })).join(', ');
  }

  /** The version to compare with, to mark what has changed: before the last turn of the others, or before the step that is shown. */
  private markedFrom(): number | null {
    const { session } = this;
    const shownAt = session.at ?? session.playback.frame?.version;
    const steps = stepsOf(session.log);
    if (shownAt !== undefined) return steps.filter((step) => step.version <= shownAt).pop()?.from ?? null;
    return session.pending.length > 0 ? null : turnStart(steps, session.live?.seat ?? null);
  }

  /** What the marks of the drawing are about, for whoever must know that they are complete; undefined until they are. */
  private since(scene: Scene): number | 'none' | undefined {
    const { session } = this;
    const from = this.markedFrom();
    if ((session.log[session.log.length - 1]?.version ?? 0) < (session.live?.version ?? 0)) return undefined;
    return from === null ? 'none' : scene.before === null ? undefined : from;
  }

  /** Beside the line that says whose turn it is: past what is being shown, or once more. */
  private showing(): Child {
    const { session } = this;
    if (session.at !== null) return null;
    if (session.playback.isPlaying)
      return button(words.skipSteps, () => session.playback.skip(), { key: 'skip', class: 'again' });
    const from = this.markedFrom();
    if (from === null) return null;
    return button([icon('again'), words.showAgain], () => void session.playback.again(from), {
      key: 'again',
      class: 'again brief',
    });
  }

  /** Somebody at a table that is over wants to play again. */
  private announce(table: api.Table): void {
    if (table.rematch === null || this.session.ticket === null || this.announced === table.rematch) return;
    this.announced = table.rematch;
    play('seated');
    notify(rematchOffer(table));
  }

  private scene(table: api.Table): Scene {
    const { session } = this;
    const key = `${table.version} ${session.pending.length} ${session.at ?? ''}`;
    if (key !== this.uiKey) {
      this.uiKey = key;
      this.ui = {};
      this.choosing = null;
    }
    const shownAt = session.at ?? session.playback.frame?.version ?? Infinity;
    const from = this.markedFrom();
    const log = session.log.filter((event) => event.version <= shownAt);
    if (session.at === null && session.pending.length > 0 && table.seat !== null)
      log.push({
        version: table.version,
        at_ms: 0,
        kind: 'action',
        seat: table.seat,
        actions: session.pending,
        text: '',
      });
    const eyes = session.at !== null && typeof table.as === 'number' ? table.as : table.seat;
    return {
      table,
      view: table.view,
      me: eyes,
      names: namesOf(table.seats),
      legal: session.canAct ? table.legal : [],
      advised: this.advice.text,
      isLive: session.at === null,
      log,
      before: from === null ? null : (session.playback.position(from)?.view ?? null),
      news: from === null ? [] : log.filter((event) => event.version > from),
      ui: this.ui,
      select: (ui) => {
        this.ui = { ...this.ui, ...ui };
        redraw();
      },
      act: (text) => {
        this.choosing = null;
        void session.step(text);
      },
      type: (text) => this.type(text),
      choose: (texts) => {
        this.choosing = texts;
        redraw();
      },
      judge: (text) => session.judge(text),
    };
  }

  /** Plays what was typed: a move, or several with commas between them; a move may have commas itself. */
  private async type(text: string): Promise<boolean> {
    const { session } = this;
    const parts = text.split(',');
    for (let from = 0; from < parts.length; ) {
      const table = session.tried ?? session.live;
      if (table === null) return false;
      const scene = { names: namesOf(table.seats), view: table.view };
      let to = parts.length;
      let action: string | null = null;
      for (; to > from && action === null; to--)
        action = typedAction(boardOf(table.game), session.canAct ? table.legal : [], scene, parts.slice(from, to).join(','));
      if (action === null) {
        play('refused');
        notify(words.typedUnknown(parts.slice(from).join(',').trim()));
        return false;
      }
      await session.step(action);
      from = to + 1;
    }
    return true;
  }

  private async sit(seat: number): Promise<void> {
    await this.session.sit(nameOrGuest(), seat);
    redraw();
  }

  private async rematch(): Promise<void> {
    const { session } = this;
    if (session.ticket === null) return;
    await session.request(async (token) => {
      const answer = await api.rematch(session.code, token);
      keepTicket(answer.code, { seat: answer.seat, token: answer.token });
      go(`/t/${answer.code}`);
    });
  }

  private commands(table: api.Table): Child {
    const { session } = this;
    const isSeated = session.ticket !== null && table.seat !== null;
    const out: Child[] = [];
    if (isSeated && table.state === 'running') {
      out.push(
        button(
          [icon('flag'), words.resign],
          () =>
            this.question.ask(
              words.resignSure,
              words.resign,
              () => void session.request((token) => api.resign(session.code, token)),
            ),
          {
            key: 'resign',
          },
        ),
      );
    } else if (isSeated && table.state === 'open') {
      out.push(
        button(
          words.leave,
          () =>
            this.question.ask(
              words.leaveSure,
              words.leave,
              () => void session.leave(),
            ),
          { key: 'leave' },
        ),
      );
    }
    out.push(
      button(
        [icon('text'), isBoardText() ? words.drawnBoard : words.textBoard],
        () => {
          setBoardText(!isBoardText());
          redraw();
        },
        { key: 'board' },
      ),
    );
    if (isSeated && !table.over) out.push(this.device.command());
    out.push(this.files.command());
    out.push(button([icon('help'), words.about], () => this.help(), { key: 'help' }));
    const mayRecord = table.inspect || (table.protocol !== 'api' && !table.over); // programs of its protocol come there
    if ((ticketOf(session.code)?.owner ?? '') !== '' && mayRecord)
      out.push(button([icon('wire'), words.inspector], () => go(`/t/${session.code}/wire`), { key: 'wire', class: 'to-wire' }));
    return h('div', { class: 'commands' }, out);
  }

  private help(): void {
    this.isHelpShown = !this.isHelpShown;
    redraw();
  }

  private how(table: api.Table): Child {
    const lines = pitches[table.game]?.how ?? [words.plainHow];
    return h(
      'div',
      { class: 'how', key: 'how' },
      h('h2', null, words.about),
      h(
        'ul',
        null,
        lines.map((line) => h('li', null, line)),
      ),
      legend(table.game),
      pitches[table.game] !== undefined && link(`/rules/${table.game}`, {}, words.rules),
    );
  }

  /** While seats are free: how others come here, and what there is to know until then. */
  private waiting(table: api.Table): Child {
    return [this.session.ticket !== null && shareBox(table.code), joinBox(table), !this.isHelpShown && this.how(table)];
  }

  /** The first thing for whoever was given the address of a table that waits for players: who invites, and one click to play. */
  private invitation(table: api.Table): Child {
    const seat = table.seats.findIndex((one) => one.kind === 'free');
    if (seat < 0 || table.over || this.session.ticket !== null || this.session.at !== null) return null;
    const host = table.seats.findIndex((one) => one.kind === 'person');
    const who = namesOf(table.seats)[host];
    return button(
      [icon('play'), who === undefined ? words.invitedHere : words.invitedBy(who)],
      () => void this.sit(seat),
      { class: 'primary invitation', key: 'invitation' },
    );
  }

  private dialogs(board: Board, scene: Scene): Child {
    if (this.question.isOpen) return this.question.view();
    if (this.choosing === null) return null;
    const close = () => {
      this.choosing = null;
      redraw();
    };
    return dialog(
      'choose',
      words.chooseAction,
      close,
      h(
        'div',
        { class: 'choices' },
        this.choosing.map((text) =>
          button(sentence(board.words(text, scene)), () => scene.act(text), {
            key: text,
            'data-action': text,
          }),
        ),
      ),
      h('div', { class: 'buttons' }, button(words.cancel, close)),
    );
  }

  private side(table: api.Table, board: Board, scene: Scene): Child {
    const { session } = this;
    const live = session.live ?? table;
    const cup = session.ticket?.cup;
    return h(
      'aside',
      { class: 'side' },
      h('h1', { key: 'title' }, titleOf(table.game), h('small', null, ` ${table.code}`)),
      cup !== undefined && !live.over && link(`/c/${encodeURIComponent(cup)}`, { class: 'to-cups', key: 'cup' }, words.cups.back(cup)),
      seatList(
        session,
        table,
        (seat) => void this.sit(seat),
        (seat) => void session.request((token) => api.seatBot(session.code, token, seat, LEVEL_BOT)),
      ),
      stepBar(session),
      actionList(board, scene),
      this.replay.view(),
      this.commands(live),
      this.device.view(),
      this.files.view(),
      this.isHelpShown && this.how(table),
      logList(
        session,
        (event) => this.wordsOf(board, event, scene.names, table.view),
        (version) => void this.lookAt(version),
      ),
      h(
        'details',
        { class: 'astext', key: 'astext' },
        h('summary', null, words.asText),
        sentencesOf(table.game, table.view, scene.names) ?? viewAsText(table.view),
      ),
    );
  }

  private async lookAt(version: number): Promise<void> {
    this.replay.stop();
    await this.session.look(version);
  }

  private titles(table: api.Table): void {
    const { session } = this;
    const name = `${titleOf(table.game)} ${table.code} · ${words.product}`;
    setTitle(
      session.live !== null && session.isMine(session.live) ? `${words.yourTurnTitle} · ${name}` : name,
    );
    setPath(session.at === null ? `/t/${session.code}` : `/t/${session.code}/at/${session.at}`);
  }

  /** What to do now, how it ended, or what led to the old position that is shown. */
  private hint(table: api.Table, board: Board, scene: Scene): string {
    if (this.session.at === null && !this.session.playback.isPlaying)
      return table.over ? '' : board.hint(scene);
    const last = scene.log.filter((event) => event.kind === 'action').pop();
    if (last === undefined) return words.beforeFirst;
    const who = scene.names[Number(last.seat)] ?? '';
    return `${who}: ${this.wordsOf(board, last, scene.names, table.view)}`;
  }

  view(): Child {
    const { session } = this;
    const table = session.shown;
    if (session.phase === 'missing')
      return h(
        'main',
        { id: 'content', tabindex: -1, class: 'missing', key: 'missing' },
        h('h1', null, words.tableUnknown),
        button(words.toLobby, () => go('/'), { class: 'primary' }),
      );
    if (table === null || boardComing(table.game) !== null)
      return h(
        'main',
        { id: 'content', tabindex: -1, class: 'missing', key: 'wait' },
        h('p', { class: 'quiet' }, session.isConnected ? words.loading : words.offline),
      );
    this.titles(table);
    if (session.live !== null) this.announce(session.live);
    const board = isBoardText() ? textBoardOf(table.game) : boardOf(table.game);
    const scene = this.scene(table);
    return h(
      'main',
      { id: 'content', tabindex: -1, class: `table game-${table.game}`, key: session.code },
      h(
        'section',
        { class: 'board', 'aria-label': words.board },
        this.invitation(table),
        this.tour.view(),
        h(
          'div',
          { class: `turn-bar ${table.over ? 'ended' : ''}`, key: 'turn-bar' },
          turnLine(session, board, table, this.hint(table, board, scene)),
          clockBar(session),
          outcome(session, board, () => void this.rematch()),
          this.showing(),
          this.advice.view(board, scene),
        ),
        this.absence.view(),
        tally(session, board),
        !session.isConnected && h('p', { class: 'banner', role: 'status', key: 'cut' }, words.reconnecting),
        table.seats.some((seat) => seat.kind === 'free') && this.waiting(table),
        h(
          'div',
          {
            class: 'drawing',
            key: 'drawing',
            'data-version': table.version,
            'data-since': this.since(scene),
            onkeydown: moveFocus,
            onclick: session.playback.isPlaying ? () => session.playback.skip() : undefined,
          },
          board.draw(scene),
        ),
      ),
      this.side(table, board, scene),
      this.dialogs(board, scene),
    );
  }
}
