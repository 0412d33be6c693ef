import { Injectable } from '@nestjs/common';
import { type EntityManager, Not } from 'typeorm';
import { newId } from '../../database/id';
import { execute, many } from '../../database/statements';
import { slugOf } from '../../http/requests/slug';
import { type ListingChange, type ListingHead, ListingWriter } from '../listings/listing-writer';
import { ListingVersion } from '../listings/listing-version.entity';
import { SampleHeirs } from '../sample/sample-heirs';
import { MOST_SERVER_BYTES, sizeText } from '../listings/server-schema';
import { latestOf } from '../listings/server-version';
import { type CategoryMap, ensureUncategorised, UNCATEGORISED } from './category-map';
import { Incoming, readEntry, type Reason, Unusable, unusable } from './incoming';
import { adoptListings, earliest, foreign, groupByName, type KnownListing, knownNames, refused } from './known-names';

/** What a page came to, in numbers of versions. */
export interface PageCounts {
  seen: number;
  created: number;
  updated: number;
  unchanged: number;
  quarantined: number;
}

interface KnownVersion {
  server_name: string;
  version: string;
  is_same: boolean;
  /** Whether its fields are in the same order too: the first release sorted them. */
  is_verbatim: boolean;
  /** Whether it is what an earlier release kept of the document, which left out what was empty. */
  is_cleaned: boolean;
  status: string;
  status_message: string | null;
}

/** Takes one page of a registry over. All of it in the caller's transaction, with a few statements for the whole page. */
@Injectable()
export class ImportPage {
  constructor(
    private readonly writer: ListingWriter,
    private readonly heirs: SampleHeirs,
  ) {}

  /**
   * @param source whose listings these are: a public listing of somebody else is not touched, but for one of the sample
   *   catalogue, which becomes that of the source
   * @param entries as the source has them
   * @returns what was done, and the last change that the source tells of
   */
  async apply(
    manager: EntityManager,
    source: string,
    entries: readonly unknown[],
    map: CategoryMap,
    now: Date,
  ): Promise<PageCounts & { changedUntil: Date | null }> {
    const bad: Unusable[] = [];
    const good = new Map<string, Incoming>();
    let unchanged = 0;
    for (const entry of entries) {
      const read = readEntry(entry);
      const before = 'server' in read ? good.get(keyOf(read)) : undefined;
      if (!('server' in read)) bad.push(read);
      else if (!before) good.set(keyOf(read), read);
      else if (isSame(before, read)) unchanged++;
      else bad.push(unusable(entry, read.server, [twice()]));
    }
    const { listings, refusals } = await knownNames(manager, source, [...good.values()]);
    const ours = [...good.values()].filter((one) => !refusals.has(one.server.name));
    bad.push(...[...good.values()].flatMap((one) => refusals.get(one.server.name)?.(one) ?? []));
    const adopted = await adoptListings(manager, source, ours.filter(isSmall), listings, map, now);
    const versions = await this.knownVersions(manager, ours, listings);

    const unknown: Incoming[] = [];
    const changed: Incoming[] = [];
    const mended: Incoming[] = [];
    const sorted: Incoming[] = [];
    for (const one of ours) {
      const version = versions.get(keyOf(one));
      if (version?.is_same && !version.is_verbatim) sorted.push(one);
      if (!version && !isSmall(one)) bad.push(refused(one, tooLarge(one)));
      else if (!version) unknown.push(one);
      else if (!version.is_same && version.is_cleaned) mended.push(one);
      // A source may say of what it deleted no more than that.
      else if (!version.is_same && one.state.status !== 'deleted') bad.push(refused(one, rewritten()));
      else if (version.status !== one.state.status || version.status_message !== one.state.statusMessage)
        changed.push(one);
      else unchanged++;
    }

    const made = await this.createListings(manager, source, unknown, listings, map, now);
    const isOurs = ({ server: { name } }: Incoming) => listings.has(name) || made.has(name);
    const fresh = unknown.filter(isOurs);
    bad.push(...unknown.filter((one) => !isOurs(one)).map((one) => refused(one, foreign())));
    await this.insertVersions(manager, fresh, listings, made);
    for (const heir of adopted) await this.heirs.settleAdopted(manager, heir);
    await this.mend(manager, [...mended, ...sorted], listings);
    await this.changeStates(manager, [...changed, ...mended], listings, now);
    const touched = new Map(
      [...fresh, ...changed, ...mended]
        .map(({ server: { name } }) => [name, listings.get(name)] as const)
        .filter(([name]) => !made.has(name)),
    );
    for (const listing of touched.values()) if (listing) await this.settle(manager, listing);
    for (const [name, id] of made) await this.settleNew(manager, { id, name, org_id: null, owner_id: null }, fresh);
    await this.release(manager, source, [...good.values()], bad);
    await this.quarantine(manager, source, bad);
    const times = [...good.values()].flatMap(({ updatedAt }) => (updatedAt ? [updatedAt.getTime()] : []));
    return {
      seen: entries.length,
      created: fresh.length,
      updated: changed.length + mended.length,
      unchanged,
      quarantined: bad.length,
      changedUntil: times.length > 0 ? new Date(Math.max(...times)) : null,
    };
  }

