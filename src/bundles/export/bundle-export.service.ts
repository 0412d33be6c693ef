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
import { BundleVersionReader } from '../versions/bundle-version-reader';
import {
  abilitiesOf,
  type ExportClient,
  type ExportedServer,
  foreignVariable,
  pathOf,
  renderConfiguration,
} from './client-formats';
import { BundleExportOut, BundleExportQuery } from './export.dto';
import { launchSize, planLaunch } from '../launch/launch';
import type { Skip } from '../launch/skip';

/**
 * $1 listings and $2 their versions, $3 person. Only what is published counts, and of that only what the person may see;
 * `server` is null for a version that was deleted.
 */
const DOCUMENTS = `
  SELECT listings.id, meant.server
  FROM unnest($1::uuid[], $2::text[]) AS wanted(listing_id, version)
  JOIN listings ON listings.id = wanted.listing_id
  LEFT JOIN listing_versions AS meant
    ON meant.listing_id = listings.id AND meant.version = wanted.version AND meant.status <> 'deleted'
  WHERE listings.status = 'PUBLISHED' AND (${IS_PUBLIC_LISTING} OR ${belongsTo('$3')})`;

/** Of the entries whose documents, of up to 128 KiB each, are in memory at once. */
const ENTRIES_AT_ONCE = 20;
/** Of a configuration or a report; the 500 entries of a bundle have about 1 KiB each. */
const MOST_CHARACTERS = 4_194_304;

type Exported = { server: ExportedServer; warnings: string[] };

/** Bundles as configurations of MCP clients. */
@Injectable()
export class BundleExportService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly versions: BundleVersionReader,
  ) {}

  /**
   * Each entry that is enabled and available, by the `server.json` of its listing and its own configuration: of a version
   * of the bundle exactly the versions of the listings that it recorded, else the one to which the entry is pinned, or the
   * newest. Nothing secret is in it: a placeholder stands for what the user of the client has to give. Two statements, and
   * one for each 20 entries; other requests have their turns between the entries.
   *
   * @throws NotFoundError for a bundle that the caller may not see, or a version that it does not have; ConflictError when
   *   the configuration would have more than 4 MiB
   */
  async export(caller: Caller, bundleId: string, query: BundleExportQuery): Promise<BundleExportOut> {
    const { manager } = this.dataSource;
    const { client } = query;
    const bundle = await this.finder.readable(manager, caller, bundleId);
    const version = query.version ?? bundle.version;
    const entries = await (query.version === undefined
      ? this.versions.current(manager, caller, bundle)
      : this.versions.entries(manager, caller, bundle, version));
    const servers: ExportedServer[] = [];
    const exportedEntries: BundleExportOut['servers'] = [];
    const skipped: BundleExportOut['skipped'] = [];
    const warnings: BundleExportOut['warnings'] = [];
    let size = 0;
    for await (const [entry, document] of this.withDocuments(caller, entries)) {
      const { id: entry_id, listing_name, listing_version, key } = entry;
      const exported = exportEntry(client, entry, document);
      size += exportedSize(exported);
      if (size > MOST_CHARACTERS) {
        const most = `${MOST_CHARACTERS / 1_048_576} MiB`;
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

  /** The entries in their order, each with the document that is meant; undefined where there is none to be seen. */
  private async *withDocuments(
    caller: Caller,
    entries: readonly ListedEntryOut[],
  ): AsyncGenerator<[entry: ListedEntryOut, document: unknown]> {
    for (let done = 0; done < entries.length; done += ENTRIES_AT_ONCE) {
      const batch = entries.slice(done, done + ENTRIES_AT_ONCE);
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
  return 'reason' in exported ? exported.detail.length : (launchSize(exported.server.launch) ?? Infinity);
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
  const foreign = foreignVariable(client, launch);
  if (foreign) return foreign;
  const warnings = [...new Set(launch.ignored)].map(
    (name) => `${name} is a secret: its value in the configuration of the entry is not used.`,
  );
  return { server: { key: entry.key, launch }, warnings };
}
