import { nextTurn, restingTurn } from '../../http/requests/next-turn';
import { DEFINITION_KINDS, type DefinitionKind } from '../protocol/definition-list';
import { allowedBy, inTurns } from '../rules/allowed';
import { OPEN_POLICY, type Policy } from '../rules/policy';
import { NO_RULES, type ToolRules } from '../rules/tool-rules';
import { SEARCH_DEFINITIONS } from '../search/search-tools';
import { isSearched, ToolSearch } from '../search/tool-search';
import type { StoredDefinition } from '../upstreams/upstream';
import { type ClientDefinition, clientDefinitionOf, exposedDefinitions, exposedTools } from './client-definition';
import {
  BARE_CLIENT,
  type CompiledBundle,
  type CompiledEntry,
  type CompileTarget,
  type ExposedTool,
  isReachable,
  type ListPage,
  type Problem,
  type ReachableEntry,
} from './compiled-bundle';
import { groupBy } from './group-by';
import { digestOfPages, listPages } from './list-pages';
import { firstOfEachAddress, withoutNameClashes, withoutReservedNames } from './name-clashes';
import { ProblemList } from './problem-list';
import { extensionsOf, instructionsOf } from './server-declarations';
import { serverProblems } from './server-problems';

/** How many tools an endpoint offers: clients have trouble with a hundred. */
export const MAX_TOOLS = 5_000;
/** An exposed definition, its key and its place in a map; roughly. The same for a problem. */
const ITEM_BYTES = 512;
/** Everything else of a bundle; roughly. */
const BASE_BYTES = 4_096;
/** What is compiled faster is compiled without rests in which nothing goes on. */
const SHORT_MS = 10;

const TOO_MUCH =
  'The definitions of the entries before it are as much as an endpoint can offer (32 MiB), so its own are left out.';

const KINDS = Object.keys(DEFINITION_KINDS) as DefinitionKind[];
type ByKind = Readonly<Record<DefinitionKind, readonly ClientDefinition[]>>;
type Pages = CompiledBundle['pages'];

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
  const began = performance.now();
  const problems = new ProblemList();
  problems.add(...known);
  const listed = await listedByServers(target, entries, definitions, tooMuch, rules, problems);
  const offered = withUniqueKeys(listed, target, problems);
  const allowed = await allowedOf(offered, policy);
  const search = isSearched(target.presentation, allowed.tool.length) ? await ToolSearch.of(allowed.tool) : undefined;
  await restIfLong(began);
  const pages = pagesOf(allowed, search);
  await restIfLong(began);
  const legacyPages = search ? pages : legacyPagesOf(pages, allowed.tool);
  await restIfLong(began);
  const tools = await exposedTools(allowed.tool);
  const declaring = declaringEntries(entries, policy, offered, allowed);
  const content = {
    entries,
    tools,
    prompts: exposedDefinitions(allowed.prompt),
    resources: exposedDefinitions(allowed.resource),
    templates: exposedDefinitions(allowed.template),
    problems: problems.all,
    pages,
    legacyPages,
    search,
  };
  return {
    ...content,
    bundleId: target.bundleId,
    client: target.client ?? BARE_CLIENT,
    serverInfo: { name: target.slug, title: target.name, version: String(target.version) },
    problemCount: problems.count,
    // What legacy clients get follows from what the others get.
    digests: {
      tools: digestOfPages(pages['tools/list']),
      prompts: digestOfPages(pages['prompts/list']),
      resources: digestOfPages(pages['resources/list'], pages['resources/templates/list']),
    },
    policy,
    instructions: instructionsOf(declaring),
    extensions: extensionsOf(declaring),
    bytes: bytesOf(allowed, content),
  };
}

/** Others get a turn between the parts of a large bundle. */
async function restIfLong(began: number): Promise<void> {
  if (performance.now() - began > SHORT_MS) await restingTurn();
}

/** The definitions of all servers, in the order of the entries and then of their keys. */
async function listedByServers(
  target: CompileTarget,
  entries: readonly CompiledEntry[],
  definitions: readonly StoredDefinition[],
  tooMuch: ReadonlySet<string>,
  rules: ToolRules,
  problems: ProblemList,
): Promise<ByKind> {
  const listed: Record<DefinitionKind, ClientDefinition[]> = { tool: [], prompt: [], resource: [], template: [] };
  const byUpstream = groupBy(definitions, ({ upstreamId }) => upstreamId);
  for (const entry of entries.filter(isReachable)) {
    const stored = byUpstream.get(entry.upstream.id);
    problems.add(...serverProblems(entry, stored !== undefined || tooMuch.has(entry.id)));
    if (tooMuch.has(entry.id)) {
      problems.add({ code: 'left_out', entryId: entry.id, detail: TOO_MUCH });
      continue;
    }
    const ofEntry: Record<DefinitionKind, ClientDefinition[]> = { tool: [], prompt: [], resource: [], template: [] };
    for await (const definition of inTurns(stored ?? [])) {
      if (definition.ofEntry !== undefined && definition.ofEntry !== entry.id) continue;
      const clientDefinition = clientDefinitionOf(target, entry, definition, rules, problems);
      if (clientDefinition) ofEntry[definition.kind].push(clientDefinition);
    }
    for (const kind of KINDS) listed[kind].push(...ofEntry[kind].sort(byKey));
    await nextTurn();
  }
  return listed;
}

