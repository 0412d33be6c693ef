import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../config/clock';
import type { Caller } from './caller';
import type { TokenIdentity } from './issuer';

const REMEMBERED_TOKENS = 10_000;

/** A token that was found good, and the account that it stands for. */
export interface VerifiedToken {
  identity: TokenIdentity;
  caller: Caller;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * What was verified, until the token expires. Bounded, and keyed by a digest so that memory holds no tokens; roles and
 * memberships are never part of it (contract, section 3).
 */
export class TokenMemory {
  private readonly verified: LRUCache<string, VerifiedToken>;

  /** @param max tokens at most; the one that was used least recently goes first */
  constructor(
    private readonly clock: Clock,
    max = REMEMBERED_TOKENS,
  ) {
    this.verified = new LRUCache({ max });
  }

  remember(token: string, verified: VerifiedToken): void {
    this.verified.set(digestOf(token), verified);
  }

  /** @returns the verification of a token that was seen before and has not expired */
  recall(token: string): VerifiedToken | undefined {
    const digest = digestOf(token);
    const verified = this.verified.get(digest);
    if (verified === undefined || verified.expiresAt > this.clock.now().getTime()) return verified;
    this.verified.delete(digest);
    return undefined;
  }

  forget(token: string): void {
    this.verified.delete(digestOf(token));
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
