import { createHash } from 'node:crypto';

/** Between the alias of the entry and the name of its tool. */
const SEPARATOR = '__';
/** RFC 4648, section 6, in lower case: 35 bits in 7 characters. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const TAIL_LENGTH = 7;

/** How long names may be (`name_budget`): clients put a prefix of their own before them. */
export const NAME_BUDGET = { least: 24, most: 64, fallback: 48 } as const;

/** The longest alias of an entry. */
export const MAX_ALIAS_LENGTH = 16;

/**
 * The name under which a bundle offers a tool or a prompt: `{alias}__{name}`, in the characters that every client
 * accepts. It depends on nothing but the entry, so it stays whatever happens to other entries.
 *
 * Where characters were replaced or cut, a digest of the entry and of the name follows: two names of one server never
 * become the same.
 *
 * @param entryId of the entry, as it is stored
 * @param alias 1–16 characters of `[a-z0-9-]`, unique in the bundle
 * @param name as the upstream has it
 * @param budget how long it may be, in characters
 * @returns 1 to `budget` characters of `[A-Za-z0-9_-]`
 */
export function exposedName(entryId: string, alias: string, name: string, budget: number): string {
  const replaced = name.replace(/[^A-Za-z0-9_-]/g, '_');
  const whole = `${alias}${SEPARATOR}${replaced}`;
  if (replaced === name && name !== '' && whole.length <= budget) return whole;
  const tail = `_${digestTail(`${entryId}\n${name}`)}`;
  return `${whole.slice(0, budget - tail.length)}${tail}`;
}

/**
 * The alias of an entry, made from its key.
 *
 * @param key of the entry: `[a-z0-9-]`
 * @param taken the aliases of the other entries of the bundle
 */
export function entryAlias(key: string, taken: ReadonlySet<string>): string {
  const base =
    cut(key.replace(/-(?:mcp|server)(?=-|$)/g, ''), MAX_ALIAS_LENGTH) || cut(key, MAX_ALIAS_LENGTH) || 'server';
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) {
    const ending = `-${number}`;
    const alias = `${cut(base, MAX_ALIAS_LENGTH - ending.length)}${ending}`;
    if (!taken.has(alias)) return alias;
  }
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/^-+|-+$/g, '');
}

function digestTail(text: string): string {
  const digest = createHash('sha256').update(text).digest();
  return Array.from({ length: TAIL_LENGTH }, (_, index) => {
    const bit = index * 5;
    const pair = digest.readUInt16BE(bit >> 3);
    return ALPHABET[(pair >> (11 - (bit & 7))) & 31] ?? '';
  }).join('');
}
