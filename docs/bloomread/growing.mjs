/* format/growing.md. */
import {stream} from './hash.mjs';
import {ceil, check, digits, div, mask, MAX_BITS, MAX_WORDS, range, reduce} from './numbers.mjs';
import {blockShape, holds, positions, probesField} from './positions.mjs';

const scalable = (f, s) => {
  f.big('expected keys', 1, 2 ** 36);
  f.real('rate', x => x > 0 && x < 1);
  f.int('growth', 1, 16);
  f.real('tightening', x => x >= 0.1 && x <= 0.99);
  const kind = f.int('layer kind', 1, 2), L = f.int('layers', 1, 1024), table = s.next(7 * L);
  let number = 0n;
  const layers = range(L).map(i => {
    const row = table.words.subarray(7 * i, 7 * i + 7);
    check(row[0] <= 63n && row[0] >= number, 'number of a layer');
    number = row[0];
    check(row[1] >= 1n && row[1] <= 2n ** 36n && row[2] <= 2n ** 53n, 'keys of a layer');
    const [m, blockBits, wordsPerKey, k] = [...row.subarray(3)].map(Number);
    if (kind === 1) {
      const shape = blockShape(m, blockBits, wordsPerKey, k), words = s.next(shape.words);
      return h => shape.holds(words, h);
    }
    check(blockBits === 0 && wordsPerKey === 0 && m >= 2 && m <= MAX_BITS, 'shape of a layer');
    check(k >= 1 && k <= 255 && m % k === 0 && m / k >= 2, 'probes of a layer');
    const bits = s.bits(m);
    return h => holds(bits, h, m, k, 5);
  });
  return h => layers.some(layer => layer(h));
};

const dynamic = (f, s) => {
  const w = f.int('counter bits', 1, 16), m = f.int('row cells', 2, MAX_WORDS * div(64, w)), k = probesField(f, m);
  f.big('row keys', 1, 2 ** 36);
  f.big('keys', 0, 2 ** 53);
  f.big('blocked removals', 0, 2n ** 63n - 1n);
  const layers = range(f.int('rows', 1, 4096)).map(() => s.cells(m, w));
  return h => {
    const cells = positions(h, m, k);
    return layers.some(layer => cells.every(i => layer.cell(i, w) > 0n));
  };
};

const split = (f, s) => {
  const rows = f.int('rows', 1, 4096), m = f.int('row bits', 2, div(MAX_BITS, rows)), k = probesField(f, m);
  f.real('bound', x => x > 0 && x < 1);
  f.big('keys', 0, 2 ** 53);
  const layers = range(rows).map(() => s.bits(m));
  return h => holds(layers[reduce(stream(h, -1), rows)], h, m, k);
};

/** The length of new fingerprints in an elastic filter of N pages. */
const fingerprintBits = (least, rate, N) => {
  let first = 0, d = 0;
  while (2 ** first < 6144 * least / rate) first++;
  const P = Math.floor(rate * 2 ** first / 6144);
  while (P * 2 ** d < N) d++;
  return Math.min(64, first + Math.max(0, d - 1) + div(d, 6));
};

/** A page of an elastic filter that begins at word `start`: its length and its question. */
const elasticPage = (pages, start, level, bits) => {
  check(start + 9 <= pages.words.length, 'a page ends early');
  const header = pages.words[start], w = Number(header >> 6n & 63n), n = Number(header >> 12n & 65535n);
  check(header >> 28n === 0n && (header & 63n) === BigInt(level), 'header of a page');
  check(w >= 1 && w <= bits - 9 - level, 'slot width of a page');
  const slots = start + 9 + ceil(1025 + n, 64), end = slots + ceil(n * w, 64), unary = 64 * (start + 9);
  check(end <= pages.words.length, 'a page ends early');
  const buckets = [];
  for (let i = 0, entries = 0; i < 1024 + n; i++) {
    if (pages.bit(unary + i)) {
      check(buckets.length > 0, 'an entry before the first bucket');
      const e = pages.at(64 * slots + entries++ * w, w);
      check(e > 0n && digits(e) - 1 + level <= 54, 'an entry');
      buckets[buckets.length - 1].push(e);
    } else {
      const j = buckets.length;
      check(j % 32 !== 0 || pages.at(64 * (start + 1) + j / 2, 16) === BigInt(entries), 'entries before a bucket');
      buckets.push([]);
    }
  }
  check(buckets.length === 1024, 'buckets of a page');
  const unused = (from, to) => range(to - from).every(i => !pages.bit(from + i));
  check(unused(unary + 1024 + n, 64 * slots) && unused(64 * slots + n * w, 64 * end), 'a bit between the parts of a page');
  const matches = (e, h) => ((e ^ h >> BigInt(level)) & mask(digits(e) - 1)) === 0n;
  return {end, n, holds: h => buckets[Number(h >> 54n)].some(e => matches(e, h))};
};

const elastic = (f, s) => {
  const expected = f.int('expected keys', 1, 2 ** 36), least = ceil(expected, 512);
  const rate = f.real('rate', x => x > 0 && x < 1 && x >= expected * 2 ** -57);
  const N = f.int('pages', least, 2 ** 27), keys = f.int('keys', 0, 512 * N), W = f.int('words', 1, MAX_WORDS);
  const starts = s.next(N), words = s.next(W), half = 2 ** (digits(N) - 1), g = digits(N) - 1;
  const bits = fingerprintBits(least, rate, N);
  let at = 0, entries = 0;
  const pages = range(N).map(i => {
    check(starts.words[i] === BigInt(at), 'start of a page');
    const page = elasticPage(words, at, i >= half || i < N - half ? g + 1 : g, bits);
    at = page.end;
    entries += page.n;
    return page;
  });
  check(at === W && entries >= keys, 'pages');
  return h => {
    const i = Number(h & mask(g + 1));
    return pages[i < N ? i : i - half].holds(h);
  };
};

/** The kinds by their numbers in files. */
export const KINDS = {
  24: scalable, 25: dynamic, 26: split, 91: elastic,
};
