import { type Launch, planEachWay } from '../../bundles/launch/launch';
import { hasOwnRemote } from '../../bundles/launch/own-remote';
import type { Skip } from '../../bundles/launch/skip';
import { hasQuestions, type Question, type Template } from '../../bundles/launch/template';
import {
  type CredentialPlacements,
  type CredentialTemplate,
  type SecretNeed,
  withPlaceholders,
} from '../protocol/credential-placements';
import { type EntryServer, effectiveServer, secretsOfPackages } from './effective-server';

/** The server of an entry: an address, and headers that everyone sends there. */
export interface EntryUpstream {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** The server of an entry that uses credentials. */
export interface CredentialedUpstream extends EntryUpstream {
  /** Where values of a credential go. The address and the headers have none. */
  readonly placements: CredentialPlacements;
  readonly secrets: readonly SecretNeed[];
  /** The scheme, the host and the port, which depend on no secret. */
  readonly origin: string;
  /** Secrets that it gets where it runs, and that no request carries. */
  readonly setElsewhere: readonly string[];
}

export type UnreachableCode =
  /** It has only packages, which this service does not start, and no editor has said where it runs. */
  | 'no_remote'
  /** It has only remotes that speak HTTP with SSE of 2024-11-05. */
  | 'unsupported_transport'
  /** Its address or its headers need values that the bundle does not have. */
  | 'missing_values'
  /** Its server.json cannot be used as it is. */
  | 'invalid_server';

/** Why an entry has none that can be spoken to from here. */
export interface UnreachableEntry {
  readonly code: UnreachableCode;
  readonly detail: string;
}

/** If no way works, the error names the obstacle that an editor can most likely mend. */
const ORDER: readonly UnreachableCode[] = ['missing_values', 'invalid_server', 'unsupported_transport', 'no_remote'];

/** The end of the part of an address that says where it leads. */
const AUTHORITY = /^https?:\/\/[^/?#@]+(?=[/?#]|$)/i;

/**
 * Where the server of an entry is: the first remote server of its document by Streamable HTTP whose address and required
 * headers have values; or its `endpoint_url`. Secrets belong to credentials, so a server that needs one is out of reach without.
 */
export function entryUpstream(server: EntryServer): EntryUpstream | UnreachableEntry {
  return firstWay(server, false, ({ url, headers }) => {
    const open = [url, ...headers.values()].flatMap(questionsOf);
    if (open.length > 0) return missing(open);
    return {
      url: textOf(url),
      headers: Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), textOf(value)])),
    };
  });
}

/**
 * The same for an entry that uses credentials: what the document marks as secret is left open, for a credential to fill.
 */
export function credentialedUpstream(server: EntryServer): CredentialedUpstream | UnreachableEntry {
  return firstWay(server, true, ({ url, headers }) => {
    const taken = [...headers].filter(([, value]) => questionsOf(value).every(isSecretOrRequired));
    const unknown = [url, ...taken.map(([, value]) => value)].flatMap(questionsOf).filter(({ isSecret }) => !isSecret);
    if (unknown.length > 0) return missing(unknown);
    const address = fillOf(url);
    const authority = AUTHORITY.exec(typeof address[0] === 'string' ? address[0] : '')?.[0];
    // A question right behind the host would be part of it.
    if (authority === undefined || (authority === address[0] && address.length > 1))
      return {
        code: 'invalid_server',
        detail: 'The host in the address of its remote server depends on a secret, so nothing says who would get it.',
      };
    const isOpen = ([, value]: [string, Template]) => hasQuestions(value);
    const named = taken.map(([name, value]): [string, Template] => [name.toLowerCase(), value]);
    const filledHeaders = named.filter(isOpen).map(([name, value]) => [name, fillOf(value)] as const);
    return {
      url: withPlaceholders(address),
      headers: Object.fromEntries(named.filter((each) => !isOpen(each)).map(([name, value]) => [name, textOf(value)])),
      placements: {
        ...(hasQuestions(url) ? { url: address } : {}),
        ...(filledHeaders.length > 0 ? { headers: Object.fromEntries(filledHeaders) } : {}),
      },
      secrets: needsOf(url, named),
      origin: new URL(authority).origin,
      setElsewhere: secretsOfPackages(server),
    };
  });
}

