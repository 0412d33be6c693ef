import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { ErrorCode, UnavailableError } from '../../errors/errors';

/** OWASP's second choice for argon2id: 19 MiB, two passes. About 0.1 s on one core. `Algorithm.Argon2id` is the default. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Each computation occupies a thread and 19 MiB; more of them at once would starve the requests of everyone else. */
export const HASHES_AT_ONCE = 2;
/** About three seconds of work. Those who come later are asked to come back. */
export const MAX_WAITING = 50;
/** So many of those come from strangers: a flood of wrong passwords leaves a quarter to who has signed in before. */
export const MAX_STRANGERS = 37;

/** Computes argon2id, a few at a time in each process. */
@Injectable()
export class PasswordHasher {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param password normalised
   * @returns a PHC string
   * @throws UnavailableError if too many are waiting
   */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, { ...PARAMETERS, outputLen: HASH_BYTES, salt: randomBytes(SALT_BYTES) }));
  }

  /**
   * @param stored a PHC string; undefined if there is none, which takes the same time
   * @param password normalised
   * @param isStranger whether it comes from where the account has not signed in before
   * @throws UnavailableError if too many are waiting
   */
  async verify(stored: string | undefined, password: string, isStranger = false): Promise<boolean> {
    // Made in either case, so that it takes the same time.
    const unused = unusedHash();
    const matches = await this.inTurn(() => verify(stored ?? unused, password), isStranger);
    return matches && stored !== undefined;
  }

  /** @returns whether a hash was made with weaker parameters than today's */
  isOutdated(stored: string): boolean {
    const { memoryCost, timeCost, outputLen, saltLen } = parseOptions(stored);
    return (
      memoryCost < PARAMETERS.memoryCost ||
      timeCost < PARAMETERS.timeCost ||
      outputLen < HASH_BYTES ||
      saltLen < SALT_BYTES
    );
  }

  private async inTurn<T>(compute: () => Promise<T>, isStranger = false): Promise<T> {
    if (this.running >= HASHES_AT_ONCE) {
      if (this.waiting.length >= (isStranger ? MAX_STRANGERS : MAX_WAITING))
        throw new UnavailableError(
          ErrorCode.ServiceUnavailable,
          'Too many people are signing in at this moment. Try again in a few seconds.',
          3,
        );
      // A computation that ends hands its place to the next one, so the order is kept.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running++;
    try {
      return await compute();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}

/**
 * A hash that no password has, for accounts that do not exist: its verification takes as long as any other. Its salt is
 * new each time. Which memory argon2id reads, and so how fast the caches are, depends on the salt: with one salt for all
 * of them, accounts that do not exist would have a time of their own.
 *
 * @returns a PHC string
 */
export function unusedHash(): string {
  const { memoryCost, timeCost, parallelism } = PARAMETERS;
  const settings = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
  return `$argon2id$v=19$${settings}$${base64(SALT_BYTES)}$${base64(HASH_BYTES)}`;
}

/** Random, as a PHC string has it: without padding. */
function base64(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '');
}
