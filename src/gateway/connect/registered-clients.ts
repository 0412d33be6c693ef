import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { execute, maybe } from '../../database/statements';
import { CLIENT_SECRET } from '../credentials/credential-kinds';
import { CredentialStore } from '../credentials/credential-store';

/** A client that someone has registered at an authorization server, and given to a bundle or an organisation. */
export interface RegisteredClient {
  readonly credentialId: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Null: it was not used yet. */
  readonly issuer: string | null;
  readonly tokenAuth: string | null;
}

/**
 * $1 bundle, $2 entry, $3 listing or null: that of the entry, now or in a version, $4 origin, $5 client or null: any, $6 whether the
 * server is where its listing says, or null: as the entry is now. What was given for the entry precedes what the organisation of
 * the bundle has given for the listing. Shared tokens that were got with such a client have taken its place, and kept its secret.
 */
const FIND = `
  SELECT credentials.id FROM credentials
  WHERE credentials.origin = $4 AND ($5::text IS NULL OR credentials.client_id = $5)
    AND (credentials.kind = 'OAUTH_CLIENT' OR credentials.kind = 'OAUTH' AND EXISTS (
      SELECT FROM credential_values AS secret WHERE secret.credential_id = credentials.id AND secret.name = '${CLIENT_SECRET}'))
    AND (credentials.owner = 'BUNDLE' AND credentials.bundle_id = $1 AND credentials.entry_id = $2
      OR COALESCE($6::boolean, NOT EXISTS (
        SELECT FROM bundle_entries WHERE bundle_id = $1 AND id = $2 AND endpoint_url IS NOT NULL))
        AND credentials.owner = 'ORGANISATION' AND credentials.listing_id IN (
          SELECT $3::uuid WHERE $3 IS NOT NULL
          UNION ALL SELECT listing_id FROM bundle_entries WHERE $3 IS NULL AND bundle_id = $1 AND id = $2
          UNION ALL
          SELECT recorded.listing_id
          FROM bundle_versions
            CROSS JOIN LATERAL jsonb_to_recordset(bundle_versions.entries) AS recorded(id uuid, listing_id uuid)
          WHERE $3 IS NULL AND bundle_versions.bundle_id = $1 AND recorded.id = $2)
        AND credentials.organisation_id = (SELECT org_id FROM bundles WHERE bundles.id = $1))
  ORDER BY credentials.owner = 'BUNDLE' DESC LIMIT 1`;

/** $1 credential, $2 issuer. */
const BIND = `UPDATE credentials SET issuer = $2 WHERE id = $1 AND issuer IS NULL`;

/** Finds clients that editors and administrators have registered themselves. */
@Injectable()
export class RegisteredClients {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: CredentialStore,
  ) {}

  /**
   * @param place without a listing: the entry says which; `isOfListing` likewise. That is false where editors of the bundle have
   *   said where its server is: none of the organisation is used, whose secret could be sent to an issuer of theirs
   * @param origin of the server now: one that was given for another origin is not used
   * @param client what it has to be called; undefined: anything
   */
  async of(
    place: { bundleId: string; entryId: string; listingId: string | null; isOfListing: boolean | null },
    origin: string,
    client?: string,
  ): Promise<RegisteredClient | undefined> {
    const { bundleId, entryId, listingId, isOfListing } = place;
    const values = [bundleId, entryId, listingId, origin, client ?? null, isOfListing];
    const row = await maybe<{ id: string }>(this.dataSource, FIND, values);
    const opened = row && (await this.store.open(this.dataSource, row.id));
    if (!opened || opened.credential.client_id === null) return undefined;
    const { id, client_id, issuer, token_auth } = opened.credential;
    return {
      credentialId: id,
      clientId: client_id,
      clientSecret: opened.values.get(CLIENT_SECRET),
      issuer,
      tokenAuth: token_auth,
    };
  }

  /** It was accepted by an issuer for the first time, and is sent to no other one from now on. */
  async bind(manager: EntityManager, credentialId: string, issuer: string): Promise<void> {
    await execute(manager, BIND, [credentialId, issuer]);
  }
}
