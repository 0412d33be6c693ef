import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { belongsTo, IS_PUBLIC_LISTING } from '../../catalog/listing-visibility.sql';
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
import { planLaunch } from './launch';
import type { Skip } from './skip';

/** $1 listings, $2 person. Only what is published counts, and of that only what the person may see. */
const DOCUMENTS = `
  SELECT listings.id, latest.server FROM listings
  JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
  WHERE listings.id = ANY ($1) AND listings.status = 'PUBLISHED' AND (${IS_PUBLIC_LISTING} OR ${belongsTo('$2')})`;

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
   * Each entry that is enabled and available, by the latest `server.json` of its listing and its own configuration.
   * Nothing secret is in it: a placeholder stands for what the user of the client has to give. Three statements.
   *
   * @throws NotFoundError for a bundle that the caller may not see, or a version that it does not have
   */
  async export(caller: Caller, bundleId: string, query: BundleExportQuery): Promise<BundleExportOut> {
    const { manager } = this.dataSource;
    const { client } = query;
    const bundle = await this.finder.readable(manager, caller, bundleId);
    const version = query.version ?? bundle.version;
    const entries = await this.versions.entries(manager, caller, bundle, version);
    const documents = await this.documents(caller, entries);
    const servers: ExportedServer[] = [];
    const skipped: BundleExportOut['skipped'] = [];
    const warnings: BundleExportOut['warnings'] = [];
    for (const entry of entries) {
      const { id: entry_id, listing_name, key } = entry;
      const exported = exportEntry(client, entry, documents.get(entry.listing_id ?? ''));
      if ('reason' in exported) {
        skipped.push({ entry_id, listing_name, key, ...exported });
      } else {
        servers.push(exported.server);
        warnings.push(...exported.warnings.map((detail) => ({ entry_id, key: exported.server.key, detail })));
      }
    }
    const { configuration, questions } = renderConfiguration(client, servers);
    const inputs = questions.map(({ server, name, description = null, isSecret, isRequired, placeholder }) => {
      return { server, name, description, is_secret: isSecret, is_required: isRequired, placeholder };
    });
    return { client, version, path: pathOf(client), configuration, inputs, skipped, warnings };
  }

  private async documents(caller: Caller, entries: readonly ListedEntryOut[]): Promise<Map<string, unknown>> {
    const ids = entries.flatMap((entry) => (entry.is_enabled && entry.listing_id !== null ? [entry.listing_id] : []));
    if (ids.length === 0) return new Map();
    const rows = await this.dataSource.query<{ id: string; server: unknown }[]>(DOCUMENTS, [ids, caller.userId]);
    return new Map(rows.map(({ id, server }) => [id, server]));
  }
}

function exportEntry(client: ExportClient, entry: ListedEntryOut, document: unknown): Exported | Skip {
  if (!entry.is_enabled) return { reason: 'disabled', detail: 'It is disabled in this bundle.' };
  if (document === undefined || entry.key === null) {
    return { reason: 'unavailable', detail: 'Its listing was archived or deleted, or is not yours to see.' };
  }
  const launch = planLaunch(document, readConfig(entry.config), abilitiesOf(client));
  if ('reason' in launch) return launch;
  const foreign = foreignVariable(client, launch);
  if (foreign) return foreign;
  const warnings = launch.ignored.map(
    (name) => `${name} is a secret: the value that the configuration of the entry has for it is not used.`,
  );
  return { server: { key: entry.key, launch }, warnings };
}