/** By code units, so that the order is the same everywhere. */
function byKey({ key: one }: ClientDefinition, { key: other }: ClientDefinition): number {
  return one < other ? -1 : Number(one > other);
}

function withUniqueKeys(listed: ByKind, target: CompileTarget, problems: ProblemList): ByKind {
  const unreserved = withoutReservedNames(listed.tool, target, problems);
  return {
    tool: firstTools(withoutNameClashes(unreserved, target, problems), problems),
    prompt: withoutNameClashes(listed.prompt, target, problems),
    resource: firstOfEachAddress(listed.resource, problems),
    template: firstOfEachAddress(listed.template, problems),
  };
}

function firstTools(tools: ClientDefinition[], problems: ProblemList): ClientDefinition[] {
  const excess = tools[MAX_TOOLS];
  if (!excess) return tools;
  const detail = `The bundle has ${tools.length} tools, and an endpoint offers ${MAX_TOOLS}: ${excess.key} and those after it are left out.`;
  problems.add({ code: 'too_many_tools', entryId: excess.entry.id, subject: excess.key, detail });
  return tools.slice(0, MAX_TOOLS);
}

async function allowedOf(offered: ByKind, policy: Policy): Promise<ByKind> {
  return {
    tool: await allowedBy(policy, offered.tool),
    prompt: await allowedBy(policy, offered.prompt),
    resource: await allowedBy(policy, offered.resource),
    template: await allowedBy(policy, offered.template),
  };
}

function pagesOf({ tool, prompt, resource, template }: ByKind, search: ToolSearch | undefined): Pages {
  return {
    'tools/list': listPages('tools', search ? SEARCH_DEFINITIONS : textsOf(tool)),
    'prompts/list': listPages('prompts', textsOf(prompt)),
    'resources/list': listPages('resources', textsOf(resource)),
    'resources/templates/list': listPages('resourceTemplates', textsOf(template)),
  };
}

/** The same object if no tool differs. */
function legacyPagesOf(pages: Pages, tools: readonly ClientDefinition[]): Pages {
  if (tools.every(({ legacyText }) => legacyText === undefined)) return pages;
  const texts = tools.map(({ text, legacyText }) => legacyText ?? text);
  return { ...pages, 'tools/list': listPages('tools', texts) };
}

function textsOf(definitions: readonly ClientDefinition[]): string[] {
  return definitions.map(({ text }) => text);
}

/** The servers whose declarations are passed on: not of one that offers something, but nothing that they may use. */
function declaringEntries(
  entries: readonly CompiledEntry[],
  policy: Policy,
  offered: ByKind,
  allowed: ByKind,
): ReachableEntry[] {
  const reachable = entries.filter(isReachable);
  if (policy.isOpen) return reachable;
  const [offering, usable] = [entryIdsOf(offered), entryIdsOf(allowed)];
  return reachable.filter(({ id }) => usable.has(id) || !offering.has(id));
}

function entryIdsOf(definitions: ByKind): Set<string> {
  return new Set(
    Object.values(definitions)
      .flat()
      .map(({ entry }) => entry.id),
  );
}

/** About what a compiled bundle has in memory. */
function bytesOf(
  allowed: ByKind,
  {
    entries,
    tools,
    problems,
    pages,
    legacyPages,
    search,
  }: Pick<CompiledBundle, 'entries' | 'tools' | 'problems' | 'pages' | 'legacyPages' | 'search'>,
): number {
  const lists = new Set<readonly ListPage[]>([...Object.values(pages), ...Object.values(legacyPages)]);
  return (
    BASE_BYTES +
    sum(Object.values(allowed).flat(), ({ key }) => key.length + ITEM_BYTES) +
    sum([...lists].flat(), ({ items }) => items.length) +
    sum([...tools.values()], bytesOfTool) +
    sum(problems, ({ detail, subject = '' }) => detail.length + subject.length + ITEM_BYTES) +
    JSON.stringify(entries.map(({ upstream }) => upstream)).length +
    (search?.bytes ?? 0)
  );
}

function bytesOfTool({ inputSchema, annotations, fixedArguments }: ExposedTool): number {
  return JSON.stringify([inputSchema, annotations, fixedArguments]).length;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
