/* format/sync.md. A table takes the key itself, and the hash function for the keys that it finds in cells. */
import {stream} from './hash.mjs';
import {ceil, check, mask, MAX_BITS, range, reduce} from './numbers.mjs';
import {holds, positions, probesField} from './positions.mjs';

const invertible = (f, s, now, hashOf) => {
  const m = f.int('cells', 2, 2 ** 26), k = f.int('probes', 2, 8), keyBytes = f.int('key bytes', 1, 64);
  const variable = f.int('variable length', 0, 1), valueBytes = f.int('value bytes', 0, 64);
  const checksumBits = f.int('checksum bits', 32, 64);
  check(m % k === 0, 'cells');
  const w = m / k, stored = keyBytes + variable, keyWords = ceil(stored, 8), valueWords = ceil(valueBytes, 8);
  const size = 2 + keyWords + valueWords, {words} = s.next(m * size);
  const unused = bytes => range(ceil(bytes, 8)).map(i => ~mask(8 * Math.min(8, bytes - 8 * i)) & mask(64));
  const zero = [0n, ~mask(checksumBits) & mask(64), ...unused(stored), ...unused(valueBytes)];
  for (let i = 0; i < words.length; i++) check((words[i] & zero[i % size]) === 0n, `unused bits of word ${i}`);
  const sums = range(k).map(j => {
    const sum = Array(size).fill(0n);
    for (let i = j * w * size; i < (j + 1) * w * size; i++) {
      sum[i % size] = i % size ? sum[i % size] ^ words[i] : sum[0] + words[i] & mask(64);
    }
    return sum.join();
  });
  check(sums.every(sum => sum === sums[0]), 'the sub-tables do not hold the same keys');

  const fits = n => n === keyBytes || variable && n < keyBytes;
  const padded = key => {
    const bytes = Buffer.alloc(8 * keyWords);
    key.copy(bytes);
    if (variable) bytes[keyBytes] = key.length;
    return bytes;
  };
  const cellOf = (h, j) => j * w + reduce(stream(h, j + 1), w);
  /** The key of a cell that holds one alone, or null. */
  const single = (cell, j) => {
    const at = cell * size, count = BigInt.asIntN(64, words[at]);
    if (count !== 1n && count !== -1n) return null;
    const bytes = Buffer.from(words.slice(at + 2, at + 2 + keyWords).buffer), n = variable ? bytes[keyBytes] : keyBytes;
    if (!fits(n)) return null;
    const key = bytes.subarray(0, n), h = hashOf(key);
    return padded(key).equals(bytes) && (stream(h, 0) & mask(checksumBits)) === words[at + 1] && cellOf(h, j) === cell
        ? {key, count} : null;
  };
  return (h, key) => {
    if (!fits(key.length)) return false;
    return range(k).every(j => {
      const cell = cellOf(h, j), found = single(cell, j);
      if (words.subarray(cell * size, (cell + 1) * size).every(word => word === 0n)) return false;
      return found === null || found.count === 1n && found.key.equals(key);
    });
  };
};

/** Answers with the filter of leaves; that of inner nodes is for another tree. */
const reconciliationTree = (f, s) => {
  const m = f.int('leaf bits', 2, MAX_BITS), k = f.int('leaf probes', 1, Math.min(255, m));
  const innerM = f.int('inner bits', 2, MAX_BITS);
  f.int('inner probes', 1, Math.min(255, innerM));
  const leaves = s.bits(m);
  s.bits(innerM);
  return h => holds(leaves, h, m, k);
};

const aggregate = (f, s) => {
  const m = f.int('cells', 2, 2 ** 31), k = probesField(f, m), states = f.int('states', 1, 64);
  const low = f.real('low', x => Math.abs(x) <= Number.MAX_VALUE / 4);
  f.real('high', x => x >= low && x <= Number.MAX_VALUE / 4);
  const id = f.seed('id'), state = f.int('state', 0, states - 1);
  f.big('version', 0n, 2n ** 63n - 1n);
  const history = f.seed('history');
  check(history >> BigInt(states) === 0n && (history >> BigInt(state) & 1n) === 1n, 'history');
  const counts = s.next(states);
  check(counts.words.every(count => count <= 2n ** 36n), 'numbers of nodes');
  const [counted] = range(3).map(() => s.cells(m, 4));
  range(3).forEach(() => s.bits(m));
  const salt = stream(id, 0);
  return h => positions(stream(h ^ salt, 0), m, k).every(i => counted.cell(i, 4) > 0n);
};

/** The kinds by their numbers in files. */
export const KINDS = {80: invertible, 82: reconciliationTree, 85: aggregate};
