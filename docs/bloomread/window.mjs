/* format/window.md. `now` is in milliseconds, a BigInt. */
import {high, rotl} from './hash.mjs';
import {check, digits, div, isPowerOfTwo, mask, MAX_BITS, MAX_WORDS, min, range, reduce} from './numbers.mjs';
import {holds, pattern, positions, probesField} from './positions.mjs';

const WINDOW = 2n ** 42n;
const LATEST = 2n ** 62n;
const tick = (timed, latest, now) => timed === 1 && now > latest ? now : latest;

const stable = (f, s) => {
  const m = f.int('cells', 2), w = f.int('cell bits', 1, 8), k = f.int('probes', 1, 255);
  check(m % k === 0 && m >= 2 * k, 'cells');
  f.int('decrements', 1, Math.min(m, 2 ** 31 - 1));
  f.big('adds', 0, 2n ** 63n - 1n);
  const cells = s.cells(m, w);
  return h => positions(h, m, k, 5).every(i => cells.cell(i, w) > 0n);
};

const decaying = (f, s, now) => {
  const m = f.int('cells', 2), k = probesField(f, m), W = f.big('window', 1, WINDOW), T = f.big('granularity', 1, W);
  const timed = f.int('timed', 0, 1), latest = f.big('latest', 0, LATEST);
  const c = (W + T - 2n) / T + 1n, w = digits(c + c / 2n + 6n), E = mask(w), cells = s.cells(m, w);
  const at = tick(timed, latest, now);
  return h => positions(h, m, k).every(i => {
    const value = cells.cell(i, w), phase = high(BigInt(i) * (mask(64) / BigInt(m)), T);
    const epoch = t => (t + phase) / T;
    const age = ((epoch(latest) - (value - 1n)) % E + E) % E + epoch(at) - epoch(latest);
    return value !== 0n && age < c;
  });
};

const buffers = (least, either) => (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m), capacity = f.int('capacity', least, 2 ** 36);
  f.int('first keys', 0, capacity);
  f.int('second keys', 0, capacity);
  const first = s.bits(m), second = s.bits(m);
  return h => holds(first, h, m, k) || either && holds(second, h, m, k);
};

const timeDecaying = (f, s, now) => {
  const m = f.int('cells', 2, MAX_WORDS), k = f.int('probes', 1, 255), decay = f.int('decay', 1, 2);
  check(m % k === 0 && m >= 2 * k, 'cells');
  const period = f.big('period', 1, WINDOW), at = tick(1, f.big('latest', 0, LATEST), now);
  const weights = new Float64Array(s.next(m).words.buffer), ticks = s.next(m).words;
  return h => {
    const weight = min(positions(h, m, k, 5).map(i => {
      const t = BigInt.asIntN(64, ticks[i]);
      const left = decay === 1 ? weights[i] * 2 ** (Number(t - at) / Number(period))
          : weights[i] - Number(at / period - t / period);
      return left >= 1e-9 && Number.isFinite(left) ? left : 0;
    }));
    return {present: weight > 0, weight: weight.toFixed(9)};
  };
};

const exponentialDecay = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m), bits = s.bits(m);
  return h => holds(bits, h, m, k);
};

const recent = (f, s, now) => {
  const lines = f.int('lines', 1, div(MAX_WORDS, 8)), g = f.int('generations', 2, 8);
  const b = f.int('bits per word', 1, 16), W = f.big('window', 1, WINDOW);
  const timed = f.int('timed', 0, 1), latest = f.big('latest', 0, LATEST), words = s.next(8 * lines).words;
  check(isPowerOfTwo(g), 'generations');
  const G = BigInt(g), lasts = (W + G - 3n) / (G - 1n), slice = t => t / (lasts > 1n ? lasts : 1n);
  const n = slice(tick(timed, latest, now)), r = 8 / g;
  return h => {
    if (slice(latest) < n - G + 1n) return false;
    const line = reduce(h >> 1n, 2 * lines), key = pattern(b, Number(h % 1024n));
    return range(g).some(back => {
      const number = n - BigInt(back), slot = (number % G + G) % G;
      const stamp = 1n + (((number - slot) / G) % 7n + 7n) % 7n;
      return range(r).every(j => {
        const bits = rotl(key, Number(h >> BigInt(13 + 6 * j) & 63n)) & mask(61);
        const word = words[8 * line + Number(slot) * r + j];
        return word >> 61n === stamp && (word & bits) === bits;
      });
    });
  };
};

/** The kinds by their numbers in files. */
export const KINDS = {
  33: stable, 34: decaying, 35: buffers(1, true), 36: buffers(2, false), 37: timeDecaying, 38:
  exponentialDecay, 39: recent,
};
