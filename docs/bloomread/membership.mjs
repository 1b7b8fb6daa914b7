/* format/membership.md. Each kind takes fields and sections and returns a function from hash to answer, which is
 * a boolean or an object with `present` and `count`, `value` or `sets`. */
import {stream} from './hash.mjs';
import {check, div, isPowerOfTwo, MAX_BITS, MAX_WORDS, modulo, range, reduce, reduce32} from './numbers.mjs';
import {blockFields, holds, position, probesField, schemeField, wordGroups} from './positions.mjs';

const SALTS = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31];

const bloom = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = f.int('probes', 1, 255), scheme = schemeField(f, m, k), bits = s.bits(m);
  return h => holds(bits, h, m, k, scheme);
};

const blocked = (f, s) => {
  const shape = blockFields(f), words = s.next(shape.words);
  return h => shape.holds(words, h);
};

const splitBlock = (f, s) => {
  const blocks = f.int('blocks', 1, div(MAX_WORDS, 4)), bits = s.next(4 * blocks);
  return h => {
    const block = reduce32(h, blocks), y = Number(h & 0xFFFFFFFFn);
    return SALTS.every((salt, i) => bits.bit(256 * block + 32 * i + (Math.imul(y, salt) >>> 27)));
  };
};

const bloomG = (f, s) => {
  const words = f.int('words', 1, MAX_BITS), w = f.int('word bits', 32, 512);
  const g = f.int('groups', 1, 8), k = f.int('probes', g, 255);
  check(w % 8 === 0, 'word bits');
  const bits = s.bits(words * w), step = isPowerOfTwo(w) ? Math.log2(w) : 21;
  return h => wordGroups(h, words, w, step, g, k)
      .every(({word, places}) => places.every(place => bits.bit(word * w + place)));
};

const bloomAlpha = (f, s) => {
  const words = f.int('words', 1, MAX_BITS), w = f.int('word bits', 32, 512), k = f.int('probes', 2, 255);
  f.real('alpha', alpha => alpha >= 0 && alpha <= 1);
  check(w % 8 === 0, 'word bits');
  const bits = s.bits(words * w);
  return h => {
    const [first, second] = wordGroups(h, words, w - 1, 21, 2, k);
    const split = bits.bit(first.word * w + w - 1);
    return first.places.every(place => bits.bit(first.word * w + place))
        && second.places.every(place => bits.bit((split ? second : first).word * w + place));
  };
};

const twoChoice = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m), bits = s.bits(m);
  const d = f.has('choices') ? f.int('choices', 3, 8) : 2;
  return h => holds(bits, h, m, k) || range(d - 1).some(j => holds(bits, stream(h, -1 - j), m, k));
};

const striped = (f, s) => {
  const banks = f.int('banks', 1, 65536), w = f.int('bank bits', 2, MAX_BITS), k = probesField(f, banks);
  const bits = s.bits(banks * w);
  return h => {
    const first = reduce(stream(h, 0), banks);
    return range(k).every(i => bits.bit((first + i) % banks * w + modulo(stream(h, i + 1), w)));
  };
};

const direct = (f, s) => {
  const universe = f.int('universe', 1, MAX_BITS), bits = s.bits(universe);
  return x => x !== null && x < BigInt(universe) && bits.bit(Number(x));
};

const sortedHashes = (f, s) => {
  const w = f.int('hash bits', 1, 64), entries = f.int('entries', 0, 2 ** Math.min(31, w)), list = s.packed(entries, w);
  for (let i = 1; i < entries; i++) check(list.packed(i - 1, w) < list.packed(i, w), 'entries are not sorted');
  return h => {
    const wanted = h >> BigInt(64 - w);
    let low = 0, end = entries;
    while (low < end) {
      const middle = div(low + end, 2);
      if (list.packed(middle, w) < wanted) low = middle + 1; else end = middle;
    }
    return low < entries && list.packed(low, w) === wanted;
  };
};

