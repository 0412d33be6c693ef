import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../../database/id';
import { execute, many } from '../../database/statements';
import { slugOf } from '../../http/requests/slug';
import { type ListingHead, ListingWriter } from '../listings/listing-writer';
import { latestToShow } from '../listings/server-version';
import { SampleHeirs } from '../listings/sample-heirs';
import { type CategoryMap, ensureUncategorised, UNCATEGORISED } from './category-map';
import {
  CHANGE_STATES,
  CREATE_LISTINGS,
  INSERT_VERSIONS,
  LIVING_LISTINGS,
  QUARANTINE,
  RELEASE_FROM_QUARANTINE,
  REPLACE_DOCUMENTS,
  STORED_VERSIONS,
} from './import-page.sql';
import { type Incoming, readEntry, refused, type Unusable } from './incoming';
import { decidedEntries, withEditsNamed } from './quarantine-decisions';
import {
  adoptListings,
  earliest,
  foreign,
  groupByName,
  type ExistingListing,
  findExistingListings,
} from './existing-listings';
import { gather, isSmall, type PagePlan, planPage, type StoredVersion, versionKey } from './page-plan';

/** A line of the log names at most so many versions, and so many dropped addresses of each. */
const MAX_NAMED = 5;

/** What a page came to, in numbers of versions. */
export interface PageCounts {
  seen: number;
  created: number;
  updated: number;
  unchanged: number;
  quarantined: number;
}

/** The same, with more about it. */
interface PageOutcome extends PageCounts {
  /** The time of the last change that the source reports. */
  changedUntil: Date | null;
  rejected: readonly Unusable[];
}

/** Where a page comes from and goes to. */
interface PageContext {
  /** In which everything of the page is written, or nothing. */
  manager: EntityManager;
  source: string;
  map: CategoryMap;
  now: Date;
  /** The listings that are there already, of the source or of the sample catalogue, by the names of the page. */
  listings: Map<string, ExistingListing>;
}

/**
 * Imports one page of a registry: reads it, plans what to write, writes it. A page takes at most some twenty statements,
 * however many entries it has; only a listing of the sample catalogue that is adopted takes some of its own, once.
 */
@Injectable()
export class ImportPage {
  private readonly logger = new Logger(ImportPage.name);

  constructor(
    private readonly writer: ListingWriter,
    private readonly heirs: SampleHeirs,
  ) {}

  /**
   * @param manager of the transaction that the page is written in
   * @param source whose listings these are: public listings of others are not touched, except those of the sample
   *   catalogue, which become the source's own
   * @param entries as the source has them
   * @param isOfSource whether the source sends it now: then what administrators have decided about its documents counts, and
   *   the quarantine becomes what the source says. Otherwise an administrator imports a document of the quarantine
   * @returns what was done, the time of the last change that the source reports, and what was quarantined
   */
  async apply(
    manager: EntityManager,
    source: string,
    entries: readonly unknown[],
    map: CategoryMap,
    now: Date,
    isOfSource = true,
  ): Promise<PageOutcome> {
    const received = entries.map(readEntry);
    const decided = isOfSource ? await decidedEntries(manager, source, received) : received;
    const page = gather(decided);
    const { listings, refusals } = await findExistingListings(manager, source, page.usable);
    const context: PageContext = { manager, source, map, now, listings };
    const admitted = page.usable.filter(({ server }) => !refusals.has(server.name));
    const foreignEntries = page.usable.flatMap((entry) => refusals.get(entry.server.name)?.(entry) ?? []);
    const plan = planPage(admitted, await this.storedVersions(context, admitted));

    this.noteDropped(source, plan.versionsToCreate);
    const lost = await this.write(context, plan, admitted);

    const rejected = await withEditsNamed(manager, source, [
      ...page.unusable,
      ...foreignEntries,
      ...plan.rejected,
      ...lost,
    ]);
    if (isOfSource) {
      await this.release(context, page.usable, rejected);
      await this.quarantine(context, rejected);
    }
    return {
      seen: entries.length,
      created: plan.versionsToCreate.length - lost.length,
      updated: plan.statesToChange.length + plan.documentsToRestore.length,
      unchanged: page.repeated + plan.unchanged + (received.length - decided.length),
      quarantined: rejected.length,
      changedUntil: lastChange(page.usable),
      rejected,
    };
  }

