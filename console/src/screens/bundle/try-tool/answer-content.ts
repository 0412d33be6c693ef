import { isObject } from './schema-fields';

/** A part of what a tool answered. */
export type Content =
  | { kind: 'text'; text: string }
  | { kind: 'image'; type: string; data: string }
  | { kind: 'other'; type: string; address: string | undefined };

/** The pictures that every browser shows and that run no scripts. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
/** Of Base64, in characters: some 3 MiB. */
const MAX_PICTURE_LENGTH = 4_194_304;

/** @returns the parts of a result, whatever its server put there */
export function contentOf(result: Readonly<Record<string, unknown>>): Content[] {
  const { content } = result;
  return Array.isArray(content) ? content.filter(isObject).map(partOf) : [];
}

function partOf(part: Readonly<Record<string, unknown>>): Content {
  const { type, text, data, mimeType, resource, uri } = part;
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text };
  if (type === 'image' && typeof data === 'string') return { kind: 'image', type: String(mimeType), data };
  if (isObject(resource) && typeof resource['text'] === 'string') return { kind: 'text', text: resource['text'] };
  const address = isObject(resource) ? resource['uri'] : uri;
  return { kind: 'other', type: String(type), address: typeof address === 'string' ? address : undefined };
}

/** @returns the address of a picture; undefined for one that is not shown */
export function pictureOf({ type, data }: Extract<Content, { kind: 'image' }>): string | undefined {
  const isShown = PICTURES.has(type) && data.length <= MAX_PICTURE_LENGTH && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  return isShown ? `data:${type};base64,${data}` : undefined;
}
