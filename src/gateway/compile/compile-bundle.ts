import { nextTurn } from '../../http/requests/next-turn';
import { isObject, type JsonObject } from '../edge/json-rpc';
import { paramHeadersOf } from '../edge/mirrored-headers';
import { passingMeta } from '../edge/translate';
import type { DefinitionKind } from '../upstream/definition-list';
import type { StoredDefinition } from '../upstream/upstream';
import {
  type CompiledBundle,
  type CompiledEntry,
  type CompileTarget,
  isReachable,
  type Offer,
  type Problem,
  type ReachableEntry,
  type ToolOffer,
} from './compiled-bundle';
import { exposedName } from './exposed-name';
import { digestOfPages, listPages } from './list-pages';
import { extensionsOf, instructionsOf } from './server-words';

/** How many tools an endpoint offers: clients have trouble with a hundred. */
export const MOST_TOOLS = 5_000;
/** An offer, its key and its place in a map; roughly. */
const OFFER_BYTES = 512;

/** A definition, and how clients see it. */
interface Candidate {
  readonly entry: ReachableEntry;
  readonly name: string;
  /** Its key for clients: an exposed name, an address or a template. */
  readonly key: string;
  /** JSON, for the list. */
  readonly text: string;
  readonly body: JsonObject;
}

/**
 * Makes an endpoint of what is known of the servers of a bundle. Depends on nothing else, so two processes make the same
 * one; other requests get turns between the entries.
 *
 * @param entries in the order of the bundle
 * @param definitions those that are listed now, of the servers of the entries
 * @param known the problems that are known already
 */
export async function compileBundle(
  target: CompileTarget,
  entries: readonly CompiledEntry[],
  definitions: readonly StoredDefinition[],
  known: readonly Problem[],
): Promise<CompiledBundle> {
  const problems = [...known];
  const found: Record<DefinitionKind, Candidate[]> = { tool: [], prompt: [], resource: [], template: [] };
  const byUpstream = grouped(definitions, ({ upstreamId }) => upstreamId);
  for (const entry of entries.filter(isReachable)) {
    problems.push(...problemsOf(entry));
    const own = (byUpstream.get(entry.upstream.id) ?? []).map((definition) => ({
      kind: definition.kind,
      candidate: candidateOf(target, entry, definition, problems),
    }));
    for (const kind of Object.keys(found) as DefinitionKind[]) {
      const ofKind = own.flatMap((each) => (each.kind === kind && each.candidate ? [each.candidate] : []));
      found[kind].push(...ofKind.sort((one, other) => compare(one.key, other.key)));
    }
    await nextTurn();
  }
  const tools = atMost(MOST_TOOLS, withoutClashes(found.tool, problems), problems);
  const prompts = withoutClashes(found.prompt, problems);
  const resources = firstOfEach(found.resource, problems);
  const templates = firstOfEach(found.template, problems);
  const pages = {
    'tools/list': listPages('tools', textsOf(tools)),
    'prompts/list': listPages('prompts', textsOf(prompts)),
    'resources/list': listPages('resources', textsOf(resources)),
    'resources/templates/list': listPages('resourceTemplates', textsOf(templates)),
  };
  const offers = new Map(tools.map((tool) => [tool.key, toolOffer(tool)]));
  const all = [tools, prompts, resources, templates].flat();
  const schemas = [...offers.values()].reduce(
    (sum, { inputSchema }) => sum + (JSON.stringify(inputSchema)?.length ?? 0),
    0,
  );
  return {
    bundleId: target.bundleId,
    serverInfo: { name: target.slug, title: target.name, version: String(target.version) },
    entries,
    tools: offers,
    prompts: offersOf(prompts),
    resources: offersOf(resources),
    templates: offersOf(templates),
    problems,
    pages,
    digests: {
      tools: digestOfPages(pages['tools/list']),
      prompts: digestOfPages(pages['prompts/list']),
      resources: digestOfPages(pages['resources/list'], pages['resources/templates/list']),
    },
    instructions: instructionsOf(entries.filter(isReachable)),
    extensions: extensionsOf(entries.filter(isReachable)),
    bytes: all.reduce((sum, { text, key }) => sum + text.length + key.length + OFFER_BYTES, 4_096 + schemas),
  };
}