  /** Nobody here can correct a document of another registry, so the report says to the operator what it lacks. */
  private noteDropped(source: string, entries: readonly Incoming[]): void {
    const lacking = entries.filter(({ dropped }) => dropped.length > 0);
    if (lacking.length === 0) return;
    const named = lacking
      .slice(0, MAX_NAMED)
      .map(
        ({ server: { name, version }, dropped }) => `${name} ${version} (${dropped.slice(0, MAX_NAMED).join(', ')})`,
      );
    const more = lacking.length > MAX_NAMED ? `, and ${lacking.length - MAX_NAMED} more` : '';
    this.logger.warn(
      `Versions from ${source} are imported without addresses that are not http or https, or have a password: ${named.join('; ')}${more}.`,
    );
  }

  /** Versions of a sample listing are not compared: they go when the source adopts it. */
  private async storedVersions(
    { manager, listings }: PageContext,
    entries: readonly Incoming[],
  ): Promise<Map<string, StoredVersion>> {
    const documents = entries.flatMap(({ server, cleaned }) => {
      const listing = listings.get(server.name);
      if (!listing || listing.is_sample) return [];
      return [{ listing_id: listing.id, version: server.version, server, cleaned }];
    });
    const rows = await many<StoredVersion>(manager, STORED_VERSIONS, [JSON.stringify(documents)]);
    return new Map(rows.map((row) => [versionKey(row.server_name, row.version), row]));
  }

  /** @returns the versions whose listing another transaction created while the page was being imported */
  private async write(context: PageContext, plan: PagePlan, admitted: readonly Incoming[]): Promise<Unusable[]> {
    const { manager, source, map, now, listings } = context;
    const adopted = await adoptListings(manager, source, admitted.filter(isSmall), listings, map, now);
    const created = await this.createListings(context, plan.versionsToCreate);
    const hasListing = ({ server: { name } }: Incoming) => listings.has(name) || created.has(name);
    const versions = plan.versionsToCreate.filter(hasListing);
    await this.insertVersions(context, versions, created);
    for (const heir of adopted) await this.heirs.settleAdopted(manager, heir);
    await this.replaceDocuments(context, [...plan.documentsToRestore, ...plan.documentsToReorder]);
    await this.changeStates(context, [...plan.statesToChange, ...plan.documentsToRestore]);

    const changed = [...versions, ...plan.statesToChange, ...plan.documentsToRestore];
    const changedNames = new Set(changed.map(({ server }) => server.name));
    await this.settle(
      context,
      [...listings].filter(([name]) => changedNames.has(name)).map(([, listing]) => listing),
    );
    await this.settleCreated(context, [...created.values()], versions);
    return plan.versionsToCreate
      .filter((entry) => !hasListing(entry))
      .map((entry) => refused(entry, foreign(), 'NAME_TAKEN'));
  }

