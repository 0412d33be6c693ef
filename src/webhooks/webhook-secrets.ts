import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The signing secrets of endpoints (Standard Webhooks 1.0), encrypted at rest (contract, section 8). */
@Injectable()
export class WebhookSecrets {
  private readonly key: Buffer;

  constructor(secrets: Secrets) {
    this.key = secrets.derive('webhook secrets');
  }

  /** @returns `whsec_` and 32 random bytes in base64 */
  generate(): string {
    return `whsec_${randomBytes(32).toString('base64')}`;
  }

  /**
   * @param endpointId bound to the ciphertext, so that one endpoint's secret cannot be put into another's row
   * @returns nonce, tag and ciphertext (AES-256-GCM)
   */
  encrypt(endpointId: string, secret: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv).setAAD(Buffer.from(endpointId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]);
  }

  /** @throws Error when the key is another one, or the bytes are not those of this endpoint */
  decrypt(endpointId: string, encrypted: Buffer): string {
    const iv = encrypted.subarray(0, IV_BYTES);
    const tag = encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(endpointId)).setAuthTag(tag);
    return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    );
  }
}
