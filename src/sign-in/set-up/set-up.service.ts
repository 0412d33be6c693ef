import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import { Sessions } from '../../auth/sessions/sessions.service';
import { TokenMemory } from '../../auth/token-memory';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { execute } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { DomainError, ErrorCode } from '../../errors/errors';
import { OrganisationsService } from '../../organisations/organisations.service';
import { Accounts } from '../../users/accounts.service';
import { Passwords } from '../passwords/passwords.service';
import { Protection } from '../protection/protection.service';
import { FINISH_SET_UP } from './set-up.sql';
import type { SetUpFields } from './set-up-form';
import { SetUpToken } from './set-up-token.entity';
import { SetUpTokens } from './set-up-tokens';

/** No one can use the page any more; like a page that never was. */
export class SetUpOverError extends DomainError {
  constructor() {
    super(ErrorCode.NotFound, 'There is nothing to set up here.');
  }
}

/** Makes the first account, which administers the platform, and its organisation. */
@Injectable()
export class SetUp {
  private readonly logger = new Logger(SetUp.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: SetUpTokens,
    private readonly protection: Protection,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly organisations: OrganisationsService,
    private readonly sessions: Sessions,
    private readonly memory: TokenMemory,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /** @throws SetUpOverError unless the instance can be set up */
  async requireOpen(): Promise<void> {
    if ((await this.tokens.obstacle()) !== undefined) throw new SetUpOverError();
  }

  /**
   * Sets the instance up and signs its administrator in, all in one transaction.
   *
   * @param fields without problems
   * @returns what is wrong, for the person; undefined if it is done
   * @throws SetUpOverError if someone else was first; RateLimitedError after too many wrong tokens
   */
  async run(request: Request, response: Response, fields: SetUpFields): Promise<string | undefined> {
    const attempt = await this.protection.admit(request);
    if (!(await this.tokens.isGood(fields.token))) {
      // Perhaps it was good until someone else finished.
      await this.requireOpen();
      return 'The set-up token is wrong or older than 24 hours. "npm run setup-link" prints a new link.';
    }
    await attempt.succeed();
    const hash = await this.passwords.hash(fields.password);
    try {
      const userId = await inTransaction(this.dataSource, async (manager) => {
        // Before anything else, so that the requests that lose a race do nothing.
        if ((await execute(manager, FINISH_SET_UP, [this.clock.now()])) === 0) throw new SetUpOverError();
        const id = await this.open(manager, request, fields, hash);
        if (id === undefined) throw new AddressTakenError();
        const address = this.protection.addressOf(request);
        await this.sessions.start(manager, request, response, { userId: id, methods: ['pwd'], address });
        return id;
      });
      // Access tokens that the account had before now administer the platform, too.
      this.memory.forgetAccount(userId);
      this.logger.log(`This instance was set up; its administrator is ${userId}.`);
      return undefined;
    } catch (error) {
      response.removeHeader('Set-Cookie');
      if (error instanceof AddressTakenError) return error.message;
      throw error;
    }
  }

  /** @returns the account; undefined if its address belongs to one that someone signs in to elsewhere */
  private async open(
    manager: EntityManager,
    request: Request,
    { email, name, password: _, organisation }: SetUpFields,
    hash: string,
  ): Promise<string | undefined> {
    const { id, wasClaimed } = await this.accounts.forVouchedEmail(manager, email, name);
    const issuer = this.environment.publicUrl;
    // An account of `npm run token` belongs to the operator, who is here. Any other may be someone else's.
    if (wasClaimed && (await this.accounts.hasOtherIssuer(manager, issuer, id))) return undefined;
    await this.accounts.makePlatformAdmin(manager, id, name);
    await this.accounts.ensureIdentity(manager, issuer, id);
    await this.passwords.store(manager, id, hash);
    const cause = { actorType: 'user', actorId: id, requestId: String(request.id) } as const;
    await this.organisations.createIn(manager, { userId: id, isPlatformAdmin: true }, cause, { name: organisation });
    await manager.getRepository(SetUpToken).deleteAll();
    return id;
  }
}

class AddressTakenError extends Error {
  constructor() {
    super('An account with this address signs in elsewhere. Use another address.');
  }
}
