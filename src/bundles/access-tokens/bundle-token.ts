import { hash, randomBytes } from 'node:crypto';

/** By this a token is told from every other kind, here and by scanners that look for leaked secrets. */
export const BUNDLE_TOKEN_PREFIX = 'tyb_';

const SECRET_BYTES = 32;
const SHOWN = 10;

/** A new token and what is stored of it (contract, section 6). */
export interface NewBundleToken {
  token: string;
  /** The first characters; of the secret they give away 36 bits of 256. */
  prefix: string;
  digest: Buffer;
}

export function newBundleToken(): NewBundleToken {
  const token = BUNDLE_TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  return { token, prefix: token.slice(0, SHOWN), digest: digestOfBundleToken(token) };
}

/** SHA-256 and no slow hash: the secret is random, so there is nothing to guess by trying likely ones. */
export function digestOfBundleToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
