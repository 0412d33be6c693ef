import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Sessions } from './sessions/sessions.service';

/** How a module ends what it gave an account to get in with, such as refresh tokens or personal tokens. */
export interface AccessEnder {
  /** For readers: `personal tokens`. */
  what: string;
  /**
   * @param manager of the transaction that ends all access; it has locked the account, so nothing new is made meanwhile
   *   by those who hold it (`holdAccount`)
   */
  end: (manager: EntityManager, userId: string) => Promise<void>;
}

/**
 * Ends everything by which an account gets in: its sessions, and what modules register at startup, so that nothing here
 * imports them. Used when an account is closed or deleted, or when a way of signing in changes.
 */
@Injectable()
export class AccessEnders {
  private readonly enders: AccessEnder[] = [];

  constructor(private readonly sessions: Sessions) {}

  /** Called at startup by the modules that issue access. */
  register(...enders: readonly AccessEnder[]): void {
    this.enders.push(...enders);
  }

  /**
   * @param manager of the transaction that locks the account
   * @param keptSessionId the session in which the person asked for it, if that goes on
   */
  async endAll(manager: EntityManager, userId: string, keptSessionId?: string): Promise<void> {
    await this.sessions.endAll(manager, userId, keptSessionId);
    for (const { end } of this.enders) await end(manager, userId);
  }
}
