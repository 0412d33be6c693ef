import type { Password } from './password.entity';

import type { Statement } from '../../database/statements';

/** $1 account, $2 hash, $3 now. */
export const STORE_PASSWORD: Statement = {
  name: 'password_store',
  sql: `
    INSERT INTO passwords (user_id, hash, changed_at) VALUES ($1, $2, $3)
    ON CONFLICT ON CONSTRAINT passwords_pkey DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at`,
};

/** $1 account, $2 the hash that was verified, $3 the same password with today's parameters. */
export const REHASH = `UPDATE passwords SET hash = $3 WHERE user_id = $1 AND hash = $2`;

/** What `FIND_OR_NOTHING` gives. */
export interface StoredPassword {
  hash: Password['hash'] | null;
  changed_at: Password['changedAt'] | null;
}

/** $1 account. One row in any case, so that an account without a password takes no less time to read. */
export const FIND_OR_NOTHING = `
  SELECT passwords.hash, passwords.changed_at
  FROM (SELECT $1::uuid AS id) AS account LEFT JOIN passwords ON passwords.user_id = account.id`;