  private async knownVersions(
    manager: EntityManager,
    all: Incoming[],
    listings: Map<string, KnownListing>,
  ): Promise<Map<string, KnownVersion>> {
    const given = all.flatMap(({ server, cleaned }) => {
      const listing = listings.get(server.name);
      return listing ? [{ listing_id: listing.id, version: server.version, server, cleaned }] : [];
    });
    const rows = await many<KnownVersion>(
      manager,
      `SELECT versions.server_name, versions.version, versions.server::jsonb = given.server::jsonb AS is_same,
              versions.server::text = given.server::text AS is_verbatim, versions.server::jsonb = given.cleaned AS is_cleaned,
              versions.status, versions.status_message
       FROM json_to_recordset($1) AS given (listing_id uuid, version text, server json, cleaned jsonb)
       JOIN listing_versions AS versions USING (listing_id, version)`,
      [JSON.stringify(given)],
    );
    return new Map(rows.map((row) => [`${row.server_name} ${row.version}`, row]));
  }

  /** @returns the ids of the new listings by their names; without those that somebody else made at the same time */
  private async createListings(
    manager: EntityManager,
    source: string,
    unknown: Incoming[],
    listings: Map<string, KnownListing>,
    map: CategoryMap,
    now: Date,
  ): Promise<Map<string, string>> {
    const byName = groupByName(unknown.filter(({ server }) => !listings.has(server.name)));
    const rows = [...byName].map(([name, versions]) => {
      const server = latest(versions).server;
      return {
        id: newId(),
        name,
        slug: slugOf(name) ?? name,
        title: server.title ?? name,
        description: server.description,
        category: map.assignments.get(name) ?? UNCATEGORISED,
        repository: latest(versions).cleaned.repository ?? null,
        website_url: server.websiteUrl ?? null,
        icons: server.icons ?? [],
        server,
        published_at: earliest(versions) ?? now,
      };
    });
    if (rows.length === 0) return new Map();
    await ensureUncategorised(
      manager,
      rows.map(({ category }) => category),
    );
    const made = await many<{ id: string; name: string }>(
      manager,
      `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, repository, website_url,
                             icons, transports, registry_types, published_at, import_source)
       SELECT given.id, given.name, given.slug, title, given.description,
              coalesce((SELECT id FROM categories WHERE slug = category), (SELECT id FROM categories WHERE slug = $3)),
              'PUBLISHED', 'PUBLIC', NULLIF(repository, 'null'), website_url, icons, server_transports(server),
              server_registry_types(server), published_at, $2
       FROM jsonb_to_recordset($1) AS given (id uuid, name text, slug text, title text, description text, category text,
         repository jsonb, website_url text, icons jsonb, server jsonb, published_at timestamptz)
       ON CONFLICT DO NOTHING RETURNING id, name`,
      [JSON.stringify(rows), source, UNCATEGORISED],
    );
    return new Map(made.map(({ id, name }) => [name, id]));
  }

  private async insertVersions(
    manager: EntityManager,
    fresh: Incoming[],
    listings: Map<string, KnownListing>,
    made: Map<string, string>,
  ): Promise<void> {
    if (fresh.length === 0) return;
    const leading = new Set([...groupByName(fresh).values()].map(latest));
    const rows = fresh.map((one) => ({
      listing_id: made.get(one.server.name) ?? listings.get(one.server.name)?.id,
      version: one.server.version,
      server: one.server,
      is_latest: made.has(one.server.name) && leading.has(one),
      status: one.state.status,
      status_message: one.state.statusMessage,
      status_changed_at: one.state.statusChangedAt,
      published_at: one.state.publishedAt,
    }));
    await execute(
      manager,
      `INSERT INTO listing_versions
         (listing_id, version, server, is_latest, status, status_message, status_changed_at, published_at)
       SELECT listing_id, version, server, is_latest, status, status_message, status_changed_at, published_at
       FROM json_to_recordset($1) AS given (listing_id uuid, version text, server json, is_latest boolean, status text,
         status_message text, status_changed_at timestamptz, published_at timestamptz)`,
      [JSON.stringify(rows)],
    );
  }

  /**
   * Brings documents of which an earlier release left out what was empty, or sorted the fields, to what their source
   * publishes. Only the first is a change to those who follow the registry.
   */
  private async mend(manager: EntityManager, mended: Incoming[], listings: Map<string, KnownListing>): Promise<void> {
    if (mended.length === 0) return;
    const rows = mended.map(({ server }) => ({
      listing_id: listings.get(server.name)?.id,
      version: server.version,
      server,
    }));
    await execute(
      manager,
      `UPDATE listing_versions AS versions SET server = given.server
       FROM json_to_recordset($1) AS given (listing_id uuid, version text, server json)
       WHERE versions.listing_id = given.listing_id AND versions.version = given.version`,
      [JSON.stringify(rows)],
    );
  }

