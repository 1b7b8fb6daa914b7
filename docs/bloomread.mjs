#!/usr/bin/env node
/* Reads Bloomery's files of every kind and answers what they say of keys. Node 18, nothing else needed.
 *
 *     node bloomread.mjs [--numbers] [--secret FILE] [--now MILLISECONDS] FILE [KEY…]
 *     node bloomread.mjs --describe FILE
 *     node bloomread.mjs --batch <requests >answers
 *
 * Prints for each KEY its answer, with its count, value or sets where the kind has them, a tab and the key. Without
 * KEY the file is only checked, every byte and every rule. --numbers: keys are 64-bit numbers. --secret: the key or
 * secret of a keyed filter, 32 or 64 hexadecimal digits or half as many bytes. --describe: names and values of the
 * description, texts quoted as in JSON. Exit codes are those of `bloom check`: 0 all keys are probably
 * present, 1 some are absent, 2 error. Batch: see batch(), the last function.
 *
 * Written from format.md, format/*.md and hashing.md alone. Names and formulas are those of the pages. */
import {readFileSync} from 'node:fs';
import {KINDS as DELETABLE} from './bloomread/deletable.mjs';
import {form} from './bloomread/fold.mjs';
import {readFrame} from './bloomread/frame.mjs';
import {KINDS as FREQUENCY} from './bloomread/frequency.mjs';
import {KINDS as FROZEN} from './bloomread/frozen.mjs';
import {KINDS as GROWING} from './bloomread/growing.mjs';
import {siphash, u64, xxh3} from './bloomread/hash.mjs';
import {KINDS as LOOKUP} from './bloomread/lookup.mjs';
import {KINDS as MEMBERSHIP} from './bloomread/membership.mjs';
import {Refused, check} from './bloomread/numbers.mjs';
import {KINDS as RANGE} from './bloomread/range.mjs';
import {derivedKey, keyCheck, KINDS as SECURE} from './bloomread/secure.mjs';
import {KINDS as SIMILARITY} from './bloomread/similarity.mjs';
import {KINDS as SYNC} from './bloomread/sync.mjs';
import {KINDS as WEIGHTED} from './bloomread/weighted.mjs';
import {KINDS as WINDOW} from './bloomread/window.mjs';

const KINDS = {...MEMBERSHIP, ...DELETABLE, ...GROWING, ...FREQUENCY, ...WINDOW, ...FROZEN, ...LOOKUP, ...WEIGHTED,
  ...SIMILARITY, ...SECURE, ...SYNC, ...RANGE};

/** Opens a file; returns the kind's number and a function from a key's bytes to its answer. */
function open(path, {secret = null, now = BigInt(Date.now()), cache = null} = {}) {
  const {kind, hash, seed, fields, sections, description} = readFrame(readFileSync(path));
  const stored = form(description);
  check(KINDS[kind], `kind ${kind} is not known`);
  check((hash === 0) === [8, 47, 63, 67, 77].includes(kind) && (hash !== 0 || seed === 0n), `hash ${hash} in kind ${kind}`);
  const keyed = hash >= 2 && hash <= 5;
  check(!keyed || secret, 'the filter is keyed, and no secret key was given');
  const sipKey = hash === 3 || hash === 5 ? derivedKey(secret, fields) : secret;
  check(!keyed || sipKey.length === 16 && keyCheck(sipKey, hash) === seed,
      'the secret key is another');
  const hashOf = key => hash === 0 ? key.length === 8 ? key.readBigUInt64LE(0) : null
      : hash === 1 ? xxh3(key, seed) : siphash(key, sipKey);
  const answerOf = KINDS[kind](fields, sections, now, hashOf);
  check(fields.rest.size === 0, `unknown fields: ${[...fields.rest]}`);
  check(sections.used === sections.list.length, 'unknown sections');
  return {kind, answer: given => {
    const key = stored(given);
    const id = cache && `${hash} ${keyed ? sipKey.toString('hex') : seed} ${key.toString('latin1')}`;
    if (cache && !cache.has(id)) cache.set(id, hashOf(key));
    const answer = answerOf(cache ? cache.get(id) : hashOf(key), key);
    return typeof answer === 'boolean' ? {present: answer} : answer;
  }};
}

