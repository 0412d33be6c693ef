import { nextTurn } from '../../http/requests/next-turn';
import type { JsonObject } from '../protocol/json-rpc';
import { paramHeadersOf } from '../protocol/mirrored-headers';
import { passingMeta } from '../protocol/translate';
import { allowedBy, inTurns } from '../rules/allowed';
import { OPEN_POLICY, type Policy } from '../rules/policy';
import { type Hints, hintsOf, READS } from '../rules/tool-hints';
import { rewritten, withMembers } from '../protocol/json-splice';
import { isWrapped } from '../protocol/output-wrapping';
import { isSearchTool, SEARCH_DEFINITIONS } from '../search/search-tools';
import { isSearched, ToolSearch } from '../search/tool-search';
import { missingArguments } from '../rules/fixed-arguments';
import { NO_RULES, ruledDefinition, type ToolRules } from '../rules/tool-rules';
import type { DefinitionKind } from '../protocol/definition-list';
import type { StoredDefinition } from '../upstreams/upstream';
import {
  BARE_CLIENT,
  type CompiledBundle,
  type CompiledEntry,
  type CompileTarget,
  isReachable,
  type ListPage,
  type ExposedDefinition,
  type Problem,
  type ReachableEntry,
  type ExposedTool,
} from './compiled-bundle';
import { exposedName } from '../protocol/exposed-name';
import { digestOfPages, listPages } from './list-pages';
import { ProblemList } from './problem-list';
import { serverProblems } from './server-problems';
import { extensionsOf, instructionsOf } from './server-declarations';
import { legacyTextOf, problemOfRules, tooLong, unclearName, validDefinition } from './valid-definition';

/** How many tools an endpoint offers: clients have trouble with a hundred. */
export const MAX_TOOLS = 5_000;
/** An offer, its key and its place in a map; roughly. The same for a problem. */
const OFFER_BYTES = 512;

const TOO_MUCH =
  'The definitions of the entries before it are as much as an endpoint can offer (32 MiB), so its own are left out.';

/** A definition, and how clients see it. */
interface Candidate {
  readonly entry: ReachableEntry;
  readonly name: string;
  /** Its key for clients: an exposed name, an address or a template. */
  readonly key: string;
  /** JSON, for the list. */
  readonly text: string;
  /** The same for clients of the legacy era; undefined: it is the same. */
  readonly legacyText: string | undefined;
  readonly wrapsOutput: boolean;
  readonly digest: Buffer;
  /** As its server has it, or had it when it was approved. */
  readonly inputSchema: unknown;
  /** Of a tool, as clients see them. */
  readonly shownSchema: unknown;
  readonly annotations: unknown;
  readonly hints: Hints;
  readonly fixedArguments: JsonObject | null;
  /** Whether it is listed as it was approved, and not called. */
  readonly isHeld: boolean;
  readonly isPinned: boolean;
}

/**
 * Makes an endpoint of what is known of the servers of a bundle. Depends on nothing else, so two processes make the same
 * one; other requests get turns between the definitions.
 *
 * @param entries in the order of the bundle
 * @param definitions those that are listed now, of the servers of the entries
 * @param known the problems that are known already
 * @param tooMuch entries whose definitions are left out, because those of the others are as much as a bundle may have
 * @param rules what the bundle says of the tools
 * @param policy of who it is for: what it does not allow does not exist for them. Names do not depend on it.
 */
