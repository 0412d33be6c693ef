import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Keyring } from '../../config/keyring';
import { sealText, unsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import type { CustomHeaders } from '../sending/custom-headers';

/** The keys of endpoints, for `Secrets.derive`. */
export const WEBHOOK_PURPOSE = 'webhook secrets';

/**
 * Encrypts the signing secrets of endpoints (Standard Webhooks 1.0), their headers and the queries of their targets at
 * rest (contract, section 8).
 */
@Injectable()
export class WebhookSecrets {
  private readonly keys: Keyring;

  constructor(secrets: Secrets) {
    this.keys = secrets.derive(WEBHOOK_PURPOSE);
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
    return sealText(this.keys, endpointId, secret);
  }

  /** @throws Error if the key has changed or the ciphertext belongs to another endpoint */
  decrypt(endpointId: string, encrypted: Buffer): string {
    return unsealText(this.keys, endpointId, encrypted);
  }

  /**
   * @param endpointId bound to the ciphertext together with its purpose, so that headers and secrets cannot be swapped
   * @returns nonce, tag and ciphertext of the headers as JSON
   */
  encryptHeaders(endpointId: string, headers: CustomHeaders): Buffer {
    return sealText(this.keys, headersOf(endpointId), JSON.stringify(headers));
  }

  /** @throws Error if the key has changed or the ciphertext is not the headers of this endpoint */
  decryptHeaders(endpointId: string, encrypted: Buffer): CustomHeaders {
    return JSON.parse(unsealText(this.keys, headersOf(endpointId), encrypted)) as CustomHeaders;
  }

  /** @returns nonce, tag and ciphertext of the query of a target address */
  encryptQuery(endpointId: string, query: string): Buffer {
    return sealText(this.keys, queryOf(endpointId), query);
  }

  /** @throws Error if the key has changed or the ciphertext is not the query of this endpoint */
  decryptQuery(endpointId: string, encrypted: Buffer): string {
    return unsealText(this.keys, queryOf(endpointId), encrypted);
  }
}

/** The context of a secret is just the id. */
function headersOf(endpointId: string): string {
  return `${endpointId} headers`;
}

function queryOf(endpointId: string): string {
  return `${endpointId} query`;
}
