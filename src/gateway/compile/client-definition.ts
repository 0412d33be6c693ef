import { inTurns } from '../rules/allowed';
import type { DefinitionKind } from '../protocol/definition-list';
import { exposedName } from '../protocol/exposed-name';
import type { JsonObject } from '../protocol/json-rpc';
import { rewritten, withMembers } from '../protocol/json-splice';
import { paramHeadersOf } from '../protocol/mirrored-headers';
import { isWrapped } from '../protocol/output-wrapping';
import { passingMeta } from '../protocol/translate';
import { missingArguments } from '../rules/fixed-arguments';
import { type Hints, hintsOf, READS } from '../rules/tool-hints';
import type { ToolOverride } from '../rules/tool-override';
import { ruledDefinition, type ToolRules } from '../rules/tool-rules';
import type { StoredDefinition } from '../upstreams/upstream';
import type { CompileTarget, ExposedDefinition, ExposedTool, Problem, ReachableEntry } from './compiled-bundle';
import type { ProblemList } from './problem-list';
import { legacyTextOf, problemOfRules, tooLong, unclearName, validDefinition } from './valid-definition';

/** A definition of a server as clients would see it. */
export interface ClientDefinition {
  readonly entry: ReachableEntry;
  /** As its server calls it. */
  readonly name: string;
  /** As clients call it: an exposed name, an address or a template. */
  readonly key: string;
  /** JSON, for the list. */
  readonly text: string;
  /** The same for clients of the legacy era; undefined: it is the same. */
  readonly legacyText: string | undefined;
  readonly wrapsOutput: boolean;
  readonly digest: Buffer;
  /** As its server has it, or had it when it was approved. */
  readonly inputSchema: unknown;
  /** Clients see this input schema and these annotations of a tool. */
  readonly shownSchema: unknown;
  readonly annotations: unknown;
  readonly hints: Hints;
  readonly fixedArguments: JsonObject | null;
  /** Whether it is listed as it was approved, and not called. */
  readonly isHeld: boolean;
  readonly isPinned: boolean;
}

type Report = (problem: Pick<Problem, 'code' | 'detail'>) => void;

/**
 * Applies to a definition what the bundle says of it: rules, override, name.
 *
 * @param problems receives what is wrong with it
 * @returns undefined if clients cannot get it
 */
export function clientDefinitionOf(
  target: CompileTarget,
  entry: ReachableEntry,
  stored: StoredDefinition,
  rules: ToolRules,
  problems: ProblemList,
): ClientDefinition | undefined {
  const { kind, name } = stored;
  const report: Report = (problem) => problems.add({ ...problem, entryId: entry.id, subject: name });
  const ruled = ruledDefinition(rules, entry.id, stored);
  const problemOfRule = problemOfRules(ruled);
  if (problemOfRule) report(problemOfRule);
  // In a report, the one of the name that needs fewer capabilities stands for it.
  if (!('shown' in ruled) || stored.isVariant) return undefined;

  const { definition, override, state } = ruled;
  const chosenName = usableName(override, entry, name, target, problems);
  const shown = validDefinition(kind, ruled.shown, report);
  if (!shown) return undefined;
  const key = keyOf(kind, name, chosenName, entry, target, report);
  const body = bodyFor(kind, shown, key);
  const text = rewritten(Buffer.from(ruled.text), definition, body);
  reportMissingArguments(override, definition, report);
  return {
    entry,
    name,
    key,
    text,
    legacyText: kind === 'tool' ? legacyTextOf(text, body) : undefined,
    wrapsOutput: kind === 'tool' && isWrapped(shown.outputSchema),
    digest: stored.digest,
    inputSchema: definition.inputSchema,
    shownSchema: shown.inputSchema,
    annotations: shown.annotations,
    // A tool of this service changes nothing at a server, so who may only read may connect.
    hints: stored.ofEntry === undefined ? hintsOf(kind, shown.annotations) : READS,
    fixedArguments: override.fixedArguments,
    isHeld: state === 'changed',
    isPinned: rules.pinnings.get(entry.id) === 'APPROVE',
  };
}

