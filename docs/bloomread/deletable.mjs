/* format/deletable.md. */
import {GOLDEN, high, stream, u64} from './hash.mjs';
import {ceil, check, counted, div, isPowerOfTwo, mask, MAX_BITS, MAX_WORDS, min, range, reduce} from './numbers.mjs';
import {blockFields, holds, position, positions, probesField, schemeField} from './positions.mjs';

const counting = (f, s) => {
  const m = f.int('counters', 2), k = probesField(f, m), scheme = schemeField(f, m, k);
  const b = f.int('counter bits', 2, 16);
  f.int('overflow', 1, 2);
  const counters = s.cells(m, b);
  return h => counted(min(positions(h, m, k, scheme).map(p => counters.cell(p, b))));
};

/** Whether the k counters of b bits that a hash has in one group of w bits are above 0. */
const inGroup = (counters, h, groups, w, b, k) => {
  const from = reduce(h >> 1n, 2 * groups) * w;
  return range(k).every(j => {
    const x = j < 7 ? u64(h * 0xE220A8397B1DCDAFn) : stream(h, div(j, 7));
    return counters.at(from + Number(x >> BigInt(9 * (j % 7)) & BigInt(w - b)), b) > 0n;
  });
};

const oneWordCounting = (f, s) => {
  const groups = f.int('groups', 1, MAX_BITS), w = f.int('group bits', 32, 512), b = f.int('counter bits', 2, 16);
  const k = f.int('probes', 1, 255);
  check((w === 72 || isPowerOfTwo(w)) && isPowerOfTwo(b) && b <= w / 8, 'group bits or counter bits');
  const counters = s.bits(groups * w);
  if (w !== 72) return h => inGroup(counters, h, groups, w, b, k);
  return h => {
    const from = reduce(h >> 1n, 2 * groups) * w;
    return range(k).every(j => {
      const field = stream(h, 1 + div(j, 3)) >> BigInt(21 * (j % 3)) & mask(21);
      return counters.at(from + Number(field * BigInt(w / b) >> 21n) * b, b) > 0n;
    });
  };
};

const countingBloomG = (f, s) => {
  const words = f.int('words', 1, MAX_WORDS), w = f.int('word bits', 64, 512), b = f.int('counter bits', 2, 16);
  const g = f.int('groups', 1, 8), k = f.int('probes', g, 255);
  check(isPowerOfTwo(w) && isPowerOfTwo(b) && b <= w / 8, 'word bits or counter bits');
  const counters = s.next(words * w / 64);
  return h => range(g).every(j =>
    inGroup(counters, j === 0 ? h : stream(h, 64 * j), words, w, b, div(k, g) + (j < k % g ? 1 : 0)));
};

const variableIncrement = (f, s) => {
  const m = f.int('counters', 2), b = f.int('counter bits', 4, 16), k = probesField(f, m);
  const L = f.int('base', 2, 2 ** (b - 2));
  check(isPowerOfTwo(L), 'base');
  const counters = s.cells(m, b), t = Math.log2(L), F = div(64, t);
  return h => range(k).every(i => {
    const v = L + Number(stream(h, 256 + div(i, F)) >> BigInt(t * (i % F)) & BigInt(L - 1));
    const c = Number(counters.cell(position(1, h, i, m, k), b));
    return c === v || c - v >= L || c === 2 ** b - 1;
  });
};

const multilayer = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = f.int('probes', 1, 255), scheme = schemeField(f, m, k);
  const sum = f.int('sum', 0), wordCount = f.int('words', 0, MAX_WORDS);
  const bits = s.bits(m), chunks = s.next(ceil(m, 1024)), strings = s.next(wordCount);
  const counters = new Map();
  let word = 0, total = 0;
  for (let j = 0; j < chunks.words.length; j++) {
    check(chunks.words[j] % 2n ** 32n === BigInt(word), `string ${j} begins elsewhere`);
    const end = word * 64 + Number(chunks.words[j] >> 32n);
    check(end <= 64 * wordCount, `string ${j} is too long`);
    let alive = range(Math.min(1024, m - 1024 * j)).map(i => 1024 * j + i).filter(p => bits.bit(p)), at = word * 64;
    for (let layer = 1; alive.length > 0; layer++) {
      check(at + alive.length <= end, `string ${j} is too short`);
      for (const p of alive) counters.set(p, layer);
      alive = alive.filter(() => strings.bit(at++));
    }
    check(at === end, `string ${j} is too long`);
    for (; at % 64; at++) check(!strings.bit(at), `bits after string ${j}`);
    total += end - word * 64;
    word = at / 64;
  }
  check(word === wordCount && total === sum, 'words or sum');
  return h => counted(min(positions(h, m, k, scheme).map(p => counters.get(p) ?? 0)));
};

