/* hashing.md, sections 4 and 5: from hashes to positions and to words of blocks. */
import {rotl, siphash, stream, u64} from './hash.mjs';
import {ceil, check, div, mask, MAX_WORDS, modulo, range, reduce} from './numbers.mjs';

const POWER = 0xd1342543de82ef95n;

/** Position i of a hash by an index scheme. */
export function position(scheme, h, i, m, k) {
  const j = BigInt(i);
  switch (scheme) {
    case 1: return modulo(stream(h, i), m);
    case 2: {
      let step = stream(h, 1) % BigInt(m);
      if (m % 2 === 0) step |= 1n; else if (step === 0n) step = 1n;
      return modulo(h + j * step, m);
    }
    case 3: return modulo(h + j * stream(h, 1) + (j * j * j - j) / 6n, m);
    case 4: return modulo(h + j * stream(h, 1) + j * (j - 1n) / 2n * stream(h, 2), m);
    case 5: return i * (m / k) + modulo(stream(h, i), m / k);
    case 6: return modulo(h + j * stream(h, 1) + j * j, m);
    case 7: return slice(h, i, m);
    case 9: return keyed(h, i, m);
    default: return Number((u64(h * POWER ** (j + 1n)) >> 22n) * BigInt(m) >> 42n);
  }
}

/** SipHash of i under the hash. */
function keyed(h, i, m) {
  const key = Buffer.alloc(16), number = Buffer.alloc(8);
  key.writeBigUInt64LE(h, 0);
  number.writeBigUInt64LE(BigInt(i), 0);
  return modulo(siphash(number, key), m);
}

/** Field number i, of those below m, of the long hash. */
function slice(h, i, m) {
  const bits = BigInt(m - 1).toString(2).length;
  for (let output = 0, left = i;; output++) {
    for (let at = 64 - bits; at >= 0; at -= bits) {
      const field = Number(stream(h, output) >> BigInt(at) & mask(bits));
      if (field < m && left-- === 0) return field;
    }
  }
}

export const positions = (h, m, k, scheme = 1) => range(k).map(i => position(scheme, h, i, m, k));

/** Whether all bits of a hash are set. */
export function holds(bits, h, m, k, scheme = 1) {
  for (let i = 0; i < k; i++) if (!bits.bit(position(scheme, h, i, m, k))) return false;
  return true;
}

export function schemeField(f, m, k) {
  const scheme = f.int('scheme', 1, 9);
  check(k <= m && (scheme !== 5 || m % k === 0 && m / k >= 2), 'the scheme does not fit');
  return scheme;
}

export const probesField = (f, m) => f.int('probes', 1, Math.min(255, m));

const patterns = new Map();
/** Pattern e of the table for b bits. */
export function pattern(b, e) {
  const seed = b * 2 ** 32 + e * 256;
  if (!patterns.has(seed)) {
    let bits = 0n, ones = 0;
    for (let t = 0; ones < b; t++) {
      const bit = 1n << (stream(BigInt(seed), t) >> 58n);
      if (!(bits & bit)) ones++;
      bits |= bit;
    }
    patterns.set(seed, bits);
  }
  return patterns.get(seed);
}

/** The shape of blocks, and the words of a hash: a list of [number of the word, mask]. */
export function blockShape(blocks, blockBits, W, k) {
  check([64, 128, 256, 512].includes(blockBits), 'block bits');
  const B = blockBits / 64, b = k / W, n = blocks * B;
  check(blocks >= 1 && n <= MAX_WORDS, 'blocks');
  check(B === 1 ? W === 1 : [2, 4, 8].includes(W) && W <= B, 'words per key');
  check(Number.isInteger(b) && b >= 1 && b <= 16, 'probes');
  const wordsOf = h => {
    const first = Number((h >> 1n) * BigInt(n) >> 63n), key = pattern(b, Number(h % 1024n));
    const y = u64(h * 0xE220A8397B1DCDAFn);
    return range(W).map(j => {
      const p = W === 2 ? h >> 9n : h >> BigInt(7 + j);
      const word = j === 0 ? first : Number(BigInt(first) ^ (BigInt(j) | p & BigInt(B - W)));
      return [word, rotl(key, Number((j < 4 ? h : y) >> BigInt(13 + 6 * j) & 63n))];
    });
  };
  return {words: n, wordsOf, holds: (s, h) => wordsOf(h).every(([word, bits]) => (s.words[word] & bits) === bits)};
}

export const blockFields = f => blockShape(f.int('blocks', 1, MAX_WORDS), f.int('block bits', 64, 512),
    f.int('words per key', 1, 8), f.int('probes', 1, 128));

/** Bloom-g's and bloom-alpha's positions: `usable` of a word's bits, `step` bits per field. */
export function wordGroups(h, words, usable, step, g, k) {
  const perOutput = div(64, step), outputs = 1 + ceil(ceil(k, g), perOutput);
  return range(g).map(j => {
    const word = reduce(stream(h, j * outputs), words);
    const places = range(div(k, g) + (j < k % g ? 1 : 0)).map(i => {
      const output = stream(h, j * outputs + 1 + div(i, perOutput));
      const field = output >> BigInt(64 - step * (i % perOutput + 1)) & mask(step);
      return step === 21 ? Number(field * BigInt(usable) >> 21n) : Number(field);
    });
    return {word, places};
  });
}
