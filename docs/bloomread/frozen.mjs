/* format/frozen.md. */
import {Fields, Section} from './frame.mjs';
import {GOLDEN, high, mix, rotl, stream, u64} from './hash.mjs';
import {ceil, check, digits, div, isPowerOfTwo, mask, MAX_BITS, MAX_WORDS, modulo, range, reduce, reduce32,
  valued} from './numbers.mjs';
import {holds, schemeField} from './positions.mjs';

export const KEYS = 2 ** 27;
const REMIX = 0xD6E8FEB86659FD93n;

/** The cells of a key in an xor or fuse table; `layout` is 1 for parts, 2 for segments. */
function cellsOf(p, x, layout, m, k, segment) {
  if (layout === 1) {
    return range(k).map(i => i * (m / k) + reduce32(i < 3 ? rotl(x, 21 * i % 64) : stream(p, 1), m / k));
  }
  const first = reduce32(x, m - (k - 1) * segment);
  const others = [0n, x >> 18n, x, u64(x * GOLDEN) >> 46n];
  return range(k).map(i => i === 0 ? first : Number(BigInt(first + i * segment) ^ others[i] % BigInt(segment)));
}

const tableFilter = shape => (f, s) => {
  const keys = f.int('keys', 0, KEYS), w = f.int('fingerprint bits', 1, 32), seed = f.seed();
  const [layout, m, k, segment] = shape(f);
  const cells = s.next(ceil(m * w, 64) + 1).zeroFrom(m * w);
  return h => {
    const p = u64((h ^ seed) * REMIX);
    const xor = cellsOf(p, p ^ p >> 32n, layout, m, k, segment).reduce((sum, i) => sum ^ cells.packed(i, w), 0n);
    return keys > 0 && xor === (p & mask(w));
  };
};

const fuse = tableFilter(f => {
  const k = f.int('arity', 3, 4), segment = f.int('segment length', 1, 2 ** 18), starts = f.int('starts', 1, 2 ** 30);
  check(isPowerOfTwo(segment) && (starts + k - 1) * segment <= 2 ** 30, 'cells');
  return [2, (starts + k - 1) * segment, k, segment];
});

const xor = tableFilter(f => [1, 3 * f.int('part length', 1, 2 ** 28), 3]);

/** The layers of a ribbon: each has chunks, slots per chunk, starts, segments per chunk, narrow segments, words. */
export function ribbonLayers(n, r, q) {
  const layers = [];
  let words = 0;
  const add = (chunks, slots) => {
    const starts = slots - 63, segments = slots / 64, narrowStarts = div(chunks * starts * q, 65536);
    const narrow = div(narrowStarts, starts) * segments + div(narrowStarts % starts, 64);
    layers.push({chunks, starts, segments, narrow, from: words});
    words += chunks * segments * r - narrow;
  };
  let left = n;
  while (left > 1536) {
    const m = left - div(left, 32), chunks = Math.max(1, div(m + 32768, 65536));
    const slots = Math.max(1, div(div(m, chunks) + 64, 128)) * 128;
    add(chunks, slots);
    left += div(chunks * slots, 512) + 24 * chunks - chunks * slots;
  }
  if (layers.length > 0) left += Math.floor(Math.sqrt(n));
  if (n > 0) add(1, 64 * ceil(left + div(left, 16), 64));
  for (const layer of layers.slice(0, -1)) {
    layer.thresholds = words;
    words += ceil(layer.chunks * layer.segments, 64);
  }
  return {layers, words};
}

