import { isObject } from './json-rpc';
import { itemsIn, membersIn } from './json-splice';
import { jsonText } from './json-writing';

/** Names of members and places in lists that lead to a value of a JSON document. */
export type Path = readonly (string | number)[];

/**
 * A change of one value of a JSON document. Everything that no edit names passes as it came: edits can be applied to a parsed
 * value, or to the text that it was parsed from.
 */
export type Edit =
  | { readonly path: Path; readonly what: 'remove' }
  /** Also adds a member that is not there, as the last one. */
  | { readonly path: Path; readonly what: 'set'; readonly value: unknown }
  /** Puts the value, after the edits inside it, between two pieces of JSON text. */
  | { readonly path: Path; readonly what: 'wrap'; readonly before: string; readonly after: string };

/** The edits at a place and below it. */
interface Node {
  edits: Edit[];
  readonly children: Map<string, Node>;
}

/**
 * @param edits of different places, but for one `wrap` besides others; in any order, all with the paths of the unchanged value
 * @returns the changed value; the same one if nothing is edited
 */
export function edited<T>(value: T, edits: readonly Edit[]): T {
  return edits.length === 0 ? value : (applied(value, treeOf(edits)) as T);
}

/**
 * Does the same to the text that a value was parsed from: everything that no edit names stays byte for byte.
 *
 * @param text valid JSON whose objects say each name once
 */
export function editedText(text: Buffer, edits: readonly Edit[]): string {
  return edits.length === 0 ? text.toString('utf8') : (appliedToText(text, treeOf(edits)) ?? 'null');
}

function treeOf(edits: readonly Edit[]): Node {
  const root: Node = { edits: [], children: new Map() };
  for (const edit of edits) place(root, edit);
  return root;
}

function place(root: Node, edit: Edit): void {
  let node = root;
  for (const part of edit.path) {
    let child = node.children.get(String(part));
    if (!child) {
      child = { edits: [], children: new Map() };
      node.children.set(String(part), child);
    }
    node = child;
  }
  node.edits.push(edit);
}

const REMOVED = Symbol('removed');

function applied(value: unknown, { edits, children }: Node): unknown {
  let changed = children.size > 0 ? withChildren(value, children) : value;
  for (const edit of edits) {
    if (edit.what === 'remove') return REMOVED;
    if (edit.what === 'set') changed = edit.value;
  }
  for (const edit of edits)
    if (edit.what === 'wrap') changed = JSON.parse(edit.before + JSON.stringify(changed) + edit.after) as unknown;
  return changed;
}

function withChildren(value: unknown, children: ReadonlyMap<string, Node>): unknown {
  const of = (key: string, inner: unknown): unknown => {
    const child = children.get(key);
    return child ? applied(inner, child) : inner;
  };
  if (Array.isArray(value))
    return value.map((item, index) => of(String(index), item)).filter((item) => item !== REMOVED);
  if (!isObject(value)) return value;
  const added = [...children.keys()].filter((name) => !Object.hasOwn(value, name));
  // `fromEntries` makes `__proto__` a member like any other.
  return Object.fromEntries(
    [...Object.keys(value), ...added]
      .map((name): [string, unknown] => [name, of(name, Object.hasOwn(value, name) ? value[name] : undefined)])
      .filter(([, inner]) => inner !== REMOVED && inner !== undefined),
  );
}

/** @returns undefined where it is removed */
function appliedToText(text: Buffer | undefined, { edits, children }: Node): string | undefined {
  let changed = text && (children.size > 0 ? textWithChildren(text, children) : text.toString('utf8'));
  for (const edit of edits) {
    if (edit.what === 'remove') return undefined;
    if (edit.what === 'set') changed = edit.value === undefined ? undefined : jsonText(edit.value);
  }
  if (changed === undefined) return undefined;
  for (const edit of edits) if (edit.what === 'wrap') changed = edit.before + changed + edit.after;
  return changed;
}

function textWithChildren(text: Buffer, children: ReadonlyMap<string, Node>): string {
  const of = (key: string, inner: Buffer | undefined): string | undefined => {
    const child = children.get(key);
    return child ? appliedToText(inner, child) : inner?.toString('utf8');
  };
  const items = itemsIn(text);
  if (items) return `[${items.flatMap((item, index) => of(String(index), item) ?? []).join(',')}]`;
  const members = membersIn(text);
  if (!members) return text.toString('utf8');
  const added = [...children.keys()].filter((name) => !members.has(name));
  const written = [...members.keys(), ...added].flatMap((name) => {
    const value = of(name, members.get(name));
    return value === undefined ? [] : `${JSON.stringify(name)}:${value}`;
  });
  return `{${written.join(',')}}`;
}
