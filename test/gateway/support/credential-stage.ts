import type { Person, Stage } from './endpoint-stage';
import type { Json, TestUpstream } from './test-upstream';

/** Where a test may send credentials. */
export const OVER_LOOPBACK = { CREDENTIALS_OVER_LOOPBACK_HTTP: 'true' };

/** A header that a server.json marks as secret. */
export const API_KEY = { name: 'X-Api-Key', isSecret: true, isRequired: true };

/** Lets an upstream answer only requests with one of these keys. */
export function requireKey(upstream: TestUpstream, keys: ReadonlySet<string>, header = 'x-api-key'): void {
  upstream.fault = ({ received, response }) => {
    const key = received.headers[header];
    if (typeof key === 'string' && keys.has(key)) return false;
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no"}');
    return true;
  };
}

/** A listing of a server whose `server.json` names these headers. */
export function secretListing(
  stage: Stage,
  url: string,
  headers: readonly Json[] = [API_KEY],
  fields: Parameters<Stage['listing']>[1] = {},
): Promise<string> {
  const remotes = [{ type: 'streamable-http', url, headers }];
  return stage.listing(url, { ...fields, server: { remotes } });
}

/** @returns the answer to a credential that somebody gives */
export async function give(person: Person, body: Json) {
  return person.api.raw('post', '/v1/credentials').send(body);
}

/** @returns the credential. @throws Error if it was not taken */
export async function given(person: Person, body: Json): Promise<Json & { id: string }> {
  const answer = await give(person, body);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body as Json & { id: string };
}

/** @returns the body of an answer, whatever it is */
export async function bodyOf(
  { api }: Person,
  path: string,
  { method = 'get', send }: { method?: 'get' | 'post'; send?: Json } = {},
): Promise<unknown> {
  const answer = await api.raw(method, path).send(send);
  return answer.body as unknown;
}