/** What a ribbon gives for a hash: {columns, parities, fingerprint}. */
export function ribbonLookup(words, layers, r, seed, trial, h) {
  let x = h;
  for (let number = 0; ; number++) {
    const layer = layers[number], last = number === layers.length - 1;
    x = mix(x ^ stream(seed, 16 * div(trial, 64) + number + 1));
    if (last) x = mix(x ^ stream(seed ^ mask(64), trial + 1));
    const start = reduce(u64(x * BigInt(layer.chunks)), layer.starts), offset = BigInt(start % 64);
    const segment = reduce(x, layer.chunks) * layer.segments + div(start, 64), bucket = div(segment, 2);
    if (!last) {
      const threshold = words[layer.thresholds + div(bucket, 32)] >> BigInt(2 * (bucket % 32)) & 3n;
      if (start % 128 < [0, 16, 40, 128][Number(threshold)]) continue;
    }
    const begin = i => layer.from + i * (r - 1) + Math.max(0, i - layer.narrow);
    const columns = segment < layer.narrow ? r - 1 : r, coefficients = u64(x * 0xC28F82822B650BEDn) | 1n;
    let parities = 0n;
    for (let j = 0; j < columns; j++) {
      let bits = words[begin(segment) + j] >> offset;
      if (offset > 0n) bits |= u64(words[begin(segment + 1) + j] << 64n - offset);
      bits &= coefficients;
      for (let half = 32n; half > 0n; half >>= 1n) bits ^= bits >> half;
      parities |= (bits & 1n) << BigInt(j);
    }
    return {columns, parities, fingerprint: u64(x * 0x9FB21C651E98DF25n) >> 32n};
  }
}

const ribbon = (f, s) => {
  const n = f.int('keys', 0, MAX_WORDS), r = f.int('columns', 1, 32), q = f.int('narrow share', 0, 65535);
  const seed = f.seed(), trial = f.int('trial', 0, 255), {layers, words} = ribbonLayers(n, r, q);
  const section = s.next(words);
  return h => {
    if (n === 0) return false;
    const {columns, parities, fingerprint} = ribbonLookup(section.words, layers, r, seed, trial, h);
    return parities === (fingerprint & mask(columns));
  };
};

/** The fields *cells* of a map, and the function from hash to cells. */
export function cellFields(f, arity) {
  const layout = f.int('layout', 1, 2), m = f.int('cells', 0, 2 ** 30), k = f.int('cells per key', ...arity);
  const log = f.int('segment log', 0, 18), segment = 2 ** log, seed = f.seed();
  check(layout === 1 ? log === 0 && m % k === 0 : m % segment === 0 && m / segment >= k, 'cells');
  const cellsOfHash = h => {
    const p = u64((h ^ seed) * REMIX);
    return cellsOf(p, p ^ p >> 32n, layout, m, k, segment);
  };
  return {m, k, cellsOfHash, maskOf: (h, bits) => mix(h ^ seed) >> BigInt(64 - bits)};
}

const perfectHash = (f, s) => {
  const n = f.int('keys', 0, KEYS), w = f.int('fingerprint bits', 0, 32), shape = cellFields(f, [3, 3]), m = shape.m;
  check(n <= m, 'keys');
  const labels = s.packed(m, 2), ranks = s.packed(ceil(m, 256), 32), fingerprints = s.packed(n, w);
  const rank = [0];
  for (let i = 0; i < m; i++) {
    if (i % 256 === 0) check(ranks.packed(i / 256, 32) === BigInt(rank[i]), `rank ${i / 256} is wrong`);
    rank.push(rank[i] + (labels.packed(i, 2) === 3n ? 0 : 1));
  }
  check(rank[m] === n, `${rank[m]} cells are owned, not ${n}`);
  return h => {
    if (n === 0) return valued(null);
    const cells = shape.cellsOfHash(h);
    const owner = cells.reduce((sum, i) => sum + Number(labels.packed(i, 2)), 0) % 3;
    const index = Math.min(rank[cells[owner]], n - 1);
    return valued(w === 0 || fingerprints.packed(index, w) === shape.maskOf(h, w) ? index : null);
  };
};

