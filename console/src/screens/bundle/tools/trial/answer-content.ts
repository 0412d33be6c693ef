import { isObject } from '../../../../../../src/http/requests/json-object';

type Json = Record<string, unknown>;

/** A part of the answer of a tool, as it can be shown. */
export type ContentPart =
  | { kind: 'text'; text: string; isCut: boolean }
  | { kind: 'image'; source: string }
  | { kind: 'link'; name: string; uri: string }
  | { kind: 'resource'; uri: string; text: string; isCut: boolean }
  /** What is not shown here: its type, and its size in bytes where that is known. */
  | { kind: 'other'; type: string; bytes: number | undefined };

/** Longer texts, and further parts, are not shown. */
export const MAX_TEXT = 100_000;
export const MAX_PARTS = 50;
/** In characters of base64: 4 MiB. */
const MAX_IMAGE = 5_592_408;

/** What an image begins with, in base64: the bytes decide, not what the tool says. */
const IMAGES = [
  ['image/png', /^iVBORw0KGgo/],
  ['image/jpeg', /^\/9j\//],
  ['image/webp', /^UklGR[A-Za-z0-9+/]{6}XRUJQ/],
] as const;

/** @returns the parts of a result that can be shown, in order; at most {@link MAX_PARTS} */
export function partsOf(result: Json): ContentPart[] {
  const content = result['content'];
  return Array.isArray(content) ? content.slice(0, MAX_PARTS).map((one) => partOf(isObject(one) ? one : {})) : [];
}

function partOf(block: Json): ContentPart {
  const type = textIn(block, 'type') ?? '';
  if (type === 'text') return { kind: 'text', ...cut(textIn(block, 'text') ?? '') };
  if (type === 'image') return imageOf(textIn(block, 'data') ?? '', textIn(block, 'mimeType') ?? type);
  const uri = textIn(block, 'uri');
  if (type === 'resource_link' && uri !== undefined) {
    return { kind: 'link', uri, name: textIn(block, 'title') ?? textIn(block, 'name') ?? uri };
  }
  if (type === 'resource' && isObject(block['resource'])) return resourceOf(block['resource']);
  return { kind: 'other', type: textIn(block, 'mimeType') ?? type, bytes: bytesOf(textIn(block, 'data')) };
}

function imageOf(data: string, type: string): ContentPart {
  const known = IMAGES.find(([, beginning]) => beginning.test(data));
  const isSound = known && data.length <= MAX_IMAGE && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  if (!isSound) return { kind: 'other', type, bytes: bytesOf(data) };
  return { kind: 'image', source: `data:${known[0]};base64,${data}` };
}

function resourceOf(resource: Json): ContentPart {
  const text = textIn(resource, 'text');
  if (text !== undefined) return { kind: 'resource', uri: textIn(resource, 'uri') ?? '', ...cut(text) };
  return {
    kind: 'other',
    type: textIn(resource, 'mimeType') ?? textIn(resource, 'uri') ?? 'resource',
    bytes: bytesOf(textIn(resource, 'blob')),
  };
}

/** @returns the code of a failure that the gateway has put into a result, such as `credential_required` */
export function gatewayCode(result: Json): string | undefined {
  const meta = result['_meta'];
  const error = isObject(meta) ? meta['com.toolyard/error'] : undefined;
  return codeIn(error);
}

/** @returns the same of a JSON-RPC error in place of a result */
export function errorCode(error: Json): string | undefined {
  return codeIn(error['data']);
}

const codeIn = (value: unknown): string | undefined => (isObject(value) ? textIn(value, 'code') : undefined);

const cut = (text: string): { text: string; isCut: boolean } => ({
  text: text.slice(0, MAX_TEXT),
  isCut: text.length > MAX_TEXT,
});

const bytesOf = (base64: string | undefined): number | undefined =>
  base64 === undefined ? undefined : Math.floor((base64.replace(/=+$/, '').length * 3) / 4);

function textIn(object: Json, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}
