import type { Account } from 'oidc-provider';
import { type DataSource, IsNull } from 'typeorm';
import { STORED_ID } from '../../database/id';
import type { Accounts } from '../../users/accounts.service';
import { User } from '../../users/user.entity';

/** Accounts as the library knows them. */
export class People {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly issuer: string,
  ) {}

  /** @returns undefined for an account that is closed or does not exist */
  async find(id: string): Promise<Account | undefined> {
    if (!STORED_ID.test(id)) return undefined;
    const user = await this.dataSource
      .getRepository(User)
      .findOne({ select: { id: true, email: true, name: true }, where: { id, closedAt: IsNull() } });
    if (!user) return undefined;
    // Nobody gives themselves an address here, so an address counts as verified.
    const claims = {
      sub: id,
      ...(user.email === null ? {} : { email: user.email, email_verified: true }),
      ...(user.name === null ? {} : { name: user.name }),
    };
    return { accountId: id, claims: () => Promise.resolve(claims) };
  }

  /** Lets the verifier find the account by the subject of its tokens. */
  async ensureIdentity(userId: string): Promise<void> {
    await this.accounts.ensureIdentity(this.dataSource.manager, this.issuer, userId);
  }
}
