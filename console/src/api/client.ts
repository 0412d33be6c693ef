import type { Calls } from './schema';
import { ApiProblem, problemOf } from './problem';

export type { Calls } from './schema';
export type CallName = keyof Calls;
export type Answer<Name extends CallName> = Calls[Name]['answer'];
/** The item of a list. */
export type ItemOf<Name extends CallName> = Answer<Name> extends readonly (infer Item)[] ? Item : never;

type Given<Part extends 'path' | 'query' | 'body', Value> = undefined extends Value
  ? { [Name in Part]?: Value }
  : Part extends 'query'
    ? { [Name in Part]?: Value }
    : { [Name in Part]: Value };

/** What an operation takes: the parameters of its path, those of its query, and its body. */
export type Parts<Name extends CallName> = Given<'path', Calls[Name]['path']> &
  Given<'query', Calls[Name]['query']> &
  Given<'body', Calls[Name]['body']>;

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Where the next one begins; undefined on the last. */
  cursor: string | undefined;
}

/** What was asked last, newest first, so that a person can see it as `curl`; never a body with secrets. */
export const asked: { name: CallName; url: string; body: unknown }[] = [];
const MAX_ASKED = 20;

/** Fields of bodies that contain secrets, or what proves who a person is. */
const SECRET_FIELDS = ['values', 'client_secret', 'response', 'arguments', 'headers'];

/** An answer takes longer only if the network is gone. */
const DEADLINE_MS = 30_000;
/** Tools may take as long as the gateway lets them: `docs/gateway/limits.md`. */
const DEADLINES_MS: Partial<Record<CallName, number>> = {
  'POST /v1/bundles/{bundle_id}/tools/{tool_id}/call': 930_000,
};

/**
 * Calls an operation of the API with the session's cookie.
 *
 * @param name the method and the path of the document
 * @returns what it answers
 * @throws ApiProblem if it answers with an error, or not at all
 */
export async function call<Name extends CallName>(
  name: Name,
  parts: Parts<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const response = await send(name, parts, signal);
  return (response.status === 204 ? undefined : await response.json()) as Answer<Name>;
}

/** The same for a file: its text as it is. */
export async function callText<Name extends CallName>(
  name: Name,
  parts: Parts<Name>,
  signal?: AbortSignal,
): Promise<string> {
  return (await send(name, parts, signal)).text();
}

/** The same for a list: a page of it. */
export async function callPage<Name extends CallName>(
  name: Name,
  parts: Parts<Name>,
  signal?: AbortSignal,
): Promise<Page<ItemOf<Name>>> {
  const response = await send(name, parts, signal);
  return { items: (await response.json()) as ItemOf<Name>[], cursor: nextCursor(response.headers.get('Link')) };
}

/** The same for an answer of which a part is a list: a page of it, and where the next one begins. */
export async function callPart<Name extends CallName>(
  name: Name,
  parts: Parts<Name>,
  signal?: AbortSignal,
): Promise<{ answer: Answer<Name>; cursor: string | undefined }> {
  const response = await send(name, parts, signal);
  return { answer: (await response.json()) as Answer<Name>, cursor: nextCursor(response.headers.get('Link')) };
}

async function send<Name extends CallName>(name: Name, parts: Parts<Name>, signal?: AbortSignal): Promise<Response> {
  const { method, url } = addressOf(name, parts);
  const body = 'body' in parts ? parts.body : undefined;
  asked.unshift({ name, url, body: withoutSecrets(body) });
  asked.length = Math.min(asked.length, MAX_ASKED);
  const limits = [AbortSignal.timeout(DEADLINES_MS[name] ?? DEADLINE_MS), ...(signal ? [signal] : [])];
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json',
        'X-Toolyard-Console': '1',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any(limits),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw ApiProblem.unreachable();
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

function withoutSecrets(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, SECRET_FIELDS.includes(field) ? '…' : value]),
  );
}

/** @returns the method, and the address with its parameters filled in */
export function addressOf<Name extends CallName>(name: Name, parts: Parts<Name>): { method: string; url: string } {
  const [method = 'GET', template = ''] = name.split(' ');
  const inPath: Record<string, string | number> = { ...('path' in parts ? parts.path : undefined) };
  const path = template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(inPath[key])));
  const query = new URLSearchParams();
  const values: Record<string, string | number | boolean | null | undefined> = {
    ...('query' in parts ? parts.query : undefined),
  };
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') query.set(key, String(value));
  }
  const text = query.toString();
  return { method, url: text === '' ? path : `${path}?${text}` };
}

/** The cursor of `rel="next"` (RFC 8288). */
function nextCursor(link: string | null): string | undefined {
  const next = link?.split(',').find((part) => /;\s*rel="?next"?/.test(part));
  const target = next && /<([^>]*)>/.exec(next)?.[1];
  return target ? (new URL(target, window.location.href).searchParams.get('cursor') ?? undefined) : undefined;
}
