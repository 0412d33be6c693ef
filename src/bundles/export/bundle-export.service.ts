import { basename } from 'node:path/posix';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { belongsTo, IS_PUBLIC_LISTING } from '../../catalog/listings/listing-visibility.sql';
import { many } from '../../database/statements';
import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import { nextTurn } from '../../http/requests/next-turn';
import { BundleFinder } from '../bundle-finder';
import type { ListedEntryOut } from '../entries/bundle-entry.dto';
import { readConfig } from '../entries/entry-config';
import { EntryReader } from '../entries/entry-reader';
import { BundleVersionReader } from '../versions/bundle-version-reader';
import {
  abilitiesOf,
  type ExportClient,
  type ExportedServer,
  foreignVariable,
  pathOf,
  renderConfiguration,
} from './client-formats';
import type { ExportAnswer } from './export-answer';
import { BundleExportOut, BundleExportQuery } from './export.dto';
import { launchSize, planLaunch } from '../launch/launch';
import type { Skip } from '../launch/skip';

/**
 * $1 listings and $2 their versions, $3 person. Only published listings that the person may see; `server` is null for a
 * version that was deleted.
 */
const DOCUMENTS = `
  SELECT listings.id, effective.server
  FROM unnest($1::uuid[], $2::text[]) AS wanted(listing_id, version)
  JOIN listings ON listings.id = wanted.listing_id
  LEFT JOIN listing_versions AS effective
    ON effective.listing_id = listings.id AND effective.version = wanted.version AND effective.status <> 'deleted'
  WHERE listings.status = 'PUBLISHED' AND (${IS_PUBLIC_LISTING} OR ${belongsTo('$3')})`;

/** Entries whose documents, of up to 128 KiB each, are in memory at once. */
const ENTRIES_PER_BATCH = 20;
/** The size of a configuration or a report; an entry usually takes about 1 KiB of it, and a bundle has up to 500. */
const MOST_BYTES = 4_194_304;

type Exported = { server: ExportedServer; warnings: string[] };

/** Exports bundles as configurations of MCP clients. */
@Injectable()
export class BundleExportService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly entryReader: EntryReader,
    private readonly versionReader: BundleVersionReader,
  ) {}

  /**
   * Exports each entry that is enabled and available, by the `server.json` of its listing and its own configuration: of
   * a version of the bundle with exactly the recorded versions of the listings, otherwise with the version to which the
   * entry is pinned, or the newest. It contains no secrets, but placeholders for what the user of the client has to
   * provide. Two statements, and one for every 20 entries; other requests get turns between the entries.
   *
   * @throws NotFoundError for a bundle that the caller may not see, or a version that it does not have; ConflictError
   *   if the configuration would exceed 4 MiB
   */
  async export(caller: Caller, bundleId: string, query: BundleExportQuery): Promise<ExportAnswer> {
    const report = await this.report(caller, bundleId, query);
    const skippedEntries = report.skipped.length;
    if (query.format === 'report') return { body: report, skippedEntries, fileName: undefined };
    return { body: report.configuration, skippedEntries, fileName: basename(report.path) };
  }

  private async report(caller: Caller, bundleId: string, query: BundleExportQuery): Promise<BundleExportOut> {
    const { manager } = this.dataSource;
    const { client } = query;
    const bundle = await this.finder.findForReader(manager, caller, bundleId);
    const version = query.version ?? bundle.version;
    const entries = await (query.version === undefined
      ? this.entryReader.all(manager, caller, bundle)
      : this.versionReader.entries(manager, caller, bundle, version));
    const servers: ExportedServer[] = [];
    const exportedEntries: BundleExportOut['servers'] = [];
    const skipped: BundleExportOut['skipped'] = [];
    const warnings: BundleExportOut['warnings'] = [];
    let size = 0;
    for await (const [entry, document] of this.withDocuments(caller, entries)) {
      const { id: entry_id, listing_name, listing_version, key } = entry;
      const exported = exportEntry(client, entry, document);
      size += exportedSize(exported);
      if (size > MOST_BYTES) {
        const most = `${MOST_BYTES / 1_048_576} MiB`;
        const detail = `The configuration would exceed ${most}. Disable or remove entries.`;
        throw new ConflictError(ErrorCode.BundleConflict, detail);
      }
      if ('reason' in exported) {
        skipped.push({ entry_id, listing_name, listing_version, key, ...exported });
      } else {
        servers.push(exported.server);
        exportedEntries.push({ entry_id, listing_name, listing_version, key: exported.server.key });
        warnings.push(...exported.warnings.map((detail) => ({ entry_id, key: exported.server.key, detail })));
      }
    }
    const { configuration, questions } = renderConfiguration(client, servers);
    const inputs = questions.map(({ server, name, description = null, isSecret, isRequired, placeholder }) => {
      return { server, name, description, is_secret: isSecret, is_required: isRequired, placeholder };
    });
    return {
      client,
      version,
      path: pathOf(client),
      configuration,
      servers: exportedEntries,
      inputs,
      skipped,
      warnings,
    };
  }

  /** The entries in their order, each with its document; undefined if the caller may not see one. */
  private async *withDocuments(
    caller: Caller,
    entries: readonly ListedEntryOut[],
  ): AsyncGenerator<[entry: ListedEntryOut, document: unknown]> {
    for (let done = 0; done < entries.length; done += ENTRIES_PER_BATCH) {
      const batch = entries.slice(done, done + ENTRIES_PER_BATCH);
      const documents = await this.documents(caller, batch);
      for (const entry of batch) {
        yield [entry, documents.get(entry.listing_id ?? '')];
        await nextTurn();
      }
    }
  }

  private async documents(caller: Caller, entries: readonly ListedEntryOut[]): Promise<Map<string, unknown>> {
    const wanted = entries.filter((entry) => entry.is_enabled && entry.listing_id !== null);
    if (wanted.length === 0) return new Map();
    const rows = await many<{ id: string; server: unknown }>(this.dataSource, DOCUMENTS, [
      wanted.map((entry) => entry.listing_id),
      wanted.map((entry) => entry.listing_version),
      caller.userId,
    ]);
    return new Map(rows.map(({ id, server }) => [id, server]));
  }
}

function exportedSize(exported: Exported | Skip): number {
  return 'reason' in exported ? Buffer.byteLength(exported.detail) : (launchSize(exported.server.launch) ?? Infinity);
}

function exportEntry(client: ExportClient, entry: ListedEntryOut, document: unknown): Exported | Skip {
  if (!entry.is_enabled) return { reason: 'disabled', detail: 'It is disabled in this bundle.' };
  if (document === undefined || entry.key === null) {
    return { reason: 'unavailable', detail: 'Its listing was archived or deleted, or you may not see it.' };
  }
  if (document === null) {
    return { reason: 'unavailable', detail: `Version ${entry.listing_version} of its listing was deleted.` };
  }
  const launch = planLaunch(document, readConfig(entry.config), abilitiesOf(client));
  if ('reason' in launch) return launch;
  const foreignSkip = foreignVariable(client, launch);
  if (foreignSkip) return foreignSkip;
  const warnings = [...new Set(launch.ignored)].map(
    (name) => `${name} is a secret: its value in the configuration of the entry is not used.`,
  );
  return { server: { key: entry.key, launch }, warnings };
}