const golombCoded = (f, s) => {
  const N = f.big('range', 1, 2n ** 62n), b = f.int('rice bits', 0, 62), R = f.big('block range', 2, 2n ** 62n);
  const L = f.int('code bits', 0, 2 ** 37 - 1216), entries = f.int('entries', 0, div(L, b + 1));
  const d = f.int('deviation bits', 1, 40), B = Number((N - 1n) / R + 1n);
  check(B <= MAX_WORDS && BigInt(entries) <= N && entries <= 2 ** 31, 'blocks or entries');
  const step = div(L, B), a = digits(L + 32 * step), records = ceil(B, 32), width = a + 33 * d;
  const codes = s.next(div(L, 64) + 2).zeroFrom(L);
  const index = s.next(div(records * width, 64) + 2).zeroFrom(records * width);
  const told = (record, i) => Number(index.at(record * width, a)) + (i - 32) * step
      + Number(index.at(record * width + a + i * d, d));
  const starts = range(B + 1).map(j => {
    const record = Math.min(div(j, 32), records - 1), start = told(record, j - 32 * record);
    check(j % 32 !== 0 || j === 0 || told(div(j, 32) - 1, 32) === start, 'two records differ');
    return start;
  });
  for (let i = B - 32 * (records - 1) + 1; i <= 32; i++) {
    check(index.at((records - 1) * width + a + i * d, d) === 0n, 'a deviation beyond the last block');
  }
  check(starts[0] === 0 && starts[B] === L, 'positions');
  const numbers = new Set();
  let found = 0, latest = -1n;
  for (let j = 0; j < B; j++) {
    let at = starts[j], number = BigInt(j) * R, remainders = starts[j + 1];
    check(at <= remainders, 'positions');
    while (at < remainders) {
      let q = 0n;
      for (; at < remainders && !codes.bit(at); at++) q++;
      at++;
      remainders -= b;
      check(at <= remainders, `block ${j} ends within a code`);
      number += (q << BigInt(b)) + (b ? codes.at(remainders, b) : 0n);
      check(number >= latest && number < N && number < BigInt(j + 1) * R, `a number of block ${j}`);
      latest = number;
      numbers.add(number);
      found++;
    }
  }
  check(found === entries, `${found} entries, not ${entries}`);
  return h => numbers.has(high(h, N));
};

/** Decodes a string of m bits: frozen.md, "Coded bits". */
function decodeBits(bytes, m, ones) {
  const out = Buffer.alloc(8 * ceil(m, 64)), q = [1 - ones / m];
  for (let l = 0; l < 12; l++) q.push(q[l] * q[l]);
  const clamp = p => Math.min(65535, Math.max(1, Math.floor(p * 65536)));
  const Z = q.map(clamp), Y = q.map(x => clamp(x / (1 + x)));
  let low = 0, width = 2 ** 32 - 1, used = 0;
  const next = () => {
    check(used < bytes.length, 'the code ends early');
    return bytes[used++];
  };
  for (let i = 0; i < 4; i++) low = low * 256 + next();
  const event = p => {
    const t = div(width, 65536) * p, happened = low < t;
    if (happened) width = t; else [low, width] = [low - t, width - t];
    while (width < 2 ** 24) [width, low] = [width * 256, (low * 256 + next()) % 2 ** 32];
    return happened;
  };
  const leaves = (from, exist, h, l, found) => {
    if (h < 1) found.push(from);
    else if (exist <= h) leaves(from, exist, h / 2, l - 1, found);
    else if (event(Y[l])) leaves(from + h, exist - h, h / 2, l - 1, found);
    else {
      leaves(from, h, h / 2, l - 1, found);
      if (!event(Z[l])) leaves(from + h, exist - h, h / 2, l - 1, found);
    }
    return found;
  };
  let set = 0;
  for (let block = 0; block < m; block += 4096) {
    if (event(Z[12])) continue;
    for (const word of leaves(0, ceil(Math.min(4096, m - block), 64), 32, 11, [])) {
      const from = block + 64 * word;
      for (const bit of leaves(0, Math.min(64, m - from), 32, 5, [])) {
        out[div(from + bit, 8)] |= 1 << bit % 8;
        set++;
      }
    }
  }
  check(used === bytes.length && low === 0 && set === ones, 'the code does not end with the bits');
  return new Section(out);
}

