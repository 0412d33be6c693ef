import type { SealedColumn } from '../database/sealed-column';
import { ARTIFACT_PURPOSE } from './authorization-server/artifact-cipher';
import { SIGNING_KEY_PURPOSE } from './signing-keys/signing-key-store';

/** With the contexts of `SigningKeyStore` and `ArtifactCipher`. */
export const SEALED_AUTH_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'signing_keys',
    column: 'encrypted_private_jwk',
    key: 'kid',
    keyType: 'text',
    purpose: SIGNING_KEY_PURPOSE,
    context: `convert_to(kid, 'UTF8')`,
  },
  {
    table: 'oauth_artifacts',
    column: 'payload',
    key: 'digest',
    keyType: 'bytea',
    purpose: ARTIFACT_PURPOSE,
    context: 'digest',
  },
];
