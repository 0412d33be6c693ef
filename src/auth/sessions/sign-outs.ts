import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Sessions } from './sessions.service';

/** Ends whatever a person is signed in by. @param manager of the transaction that signs the person out */
export type SignOut = (manager: EntityManager, userId: string) => Promise<void>;

/** Signs a person out everywhere. Rooms register what they must end besides sessions, such as refresh tokens. */
@Injectable()
export class SignOuts {
  private readonly others: SignOut[] = [];

  constructor(private readonly sessions: Sessions) {}

  /** Called at startup. */
  register(...others: readonly SignOut[]): void {
    this.others.push(...others);
  }

  /**
   * @param manager of the caller's transaction
   * @param keptSessionId the session in which the person asked for it, if that goes on
   */
  async everywhere(manager: EntityManager, userId: string, keptSessionId?: string): Promise<void> {
    if (keptSessionId === undefined) await this.sessions.endOf(manager, userId);
    else await this.sessions.endOthers(manager, userId, keptSessionId);
    for (const end of this.others) await end(manager, userId);
  }
}
