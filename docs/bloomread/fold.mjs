/* Brings keys into the form that a filter stores, as its description says: format.md, and hashing.md, "Folding case". */
import {readFileSync} from 'node:fs';
import {check} from './numbers.mjs';

const FOLDED = 'folded, Unicode 16.0';

/** The code points that have a folding, and what they become. */
function foldings() {
  const table = new Map(), hex = text => parseInt(text, 16);
  for (const word of readFileSync(new URL('../case-folding.txt', import.meta.url), 'ascii').trim().split(/\s+/)) {
    const [, first, last, step, folded] = /^(\w+)(?:-(\w+))?(?:\/(\d))?:(\w+)$/.exec(word);
    for (let point = hex(first); point <= hex(last ?? first); point += Number(step ?? 1)) {
      table.set(point, point - hex(first) + hex(folded));
    }
  }
  return table;
}

/** The text of the well-formed sequence that begins at a place; null if none does. */
function character(bytes, at) {
  const first = bytes[at], size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (size === 0 || at + size > bytes.length) return null;
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes.subarray(at, at + size));
  } catch {
    return null;
  }
}

function fold(bytes, table) {
  const parts = [];
  for (let at = 0; at < bytes.length;) {
    const text = character(bytes, at), point = text === null ? null : text.codePointAt(0);
    const size = text === null ? 1 : Buffer.byteLength(text);
    parts.push(table.has(point) ? Buffer.from(String.fromCodePoint(table.get(point))) : bytes.subarray(at, at + size));
    at += size;
  }
  return Buffer.concat(parts);
}

const isBlank = byte => byte === 32 || byte >= 9 && byte <= 13;

function trim(bytes) {
  let from = 0, to = bytes.length;
  while (from < to && isBlank(bytes[from])) from++;
  while (to > from && isBlank(bytes[to - 1])) to--;
  return bytes.subarray(from, to);
}

/** A function from a key's bytes to those that the filter stores. */
export function form(description) {
  const trimmed = description.get('blanks') === 'trimmed', said = description.get('case');
  check(said === undefined || said === FOLDED, `the case of its keys is ${JSON.stringify(said)}, which is not known here`);
  const table = said === undefined ? null : foldings();
  return key => {
    const kept = trimmed ? trim(key) : key;
    return table === null ? kept : fold(kept, table);
  };
}
