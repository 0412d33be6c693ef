/** Columns of `IdentityRow`. */
const COLUMNS = `id, issuer, subject, created_at`;

/** $1 account, $2 our own issuer, whose identities are how tokens of ours find the account, and no way to sign in. */
const OWN = `FROM identities WHERE user_id = $1 AND issuer <> $2`;

/** One page, newest first. $3 the last one of the previous page or null, $4 how many. */
export const LIST_IDENTITIES = `
  SELECT ${COLUMNS} ${OWN} AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`;

/** $3 id. */
export const FIND_IDENTITY = `SELECT ${COLUMNS} ${OWN} AND id = $3`;

/** The replicas forget what they remember of the tokens of the account $1, as when it is closed. */
export const FORGET_TOKENS = `SELECT pg_notify('accounts_closed', $1)`;
