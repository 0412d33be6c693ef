import { findWith } from '../../users/accounts.sql';

/**
 * $1 digest of the grant or null, $2 digest of the denied token, $3 account or null, $4 client or null. A token of a
 * client for itself has neither grant nor account; clients with metadata documents have no row.
 */
export const TOKEN_STATUS = {
  name: 'access token status',
  sql: `
  SELECT ($1::bytea IS NULL OR EXISTS (SELECT FROM oauth_artifacts WHERE digest = $1 AND expires_at > now()))
    AND NOT EXISTS (SELECT FROM oauth_artifacts WHERE digest = $2)
    AND ($3::uuid IS NULL OR EXISTS (SELECT FROM users WHERE id = $3 AND closed_at IS NULL))
    AND ($4::uuid IS NULL OR EXISTS (SELECT FROM oauth_clients WHERE id = $4)) AS is_active`,
};

/** $1 issuer, $2 subject, and the marks of the token: $3 grant or null, $4 denied, $5 client or null. */
export const ACCOUNT_OF_TOKEN = findWith(
  isActiveToken({ grant: '$3::bytea', denied: '$4::bytea', client: '$5::uuid' }),
);

/** A token by its marks, as SQL expressions; each may be null. */
export interface TokenColumns {
  /** This expression gives the digest of the token's grant. */
  grant: string;
  /** This expression gives the digest by which the token itself may be denied. */
  denied: string;
  client: string;
}

/** Whether a token was revoked neither by itself nor with its grant or its client, as an SQL condition. */
export function isActiveToken({ grant, denied, client }: TokenColumns): string {
  return `((${grant} IS NULL OR EXISTS (SELECT FROM oauth_artifacts WHERE digest = ${grant} AND expires_at > now()))
    AND NOT EXISTS (SELECT FROM oauth_artifacts WHERE digest = ${denied})
    AND (${client} IS NULL OR EXISTS (SELECT FROM oauth_clients WHERE id = ${client})))`;
}
