import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets';
import type { CustomHeaders } from './custom-headers';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts the signing secrets of endpoints (Standard Webhooks 1.0), their headers and the queries of their targets at
 * rest (contract, section 8).
 */
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
    return this.seal(endpointId, secret);
  }

  /** @throws Error if the key has changed or the ciphertext belongs to another endpoint */
  decrypt(endpointId: string, encrypted: Buffer): string {
    return this.unseal(endpointId, encrypted);
  }

  /**
   * @param endpointId bound to the ciphertext together with its purpose, so that headers and secrets cannot be swapped
   * @returns nonce, tag and ciphertext of the headers as JSON
   */
  encryptHeaders(endpointId: string, headers: CustomHeaders): Buffer {
    return this.seal(headersOf(endpointId), JSON.stringify(headers));
  }

  /** @throws Error if the key has changed or the ciphertext is not the headers of this endpoint */
  decryptHeaders(endpointId: string, encrypted: Buffer): CustomHeaders {
    return JSON.parse(this.unseal(headersOf(endpointId), encrypted)) as CustomHeaders;
  }

  /** @returns nonce, tag and ciphertext of the query of a target address */
  encryptQuery(endpointId: string, query: string): Buffer {
    return this.seal(queryOf(endpointId), query);
  }

  /** @throws Error if the key has changed or the ciphertext is not the query of this endpoint */
  decryptQuery(endpointId: string, encrypted: Buffer): string {
    return this.unseal(queryOf(endpointId), encrypted);
  }

  /** @param context authenticated but not encrypted: the owner and purpose of the text */
  private seal(context: string, text: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv).setAAD(Buffer.from(context));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
  }

  private unseal(context: string, sealed: Buffer): string {
    const iv = sealed.subarray(0, IV_BYTES);
    const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}

/** The context of a secret is just the id. */
function headersOf(endpointId: string): string {
  return `${endpointId} headers`;
}

function queryOf(endpointId: string): string {
  return `${endpointId} query`;
}
