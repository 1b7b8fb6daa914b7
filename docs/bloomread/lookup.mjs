/* format/lookup.md. */
import {cascadeLayer, cellFields, KEYS, levelHash, ribbonLayers, ribbonLookup} from './frozen.mjs';
import {mix, stream} from './hash.mjs';
import {among, ceil, check, digits, div, mask, MAX_BITS, MAX_WORDS, min, modulo, range, valued} from './numbers.mjs';
import {positions, probesField} from './positions.mjs';

const bloomier = (f, s) => {
  const n = f.int('keys', 0, KEYS), R = f.int('values', 1, 2 ** 32), q = f.int('cell bits', 1, 64);
  const listed = f.int('listed', 0, 1), labelBytes = f.int('label bytes', 0);
  check(q >= 53 || R <= 2 ** q, 'values');
  let number;
  if (f.values.get('layout')?.value === 3n) {
    f.int('layout', 3, 3);
    check(q <= 32, 'cell bits');
    const seed = f.seed(), trial = f.int('trial', 0, 255), {layers, words} = ribbonLayers(n, q, 0);
    const section = s.next(words);
    number = h => mix(h ^ seed) >> BigInt(64 - q) ^ ribbonLookup(section.words, layers, q, seed, trial, h).parities;
  } else {
    const shape = cellFields(f, [3, 4]), cells = s.packed(shape.m, q);
    number = h => shape.cellsOfHash(h).reduce((sum, i) => sum ^ cells.packed(i, q), shape.maskOf(h, q));
  }
  const values = listed ? s.next(R).words : null;
  for (let i = 1; listed && i < R; i++) check(values[i - 1] < values[i], 'values are not ascending');
  check(!listed || values[R - 1] < 2n ** 63n, 'a value is negative');
  const labels = labelBytes > 0 ? readLabels(s.next(ceil(labelBytes, 8)), labelBytes, R) : null;
  return h => {
    const found = n === 0 ? BigInt(R) : number(h);
    if (found >= BigInt(R)) return valued(null);
    const value = values ? values[Number(found)] : found;
    return {present: true, value, label: labels?.[Number(value)]};
  };
};

/** `count` different texts in `length` bytes. */
export function readLabels(section, length, count) {
  section.zeroFrom(8 * length);
  const labels = [], buffer = Buffer.from(section.bytes);
  let at = 0;
  while (labels.length < count) {
    check(at + 4 <= length && at + 4 + buffer.readUInt32LE(at) <= length, 'labels');
    const end = at + 4 + buffer.readUInt32LE(at);
    const text = buffer.toString('utf8', at + 4, end);
    check(Buffer.from(text).equals(buffer.subarray(at + 4, end)), 'a label is not UTF-8');
    labels.push(text);
    at = end;
  }
  check(at === length && new Set(labels).size === count, 'labels');
  return labels;
}

const mutableBloomier = (f, s) => {
  const n = f.int('keys', 0, KEYS), q = f.int('cell bits', 2, 64), v = f.int('value bits', 1, 63);
  const shape = cellFields(f, [3, 4]), cells = s.packed(shape.m, q), values = s.cells(shape.m, v);
  return h => {
    if (n === 0) return valued(null);
    const own = shape.cellsOfHash(h), number = own.reduce((sum, i) => sum ^ cells.packed(i, q), shape.maskOf(h, q));
    return valued(number < BigInt(shape.k) ? values.cell(own[Number(number)], v) : null);
  };
};

const bloomierCascade = (f, s) => {
  const keys = f.int('keys', 0, 2 ** 36), v = f.int('values', 1, 256), seed = f.seed(), L = f.int('levels', 0, 64);
  f.real('filter rate', x => x > 0 && x < 1);
  check((L === 0) === (keys === 0), 'levels');
  const values = s.next(v).words, table = s.next(3 * L * v).words;
  check(values.every((x, i) => x < 2n ** 63n && (i === 0 || values[i - 1] < x)), 'values');
  const levels = range(L).map(n => range(v).map(i => {
    const row = table.subarray(3 * (n * v + i), 3 * (n * v + i) + 3);
    return row.every(x => x === 0n) ? () => false : cascadeLayer(row, s);
  }));
  return h => {
    for (let n = 0; n < L; n++) {
      const hash = levelHash(h, seed, n), claims = range(v).filter(i => levels[n][i](hash));
      if (claims.length < 2) return valued(claims.length ? values[claims[0]] : null);
    }
    return valued(null);
  };
};

function choose(a, i) {
  let c = 1n;
  for (let j = 0n; j < BigInt(i); j++) c = c * (BigInt(a) - j) / (j + 1n);
  return a < i ? 0n : c;
}

