import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Columns } from '../../database/columns';
import type { CustomHeaders } from './custom-headers';
import { type StoredTarget, wholeTarget } from './stored-target';
import type { WebhookEndpoint } from './webhook-endpoint.entity';
import { WebhookSecrets } from './webhook-secrets';

/** What is remembered in the clear, in bytes, with the ciphertexts that it is found by. */
const REMEMBERED_BYTES = 16_777_216;
const OVERHEAD_BYTES = 200;

/** Where an endpoint is, what it signs with and sends along, as it is stored. */
export interface SealedCredentials
  extends StoredTarget, Pick<Columns<WebhookEndpoint>, 'encrypted_secret' | 'encrypted_headers'> {
  endpoint_id: string;
  /** Secrets that were replaced and still sign, newest first. */
  former: readonly Buffer[];
}

export interface Credentials {
  /** Whole. */
  targetUrl: string;
  /** `whsec_…`, newest first; each of them signs. */
  secrets: string[];
  headers: CustomHeaders;
}

/**
 * The columns of `SealedCredentials`.
 *
 * @param endpoints alias of `webhook_endpoints` in the statement
 * @param now placeholder of the moment that decides which former secrets still sign
 */
export function sealedCredentials(endpoints: string, now: string): string {
  return `${endpoints}.id AS endpoint_id, ${endpoints}.target_url, ${endpoints}.encrypted_query, ${endpoints}.encrypted_secret, ${endpoints}.encrypted_headers,
    ARRAY(SELECT former.encrypted_secret FROM webhook_former_secrets AS former
          WHERE former.endpoint_id = ${endpoints}.id AND former.expires_at > ${now}::timestamptz
          ORDER BY former.id DESC) AS former`;
}

const NONE: CustomHeaders = Object.freeze({});

/**
 * Opens what signs now and what is sent along, the same for a ping and a delivery. What was opened is remembered:
 * decrypting for every delivery would take several times as long as signing it.
 */
@Injectable()
export class EndpointCredentials {
  private readonly texts = memory<string>((text) => text.length);
  private readonly headers = memory<CustomHeaders>((headers) => JSON.stringify(headers).length);

  constructor(private readonly secrets: WebhookSecrets) {}

  /** @throws Error when SECRETS_KEY is another one, or the bytes are not those of this endpoint */
  open({ endpoint_id, encrypted_secret, former, encrypted_headers, ...target }: SealedCredentials): Credentials {
    return {
      targetUrl: this.openTarget(endpoint_id, target),
      secrets: [encrypted_secret, ...former].map((sealed) =>
        recall(this.texts, endpoint_id, sealed, () => this.secrets.decrypt(endpoint_id, sealed)),
      ),
      headers: this.openHeaders(endpoint_id, encrypted_headers),
    };
  }

  /**
   * @returns the whole address
   * @throws Error when SECRETS_KEY is another one, or the query is not that of this endpoint
   */
  openTarget(endpointId: string, target: StoredTarget): string {
    return wholeTarget(target, (query) =>
      recall(this.texts, endpointId, query, () => this.secrets.decryptQuery(endpointId, query)),
    );
  }

  /** @param sealed null: it has none */
  openHeaders(endpointId: string, sealed: Buffer | null): CustomHeaders {
    if (sealed === null) return NONE;
    return recall(this.headers, endpointId, sealed, () =>
      Object.freeze(this.secrets.decryptHeaders(endpointId, sealed)),
    );
  }
}

function memory<T extends object | string>(size: (value: T) => number): LRUCache<string, T> {
  return new LRUCache({
    maxSize: REMEMBERED_BYTES / 2,
    sizeCalculation: (value, key) => OVERHEAD_BYTES + key.length + size(value),
  });
}

/** The id is part of the key, since a ciphertext opens for its own endpoint only. */
function recall<T extends object | string>(
  memory: LRUCache<string, T>,
  endpointId: string,
  sealed: Buffer,
  open: () => T,
): T {
  const key = endpointId + sealed.toString('latin1');
  let value = memory.get(key);
  if (value === undefined) memory.set(key, (value = open()));
  return value;
}
