/* format/growing.md. */
import {stream} from './hash.mjs';
import {check, div, MAX_BITS, MAX_WORDS, range, reduce} from './numbers.mjs';
import {blockShape, holds, positions, probesField} from './positions.mjs';

const scalable = (f, s) => {
  f.big('expected keys', 1, 2 ** 36);
  f.real('rate', x => x > 0 && x < 1);
  f.int('growth', 2, 16);
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

/** The kinds by their numbers in files. */
export const KINDS = {
  24: scalable, 25: dynamic, 26: split,
};
