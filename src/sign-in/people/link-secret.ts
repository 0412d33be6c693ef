import { hash, randomBytes } from 'node:crypto';

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** @returns the secret of a new link, 32 random bytes, and the digest of it that is stored */
export function newLinkSecret(): { secret: string; digest: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, digest: digestOf(secret) };
}

/** @returns the digest of the secret in a link; undefined for what cannot be one */
export function linkDigest(secret: string): Buffer | undefined {
  return FORM.test(secret) ? digestOf(secret) : undefined;
}

/** A fast hash, as the secret is random: guessing is hopeless anyway. */
function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
