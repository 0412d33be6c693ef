import { definitionDigest } from '../protocol/definition-digest';
import type { CompiledBundle, CompileTarget, ReachableEntry } from './compiled-bundle';
import { isReachable } from './compiled-bundle';
import type { JsonObject } from '../protocol/json-rpc';
import { READS } from '../rules/tool-hints';
import type { StoredDefinition } from '../upstreams/upstream';

/** What follows the alias of an entry in the name of its tool. */
const NAME = 'connect';
const SUFFIX = `__${NAME}`;

/**
 * A tool of ours for each entry whose server lists nothing to those who have not connected an account of theirs: without one,
 * there would be nothing whose call could lead there. Its call needs the credential like any other one, so it is answered like
 * that (`ConnectOffers`), and nothing is sent. An entry whose server lists tools of its own has none.
 *
 * @param definitions of the servers of the entries
 */
export function connectTools(
  { naming, usesPersonal = false }: CompileTarget,
  entries: readonly ReachableEntry[],
  definitions: readonly StoredDefinition[],
): StoredDefinition[] {
  if (!usesPersonal) return [];
  const listing = new Set(definitions.filter(({ kind }) => kind === 'tool').map(({ upstreamId }) => upstreamId));
  const waiting = entries.filter((entry) => wantsPerson(entry) && entry.upstream.listError !== null);
  return waiting.filter(({ upstream }) => !listing.has(upstream.id)).map((entry) => toolOf(entry, naming === 'PLAIN'));
}

/** @returns the result of a tool of ours that was called again after it has done what it is for; undefined: it is none */
export function connectedResult({ entries, policy }: CompiledBundle, name: string): JsonObject | undefined {
  if (!name.endsWith(SUFFIX)) return undefined;
  const alias = name.slice(0, -SUFFIX.length);
  const entry = entries.filter(isReachable).find((each) => each.alias === alias);
  const { state, chosen } = entry?.credential ?? {};
  if (!entry || state !== 'CONNECTED' || chosen?.owner !== 'PERSON') return undefined;
  // By the name that it has with either naming.
  if (![NAME, name].every((each) => policy.allows({ entryId: entry.id, name: each, ...READS }))) return undefined;
  const text = `The account at ${hostOf(entry)} is connected. The tools of "${entry.key}" are in the list of tools now.`;
  return { content: [{ type: 'text', text }] };
}

function wantsPerson({ credential }: ReachableEntry): boolean {
  if (!credential || credential.mode === 'SHARED') return false;
  return credential.state === 'MISSING' || credential.state === 'RECONNECT';
}

/** @param isPlain whether names are those of servers: ours must not move one of theirs */
function toolOf(entry: ReachableEntry, isPlain: boolean): StoredDefinition {
  const host = hostOf(entry);
  const definition = {
    name: isPlain ? entry.alias + SUFFIX : NAME,
    title: `Connect your account at ${host}`,
    description: `Connects the account of the person at ${host}, who is asked to open a page. The tools of "${entry.key}" can be used and listed after that.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  };
  return {
    upstreamId: entry.upstream.id,
    kind: 'tool',
    name: definition.name,
    body: JSON.stringify(definition),
    digest: definitionDigest(definition),
    ofEntry: entry.id,
  };
}

function hostOf({ credential, upstream }: ReachableEntry): string {
  return new URL(credential?.origin ?? upstream.url).host;
}