  /** @returns the new listings by their names, without those that another transaction created at the same time */
  private async createListings(
    { manager, source, map, now, listings }: PageContext,
    versionsToCreate: readonly Incoming[],
  ): Promise<Map<string, ListingHead>> {
    const byName = groupByName(versionsToCreate.filter(({ server }) => !listings.has(server.name)));
    const rows = [...byName].map(([name, versions]) => {
      const { server, cleaned } = leadingVersion(versions);
      return {
        id: newId(),
        name,
        slug: slugOf(name) ?? name,
        title: server.title ?? name,
        description: server.description,
        category: map.assignments.get(name) ?? UNCATEGORISED,
        repository: cleaned.repository ?? null,
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
    const created = await many<ListingHead>(manager, CREATE_LISTINGS, [JSON.stringify(rows), source, UNCATEGORISED]);
    return new Map(created.map((listing) => [listing.name, listing]));
  }

  private async insertVersions(
    { manager, listings }: PageContext,
    versions: readonly Incoming[],
    created: ReadonlyMap<string, ListingHead>,
  ): Promise<void> {
    if (versions.length === 0) return;
    const leading = new Set([...groupByName(versions).values()].map(leadingVersion));
    const rows = versions.map((version) => {
      const { server, state } = version;
      return {
        listing_id: (created.get(server.name) ?? listings.get(server.name))?.id,
        version: server.version,
        server,
        is_latest: created.has(server.name) && leading.has(version),
        status: state.status,
        status_message: state.statusMessage,
        status_changed_at: state.statusChangedAt,
        published_at: state.publishedAt,
      };
    });
    await execute(manager, INSERT_VERSIONS, [JSON.stringify(rows)]);
  }

  private async replaceDocuments({ manager, listings }: PageContext, entries: readonly Incoming[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map(({ server }) => ({
      listing_id: listings.get(server.name)?.id,
      version: server.version,
      server,
    }));
    await execute(manager, REPLACE_DOCUMENTS, [JSON.stringify(rows)]);
  }

  private async changeStates({ manager, listings, now }: PageContext, entries: readonly Incoming[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map(({ server, state }) => ({
      listing_id: listings.get(server.name)?.id,
      version: server.version,
      ...state,
    }));
    await execute(manager, CHANGE_STATES, [JSON.stringify(rows), now]);
  }

  /**
   * Lets listings show what their versions are now. One whose versions are all deleted is archived; it is published again
   * when one comes back, unless a person archived it.
   */
  private async settle({ manager }: PageContext, listings: readonly ExistingListing[]): Promise<void> {
    if (listings.length === 0) return;
    await this.writer.recordUpdated(manager, await this.writer.settleLatest(manager, listings));
    const rows = await many<{ id: string }>(manager, LIVING_LISTINGS, [listings.map(({ id }) => id)]);
    const living = new Set(rows.map(({ id }) => id));
    const toArchive = listings.filter(({ id, status }) => status === 'PUBLISHED' && !living.has(id));
    const toPublish = listings.filter(
      ({ id, status, archived_by_import }) => status === 'ARCHIVED' && archived_by_import && living.has(id),
    );
    await this.writer.archive(
      manager,
      toArchive.map(({ id }) => id),
      'IMPORT',
    );
    await this.writer.publish(
      manager,
      toPublish.map(({ id }) => id),
    );
  }

  private async settleCreated(
    { manager }: PageContext,
    created: readonly ListingHead[],
    versions: readonly Incoming[],
  ): Promise<void> {
    await this.writer.recordPublished(manager, created);
    const living = new Set(versions.filter(({ state }) => state.status !== 'deleted').map(({ server }) => server.name));
    const toArchive = created.filter(({ name }) => !living.has(name));
    await this.writer.archive(
      manager,
      toArchive.map(({ id }) => id),
      'IMPORT',
    );
  }

  /** What a source says of a version replaces what it said before: of that, nothing stays in quarantine. */
  private async release(
    { manager, source }: PageContext,
    usable: readonly Incoming[],
    rejected: readonly Unusable[],
  ): Promise<void> {
    const seen = [...usable.map(({ server: { name, version } }) => ({ name, version })), ...rejected];
    await execute(manager, RELEASE_FROM_QUARANTINE, [
      source,
      seen.map(({ name }) => name),
      seen.map(({ version }) => version),
      rejected.map(({ digest }) => digest),
    ]);
  }

  private async quarantine({ manager, source }: PageContext, rejected: readonly Unusable[]): Promise<void> {
    if (rejected.length === 0) return;
    const rows = new Map(
      rejected.map(({ digest, ...entry }) => {
        const hex = digest.toString('hex');
        return [hex, { ...entry, digest: `\\x${hex}` }];
      }),
    );
    await execute(manager, QUARANTINE, [JSON.stringify([...rows.values()]), source]);
  }
}

/** @returns the version that a new listing shows: by the rule of `latestToShow` */
function leadingVersion(versions: readonly Incoming[]): Incoming {
  const latest = latestToShow(
    versions.map((entry) => ({
      version: entry.server.version,
      date: entry.state.publishedAt ?? new Date(0),
      is_deleted: entry.state.status === 'deleted',
      entry,
    })),
  );
  if (!latest) throw new Error('A listing of a page has at least one version.');
  return latest.entry;
}

function lastChange(entries: readonly Incoming[]): Date | null {
  const times = entries.flatMap(({ updatedAt }) => (updatedAt ? [updatedAt.getTime()] : []));
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}
