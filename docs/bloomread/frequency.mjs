/* format/frequency.md. */
import {stream} from './hash.mjs';
import {ceil, check, counted, div, isPowerOfTwo, mask, MAX_BITS, min, range, reduce, reduce32} from './numbers.mjs';
import {holds, position, positions, probesField} from './positions.mjs';

/** The number of a hash's counter in each row. */
function rowCounters(h, rows, w) {
  return range(rows).map(i => {
    if (w > 2 ** 24) return i * w + reduce(stream(h, i), w);
    const output = stream(h, div(i, 2));
    return i * w + reduce32(i % 2 === 0 ? output : output << 32n & mask(64), w);
  });
}

const lowest = (counters, h, rows, w, b) => min(rowCounters(h, rows, w).map(i => counters.packed(i, b)));

function counterFields(f) {
  const rows = f.int('rows', 1, 255), w = f.int('width', 1, MAX_BITS), b = f.int('counter bits', 8, 64);
  check(isPowerOfTwo(b) && rows * w * b <= MAX_BITS, 'counters');
  return [rows, w, b];
}

function notNegative(counters, b) {
  check(b < 64 || counters.words.every(word => word < 2n ** 63n), 'a counter is negative');
  return counters;
}

const spectral = (f, s) => {
  const [k, w, b] = counterFields(f), method = f.int('method', 1, 3);
  check(method < 3 || k >= 2, 'rows');
  const recurring = method === 3, v = recurring ? ceil(w, 2) : 0, g = recurring ? Math.max(64, 4 * k * w) : 0;
  check(k * w * b + k * v * b + g <= MAX_BITS, 'size');
  const primary = notNegative(s.packed(k * w, b), b), secondary = notNegative(s.packed(k * v, b), b), marks = s.bits(g);
  return h => {
    const count = lowest(primary, h, k, w, b);
    if (!recurring || !holds(marks, stream(h, 2), g, 10)) return counted(count);
    const second = lowest(secondary, stream(h, 1), k, v, b);
    return counted(second > 0n && second < count ? second : count);
  };
};

const countMin = (f, s) => {
  const [k, w, b] = counterFields(f);
  if (f.int('conservative', 0, 1) === 1) f.big('total', 0, 2n ** 63n - 1n);
  const counters = notNegative(s.packed(k * w, b), b);
  return h => counted(lowest(counters, h, k, w, b));
};

const spaceCode = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m), l = f.int('groups', 2, 1024);
  const resolutions = f.int('resolutions', 1, 16);
  f.seed();
  f.big('draws', 0, 2n ** 63n - 1n);
  const filters = range(resolutions).map(() => s.bits(m)), fill = filters.map(bits => bits.countOnes() / m);
  const matches = (h, i) => range(l).filter(g => holds(filters[i], stream(h, i * l + g + 1), m, k)).length;
  return h => {
    const theta = range(resolutions).map(i => matches(h, i));
    if (theta[0] === 0) return counted(0);
    let best = -1, bestError = Infinity;
    theta.forEach((t, i) => {
      if (t === 0 || t === l) return;
      let harmonic = 0;
      for (let j = 0; j < t; j++) harmonic += l / (l - j);
      const error = l / (l - t) / harmonic;
      if (error < bestError) [best, bestError] = [i, error];
    });
    let count;
    if (best < 0) {
      best = theta.lastIndexOf(l);
      count = range(l).reduce((sum, i) => sum + l / (i + 1), 0);
    } else {
      count = Math.log((l - theta[best]) / (l * (1 - fill[best] ** k))) / Math.log(1 - 1 / l);
    }
    return counted(Math.max(1, Math.round(count * 4 ** best)));
  };
};

const adaptive = (f, s) => {
  const m = f.int('bits', 2, MAX_BITS), k = probesField(f, m), limit = f.int('scan limit', 64, Math.min(2 ** 30, Math.max(65536, m)));
  const bits = s.bits(m);
  return h => {
    let count = 0;
    if (holds(bits, h, m, k)) while (count < limit && bits.bit(position(1, h, k + count, m))) count++;
    return counted(count);
  };
};

const layered = (f, s) => {
  const layers = range(f.int('layers', 1, 1024)).map(i => {
    const m = f.int(`bits ${i + 1}`, 2, MAX_BITS), k = f.int(`probes ${i + 1}`, 1, Math.min(255, m)), bits = s.bits(m);
    return h => holds(bits, i === 0 ? h : stream(h, i), m, k);
  });
  return h => {
    const gap = layers.findIndex(layer => !layer(h));
    return counted(gap < 0 ? layers.length : gap);
  };
};

const counterBraids = (f, s) => {
  const k = f.int('probes', 2, 8), d = f.int('counter bits', 1, 31), D = f.int('wide bits', 8, 62 - d);
  const m = f.int('counters', 2 * k), M = f.int('wide counters', 6);
  check(m % k === 0 && M % 3 === 0, 'counters');
  const cells = s.cells(m, d + 1), wide = s.cells(M, D);
  const overflows = a => {
    const x = stream(BigInt(a), 1), least = min(positions(x, M, 3, 5).map(i => wide.cell(i, D)));
    return least > 1n ? least : 1n;
  };
  return h => {
    const own = positions(h, m, k, 5);
    if (own.some(a => cells.cell(a, d + 1) === 0n)) return counted(0);
    return counted(min(own.map(a => {
      const cell = cells.cell(a, d + 1);
      return (cell & mask(d)) + (cell >> BigInt(d) ? overflows(a) << BigInt(d) : 0n);
    })));
  };
};

/** The kinds by their numbers in files. */
export const KINDS = {
  27: spectral, 28: countMin, 29: spaceCode, 30: adaptive, 31: layered, 32: counterBraids,
};
