import { basename } from 'node:path/posix';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { belongsTo, IS_PUBLIC_LISTING } from '../../catalog/listings/listing-visibility.sql';
import { many } from '../../database/statements';
import { Environment } from '../../config/environment';
import { ConflictError, type Fault, ValidationError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import { nextTurn } from '../../http/requests/next-turn';
import { BundleFinder } from '../bundle-finder';
import type { ListedEntryOut } from '../entries/bundle-entry.dto';
import { readConfig } from '../entries/entry-config';
import { EntryReader } from '../entries/entry-reader';
import { BundleVersionReader } from '../versions/bundle-version-reader';
import type { Skip } from '../launch/skip';
import type { ExportAnswer } from './export-answer';
import { isOrchestrator } from './export-client';
import {
  containerFormat,
  editorFormat,
  type ExportFormat,
  type PlannedEntry,
  type RenderedExport,
} from './export-format';
import { BundleExportOut, BundleExportQuery } from './export.dto';

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
const MAX_BYTES = 4_194_304;

/** What an export consists of, and what it says of itself. */
interface Exported {
  report: BundleExportOut;
  rendered: RenderedExport;
}

/** Exports bundles as configurations of MCP clients. */
@Injectable()
export class BundleExportService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly entryReader: EntryReader,
    private readonly versionReader: BundleVersionReader,
    private readonly environment: Environment,
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
    const { report, rendered } = await this.exported(caller, bundleId, query);
    const skippedEntries = report.skipped.length;
    if (query.format === 'report') return { body: report, skippedEntries, fileName: undefined };
    const body = rendered.parts ? await joined(rendered.parts) : report.configuration;
    return { body, skippedEntries, fileName: basename(report.path) };
  }

  private async exported(caller: Caller, bundleId: string, query: BundleExportQuery): Promise<Exported> {
    const { client, runtime_class: runtimeClass } = query;
    if (isOrchestrator(client)) {
      const images = this.environment.packageBridgeImages;
      const format = containerFormat(client, { bundleId: bundleId.toLowerCase(), images, runtimeClass });
      return this.exportedAs(format, caller, bundleId, query);
    }
    if (runtimeClass !== undefined) throw new ValidationError([NO_RUNTIME]);
    return this.exportedAs(editorFormat(client), caller, bundleId, query);
  }

  private async exportedAs<Plan extends object>(
    format: ExportFormat<Plan>,
    caller: Caller,
    bundleId: string,
    query: BundleExportQuery,
  ): Promise<Exported> {
    const { manager } = this.dataSource;
    const bundle = await this.finder.findForReader(manager, caller, bundleId);
    const version = query.version ?? bundle.version;
    const entries = await (query.version === undefined
      ? this.entryReader.all(manager, caller, bundle)
      : this.versionReader.entries(manager, caller, bundle, version));
    const servers: (PlannedEntry<Plan> & Pick<ListedEntryOut, 'listing_name' | 'listing_version'>)[] = [];
    const skipped: BundleExportOut['skipped'] = [];
    const warnings: BundleExportOut['warnings'] = [];
    let size = 0;
    for await (const [entry, document] of this.withDocuments(caller, entries)) {
      const { id: entry_id, listing_name, listing_version, key } = entry;
      const planned = plannedEntry(format, entry, document);
      size += 'reason' in planned ? Buffer.byteLength(planned.detail) : format.sizeOf(planned.plan);
      if (size > MAX_BYTES) throw tooLarge();
      if ('reason' in planned) {
        skipped.push({ entry_id, listing_name, listing_version, key, ...planned });
      } else {
        servers.push({ ...planned, listing_name, listing_version });
        warnings.push(...format.warningsOf(planned).map((detail) => ({ entry_id, key: planned.key, detail })));
      }
    }
    const rendered = format.render(servers);
    const { client } = query;
    return {
      rendered,
      report: {
        client,
        version,
        path: format.path,
        configuration: rendered.configuration,
        servers: servers.map(({ entryId, key, listing_name, listing_version }) => {
          const endpoint_url = rendered.endpointUrls.get(entryId) ?? null;
          return { entry_id: entryId, listing_name, listing_version, key, endpoint_url };
        }),
        inputs: inputsOf(rendered),
        skipped,
        warnings,
        notes: [...rendered.notes],
      },
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

const NO_RUNTIME: Fault = {
  loc: ['query', 'runtime_class'],
  msg: 'Only compose and kubernetes run containers.',
  type: 'value_error',
};

function plannedEntry<Plan extends object>(
  format: ExportFormat<Plan>,
  { id, key, config, is_enabled, listing_version }: ListedEntryOut,
  document: unknown,
): PlannedEntry<Plan> | Skip {
  if (!is_enabled) return { reason: 'disabled', detail: 'It is disabled in this bundle.' };
  if (document === undefined || key === null) {
    return { reason: 'unavailable', detail: 'Its listing was archived or deleted, or you may not see it.' };
  }
  if (document === null) {
    return { reason: 'unavailable', detail: `Version ${listing_version} of its listing was deleted.` };
  }
  const plan = format.plan(document, readConfig(config));
  return 'reason' in plan ? plan : { entryId: id, key, plan };
}

function inputsOf({ questions }: RenderedExport): BundleExportOut['inputs'] {
  return questions.map(({ server, name, description = null, isSecret, isRequired, placeholder }) => {
    return { server, name, description, is_secret: isSecret, is_required: isRequired, placeholder };
  });
}

/** Writing a part may take a while; other requests get turns in between. */
async function joined(parts: Iterable<string>): Promise<string> {
  const written: string[] = [];
  let size = 0;
  for (const part of parts) {
    written.push(part);
    size += Buffer.byteLength(part);
    if (size > MAX_BYTES) throw tooLarge();
    await nextTurn();
  }
  return written.join('');
}

function tooLarge(): ConflictError {
  const most = `${MAX_BYTES / 1_048_576} MiB`;
  const detail = `The configuration would exceed ${most}. Disable or remove entries.`;
  return new ConflictError(ErrorCode.BundleConflict, detail);
}
