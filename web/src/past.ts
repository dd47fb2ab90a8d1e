// Tables that are over, read back from the newest one, page by page, as far as somebody wants to look.

import * as api from './api';

const TABLES_A_PAGE = 100;
const PAGES_AT_ONCE = 5;

export class Past {
  tables: api.TableRow[] = [];
  isReading = false;
  hasMore = true;
  hasFailed = false;
  private next: string | null = null;

  constructor(
    private readonly game: string,
    private readonly changed: () => void,
  ) {}

  /** Reads some pages on. */
  async read(): Promise<void> {
    if (this.isReading || !this.hasMore) return;
    this.isReading = true;
    this.changed();
    try {
      for (let page = 0; page < PAGES_AT_ONCE && this.hasMore; page++) {
        const answer = await api.getFinished(this.game, this.next, TABLES_A_PAGE);
        this.tables.push(...answer.tables);
        this.next = answer.next;
        this.hasMore = answer.next !== null;
      }
      this.hasFailed = false;
    } catch {
      this.hasFailed = true;
    }
    this.isReading = false;
    this.changed();
  }
}

/** How a table ended for a seat; null when it has no result. */
export function fareOf(table: api.TableRow, seat: number): 'won' | 'drawn' | 'lost' | null {
  const { result } = table;
  if (result === null || result.why === 'undecided') return null;
  const all = table.seats.length > 1 && (result.winners.length === 0 || result.winners.length === table.seats.length);
  if (all) return 'drawn';
  return result.winners.includes(seat) ? 'won' : 'lost';
}