export async function compileBundle(
  target: CompileTarget,
  entries: readonly CompiledEntry[],
  definitions: readonly StoredDefinition[],
  known: readonly Problem[],
  tooMuch: ReadonlySet<string> = new Set(),
  rules: ToolRules = NO_RULES,
  policy: Policy = OPEN_POLICY,
): Promise<CompiledBundle> {
  const problems = new ProblemList();
  problems.add(...known);
  const found: Record<DefinitionKind, Candidate[]> = { tool: [], prompt: [], resource: [], template: [] };
  const byUpstream = grouped(definitions, ({ upstreamId }) => upstreamId);
  for (const entry of entries.filter(isReachable)) {
    problems.add(...serverProblems(entry, byUpstream.has(entry.upstream.id) || tooMuch.has(entry.id)));
    if (tooMuch.has(entry.id)) {
      problems.add({ code: 'left_out', entryId: entry.id, detail: TOO_MUCH });
      continue;
    }
    const listed = byUpstream.get(entry.upstream.id) ?? [];
    const own: { readonly kind: DefinitionKind; readonly candidate: Candidate | undefined }[] = [];
    for await (const definition of inTurns(listed)) {
      const { kind, ofEntry = entry.id } = definition;
      if (ofEntry === entry.id) own.push({ kind, candidate: candidateOf(target, entry, definition, rules, problems) });
    }
    for (const kind of Object.keys(found) as DefinitionKind[]) {
      const ofKind = own.flatMap((each) => (each.kind === kind && each.candidate ? [each.candidate] : []));
      found[kind].push(...ofKind.sort((one, other) => compare(one.key, other.key)));
    }
    await nextTurn();
  }
  const unreserved = withoutReserved(found.tool, target, problems);
  const offered = {
    tools: atMost(MAX_TOOLS, withoutClashes(unreserved, target, problems), problems),
    prompts: withoutClashes(found.prompt, target, problems),
    resources: firstOfEach(found.resource, problems),
    templates: firstOfEach(found.template, problems),
  };
  const tools = await allowedBy(policy, offered.tools);
  const prompts = await allowedBy(policy, offered.prompts);
  const resources = await allowedBy(policy, offered.resources);
  const templates = await allowedBy(policy, offered.templates);
  const search = isSearched(target.presentation, tools.length) ? await ToolSearch.of(tools) : undefined;
  const pages = {
    'tools/list': listPages('tools', search ? SEARCH_DEFINITIONS : textsOf(tools)),
    'prompts/list': listPages('prompts', textsOf(prompts)),
    'resources/list': listPages('resources', textsOf(resources)),
    'resources/templates/list': listPages('resourceTemplates', textsOf(templates)),
  };
  const differs = !search && tools.some(({ legacyText }) => legacyText !== undefined);
  const legacyTools = tools.map(({ text, legacyText }) => legacyText ?? text);
  const legacyPages = differs ? { ...pages, 'tools/list': listPages('tools', legacyTools) } : pages;
  await nextTurn();
  const offers = new Map(tools.map((tool) => [tool.key, toolOffer(tool)]));
  const all = [tools, prompts, resources, templates].flat();
  const shown = problems.all;
  const speaking = speakingEntries(entries, policy, Object.values(offered).flat(), all);
  return {
    bundleId: target.bundleId,
    client: target.client ?? BARE_CLIENT,
    serverInfo: { name: target.slug, title: target.name, version: String(target.version) },
    entries,
    tools: offers,
    prompts: offersOf(prompts),
    resources: offersOf(resources),
    templates: offersOf(templates),
    problems: shown,
    problemCount: problems.count,
    pages,
    legacyPages,
    // What legacy clients get follows from what the others get.
    digests: {
      tools: digestOfPages(pages['tools/list']),
      prompts: digestOfPages(pages['prompts/list']),
      resources: digestOfPages(pages['resources/list'], pages['resources/templates/list']),
    },
    policy,
    search,
    instructions: instructionsOf(speaking),
    extensions: extensionsOf(speaking),
    bytes:
      bytesOf(
        all,
        [...new Set([...Object.values(pages), ...Object.values(legacyPages)])].flat(),
        [...offers.values()],
        shown,
        entries,
      ) + (search?.bytes ?? 0),
  };
}

/** The servers whose words are passed on: not of one that has something, but nothing that they may use. */
function speakingEntries(
  entries: readonly CompiledEntry[],
  policy: Policy,
  offered: readonly Candidate[],
  allowed: readonly Candidate[],
): ReachableEntry[] {
  const reachable = entries.filter(isReachable);
  if (policy.isOpen) return reachable;
  const [withAny, withAllowed] = [offered, allowed].map((all) => new Set(all.map(({ entry }) => entry.id)));
  return reachable.filter(({ id }) => withAllowed?.has(id) || !withAny?.has(id));
}

