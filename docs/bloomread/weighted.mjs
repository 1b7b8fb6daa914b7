/* format/weighted.md. */
import {check, MAX_BITS} from './numbers.mjs';
import {holds, positions, probesField, schemeField} from './positions.mjs';

const retouched = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = f.int('probes', 1, 255), scheme = schemeField(f, m, k), bits = s.bits(m);
  f.int('cleared', 0, 2 ** 53);
  f.real('survival', share => share >= 0 && share <= 1);
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

/** The kinds by their numbers in files. */
export const KINDS = {
  58: retouched,
  59: generalized,
  62: variableSignature,
};
