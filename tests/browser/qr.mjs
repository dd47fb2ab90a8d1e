// Reads a QR code back, as a camera would: format, mask, bytes, and whether the corrections fit. Written from the standard, not from the page.

/** The text of a code of version 1 to 6 with correction L, given as rows of 0 and 1. */
export function readQr(rows) {
    const size = rows.length;
    const version = (size - 17) / 4;
    const at = (r, c) => rows[r][c];
    const format = [0, 1, 2, 3, 4, 5, 7, 8].map((c) => at(8, c)).concat([7, 5, 4, 3, 2, 1, 0].map((r) => at(r, 8)));
    const word = parseInt(format.join(''), 2) ^ 0b101010000010010;
    if (word >> 13 !== 1) throw new Error(`the level is ${word >> 13}, not L`);
    const mask = (word >> 10) & 7;
    const bits = [];
    let up = true;
    for (let right = size - 1; right > 0; right -= 2, up = !up) {
        if (right === 6) right = 5;
        for (let step = 0; step < size; step++) {
            const r = up ? size - 1 - step : step;
            for (const c of [right, right - 1]) if (!isFixed(r, c, size, version)) bits.push(at(r, c) ^ isMasked(mask, r, c));
        }
    }
    const words = [];
    for (let i = 0; i + 8 <= bits.length; i += 8) words.push(parseInt(bits.slice(i, i + 8).join(''), 2));
    const [total, extra, blocks] = [[26, 7, 1], [44, 10, 1], [70, 15, 1], [100, 20, 1], [134, 26, 1], [172, 18, 2]][version - 1];
    const data = [];
    for (let block = 0; block < blocks; block++) {
        const own = words.slice(0, total).filter((_, i) => i % blocks === block);
        if (!isWhole(own, extra)) throw new Error('the corrections do not fit the data');
        data.push(...own.slice(0, own.length - extra));
    }
    const stream = data.map((byte) => byte.toString(2).padStart(8, '0')).join('');
    if (!stream.startsWith('0100')) throw new Error('these are no bytes');
    const count = parseInt(stream.slice(4, 12), 2);
    const bytes = Array.from({ length: count }, (_, i) => parseInt(stream.slice(12 + i * 8, 20 + i * 8), 2));
    return new TextDecoder().decode(new Uint8Array(bytes));
}

function isFixed(r, c, size, version) {
    const isFinder = (r < 9 && c < 9) || (r < 9 && c > size - 9) || (r > size - 9 && c < 9);
    const isAlignment = version > 1 && Math.abs(r - (size - 7)) <= 2 && Math.abs(c - (size - 7)) <= 2;
    return isFinder || isAlignment || r === 6 || c === 6;
}

function isMasked(mask, r, c) {
    const product = r * c;
    return Number(
        [
            (r + c) % 2,
            r % 2,
            c % 3,
            (r + c) % 3,
            ((r >> 1) + Math.floor(c / 3)) % 2,
            (product % 2) + (product % 3),
            ((product % 2) + (product % 3)) % 2,
            (((r + c) % 2) + (product % 3)) % 2,
        ][mask] === 0,
    );
}

/** Whether a block is a multiple of its generator: zero at each of its roots. */
function isWhole(block, extra) {
    let root = 1;
    for (let i = 0; i < extra; i++, root = twice(root)) {
        let value = 0;
        for (const byte of block) value = product(value, root) ^ byte;
        if (value !== 0) return false;
    }
    return true;
}

function twice(x) {
    return x & 0x80 ? ((x << 1) ^ 0x11d) & 0xff : x << 1;
}

function product(a, b) {
    let sum = 0;
    for (; b > 0; b >>= 1, a = twice(a)) if (b & 1) sum ^= a;
    return sum;
}
