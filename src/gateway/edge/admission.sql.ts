import { isActiveToken } from '../../auth/authorization-server/token-status.sql';
import { isUsableToken } from '../../bundles/access-tokens/usable-token.sql';
import { isInsider } from '../../bundles/bundle-insider.sql';
import type { PreparedStatement } from '../../database/prepared';
import {
  credentialOfEntry,
  entryWords,
  isUsableBy,
  MEANT_VERSIONS,
  servedEntries,
} from '../entries/visible-entries.sql';
import type { EndpointNaming, EndpointPresentation, RecordedArguments, RecordMode } from '../settings/endpoint-enums';
import { matchingRules } from '../rules/matching-rules.sql';

/** Own credentials of a person count where they call themselves, not where an access token acts for the bundle. */
const CREDENTIAL = credentialOfEntry('bundles.id', 'bundles.org_id', 'asked.person_id');

/** What a credential allows at an endpoint. */
export type EndpointScope = 'read' | 'call';

/** Who may use an endpoint, and everything that what it offers them depends on. */
export interface AdmittedRow {
  /** From 1. */
  place: number;
  bundle_id: string;
  name: string;
  slug: string;
  /** A deployment is bound to this version; null: the bundle as it is. */
  bound_version: number | null;
  version: number;
  naming: EndpointNaming;
  name_budget: number;
  record: RecordMode;
  record_arguments: RecordedArguments;
  /** A bigint. */
  stamp: string;
  person_id: string;
  /** The bundle belongs to this organisation; null: a person owns it. */
  org_id: string | null;
  owner_id: string;
  token_id: string | null;
  token_scopes: EndpointScope[] | null;
  token_expires_at: Date | null;
  last_used_at: Date | null;
  /** False: the access token of the person was revoked. */
  is_active: boolean;
  presentation: EndpointPresentation;
  /** The places of the rules that are about them; null: there are none. */
  rules: string | null;
  /** `digestOfEntries` of which versions of which listings they may use, and with which credentials. */
  entries: string;
}

const IS_ACTIVE = isActiveToken({ grant: 'asked.granted', denied: 'asked.denied', client: 'asked.client_id' });

/**
 * $1 bundles or null, $2 deployments or null, $3 persons or null, $4 digests of access tokens or null, $5 now, and the marks of the
 * tokens of persons, each or null: $6 grants, $7 denied, $8 clients. A token sees what its creator sees. Deployments are for
 * insiders, as in the REST API.
 */
export const ADMIT: PreparedStatement = {
  name: 'mcp admit',
  sql: `
  SELECT asked.place::int AS place, bundles.id AS bundle_id, bundles.name, bundles.slug, bundles.org_id, bundles.owner_id,
         deployments.bundle_version AS bound_version, COALESCE(deployments.bundle_version, bundles.version) AS version,
         endpoints.naming, endpoints.name_budget, endpoints.presentation, endpoints.record, endpoints.record_arguments,
         endpoints.stamp::text AS stamp, people.id AS person_id,
         tokens.id AS token_id, tokens.scopes AS token_scopes, tokens.expires_at AS token_expires_at, tokens.last_used_at,
         ${matchingRules('people.id', 'tokens.id')} AS rules, ${IS_ACTIVE} AS is_active, served.entries
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[], $6::bytea[], $7::bytea[], $8::uuid[]) WITH ORDINALITY
    AS asked(bundle_id, deployment_id, person_id, token_digest, granted, denied, client_id, place)
  LEFT JOIN bundle_deployments AS deployments ON deployments.id = asked.deployment_id AND deployments.kind = 'ENDPOINT'
  LEFT JOIN bundle_access_tokens AS tokens ON tokens.digest = asked.token_digest
  JOIN bundles ON bundles.id = COALESCE(asked.bundle_id, deployments.bundle_id)
  JOIN bundle_endpoints AS endpoints ON endpoints.bundle_id = bundles.id AND endpoints.is_enabled
  JOIN users AS people ON people.id = COALESCE(asked.person_id, tokens.created_by) AND people.closed_at IS NULL
  CROSS JOIN LATERAL (
    SELECT encode(sha256(convert_to(COALESCE(string_agg(${entryWords(CREDENTIAL)}, E'\\n' ORDER BY entries.place), ''), 'UTF8')),
                  'base64') AS entries
    FROM ${servedEntries('bundles.id', 'deployments.bundle_version')} ${MEANT_VERSIONS}
    WHERE ${isUsableBy('people.id')}
  ) AS served
  WHERE (asked.token_digest IS NULL OR (tokens.bundle_id = bundles.id AND ${isUsableToken('$5')}))
    AND ((bundles.visibility = 'PUBLIC' AND asked.deployment_id IS NULL) OR ${isInsider('people.id')})`,
};

/** $1 digest, $2 now. */
export const FIND_TOKEN = `
  SELECT tokens.bundle_id
  FROM bundle_access_tokens AS tokens JOIN bundles ON bundles.id = tokens.bundle_id
  WHERE tokens.digest = $1 AND ${isUsableToken('$2')}`;

/** The marks of the token of a person: $1 grant or null, $2 denied, $3 client or null. */
export const FIND_ACTIVE = `
  SELECT ${isActiveToken({ grant: '$1::bytea', denied: '$2::bytea', client: '$3::uuid' })} AS is_active`;