type Remote = Extract<Launch['server'], { kind: 'remote' }>;

function firstWay<T extends EntryUpstream>(
  server: EntryServer,
  asks: boolean,
  upstreamOf: (server: Remote) => T | UnreachableEntry,
): T | UnreachableEntry {
  const { document, config } = effectiveServer(server);
  const obstacles: UnreachableEntry[] = [];
  for (const planned of planEachWay(document, config, { remotes: true, asks })) {
    const way =
      'reason' in planned ? obstacleOf(planned) : (transportObstacle(planned) ?? upstreamOf(remoteOf(planned)));
    if ('url' in way) return way;
    obstacles.push(way);
  }
  obstacles.sort((one, other) => ORDER.indexOf(one.code) - ORDER.indexOf(other.code));
  const [first] = obstacles;
  if (first?.code === 'no_remote' && config.runWith !== undefined && hasOwnRemote(document))
    return { code: 'no_remote', detail: SELECTED };
  return (
    first ?? { code: 'no_remote', detail: `Its server.json names no server that could be reached. ${ENDPOINT_URL}` }
  );
}

const ENDPOINT_URL = 'Set the endpoint_url of the entry to where it runs.';
const PACKAGE = `It is a package, and packages are not run here. GET /v1/bundles/{id}/export?client=compose or kubernetes writes what runs it. ${ENDPOINT_URL}`;
const SELECTED =
  'Its configuration selects a package by run_with, and packages are not run here. Without that, its remote server is used.';
const SSE =
  'Its remote server speaks HTTP with SSE (2024-11-05); an endpoint speaks Streamable HTTP. Set the endpoint_url of the entry to something that speaks it, such as a bridge to that server.';

function transportObstacle({ server }: Launch): UnreachableEntry | undefined {
  if (server.kind === 'local') return { code: 'no_remote', detail: PACKAGE };
  if (server.type === 'sse') return { code: 'unsupported_transport', detail: SSE };
  return undefined;
}

/** A launch without an obstacle has a remote server. */
function remoteOf({ server }: Launch): Remote {
  if (server.kind !== 'remote') throw new TypeError('A package is not a remote server.');
  return server;
}

function missing(open: readonly Question[]): UnreachableEntry {
  const names = [...new Set(open.map(({ name }) => name))].join(', ');
  return { code: 'missing_values', detail: `Its remote server needs a value for: ${names}.` };
}

function obstacleOf({ reason, detail }: Skip): UnreachableEntry {
  if (reason === 'invalid_address' || reason === 'too_large') return { code: 'invalid_server', detail };
  return { code: 'no_remote', detail: reason === 'not_stdio' ? PACKAGE : detail };
}

/** A header without it can be left out, if it is neither. */
function isSecretOrRequired({ isSecret, isRequired }: Question): boolean {
  return isSecret || isRequired;
}

/** What is in the address is always required. */
function needsOf(url: Template, headers: readonly (readonly [name: string, value: Template])[]): SecretNeed[] {
  const needs = new Map<string, SecretNeed>();
  const all = [
    ...questionsOf(url).map((question) => ({ ...question, isRequired: true, isToken: false })),
    ...headers.flatMap(([header, value]) =>
      questionsOf(value).map((question) => ({ ...question, isToken: header === 'authorization' })),
    ),
  ];
  for (const { name, isRequired, isToken, description } of all) {
    const known = needs.get(name);
    needs.set(name, {
      name,
      isRequired: isRequired || known?.isRequired === true,
      isToken: isToken && known?.isToken !== false,
      description: known?.description ?? description,
    });
  }
  return [...needs.values()];
}

function fillOf(template: Template): CredentialTemplate {
  const parts: (string | { secret: string })[] = [];
  for (const part of template) {
    const last = parts.at(-1);
    if (typeof part !== 'string') parts.push({ secret: part.name });
    else if (typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  }
  return parts;
}

function questionsOf(template: Template): Question[] {
  return hasQuestions(template) ? template.filter((part) => typeof part !== 'string') : [];
}

function textOf(template: Template): string {
  return template.filter((part) => typeof part === 'string').join('');
}
