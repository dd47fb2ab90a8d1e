// Boards of cells in rows and columns, as games without a drawing of their own describe them: {rows, columns, cells}. An action
// that is about cells has their names as words of its text, in the order in which one points at them; so a click on a cell
// leaves those actions to choose from that name it next.

import { boardWords } from '../strings';
import { h, type Child, type VNode } from '../vdom';
import { listOf, picture, place, seatShape, svgText, target, textOf, viewOf, type Scene } from './board';

const CELL = 64;
const MARGIN = 26; // where the names of rows and columns stand
const MARK = 44;
const DEPTH_MAX = 12;

export interface Cell {
  name: string;
  text: string;
  owner: number | null;
}

export interface Grid {
  rows: number;
  columns: number;
  /** Row by row from the top; null where the board has no cell. */
  cells: (Cell | null)[];
}

function cellOf(value: unknown): Cell | null {
  const { name, text, owner } = viewOf(value);
  return { name: textOf(name), text: textOf(text), owner: typeof owner === 'number' ? owner : null };
}

/** The grid that a value of a view is, or null. */
export function gridOf(value: unknown): Grid | null {
  const { rows, columns, cells } = viewOf(value);
  const list = listOf(cells);
  if (typeof rows !== 'number' || typeof columns !== 'number' || list.length !== rows * columns) return null;
  if (list.length === 0 || list.some((cell) => cell !== null && textOf(viewOf(cell)['name']) === '')) return null;
  return { rows, columns, cells: list.map((cell) => (cell === null ? null : cellOf(cell))) };
}

/** The names of all cells of all grids in a view. */
function namesIn(value: unknown, names: Set<string>, depth = 0): Set<string> {
  const grid = gridOf(value);
  if (grid !== null) for (const cell of grid.cells) if (cell !== null) names.add(cell.name);
  if (grid === null && typeof value === 'object' && value !== null && depth < DEPTH_MAX)
    for (const item of Object.values(value)) namesIn(item, names, depth + 1);
  return names;
}

/** The cells that an action names, in order. */
function cellsNamed(text: string, names: Set<string>): string[] {
  return text.split(' ').filter((word) => names.has(word));
}

/** What clicks mean now: the cells that were clicked already, and what each further one would leave. */
export interface Clicks {
  chosen: string[];
  /** The actions that go on with a cell. */
  next: Map<string, string[]>;
  /** Those that begin with it, for whoever begins anew. */
  first: Map<string, string[]>;
  /** Of actions, how many cells each names. */
  lengths: Map<string, number>;
  /** The cells of what was done last. */
  last: Set<string>;
}

function actionsByCell(cellsByAction: Map<string, string[]>, chosen: string[]): Map<string, string[]> {
  const out = new Map<string, string[]>();
  for (const [text, cells] of cellsByAction) {
    const name = cells[chosen.length];
    if (name !== undefined && chosen.every((cell, i) => cell === cells[i]))
      out.set(name, [...(out.get(name) ?? []), text]);
  }
  return out;
}

export function clicksOf(scene: Scene): Clicks {
  const names = namesIn(scene.view, new Set());
  const cells = new Map(scene.legal.map((text) => [text, cellsNamed(text, names)]));
  const chosen = listOf(scene.ui['cells']).map(textOf);
  const last = scene.log.filter((event) => event.kind === 'action').slice(-1);
  const news = scene.news.some((event) => event.kind === 'action') ? scene.news : last;
  return {
    chosen,
    next: actionsByCell(cells, chosen),
    first: actionsByCell(cells, []),
    lengths: new Map([...cells].map(([text, named]) => [text, named.length])),
    last: new Set(news.flatMap((event) => event.actions).flatMap((text) => cellsNamed(text, names))),
  };
}

/** True when clicks on cells lead to the action. */
export function isClickable(text: string, scene: Scene): boolean {
  const { chosen, lengths } = clicksOf(scene);
  const length = lengths.get(text) ?? 0;
  // What is complete with the chosen cells while others go on has no cell of its own left: it stands in the list.
  return length > 0 && length !== chosen.length;
}

/** A cell to be clicked: it plays what it leaves when that names no further cell, and is chosen otherwise. */
function clickable(scene: Scene, clicks: Clicks, cell: Cell, inside: Child[]): VNode {
  const { chosen, next, first, lengths } = clicks;
  const at = chosen.indexOf(cell.name);
  const isNext = next.has(cell.name);
  if (at >= 0 && !isNext)
    return place(
      boardWords.grid.takeBack(cell.name),
      () => scene.select({ cells: chosen.slice(0, at) }),
      { class: 'chosen', 'data-cell': cell.name, 'aria-pressed': 'true' },
      ...inside,
    );
  const before = isNext ? chosen : [];
  const texts = (isNext ? next : first).get(cell.name) ?? [];
  const label = texts.length === 1 ? (texts[0] ?? '') : boardWords.grid.several(cell.name, cell.text, texts.length);
  const kind = isNext ? 'open' : 'anew';
  if (texts.every((text) => lengths.get(text) === before.length + 1))
    return target(scene, texts, label, { class: kind, 'data-cell': cell.name }, ...inside);
  return place(
    label,
    () => scene.select({ cells: [...before, cell.name] }),
    { class: kind, 'data-cell': cell.name },
    ...inside,
  );
}

