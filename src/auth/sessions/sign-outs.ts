import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { one } from '../../database/statements';
import { Sessions } from './sessions.service';

/** Ends whatever a person is signed in by. @param manager of the transaction that signs the person out */
export type SignOut = (manager: EntityManager, userId: string) => Promise<void>;

/** By what a person is signed in, or programs act for them. */
export interface SignedInBy {
  session_count: number;
  application_count: number;
  access_token_count: number;
}

const MAX_COUNTED = 1_000;

const counted = (from: string) => `(SELECT count(*)::int FROM (SELECT FROM ${from} LIMIT ${MAX_COUNTED}) AS found)`;

/** $1 person; each by an index of the person. */
const COUNT_SIGNED_IN = `
  SELECT ${counted('sessions WHERE user_id = $1 AND expires_at > now()')} AS session_count,
         ${counted(`oauth_artifacts WHERE account_id = $1 AND model = 'Grant' AND expires_at > now()`)} AS application_count,
         ${counted('personal_access_tokens WHERE user_id = $1 AND expires_at > now()')} AS access_token_count`;

/** Signs a person out everywhere. Rooms register what they must end besides sessions, such as refresh tokens. */
@Injectable()
export class SignOuts {
  private readonly others: SignOut[] = [];

  constructor(private readonly sessions: Sessions) {}

  /** Called at startup. */
  register(...others: readonly SignOut[]): void {
    this.others.push(...others);
  }

  /** @returns what `everywhere` would end for a person; each is counted up to 1,000 */
  count(manager: EntityManager, userId: string): Promise<SignedInBy> {
    return one<SignedInBy>(manager, COUNT_SIGNED_IN, [userId]);
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
