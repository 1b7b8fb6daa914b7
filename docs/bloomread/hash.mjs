/* The functions that Bloomery's files are built on, in plain JavaScript (Node 18): XXH3-64 with a seed, SipHash-2-4,
 * CRC32C and the mixing stream. Hashes are BigInts of 64 bits. Written from hashing.md, the xxHash specification and
 * the SipHash paper; simple rather than fast. */

const u64 = x => BigInt.asUintN(64, x);
const M32 = 0xFFFFFFFFn;
export const GOLDEN = 0x9E3779B97F4A7C15n;

export { u64 };
export const rotl = (x, n) => u64(x << BigInt(n)) | x >> BigInt(64 - n);
/** The upper half of the 128-bit product. */
export const high = (a, b) => a * b >> 64n;

export function mix(x) {
  x = u64((x ^ x >> 30n) * 0xBF58476D1CE4E5B9n);
  x = u64((x ^ x >> 27n) * 0x94D049BB133111EBn);
  return x ^ x >> 31n;
}

/** Output i of the mixing stream of h; i may be negative. */
export const stream = (h, i) => mix(u64(h + BigInt(i) * GOLDEN));

const CRC_TABLE = Uint32Array.from({length: 256}, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte >>> 1 ^ (byte & 1 ? 0x82F63B78 : 0);
  return byte;
});

export function crc32c(bytes) {
  let crc = ~0;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255] ^ crc >>> 8;
  return ~crc >>> 0;
}

const SECRET = Buffer.from(
    'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221'
    + 'b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8'
    + 'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb'
    + '170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e', 'hex');
const PRIME32 = [0x9E3779B1n, 0x85EBCA77n, 0xC2B2AE3Dn];
const PRIME64 = [0x9E3779B185EBCA87n, 0xC2B2AE3D27D4EB4Fn, 0x165667B19E3779F9n, 0x85EBCA77C2B2AE63n,
  0x27D4EB2F165667C5n];
const MIX1 = 0x165667919E3779F9n;
const MIX2 = 0x9FB21C651E98DF25n;

const fold = (a, b) => u64(a * b) ^ a * b >> 64n;
const swap64 = x => { const b = Buffer.alloc(8); b.writeBigUInt64LE(x); return b.readBigUInt64BE(); };
const avalanche = x => { x = u64((x ^ x >> 37n) * MIX1); return x ^ x >> 32n; };

/** XXH3_64bits_withSeed of a Buffer. */
export function xxh3(data, seed) {
  const n = data.length, length = BigInt(n);
  const input = at => data.readBigUInt64LE(at);
  const secret = at => SECRET.readBigUInt64LE(at);
  const pair = (at, key) => fold(input(at) ^ u64(secret(key) + seed), input(at + 8) ^ u64(secret(key + 8) - seed));
  if (n <= 3) {
    let h = n === 0 ? seed ^ secret(56) ^ secret(64)
        : BigInt((data[0] << 16 | data[n >> 1] << 24 | n << 8 | data[n - 1]) >>> 0)
          ^ u64(BigInt((SECRET.readUInt32LE(0) ^ SECRET.readUInt32LE(4)) >>> 0) + seed);
    h = u64((h ^ h >> 33n) * PRIME64[1]);
    h = u64((h ^ h >> 29n) * PRIME64[2]);
    return h ^ h >> 32n;
  }
  if (n <= 8) {
    const keyed = u64((secret(8) ^ secret(16)) - (seed ^ swap64(seed & M32) & ~M32));
    let h = (BigInt(data.readUInt32LE(n - 4)) | BigInt(data.readUInt32LE(0)) << 32n) ^ keyed;
    h = u64((h ^ rotl(h, 49) ^ rotl(h, 24)) * MIX2);
    h = u64((h ^ (h >> 35n) + length) * MIX2);
    return h ^ h >> 28n;
  }
  if (n <= 16) {
    const low = input(0) ^ u64((secret(24) ^ secret(32)) + seed);
    const last = input(n - 8) ^ u64((secret(40) ^ secret(48)) - seed);
    return avalanche(u64(length + swap64(low) + last + fold(low, last)));
  }
  let sum = length * PRIME64[0];
  if (n <= 128) {
    for (let i = (n - 1) >> 5; i >= 0; i--) sum += pair(16 * i, 32 * i) + pair(n - 16 * (i + 1), 32 * i + 16);
    return avalanche(u64(sum));
  }
  if (n <= 240) {
    for (let i = 0; i < 8; i++) sum += pair(16 * i, 16 * i);
    sum = avalanche(u64(sum));
    for (let i = 8; i < n >> 4; i++) sum += pair(16 * i, 16 * (i - 8) + 3);
    return avalanche(u64(sum + pair(n - 16, 119)));
  }
  return xxh3Long(data, seed);
}

