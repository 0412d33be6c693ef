import type { CompiledBundle, CompiledEntry, ExposedDefinition, Problem } from '../compile/compiled-bundle';
import {
  type EndpointEntryOut,
  type EndpointEntryState,
  type EndpointNameOut,
  type EndpointProblemOut,
  type EndpointReportOut,
  MAX_PROBLEMS,
} from './endpoint-report.dto';

/** Bytes of JSON that one token of a model stands for, roughly. */
const BYTES_PER_TOKEN = 4;

/** What of the report a compiled bundle does not know. */
export type ReportHead = Pick<
  EndpointReportOut,
  'bundle_id' | 'is_enabled' | 'version' | 'naming' | 'name_budget' | 'policy_findings'
>;

/** @param pausedFor for how many seconds the breaker of an entry is still open */
export function entriesOf(bundle: CompiledBundle, pausedFor: (entryId: string) => number): EndpointEntryOut[] {
  const counts = {
    tool_count: countsOf(bundle.tools),
    prompt_count: countsOf(bundle.prompts),
    resource_count: countsOf(bundle.resources),
    template_count: countsOf(bundle.templates),
  };
  const compiledIds = new Set(bundle.entries.map(({ id }) => id));
  const hidden = bundle.problems.filter(({ code, entryId }) => code === 'unavailable' && !compiledIds.has(entryId));
  const entries = bundle.entries.map((entry) => ({
    ...compiledEntry(entry, bundle.problems),
    paused_for: pausedFor(entry.id),
  }));
  return [...entries, ...hidden.map(hiddenEntry)].map((entry) => ({
    ...entry,
    tool_count: counts.tool_count.get(entry.entry_id) ?? 0,
    prompt_count: counts.prompt_count.get(entry.entry_id) ?? 0,
    resource_count: counts.resource_count.get(entry.entry_id) ?? 0,
    template_count: counts.template_count.get(entry.entry_id) ?? 0,
  }));
}

/** @param entries as `entriesOf` gives them */
export function reportOf(head: ReportHead, bundle: CompiledBundle, entries: EndpointEntryOut[]): EndpointReportOut {
  const bytes = bundle.pages['tools/list'].reduce((sum, { items }) => sum + items.length, 0);
  return {
    ...head,
    entries,
    tools: namesOf(bundle.tools),
    prompts: namesOf(bundle.prompts),
    problems: bundle.problems.slice(0, MAX_PROBLEMS).map(toProblem),
    problem_count: bundle.problemCount,
    tools_bytes: bytes,
    tools_tokens: Math.ceil(bytes / BYTES_PER_TOKEN),
  };
}

type Uncounted = Omit<EndpointEntryOut, 'tool_count' | 'prompt_count' | 'resource_count' | 'template_count'>;

function compiledEntry(entry: CompiledEntry, problems: readonly Problem[]): Omit<Uncounted, 'paused_for'> {
  const { upstream } = entry;
  const obstacle = problems.find(
    ({ code, entryId, subject }) => entryId === entry.id && subject === undefined && code !== 'endpoint_url_kept',
  );
  const state = stateOf(upstream, obstacle);
  return {
    entry_id: entry.id,
    key: entry.key,
    alias: entry.alias,
    listing_name: entry.listingName,
    listing_version: entry.listingVersion,
    state,
    reason: state === 'READY' ? null : (upstream?.listError ?? obstacle?.detail ?? null),
    modern_revision: upstream?.modern ?? null,
    legacy_revision: upstream?.legacy ?? null,
    credential_state: entry.credential?.state ?? null,
    listed_at: upstream?.listedAt?.toISOString() ?? null,
  };
}

function stateOf(upstream: CompiledEntry['upstream'], obstacle: Problem | undefined): EndpointEntryState {
  if (!upstream) return obstacle?.code === 'unavailable' ? 'UNAVAILABLE' : 'OUT_OF_REACH';
  if (upstream.listError !== null) return 'FAILING';
  return upstream.listedAt === null ? 'WAITING' : 'READY';
}

function hiddenEntry({ entryId, detail }: Problem): Uncounted {
  return {
    entry_id: entryId,
    key: null,
    alias: null,
    listing_name: null,
    listing_version: null,
    state: 'UNAVAILABLE',
    reason: detail,
    modern_revision: null,
    legacy_revision: null,
    credential_state: null,
    listed_at: null,
    paused_for: 0,
  };
}

function countsOf(offers: ReadonlyMap<string, ExposedDefinition>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { entry } of offers.values()) counts.set(entry.id, (counts.get(entry.id) ?? 0) + 1);
  return counts;
}

function namesOf(offers: ReadonlyMap<string, ExposedDefinition>): EndpointNameOut[] {
  return [...offers].map(([name, { entry, name: upstreamName }]) => {
    return { name, entry_id: entry.id, upstream_name: upstreamName };
  });
}

function toProblem({ code, entryId, otherEntryId, subject, detail }: Problem): EndpointProblemOut {
  return { code, entry_id: entryId, other_entry_id: otherEntryId ?? null, subject: subject ?? null, detail };
}
