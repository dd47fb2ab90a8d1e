// The first game with a guide: a few short steps beside the board of a real table against a bot. Where somebody is in it this browser
// remembers, so that a reload goes on there. What is said is loaded when it is wanted (words/*_lessons.ts).

import { redraw } from '../app';
import type { Session } from '../session';
import { keepLesson, lessonOf } from '../store';
import { language, words } from '../strings';
import { h, type Child } from '../vdom';
import type { Lesson } from '../words/en_lessons';
import { button } from './parts';

let lessons: Record<string, Lesson> | null = null;
let isAsked = false;

/** The lesson of a game; null until it is there, or when there is none. */
function lessonFor(game: string): Lesson | null {
  if (lessons === null && !isAsked) {
    isAsked = true;
    const load = language === 'de' ? import('../words/de_lessons') : import('../words/en_lessons');
    load.then(
      (loaded) => {
        lessons = loaded.lessons;
        redraw();
      },
      () => (isAsked = false),
    );
  }
  return lessons?.[game] ?? null;
}

/** What the signs of a board mean. */
export function legend(game: string): Child {
  const signs = lessonFor(game)?.signs ?? [];
  if (signs.length === 0) return null;
  return [
    h('h2', { key: 'signs-title' }, words.signs),
    h('dl', { class: 'signs', key: 'signs' }, signs.map(([sign, meaning]) => [h('dt', null, sign), h('dd', null, meaning)])),
  ];
}

export class Tour {
  constructor(private readonly session: Session) {}

  /** Goes on by itself when the player has made the moves that a step asks for. */
  private follow(lesson: Lesson): number {
    const { session } = this;
    const at = lessonOf(session.code);
    const version = session.live?.version ?? 0;
    if (at === null) return -1;
    const own = lesson.steps[at.step]?.own;
    const made = session.log.filter((event) => event.kind === 'action' && event.seat === session.live?.seat && event.version > at.from).length;
    if (own === undefined || made < own || session.playback.isPlaying) return at.step;
    keepLesson(session.code, { step: at.step + 1, from: version });
    return at.step + 1;
  }

  private go(step: number): void {
    keepLesson(this.session.code, { step, from: this.session.live?.version ?? 0 });
    redraw();
  }

  private end(): void {
    this.mark(undefined);
    keepLesson(this.session.code, null);
    redraw();
  }

  /** What is pointed at now; null: nothing. */
  private mark(selector: string | undefined): void {
    requestAnimationFrame(() => {
      for (const old of document.querySelectorAll('.pointed')) if (selector === undefined || !old.matches(selector)) old.classList.remove('pointed');
      if (selector !== undefined) document.querySelector(selector)?.classList.add('pointed');
    });
  }

  view(): Child {
    const { session } = this;
    const game = session.live?.game;
    if (game === undefined || session.ticket === null || lessonOf(session.code) === null) return null;
    const lesson = lessonFor(game);
    if (lesson === null) return null;
    const index = this.follow(lesson);
    const step = lesson.steps[index];
    if (step === undefined || session.live?.over === true) {
      this.end();
      return null;
    }
    const isLast = index === lesson.steps.length - 1;
    this.mark(step.mark);
    return h(
      'section',
      { class: 'tour', key: 'tour', role: 'status', 'aria-label': words.tour },
      h('small', null, words.tourStep(index + 1, lesson.steps.length)),
      h('p', null, step.say),
      h(
        'div',
        { class: 'buttons' },
        step.own === undefined || isLast
          ? button(isLast ? words.tourDone : words.tourNext, () => (isLast ? this.end() : this.go(index + 1)), { class: 'primary', key: 'next' })
          : h('span', { class: 'quiet', key: 'do' }, words.tourDo),
        index > 0 && button(words.tourBack, () => this.go(index - 1), { key: 'back' }),
        !isLast && button(words.tourEnd, () => this.end(), { key: 'end' }),
      ),
    );
  }
}
