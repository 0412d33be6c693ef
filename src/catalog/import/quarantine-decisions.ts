import type { EntityManager } from 'typeorm';
import { many } from '../../database/statements';
import { isObject } from '../../http/requests/json-object';
import { DECIDED_DOCUMENTS, EDITED_VERSIONS } from './quarantine.sql';
import { type Incoming, readEntry, type Unusable } from './incoming';
import { versionKey } from './page-plan';

/**
 * Follows what administrators have decided about documents of the source. A document that was edited is replaced by the edited
 * one, with the state that the source reports now; one that was dismissed is left out. A decision is about one document: as
 * soon as the source sends another one, that one is imported or quarantined like any other.
 *
 * @param entries as received
 * @returns those that are imported
 */
export async function decidedEntries(
  manager: EntityManager,
  source: string,
  entries: readonly (Incoming | Unusable)[],
): Promise<(Incoming | Unusable)[]> {
  const rows = await many<{ digest: Buffer; server: Record<string, unknown> | null }>(manager, DECIDED_DOCUMENTS, [
    source,
    entries.map(({ digest }) => digest),
  ]);
  if (rows.length === 0) return [...entries];
  const decisions = new Map(rows.map(({ digest, server }) => [digest.toString('hex'), server]));
  return entries.flatMap((entry) => {
    const server = decisions.get(entry.digest.toString('hex'));
    if (server === undefined) return [entry];
    return server === null ? [] : [readEntry(entryWith(receivedOf(entry), server))];
  });
}

/** @returns the entry of a source with another document; what the source says of its state stays */
export function entryWith(entry: unknown, server: Record<string, unknown>): Record<string, unknown> {
  return { ...(isObject(entry) ? entry : {}), server };
}

/**
 * Says where a version was edited here: its source has another document for it now, which does not replace the edited one.
 *
 * @param rejected what a page leaves to the quarantine
 */
export async function withEditsNamed(
  manager: EntityManager,
  source: string,
  rejected: readonly Unusable[],
): Promise<Unusable[]> {
  const rewritten = rejected.filter(({ kind }) => kind === 'VERSION_TAKEN');
  if (rewritten.length === 0) return [...rejected];
  const edited = await many<{ name: string; version: string }>(manager, EDITED_VERSIONS, [
    source,
    rewritten.map(({ name }) => name),
    rewritten.map(({ version }) => version),
  ]);
  const keys = new Set(edited.map(({ name, version }) => versionKey(name, version)));
  return rejected.map((entry) => {
    const isEdited = entry.kind === 'VERSION_TAKEN' && keys.has(versionKey(entry.name ?? '', entry.version ?? ''));
    return isEdited ? { ...entry, reasons: [EDITED_HERE] } : entry;
  });
}

const EDITED_HERE = {
  path: '/version',
  message: 'was edited here by an administrator; the edited document stays until the source has another version',
};

const receivedOf = (entry: Incoming | Unusable): unknown => ('received' in entry ? entry.received : entry.document);
