/* format.md: the frame, its fields and its sections. */
import {crc32c, high, u64} from './hash.mjs';
import {ceil, check, div, mask, MAX_WORDS, range} from './numbers.mjs';

const MAGIC = [0x89, 0x42, 0x4C, 0x4D, 0x0D, 0x0A, 0x1A, 0x0A];

/** The header's fields, each to be asked for once: `int` gives a Number, `big` a BigInt. */
export class Fields {
  constructor(values) {
    this.values = values;
    this.rest = new Set(values.keys());
  }

  has(name) {
    return this.values.has(name);
  }

  value(name, type) {
    const field = this.values.get(name);
    check(field?.type === type, `field ${name} is missing or of another type`);
    this.rest.delete(name);
    return field.value;
  }

  big(name, low, high) {
    const value = this.value(name, 1);
    check(value >= BigInt(low) && value <= BigInt(high), `${name} is ${value}, not ${low} … ${high}`);
    return value;
  }

  int(name, low, high = Number.MAX_SAFE_INTEGER) {
    return Number(this.big(name, low, high));
  }

  real(name, ok) {
    const value = this.value(name, 2);
    check(ok(value), `${name} is ${value}`);
    return value;
  }

  /** Seeds are 64-bit numbers, stored as i64. */
  seed(name = 'seed') {
    return u64(this.value(name, 1));
  }
}

/** One section: an array of words. */
export class Section {
  constructor(bytes) {
    this.bytes = bytes;
    this.words = new BigUint64Array(new Uint8Array(bytes).buffer);
  }

  bit(i) {
    return (this.bytes[div(i, 8)] >> i % 8 & 1) === 1;
  }

  /** Number i of those of w bits that lie without gaps. */
  packed(i, w) {
    return this.at(i * w, w);
  }

  /** The w bits from bit `at` on. */
  at(at, w) {
    const word = div(at, 64), shift = at % 64;
    let value = this.words[word] >> BigInt(shift);
    if (shift + w > 64) value |= this.words[word + 1] << BigInt(64 - shift);
    return value & mask(w);
  }

  /** Cell i of those of w bits of which none lies in two words. */
  cell(i, w) {
    const perWord = div(64, w);
    return this.words[div(i, perWord)] >> BigInt(i % perWord * w) & mask(w);
  }

  /** Checks that the bits from `from` on are zero. */
  zeroFrom(from) {
    for (let i = from; i < 8 * this.bytes.length; i += 8 - i % 8) {
      check(this.bytes[div(i, 8)] >> i % 8 === 0, `a bit is set beyond the last, ${from - 1}`);
    }
    return this;
  }

  /** Checks that all bits are zero that belong to none of m cells of w bits. */
  onlyCells(m, w) {
    const perWord = div(64, w), unused = ~mask(perWord * w) & mask(64);
    check(this.words.every(word => (word & unused) === 0n), 'a bit is set between cells');
    return this.zeroFrom(div(m, perWord) * 64 + m % perWord * w);
  }

  countOnes() {
    let ones = 0;
    for (let byte of this.bytes) for (; byte; byte &= byte - 1) ones++;
    return ones;
  }
}

/** The sections in their order; each kind says how many words the next one must have. */
class Sections {
  constructor(payload, wordCounts) {
    let at = 0;
    this.list = wordCounts.map(count => new Section(payload.subarray(at, at += 8 * count)));
    this.used = 0;
  }

  next(words) {
    check(words <= MAX_WORDS, `a section of ${words} words`);
    const section = this.list[this.used++];
    check(section?.words.length === words, `section ${this.used - 1} has not the ${words} words of its shape`);
    return section;
  }

  bits(m) {
    return this.next(ceil(m, 64)).zeroFrom(m);
  }

  packed(m, w) {
    return this.bits(m * w);
  }

  cells(m, w) {
    return this.next(ceil(m, div(64, w))).onlyCells(m, w);
  }
}

const FACTS = {'key type': 3, column: 3, 'expected keys': 1, 'promised rate': 2, created: 1, tool: 3};

