import { parseUrl } from '../../config/parse-url';
import { isObject, type JsonObject } from './json-rpc';
import type { Edit, Path } from './json-edits';
import { kindOf, Mending } from './mending';
import { mendInputSchema, mendOutputSchema } from './schema-mending';

/** What servers list. */
export type MendedKind = 'tool' | 'prompt' | 'resource' | 'template';

/**
 * What makes a definition valid for clients of every revision (but for what `output-wrapping.ts` does for one era), or why
 * nothing can.
 */
export type MendedDefinition =
  | {
      readonly edits: readonly Edit[];
      /** What was wrong, for the editors of a bundle; undefined: nothing, and there are no edits. */
      readonly fault: string | undefined;
    }
  | { readonly leftOut: string };

/** Looks at the value of a member that is there. */
type Check = (value: unknown, path: Path, mending: Mending) => void;

/** RFC 3986, section 3.1, and nothing that ends a line. */
const URI = /^[a-z][a-z0-9+.-]*:[^\p{Cc}\p{Zl}\p{Zp}]*$/iu;
/** The pattern has the part of RFC 6570 that separates literals from expressions. */
const TEMPLATE = /^(?:[^{}\p{Cc}\p{Zl}\p{Zp}]|\{[^{}\p{Cc}]+\})+$/u;
/** Clients must not take others (MCP 2025-11-25, schema, `Icon`). */
const ICON = /^(?:https?:\/\/|data:)[^\p{Cc}]+$/iu;
/** ISO 8601 with an offset, as the official clients require it. */
const INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const text: Check = (value, path, mending) => {
  if (typeof value !== 'string') mending.drop(path, `is ${kindOf(value)}`);
};
const flag: Check = (value, path, mending) => {
  if (typeof value !== 'boolean') mending.drop(path, `is ${kindOf(value)}`);
};
const object: Check = (value, path, mending) => {
  if (!isObject(value)) mending.drop(path, `is ${kindOf(value)}`);
};

/** A list of which the items that do not fit are dropped. */
const list =
  (fits: (item: unknown) => boolean, inner?: (item: JsonObject, path: Path, mending: Mending) => void): Check =>
  (value, path, mending) => {
    if (!Array.isArray(value)) return mending.drop(path, `is ${kindOf(value)}`);
    for (const [index, item] of value.entries()) {
      const at = [...path, index];
      if (!fits(item)) mending.drop(at, 'is not valid');
      else if (inner && isObject(item)) inner(item, at, mending);
    }
  };

/** Members that may be absent. */
const members =
  (checks: Readonly<Record<string, Check>>) =>
  (value: JsonObject, path: Path, mending: Mending): void => {
    for (const [name, check] of Object.entries(checks))
      if (Object.hasOwn(value, name)) check(value[name], [...path, name], mending);
  };

const objectOf = (checks: Readonly<Record<string, Check>>): Check => {
  const inner = members(checks);
  return (value, path, mending) => {
    if (isObject(value)) inner(value, path, mending);
    else mending.drop(path, `is ${kindOf(value)}`);
  };
};

const icons = list(
  (icon) => isObject(icon) && typeof icon.src === 'string' && ICON.test(icon.src),
  members({
    mimeType: text,
    sizes: list((size) => typeof size === 'string'),
    theme: (theme, path, mending) => {
      if (theme !== 'light' && theme !== 'dark') mending.drop(path, 'is neither "light" nor "dark"');
    },
  }),
);

const COMMON = { title: text, description: text, icons, _meta: object };

const annotations = objectOf({
  audience: list((role) => role === 'user' || role === 'assistant'),
  priority: (value, path, mending) => {
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) mending.drop(path, 'is not a number from 0 to 1');
  },
  lastModified: (value, path, mending) => {
    if (typeof value !== 'string' || !INSTANT.test(value)) mending.drop(path, 'is not a time with an offset');
  },
});

const OF_RESOURCE = { ...COMMON, mimeType: text, annotations };

const OPTIONAL: Readonly<Record<MendedKind, ReturnType<typeof members>>> = {
  tool: members({
    ...COMMON,
    annotations: objectOf({
      title: text,
      readOnlyHint: flag,
      destructiveHint: flag,
      idempotentHint: flag,
      openWorldHint: flag,
    }),
    outputSchema: mendOutputSchema,
  }),
  prompt: members({
    ...COMMON,
    arguments: list(
      (argument) => isObject(argument) && typeof argument.name === 'string',
      members({ title: text, description: text, required: flag }),
    ),
  }),
  resource: members({
    ...OF_RESOURCE,
    size: (value, path, mending) => {
      if (!Number.isInteger(value)) mending.drop(path, 'is not an integer');
    },
  }),
  template: members(OF_RESOURCE),
};

/**
 * Looks at a definition as a server lists it: what of it no client may get, since the official SDKs read a list as a whole and
 * one element that does not fit its revision's schema takes away all others (MCP, `schema.ts` of each revision). Broken members
 * that are optional are dropped, what is missing and can be known is completed. Extensions pass.
 *
 */
export function mendDefinition(kind: MendedKind, definition: JsonObject): MendedDefinition {
  const mending = new Mending();
  const leftOut = mendRequired(kind, definition, mending);
  if (leftOut !== undefined) return { leftOut };
  OPTIONAL[kind](definition, [], mending);
  return { edits: mending.edits, fault: mending.isNeeded ? mending.summary : undefined };
}

/** @returns why it cannot be mended */
function mendRequired(kind: MendedKind, definition: JsonObject, mending: Mending): string | undefined {
  if (kind === 'tool' || kind === 'prompt') {
    if (typeof definition.name !== 'string') return `Its "name" is ${shownKind(definition.name)}.`;
    if (kind === 'prompt') return undefined;
    const { inputSchema } = definition;
    if (isObject(inputSchema)) return mendInputSchema(inputSchema, ['inputSchema'], mending);
    return `Its "inputSchema" is ${shownKind(inputSchema)}.`;
  }
  const field = kind === 'resource' ? 'uri' : 'uriTemplate';
  const address = definition[field];
  if (typeof address !== 'string') return `Its "${field}" is ${shownKind(address)}.`;
  // The URL standard, by which the official client in Python reads it, is stricter about hosts and ports.
  if (kind === 'resource' && !(URI.test(address) && parseUrl(address))) return 'Its "uri" is not an address.';
  if (kind === 'template' && !TEMPLATE.test(address)) return 'Its "uriTemplate" is not a template (RFC 6570).';
  const { name, title } = definition;
  if (typeof name === 'string') return undefined;
  const [completed, from] = typeof title === 'string' && title !== '' ? [title, 'title'] : [address, field];
  mending.set(['name'], completed, `is ${shownKind(name)}: completed to its ${from}`);
  return undefined;
}

function shownKind(value: unknown): string {
  return value === undefined ? 'missing' : kindOf(value);
}
