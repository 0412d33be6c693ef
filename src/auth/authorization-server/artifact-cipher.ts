import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { Secrets } from '../../config/secrets';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Makes what the protocol library stores useless to a reader of the database. The value of a code or token is its id,
 * so only its digest is stored. Payloads contain further secrets (an interaction names the device code and the session
 * cookie that it belongs to), so they are encrypted.
 */
export class ArtifactCipher {
  private readonly payloadKey: Buffer;
  private readonly codeKey: Buffer;
  private readonly addressKey: Buffer;

  constructor(secrets: Secrets) {
    this.payloadKey = secrets.derive('oauth artifacts');
    this.codeKey = secrets.derive('oauth user codes');
    this.addressKey = secrets.derive('oauth registration addresses');
  }

  /** @returns SHA-256 of an id of the library within its model */
  digest(model: string, id: string): Buffer {
    return createHash('sha256').update(`${model}\n${id}`).digest();
  }

  /** With a key, because a user code has only 34 bits. */
  userCodeDigest(code: string): Buffer {
    return createHmac('sha256', this.codeKey).update(code).digest();
  }

  /** With a key, because addresses can be enumerated. */
  addressDigest(address: string): Buffer {
    return createHmac('sha256', this.addressKey).update(address).digest();
  }

  /** @returns nonce, tag and ciphertext (AES-256-GCM), bound to the row */
  seal(digest: Buffer, payload: object): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.payloadKey, iv).setAAD(digest);
    const encrypted = Buffer.concat([cipher.update(JSON.stringify(payload), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
  }

  /** @throws Error if the key has changed or the payload is another row's */
  open(digest: Buffer, sealed: Buffer): Record<string, unknown> {
    const decipher = createDecipheriv('aes-256-gcm', this.payloadKey, sealed.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(digest).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as Record<string, unknown>;
  }
}
