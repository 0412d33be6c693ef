import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Columns } from '../../database/columns';
import type { CustomHeaders } from '../sending/custom-headers';
import { type StoredTarget, wholeTarget } from './stored-target';
import type { WebhookEndpoint } from './webhook-endpoint.entity';
import { WebhookSecrets } from './webhook-secrets';

/** Size of the cache of decrypted values, including their keys. */
const CACHE_BYTES = 16_777_216;
const OVERHEAD_BYTES = 200;

/** The address, secrets and headers of an endpoint as stored. */
export interface SealedCredentials
  extends StoredTarget, Pick<Columns<WebhookEndpoint>, 'encrypted_secret' | 'encrypted_headers'> {
  endpoint_id: string;
  /** Replaced secrets that still sign, newest first. */
  former: readonly Buffer[];
}

export interface Credentials {
  /** With the query. */
  targetUrl: string;
  /** `whsec_…`, newest first; each of them signs. */
  secrets: string[];
  headers: CustomHeaders;
}

/**
 * The columns of `SealedCredentials`.
 *
 * @param endpoints alias of `webhook_endpoints` in the statement, or of `endpointOf`
 * @param now placeholder of the time that decides which former secrets still sign
 */
export function sealedCredentials(endpoints: string, now: string): string {
  return `${endpoints}.id AS endpoint_id, ${endpoints}.target_url, ${endpoints}.encrypted_query, ${endpoints}.encrypted_secret, ${endpoints}.encrypted_headers,
    ARRAY(SELECT former.encrypted_secret FROM webhook_former_secrets AS former
          WHERE former.endpoint_id = ${endpoints}.id AND former.expires_at > ${now}::timestamptz
          ORDER BY former.id DESC) AS former`;
}

const NO_HEADERS: CustomHeaders = Object.freeze({});

/**
 * Decrypts the current address, secrets and headers, for pings and deliveries alike. The results are cached: decrypting
 * for every delivery would take several times as long as signing it.
 */
@Injectable()
export class EndpointCredentials {
  private readonly texts = createCache<string>((text) => text.length);
  private readonly headers = createCache<CustomHeaders>((headers) => JSON.stringify(headers).length);

  constructor(private readonly secrets: WebhookSecrets) {}

  /** @throws Error if SECRETS_KEY has changed or the ciphertext belongs to another endpoint */
  open({ endpoint_id, encrypted_secret, former, encrypted_headers, ...target }: SealedCredentials): Credentials {
    return {
      targetUrl: this.openTarget(endpoint_id, target),
      secrets: [encrypted_secret, ...former].map((sealed) =>
        cached(this.texts, endpoint_id, sealed, () => this.secrets.decrypt(endpoint_id, sealed)),
      ),
      headers: this.openHeaders(endpoint_id, encrypted_headers),
    };
  }

  /**
   * @returns the complete address
   * @throws Error if SECRETS_KEY has changed or the query belongs to another endpoint
   */
  openTarget(endpointId: string, target: StoredTarget): string {
    return wholeTarget(target, (query) =>
      cached(this.texts, endpointId, query, () => this.secrets.decryptQuery(endpointId, query)),
    );
  }

  /** @param sealed null if it has none */
  openHeaders(endpointId: string, sealed: Buffer | null): CustomHeaders {
    if (sealed === null) return NO_HEADERS;
    return cached(this.headers, endpointId, sealed, () =>
      Object.freeze(this.secrets.decryptHeaders(endpointId, sealed)),
    );
  }
}

function createCache<T extends object | string>(size: (value: T) => number): LRUCache<string, T> {
  return new LRUCache({
    maxSize: CACHE_BYTES / 2,
    sizeCalculation: (value, key) => OVERHEAD_BYTES + key.length + size(value),
  });
}

/** The id is part of the key, because a ciphertext can be decrypted only for its own endpoint. */
function cached<T extends object | string>(
  cache: LRUCache<string, T>,
  endpointId: string,
  sealed: Buffer,
  decrypt: () => T,
): T {
  const key = endpointId + sealed.toString('latin1');
  let value = cache.get(key);
  if (value === undefined) cache.set(key, (value = decrypt()));
  return value;
}
