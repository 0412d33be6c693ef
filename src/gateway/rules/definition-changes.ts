import { jsonPointer } from '../../http/requests/json-pointer';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { withVisibleCharacters } from './definition-findings';

/** A place where two definitions differ. */
export interface DefinitionChange {
  /** RFC 6901. */
  readonly pointer: string;
  /** Absent: it was not there. */
  readonly before?: unknown;
  /** Absent: it is not there any more. */
  readonly after?: unknown;
  /** A text has the lines that differ, and some around them; null: it is not a text. */
  readonly lines: string[] | null;
}

/** Lines around those that differ. */
const CONTEXT = 2;
/** Products of line counts up to this are compared line by line: a text of 500 lines with another one. */
const MAX_COMPARED = 250_000;

/** @returns where two definitions differ, in the order of the later one, what is gone after that */
export function definitionChanges(before: JsonObject, after: JsonObject): DefinitionChange[] {
  const changes: DefinitionChange[] = [];
  const compare = (former: unknown, latter: unknown, pointer: string): void => {
    if (Object.is(former, latter)) return;
    if (isObject(former) && isObject(latter)) {
      for (const name of Object.keys(latter)) compareMember(former, latter, name, pointer);
      for (const name of Object.keys(former))
        if (!Object.hasOwn(latter, name)) compareMember(former, latter, name, pointer);
    } else if (Array.isArray(former) && Array.isArray(latter)) {
      const [formerItems, latterItems] = [{ ...(former as unknown[]) }, { ...(latter as unknown[]) }];
      for (let index = 0; index < Math.max(former.length, latter.length); index++)
        compareMember(formerItems, latterItems, String(index), pointer);
    } else changes.push({ pointer, before: former, after: latter, lines: linesOf(former, latter) });
  };
  const compareMember = (former: JsonObject, latter: JsonObject, name: string, pointer: string): void => {
    const at = `${pointer}${jsonPointer([name])}`;
    if (!Object.hasOwn(former, name))
      changes.push({ pointer: at, after: latter[name], lines: linesOf('', latter[name]) });
    else if (!Object.hasOwn(latter, name))
      changes.push({ pointer: at, before: former[name], lines: linesOf(former[name], '') });
    else compare(former[name], latter[name], at);
  };
  compare(before, after, '');
  return changes;
}

function linesOf(former: unknown, latter: unknown): string[] | null {
  return typeof former === 'string' && typeof latter === 'string' ? lineChanges(former, latter) : null;
}

/** @returns the lines that differ, and those around them; with `-`, `+` or a space in front */
export function lineChanges(before: string, after: string): string[] {
  const former = split(before);
  const latter = split(after);
  const all = former.length * latter.length > MAX_COMPARED ? replaced(former, latter) : merged(former, latter);
  const changed = all.flatMap((line, index) => (line.startsWith(' ') ? [] : [index]));
  const isNear = new Set(
    changed.flatMap((index) => Array.from({ length: 2 * CONTEXT + 1 }, (_, step) => index + step - CONTEXT)),
  );
  return all.filter((_, index) => isNear.has(index)).map((line) => line[0] + withVisibleCharacters(line.slice(1)));
}

function split(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function replaced(former: readonly string[], latter: readonly string[]): string[] {
  return [...former.map((line) => `-${line}`), ...latter.map((line) => `+${line}`)];
}

/** By a longest common subsequence. */
function merged(former: readonly string[], latter: readonly string[]): string[] {
  const width = latter.length + 1;
  /** The length of the longest one of what begins at these two lines. */
  const longest = new Uint32Array((former.length + 1) * width);
  for (let one = former.length - 1; one >= 0; one--)
    for (let other = latter.length - 1; other >= 0; other--)
      longest[one * width + other] =
        former[one] === latter[other]
          ? at(longest, (one + 1) * width + other + 1) + 1
          : Math.max(at(longest, (one + 1) * width + other), at(longest, one * width + other + 1));
  const lines: string[] = [];
  let [one, other] = [0, 0];
  while (one < former.length || other < latter.length) {
    if (one < former.length && other < latter.length && former[one] === latter[other]) {
      lines.push(` ${former[one]}`);
      one++;
      other++;
    } else if (
      other === latter.length ||
      (one < former.length && at(longest, (one + 1) * width + other) >= at(longest, one * width + other + 1))
    )
      lines.push(`-${former[one++]}`);
    else lines.push(`+${latter[other++]}`);
  }
  return lines;
}

function at(values: Uint32Array, index: number): number {
  return values[index] ?? 0;
}