/** What a definition becomes; undefined, with a problem, if it cannot be offered. */
function candidateOf(
  { naming, nameBudget }: CompileTarget,
  entry: ReachableEntry,
  stored: StoredDefinition,
  rules: ToolRules,
  problems: ProblemList,
): Candidate | undefined {
  const { kind, name } = stored;
  const ruled = ruledDefinition(rules, entry.id, stored);
  const about = problemOfRules(ruled);
  if (about) problems.add({ ...about, entryId: entry.id, subject: name });
  // In a report, the one of the name that needs fewer capabilities stands for it.
  if (!('shown' in ruled) || stored.isVariant) return undefined;
  const { definition, override, state } = ruled;
  const isNamed = kind === 'tool' || kind === 'prompt';
  const isTooLong = (override.exposedName?.length ?? 0) > nameBudget;
  if (isTooLong) problems.add(tooLong(entry, name, override));
  const note = (fault: Pick<Problem, 'code' | 'detail'>) =>
    problems.add({ ...fault, entryId: entry.id, subject: name });
  const shown = validDefinition(kind, ruled.shown, note);
  if (!shown) return undefined;
  const { _meta, execution: _execution, ...rest } = shown;
  const given = isTooLong ? null : override.exposedName;
  const unclear = isNamed && naming === 'PLAIN' && given === null ? unclearName(name) : undefined;
  if (unclear) note(unclear);
  const isLong = isNamed && (naming === 'PREFIX' || unclear !== undefined);
  const usual = isLong ? exposedName(entry.id, entry.alias, name, nameBudget) : name;
  const key = (isNamed && given) || usual;
  const meta = passingMeta(_meta);
  const body = { ...rest, ...(isNamed ? { name: key } : {}), ...(meta ? { _meta: meta } : {}) };
  const text = rewritten(Buffer.from(ruled.text), definition, body);
  const { fixedArguments } = override;
  const missing = fixedArguments ? missingArguments(definition.inputSchema, fixedArguments) : [];
  if (missing.length > 0) {
    const detail = `Its definition has no such argument any more, which is given to it anyway: ${missing.join(', ')}.`;
    problems.add({ code: 'fixed_argument_gone', entryId: entry.id, subject: name, detail });
  }
  return {
    ...{ entry, name, key, fixedArguments },
    digest: stored.digest,
    text,
    legacyText: kind === 'tool' ? legacyTextOf(text, body) : undefined,
    wrapsOutput: kind === 'tool' && isWrapped(shown.outputSchema),
    inputSchema: definition.inputSchema,
    shownSchema: shown.inputSchema,
    annotations: shown.annotations,
    // Ours changes nothing at a server, so who may only read may connect.
    hints: stored.ofEntry === undefined ? hintsOf(kind, shown.annotations) : READS,
    isHeld: state === 'changed',
    isPinned: rules.pinnings.get(entry.id) === 'APPROVE',
  };
}

/** About what a compiled bundle has in memory. */
function bytesOf(
  candidates: readonly Candidate[],
  pages: readonly ListPage[],
  tools: readonly ExposedTool[],
  problems: readonly Problem[],
  entries: readonly CompiledEntry[],
): number {
  return (
    candidates.reduce((sum, { key }) => sum + key.length + OFFER_BYTES, 4_096) +
    pages.reduce((sum, { items }) => sum + items.length, 0) +
    tools.reduce(
      (sum, { inputSchema, annotations, fixedArguments }) =>
        sum + (JSON.stringify([inputSchema, annotations, fixedArguments])?.length ?? 0),
      0,
    ) +
    problems.reduce((sum, { detail, subject = '' }) => sum + detail.length + subject.length + OFFER_BYTES, 0) +
    JSON.stringify(entries.map(({ upstream }) => upstream)).length
  );
}

/** Where clients may search, a tool that has the name of a search tool gets its longer one: both can be called then. */
function withoutReserved(
  all: readonly Candidate[],
  { presentation, nameBudget }: CompileTarget,
  problems: ProblemList,
): readonly Candidate[] {
  if (presentation === 'ALL') return all;
  return all.map((candidate) => {
    const { entry, name, key } = candidate;
    if (!isSearchTool(key)) return candidate;
    const renamed = named(candidate, exposedName(entry.id, entry.alias, name, nameBudget));
    const detail = `Clients search for tools by one that is called so; it is offered as ${renamed.key}.`;
    problems.add({ code: 'name_reserved', entryId: entry.id, subject: key, detail });
    return renamed;
  });
}

/**
 * Where two have the same name, both get the longer one that they have with `PREFIX`. So no server can hide the tool of
 * another, nor be called in its place: the name that both have means no one. Two of one server that cannot be told apart
 * are not offered, which hides nothing of others.
 */
