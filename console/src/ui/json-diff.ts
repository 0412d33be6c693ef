import { isObject } from '../../../src/http/requests/json-object';
import { visibleJson } from './visible-json';

/** A difference between two documents, at one place. */
export interface Difference {
  /** Where: `packages[0].version`. */
  path: string;
  kind: 'added' | 'removed' | 'changed';
  /** As JSON; undefined for what was not there. */
  before: string | undefined;
  after: string | undefined;
}

/** Longer lists are not compared item by item in every way: each of the shorter with each of the longer. */
const MAX_MATCHED = 200;
const MAX_DEPTH = 40;
/** Fields by which items of a list are the same thing in two versions. */
const IDENTITIES = ['identifier', 'name', 'url', 'src', 'valueHint', 'value'];

/**
 * Compares two documents of JSON.
 *
 * Items of lists are compared with the item of the same name or address, wherever it is: one added package does not make
 * all others look changed.
 *
 * @returns the differences in the order of the newer document, those that are gone at the end of where they were
 */
export function differences(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  compare(before, after, '', found, 0);
  return found;
}

function compare(before: unknown, after: unknown, path: string, found: Difference[], depth: number): void {
  if (depth < MAX_DEPTH && Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, path, found, depth + 1);
  } else if (depth < MAX_DEPTH && isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(after), ...Object.keys(before)])) {
      compare(own(before, key), own(after, key), member(path, key), found, depth + 1);
    }
  } else {
    const [old, now] = [visibleJson(before), visibleJson(after)];
    if (old === now) return;
    found.push({
      path,
      kind: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed',
      before: old,
      after: now,
    });
  }
}

function compareLists(before: unknown[], after: unknown[], path: string, found: Difference[], depth: number): void {
  const partners = partnersOf(before, after);
  const kept = partners.filter((partner) => partner !== undefined);
  if (kept.some((partner, index) => index > 0 && partner < (kept[index - 1] ?? 0))) {
    // The order of arguments has a meaning.
    found.push({ path, kind: 'changed', before: visibleJson(before), after: visibleJson(after) });
    return;
  }
  const matched = new Set(partners);
  after.forEach((item, index) => {
    const partner = partners[index];
    compare(partner === undefined ? undefined : before[partner], item, `${path}[${index}]`, found, depth);
  });
  before.forEach((item, index) => {
    if (!matched.has(index)) compare(item, undefined, `${path}[${index}]`, found, depth);
  });
}

/** @returns for each item after, the index of the item before that it is compared with */
function partnersOf(before: unknown[], after: unknown[]): (number | undefined)[] {
  const length = Math.max(before.length, after.length);
  if (length > MAX_MATCHED) return after.map((_, index) => (index < before.length ? index : undefined));
  const free = new Set(before.keys());
  const partners: (number | undefined)[] = after.map(() => undefined);
  const match = (isSame: (old: unknown, now: unknown, oldIndex: number, index: number) => boolean) => {
    after.forEach((now, index) => {
      if (partners[index] !== undefined) return;
      const partner = [...free].find((oldIndex) => isSame(before[oldIndex], now, oldIndex, index));
      if (partner === undefined) return;
      free.delete(partner);
      partners[index] = partner;
    });
  };
  const written = { before: before.map(visibleJson), after: after.map(visibleJson) };
  const names = { before: before.map(identityOf), after: after.map(identityOf) };
  match((_old, _now, oldIndex, index) => written.before[oldIndex] === written.after[index]);
  match((_old, _now, oldIndex, index) => {
    const name = names.after[index];
    return name !== undefined && names.before[oldIndex] === name;
  });
  // What is left is compared at the same place if it is of the same kind, such as an image whose name has its version.
  match((old, now, oldIndex, index) => oldIndex === index && kindOf(old) === kindOf(now));
  return partners;
}

function identityOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  const field = IDENTITIES.find((name) => typeof own(item, name) === 'string');
  return field === undefined ? undefined : `${field}=${String(item[field])}`;
}

/** What of a list is worth comparing with another item: values, or packages and remotes of one type. */
function kindOf(item: unknown): string {
  if (!isObject(item)) return Array.isArray(item) ? 'list' : 'value';
  return `${String(own(item, 'registryType'))} ${String(own(item, 'type'))}`;
}

function member(path: string, key: string): string {
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
