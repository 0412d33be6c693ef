import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { execute, many } from '../../database/statements';
import { digestedText, shownDigest, shownText } from '../protocol/definition-digest';
import type { JsonObject } from '../protocol/json-rpc';
import type { ToolKind } from '../rules/tool-kinds';
import {
  APPROVE,
  KEEP_DEFINITIONS,
  LISTED_BODIES,
  LISTED_THESE,
  NOTE_USE_OF_DEFINITIONS,
  RAISE_STAMP,
  WITHDRAW_OLDEST,
} from './tool-history.sql';

/** Definitions, of up to 256 KiB each, that are in memory at once. */
const BODIES_AT_ONCE = 50;

/** A definition that a server of an entry lists now. */
export interface ListedDefinition {
  readonly entry_id: string;
  readonly kind: ToolKind;
  readonly name: string;
  readonly digest: Buffer;
}

/** A definition as an editor has seen it. */
export interface ReviewedDefinition extends ListedDefinition {
  /** What clients show besides; null: the editor did not look at that. */
  readonly shownDigest: Buffer | null;
}

/** A tool by what it is. */
export type ToolPlace = Pick<ListedDefinition, 'entry_id' | 'kind' | 'name'>;

/** @returns the indexes of those that servers still list as they were reviewed */
export async function indexesOfListed(
  manager: EntityManager,
  bundleId: string,
  reviewed: readonly ReviewedDefinition[],
): Promise<ReadonlySet<number>> {
  const shownDigests = reviewed.map(({ shownDigest }) => shownDigest);
  const values = [bundleId, ...columnsOf(reviewed), shownDigests];
  const rows = await many<{ place: number }>(manager, LISTED_THESE, values);
  // PostgreSQL counts from 1.
  return new Set(rows.map(({ place }) => place - 1));
}

/**
 * Approves definitions.
 *
 * @param manager of a transaction that has locked the bundle
 * @param version of the bundle from which on that holds
 * @returns those that were not approved before
 */
export async function approveDefinitions(
  manager: EntityManager,
  { userId }: Caller,
  bundleId: string,
  version: number,
  listed: readonly ListedDefinition[],
): Promise<ToolPlace[]> {
  if (listed.length === 0) return [];
  const values = [bundleId, version, userId, ...columnsOf(listed)];
  const approved = await many<ToolPlace>(manager, APPROVE, values);
  if (approved.length === 0) return [];
  await keepDefinitions(manager, bundleId, listed);
  await execute(manager, WITHDRAW_OLDEST, [bundleId, version]);
  // What clients showed of a definition may have been approved before, and not be any more.
  await execute(manager, NOTE_USE_OF_DEFINITIONS, [bundleId]);
  await execute(manager, RAISE_STAMP, [bundleId]);
  return approved;
}

async function keepDefinitions(
  manager: EntityManager,
  bundleId: string,
  listed: readonly ListedDefinition[],
): Promise<void> {
  for (let done = 0; done < listed.length; done += BODIES_AT_ONCE)
    await keepSome(manager, bundleId, listed.slice(done, done + BODIES_AT_ONCE));
}

/** The texts are exactly what their digests are of. */
async function keepSome(manager: EntityManager, bundleId: string, listed: readonly ListedDefinition[]): Promise<void> {
  type BodyRow = { digest: Buffer; body: string };
  const rows = await many<BodyRow>(manager, LISTED_BODIES, [bundleId, ...columnsOf(listed)]);
  const definitions = rows.map(({ body }) => JSON.parse(body) as JsonObject);
  const digests = [...rows.map(({ digest }) => digest), ...definitions.map(shownDigest)];
  const texts = [...definitions.map(digestedText), ...definitions.map(shownText)];
  await execute(manager, KEEP_DEFINITIONS, [bundleId, digests, texts]);
}

function columnsOf(listed: readonly ListedDefinition[]): unknown[] {
  return [
    listed.map(({ entry_id }) => entry_id),
    listed.map(({ kind }) => kind),
    listed.map(({ name }) => name),
    listed.map(({ digest }) => digest),
  ];
}
