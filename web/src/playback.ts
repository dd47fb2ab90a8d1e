// What others did, one step after the other: a bot's turn of six actions lands at once, and nobody could follow it. The positions
// between are asked of the server as when looking back. Who wants less motion, or is not looking, gets the last one at once.

import * as api from './api';
import { redraw } from './app';
import { play } from './notice';
import type { Session } from './session';
import { isMotionWanted } from './slide';

const STEP_MS = 400; // how long a step is shown before the next one
const STEPS_MAX = 30; // of those that were missed; more are not shown one by one
const POSITIONS_MAX = 80; // that are kept

/** An action with what chance added to it. */
export interface Step {
  seat: number;
  /** The versions before and after it. */
  from: number;
  version: number;
  event: api.TableEvent;
}

export function stepsOf(log: api.TableEvent[]): Step[] {
  const steps: Step[] = [];
  for (const event of log) {
    const last = steps[steps.length - 1];
    if (event.kind === 'action' && typeof event.seat === 'number')
      steps.push({ seat: event.seat, from: event.version - 1, version: event.version, event });
    else if (last !== undefined) last.version = event.version;
  }
  return steps;
}

/** Where a viewer has to look back to: before everything that others did since the viewer's own last step, or before the last turn
 * for a watcher; null when there is nothing of others. */
export function turnStart(steps: Step[], me: number | null): number | null {
  let from: number | null = null;
  let author: number | null = null;
  for (const step of [...steps].reverse()) {
    if (step.seat === me || (me === null && author !== null && step.seat !== author)) break;
    author = step.seat;
    from = step.from;
  }
  return from;
}

export class Playback {
  /** The position that is shown instead of the newest one, or null. */
  frame: api.Table | null = null;

  private seen: number | null = null; // the version up to which everything was shown
  private isRunning = false;
  private isAsked = false; // by "show again", which does not depend on the wish for motion
  private shownMs = -Infinity; // when the last step was shown
  private wake: () => void = () => undefined;
  private positions = new Map<number, api.Table | null>();
  private asked = new Set<number>();

  constructor(private readonly session: Session) {}

  get isPlaying(): boolean {
    return this.frame !== null;
  }

  /** A newer position of the table has come; showing is what was shown until now. */
  take(table: api.Table, showing: api.Table | null): void {
    if (table.over && showing?.over === false) this.positions.clear(); // more is known of a table that is over
    this.keep(table.version, table);
    if (this.seen === null || showing === null || !(isMotionWanted() || this.isAsked)) this.seen = table.version;
    else if (this.frame === null && this.isBehind()) this.frame = showing;
    this.advance();
  }

  /** The log is complete up to the newest position, or will not be. */
  advance(): void {
    if (!this.isRunning) void this.run();
  }

  private isBehind(): boolean {
    const { live, log } = this.session;
    if (live === null || this.seen === null || live.version <= this.seen) return false;
    return (log[log.length - 1]?.version ?? 0) < live.version || this.unseen().some((step) => step.seat !== live.seat);
  }

  private unseen(): Step[] {
    const { live, log } = this.session;
    const seen = this.seen ?? Infinity;
    return stepsOf(log).filter((step) => step.version > seen && step.version <= (live?.version ?? 0));
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let steps = this.unseen(); steps.length > 0 && this.session.at === null; steps = this.unseen()) {
      const [step] = steps.slice(-STEPS_MAX);
      if (step === undefined) break;
      if (step.seat !== this.session.live?.seat || this.isAsked) await this.show(step);
      this.seen = Math.max(this.seen ?? 0, step.version);
    }
    this.isRunning = false;
    const { live, log } = this.session;
    const isWhole = (log[log.length - 1]?.version ?? 0) >= (live?.version ?? 0);
    if (isWhole || this.session.at !== null) this.finish();
    redraw();
  }

  private async show(step: Step): Promise<void> {
    const table = await this.fetch(step.version);
    const left = this.shownMs + STEP_MS - performance.now();
    if (left > 0 && this.isPlaying) await this.pause(left);
    if ((this.seen ?? 0) >= step.version) return; // it was skipped in between
    this.frame = table;
    play('move');
    redraw();
    await null; // until it is drawn: on a slow machine, too, a step is seen for its whole time
    this.shownMs = performance.now();
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = window.setTimeout(resolve, ms);
      this.wake = () => {
        window.clearTimeout(timer);
        resolve();
      };
    });
  }

  private finish(): void {
    this.frame = null;
    this.isAsked = false;
    if (this.session.live !== null) this.seen = this.session.live.version;
  }

  /** Shows the newest position at once. */
  skip(): void {
    this.finish();
    this.wake();
    redraw();
  }

  /** Plays everything since a version once more. */
  async again(from: number): Promise<void> {
    const table = await this.fetch(from);
    if (table === null || this.isRunning) return;
    this.isAsked = true;
    this.seen = from;
    this.frame = table;
    this.shownMs = performance.now();
    redraw();
    this.advance();
  }

  /** The position at a version as far as it is here; asks for it otherwise. */
  position(version: number): api.Table | null {
    const known = this.positions.get(version);
    if (known === undefined && !this.asked.has(version)) void this.fetch(version).then(redraw);
    return known ?? null;
  }

  private keep(version: number, table: api.Table | null): void {
    if (this.positions.size >= POSITIONS_MAX) this.positions.clear();
    this.positions.set(version, table);
  }

  private async fetch(version: number): Promise<api.Table | null> {
    const known = this.positions.get(version);
    if (known !== undefined) return known;
    this.asked.add(version);
    try {
      this.keep(version, await api.getTableAt(this.session.code, version, undefined, this.session.ticket?.token));
    } catch {
      this.keep(version, null); // a picture less: the newest position is what counts
    } finally {
      this.asked.delete(version);
    }
    return this.positions.get(version) ?? null;
  }
}