const compressedBloom = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = f.int('probes', 1, 255), scheme = schemeField(f, m, k);
  const ones = f.int('ones', 0, m), codeBytes = f.int('code bytes', 1, 2 ** 31 - 65);
  const code = s.next(ceil(codeBytes, 8)).zeroFrom(8 * codeBytes);
  check(m <= 2 ** 33, `${m} bits are more than this reader decodes`);
  const bits = decodeBits(code.bytes.subarray(0, codeBytes), m, ones);
  return h => holds(bits, h, m, k, scheme);
};

/** Bloom filters of a cascade: their words follow a table of bits, probes and keys. */
export function cascadeLayer(row, s) {
  const [m, k] = [Number(row[0]), Number(row[1])];
  check(m >= 2 && m <= MAX_BITS && k >= 1 && k <= Math.min(255, m), 'layer');
  check(row[2] >= 1n && row[2] <= 2n ** 36n, 'keys of a layer');
  const bits = s.bits(m);
  return h => holds(bits, h, m, k);
}

export const levelHash = (h, seed, level) => stream(h ^ seed, level + 1);

const cascade = (f, s) => {
  const members = f.int('members', 0, 2 ** 36), others = f.int('others', 0, 2 ** 36), seed = f.seed();
  f.int('smallest layer', 2, 2 ** 20);
  const L = f.int('layers', 0, 1024), table = s.next(3 * L);
  check((L === 0) === (members === 0 || others === 0), 'layers');
  const layers = range(L).map(i => cascadeLayer(table.words.subarray(3 * i, 3 * i + 3), s));
  return h => {
    const no = layers.findIndex((layer, i) => !layer(levelHash(h, seed, i)));
    return ((no < 0 ? L : no) % 2 === 1) !== members > others;
  };
};

const exactZone = (f, s) => {
  const u = f.big('universe', 2, 2n ** 63n - 1n), d = f.int('zone', 1, 4096), w = f.int('cell bits', 1, 32);
  f.big('keys', 0, 2 ** 53);
  const primes = [];
  for (let product = 1n, goal = u ** BigInt(d), p = 2; product < goal; p++) {
    if (primes.every(prime => prime * prime > p || p % prime !== 0)) product *= BigInt(primes[primes.push(p) - 1]);
  }
  const cells = s.cells(primes.reduce((a, b) => a + b), w);
  return x => {
    let from = 0;
    return x !== null && x < u && primes.every(p => {
      const cell = cells.cell(from + modulo(x, p), w);
      from += p;
      return cell > 0n;
    });
  };
};

const sharded = (f, s, now) => {
  const kind = f.int('shard kind', 40, 44), b = f.int('shard log', 0, 12), c = f.int('shard sections', 1, 16);
  const columns = [...f.rest].map(name => {
    check(name.startsWith('each '), `field ${name}`);
    return {name: name.slice(5), type: f.int(name, 1, 2)};
  });
  const table = s.next(columns.length * 2 ** b), reals = new Float64Array(table.words.buffer);
  const shards = range(2 ** b).map(i => {
    const fields = new Fields(new Map(columns.map(({name, type}, j) => {
      const at = i * columns.length + j;
      return [name, {type, value: type === 1 ? BigInt.asIntN(64, table.words[at]) : reals[at]}];
    })));
    const before = s.used, shard = KINDS[kind](fields, s, now);
    check(fields.rest.size === 0 && s.used === before + c, `shard ${i}`);
    return shard;
  });
  return h => {
    const answer = shards[Number(h >> BigInt(64 - b))](mix(h));
    return answer.present ?? answer;
  };
};

/** The kinds by their numbers in files. */
export const KINDS = {
  40: fuse, 41: xor, 42: ribbon, 43: perfectHash, 44: golombCoded, 45: compressedBloom, 46: cascade, 47:
  exactZone, 56: sharded,
};
