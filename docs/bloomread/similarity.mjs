/* format/similarity.md. Kinds may take the key itself; digests also the hash function, for the blocks of an excerpt. */
import {mix, stream, u64} from './hash.mjs';
import {readLabels} from './lookup.mjs';
import {among, check, ceil, div, MAX_BITS, MAX_WORDS, modulo, range, reduce} from './numbers.mjs';
import {holds, probesField} from './positions.mjs';

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

const blockDigest = (f, s, now, hashOf) => digest(f, s, hashOf, false);
const hierarchicalDigest = (f, s, now, hashOf) => digest(f, s, hashOf, true);

function digest(f, s, hashOf, hierarchical) {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m), size = f.int('block bytes', 1, 65536);
  const contentKeys = f.int('content keys', 0, 1);
  const L = hierarchical ? f.int('levels', 1, 16) : 1, perLevel = hierarchical ? f.int('per level', 0, 1) : 0;
  const longest = f.int('longest', 0, Math.min(m, 2 ** 31 - 1));
  const hostCount = f.int('hosts', 0, 2 ** 31 - 1), hostBytes = f.int('host bytes', 0, MAX_WORDS);
  const unit = div(m, 2 ** L - 1 + (contentKeys ? 2 ** (L - 1) : 0));
  check(!perLevel || unit >= Math.max(2, k), 'bits');
  check((hostCount > 0) === (hostBytes > 0), 'hosts');
  const above = range(perLevel ? L : 1).map(l => l === 0 ? 0 : unit * 2 ** (L - 1 - l));
  const filters = above.map((bits, l) => l === 0 ? m - above.reduce((a, b) => a + b) : bits)
      .map(bits => ({bits, words: s.bits(bits)}));
  const hosts = hostCount > 0 ? readLabels(s.next(ceil(hostBytes, 8)), hostBytes, hostCount) : [];
  const bytes = hosts.map(host => Buffer.from(host));
  check(bytes.every((host, i) => i === 0 || Buffer.compare(bytes[i - 1], host) < 0), 'hosts are not ascending');

  const isIn = (level, key) => {
    const {words, bits} = filters[perLevel ? level : 0];
    return holds(words, key, bits, k, 3);
  };
  const keyAt = (c, i, host) => host === null ? stream(c, i + 1) : mix(u64(stream(c, i + 1) + host));
  const isAt = (contents, o, host) => {
    let list = contents, first = o;
    for (let level = 0; level < L && list.length > 0; level++) {
      if (!list.every((c, j) => isIn(level, keyAt(c, first + j, host)))) return false;
      const from = first % 2, pairs = div(list.length - from, 2);
      list = range(pairs).map(j => mix(u64(stream(list[2 * j + from], 1) + list[2 * j + from + 1])));
      first = ceil(first, 2);
    }
    return true;
  };
  return (hash, excerpt) => {
    const n = excerpt.length, found = [];
    for (let a = 0; a < size && n - a >= size; a++) {
      const b = div(n - a, size);
      if (Math.min(1, a) > longest - b) continue;
      const contents = range(b).map(j => hashOf(excerpt.subarray(a + j * size, a + (j + 1) * size)));
      if (contentKeys && !contents.every(c => isIn(0, stream(c, 0)))) continue;
      for (let o = Math.min(1, a); o <= longest - b; o++) {
        if (!isAt(contents, o, null)) continue;
        const from = hosts.filter((_, i) => isAt(contents, o, hashOf(bytes[i]) || 1n));
        found.push([a, o, ...from].join(':'));
      }
    }
    return {present: n < 2 * size - 1 || found.length > 0, found: found.join(',')};
  };
}

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
export const KINDS = {
  63: distanceSensitive, 64: blockDigest, 65: hierarchicalDigest, 66: molecule, 67: novelty, 68: superimposed,
};