function readSecret(path) {
  const bytes = readFileSync(path), text = bytes.toString('latin1').trim();
  if (/^([0-9a-fA-F]{32}){1,2}$/.test(text)) return Buffer.from(text, 'hex');
  check(bytes.length === 16 || bytes.length === 32, 'a secret key is 32 or 64 hexadecimal digits, or half as many bytes');
  return bytes;
}

/** What an answer says besides present or absent, as one word; empty if that is all. */
function detail({present, count, value, sets, weight, found: places}) {
  const [name, found] = Object.entries({count, value, sets, weight, found: places}).find(([, x]) => x !== undefined) ?? [];
  return present && name ? `${name}=${found}` : '';
}

/** Requests are lines: `keys HEX HEX …` (each preceded by `-`), `secret HEX`, `now MS`, and `file PATH`, answered by
 * a line: `ok`, then for each key `+` or `-`, and its detail; or `error` and the reason. */
function batch(requests) {
  const cache = new Map(), options = {cache};
  let keys = [];
  for (const line of requests.split('\n')) {
    const [word, ...rest] = line.split(' '), text = rest.join(' ');
    if (word === 'keys') keys = rest.map(key => Buffer.from(key.slice(1), 'hex'));
    if (word === 'secret') options.secret = Buffer.from(text, 'hex');
    if (word === 'now') options.now = BigInt(text);
    if (word !== 'file') continue;
    try {
      const filter = open(text, options);
      console.log(['ok', ...keys.map(key => {
        const answer = filter.answer(key);
        return (answer.present ? '+' : '-') + detail(answer);
      })].join(' '));
    } catch (e) {
      if (!(e instanceof Refused)) throw e;
      console.log(`error ${e.message}`);
    }
  }
}

function describe(path) {
  for (const [name, value] of readFrame(readFileSync(path)).description) {
    console.log(`${name}\t${typeof value === 'string' ? JSON.stringify(value) : value}`);
  }
}

function main(args) {
  const options = {}, rest = [];
  const usage = 'usage: bloomread.mjs [--numbers] [--secret FILE] [--now MILLISECONDS] FILE [KEY…]';
  const number = text => {
    check(/^-?[0-9]+$|^0x[0-9a-fA-F]+$/.test(text), `'${text}' is not a number`);
    return BigInt(text);
  };
  let numbers = false;
  while (args.length > 0) {
    const arg = args.shift();
    if (arg === '--batch') return batch(readFileSync(0, 'utf8'));
    if (arg === '--describe') return describe(args[0] ?? '');
    if (arg === '--numbers') numbers = true;
    else if (arg === '--secret') options.secret = readSecret(args.shift() ?? '');
    else if (arg === '--now') options.now = number(args.shift());
    else if (arg === '--') rest.push(...args.splice(0));
    else rest.push(arg);
  }
  check(rest.length > 0, usage);
  const [path, ...keys] = rest, filter = open(path, options);
  for (const key of keys) {
    const bytes = numbers ? Buffer.alloc(8) : Buffer.from(key);
    if (numbers) bytes.writeBigUInt64LE(u64(number(key)));
    const answer = filter.answer(bytes), said = [answer.present ? 'probably present' : 'certainly absent'];
    if (detail(answer)) said.push(detail(answer));
    if (answer.label !== undefined) said.push(answer.label);
    if (!answer.present) process.exitCode = 1;
    console.log(`${said.join(', ')}\t${key}`);
  }
}

try {
  main(process.argv.slice(2));
} catch (e) {
  console.error(`bloomread: ${e instanceof Refused || e.code ? e.message : e.stack}`);
  process.exitCode = 2;
}
