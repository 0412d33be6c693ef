import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Secrets } from '../../../config/secrets';
import { execute, many, maybe } from '../../../database/statements';
import { inTransaction } from '../../../database/transaction';
import { requireFound } from '../../../errors/errors';
import { type Page, type PageQuery, Pages } from '../../../http/requests/page';
import type { Caller } from '../../caller';
import { EndedTokens } from '../../ended-tokens';
import { ArtifactCipher } from '../artifact-cipher';
import { ErrorCode } from '../clients/oauth-client.errors';
import { type GrantOut, type GrantRow, toGrant } from './grant.dto';
import { REVOKE_GRANT, SELECT_GRANTS } from './grants.sql';

const LIST = 'grants';

/** What people have allowed clients to do for them. */
@Injectable()
export class GrantsService {
  private readonly cipher: ArtifactCipher;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
    private readonly ended: EndedTokens,
    secrets: Secrets,
  ) {
    this.cipher = new ArtifactCipher(secrets);
  }

  /** Newest first. @throws ValidationError */
  async list({ userId }: Pick<Caller, 'userId'>, query: PageQuery): Promise<Page<GrantOut>> {
    const page = this.pages.open(LIST, query, {});
    const rows = await many<GrantRow>(this.dataSource, SELECT_GRANTS, [userId, page.after, page.take]);
    return page.close(rows, (row) => toGrant(row, this.cipher.open(row.digest, row.payload)));
  }

  /**
   * Ends a grant with its refresh and access tokens: here from the next request on, elsewhere within a second.
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
      requireFound(grant, ErrorCode.GrantNotFound, id);
      await execute(manager, REVOKE_GRANT, [userId, id]);
    });
    this.ended.byAccount(userId);
  }
}
