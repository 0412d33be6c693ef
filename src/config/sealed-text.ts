import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from './keyring';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed text, opened. */
export interface UnsealedText {
  text: string;
  /** Which key of the ring had sealed it; 0 is the one that seals now. */
  keyIndex: number;
}

/**
 * Encrypts a text for storage, with AES-256-GCM. The tag shows which key sealed it, so the format names none: the
 * previous release reads it, too, while both run.
 *
 * @param keys of `Secrets.derive`, for one purpose; the current one seals
 * @param context authenticated but not encrypted: the owner and purpose of the text, so that the ciphertext of one row
 *   cannot be put into another
 * @returns nonce, tag and ciphertext
 */
export function sealText(keys: Keyring, context: string | Buffer, text: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keys.current, iv).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
}

/** @throws Error if none of the keys sealed it, the context is another one, or the ciphertext was changed */
export function unsealText(keys: Keyring, context: string | Buffer, sealed: Buffer): string {
  const opened = tryUnsealText(keys, context, sealed);
  if (!opened) throw new Error('A sealed text cannot be authenticated: its key is unknown, or it was changed.');
  return opened.text;
}

/** Like `unsealText`. @returns undefined where that throws */
export function tryUnsealText(keys: Keyring, context: string | Buffer, sealed: Buffer): UnsealedText | undefined {
  if (sealed.length < IV_BYTES + TAG_BYTES) return undefined;
  for (const [keyIndex, key] of keys.all.entries()) {
    const text = openWith(key, context, sealed);
    if (text !== undefined) return { text, keyIndex };
  }
  return undefined;
}

function openWith(key: Buffer, context: string | Buffer, sealed: Buffer): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const start = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
