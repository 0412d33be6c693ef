import { Injectable } from '@nestjs/common';
import type { Keyring } from '../../config/keyring';
import { sealText, unsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import type { SealedColumn } from '../../database/sealed-column';

/** For `Secrets.derive`. */
export const CREDENTIAL_PURPOSE = 'credentials';

/** With the context of `CredentialSeal`. */
export const SEALED_CREDENTIAL_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'credential_values',
    column: 'sealed',
    key: 'id',
    keyType: 'uuid',
    purpose: CREDENTIAL_PURPOSE,
    context: `convert_to(credential_id::text || ' ' || name, 'UTF8')`,
  },
];

/** Encrypts the values of credentials at rest (AES-256-GCM, with keys from `SECRETS_KEY`). */
@Injectable()
export class CredentialSeal {
  private readonly keys: Keyring;

  constructor(secrets: Secrets) {
    this.keys = secrets.derive(CREDENTIAL_PURPOSE);
  }

  /** @returns a sealed value that opens for this name of this credential only */
  seal(credentialId: string, name: string, value: string): Buffer {
    return sealText(this.keys, contextOf(credentialId, name), value);
  }

  /** @throws Error if no key opens it, or it is the value of another name or credential */
  open(credentialId: string, name: string, sealed: Buffer): string {
    return unsealText(this.keys, contextOf(credentialId, name), sealed);
  }
}

/** An id has no space in it, so no other pair has the same. */
function contextOf(credentialId: string, name: string): string {
  return `${credentialId} ${name}`;
}
