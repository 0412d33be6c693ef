import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readConfig } from '../../bundles/entries/entry-config';
import type { EntryConfig } from '../../bundles/entries/entry-list';
import { type Connection, many } from '../../database/statements';
import { nextTurn } from '../../http/requests/next-turn';
import type { CompileTarget, Problem } from './compiled-bundle';
import { entryUpstream, type WantedUpstream } from './entry-upstream';
import { ENTRY_WORDS, isUsableBy, MEANT_VERSIONS, servedEntries } from './visible-entries.sql';

/** $1 bundle, $2 the number of a version or null, $3 person. */
const ENTRIES = `
  SELECT entries.id, entries.key, entries.config, entries.listing_name, meant.listing_id, meant.version,
         ${isUsableBy('$3')} AS is_usable, ${ENTRY_WORDS} AS words
  FROM ${servedEntries('$1', '$2::int')} ${MEANT_VERSIONS}
  ORDER BY entries.place`;

/** $1 listings and $2 their versions. */
const DOCUMENTS = `
  SELECT wanted.place::int AS place, listing_versions.server
  FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS wanted(listing_id, version, place)
  JOIN listing_versions ON listing_versions.listing_id = wanted.listing_id AND listing_versions.version = wanted.version`;

/** Entries whose documents, of up to 128 KiB each, are in memory at once. */
const ENTRIES_PER_BATCH = 20;

interface EntryRow {
  id: string;
  key: string;
  config: EntryConfig;
  listing_name: string;
  listing_id: string;
  version: string;
  is_usable: boolean;
  words: string;
}

/** An enabled entry that the person may see, and the server that it needs. */
export interface EntrySource {
  readonly id: string;
  readonly key: string;
  readonly listingName: string;
  readonly listingVersion: string;
  /** Null if it cannot be reached from here: a problem says why. */
  readonly upstream: WantedUpstream | null;
}

/** The entries of a bundle in the view of a person. */
export interface SourcesRead {
  /** The enabled entries in their order. */
  readonly sources: EntrySource[];
  /** Why others cannot be used. */
  readonly problems: Problem[];
  /** Of the entries that they may use, as the statement that admits them has it. */
  readonly digest: string;
}

/** Reads the entries of bundles for their endpoints. */
@Injectable()
export class EntrySources {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * One statement, and one for every 20 entries.
   *
   * @param target whose view of which bundle
   * @param connection of the transaction that has changed it
   */
  async read(
    { bundleId, boundVersion, personId }: Pick<CompileTarget, 'bundleId' | 'boundVersion' | 'personId'>,
    connection: Connection = this.dataSource,
  ): Promise<SourcesRead> {
    const rows = await many<EntryRow>(connection, ENTRIES, [bundleId, boundVersion, personId]);
    const usable = rows.filter(({ is_usable }) => is_usable);
    const problems = rows.filter(({ is_usable }) => !is_usable).map(({ id }) => unavailable(id));
    const sources: EntrySource[] = [];
    for (let done = 0; done < usable.length; done += ENTRIES_PER_BATCH) {
      const batch = usable.slice(done, done + ENTRIES_PER_BATCH);
      const documents = await this.documents(batch, connection);
      for (const [index, { id, key, config, listing_name: listingName, version: listingVersion }] of batch.entries()) {
        const found = entryUpstream(documents.get(index + 1), readConfig(config));
        const isReachable = 'url' in found;
        if (!isReachable) problems.push({ code: found.code, entryId: id, detail: found.detail });
        sources.push({ id, key, listingName, listingVersion, upstream: isReachable ? found : null });
        await nextTurn();
      }
    }
    return { sources, problems, digest: hash('sha256', usable.map(({ words }) => words).join('\n'), 'base64') };
  }

  private async documents(rows: readonly EntryRow[], connection: Connection): Promise<Map<number, unknown>> {
    const found = await many<{ place: number; server: unknown }>(connection, DOCUMENTS, [
      rows.map(({ listing_id }) => listing_id),
      rows.map(({ version }) => version),
    ]);
    return new Map(found.map(({ place, server }) => [place, server]));
  }
}

/** Does not name the listing, which they may not be allowed to know. */
function unavailable(entryId: string): Problem {
  const detail = 'Its listing was archived or deleted, its version was deleted, or you may not see it.';
  return { code: 'unavailable', entryId, detail };
}
