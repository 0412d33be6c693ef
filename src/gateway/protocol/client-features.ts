import { parseUrl } from '../../config/parse-url';
import { isObject, type JsonObject } from './json-rpc';

/** What servers may ask of clients, and the capability that the client must have declared. */
const REQUESTS: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** A call, with what its client has declared. */
interface CallWithClient {
  readonly client: { readonly capabilities: JsonObject };
}

/**
 * Whether a client can be asked something: a server must not ask for what the client has not declared (MCP 2025-11-25,
 * lifecycle, "Operation"), nor for another mode (elicitation, "Capabilities"), nor send a person to anything but a page.
 *
 * @param params of the request
 */
export function canAnswer({ client }: CallWithClient, method: string, params: JsonObject): boolean {
  const name = REQUESTS.get(method);
  const capability = name === undefined ? undefined : client.capabilities[name];
  if (!isObject(capability)) return false;
  if (method !== 'elicitation/create') return true;
  const { form, url } = capability;
  const mode = params.mode ?? 'form';
  // Forms are what a client can show that names no mode at all.
  if (mode === 'form') return isObject(form) || !isObject(url);
  return mode === 'url' && isObject(url) && isPage(params.url);
}

/** @returns whether people can be sent to an address: it is http or https */
export function isPage(url: unknown): boolean {
  const protocol = typeof url === 'string' ? parseUrl(url)?.protocol : undefined;
  return protocol === 'https:' || protocol === 'http:';
}