const dLeft = (f, s) => {
  const d = f.int('tables', 2, 8), B = f.int('buckets', 1), q = f.int('bucket words', 1, 8);
  const r = f.int('remainder bits', 1, 48), b = f.int('counter bits', 2, 8);
  check(isPowerOfTwo(q) && r + b <= 64 * q && B * 2 ** r <= 2 ** 60, 'shape');
  const entries = f.int('entries', 0), table = s.next(d * B * q), c = div(64 * q, r + b);
  let found = 0;
  for (let u = 0; u < d * B; u++) {
    for (let j = 0; j < c; j++) {
      const cell = table.at(u * q * 64 + j * (r + b), r + b);
      if (cell === 0n) continue;
      check((cell & mask(b)) !== 0n, 'a remainder without a count');
      found++;
    }
    for (let at = c * (r + b); at < 64 * q; at++) check(!table.bit(u * q * 64 + at), 'a bit above the cells');
  }
  check(found === entries, `${found} cells are used, not ${entries}`);
  return h => {
    const e = h & mask(r), first = reduce(h, B);
    for (let t = 0; t < d; t++) {
      const u = t === 0 ? first : t * B + (first + reduce(stream(e, t), B)) % B;
      for (let j = 0; j < c; j++) {
        const cell = table.at(u * q * 64 + j * (r + b), r + b), count = cell & mask(b);
        if (count !== 0n && cell >> BigInt(b) === e) return counted(count);
      }
    }
    return counted(0n);
  };
};

const deletable = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = f.int('probes', 1, 255), scheme = schemeField(f, m, k);
  const regions = f.int('regions', 1, Math.min(m, MAX_BITS - m)), bits = s.bits(m);
  s.bits(regions);
  return h => holds(bits, h, m, k, scheme);
};

const cuckoo = (f, s) => {
  const B = f.int('buckets', 2, 2 ** 32), w = f.int('fingerprint bits', 4, 32), partner = f.int('partner', 1, 2);
  check(B % 2 === 0 && (partner === 1 || isPowerOfTwo(B)) && 4 * B * w <= MAX_BITS - 64, 'buckets');
  const slots = s.next(ceil(4 * B * w, 64) + 1).zeroFrom(4 * B * w);
  return h => {
    const p = 1n + ((u64(h * GOLDEN) >> 32n) * mask(w) >> 32n), bucket = reduce(h >> 1n, 2 * B);
    const offset = (u64(p * p * GOLDEN) >> 32n) * BigInt(B) >> 32n | 1n;
    const other = partner === 1 ? (Number(offset) - bucket + B) % B : Number(BigInt(bucket) ^ offset);
    return [bucket, other].some(b => range(4).some(j => slots.packed(4 * b + j, w) === p));
  };
};

