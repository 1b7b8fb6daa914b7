/* format/secure.md, and the derived keys of hashing.md. */
import {createHash, createHmac} from 'node:crypto';
import {siphash} from './hash.mjs';
import {readLabels} from './lookup.mjs';
import {ceil, check, MAX_BITS, MAX_WORDS, modulo, range} from './numbers.mjs';
import {holds, schemeField} from './positions.mjs';

const prf = (key, ...parts) => {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
};

/** 16 bytes that are stored as two numbers. */
const bytes16 = (f, name) => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(f.seed(`${name} 0`), 0);
  bytes.writeBigUInt64LE(f.seed(`${name} 1`), 8);
  return bytes;
};

/** The check value of a key, of the older hashes 2 and 3 or of 4 and 5. */
export const keyCheck = (key, hash) => hash <= 3 ? siphash(Buffer.from('bloomery key check'), key)
  : createHash('sha256').update('bloomery separate key check').update(key).digest().readBigUInt64LE(0);

/** The key of a filter with hash 3 or 5. */
export const derivedKey = (secret, f) =>
  prf(secret, 'bloomery keyed filter', bytes16(f, 'nonce')).subarray(0, 16);

const secureIndex = (f, s) => {
  const m = f.int('bits', 1, MAX_BITS), r = f.int('hashes per word', 1, 255);
  f.int('max words', 1, 2 ** 27);
  const w = ceil(m, 64), d = f.int('documents', 0, Math.floor(MAX_WORDS / Math.max(w, 2)));
  const nameBytes = f.int('name bytes', 0, MAX_WORDS);
  bytes16(f, 'nonce');
  const C = bytes16(f, 'check'), filters = s.next(d * w), nonces = s.next(2 * d).bytes;
  const names = readLabels(s.next(ceil(nameBytes, 8)), nameBytes, d);
  for (let i = 0; i < d; i++) {
    for (let j = m; j < 64 * w; j++) check(!filters.bit(64 * w * i + j), `document ${i} has bit ${j}`);
  }
  const isIn = (i, codes) => codes.every(T => {
    const y = prf(T, nonces.subarray(16 * i, 16 * i + 16)).readBigUInt64LE(0);
    return filters.bit(64 * w * i + modulo(y, m));
  });
  return (_, key) => {
    if (key.length !== 16 + 32 * r || !key.subarray(0, 16).equals(C)) return false;
    const codes = range(r).map(j => key.subarray(16 + 32 * j, 48 + 32 * j));
    const found = range(d).filter(i => isIn(i, codes)).map(i => names[i]);
    return {present: found.length > 0, found: found.join(',')};
  };
};

const encrypted = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = f.int('probes', 1, 255), scheme = schemeField(f, m, k);
  check([0, 14, 15].includes(f.int('group', 0, 15)), 'group');
  f.value('key check', 1);
  const bits = s.bits(m);
  return h => holds(bits, h, m, k, scheme);
};

const oblivious = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = f.int('probes', 1, 255), scheme = schemeField(f, m, k);
  const bits = s.bits(m), publicKey = s.bits(33 * 8);
  check([2, 3].includes(publicKey.bytes[0]), 'public key');
  return h => holds(bits, h, m, k, scheme);
};

/** The kinds by their numbers in files. */
export const KINDS = {77: secureIndex, 78: encrypted, 79: oblivious};
