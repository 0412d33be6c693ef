import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../config/clock';
import type { Caller } from './caller';
import type { TokenIdentity, TokenMarks } from './issuer';

const REMEMBERED_TOKENS = 10_000;
/** A token that its issuer called inactive is rejected for this long without asking again. */
const REFUSED_FOR_MS = 60_000;
/** A verification is cached for this long, because user data and the issuer's keys may change. */
const MAX_MEMORY_MS = 600_000;

/** A verified token, and its account. */
export interface VerifiedToken {
  caller: Caller;
  /** Absent for a personal access token, which has no issuer. */
  identity?: TokenIdentity;
  /** The key that signed it, by its thumbprint (RFC 7638); absent for a personal access token, which none signed. */
  key?: string;
  /** By what it is found among revoked ones; absent if only its issuer knows them. */
  marks?: TokenMarks;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

interface Remembered {
  verified: VerifiedToken;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * Caches verified tokens until they expire, for at most ten minutes. Bounded, and keyed by a digest so that memory
 * holds no tokens; roles and memberships are never part of it (contract, section 3).
 */
export class TokenMemory {
  private readonly remembered: LRUCache<string, Remembered>;
  /** Until when tokens are rejected, in milliseconds since the epoch; those that are due have to be asked about. */
  private readonly refused: LRUCache<string, number>;
  /** The digests of each account, grant and client, as thousands of accounts may be closed at once. */
  private readonly digestsOf = new Map<string, Set<string>>();
  private epochs = 0;

  /** @param max maximum number of tokens; the least recently used is evicted first */
  constructor(
    private readonly clock: Clock,
    max = REMEMBERED_TOKENS,
  ) {
    this.remembered = new LRUCache({
      max,
      dispose: ({ verified }, digest) => keysOf(verified).forEach((key) => this.drop(key, digest)),
    });
    this.refused = new LRUCache({ max });
  }

  /** Must be read before a token is verified, and passed along with the result. */
  get epoch(): number {
    return this.epochs;
  }

  /**
   * @param epoch when the verification began: if anything has been evicted since, it may be this token
   * @param until milliseconds since the epoch; earlier than ten minutes from now if the issuer's keys expire earlier
   */
  remember(token: string, verified: VerifiedToken, epoch: number, until = Infinity): void {
    if (epoch !== this.epochs) return;
    const latest = this.clock.now().getTime() + MAX_MEMORY_MS;
    const digest = digestOf(token);
    this.remembered.set(digest, { verified, until: Math.min(verified.expiresAt, latest, until) });
    this.refused.delete(digest);
    for (const key of keysOf(verified)) this.digestsOf.set(key, (this.digestsOf.get(key) ?? new Set()).add(digest));
  }

  /**
   * Notes that the issuer called a token inactive, which its signature does not say: it stays rejected, and after a minute
   * the issuer has to be asked again before it counts.
   */
  refuse(token: string): void {
    this.forget(token);
    this.refused.set(digestOf(token), this.clock.now().getTime() + REFUSED_FOR_MS);
  }

  /** @returns `rejected`, or `doubtful` if its issuer has to be asked, for a token that the issuer once called inactive */
  doubtAbout(token: string): 'rejected' | 'doubtful' | undefined {
    if (this.refused.size === 0) return undefined;
    const until = this.refused.get(digestOf(token));
    if (until === undefined) return undefined;
    return until > this.clock.now().getTime() ? 'rejected' : 'doubtful';
  }

  /** @returns the cached verification of a token that has not expired */
  recall(token: string): VerifiedToken | undefined {
    const digest = digestOf(token);
    const entry = this.remembered.get(digest);
    if (entry === undefined) return undefined;
    if (entry.until > this.clock.now().getTime()) return entry.verified;
    this.remembered.delete(digest);
    return undefined;
  }

  /** Verifications in progress are not cached either: they may be of the same token. */
  forget(token: string): void {
    this.epochs++;
    this.remembered.delete(digestOf(token));
  }

  /** Forgets every token of an account. */
  forgetAccount(userId: string): void {
    this.forgetOf(userId);
  }

  /**
   * Forgets every token with a mark.
   *
   * @param mark the digest of a grant or of a revoked token, in hexadecimal digits, or the id of a client
   */
  forgetMark(mark: string): void {
    this.forgetOf(mark);
  }

  forgetAll(): void {
    this.epochs++;
    this.remembered.clear();
  }

  private forgetOf(key: string): void {
    this.epochs++;
    for (const digest of [...(this.digestsOf.get(key) ?? [])]) this.remembered.delete(digest);
  }

  private drop(key: string, digest: string): void {
    const digests = this.digestsOf.get(key);
    digests?.delete(digest);
    if (digests?.size === 0) this.digestsOf.delete(key);
  }
}

/** By what a token is forgotten: ids and digests, none of which is like another. */
function keysOf({ caller, marks }: VerifiedToken): string[] {
  const { grant, denied, clientId } = marks ?? {};
  return [caller.userId, grant?.toString('hex'), denied?.toString('hex'), clientId].filter((key) => key != null);
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