function contentOf(cell: Cell): Child[] {
  const size = Math.min(28, (1.5 * CELL) / Math.max(1, cell.text.length));
  return [
    cell.owner !== null && seatShape(cell.owner, MARK),
    cell.text !== '' &&
      svgText(0, 1, cell.text, { class: cell.owner === null ? 'sign' : 'sign on-mark', 'font-size': size }),
  ];
}

function drawCell(scene: Scene, clicks: Clicks, cell: Cell, index: number, columns: number): VNode {
  const row = Math.floor(index / columns);
  const column = index % columns;
  const parity = (row + column) % 2 === 0 ? 'even' : 'odd';
  const inside = [
    h('rect', {
      class: `cell ${parity}${clicks.last.has(cell.name) ? ' last' : ''}`,
      x: -CELL / 2,
      y: -CELL / 2,
      width: CELL,
      height: CELL,
    }),
    h('rect', { class: 'aim', x: 4 - CELL / 2, y: 4 - CELL / 2, width: CELL - 8, height: CELL - 8, rx: 8 }),
    ...contentOf(cell),
  ];
  const isLive = clicks.next.has(cell.name) || clicks.first.has(cell.name) || clicks.chosen.includes(cell.name);
  const at = `translate(${MARGIN + (column + 0.5) * CELL} ${(row + 0.5) * CELL + 2})`;
  return h(
    'g',
    { key: cell.name, transform: at },
    isLive
      ? clickable(scene, clicks, cell, inside)
      : h('g', { 'data-cell': cell.name }, h('title', null, boardWords.grid.cell(cell.name, cell.text)), inside),
  );
}

function rowName({ columns, cells }: Grid, row: number): string {
  return cells.slice(row * columns, (row + 1) * columns).find((cell) => cell !== null)?.name.slice(1) ?? '';
}

function columnName({ columns, cells }: Grid, column: number): string {
  return cells.find((cell, i) => cell !== null && i % columns === column)?.name.slice(0, 1) ?? '';
}

function coordinates(grid: Grid): VNode[] {
  const out: VNode[] = [];
  for (let row = 0; row < grid.rows; row++)
    out.push(svgText(MARGIN / 2, (row + 0.5) * CELL + 2, rowName(grid, row), { class: 'coordinate' }));
  for (let column = 0; column < grid.columns; column++) {
    const x = MARGIN + (column + 0.5) * CELL;
    out.push(svgText(x, grid.rows * CELL + 4 + MARGIN / 2, columnName(grid, column), { class: 'coordinate' }));
  }
  return out;
}

/** A grid as a picture, whose cells are clicked as long as there is something to be done. */
export function drawGrid(scene: Scene, grid: Grid): VNode {
  const clicks = clicksOf(scene);
  return h(
    'div',
    { class: 'grid-board', style: { '--columns': String(grid.columns) } },
    picture(
      'grid',
      grid.columns * CELL + MARGIN + 2,
      grid.rows * CELL + MARGIN + 4,
      h('title', null, boardWords.grid.board(grid.rows, grid.columns)),
      coordinates(grid),
      grid.cells.map((cell, i) => cell !== null && drawCell(scene, clicks, cell, i, grid.columns)),
    ),
  );
}

/** A grid as lines of text, as the terminal draws it. */
export function gridAsText(grid: Grid): VNode {
  const { rows, columns, cells } = grid;
  const shown = (cell: Cell | null) =>
    cell === null ? '' : cell.text !== '' ? cell.text : cell.owner === null ? '.' : String(cell.owner + 1);
  const width = Math.max(...cells.map((cell) => shown(cell).length));
  const line = (head: string, texts: string[]) =>
    `${head.padStart(2)}  ${texts.map((text) => text.padEnd(width)).join(' ')}`;
  const lines: string[] = [];
  for (let row = 0; row < rows; row++)
    lines.push(line(rowName(grid, row), cells.slice(row * columns, (row + 1) * columns).map(shown)));
  lines.push(line('', Array.from({ length: columns }, (_, column) => columnName(grid, column))));
  return h('pre', { class: 'value' }, lines.join('\n'));
}

/** What to do now, as long as cells are to be clicked. */
export function gridHint(scene: Scene): string {
  const { chosen, next } = clicksOf(scene);
  if (next.size === 0) return '';
  return chosen.length === 0 ? boardWords.grid.choose : boardWords.grid.chooseNext(chosen.join(' '));
}
