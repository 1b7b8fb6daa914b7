"""The hash functions of Bloomery's files in Python 3.8: XXH3-64 with a seed, and SipHash-2-4.

Written from the xxHash specification and the SipHash paper; slow, and needs nothing else. With the package xxhash,
xxh3(data, seed) is xxhash.xxh3_64_intdigest(data, seed)."""
import struct

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
ACCUMULATORS = [0xC2B2AE3D, P1, P2, P3, 0x85EBCA77C2B2AE63, 0x85EBCA77, 0x27D4EB2F165667C5, 0x9E3779B1]


def u32(b, at):
    return int.from_bytes(b[at:at + 4], "little")


def u64(b, at):
    return int.from_bytes(b[at:at + 8], "little")


def rotl(x, n):
    return (x << n | x >> (64 - n)) & M64


def fold(a, b):
    return a * b & M64 ^ a * b >> 64


def xxh3(d, seed):
    """XXH3_64bits_withSeed."""
    n, s = len(d), SECRET

    def mix(at, key):
        return fold(u64(d, at) ^ (u64(s, key) + seed & M64), u64(d, at + 8) ^ (u64(s, key + 8) - seed & M64))

    def avalanche(h):
        h = (h & M64 ^ (h & M64) >> 37) * 0x165667919E3779F9 & M64
        return h ^ h >> 32

    if n <= 3:
        h = (seed ^ u64(s, 56) ^ u64(s, 64) if n == 0 else
             (d[0] << 16 | d[n >> 1] << 24 | d[n - 1] | n << 8) ^ ((u32(s, 0) ^ u32(s, 4)) + seed & M64))
        h = (h ^ h >> 33) * P2 & M64
        h = (h ^ h >> 29) * P3 & M64
        return h ^ h >> 32
    if n <= 8:
        seed ^= int.from_bytes((seed & M32).to_bytes(4, "little"), "big") << 32
        h = (u32(d, n - 4) + (u32(d, 0) << 32)) ^ ((u64(s, 8) ^ u64(s, 16)) - seed & M64)
        h = (h ^ rotl(h, 49) ^ rotl(h, 24)) * 0x9FB21C651E98DF25 & M64
        h = (h ^ (h >> 35) + n) * 0x9FB21C651E98DF25 & M64
        return h ^ h >> 28
    if n <= 16:
        low = u64(d, 0) ^ ((u64(s, 24) ^ u64(s, 32)) + seed & M64)
        high = u64(d, n - 8) ^ ((u64(s, 40) ^ u64(s, 48)) - seed & M64)
        return avalanche(n + int.from_bytes(low.to_bytes(8, "little"), "big") + high + fold(low, high))
    if n <= 128:
        pairs = range((n - 1) // 32 + 1)
        return avalanche(n * P1 + sum(mix(16 * i, 32 * i) + mix(n - 16 * (i + 1), 32 * i + 16) for i in pairs))
    if n <= 240:
        h = avalanche(n * P1 + sum(mix(16 * i, 16 * i) for i in range(8)))
        return avalanche(h + sum(mix(16 * i, 16 * i - 125) for i in range(8, n // 16)) + mix(n - 16, 119))
    s = b"".join(struct.pack("<QQ", u64(s, i) + seed & M64, u64(s, i + 8) - seed & M64) for i in range(0, 192, 16))
    acc = list(ACCUMULATORS)

    def stripe(at, key):
        for i in range(8):
            word = u64(d, at + 8 * i)
            mixed = word ^ u64(s, key + 8 * i)
            acc[i ^ 1] = acc[i ^ 1] + word & M64
            acc[i] = acc[i] + (mixed & M32) * (mixed >> 32) & M64

    for number in range((n - 1) // 64):
        stripe(64 * number, 8 * (number % 16))
        if number % 16 == 15:
            acc[:] = [(a ^ a >> 47 ^ u64(s, 128 + 8 * i)) * 0x9E3779B1 & M64 for i, a in enumerate(acc)]
    stripe(n - 64, 121)
    return avalanche(n * P1 + sum(fold(acc[i] ^ u64(s, 11 + 8 * i), acc[i + 1] ^ u64(s, 19 + 8 * i)) for i in (0, 2, 4, 6)))


def siphash(d, key):
    """SipHash-2-4."""
    k0, k1 = u64(key, 0), u64(key, 8)
    a, b, c, e = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573
    padded = d + bytes(7 - len(d) % 8) + bytes([len(d) & 255])
    for word in [u64(padded, at) for at in range(0, len(padded), 8)] + [None]:
        e, c = (e ^ word, c) if word is not None else (e, c ^ 255)
        for _ in range(2 if word is not None else 4):
            a, c = a + b & M64, c + e & M64
            b, e, a = rotl(b, 13) ^ a, rotl(e, 16) ^ c, rotl(a, 32)
            c, a = c + b & M64, a + e & M64
            b, e, c = rotl(b, 17) ^ c, rotl(e, 21) ^ a, rotl(c, 32)
        a ^= word if word is not None else 0
    return a ^ b ^ c ^ e
