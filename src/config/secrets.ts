import { hkdfSync, randomBytes } from 'node:crypto';
import type { Environment } from './environment';
import { generatedFile } from './generated-file';

/** The key for data encrypted at rest, and keys derived from it. */
export class Secrets {
  /** @param key 32 bytes, the same on every replica */
  constructor(private readonly key: Buffer) {}

  /** From `SECRETS_KEY`, or generated in the data directory of the embedded database. */
  static of(environment: Environment): Secrets {
    if (environment.secretsKey) return new Secrets(environment.secretsKey);
    const fresh = randomBytes(32).toString('base64');
    return new Secrets(Buffer.from(generatedFile(environment.dataDir, 'secrets.key', fresh), 'base64'));
  }

  /**
   * @param purpose a constant; each purpose has its own key (RFC 5869)
   * @returns 32 bytes
   */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.key, Buffer.alloc(0), `toolyard ${purpose}`, 32));
  }
}
