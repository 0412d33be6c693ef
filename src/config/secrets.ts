import { hkdfSync, randomBytes } from 'node:crypto';
import type { Environment } from './environment';
import { generatedFile } from './generated-file';
import { Keyring } from './keyring';

/** The keys for data encrypted at rest, and keys derived from them. */
export class Secrets {
  private readonly keys: readonly [Buffer, ...Buffer[]];

  /**
   * @param key 32 bytes: seals and signs
   * @param accepted keys whose values count, too: of `SECRETS_KEY` before it changed, or after it will have changed
   */
  constructor(key: Buffer, accepted: readonly Buffer[] = []) {
    const others = accepted.filter(
      (other, index) => !other.equals(key) && accepted.findIndex((same) => same.equals(other)) === index,
    );
    this.keys = [key, ...others];
  }

  /** From `SECRETS_KEY`, or generated in the data directory of the embedded database. */
  static of({ secretsKey, acceptedKeys, dataDir }: Environment): Secrets {
    if (secretsKey) return new Secrets(secretsKey, acceptedKeys);
    const fresh = randomBytes(32).toString('base64');
    return new Secrets(Buffer.from(generatedFile(dataDir, 'secrets.key', fresh), 'base64'), acceptedKeys);
  }

  /**
   * @param purpose a constant; each purpose has its own keys (RFC 5869)
   * @returns keys of 32 bytes
   */
  derive(purpose: string): Keyring {
    const [first, ...others] = this.keys;
    return new Keyring([derived(first, purpose), ...others.map((key) => derived(key, purpose))]);
  }

  /** What names the keys in the database and in logs, the current one first; says nothing about them. */
  get ids(): readonly [string, ...string[]] {
    const [first, ...others] = this.derive('key ids').all.map((id) => id.subarray(0, 6).toString('hex'));
    return [first ?? '', ...others];
  }
}

function derived(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `toolyard ${purpose}`, 32));
}
