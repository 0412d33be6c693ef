import { hash, randomBytes } from 'node:crypto';

/** By which scanners of leaked secrets, and people, know it. */
const MARK = 'tys_';
const SECRET_BYTES = 32;
const SHOWN_CHARACTERS = 8;
const FORM = /^tys_[A-Za-z0-9_-]{43}$/;

/** @returns a new token: `tys_` and 32 random bytes in base64url (contract, section 7) */
export function newToken(): string {
  return MARK + randomBytes(SECRET_BYTES).toString('base64url');
}

/** @returns what is stored of a token; as it is random, no slow hash is needed (2^256 guesses) */
export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** @returns the first characters, by which a person tells tokens apart */
export function prefixOf(token: string): string {
  return token.slice(0, SHOWN_CHARACTERS);
}

/** @returns whether it can be a token of ours at all */
export function looksLikeToken(text: string): boolean {
  return FORM.test(text);
}
