/* format/weighted.md. */
import {cellFields, KEYS} from './frozen.mjs';
import {check, MAX_BITS, range} from './numbers.mjs';
import {holds, positions, probesField, schemeField} from './positions.mjs';

const isShare = x => x >= 0 && x <= 1;

const retouched = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = f.int('probes', 1, 255), scheme = schemeField(f, m, k), bits = s.bits(m);
  f.int('cleared', 0, 2 ** 53);
  f.real('survival', isShare);
  return h => holds(bits, h, m, k, scheme);
};

const generalized = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k0 = f.int('reset hashes', 0, 254), k1 = f.int('set hashes', 1, 255);
  check(k0 + k1 <= Math.min(255, m), 'set hashes');
  const bits = s.bits(m);
  return h => {
    const all = positions(h, m, k0 + k1), resets = all.slice(0, k0), sets = all.slice(k0);
    return !resets.some(i => bits.bit(i)) && sets.every(i => bits.bit(i) || resets.includes(i));
  };
};

const variableSignature = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m), t = f.int('signature bits', 1, k);
  const q = f.int('threshold', 1, t);
  f.int('next', 0, m - 1);
  const bits = s.bits(m);
  return h => positions(h, m, k).filter(i => bits.bit(i)).length >= q;
};

const total = list => list.reduce((a, b) => a + b, 0);

/** The array and the fields before the classes. */
const classedBits = f => {
  const m = f.int('bits', 2, MAX_BITS), scheme = f.int('scheme', 1, 9), k = f.int('probes', 1, Math.min(255, m));
  check(scheme !== 5, 'classes have no slices');
  return {m, scheme, k};
};

/** From hash to answer, for classes that each have `probes`, `keys`, `members` and `queries`. */
const classed = (f, s, {m, scheme, k}, bits, classes) => {
  const w = f.int('cell bits', 0, 32), table = cellFields(f, [3, 4]), cells = s.packed(table.m, w);
  const keys = total(classes.map(c => c.keys));
  check(keys <= KEYS && keys > 0 === w > 0, 'keys of the classes');
  check(w > 0 || table.m === 12 && table.k === 3 && f.seed() === 0n, 'a table without keys');
  check(keys === 0 || classes.length <= 2 ** w, 'classes');
  check(classes.every(c => c.probes >= 1 && c.probes <= Math.min(255, m)), 'probes of a class');
  for (const share of ['members', 'queries']) {
    check(classes.every(c => isShare(c[share])) && total(classes.map(c => c[share])) <= 1 + 1e-9, share);
  }
  const probesOf = h => {
    if (w === 0) return k;
    const number = table.cellsOfHash(h).reduce((sum, i) => sum ^ cells.packed(i, w), table.maskOf(h, w));
    return number < BigInt(classes.length) ? classes[Number(number)].probes : k;
  };
  return h => holds(bits, h, m, probesOf(h), scheme);
};

const weighted = (f, s) => {
  const array = classedBits(f), bits = s.bits(array.m);
  const hot = {
    probes: f.int('hot probes', 1, 255), keys: f.int('hot keys', 0, KEYS),
    members: f.real('hot members', isShare), queries: f.real('hot queries', isShare),
  };
  return classed(f, s, array, bits, [hot]);
};

const popularity = (f, s) => {
  const array = classedBits(f), bits = s.bits(array.m), count = f.int('classes', 0, 63), rows = s.next(4 * count);
  const real = word => new Float64Array(new BigUint64Array([word]).buffer)[0];
  const classes = range(count).map(i => ({
    probes: Number(rows.words[4 * i]), keys: Number(rows.words[4 * i + 1]),
    members: real(rows.words[4 * i + 2]), queries: real(rows.words[4 * i + 3]),
  }));
  return classed(f, s, array, bits, classes);
};

/** The kinds by their numbers in files. */
export const KINDS = {
  58: retouched,
  59: generalized,
  60: weighted,
  61: popularity,
  62: variableSignature,
};
