import { createHash } from 'node:crypto';
import type { Keyring } from '../../config/keyring';
import { sealText, unsealText } from '../../config/sealed-text';
import type { Secrets } from '../../config/secrets';

/** The keys of payloads, for `Secrets.derive`. */
export const ARTIFACT_PURPOSE = 'oauth artifacts';

/**
 * Makes what the protocol library stores useless to a reader of the database. The value of a code or token is its id,
 * so only its digest is stored. Payloads contain further secrets (an interaction names the device code and the session
 * cookie that it belongs to), so they are encrypted.
 */
export class ArtifactCipher {
  private readonly payloadKeys: Keyring;
  private readonly codeKeys: Keyring;
  private readonly addressKeys: Keyring;

  constructor(secrets: Secrets) {
    this.payloadKeys = secrets.derive(ARTIFACT_PURPOSE);
    this.codeKeys = secrets.derive('oauth user codes');
    this.addressKeys = secrets.derive('oauth registration addresses');
  }

  /** @returns SHA-256 of an id of the library within its model */
  digest(model: string, id: string): Buffer {
    return createHash('sha256').update(`${model}\n${id}`).digest();
  }

  /** With a key, because a user code has only 34 bits. */
  userCodeDigest(code: string): Buffer {
    return this.codeKeys.mac(code);
  }

  /** @returns what `userCodeDigest` may have been when the code was stored */
  userCodeDigests(code: string): Buffer[] {
    return this.codeKeys.macs(code);
  }

  /** With a key, because addresses can be enumerated. */
  addressDigest(address: string): Buffer {
    return this.addressKeys.mac(address);
  }

  /** @returns what `addressDigest` may have been when the address was stored */
  addressDigests(address: string): Buffer[] {
    return this.addressKeys.macs(address);
  }

  /** @returns nonce, tag and ciphertext (AES-256-GCM), bound to the row */
  seal(digest: Buffer, payload: object): Buffer {
    return sealText(this.payloadKeys, digest, JSON.stringify(payload));
  }

  /** @throws Error if the key is unknown or the payload is another row's */
  open(digest: Buffer, sealed: Buffer): Record<string, unknown> {
    return JSON.parse(unsealText(this.payloadKeys, digest, sealed)) as Record<string, unknown>;
  }
}