function xxh3Long(data, seed) {
  const secret = Buffer.alloc(192);
  for (let at = 0; at < 192; at += 16) {
    secret.writeBigUInt64LE(u64(SECRET.readBigUInt64LE(at) + seed), at);
    secret.writeBigUInt64LE(u64(SECRET.readBigUInt64LE(at + 8) - seed), at + 8);
  }
  let acc = [PRIME32[2], PRIME64[0], PRIME64[1], PRIME64[2], PRIME64[3], PRIME32[1], PRIME64[4], PRIME32[0]];
  const stripe = (at, key) => {
    for (let lane = 0; lane < 8; lane++) {
      const word = data.readBigUInt64LE(at + 8 * lane), keyed = word ^ secret.readBigUInt64LE(key + 8 * lane);
      acc[lane ^ 1] = u64(acc[lane ^ 1] + word);
      acc[lane] = u64(acc[lane] + (keyed & M32) * (keyed >> 32n));
    }
  };
  const stripes = Math.floor((data.length - 1) / 64);
  for (let i = 0; i < stripes; i++) {
    stripe(64 * i, 8 * (i % 16));
    if (i % 16 === 15) {
      acc = acc.map((x, lane) => u64((x ^ x >> 47n ^ secret.readBigUInt64LE(128 + 8 * lane)) * PRIME32[0]));
    }
  }
  stripe(data.length - 64, 121);
  let sum = BigInt(data.length) * PRIME64[0];
  for (let i = 0; i < 8; i += 2) {
    sum += fold(acc[i] ^ secret.readBigUInt64LE(11 + 8 * i), acc[i + 1] ^ secret.readBigUInt64LE(19 + 8 * i));
  }
  return avalanche(u64(sum));
}

/** SipHash-2-4 of a Buffer under a key of 16 bytes. */
export function siphash(data, key) {
  const k0 = key.readBigUInt64LE(0), k1 = key.readBigUInt64LE(8);
  let a = k0 ^ 0x736F6D6570736575n, b = k1 ^ 0x646F72616E646F6Dn;
  let c = k0 ^ 0x6C7967656E657261n, d = k1 ^ 0x7465646279746573n;
  const round = () => {
    a = u64(a + b); c = u64(c + d);
    b = rotl(b, 13) ^ a; d = rotl(d, 16) ^ c; a = rotl(a, 32);
    c = u64(c + b); a = u64(a + d);
    b = rotl(b, 17) ^ c; d = rotl(d, 21) ^ a; c = rotl(c, 32);
  };
  const padded = Buffer.alloc(8 * (Math.floor(data.length / 8) + 1));
  data.copy(padded);
  padded[padded.length - 1] = data.length & 255;
  for (let at = 0; at < padded.length; at += 8) {
    const word = padded.readBigUInt64LE(at);
    d ^= word;
    round(); round();
    a ^= word;
  }
  c ^= 255n;
  round(); round(); round(); round();
  return a ^ b ^ c ^ d;
}