/** What a file says of its keys and of itself: a Map of names, unknown ones too. */
function readDescription(bytes) {
  const facts = new Map();
  for (let at = 0; at < bytes.length;) {
    check(at + 4 + bytes[at + 1] <= bytes.length, 'the description ends early');
    const type = bytes[at], nameEnd = at + 2 + bytes[at + 1], name = bytes.toString('latin1', at + 2, nameEnd);
    const length = type === 3 ? bytes.readUInt16LE(nameEnd) : 8, from = type === 3 ? nameEnd + 2 : nameEnd;
    check(/^[ -~]+$/.test(name) && !facts.has(name) && type >= 1 && type <= 3, 'a name or type in the description');
    check((FACTS[name] ?? type) === type && length >= 1 && length <= 1024, `${name} in the description`);
    check(from + length <= bytes.length, 'the description ends early');
    at = from + length;
    if (type === 3) {
      const text = bytes.toString('utf8', from, at);
      check(Buffer.from(text).equals(bytes.subarray(from, at)), 'a text of the description is not UTF-8');
      facts.set(name, text);
    } else facts.set(name, type === 1 ? bytes.readBigInt64LE(from) : bytes.readDoubleLE(from));
  }
  check((facts.get('expected keys') ?? 0n) >= 0n, 'expected keys');
  const rate = facts.get('promised rate') ?? 1, created = facts.get('created') ?? 0n;
  check(rate > 0 && rate <= 1, 'promised rate');
  check(created >= 0n && created <= 253402300799n, 'created');
  return facts;
}

/** Checks the frame and returns its kind, hash, fields, description and sections. */
export function readFrame(file) {
  const zeros = (from, to) => check(file.subarray(from, to).every(byte => byte === 0), `not zero: ${from} … ${to}`);
  const long = at => {
    const value = file.readBigUInt64LE(at);
    check(value <= 2n ** 53n, `the number at byte ${at} is too large`);
    return Number(value);
  };
  check(file.length >= 68 && MAGIC.every((byte, i) => file[i] === byte), 'not a frame');
  const version = file.readUInt16LE(8), D = file.readUInt32LE(52);
  check(version === 1 || version === 2, `version ${version}`);
  const H = file.readUInt32LE(12);
  check(H >= 68 && H <= 1048576 && H <= file.length, `header length ${H}`);
  check(file.readUInt32LE(H - 4) === crc32c(file.subarray(0, H - 4)), 'the header is damaged');

  const hash = file[16], fieldCount = file.readUInt16LE(20), sectionCount = file.readUInt16LE(22);
  check(hash <= 5, `hash ${hash}`);
  zeros(17, 20);
  check(version === 1 ? D === 0 : D >= 1 && D <= 16384, `description length ${D}`);
  check(file.readUInt32LE(48) === 65536, 'page size');
  let at = 64 + 8 * sectionCount;
  check(at <= H - 4, 'word counts beyond the header');
  const wordCounts = range(sectionCount).map(i => long(64 + 8 * i));
  check(wordCounts.every(count => count <= 2 ** 40), 'word count');
  const fields = new Map();
  for (let i = 0; i < fieldCount; i++) {
    check(at + 2 <= H - 4 && at + 10 + file[at + 1] <= H - 4, 'fields beyond the header');
    const type = file[at], nameEnd = at + 2 + file[at + 1];
    const name = file.toString('latin1', at + 2, nameEnd);
    check(/^[ -~]+$/.test(name) && !fields.has(name) && (type === 1 || type === 2), `field ${i}`);
    fields.set(name, {type, value: type === 1 ? file.readBigInt64LE(nameEnd) : file.readDoubleLE(nameEnd)});
    at = nameEnd + 8;
  }
  check(at + D === H - 4, 'fields and description do not fill the header');
  const description = readDescription(file.subarray(at, H - 4));

  const P = long(32), L = long(40), pages = ceil(L, 65536);
  check(P === 4096 * ceil(H, 4096), 'payload offset');
  check(L === 8 * wordCounts.reduce((a, b) => a + b, 0), 'payload length');
  check(long(56) === P + L + 4 * pages, 'frame length');
  check(file.length === long(56), `the file has ${file.length} bytes, the frame ${long(56)}`);
  zeros(H, P);
  for (let page = 0; page < pages; page++) {
    const from = P + 65536 * page, to = Math.min(from + 65536, P + L);
    check(file.readUInt32LE(P + L + 4 * page) === crc32c(file.subarray(from, to)), `page ${page} is damaged`);
  }
  return {kind: file.readUInt16LE(10), hash, seed: file.readBigUInt64LE(24), fields: new Fields(fields),
    description, sections: new Sections(file.subarray(P, P + L), wordCounts)};
}
