import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import type { CredentialMode } from '../../bundles/entries/credential-mode';
import { readConfig } from '../../bundles/entries/entry-config';
import type { EntryConfig } from '../../bundles/entries/entry-list';
import { maybe } from '../../database/statements';
import { ConflictError, requireFound } from '../../errors/errors';
import { type CredentialedUpstream, credentialedUpstream } from '../entries/entry-upstream';
import { isUsableBy, MEANT_VERSIONS, servedEntries } from '../entries/visible-entries.sql';
import { ErrorCode } from '../credentials/credential.errors';
import type { CredentialPlace } from '../credentials/credential-store';
import type { ConnectLinkRequest } from './connect-links';

/** $1 bundle, $2 the number of a version or null, $3 entry, $4 person. */
const FIND_ENTRY = `
  SELECT entries.key, entries.config, entries.endpoint_url, entries.listing_name, entries.credential_mode, meant.listing_id,
         meant.server
  FROM ${servedEntries('$1', '$2::int')} ${MEANT_VERSIONS}
  WHERE entries.id = $3 AND ${isUsableBy('$4')}`;

interface EntryRow {
  key: string;
  config: EntryConfig;
  endpoint_url: string | null;
  listing_name: string;
  credential_mode: CredentialMode;
  listing_id: string;
  server: unknown;
}

/** What is connected, as it is now. */
export interface ConnectTarget {
  readonly bundleName: string;
  /** The key of the entry. */
  readonly entryKey: string;
  readonly listingName: string;
  readonly listingId: string;
  /** Whether it is where its listing says, and not where editors of the bundle do. */
  readonly isOfListing: boolean;
  readonly mode: CredentialMode;
  readonly upstream: CredentialedUpstream;
  /** The server has this host, as people read it. */
  readonly host: string;
  readonly place: CredentialPlace;
}

/** Finds the entry whose server an account is to be connected at, for those who may do that. */
@Injectable()
export class ConnectTargets {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
  ) {}

  /**
   * @param caller the person of the wish
   * @param manager of the transaction that stores what they connect, if there is one already
   * @throws NotFoundError for a bundle or an entry that they may not see; ForbiddenError for a shared credential if they are no
   *   editor; ConflictError for an entry that takes no such credential, or that cannot be reached from here
   */
  async find(
    caller: Caller,
    { bundleId, entryId, version, owner }: ConnectLinkRequest,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ConnectTarget> {
    const bundle =
      owner === 'BUNDLE'
        ? await this.finder.findForEditor(manager, caller, bundleId)
        : version === null
          ? await this.finder.findForReader(manager, caller, bundleId)
          : await this.finder.findForInsider(manager, caller, bundleId);
    const entry = await maybe<EntryRow>(manager, FIND_ENTRY, [bundleId, version, entryId, caller.userId]);
    const row = requireFound(entry, ErrorCode.BundleEntryNotFound, entryId);
    requireMode(row.credential_mode, owner);
    const { server: document, endpoint_url: endpointUrl } = row;
    const upstream = credentialedUpstream({ document, config: readConfig(row.config), endpointUrl });
    if (!('url' in upstream)) throw new ConflictError(ErrorCode.CredentialConflict, upstream.detail);
    return {
      bundleName: bundle.name,
      entryKey: row.key,
      listingName: row.listing_name,
      listingId: row.listing_id,
      isOfListing: endpointUrl === null,
      mode: row.credential_mode,
      upstream,
      host: new URL(upstream.origin).host,
      place: owner === 'PERSON' ? { owner, personId: caller.userId, bundleId, entryId } : { owner, bundleId, entryId },
    };
  }
}

/** @throws ConflictError */
function requireMode(mode: CredentialMode, owner: ConnectLinkRequest['owner']): void {
  const isTaken = mode === 'PERSONAL_OR_SHARED' || mode === (owner === 'PERSON' ? 'PERSONAL' : 'SHARED');
  if (isTaken) return;
  const detail =
    mode === 'NONE'
      ? 'The entry uses no credentials. An editor can change that by its credential_mode.'
      : mode === 'PERSONAL'
        ? 'The entry uses the credentials of each person, and none of the bundle.'
        : 'The entry uses credentials of the bundle, and none of single people.';
  throw new ConflictError(ErrorCode.CredentialConflict, detail);
}
