/** $1 account, $2 issuer, $3 subject. */
export const HAS_IDENTITY = `SELECT id FROM identities WHERE user_id = $1 AND issuer = $2 AND subject = $3`;
