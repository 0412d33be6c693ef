import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PreparedStatement } from '../../database/prepared';
import { execute, many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { entryAlias } from '../protocol/exposed-name';

/** $1 bundle. */
const FIND: PreparedStatement = {
  name: 'gateway_aliases',
  sql: `SELECT entry_id, alias FROM endpoint_aliases WHERE bundle_id = $1`,
};

/** $1 bundle. Until the end of the transaction, so that two processes do not assign the same alias. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('endpoint aliases ' || $1, 0))`;

/** $1 bundle, $2 entries, $3 their aliases. */
const ASSIGN = `
  INSERT INTO endpoint_aliases (bundle_id, entry_id, alias)
  SELECT $1, assigned.entry_id, assigned.alias FROM unnest($2::uuid[], $3::text[]) AS assigned(entry_id, alias)`;

/** What is known of an entry when its alias is made. */
interface NamedEntry {
  readonly id: string;
  readonly key: string;
}

/**
 * Aliases of entries: what precedes the names of their tools. Assigned once, in the order of the bundle, and never changed
 * by what happens to other entries.
 */
@Injectable()
export class EndpointAliases {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param entries in their order
   * @param isStored whether new ones are assigned for good; otherwise they are those that would be assigned now
   * @returns the alias of each entry
   */
  async of(bundleId: string, entries: readonly NamedEntry[], isStored: boolean): Promise<Map<string, string>> {
    const known = aliasesIn(await many<AliasRow>(this.dataSource, FIND, [bundleId]));
    if (entries.every(({ id }) => known.has(id))) return known;
    if (!isStored) return new Map([...known, ...newAliases(entries, known)]);
    return inTransaction(this.dataSource, async (manager) => {
      await execute(manager, LOCK, [bundleId]);
      // In a statement of its own, which sees what was committed while it waited for the lock.
      const assigned = aliasesIn(await many<AliasRow>(manager, FIND, [bundleId]));
      const added = newAliases(entries, assigned);
      if (added.size > 0) await execute(manager, ASSIGN, [bundleId, [...added.keys()], [...added.values()]]);
      return new Map([...assigned, ...added]);
    });
  }
}

interface AliasRow {
  entry_id: string;
  alias: string;
}

function aliasesIn(rows: readonly AliasRow[]): Map<string, string> {
  return new Map(rows.map(({ entry_id, alias }) => [entry_id, alias]));
}

/** @returns those of the entries that have none */
export function newAliases(entries: readonly NamedEntry[], known: ReadonlyMap<string, string>): Map<string, string> {
  const taken = new Set(known.values());
  const added = new Map<string, string>();
  for (const { id, key } of entries) {
    if (known.has(id)) continue;
    const alias = entryAlias(key, taken);
    taken.add(alias);
    added.set(id, alias);
  }
  return added;
}
