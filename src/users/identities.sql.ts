/** Columns of `IdentityRow`. */
const COLUMNS = `id, issuer, subject, created_at`;

/** $1 account, $2 our own issuer, whose identities are how tokens of ours find the account, and no way to sign in. */
const OWN = `FROM identities WHERE user_id = $1 AND issuer <> $2`;

/** One page, newest first. $3 the last one of the previous page or null, $4 how many. */
export const LIST_IDENTITIES = `
  SELECT ${COLUMNS} ${OWN} AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`;

/** $3 id. */
export const FIND_IDENTITY = `SELECT ${COLUMNS} ${OWN} AND id = $3`;

/** $1 accounts, $2 issuers. */
export const IDENTITIES_AS_WAYS = `
  SELECT user_id, 'IDENTITY' AS kind, issuer, subject FROM identities
  WHERE user_id = ANY($1) AND issuer = ANY($2) ORDER BY user_id, id`;

/** $1 account, $2 issuer, $3 subject. */
export const HAS_IDENTITY = `SELECT id FROM identities WHERE user_id = $1 AND issuer = $2 AND subject = $3`;