/** What a definition becomes; undefined, with a problem, if it cannot be offered. */
function candidateOf(
  { naming, nameBudget }: CompileTarget,
  entry: ReachableEntry,
  { kind, name, body: stored }: StoredDefinition,
  problems: Problem[],
): Candidate | undefined {
  const definition: unknown = JSON.parse(stored);
  if (!isObject(definition)) return undefined;
  const { _meta, execution, ...rest } = definition;
  if (kind === 'tool' && isObject(execution) && execution.taskSupport === 'required') {
    const detail = 'It runs as a task only, and tasks do not pass through an endpoint.';
    problems.push({ code: 'left_out', entryId: entry.id, subject: name, detail });
    return undefined;
  }
  const isNamed = kind === 'tool' || kind === 'prompt';
  const key = isNamed && naming === 'PREFIX' ? exposedName(entry.id, entry.alias, name, nameBudget) : name;
  const meta = passingMeta(_meta);
  const body = { ...rest, ...(isNamed ? { name: key } : {}), ...(meta ? { _meta: meta } : {}) };
  return { entry, name, key, text: JSON.stringify(body), body };
}

/** What is known of the server itself. */
function problemsOf({ id, upstream }: ReachableEntry): Problem[] {
  const { listedAt, listError, leftOut, modern, legacy } = upstream;
  const problems: Problem[] = [];
  if (listError !== null) problems.push({ code: 'list_failed', entryId: id, detail: listError });
  else if (listedAt === null)
    problems.push({ code: 'not_listed', entryId: id, detail: 'Its lists have not been read yet.' });
  if (modern === '' && legacy)
    problems.push({
      code: 'legacy_only',
      entryId: id,
      detail: `It speaks ${legacy} and no revision without sessions: it cannot ask anything of clients of 2026-07-28.`,
    });
  for (const { name, reason } of leftOut)
    problems.push({ code: 'left_out', entryId: id, ...(name === undefined ? {} : { subject: name }), detail: reason });
  return problems;
}

/** Neither of two is offered: which of them a client means cannot be known, and either could be there to be mistaken. */
function withoutClashes(all: readonly Candidate[], problems: Problem[]): Candidate[] {
  const byKey = grouped(all, ({ key }) => key);
  for (const [key, same] of byKey) {
    const [first, ...others] = same;
    for (const other of first ? others : []) {
      problems.push({
        code: 'name_clash',
        entryId: other.entry.id,
        otherEntryId: first?.entry.id ?? '',
        subject: key,
        detail: `${first?.entry.key} (${first?.name}) and ${other.entry.key} (${other.name}) have the same name.`,
      });
    }
  }
  return all.filter(({ key }) => byKey.get(key)?.length === 1);
}

/** Addresses are not rewritten, because content of all kinds carries them. */
function firstOfEach(all: readonly Candidate[], problems: Problem[]): Candidate[] {
  const first = new Map<string, Candidate>();
  for (const candidate of all) {
    const earlier = first.get(candidate.key);
    if (!earlier) first.set(candidate.key, candidate);
    else
      problems.push({
        code: 'uri_taken',
        entryId: candidate.entry.id,
        otherEntryId: earlier.entry.id,
        subject: candidate.key,
        detail: `${earlier.entry.key} has it, too, and precedes ${candidate.entry.key}.`,
      });
  }
  return [...first.values()];
}

function atMost(most: number, all: Candidate[], problems: Problem[]): Candidate[] {
  const first = all[most];
  if (first) {
    const detail = `The bundle has ${all.length} tools, and an endpoint offers ${most}: ${first.key} and those after it are left out.`;
    problems.push({ code: 'too_many_tools', entryId: first.entry.id, subject: first.key, detail });
  }
  return all.slice(0, most);
}

function toolOffer({ entry, name, body }: Candidate): ToolOffer {
  const paramHeaders = paramHeadersOf(body.inputSchema) ?? [];
  return { entry, name, paramHeaders, inputSchema: paramHeaders.length > 0 ? body.inputSchema : undefined };
}

function offersOf(candidates: readonly Candidate[]): Map<string, Offer> {
  return new Map(candidates.map(({ key, entry, name }) => [key, { entry, name }]));
}

function textsOf(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ text }) => text);
}

function grouped<T>(all: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of all) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** By code units, so that the order is the same everywhere. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
