import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What another room does when a person takes over an account that waited for their address. */
export interface ClaimFollower {
  /**
   * Takes the locks of a claim that come before that of the address, in the order in which accounts are deleted.
   *
   * @param manager of the transaction of the claim
   * @param email whose account may be waiting
   */
  prepare(manager: EntityManager, email: string): Promise<void>;

  /**
   * Decides what the person has to agree to.
   *
   * @param manager of the same transaction, in which the account was claimed
   */
  settle(manager: EntityManager, userId: string): Promise<void>;
}

/**
 * Runs what follows a claim in other modules. Every way to claim an account calls it: a first sign-in, an invitation to have
 * an account, a company sign-in, `npm run token`.
 */
@Injectable()
export class AccountClaims implements ClaimFollower {
  private readonly followers: ClaimFollower[] = [];

  /** Called at startup. */
  register(follower: ClaimFollower): void {
    this.followers.push(follower);
  }

  async prepare(manager: EntityManager, email: string): Promise<void> {
    for (const follower of this.followers) await follower.prepare(manager, email);
  }

  async settle(manager: EntityManager, userId: string): Promise<void> {
    for (const follower of this.followers) await follower.settle(manager, userId);
  }
}
