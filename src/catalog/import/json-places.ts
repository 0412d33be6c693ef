import { jsonPointer } from '../../http/requests/json-pointer';
/** A part of a JSON text. */
export interface JsonPlace {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  /** Where it begins and ends in the text. A member of an object begins with its name. */
  from: number;
  to: number;
}

export interface JsonPlaces {
  /** By the pointer that was asked for; one that leads nowhere has the place of what is nearest to it. */
  places: ReadonlyMap<string, JsonPlace>;
  /** Where the text stops being JSON; undefined if it is JSON. */
  brokenAt: JsonPlace | undefined;
}

/** An object or a list that is being read. */
interface Container {
  isList: boolean;
  /** Undefined if no pointer leads into it. */
  pointer: string | undefined;
  index: number;
  /** What of an object comes next. */
  key: string | undefined;
  from: number;
  own: string | undefined;
  begin: number;
}

const TOKEN =
  // eslint-disable-next-line no-control-regex -- a text of JSON must not have them
  /[ \t\n\r]*(?:([{}[\]:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?))/y;

/**
 * Finds where JSON pointers (RFC 6901) lead in a text. It takes no stack, however deep the text is, and time in proportion to
 * its length.
 *
 * @param text JSON, or what a person is typing
 * @param pointers such as `/packages/0/identifier`; the empty one is the whole
 */
export function jsonPlaces(text: string, pointers: readonly string[]): JsonPlaces {
  const wanted = new Set(pointers.flatMap(prefixesOf));
  const spans = new Map<string, [number, number]>();
  const brokenAt = walk(text, wanted, (pointer, from, to) => spans.set(pointer, [from, to]));
  const lines = lineStarts(text);
  const placeOf = ([from, to]: readonly [number, number]): JsonPlace => {
    const line = lineAt(lines, from);
    return { line: line + 1, column: from - (lines[line] ?? 0) + 1, from, to };
  };
  const places = new Map<string, JsonPlace>();
  for (const pointer of pointers) {
    const nearest = prefixesOf(pointer).findLast((prefix) => spans.has(prefix));
    places.set(pointer, placeOf(spans.get(nearest ?? '') ?? [0, text.length]));
  }
  return {
    places,
    brokenAt: brokenAt === undefined ? undefined : placeOf([brokenAt, Math.min(brokenAt + 1, text.length)]),
  };
}

/** @returns where it stops being JSON */
function walk(
  text: string,
  wanted: ReadonlySet<string>,
  found: (pointer: string, from: number, to: number) => void,
): number | undefined {
  const open: Container[] = [];
  let expects: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing' = 'value';
  let at = 0;
  TOKEN.lastIndex = 0;
  for (;;) {
    const token = TOKEN.exec(text);
    if (!token) {
      const rest = text.slice(at).search(/[^ \t\n\r]/);
      if (rest === -1) return expects === 'nothing' ? undefined : text.length;
      return at + rest;
    }
    const [whole, mark, string] = token;
    const begin = token.index + whole.length - whole.trimStart().length;
    at = TOKEN.lastIndex;
    const top = open.at(-1);
    if (expects === 'colon') {
      if (mark !== ':') return begin;
      expects = 'value';
    } else if (expects === 'comma or end' && mark === ',') {
      expects = top?.isList ? 'value' : 'key';
    } else if (mark === '}' || mark === ']') {
      if (!top || top.isList !== (mark === ']') || (expects !== 'comma or end' && !expects.endsWith('or end')))
        return begin;
      open.pop();
      if (top.own !== undefined && wanted.has(top.own)) found(top.own, top.begin, at);
      expects = open.length === 0 ? 'nothing' : 'comma or end';
    } else if (expects === 'key' || expects === 'key or end') {
      if (string === undefined || !top) return begin;
      top.key = JSON.parse(string) as string;
      top.from = begin;
      expects = 'colon';
    } else if (expects.startsWith('value')) {
      if (mark !== undefined && mark !== '{' && mark !== '[') return begin;
      const own = ownPointer(top, wanted);
      const from = top && !top.isList ? top.from : begin;
      if (top?.isList) top.index++;
      if (mark === undefined) {
        if (own !== undefined) found(own, from, at);
        expects = open.length === 0 ? 'nothing' : 'comma or end';
      } else {
        open.push({ isList: mark === '[', pointer: own, index: 0, key: undefined, from: 0, own, begin: from });
        expects = mark === '[' ? 'value or end' : 'key or end';
      }
    } else return begin;
  }
}

function ownPointer(parent: Container | undefined, wanted: ReadonlySet<string>): string | undefined {
  if (!parent) return '';
  if (parent.pointer === undefined) return undefined;
  const name = parent.isList ? String(parent.index) : (parent.key ?? '');
  const pointer = `${parent.pointer}${jsonPointer([name])}`;
  return wanted.has(pointer) ? pointer : undefined;
}

/** From the whole to the pointer itself. */
function prefixesOf(pointer: string): string[] {
  const parts = pointer.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