/** The columns of set s in a code of weight w. */
function codeOf(s, w) {
  let code = 0n, left = BigInt(s);
  for (let i = w; i > 0; i--) {
    let a = i - 1;
    while (choose(a + 1, i) <= left) a++;
    left -= choose(a, i);
    code |= 1n << BigInt(a);
  }
  return code;
}

/** The sets that a mask covers. */
function setsOf(g, w) {
  if (w === 1) return M => range(g).filter(s => M >> BigInt(s) & 1n);
  const codes = range(g).map(s => w === 0 ? BigInt(s + 1) : codeOf(s, w));
  return M => w === 0 && M >= 1n && M <= BigInt(g) ? [Number(M) - 1]
      : range(g).filter(s => (M & codes[s]) === codes[s]);
}

const bank = (f, s, g, w) => {
  const m = f.int('rows', 2), k = probesField(f, m);
  let c = w === 0 ? digits(g) : w === 1 ? g : w;
  if (w >= 2) while (choose(c, w) < BigInt(g)) c++;
  check(w < 2 || c <= 62, 'columns');
  const rowWords = ceil(c, 64), rows = c <= 64 ? s.packed(m, c) : s.next(m * rowWords);
  const row = r => c <= 64 ? rows.packed(r, c)
      : range(rowWords).reduce((sum, j) => sum | rows.words[r * rowWords + j] << BigInt(64 * j), 0n) & mask(c);
  return {m, c, rows, maskOf: h => positions(h, m, k).reduce((sum, r) => sum & row(r), mask(c))};
};

const filterBank = (f, s) => {
  const g = f.int('sets', 1, 2 ** 20 - 1), w = f.int('weight', 0, 31), rows = bank(f, s, g, w), sets = setsOf(g, w);
  return h => among(sets(rows.maskOf(h)));
};

const spatial = (f, s) => {
  const m = f.int('cells', 2), k = probesField(f, m), a = f.int('areas', 1, 2 ** 16 - 1), b = digits(a);
  const cells = s.cells(m, b);
  return h => {
    const label = Math.min(a, Number(min(positions(h, m, k).map(i => cells.cell(i, b)))));
    return valued(label === 0 ? null : BigInt(label - 1));
  };
};

const combinatorial = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m), w = f.int('weight', 1, 31), F = f.int('groups', w, 62);
  const g = f.int('sets', 1, 2 ** 20 - 1);
  check(BigInt(g) <= choose(F, w), 'sets');
  const bits = s.bits(m), sets = setsOf(g, w);
  const holdsGroup = (h, j) => range(k).every(i => bits.bit(modulo(stream(h, j * k + i), m)));
  return h => among(sets(range(F).reduce((M, j) => holdsGroup(h, j) ? M | 1n << BigInt(j) : M, 0n)));
};

const compactApproximator = (f, s) => {
  const w = f.int('cell bits', 1, 63), m = f.int('cells', 2, MAX_WORDS * div(64, w)), k = probesField(f, m);
  const lattice = f.int('lattice', 1, 2), cells = s.cells(m, w);
  return h => {
    const own = positions(h, m, k).map(i => cells.cell(i, w));
    const value = lattice === 1 ? min(own) : own.reduce((a, b) => a & b);
    return valued(value === 0n ? null : value);
  };
};

const attenuated = (f, s) => {
  const levels = f.int('sets', 1, 64), rows = bank(f, s, levels, f.int('weight', 1, 1)), sets = setsOf(levels, 1);
  return h => {
    const found = sets(rows.maskOf(h));
    return valued(found.length ? BigInt(found[0]) : null);
  };
};

const countingBank = (f, s) => {
  const g = f.int('sets', 1, 2 ** 20 - 1), w = f.int('weight', 0, 31), {m, c, rows, maskOf} = bank(f, s, g, w);
  const b = f.int('counter bits', 2, 16), counters = s.cells(m * c, b), sets = setsOf(g, w);
  const bitAt = c <= 64 ? (r, j) => r * c + j : (r, j) => r * 64 * ceil(c, 64) + j;
  for (let r = 0; r < m; r++) {
    for (let j = 0; j < c; j++) {
      check(rows.bit(bitAt(r, j)) === counters.cell(r * c + j, b) > 0n, 'bit and counter differ');
    }
  }
  return h => among(sets(maskOf(h)));
};

/** The kinds by their numbers in files. */
export const KINDS = {
  48: bloomier, 49: mutableBloomier, 50: bloomierCascade, 51: filterBank, 52: spatial, 53: combinatorial, 54:
  compactApproximator, 55: attenuated, 57: countingBank,
};