  private async changeStates(
    manager: EntityManager,
    changed: Incoming[],
    listings: Map<string, KnownListing>,
    now: Date,
  ): Promise<void> {
    if (changed.length === 0) return;
    const rows = changed.map(({ server, state }) => ({
      listing_id: listings.get(server.name)?.id,
      version: server.version,
      ...state,
    }));
    await execute(
      manager,
      `UPDATE listing_versions AS versions
       SET status = given.status, status_message = given."statusMessage",
           status_changed_at = coalesce(given."statusChangedAt", $2)
       FROM jsonb_to_recordset($1) AS given (listing_id uuid, version text, status text, "statusMessage" text,
         "statusChangedAt" timestamptz)
       WHERE versions.listing_id = given.listing_id AND versions.version = given.version
         AND (versions.status, versions.status_message) IS DISTINCT FROM (given.status, given."statusMessage")`,
      [JSON.stringify(rows), now],
    );
  }

  /** Brings a listing that was there to what its versions are now. */
  private async settle(manager: EntityManager, listing: KnownListing): Promise<void> {
    const changed: ListingChange[] = await this.writer.settleLatest(manager, listing);
    await this.writer.tellUpdated(manager, listing, changed);
    const living = await this.isLiving(manager, listing.id);
    if (!living && listing.status === 'PUBLISHED') await this.writer.archive(manager, listing.id, true);
    if (living && listing.status === 'ARCHIVED' && listing.archived_by_import) {
      await this.writer.publish(manager, listing.id);
    }
  }

  private async settleNew(manager: EntityManager, listing: ListingHead, fresh: Incoming[]): Promise<void> {
    await this.writer.tellPublished(manager, listing);
    const isLiving = fresh.some(({ server, state }) => server.name === listing.name && state.status !== 'deleted');
    if (!isLiving) await this.writer.archive(manager, listing.id, true);
  }

  private isLiving(manager: EntityManager, listingId: string): Promise<boolean> {
    return manager.getRepository(ListingVersion).existsBy({ listingId, status: Not('deleted') });
  }

  /** What a source says of a version replaces what it said before: of that, nothing stays in quarantine. */
  private async release(manager: EntityManager, source: string, good: Incoming[], bad: Unusable[]): Promise<void> {
    const told = [...good.map(({ server: { name, version } }) => ({ name, version })), ...bad];
    await execute(
      manager,
      `DELETE FROM import_quarantine AS kept USING unnest($2::text[], $3::text[]) AS told (name, version)
       WHERE kept.source = $1 AND kept.name = told.name AND kept.version = told.version
         AND NOT kept.digest = ANY ($4::bytea[])`,
      [source, told.map(({ name }) => name), told.map(({ version }) => version), bad.map(({ digest }) => digest)],
    );
  }

  /** What is quarantined already, for the same reasons, is not written again. */
  private async quarantine(manager: EntityManager, source: string, bad: Unusable[]): Promise<void> {
    if (bad.length === 0) return;
    const rows = new Map(
      bad.map(({ digest, ...one }) => [digest.toString('hex'), { ...one, digest: `\\x${digest.toString('hex')}` }]),
    );
    await execute(
      manager,
      `INSERT INTO import_quarantine (source, digest, name, version, reasons, document)
       SELECT $2, digest, name, version, reasons, coalesce(document, 'null')
       FROM jsonb_to_recordset($1) AS given (digest bytea, name text, version text, reasons jsonb, document jsonb)
       ON CONFLICT ON CONSTRAINT import_quarantine_pkey DO UPDATE SET reasons = excluded.reasons
       WHERE import_quarantine.reasons <> excluded.reasons`,
      [JSON.stringify([...rows.values()]), source],
    );
  }
}

function keyOf({ server }: Incoming): string {
  return `${server.name} ${server.version}`;
}

/** A source whose list moves under the reader may say the same thing twice. */
function isSame(one: Incoming, other: Incoming): boolean {
  return JSON.stringify([one.server, one.state]) === JSON.stringify([other.server, other.state]);
}

function isSmall({ bytes }: Incoming): boolean {
  return bytes <= MOST_SERVER_BYTES;
}

function latest(versions: Incoming[]): Incoming {
  const living = versions.filter(({ state }) => state.status !== 'deleted');
  const found = latestOf(
    (living.length > 0 ? living : versions).map((one) => ({
      version: one.server.version,
      date: one.state.publishedAt ?? new Date(0),
      one,
    })),
  );
  if (!found) throw new Error('There is at least one version.');
  return found.one;
}

function tooLarge({ bytes }: Incoming): Reason {
  return { path: '', message: sizeText(bytes) };
}

function rewritten(): Reason {
  return { path: '/version', message: 'already exists with another document; a version never changes' };
}

function twice(): Reason {
  return { path: '/version', message: 'comes twice' };
}