const hashSelection = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m), groups = f.int('groups', 1, 2 ** 31 - 1);
  const candidates = f.int('candidates', 2, 65536);
  check(isPowerOfTwo(candidates), 'candidates');
  const bits = s.bits(m), w = Math.log2(candidates), families = s.packed(groups, w);
  return h => holds(bits, stream(h, families.packed(reduce(h, groups), w) + 1n), m, k);
};

const bestOf = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m), families = f.int('families', 1, 65536);
  const family = f.int('family', 0, families - 1), bits = s.bits(m);
  return h => holds(bits, stream(h, family + 1), m, k);
};

const removedPair = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m);
  const removedM = f.int('removed bits', 2, MAX_BITS), removedK = f.int('removed probes', 1, Math.min(255, removedM));
  const added = s.bits(m), removed = s.bits(removedM);
  return h => holds(added, h, m, k) && !holds(removed, stream(h, 1), removedM, removedK);
};

const memoryOptimized = (f, s) => {
  const m = f.int('bits', 2, 2 ** 31), k = probesField(f, m), mode = f.int('mode', 1, 3);
  const items = f.int('items', 0, mode === 2 ? 0 : 2 ** 30), w = mode === 3 ? f.int('item bits', 1, 63) : 64;
  const bits = s.bits(m), last = s.packed(mode === 2 ? 0 : m, 32), before = s.packed(items, 32);
  const list = s.packed(items, w), led = new Set();
  const lead = (to, end) => {
    if (to === 0) return;
    check(to < end && !led.has(to), 'an item in the lists of several buckets');
    led.add(to);
  };
  for (let j = 0; mode !== 2 && j < m; j++) lead(Number(last.packed(j, 32)), items + 1);
  for (let a = 1; a <= items; a++) lead(Number(before.packed(a - 1, 32)), a);
  check(led.size === items, 'an item in the list of no bucket');
  return h => {
    const bucket = position(1, h, reduce(stream(h, -1), k), m, k);
    if (mode === 2) return bits.bit(bucket);
    if (!holds(bits, h, m, k)) return false;
    const wanted = mode === 1 ? h : stream(h, -2) >> BigInt(64 - w);
    let end = items + 1;
    for (let a = Number(last.packed(bucket, 32)); a > 0 && a < end; a = Number(before.packed(a - 1, 32))) {
      if (list.packed(a - 1, w) === wanted) return true;
      end = a;
    }
    return false;
  };
};

const dLeftFingerprint = (f, s) => {
  const d = f.int('tables', 2, 4), B = f.int('buckets', 1, MAX_WORDS), W = f.int('bucket words', 1, 2);
  const table = s.next(d * B * W), c = 3 + W, saturated = 2 ** c - 1;
  const count = u => Number(table.at(u * W * 64, c)), length = j => Math.min(60, div(64 * W - c, j));
  for (let u = 0; u < d * B; u++) {
    const j = count(u);
    for (let at = c + (j === 0 || j === saturated ? 0 : j * length(j)); at < 64 * W; at++) {
      check(!table.bit(u * W * 64 + at), 'a bit that belongs to no fingerprint');
    }
  }
  return h => range(d).some(t => {
    const u = t * B + reduce(stream(h, t + 1), B), j = count(u);
    if (j === 0 || j === saturated) return j > 0;
    const wanted = stream(h, 0) >> BigInt(64 - length(j));
    return range(j).some(i => table.at(u * W * 64 + c + i * length(j), length(j)) === wanted);
  });
};

/** The kinds by their numbers in files. */
export const KINDS = {
  1: bloom, 2: blocked, 3: splitBlock, 4: bloomG, 5: bloomAlpha, 6: twoChoice, 7: striped, 8: direct, 9:
  sortedHashes, 10: hashSelection, 11: bestOf, 12: removedPair, 13: memoryOptimized,
  70: dLeftFingerprint,
};
