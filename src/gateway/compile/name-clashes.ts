import { isSearchTool } from '../search/search-tools';
import { type ClientDefinition, withLongName } from './client-definition';
import type { CompileTarget, Problem } from './compiled-bundle';
import { groupBy } from './group-by';
import type { ProblemList } from './problem-list';

/** Where clients may search, a tool that has the name of a search tool gets its longer one: both can be called then. */
export function withoutReservedNames(
  tools: readonly ClientDefinition[],
  { presentation, nameBudget }: CompileTarget,
  problems: ProblemList,
): readonly ClientDefinition[] {
  if (presentation === 'ALL') return tools;
  return tools.map((tool) => {
    if (!isSearchTool(tool.key)) return tool;
    const renamed = withLongName(tool, nameBudget);
    const detail = `Clients search for tools by one that is called so; it is offered as ${renamed.key}.`;
    problems.add({ code: 'name_reserved', entryId: tool.entry.id, subject: tool.key, detail });
    return renamed;
  });
}

/**
 * Where two have the same name, both get the longer one that they have with `PREFIX`. So no server can hide the tool of
 * another, nor be called in its place: the name that both have means no one. Two of one server that cannot be told apart
 * are not offered, which hides nothing of others.
 */
export function withoutNameClashes(
  definitions: readonly ClientDefinition[],
  { nameBudget }: CompileTarget,
  problems: ProblemList,
): ClientDefinition[] {
  const { clashes, renamed } = resolveClashes(definitions, nameBudget);
  for (const clash of clashes) problems.add(...clashProblems(clash, renamed));
  const renamedAll = definitions.map((definition) => renamed.get(definition) ?? definition);
  const byKey = groupBy(renamedAll, ({ key }) => key);
  return renamedAll.filter(({ key }) => byKey.get(key)?.length === 1);
}

/** The first one of each address or template. They are not rewritten, because content of all kinds carries them. */
export function firstOfEachAddress(
  definitions: readonly ClientDefinition[],
  problems: ProblemList,
): ClientDefinition[] {
  const byAddress = new Map<string, ClientDefinition>();
  for (const definition of definitions) {
    const { key, entry } = definition;
    const earlier = byAddress.get(key)?.entry;
    if (!earlier) {
      byAddress.set(key, definition);
      continue;
    }
    const detail = `${earlier.key} has it, too, and precedes ${entry.key}.`;
    problems.add({ code: 'uri_taken', entryId: entry.id, otherEntryId: earlier.id, subject: key, detail });
  }
  return [...byAddress.values()];
}

interface ResolvedClashes {
  /** Definitions that had the same name, or got it by being renamed. */
  readonly clashes: readonly (readonly ClientDefinition[])[];
  /** What became of each of them. */
  readonly renamed: ReadonlyMap<ClientDefinition, ClientDefinition>;
}

function resolveClashes(definitions: readonly ClientDefinition[], nameBudget: number): ResolvedClashes {
  const byKey = groupBy(definitions, ({ key }) => key);
  const clashes = [...byKey.values()].filter(({ length }) => length > 1);
  const renamed = new Map<ClientDefinition, ClientDefinition>();
  // Renaming can cause further clashes, which are added to the list while it is walked.
  for (const clash of clashes) {
    for (const definition of clash) {
      if (renamed.has(definition)) continue;
      const renamedOne = withLongName(definition, nameBudget);
      renamed.set(definition, renamedOne);
      if (renamedOne.key === definition.key) continue;
      const bearers = byKey.get(renamedOne.key)?.filter((other) => !renamed.has(other)) ?? [];
      if (bearers.length > 0) clashes.push([definition, ...bearers]);
    }
  }
  return { clashes, renamed };
}

/** One for each of them but the first, which it names. */
function clashProblems(
  [first, ...others]: readonly ClientDefinition[],
  renamed: ReadonlyMap<ClientDefinition, ClientDefinition>,
): Problem[] {
  if (!first) return [];
  const nowOf = (definition: ClientDefinition) => renamed.get(definition)?.key ?? definition.key;
  return others.map((other) => {
    const [firstNow, otherNow] = [nowOf(first), nowOf(other)];
    const outcome = firstNow === otherNow ? 'neither is offered' : `they are offered as ${firstNow} and ${otherNow}`;
    return {
      code: 'name_clash',
      entryId: other.entry.id,
      otherEntryId: first.entry.id,
      subject: other.key,
      detail: `${first.entry.key} (${first.name}) and ${other.entry.key} (${other.name}) have the same name: ${outcome}.`,
    };
  });
}