function withoutClashes(all: readonly Candidate[], { nameBudget }: CompileTarget, problems: ProblemList): Candidate[] {
  const byKey = grouped(all, ({ key }) => key);
  const longer = new Map<Candidate, Candidate>();
  const clashes = [...byKey.values()].filter(({ length }) => length > 1);
  for (const clash of clashes) {
    for (const candidate of clash) {
      if (longer.has(candidate)) continue;
      const { entry, name } = candidate;
      const renamed = named(candidate, exposedName(entry.id, entry.alias, name, nameBudget));
      longer.set(candidate, renamed);
      // Another may have the longer name as it is: then that one is renamed, too.
      const namesakes = renamed.key === candidate.key ? [] : (byKey.get(renamed.key) ?? []);
      const bearers = namesakes.filter((other) => !longer.has(other));
      if (bearers.length > 0) clashes.push([candidate, ...bearers]);
    }
  }
  const offered = all.map((candidate) => longer.get(candidate) ?? candidate);
  const counts = grouped(offered, ({ key }) => key);
  for (const clash of clashes) problems.add(...clashProblems(clash, longer));
  return offered.filter(({ key }) => counts.get(key)?.length === 1);
}

function named(candidate: Candidate, key: string): Candidate {
  const renamed = (text: string) => withMembers(Buffer.from(text), { name: JSON.stringify(key) });
  const { text, legacyText } = candidate;
  return { ...candidate, key, text: renamed(text), legacyText: legacyText && renamed(legacyText) };
}

/** Of each with the first of them. */
function clashProblems(clash: readonly Candidate[], longer: ReadonlyMap<Candidate, Candidate>): Problem[] {
  const [first, ...others] = clash;
  const now = (candidate: Candidate) => longer.get(candidate)?.key ?? candidate.key;
  return others.flatMap((other) => {
    if (!first) return [];
    const outcome =
      now(first) === now(other) ? 'neither is offered' : `they are offered as ${now(first)} and ${now(other)}`;
    const detail = `${first.entry.key} (${first.name}) and ${other.entry.key} (${other.name}) have the same name: ${outcome}.`;
    const [entryId, otherEntryId] = [other.entry.id, first.entry.id];
    return { code: 'name_clash', entryId, otherEntryId, subject: other.key, detail };
  });
}

/** Addresses are not rewritten, because content of all kinds carries them. */
function firstOfEach(all: readonly Candidate[], problems: ProblemList): Candidate[] {
  const first = new Map<string, Candidate>();
  for (const candidate of all) {
    const earlier = first.get(candidate.key);
    if (!earlier) first.set(candidate.key, candidate);
    else
      problems.add({
        code: 'uri_taken',
        entryId: candidate.entry.id,
        otherEntryId: earlier.entry.id,
        subject: candidate.key,
        detail: `${earlier.entry.key} has it, too, and precedes ${candidate.entry.key}.`,
      });
  }
  return [...first.values()];
}

function atMost(most: number, all: Candidate[], problems: ProblemList): Candidate[] {
  const first = all[most];
  if (first) {
    const detail = `The bundle has ${all.length} tools, and an endpoint offers ${most}: ${first.key} and those after it are left out.`;
    problems.add({ code: 'too_many_tools', entryId: first.entry.id, subject: first.key, detail });
  }
  return all.slice(0, most);
}

function toolOffer(candidate: Candidate): ExposedTool {
  const { entry, name, digest, hints, inputSchema, shownSchema, annotations, fixedArguments } = candidate;
  const { isHeld, isPinned, wrapsOutput } = candidate;
  const repeats = (paramHeadersOf(inputSchema) ?? []).length > 0;
  return {
    ...{ entry, name, digest, hints, annotations, fixedArguments, isHeld, isPinned, wrapsOutput },
    paramHeaders: paramHeadersOf(shownSchema) ?? [],
    inputSchema: repeats ? inputSchema : undefined,
  };
}

function offersOf(candidates: readonly Candidate[]): Map<string, ExposedDefinition> {
  return new Map(
    candidates.map(({ key, entry, name, digest, hints, isHeld }) => [key, { entry, name, digest, hints, isHeld }]),
  );
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
