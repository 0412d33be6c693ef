import { createHmac, timingSafeEqual } from 'node:crypto';

const MIN_MAC_BYTES = 12;

/**
 * The keys of one purpose. The first is that of `SECRETS_KEY`: it seals and signs. The others open what was sealed, and
 * accept what was signed, before `SECRETS_KEY` changed, or by replicas where it has changed already (ADR 33).
 */
export class Keyring {
  /** @param all 32 bytes each, from `Secrets.derive` */
  constructor(readonly all: readonly [Buffer, ...Buffer[]]) {}

  get current(): Buffer {
    return this.all[0];
  }

  /** @returns HMAC-SHA256 with the key that signs */
  mac(text: string | Buffer): Buffer {
    return macWith(this.current, text);
  }

  /** For what is looked up by its MAC: @returns those with each key, the current one first */
  macs(text: string | Buffer): [Buffer, ...Buffer[]] {
    const [current, ...others] = this.all;
    return [macWith(current, text), ...others.map((key) => macWith(key, text))];
  }

  /**
   * @param mac all its bytes, or the first ones, at least 12
   * @returns whether it is that of the text, with any of the keys
   */
  isMac(mac: Buffer, text: string | Buffer): boolean {
    if (mac.length < MIN_MAC_BYTES) return false;
    return this.all.some((key) => {
      const expected = macWith(key, text).subarray(0, mac.length);
      return expected.length === mac.length && timingSafeEqual(mac, expected);
    });
  }
}

function macWith(key: Buffer, text: string | Buffer): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
