import type { Columns } from '../../database/columns';
import type { PreparedStatement } from '../../database/prepared';
import type { Credential } from './credential.entity';
import { isInsider } from '../../bundles/bundle-insider.sql';

/** A credential without its values, and who hears of it. */
export type CredentialRow = Omit<
  Columns<Credential>,
  'person' | 'bundle' | 'organisation' | 'listing' | 'creator' | 'renewing_until'
> & {
  /** The organisation that owns it, or that owns its bundle. Null for one of a person, too. */
  tenant_org_id: string | null;
  /** The person who owns it, or who owns its bundle. */
  tenant_person_id: string | null;
};

/** The columns of `credentials` that code may read. */
const OWN_COLUMNS = `credentials.id, credentials.kind, credentials.owner, credentials.person_id, credentials.bundle_id,
  credentials.entry_id, credentials.organisation_id, credentials.listing_id, credentials.origin, credentials.seen_origins,
  credentials.version, credentials.status, credentials.issuer, credentials.client_id, credentials.token_endpoint,
  credentials.revocation_endpoint, credentials.token_auth, credentials.resource, credentials.scopes, credentials.expires_at, credentials.created_by, credentials.created_at,
  credentials.updated_at`;

const TENANT = `
  CASE credentials.owner WHEN 'ORGANISATION' THEN credentials.organisation_id
    WHEN 'BUNDLE' THEN (SELECT org_id FROM bundles WHERE bundles.id = credentials.bundle_id) END AS tenant_org_id,
  CASE credentials.owner WHEN 'PERSON' THEN credentials.person_id
    WHEN 'BUNDLE' THEN (SELECT owner_id FROM bundles WHERE bundles.id = credentials.bundle_id) END AS tenant_person_id`;

export const CREDENTIAL_COLUMNS = `${OWN_COLUMNS}, ${TENANT}`;

/** $1 id. */
export const FIND = `SELECT ${CREDENTIAL_COLUMNS} FROM credentials WHERE credentials.id = $1`;
export const LOCK = `${FIND} FOR NO KEY UPDATE OF credentials`;

/** $1 owner, $2 person, $3 bundle, $4 entry, $5 organisation, $6 listing; those that the owner does not have are null. */
export const LOCK_IN_PLACE = `
  SELECT ${CREDENTIAL_COLUMNS} FROM credentials
  WHERE credentials.owner = $1::text
    AND (credentials.owner = 'PERSON' AND credentials.person_id = $2::uuid AND credentials.entry_id = $4::uuid
      OR credentials.owner = 'BUNDLE' AND credentials.bundle_id = $3::uuid AND credentials.entry_id = $4::uuid
      OR credentials.owner = 'ORGANISATION' AND credentials.organisation_id = $5::uuid AND credentials.listing_id = $6::uuid)
  FOR NO KEY UPDATE OF credentials`;

/** $1–$6 as above, $7 id, $8 kind, $9 origin, $10 issuer, $11 client, $12 token endpoint, $13 resource, $14 scopes, $15 expiry, $16 revocation endpoint, $17 token_auth, $18 who. */
export const INSERT = `
  INSERT INTO credentials (owner, person_id, bundle_id, entry_id, organisation_id, listing_id, id, kind, origin, issuer,
                           client_id, token_endpoint, resource, scopes, expires_at, revocation_endpoint, token_auth,
                           created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::text[], $15, $16, $17, $18)
  RETURNING ${CREDENTIAL_COLUMNS}`;

/** $1 id, $2 kind, $3 origin, $4 issuer, $5 client, $6 token endpoint, $7 resource, $8 scopes, $9 expiry, $10 revocation endpoint, $11 token_auth: given again. */
export const REPLACE = `
  UPDATE credentials
  SET kind = $2, origin = $3, seen_origins = '{}', issuer = $4, client_id = $5, token_endpoint = $6, resource = $7,
      scopes = $8::text[], expires_at = $9, revocation_endpoint = $10, token_auth = $11, status = 'ACTIVE',
      version = version + 1, updated_at = now()
  WHERE credentials.id = $1
  RETURNING ${CREDENTIAL_COLUMNS}`;

