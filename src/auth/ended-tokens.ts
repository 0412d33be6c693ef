import { Injectable, OnModuleInit } from '@nestjs/common';
import { Notifications } from '../database/notifications';
import type { TokenMarks } from './issuer';
import { TokenMemory } from './token-memory';

/** Sent by triggers, with a mark: the digest of a grant or of a revoked token, or the id of a client. */
const CHANNEL = 'access_ended';

/**
 * Access tokens of our own authorization server that ended before their time (contract, section 13.2): revoked alone or
 * with their grant, their client or their sign-in. A trigger notifies every process within milliseconds. The one that
 * ends them says so here as well, after the commit, so that it rejects them from the next request on.
 */
@Injectable()
export class EndedTokens implements OnModuleInit {
  constructor(
    private readonly notifications: Notifications,
    private readonly memory: TokenMemory,
  ) {}

  onModuleInit(): void {
    // After a lost connection `DepartedAccounts` clears the whole memory.
    this.notifications.listen(CHANNEL, (mark) => {
      if (mark !== undefined) this.memory.forgetMark(mark);
    });
  }

  /** Whether this process would hear of an end now; otherwise the database has to be asked about each request. */
  get areHeardOf(): boolean {
    return this.notifications.connected;
  }

  /** @param digest of a grant that was ended */
  byGrant(digest: Buffer): void {
    this.memory.forgetMark(digest.toString('hex'));
  }

  /** A token was revoked by itself. */
  byItself({ denied }: Pick<TokenMarks, 'denied'>): void {
    this.memory.forgetMark(denied.toString('hex'));
  }

  /** @param clientId of a client that was deleted */
  byClient(clientId: string): void {
    this.memory.forgetMark(clientId);
  }

  /** A person signed out, took something back, or had to go. */
  byAccount(userId: string): void {
    this.memory.forgetAccount(userId);
  }
}