/** @returns the same by the longer name that it has with `PREFIX` */
export function withLongName(definition: ClientDefinition, nameBudget: number): ClientDefinition {
  const { entry, name, text, legacyText } = definition;
  const key = exposedName(entry.id, entry.alias, name, nameBudget);
  const renamed = (json: string) => withMembers(Buffer.from(json), { name: JSON.stringify(key) });
  return { ...definition, key, text: renamed(text), legacyText: legacyText && renamed(legacyText) };
}

/** Other requests get turns between the tools. */
export async function exposedTools(definitions: readonly ClientDefinition[]): Promise<Map<string, ExposedTool>> {
  const tools = new Map<string, ExposedTool>();
  for await (const definition of inTurns(definitions)) tools.set(definition.key, exposedTool(definition));
  return tools;
}

export function exposedDefinitions(definitions: readonly ClientDefinition[]): Map<string, ExposedDefinition> {
  return new Map(
    definitions.map(({ key, entry, name, digest, hints, isHeld }) => [key, { entry, name, digest, hints, isHeld }]),
  );
}

/** @returns the name that the override gives it, if it is not too long; null: none */
function usableName(
  override: ToolOverride,
  entry: ReachableEntry,
  name: string,
  { nameBudget }: CompileTarget,
  problems: ProblemList,
): string | null {
  if ((override.exposedName?.length ?? 0) <= nameBudget) return override.exposedName;
  problems.add(tooLong(entry, name, override));
  return null;
}

/** Tools and prompts have names, which the bundle decides; addresses and templates stay as they are. */
function keyOf(
  kind: DefinitionKind,
  name: string,
  chosenName: string | null,
  entry: ReachableEntry,
  { naming, nameBudget }: CompileTarget,
  report: Report,
): string {
  if (!isNamed(kind)) return name;
  if (chosenName) return chosenName;
  const unclear = naming === 'PLAIN' && chosenName === null ? unclearName(name) : undefined;
  if (unclear) report(unclear);
  if (naming !== 'PREFIX' && !unclear) return name;
  return exposedName(entry.id, entry.alias, name, nameBudget);
}

function bodyFor(kind: DefinitionKind, shown: JsonObject, key: string): JsonObject {
  const { _meta, execution: _execution, ...body } = shown;
  const meta = passingMeta(_meta);
  return { ...body, ...(isNamed(kind) ? { name: key } : {}), ...(meta ? { _meta: meta } : {}) };
}

function isNamed(kind: DefinitionKind): boolean {
  return kind === 'tool' || kind === 'prompt';
}

function reportMissingArguments({ fixedArguments }: ToolOverride, { inputSchema }: JsonObject, report: Report): void {
  const missing = fixedArguments ? missingArguments(inputSchema, fixedArguments) : [];
  if (missing.length === 0) return;
  const detail = `Its definition has no such argument any more, which is given to it anyway: ${missing.join(', ')}.`;
  report({ code: 'fixed_argument_gone', detail });
}

function exposedTool(definition: ClientDefinition): ExposedTool {
  const { entry, name, digest, hints, annotations, fixedArguments } = definition;
  const { isHeld, isPinned, wrapsOutput, inputSchema, shownSchema } = definition;
  const paramHeaders = paramHeadersOf(shownSchema) ?? [];
  const serverHeaders = inputSchema === shownSchema ? paramHeaders : (paramHeadersOf(inputSchema) ?? []);
  return {
    entry,
    name,
    digest,
    hints,
    annotations,
    fixedArguments,
    isHeld,
    isPinned,
    wrapsOutput,
    paramHeaders,
    inputSchema: serverHeaders.length > 0 ? inputSchema : undefined,
  };
}
