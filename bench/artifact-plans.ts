import type { Client } from 'pg';
import {
  CONSUME,
  DELETE,
  DELETE_EXPIRED,
  DELETE_FAMILY,
  DELETE_OF_GRANT,
  FIND,
  FIND_BY_SESSION,
  FIND_BY_UID,
  FIND_BY_USER_CODE,
  SAVE,
  SAVE_ONCE,
} from '../src/auth/authorization-server/artifacts.sql';
import { END_GRANTS } from '../src/auth/authorization-server/grants/grant-departure';
import { REVOKE_GRANT, SELECT_GRANTS } from '../src/auth/authorization-server/grants/grants.sql';
import { TOKEN_STATUS } from '../src/auth/authorization-server/token-status.sql';
import { newId } from '../src/database/id';

const NOBODY = '00000000-0000-7000-8000-000000000000';

/** What the statements are asked for: rows of `fill` in `cases/sign-in-code.ts`. */
interface Known {
  refresh_token: Buffer;
  grant_digest: Buffer;
  grant_id: string;
  account_id: string;
  user_code_digest: Buffer;
  uid_digest: Buffer;
}

/** @returns the plan of each statement on `oauth_artifacts`, executed and rolled back, in the form in which people read them */
export async function artifactPlans(database: Client): Promise<string> {
  const { rows } = await database.query<Known>(`
    SELECT token.digest AS refresh_token, token.grant_digest, "grant".id AS grant_id, token.account_id,
      (SELECT user_code_digest FROM oauth_artifacts WHERE model = 'DeviceCode' LIMIT 1),
      (SELECT uid_digest FROM oauth_artifacts WHERE model = 'Session' LIMIT 1)
    FROM oauth_artifacts AS token JOIN oauth_artifacts AS "grant" ON "grant".digest = token.grant_digest
    WHERE token.model = 'RefreshToken' AND token.consumed_at IS NULL LIMIT 1`);
  const [known] = rows;
  if (!known) throw new Error('There are no artefacts.');
  const { refresh_token: token, grant_digest: grant, account_id: account } = known;
  const fresh = Buffer.alloc(32, 1);
  const saved = [
    fresh,
    newId(),
    'RefreshToken',
    grant,
    null,
    null,
    account,
    'client',
    Buffer.alloc(512),
    1_209_600,
    null,
  ];
  const statements: [string, string, unknown[]][] = [
    [FIND.name, FIND.sql, [token]],
    [FIND_BY_USER_CODE.name, FIND_BY_USER_CODE.sql, [known.user_code_digest]],
    [FIND_BY_UID.name, FIND_BY_UID.sql, [known.uid_digest]],
    [FIND_BY_SESSION.name, FIND_BY_SESSION.sql, [NOBODY]],
    [SAVE.name, SAVE.sql, saved],
    [SAVE_ONCE.name, SAVE_ONCE.sql, saved],
    [CONSUME.name, CONSUME.sql, [token]],
    [DELETE.name, DELETE.sql, [token]],
    [DELETE_OF_GRANT.name, DELETE_OF_GRANT.sql, ['RefreshToken', grant]],
    ['delete family', DELETE_FAMILY, [token]],
    ['delete expired', DELETE_EXPIRED, [1_000]],
    [TOKEN_STATUS.name, TOKEN_STATUS.sql, [grant, fresh, account, NOBODY]],
    ['list grants', SELECT_GRANTS, [account, null, 31]],
    ['revoke grant', REVOKE_GRANT, [account, known.grant_id]],
    ['end grants of account', END_GRANTS, [account]],
  ];
  let text = '';
  for (const [name, sql, parameters] of statements) {
    await database.query('BEGIN');
    const { rows: lines } = await database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS) ${sql}`,
      parameters,
    );
    await database.query('ROLLBACK');
    text += `\n${name}\n${lines.map((line) => line['QUERY PLAN']).join('\n')}\n`;
  }
  return text;
}
