import { FORMER_PINNING, type Pinning } from '../../bundles/entries/pinning';
import { withShown } from '../protocol/definition-digest';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { rewritten } from '../protocol/json-splice';
import type { DefinitionKind } from '../protocol/definition-list';
import type { StoredDefinition } from '../upstreams/upstream';
import { isToolKind, type ToolKind } from './tool-kinds';
import { NO_OVERRIDE, overridden, type ToolOverride } from './tool-override';

/** The definitions of one tool that are approved. */
export interface ApprovedDigests {
  /** In hex. */
  readonly all: ReadonlySet<string>;
  /** The one that was approved last: it stays in the list when the server has another one that is not approved. */
  readonly latest: string;
  /** By digest, what was approved besides (`shownText`), in hex; none: whatever it is. */
  readonly shown?: ReadonlyMap<string, string>;
}

/** What a bundle says of the tools of its entries. Immutable. */
export interface ToolRules {
  /** By entry. */
  readonly pinnings: ReadonlyMap<string, Pinning>;
  /** By `toolKey`. */
  readonly approvals: ReadonlyMap<string, ApprovedDigests>;
  /** By `toolKey`. */
  readonly overrides: ReadonlyMap<string, ToolOverride>;
  /** The approved definitions that are listed in place of others, by digest in hex: canonical JSON. */
  readonly bodies: ReadonlyMap<string, string>;
}

/** A bundle that says nothing has these rules. */
export const NO_RULES: ToolRules = {
  pinnings: new Map(),
  approvals: new Map(),
  overrides: new Map(),
  bodies: new Map(),
};

/** What a definition is under the rules of its bundle. */
export type RuledDefinition =
  | {
      readonly state: 'listed' | 'changed';
      /** As the server has it now, or the approved one. */
      readonly definition: JsonObject;
      /** The same as JSON. */
      readonly text: string;
      /** The same as clients see it, but for its name. */
      readonly shown: JsonObject;
      readonly override: ToolOverride;
    }
  /** `new`: no one has approved any definition of it. `lost`: it has changed, and the approved one is no longer known. */
  | { readonly state: 'new' | 'lost' | 'disabled' | 'invalid' };

/** @param name as the server has it */
export function toolKey(entryId: string, kind: DefinitionKind, name: string): string {
  return `${entryId} ${kind} ${name}`;
}

/** What clients get of a definition that a server lists. */
export function ruledDefinition(rules: ToolRules, entryId: string, stored: StoredDefinition): RuledDefinition {
  const { kind, name, body } = stored;
  const present: unknown = JSON.parse(body);
  if (!isObject(present)) return { state: 'invalid' };
  if (!isToolKind(kind) || stored.ofEntry !== undefined)
    return { state: 'listed', definition: present, text: body, shown: present, override: NO_OVERRIDE };
  const override = rules.overrides.get(toolKey(entryId, kind, name)) ?? NO_OVERRIDE;
  if (!override.isEnabled) return { state: 'disabled' };
  const approved = standIn(rules, entryId, kind, stored);
  const shown = approvedShown(rules, entryId, kind, stored);
  const bodyOf = (digest: string | undefined) => (digest === undefined ? undefined : rules.bodies.get(digest));
  if (approved === 'none') {
    if (shown === undefined || shown === stored.shown) return ruled('listed', kind, body, present, override);
    // Nothing that changes all the time can be approved: what was is shown, and that is all.
    const state = stored.isUnsteady ? 'listed' : 'changed';
    return ruled(state, kind, body, present, override, { shown: bodyOf(shown) });
  }
  if (approved === undefined) return { state: 'new' };
  const held = bodyOf(approved);
  if (held === undefined) return { state: 'lost' };
  return ruled('changed', kind, held, JSON.parse(held) as JsonObject, override, { shown: bodyOf(shown) });
}

/** @returns the digests of the approved definitions that are listed in place of what servers list */
export function heldDigests(
  rules: ToolRules,
  entries: readonly { readonly id: string; readonly upstreamId: string }[],
  definitions: readonly StoredDefinition[],
): string[] {
  const pinned = entries.filter(({ id }) => rules.pinnings.get(id) === 'APPROVE');
  if (pinned.length === 0) return [];
  const entriesOf = new Map<string, string[]>();
  for (const { id, upstreamId } of pinned) entriesOf.set(upstreamId, [...(entriesOf.get(upstreamId) ?? []), id]);
  const digests = new Set<string>();
  for (const stored of definitions) {
    const { kind } = stored;
    if (!isToolKind(kind)) continue;
    for (const id of entriesOf.get(stored.upstreamId) ?? []) {
      const digest = standIn(rules, id, kind, stored);
      if (digest !== undefined && digest !== 'none') digests.add(digest);
      const shown = approvedShown(rules, id, kind, stored);
      if (shown !== undefined && shown !== stored.shown) digests.add(shown);
    }
  }
  return [...digests];
}

/** @returns the digest of the definition that is listed instead; 'none': it is served as it is; undefined: it is new */
function standIn(
  { pinnings, approvals }: ToolRules,
  entryId: string,
  kind: ToolKind,
  { name, digest }: StoredDefinition,
): string | undefined {
  if ((pinnings.get(entryId) ?? FORMER_PINNING) !== 'APPROVE') return 'none';
  const approved = approvals.get(toolKey(entryId, kind, name));
  return approved?.all.has(digest.toString('hex')) ? 'none' : approved?.latest;
}

/** @returns what was approved for clients to show, of the definition that is listed or stands in for it */
function approvedShown(
  { pinnings, approvals }: ToolRules,
  entryId: string,
  kind: ToolKind,
  { name, digest, shown }: StoredDefinition,
): string | undefined {
  if ((pinnings.get(entryId) ?? FORMER_PINNING) !== 'APPROVE') return undefined;
  const approved = approvals.get(toolKey(entryId, kind, name));
  const present = digest.toString('hex');
  if (!approved) return undefined;
  if (!approved.all.has(present)) return approved.shown?.get(approved.latest);
  // It was not read since there is a second digest.
  return shown == null ? undefined : approved.shown?.get(present);
}

/** @param body what the text says @param replacement what clients show in place of its own, as JSON; absent: its own */
function ruled(
  state: 'listed' | 'changed',
  kind: ToolKind,
  text: string,
  body: JsonObject,
  override: ToolOverride,
  replacement?: { readonly shown: string | undefined },
): RuledDefinition {
  if (!replacement) return { state, definition: body, text, shown: overridden(kind, body, override), override };
  const part = replacement.shown === undefined ? undefined : (JSON.parse(replacement.shown) as JsonObject);
  const definition = withShown(body, part);
  const written = rewritten(Buffer.from(text), body, definition);
  return { state, definition, text: written, shown: overridden(kind, definition, override), override };
}
