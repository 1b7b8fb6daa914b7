/* format/range.md. */
import {stream} from './hash.mjs';
import {ceil, check, digits, mask, MAX_BITS} from './numbers.mjs';
import {holds, schemeField} from './positions.mjs';

/** The place of a key in the order, a BigInt; null if a byte string is no number. */
function keySpace(f) {
  const order = f.int('key order', 1, 2), width = f.int('key bytes', 1, 255);
  check(order === 2 || width === 8, 'key bytes of numbers');
  const place = key => {
    if (order === 1) return key.length === 8 ? key.readBigInt64LE(0) + (1n << 63n) : null;
    const padded = Buffer.alloc(width);
    key.copy(padded, 0, 0, width);
    return BigInt(`0x${padded.toString('hex')}`);
  };
  /** What is hashed of a place: 8 bytes little-endian of a number, all bytes of a byte string. */
  const bytes = at => {
    const found = Buffer.from(at.toString(16).padStart(2 * width, '0'), 'hex');
    return order === 1 ? found.reverse() : found;
  };
  return {place, bytes};
}

/** n different numbers below r; returns a Set of BigInts. */
function eliasFano(s, n, r) {
  const l = n === 0 ? 0 : digits(r / BigInt(n)) - 1, b = n === 0 ? 0 : Number((r - 1n >> BigInt(l)) + 1n);
  const low = s.packed(n, l), high = s.bits(n + b), B = ceil(n + b, 1024), H = ceil(b, 4096);
  const d = digits(b), h = digits(B), directory = s.packed(B, d), hints = s.packed(H, h), numbers = new Set();
  let zeros = 0, latest = -1n;
  for (let i = 0; i < n + b; i++) {
    if (i % 1024 === 0) check(directory.packed(i / 1024, d) === BigInt(zeros), `directory ${i / 1024}`);
    if (!high.bit(i)) {
      if (zeros % 4096 === 0) check(hints.packed(zeros / 4096, h) === BigInt(Math.floor(i / 1024)), 'hint');
      zeros++;
      continue;
    }
    check(i - zeros < n, 'more ones than entries');
    const number = BigInt(zeros) << BigInt(l) | (l ? low.packed(i - zeros, l) : 0n);
    check(number > latest && number < r, `entry ${i - zeros}`);
    latest = number;
    numbers.add(number);
  }
  check(zeros === b, `${zeros} zeros, not ${b}`);
  return numbers;
}

const grafite = (f, s, now, hashOf) => {
  const {place, bytes} = keySpace(f);
  f.int('keys', 1, 2 ** 31);
  const r = f.big('codes', 1, 2n ** 62n), low = mask(digits(r) - 1);
  f.big('longest range', 1, 2n ** 62n);
  const n = f.int('entries', 0, Math.min(2 ** 31, Number(r))), codes = eliasFano(s, n, r);
  return (_, key) => {
    const x = place(key);
    if (x === null) return false;
    const base = BigInt.asUintN(64, hashOf(bytes(x & ~low))) * r >> 64n;
    return codes.has((base + (x & low)) % r);
  };
};

const dyadic = (f, s, now, hashOf) => {
  const {place, bytes} = keySpace(f);
  f.int('levels', 0, 62);
  f.big('longest range', 1, 2n ** 62n);
  const m = f.int('bits', 1, MAX_BITS), k = f.int('probes', 1, 255), scheme = schemeField(f, m, k), bits = s.bits(m);
  return (_, key) => {
    const x = place(key);
    return x !== null && holds(bits, stream(hashOf(bytes(x)), 0), m, k, scheme);
  };
};

export const KINDS = {92: grafite, 93: dyadic};
