import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Secrets } from '../../../config/secrets';
import { execute, many, maybe } from '../../../database/statements';
import { inTransaction } from '../../../database/transaction';
import { NotFoundError } from '../../../errors/errors';
import { type Page, type PageQuery, Pages } from '../../../http/requests/page';
import type { Caller } from '../../caller';
import { ArtifactCipher } from '../artifact-cipher';
import { ErrorCode } from '../clients/oauth-client.errors';
import { type GrantOut, type GrantRow, toGrant } from './grant.dto';

const LIST = 'grants';

/** $1 account, $2 the last one of the previous page, $3 how many. */
const SELECT = `
  SELECT grants.id, grants.client_id, clients.name AS client_name, grants.digest, grants.payload, grants.created_at,
    grants.expires_at
  FROM oauth_artifacts AS grants LEFT JOIN oauth_clients AS clients
    ON clients.id = CASE WHEN grants.client_id ~ '^[0-9a-f-]{36}$' THEN grants.client_id::uuid END
  WHERE grants.account_id = $1 AND grants.model = 'Grant' AND grants.expires_at > now()
    AND ($2::uuid IS NULL OR grants.id < $2)
  ORDER BY grants.id DESC LIMIT $3`;

/** $1 account, $2 grant. What was remembered of the person's consent to the client goes, too. */
const REVOKE = `
  WITH revoked AS (
    SELECT digest, client_id FROM oauth_artifacts WHERE account_id = $1 AND model = 'Grant' AND id = $2
  )
  DELETE FROM oauth_artifacts AS artifacts USING revoked
  WHERE artifacts.digest = revoked.digest OR artifacts.grant_digest = revoked.digest
    OR (artifacts.account_id = $1 AND artifacts.model = 'Consent' AND artifacts.client_id = revoked.client_id)`;

/** What people have allowed clients to do for them. */
@Injectable()
export class GrantsService {
  private readonly cipher: ArtifactCipher;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
    secrets: Secrets,
  ) {
    this.cipher = new ArtifactCipher(secrets);
  }

  /** Newest first. @throws ValidationError */
  async list({ userId }: Pick<Caller, 'userId'>, query: PageQuery): Promise<Page<GrantOut>> {
    const request = this.pages.open(LIST, query, {});
    const rows = await many<GrantRow>(this.dataSource, SELECT, [userId, request.after ?? null, request.take]);
    return this.pages.close(LIST, request, rows, (row) => toGrant(row, this.cipher.open(row.digest, row.payload)));
  }

  /**
   * Ends a grant and its refresh tokens. Access tokens that were issued before end within ten minutes, at once where a
   * request says `verify_locally=false`.
   *
   * @throws NotFoundError
   */
  async revoke({ userId }: Pick<Caller, 'userId'>, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const grant = await maybe(
        manager,
        `SELECT id FROM oauth_artifacts WHERE account_id = $1 AND model = 'Grant' AND id = $2 FOR UPDATE`,
        [userId, id],
      );
      if (!grant) throw new NotFoundError(ErrorCode.GrantNotFound, id);
      await execute(manager, REVOKE, [userId, id]);
    });
  }
}
