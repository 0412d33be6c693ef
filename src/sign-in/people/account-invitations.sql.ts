const COLUMNS = `id, email, name, invited_by, expires_at, created_at`;

/** One page, newest first. $1 the last one of the previous page or null, $2 how many. */
export const LIST_INVITATIONS = `
  SELECT ${COLUMNS} FROM account_invitations WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`;

/** $1 id. */
export const FIND_INVITATION = `SELECT ${COLUMNS} FROM account_invitations WHERE id = $1`;

/** $1 address as normalised, $2 now. */
export const HAS_INVITATION = `
  SELECT EXISTS (SELECT FROM account_invitations WHERE address = $1 AND expires_at > $2) AS has_invitation`;

/** $1 digest, $2 now. */
export const FIND_INVITATION_OF_LINK = `
  SELECT ${COLUMNS} FROM account_invitations WHERE digest = $1 AND expires_at > $2`;

/** $1 digest, $2 now. Of two who accept by one link, one does. */
export const USE_INVITATION = `DELETE FROM account_invitations WHERE digest = $1 AND expires_at > $2`;

/** $1 address as normalised. */
export const REMOVE_FORMER_INVITATION = `DELETE FROM account_invitations WHERE address = $1 RETURNING id`;

/** $1 id, $2 digest, $3 address as entered, $4 normalised, $5 name, $6 administrator, $7 now, $8 expiry. */
export const INSERT_INVITATION = `
  INSERT INTO account_invitations (id, digest, email, address, name, invited_by, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`;
