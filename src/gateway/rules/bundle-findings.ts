import { nextTurn } from '../../http/requests/next-turn';
import { exposedName } from '../protocol/exposed-name';
import { isObject } from '../protocol/json-rpc';
import { inTurns } from './allowed';
import type { StoredDefinition } from '../upstreams/upstream';
import { definitionFindings, type Finding, type FindingCode, isTellingName } from './definition-findings';
import { isToolKind } from './tool-kinds';

/** An entry whose definitions are looked at. */
interface LookedAt {
  readonly id: string;
  readonly key: string;
  /** What precedes the names of its tools. */
  readonly alias: string;
  /** Null if its server cannot be reached from here. */
  readonly upstream: { readonly id: string } | null;
}

/** Something odd in a definition of an entry. */
interface EntryFinding {
  readonly code: FindingCode;
  readonly entryId: string;
  /** The name of the tool or prompt. */
  readonly subject: string;
  readonly detail: string;
}

/** Which entries have a tool or a prompt of a name. */
type Owners = ReadonlyMap<string, ReadonlySet<LookedAt>>;

/**
 * Looks at the definitions of a bundle.
 *
 * @param definitions what the servers of the entries list
 * @param nameBudget how long names for clients may be
 * @returns what is odd, as problems of a report
 */
export async function bundleFindings(
  entries: readonly LookedAt[],
  definitions: readonly StoredDefinition[],
  nameBudget: number,
): Promise<EntryFinding[]> {
  const owners = ownersOf(namedIn(entries, definitions), nameBudget);
  const problems: EntryFinding[] = [];
  for (const entry of entries) {
    for await (const stored of inTurns(definitions.filter(({ upstreamId }) => upstreamId === entry.upstream?.id)))
      for (const { code, detail } of findingsOf(entry, stored, owners))
        problems.push({ code, entryId: entry.id, subject: stored.name, detail });
    await nextTurn();
  }
  return problems;
}

/** A tool or a prompt of an entry. */
interface NamedDefinition {
  readonly entry: LookedAt;
  /** As its server has it. */
  readonly name: string;
}

/** @returns who has which name, as servers and as clients have it */
export function ownersOf(all: readonly NamedDefinition[], nameBudget: number): Owners {
  const owners = new Map<string, Set<LookedAt>>();
  const add = (name: string, entry: LookedAt): void => {
    if (!isTellingName(name)) return;
    const known = owners.get(name);
    if (known) known.add(entry);
    else owners.set(name, new Set([entry]));
  };
  for (const { entry, name } of all) {
    add(name, entry);
    add(exposedName(entry.id, entry.alias, name, nameBudget), entry);
  }
  return owners;
}

function namedIn(entries: readonly LookedAt[], definitions: readonly StoredDefinition[]): NamedDefinition[] {
  const byUpstream = new Map<string, LookedAt[]>();
  for (const entry of entries)
    if (entry.upstream) byUpstream.set(entry.upstream.id, [...(byUpstream.get(entry.upstream.id) ?? []), entry]);
  return definitions.flatMap(({ upstreamId, kind, name }) =>
    kind === 'tool' || kind === 'prompt' ? (byUpstream.get(upstreamId) ?? []).map((entry) => ({ entry, name })) : [],
  );
}

/** @returns what is odd in a definition of an entry */
export function findingsOf(
  entry: LookedAt,
  { kind, body }: Pick<StoredDefinition, 'kind' | 'body'>,
  owners: Owners,
): Finding[] {
  const definition: unknown = JSON.parse(body);
  if (!isToolKind(kind) || !isObject(definition)) return [];
  return definitionFindings(definition, (name) => {
    const having = owners.get(name);
    // A name that it has itself means its own tool.
    return having && !having.has(entry) ? [...having][0]?.key : undefined;
  });
}
