import { nextTurn } from '../../http/requests/next-turn';
import { definitionDigest, shownDigest } from '../protocol/definition-digest';
import {
  DEFINITION_KINDS,
  type DefinitionKind,
  type ListUsage,
  type OmittedDefinition,
  readDefinitions,
  type ReadPage,
} from '../protocol/definition-list';
import { isObject } from '../protocol/json-rpc';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { type DefinitionToStore, FOR_NONE, type Listing, type UpstreamInfo } from './upstream-listing';

const KINDS = Object.keys(DEFINITION_KINDS) as DefinitionKind[];
/** The capability that says whether there are any. */
const CAPABILITY_OF: Readonly<Record<DefinitionKind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resources',
};
const DIGESTS_PER_TURN = 50;

/**
 * Reads all lists that an upstream offers. One that is not answered says nothing of the others.
 *
 * @param page reads a page of a list
 * @param skipped kinds that are not asked for
 * @returns what was read, also if a list failed; as listed for clients without capabilities
 */
export async function readLists(
  about: UpstreamInfo,
  page: ReadPage,
  skipped: ReadonlySet<DefinitionKind> = new Set(),
): Promise<Listing> {
  const readFor = new Map<DefinitionKind, number>();
  const definitions: DefinitionToStore[] = [];
  const leftOut: OmittedDefinition[] = [];
  const brokenOff = new Map<DefinitionKind, string>();
  let ttlMs: number | undefined;
  let failure: UpstreamFailure | undefined;
  const unanswered = new Set<DefinitionKind>();
  let hasAnswered = false;
  const offered = offeredBy(about);
  const use: ListUsage = { definitions: 0, bytes: 0, omitted: 0 };
  for (const kind of KINDS) {
    if (!offered(kind)) {
      readFor.set(kind, FOR_NONE);
      continue;
    }
    if (skipped.has(kind)) continue;
    try {
      const list = await readDefinitions(kind, page, use);
      hasAnswered = true;
      readFor.set(kind, FOR_NONE);
      leftOut.push(...list.leftOut);
      if (list.failure) brokenOff.set(kind, list.failure.message);
      if (list.failure?.isOfTransport) {
        failure ??= list.failure;
        unanswered.add(kind);
      }
      if (list.ttlMs !== undefined) ttlMs = Math.min(ttlMs ?? Infinity, list.ttlMs);
      for (const [place, { name, body, text }] of list.definitions.entries()) {
        const digests = { digest: definitionDigest(body), shownDigest: shownDigest(body) };
        definitions.push({ kind, name, place, ...digests, body: text, listedFor: FOR_NONE });
        if (place % DIGESTS_PER_TURN === DIGESTS_PER_TURN - 1) await nextTurn();
      }
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      failure ??= error;
      if (error.isOfTransport) unanswered.add(kind);
      else hasAnswered = true;
    }
  }
  return {
    ...{ about, readFor, definitions, leftOut, brokenOff, unanswered, ttlMs, sets: [] },
    isDown: unanswered.size > 0 && !hasAnswered,
    error: failure?.message ?? null,
  };
}

/** Servers that declare nothing at all have tools: nothing else would be a reason to be one. */
function offeredBy({ capabilities }: UpstreamInfo): (kind: DefinitionKind) => boolean {
  const declared = KINDS.filter((kind) => isObject(capabilities[CAPABILITY_OF[kind]]));
  return (kind) => (declared.length === 0 ? kind === 'tool' : declared.includes(kind));
}
