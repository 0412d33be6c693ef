import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Pinning } from '../../bundles/entries/pinning';
import type { Columns } from '../../database/columns';
import { many } from '../../database/statements';
import type { StoredDefinition } from '../upstreams/upstream';
import type { ToolOverride } from './tool-override';
import type { ToolOverrideRow } from './tool-override.entity';
import { type ApprovedDigests, heldDigests, NO_RULES, toolKey, type ToolRules } from './tool-rules';
import { APPROVALS, BODIES, OVERRIDES, PINNINGS_OF } from './tool-rules.sql';

/** Approved definitions that one bundle lists in place of others have so many bytes; its list leaves out the rest. */
const MAX_BODY_BYTES = 16_777_216;

type OverrideRow = Pick<
  Columns<ToolOverrideRow>,
  | 'entry_id'
  | 'kind'
  | 'name'
  | 'is_enabled'
  | 'exposed_name'
  | 'title'
  | 'description'
  | 'annotations'
  | 'fixed_arguments'
>;
type ApprovalRow = Pick<OverrideRow, 'entry_id' | 'kind' | 'name'> & {
  digest: string;
  shown: string | null;
};

/** The rules of this bundle are read, as it is now, or as it was at the version. */
interface RuledBundle {
  readonly bundleId: string;
  readonly boundVersion: number | null;
}

/** An entry and its server; null: it cannot be reached from here. */
interface RuledEntry {
  readonly id: string;
  readonly upstream: { readonly id: string } | null;
}

/** Reads what bundles say of their tools, as it is now or as it was at a version. */
@Injectable()
export class ToolRulesReader {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Three statements, and one more where something has changed that is not approved.
   *
   * @param entries those that are compiled
   * @param definitions what their servers list
   */
  async read(
    { bundleId, boundVersion }: RuledBundle,
    entries: readonly RuledEntry[],
    definitions: readonly StoredDefinition[],
  ): Promise<ToolRules> {
    const values = [bundleId, boundVersion];
    const pinnings = await many<{ entry_id: string; pinning: Pinning }>(this.dataSource, PINNINGS_OF, values);
    const overrides = await many<OverrideRow>(this.dataSource, OVERRIDES, values);
    const isPinned = pinnings.some(({ pinning }) => pinning === 'APPROVE');
    const approvals = isPinned ? await many<ApprovalRow>(this.dataSource, APPROVALS, values) : [];
    const rules: ToolRules = {
      ...NO_RULES,
      pinnings: new Map(pinnings.map(({ entry_id, pinning }) => [entry_id, pinning])),
      approvals: approvalsIn(approvals),
      overrides: new Map(overrides.map((row) => [toolKey(row.entry_id, row.kind, row.name), toOverride(row)])),
    };
    const served = entries.flatMap(({ id, upstream }) => (upstream ? [{ id, upstreamId: upstream.id }] : []));
    const held = heldDigests(rules, served, definitions);
    return held.length === 0 ? rules : { ...rules, bodies: await this.bodies(bundleId, held) };
  }

  /** @returns canonical JSON by digest in hex, of those that are known and fit */
  private async bodies(bundleId: string, digests: readonly string[]): Promise<Map<string, string>> {
    const rows = await many<{ digest: string; body: string }>(this.dataSource, BODIES, [
      bundleId,
      digests.map((digest) => Buffer.from(digest, 'hex')),
      MAX_BODY_BYTES,
    ]);
    return new Map(rows.map(({ digest, body }) => [digest, body]));
  }
}

function approvalsIn(rows: readonly ApprovalRow[]): Map<string, ApprovedDigests> {
  const approvals = new Map<string, { all: Set<string>; latest: string; shown: Map<string, string> }>();
  for (const { entry_id, kind, name, digest, shown } of rows) {
    const key = toolKey(entry_id, kind, name);
    const known = approvals.get(key) ?? { all: new Set(), latest: digest, shown: new Map() };
    known.all.add(digest);
    known.latest = digest;
    if (shown !== null) known.shown.set(digest, shown);
    approvals.set(key, known);
  }
  return approvals;
}

/** @returns the override in a row */
export function toOverride(row: Omit<OverrideRow, 'entry_id' | 'kind' | 'name'>): ToolOverride {
  return {
    isEnabled: row.is_enabled,
    exposedName: row.exposed_name,
    title: row.title,
    description: row.description,
    annotations: row.annotations,
    fixedArguments: row.fixed_arguments,
  };
}
