/* format/similarity.md. */
import {mix, stream} from './hash.mjs';
import {among, check, ceil, MAX_BITS, MAX_WORDS, modulo, range, reduce} from './numbers.mjs';

/** Numbers of 8 bytes each. */
const numbers = key => range(key.length / 8).map(i => key.readBigUInt64LE(8 * i));

const distanceSensitive = (f, s) => {
  const distance = f.int('distance', 1, 3), L = f.int('dimension', +(distance === 1), distance === 1 ? 2 ** 27 : 0);
  const r = f.int('samples', 1, distance === 3 ? 1 : 4096), k = f.int('arrays', 1, 65535);
  const m = f.int('array bits', 1, Math.floor(MAX_BITS / k)), t = f.int('threshold', 1, k), seed = f.seed();
  const bits = s.bits(k * m);
  const sampled = (key, z) => {
    let v = z, b = 0n;
    for (let i = 0; i < r; i++) {
      const p = reduce(stream(z, i + 1), L);
      b |= BigInt(key[p >> 3] >> (p & 7) & 1) << BigInt(i % 64);
      if (i % 64 === 63 || i === r - 1) [v, b] = [mix(v ^ b), 0n];
    }
    return v;
  };
  const least = (set, z) => range(r).reduce((v, i) => {
    const o = stream(z, i + 1);
    return mix(v ^ set.reduce((a, e) => mix(e ^ o) < a ? mix(e ^ o) : a, 2n ** 64n - 1n));
  }, z);
  const isItem = n => distance === 1 ? n === ceil(L, 8) : distance === 2 ? n % 8 === 0 : n === 8 * k;
  return (_, key) => {
    if (!isItem(key.length)) return false;
    const set = distance === 1 ? [] : numbers(key);
    const value = j => distance === 1 ? sampled(key, stream(seed, j)) : distance === 2 ? least(set, stream(seed, j))
        : set[j];
    return range(k).filter(j => bits.bit(j * m + reduce(stream(value(j), j), m))).length >= t;
  };
};

/** c different numbers below n. */
function subset(h, n, c) {
  const drawn = [];
  for (let t = n - c; t < n; t++) {
    const x = reduce(stream(h, t + 1), t + 1);
    drawn.push(drawn.includes(x) ? t : x);
  }
  return drawn;
}

const novelty = (f, s) => {
  const d = f.int('inputs', 1, 2 ** 16), M = f.int('tags', 1, 2 ** 24), q = f.int('inputs per tag', 1, Math.min(d, 255));
  const a = f.int('active tags', 1, M), share = x => x >= 0 && x <= 1;
  f.real('decay', share);
  f.real('recovery', share);
  const threshold = f.real('threshold', share), seed = f.seed(), section = s.next(M);
  const weights = new Float64Array(section.words.buffer);
  check(weights.every(w => w >= 0 && w <= 1 && !Object.is(w, -0)), 'a weight is not 0 … 1');
  return (_, key) => {
    if (key.length !== d) return false;
    const sums = range(M).map(tag => subset(stream(seed, tag), d, q).reduce((sum, i) => sum + key[i], 0));
    const tag = range(M).sort((x, y) => sums[y] - sums[x] || x - y).slice(0, a).sort((x, y) => x - y);
    return tag.reduce((sum, i) => sum + weights[i], 0) / a < threshold;
  };
};

/** Rows of so many bits, each from a word on, and those that have all of some bits. */
function rows(f, s, name, bits) {
  const rowWords = ceil(bits, 64), n = f.int(name, 0, Math.floor(MAX_WORDS / rowWords)), section = s.next(n * rowWords);
  for (let i = 0; i < n; i++) {
    for (let j = bits; j < 64 * rowWords; j++) check(!section.bit(64 * rowWords * i + j), `a row has bit ${j}`);
  }
  return own => range(n).filter(i => own.every(j => section.bit(64 * rowWords * i + j)));
}

const molecule = (f, s) => {
  const m = f.int('bits', 64, 2 ** 20), short = (f.int('max bonds', 0, 12), f.int('short bits', 1, 16));
  f.int('long bits', 1, 16);
  check(m % 64 === 0, 'bits');
  const having = rows(f, s, 'molecules', m);
  return h => having(range(short).map(i => modulo(stream(h, i + 1), m))).length > 0;
};

const superimposed = (f, s) => {
  const F = f.int('notches', 1, 2 ** 20), d = f.int('notches per descriptor', 1, Math.min(F, 64));
  const having = rows(f, s, 'cards', F);
  return h => among(having(subset(h, F, d)));
};

/** The kinds by their numbers in files. */
export const KINDS = {63: distanceSensitive, 66: molecule, 67: novelty, 68: superimposed};
