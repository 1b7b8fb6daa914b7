/* Small arithmetic, limits and the error that all modules share. */
import {high} from './hash.mjs';

export const MAX_WORDS = 2 ** 31 - 17; // of a section
export const MAX_BITS = 64 * MAX_WORDS;

export class Refused extends Error {}

export function check(ok, message) {
  if (!ok) throw new Refused(message);
}

export const div = (a, b) => Math.floor(a / b);
export const ceil = (a, b) => Math.ceil(a / b);
export const mask = bits => (1n << BigInt(bits)) - 1n;
export const digits = n => n.toString(2).length;
export const isPowerOfTwo = n => 2 ** Math.round(Math.log2(n)) === n;
export const reduce = (x, n) => Number(high(x, BigInt(n)));
export const modulo = (x, n) => Number(x % BigInt(n));
export const reduce32 = (x, n) => Number((x >> 32n) * BigInt(n) >> 32n);
export const min = list => list.reduce((a, b) => a < b ? a : b);
export const range = n => Array.from({length: n}, (_, i) => i);

/** The answers of kinds that tell more than presence. */
export const counted = count => ({present: count > 0, count});
export const valued = value => ({present: value !== null, value});
export const among = sets => ({present: sets.length > 0, sets});
