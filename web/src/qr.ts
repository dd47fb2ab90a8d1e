// An address as a QR code, for a phone that is held against the screen. Byte mode, error correction L, versions 1 to 6: up to 134 bytes, which
// is more than any address of a table (ISO/IEC 18004).

/** By version: bytes of data in all, correction bytes of a block, blocks. */
const VERSIONS: [number, number, number][] = [
  [19, 7, 1],
  [34, 10, 1],
  [55, 15, 1],
  [80, 20, 1],
  [108, 26, 1],
  [136, 18, 2],
];
const HEAD_BITS = 12; // mode and length
const FORMAT_L = 1;

const exp: number[] = [];
const log: number[] = [];
for (let i = 0, x = 1; i < 255; i++, x = x & 128 ? (x << 1) ^ 0x11d : x << 1) {
  exp[i] = x;
  log[x] = i;
}

function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : (exp[((log[a] ?? 0) + (log[b] ?? 0)) % 255] ?? 0);
}

/** The remainder of data by the generator polynomial (Reed and Solomon). */
function correction(data: number[], count: number): number[] {
  let generator = [1];
  for (let i = 0; i < count; i++) {
    const next = [...generator, 0];
    generator.forEach((value, at) => (next[at + 1] = (next[at + 1] ?? 0) ^ times(value, exp[i] ?? 0)));
    generator = next;
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  data.forEach((_, at) => {
    const factor = rest[at] ?? 0;
    generator.forEach((value, i) => (rest[at + i] = (rest[at + i] ?? 0) ^ times(value, factor)));
  });
  return rest.slice(data.length);
}

/** The bytes in the order in which they are drawn: those of all blocks in turns, then their corrections. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const [size, extra, blocks] = VERSIONS[version - 1] ?? [0, 0, 1];
  const bits = [0, 1, 0, 0, ...bitsOf(bytes.length, 8), ...[...bytes].flatMap((byte) => bitsOf(byte, 8))];
  while (bits.length < size * 8 && bits.length < HEAD_BITS + bytes.length * 8 + 4) bits.push(0);
  while (bits.length % 8 !== 0) bits.push(0);
  const data: number[] = [];
  for (let at = 0; at < bits.length; at += 8) data.push(parseInt(bits.slice(at, at + 8).join(''), 2));
  for (let pad = 0xec; data.length < size; pad ^= 0xec ^ 0x11) data.push(pad);
  const each = size / blocks;
  const parts = Array.from({ length: blocks }, (_, i) => data.slice(i * each, (i + 1) * each));
  const fixes = parts.map((part) => correction(part, extra));
  const inTurns = (lists: number[][]) => (lists[0] ?? []).flatMap((_, i) => lists.map((list) => list[i] ?? 0));
  return [...inTurns(parts), ...inTurns(fixes)];
}

function bitsOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (value >> (count - 1 - i)) & 1);
}

const MASKS: ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

type Grid = (boolean | null)[][];

/** What is the same for all codes of a version; null where the data go. */
function frame(version: number): Grid {
  const size = 17 + version * 4;
  const grid: Grid = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const set = (r: number, c: number, dark: boolean) => {
    const row = grid[r];
    if (row !== undefined && c >= 0 && c < size) row[c] = dark;
  };
  for (let i = 8; i < size - 8; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  const square = (row: number, column: number, reach: number) => {
    for (let r = -reach; r <= reach; r++)
      for (let c = -reach; c <= reach; c++) {
        const ring = Math.max(Math.abs(r), Math.abs(c));
        set(row + r, column + c, reach === 4 ? ring !== 2 && ring !== 4 : ring !== 1);
      }
  };
  for (const [r, c] of [[3, 3], [3, size - 4], [size - 4, 3]] as const) square(r, c, 4);
  if (version > 1) square(size - 7, size - 7, 2);
  for (let i = 0; i < 9; i++) {
    if (grid[8]?.[i] === null) set(8, i, false);
    if (grid[i]?.[8] === null) set(i, 8, false);
    if (i < 8) set(8, size - 1 - i, false);
    if (i < 8) set(size - 1 - i, 8, false);
  }
  set(size - 8, 8, true);
  return grid;
}

function setFormat(grid: boolean[][], mask: number): void {
  const size = grid.length;
  let rest = ((FORMAT_L << 3) | mask) << 10;
  for (let bit = 14; bit >= 10; bit--) if ((rest >> bit) & 1) rest ^= 0x537 << (bit - 10);
  const bits = bitsOf(((((FORMAT_L << 3) | mask) << 10) | rest) ^ 0x5412, 15).map((bit) => bit === 1);
  const put = (r: number, c: number, i: number) => {
    const row = grid[r];
    if (row !== undefined) row[c] = bits[i] ?? false;
  };
  for (let i = 0; i < 15; i++) {
    if (i < 8) put(8, i < 6 ? i : i + 1, i);
    else put(i === 8 ? 7 : 14 - i, 8, i);
    if (i < 7) put(size - 1 - i, 8, i);
    else put(8, size - 15 + i, i);
  }
}

/** How hard a picture is to read: long runs, squares, and too much of one colour. */
function penalty(grid: boolean[][]): number {
  const size = grid.length;
  const lines = [...grid, ...grid.map((_, c) => grid.map((row) => row[c] ?? false))];
  let sum = 0;
  for (const line of lines) {
    const text = line.map(Number).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    sum += 40 * (text.match(/(?=00001011101|10111010000)/g) ?? []).length;
  }
  for (let r = 1; r < size; r++)
    for (let c = 1; c < size; c++)
      if (new Set([grid[r]?.[c], grid[r - 1]?.[c], grid[r]?.[c - 1], grid[r - 1]?.[c - 1]]).size === 1) sum += 3;
  const dark = grid.flat().filter(Boolean).length / size ** 2;
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

/** The modules of the code, row by row, true for dark; null when the text is too long. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + VERSIONS.findIndex(([size]) => size * 8 >= bytes.length * 8 + HEAD_BITS);
  if (version === 0) return null;
  const empty = frame(version);
  const size = empty.length;
  const bits = codewords(bytes, version).flatMap((byte) => bitsOf(byte, 8));
  const drawn = MASKS.map((isFlipped, mask) => {
    const grid = empty.map((row) => row.map((dark) => dark === true));
    let at = 0;
    for (let column = size - 1, isUp = true; column > 0; column -= 2, isUp = !isUp) {
      if (column === 6) column--; // the timing pattern
      for (let i = 0; i < size; i++)
        for (const c of [column, column - 1]) {
          const r = isUp ? size - 1 - i : i;
          const row = grid[r];
          if (row === undefined || empty[r]?.[c] !== null) continue;
          row[c] = (bits[at++] === 1) !== isFlipped(r, c);
        }
    }
    setFormat(grid, mask);
    return grid;
  });
  return drawn.reduce((best, grid) => (penalty(grid) < penalty(best) ? grid : best));
}
