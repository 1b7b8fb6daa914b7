#!/usr/bin/env python3
"""Reads Bloomery's files and answers whether keys are in them. Python 3.8, nothing else needed.

    bloomread.py FILTER [KEY]  <keys  >answers
    bloomread.py --describe FILTER [KEY]  >names and values of the description

Keys are lines of standard input, without their ends. KEY, 32 hexadecimal digits, is the secret key of a
keyed filter. Every byte of the file is checked. Kinds: bloom, blocked, split-block, fuse, xor.
Written from format.md, hashing.md and format/frozen.md alone; the hash functions are in bloomhash.py, the folding of
case in bloomfold.py."""
import hashlib
import json
import struct
import sys

from bloomfold import form
from bloomhash import M32, M64, rotl, siphash, u32, u64, xxh3

SALTS = [0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D, 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31]


def crc32c_table():
    table = list(range(256))
    for _ in range(8):
        table = [x >> 1 ^ 0x82F63B78 * (x & 1) for x in table]
    return table


CRC = crc32c_table()


def crc32c(data):
    crc = M32
    for byte in data:
        crc = CRC[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ M32


def stream(h, i):
    """Output i of the mixing stream of h: hashing.md, section 3."""
    x = h + i * 0x9E3779B97F4A7C15 & M64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & M64
    return x ^ x >> 31


def slices(h, m, k):
    """The first k positions of index scheme 7."""
    bits, found, i = (m - 1).bit_length(), [], 0
    while len(found) < k:
        output = stream(h, i)
        fields = [output >> (64 - bits * (j + 1)) & (1 << bits) - 1 for j in range(64 // bits)]
        found += [field for field in fields if field < m]
        i += 1
    return found[:k]


class Filter:
    """A file of one filter. Fails with a ValueError that says what is wrong with it."""

    def __init__(self, path, key=None):
        with open(path, "rb") as file:
            data = file.read()
        if data[:8] != b"\x89BLM\r\n\x1a\n":
            raise ValueError("not a filter")
        self.version, self.kind, size, self.hash = struct.unpack_from("<HHIB", data, 8)
        if self.version not in (1, 2):
            raise ValueError("version %d" % self.version)
        if not 68 <= size <= min(len(data), 1 << 20) or crc32c(data[:size - 4]) != u32(data, size - 4):
            raise ValueError("the header is damaged")
        fields, sections, self.seed, start, length, page = struct.unpack_from("<HHQQQQ", data, 20)
        pages, page, described = -(-length // 65536), page & M32, page >> 32
        words = struct.unpack_from("<%dQ" % sections, data, 64)
        if (page, start, length) != (65536, -(-size // 4096) * 4096, 8 * sum(words)) or data[17:20] != bytes(3) \
                or not (described == 0 if self.version == 1 else 1 <= described <= 16384) \
                or not len(data) == u64(data, 56) == start + length + 4 * pages or any(data[size:start]):
            raise ValueError("the layout is not that of a frame")
        at, self.fields = 64 + 8 * sections, {}
        for _ in range(fields):
            kind, end = data[at], at + 2 + data[at + 1]
            self.fields[data[at + 2:end].decode("ascii")], = struct.unpack_from("<q" if kind == 1 else "<d", data, end)
            at = end + 8
        if at + described != size - 4:
            raise ValueError("fields and description do not fill the header")
        self.description = self.facts(data[at:size - 4])
        self.stored = form(self.description)
        for i in range(pages):
            if crc32c(data[start + 65536 * i:min(start + 65536 * (i + 1), start + length)]) != u32(data, start + length + 4 * i):
                raise ValueError("page %d is damaged" % i)
        self.payload, self.key = data[start:start + length], key
        self.find = {1: self.bloom, 2: self.blocked, 3: self.split_block, 40: self.fuse, 41: self.xor}.get(self.kind)
        if self.find is None or self.hash not in (1, 2, 4):
            raise ValueError("kind %d with hash %d is not read here" % (self.kind, self.hash))
        if self.hash != 1 and (key is None or self.key_check(key) != self.seed):
            raise ValueError("the filter needs its secret key")
        self.patterns = {}

    def key_check(self, key):
        if self.hash == 2:
            return siphash(b"bloomery key check", key)
        return u64(hashlib.sha256(b"bloomery separate key check" + key).digest(), 0)

    @staticmethod
    def facts(data):
        """What the file says of its keys and of itself, unknown names too."""
        at, facts = 0, {}
        while at < len(data):
            kind, end = data[at], at + 2 + data[at + 1]
            name = data[at + 2:end].decode("ascii")
            if kind not in (1, 2, 3) or name in facts or not name or not name.isprintable():
                raise ValueError("the description is not sound")
            if kind == 3:
                at = end + 2 + struct.unpack_from("<H", data, end)[0]
                facts[name] = data[end + 2:at].decode("utf-8")
                if not 1 <= at - end - 2 <= 1024:
                    raise ValueError("the description is not sound")
            else:
                facts[name], = struct.unpack_from("<q" if kind == 1 else "<d", data, end)
                at = end + 8
        types = {"key type": str, "column": str, "expected keys": int, "promised rate": float, "created": int, "tool": str}
        if at != len(data) or any(not isinstance(facts[name], types[name]) for name in facts if name in types) \
                or facts.get("expected keys", 0) < 0 or not 0 < facts.get("promised rate", 1) <= 1 \
                or not 0 <= facts.get("created", 0) <= 253402300799:
            raise ValueError("the description is not sound")
        return facts

    def might_contain(self, key):
        """False: certainly absent. True: probably present. A text is its UTF-8 bytes."""
        key = key.encode("utf-8") if isinstance(key, str) else bytes(key)
        return self.find(xxh3(key, self.seed) if self.hash == 1 else siphash(key, self.key))

    def bit(self, i):
        return self.payload[i >> 3] >> (i & 7) & 1

    def bloom(self, h):
        m, k, scheme = self.fields["bits"], self.fields["probes"], self.fields["scheme"]
        b = stream(h, 1) % m
        b = b | 1 if m % 2 == 0 else b or 1
        position = {
            1: lambda i: stream(h, i) % m,
            2: lambda i: (h + i * b) % m,
            3: lambda i: (h + i * stream(h, 1) + (i ** 3 - i) // 6) % m,
            4: lambda i: (h + i * stream(h, 1) + i * (i - 1) // 2 * stream(h, 2)) % m,
            5: lambda i: i * (m // k) + stream(h, i) % (m // k),
            6: lambda i: (h + i * stream(h, 1) + i * i) % m,
            7: lambda i: slices(h, m, i + 1)[i],
            8: lambda i: ((h * pow(0xD1342543DE82EF95, i + 1, 1 << 64) & M64) >> 22) * m >> 42,
            9: lambda i: siphash(struct.pack("<Q", i), struct.pack("<QQ", h, 0)) % m}[scheme]
        return all(self.bit(position(i)) for i in range(k))

    def pattern(self, bits, number):
        if (bits, number) not in self.patterns:
            mask, t = 0, 0
            while bin(mask).count("1") < bits:
                mask |= 1 << (stream((bits << 32) + (number << 8), t) >> 58)
                t += 1
            self.patterns[bits, number] = mask
        return self.patterns[bits, number]

    def blocked(self, h):
        per_block, per_key = self.fields["block bits"] // 64, self.fields["words per key"]
        pattern = self.pattern(self.fields["probes"] // per_key, h % 1024)
        first = (h >> 1) * self.fields["blocks"] * per_block >> 63
        x = h * 0xE220A8397B1DCDAF & M64
        for j in range(per_key):
            choice = h >> (9 if per_key == 2 else 7 + j)
            word = first ^ (j | choice & (per_block - per_key)) if j else first
            mask = rotl(pattern, ((h if j < 4 else x) >> (13 + 6 * j)) % 64)
            if u64(self.payload, 8 * word) & mask != mask:
                return False
        return True

    def split_block(self, h):
        block = (h >> 32) * self.fields["blocks"] >> 32
        return all(self.bit(256 * block + 32 * i + ((h & M32) * salt & M32) // (1 << 27)) for i, salt in enumerate(SALTS))

    def cells(self, h, positions):
        w = self.fields["fingerprint bits"]
        m = (h ^ self.fields["seed"] & M64) * 0xD6E8FEB86659FD93 & M64
        found = m
        for i in positions(m, m ^ m >> 32):
            found ^= int.from_bytes(self.payload[i * w >> 3:(i * w >> 3) + 5], "little") >> (i * w & 7)
        return self.fields["keys"] != 0 and found & (1 << w) - 1 == 0

    def fuse(self, h):
        s = self.fields["segment length"]

        def positions(m, f):
            a = (m >> 32) * self.fields["starts"] * s >> 32
            yield from (a, a + s ^ (f >> 18) % s, a + 2 * s ^ f % s)
            if self.fields["arity"] == 4:
                yield a + 3 * s ^ ((f * 0x9E3779B97F4A7C15 & M64) >> 46) % s

        return self.cells(h, positions)

    def xor(self, h):
        p = self.fields["part length"]
        return self.cells(h, lambda m, f: [i * p + ((rotl(f, 21 * i) >> 32 if i else f >> 32) * p >> 32) for i in range(3)])


def main(arguments):
    describing = arguments[:1] == ["--describe"]
    arguments = arguments[describing:]
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith("-"):
        sys.exit(__doc__)
    try:
        found = Filter(arguments[0], bytes.fromhex(arguments[1]) if len(arguments) > 1 else None)
    except (OSError, ValueError, struct.error, IndexError) as problem:
        sys.exit("%s: %s" % (arguments[0], problem))
    if describing:
        for name, value in found.description.items():
            print("%s\t%s" % (name, json.dumps(value)))
        return
    for line in sys.stdin.buffer:
        key = line.rstrip(b"\n")
        answer = b"probably present" if found.might_contain(found.stored(key)) else b"certainly absent"
        sys.stdout.buffer.write(answer + b"\t" + key + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
