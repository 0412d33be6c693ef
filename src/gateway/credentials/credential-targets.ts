import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import type { CredentialMode } from '../../bundles/entries/credential-mode';
import { readConfig } from '../../bundles/entries/entry-config';
import type { EntryConfig } from '../../bundles/entries/entry-list';
import { belongsTo, IS_PUBLIC_LISTING } from '../../catalog/listings/listing-visibility.sql';
import { maybe } from '../../database/statements';
import { ConflictError, requireFound } from '../../errors/errors';
import { Memberships } from '../../organisations/members/memberships.service';
import { type CredentialedUpstream, credentialedUpstream } from '../entries/entry-upstream';
import { isUsableBy, MEANT_VERSIONS, servedEntries } from '../entries/visible-entries.sql';
import type { CredentialKind } from './credential-kinds';
import type { CredentialPlace } from './credential-store';
import type { CredentialRow } from './credential-store.sql';
import { ErrorCode } from './credential.errors';

/** $1 bundle, $2 person, $3 entry. */
const ENTRY = `
  SELECT entries.credential_mode, entries.config, entries.endpoint_url, meant.server
  FROM ${servedEntries('$1', 'NULL::int')} ${MEANT_VERSIONS}
  WHERE entries.id = $3 AND ${isUsableBy('$2')}`;

/** $1 listing, $2 person. */
const LISTING = `
  SELECT latest.server FROM listings
  JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest AND latest.status <> 'deleted'
  WHERE listings.id = $1 AND listings.status = 'PUBLISHED' AND (${IS_PUBLIC_LISTING} OR ${belongsTo('$2')})`;

interface EntryRow {
  credential_mode: CredentialMode;
  config: EntryConfig;
  endpoint_url: string | null;
  server: unknown;
}

/** Finds the servers that credentials are for, for those who may give them. */
@Injectable()
export class CredentialTargets {
  constructor(
    private readonly finder: BundleFinder,
    private readonly memberships: Memberships,
  ) {}

  /**
   * @throws NotFoundError for a bundle, entry, organisation or listing that they may not see; ForbiddenError or
   *   InsufficientRoleError if it is not theirs to give; ConflictError if the entry uses none like it, or has no server that
   *   can be reached
   */
  async find(
    manager: EntityManager,
    caller: Caller,
    place: CredentialPlace,
    kind: CredentialKind = 'SECRETS',
  ): Promise<CredentialedUpstream> {
    if (place.owner === 'ORGANISATION') {
      await this.memberships.require(caller, place.organisationId, 'ADMIN');
      return this.ofListing(manager, caller, place.listingId);
    }
    const bundle =
      place.owner === 'PERSON'
        ? await this.finder.findForReader(manager, caller, place.bundleId)
        : await this.finder.findForEditor(manager, caller, place.bundleId);
    const entry = await maybe<EntryRow>(manager, ENTRY, [bundle.id, caller.userId, place.entryId]);
    const row = requireFound(entry, ErrorCode.BundleEntryNotFound, place.entryId);
    // People get tokens of their own with the client of their bundle.
    const isForPeople = kind === 'OAUTH_CLIENT' && place.owner === 'BUNDLE' && row.credential_mode === 'PERSONAL';
    if (!isForPeople) requireMode(row.credential_mode, place.owner);
    const { server: document, config, endpoint_url: endpointUrl } = row;
    return reachable(credentialedUpstream({ document, config: readConfig(config), endpointUrl }));
  }

  private async ofListing(manager: EntityManager, caller: Caller, id: string): Promise<CredentialedUpstream> {
    const listing = await maybe<Pick<EntryRow, 'server'>>(manager, LISTING, [id, caller.userId]);
    const { server: document } = requireFound(listing, ErrorCode.ListingNotFound, id);
    return reachable(credentialedUpstream({ document, config: readConfig({}), endpointUrl: null }));
  }
}

/** @returns whose a stored credential is, and what it is for */
export function placeOf(row: CredentialRow): CredentialPlace {
  const { owner, person_id, bundle_id, entry_id, organisation_id, listing_id } = row;
  if (owner === 'ORGANISATION') return { owner, organisationId: organisation_id ?? '', listingId: listing_id ?? '' };
  const entry = { bundleId: bundle_id ?? '', entryId: entry_id ?? '' };
  return owner === 'PERSON' ? { owner, personId: person_id ?? '', ...entry } : { owner, ...entry };
}

function reachable(found: ReturnType<typeof credentialedUpstream>): CredentialedUpstream {
  if ('url' in found) return found;
  throw new ConflictError(ErrorCode.CredentialConflict, found.detail);
}

/** @throws ConflictError */
function requireMode(mode: CredentialMode, owner: 'PERSON' | 'BUNDLE'): void {
  if (mode === 'PERSONAL_OR_SHARED' || mode === (owner === 'PERSON' ? 'PERSONAL' : 'SHARED')) return;
  const detail: Record<typeof mode, string> = {
    NONE: 'The entry uses no credentials. An editor of the bundle can change that by its credential_mode.',
    PERSONAL: 'The entry uses the credentials of each person, and none of the bundle.',
    SHARED: 'The entry uses a credential of the bundle, and none of single people.',
  };
  throw new ConflictError(ErrorCode.CredentialConflict, detail[mode]);
}
