import type { SealedColumn } from '../../database/sealed-column';
import { WEBHOOK_PURPOSE } from './webhook-secrets';

const ENDPOINT = { table: 'webhook_endpoints', key: 'id', keyType: 'uuid', purpose: WEBHOOK_PURPOSE } as const;

/** With the contexts of `WebhookSecrets`. Endpoints first: a rotation copies their secret to the former ones. */
export const SEALED_WEBHOOK_COLUMNS: readonly SealedColumn[] = [
  { ...ENDPOINT, column: 'encrypted_secret', context: `convert_to(id::text, 'UTF8')` },
  { ...ENDPOINT, column: 'encrypted_headers', context: `convert_to(id::text || ' headers', 'UTF8')` },
  { ...ENDPOINT, column: 'encrypted_query', context: `convert_to(id::text || ' query', 'UTF8')` },
  {
    table: 'webhook_former_secrets',
    column: 'encrypted_secret',
    key: 'id',
    keyType: 'uuid',
    purpose: WEBHOOK_PURPOSE,
    context: `convert_to(endpoint_id::text, 'UTF8')`,
  },
];
