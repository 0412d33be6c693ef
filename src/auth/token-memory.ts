import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../config/clock';
import type { Caller } from './caller';
import type { TokenIdentity } from './issuer';

const REMEMBERED_TOKENS = 10_000;
/** What an issuer says of a person, and whether a key of it is still good, is looked at again after this long. */
const LONGEST_MEMORY_MS = 600_000;

/** A token that was found good, and the account that it stands for. */
export interface VerifiedToken {
  identity: TokenIdentity;
  caller: Caller;
  /** The key that signed it, by its thumbprint (RFC 7638). */
  key: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

interface Remembered {
  verified: VerifiedToken;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * What was verified, until the token expires and for ten minutes at most. Bounded, and keyed by a digest so that memory
 * holds no tokens; roles and memberships are never part of it (contract, section 3).
 */
export class TokenMemory {
  private readonly remembered: LRUCache<string, Remembered>;
  /** The digests of each account, as thousands of accounts may be closed at once. */
  private readonly digestsOf = new Map<string, Set<string>>();
  private epochs = 0;

  /** @param max tokens at most; the one that was used least recently goes first */
  constructor(
    private readonly clock: Clock,
    max = REMEMBERED_TOKENS,
  ) {
    this.remembered = new LRUCache({
      max,
      dispose: ({ verified }, digest) => this.drop(verified.caller.userId, digest),
    });
  }

  /** To be taken before a token is verified, and handed over with what is to be remembered of it. */
  get epoch(): number {
    return this.epochs;
  }

  /**
   * @param epoch when the verification began: if anything was to be forgotten since, it may be this
   * @param until milliseconds since the epoch; sooner than after ten minutes, if the issuer's keys are to be looked at
   */
  remember(token: string, verified: VerifiedToken, epoch: number, until = Infinity): void {
    if (epoch !== this.epochs) return;
    const latest = this.clock.now().getTime() + LONGEST_MEMORY_MS;
    const digest = digestOf(token);
    this.remembered.set(digest, { verified, until: Math.min(verified.expiresAt, latest, until) });
    const { userId } = verified.caller;
    this.digestsOf.set(userId, (this.digestsOf.get(userId) ?? new Set()).add(digest));
  }

  /** @returns the verification of a token that was seen before and has not expired */
  recall(token: string): VerifiedToken | undefined {
    const digest = digestOf(token);
    const found = this.remembered.get(digest);
    if (found === undefined) return undefined;
    if (found.until > this.clock.now().getTime()) return found.verified;
    this.remembered.delete(digest);
    return undefined;
  }

  /** What is being verified at this moment is not remembered either: it may be the same token. */
  forget(token: string): void {
    this.epochs++;
    this.remembered.delete(digestOf(token));
  }

  /** Forgets every token of an account. */
  forgetAccount(userId: string): void {
    this.epochs++;
    for (const digest of [...(this.digestsOf.get(userId) ?? [])]) this.remembered.delete(digest);
  }

  forgetAll(): void {
    this.epochs++;
    this.remembered.clear();
  }

  private drop(userId: string, digest: string): void {
    const digests = this.digestsOf.get(userId);
    digests?.delete(digest);
    if (digests?.size === 0) this.digestsOf.delete(userId);
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