/** Whether it becomes another client, or one of another server: where its tokens came from is found out again then. */
const IS_OTHER_CLIENT = `kind = 'OAUTH_CLIENT' AND ($5::boolean OR COALESCE($2 <> origin, false) OR COALESCE($3 <> client_id, false))`;
const unlessOther = (column: string) => `${column} = CASE WHEN ${IS_OTHER_CLIENT} THEN NULL ELSE ${column} END`;

/**
 * $1 id, $2 origin, $3 client, $4 scopes, each null: as before; $5 whether it has another secret of the client. Tokens that
 * were got with the former client are not used any more.
 */
export const CHANGE = `
  UPDATE credentials
  SET expires_at = CASE WHEN kind = 'OAUTH_CLIENT' THEN NULL ELSE expires_at END,
      ${unlessOther('issuer')}, ${unlessOther('token_endpoint')}, ${unlessOther('revocation_endpoint')},
      ${unlessOther('token_auth')}, ${unlessOther('resource')},
      origin = COALESCE($2, origin), seen_origins = CASE WHEN $2::text IS NULL THEN seen_origins ELSE '{}' END,
      client_id = COALESCE($3, client_id), scopes = COALESCE($4::text[], scopes), status = 'ACTIVE',
      version = version + 1, updated_at = now()
  WHERE credentials.id = $1
  RETURNING ${CREDENTIAL_COLUMNS}`;

/**
 * $1 credential: what was known of its servers with its former values, sessions with them included, is known no more. They are
 * created again with the next compilation.
 */
export const FORGET_UPSTREAMS = `DELETE FROM upstreams WHERE credential_id = $1`;

/** $1 id, $2 scopes or null: as before, $3 expiry or null: no one knows, $4 the version that was renewed; not one that was given since. */
export const RENEW = `
  UPDATE credentials SET expires_at = $3, scopes = COALESCE($2::text[], scopes), updated_at = now()
  WHERE credentials.id = $1 AND credentials.version = $4 AND credentials.status = 'ACTIVE'`;

/** $1 id, $2 the version that was used; not one that was given since. */
export const MARK_RECONNECT = `
  UPDATE credentials SET status = 'RECONNECT', version = version + 1, updated_at = now()
  WHERE credentials.id = $1 AND credentials.version = $2 AND credentials.status = 'ACTIVE'
  RETURNING ${CREDENTIAL_COLUMNS}`;

/** $1 id. */
export const REMOVE = `DELETE FROM credentials WHERE credentials.id = $1 RETURNING ${CREDENTIAL_COLUMNS}`;

/** $1 credential, $2 ids, $3 names, $4 sealed values. */
export const WRITE_VALUES = `
  INSERT INTO credential_values AS known (id, credential_id, name, sealed)
  SELECT id, $1::uuid, name, sealed FROM unnest($2::uuid[], $3::text[], $4::bytea[]) AS given (id, name, sealed)
  ON CONFLICT (credential_id, name) DO UPDATE SET sealed = EXCLUDED.sealed, updated_at = now()`;

/** $1 id: with its sealed values, and whether its owner may not use it any more. */
export const OPEN: PreparedStatement = {
  name: 'gateway_open_credential',
  sql: `
  SELECT ${CREDENTIAL_COLUMNS}, COALESCE(${hasLostAccess('credentials')}, false) AS has_left, stored.names, stored.sealed
  FROM credentials CROSS JOIN LATERAL (
    SELECT COALESCE(array_agg(name ORDER BY name), '{}') AS names, COALESCE(array_agg(sealed ORDER BY name), '{}') AS sealed
    FROM credential_values WHERE credential_id = credentials.id
  ) AS stored
  WHERE credentials.id = $1`,
};

/**
 * An expression: whether the person whose credential it is may not use its bundle any more. Null for one that is no person's.
 *
 * @param own the name of the row of `credentials`
 */
export function hasLostAccess(own: string): string {
  return `(SELECT NOT (bundles.visibility = 'PUBLIC' OR ${isInsider(`${own}.person_id`)}) OR people.closed_at IS NOT NULL
    FROM bundles, users AS people WHERE bundles.id = ${own}.bundle_id AND people.id = ${own}.person_id)`;
}