const quotient = (f, s) => {
  const S = f.int('slots', 64), r = f.int('remainder bits', 1, 40);
  f.int('growing', 0, 1);
  check(S % 64 === 0 && S * (r + 3) <= MAX_BITS && S * 2 ** r <= 2 ** 60, 'slots');
  const blocks = s.next(S / 64 * (3 + r));
  const flag = (i, slot) => blocks.bit((div(slot, 64) * (3 + r) + i) * 64 + slot % 64);
  const remainder = slot => blocks.at((div(slot, 64) * (3 + r) + 3) * 64 + slot % 64 * r, r);
  const taken = slot => flag(0, slot) || flag(2, slot), before = slot => (slot + S - 1) % S;
  const free = range(S).find(slot => !taken(slot)), waiting = [];
  check(free !== undefined, 'no slot is free');
  let used = 0;
  for (let slot = free, i = 0; i < S; i++, slot = (slot + 1) % S) {
    if (flag(0, slot)) waiting.push(slot); // quotients whose runs have not begun
    if (!taken(slot)) {
      check(waiting.length === 0 && !flag(1, slot) && remainder(slot) === 0n, `slot ${slot} should be taken`);
    } else if (flag(1, slot)) {
      check(flag(2, slot) && taken(before(slot)), `slot ${slot} continues nothing`);
      check(remainder(before(slot)) <= remainder(slot), `the run in slot ${slot} is not sorted`);
    } else {
      check(waiting.length > 0 && flag(2, slot) === (waiting.shift() !== slot), `the run in slot ${slot}`);
    }
    used += taken(slot) ? 1 : 0;
  }
  check(waiting.length === 0 && used <= div(9 * S, 10), 'too many slots are taken');
  return h => {
    const F = high(h, BigInt(S) << BigInt(r)), q = Number(F >> BigInt(r)), wanted = F & mask(r);
    if (!flag(0, q)) return false;
    let slot = q, runs = 1;
    for (; flag(2, slot); slot = before(slot)) runs += flag(0, before(slot)) ? 1 : 0;
    for (; flag(1, slot) || --runs > 0; slot = (slot + 1) % S);
    do {
      if (remainder(slot) === wanted) return true;
      slot = (slot + 1) % S;
    } while (flag(1, slot));
    return false;
  };
};

const blockedCounting = (f, s) => {
  const shape = blockFields(f), b = f.int('counter bits', 2, 8);
  check(64 * shape.words * b <= MAX_BITS, 'counter bits');
  const bits = s.next(shape.words), rest = s.next((b - 1) * shape.words);
  for (let j = 0; j < shape.words; j++) {
    for (let p = 0; p < b - 1; p++) check((rest.words[(b - 1) * j + p] & ~bits.words[j]) === 0n, 'a counter of 0');
  }
  return h => shape.holds(bits, h);
};

const prefix = (f, s) => {
  const bins = f.int('bins', 1, MAX_WORDS), r = f.int('remainder bits', 8, 16);
  check(r === 8 || r === 16, 'remainder bits');
  const [W, S] = r === 8 ? [4, 24] : [8, 28];
  const table = s.next(bins * W + 2).zeroFrom(bins * W * 64), spare = cuckoo(f, s);
  const read = bin => {
    const from = bin * W * 64, found = [], full = table.bit(from + 62);
    const counts = range(31).map(q => Number(table.at(from + 2 * q, 2)));
    check(counts.reduce((a, b) => a + b) <= S, 'a bin of too many fingerprints');
    counts.forEach((n, q) => {
      for (let i = 0; i < n; i++) found.push(q * 2 ** r + Number(table.at(from + 64 + found.length * r, r)));
    });
    check(!table.bit(from + 63), 'a bit behind the head');
    for (let i = found.length; i < S; i++) check(table.at(from + 64 + i * r, r) === 0n, 'an empty slot');
    check(new Set(found).size === found.length, 'a fingerprint is there twice');
    check(!full || found.length === S, 'an overflowed bin that is not full');
    const last = full ? counts.findLastIndex(n => n > 0) : 31;
    return {found, elsewhere: q => counts[q] === 3 || q >= last};
  };
  const all = range(bins).map(read);
  return h => {
    const bin = reduce(h >> 1n, 2 * bins), {found, elsewhere} = all[bin];
    const p = Number((u64(h * GOLDEN) >> 32n) * BigInt(31 * 2 ** r) >> 32n);
    return found.includes(p)
      || elsewhere(Math.floor(p / 2 ** r)) && spare(stream(BigInt(bin) * BigInt(31 * 2 ** r) + BigInt(p), 0));
  };
};

/** The kinds by their numbers in files. */
export const KINDS = {
  14: counting, 15: oneWordCounting, 16: variableIncrement, 17: multilayer, 18: dLeft, 19: deletable, 20:
  cuckoo, 21: quotient, 23: blockedCounting, 69: prefix, 71: countingBloomG,
};
