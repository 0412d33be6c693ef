import { hash, randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Clock } from '../../config/clock';
import type { Keyring } from '../../config/keyring';
import type { Secrets } from '../../config/secrets';
import { execute } from '../../database/statements';

/** How long a person may take; also the timeout that the browser gets. */
export const ANSWER_WITHIN_MS = 300_000;
const RANDOM_BYTES = 32;
const TIME_BYTES = 6;
const MAC_BYTES = 32;

/** What a challenge is for: it counts for nothing else. */
export type ChallengePurpose = 'register' | 'sign-in';

/**
 * Challenges of WebAuthn that need no row until they are answered, so that asking for them fills no table: random bytes
 * and an expiry, authenticated together with their purpose and with whom they were given to. Any replica checks them.
 */
export class Challenges {
  private readonly keys: Keyring;

  constructor(
    secrets: Secrets,
    private readonly clock: Clock,
  ) {
    this.keys = secrets.derive('passkey challenges');
  }

  /** @param holder the session or the browser that asks */
  issue(purpose: ChallengePurpose, holder: string): Buffer {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(this.clock.now().getTime() + ANSWER_WITHIN_MS, 0, TIME_BYTES);
    const body = Buffer.concat([randomBytes(RANDOM_BYTES), time]);
    return Buffer.concat([body, this.keys.mac(signed(body, purpose, holder))]);
  }

  /** @returns whether it was issued for this purpose to this holder and has not expired */
  isGenuine(challenge: string, purpose: ChallengePurpose, holder: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    if (bytes.length !== RANDOM_BYTES + TIME_BYTES + MAC_BYTES) return false;
    const body = bytes.subarray(0, -MAC_BYTES);
    return (
      this.keys.isMac(bytes.subarray(-MAC_BYTES), signed(body, purpose, holder)) &&
      body.readUIntBE(RANDOM_BYTES, TIME_BYTES) > this.clock.now().getTime()
    );
  }

  /**
   * @param manager of the transaction that accepts the answer
   * @returns false if the challenge was answered before
   */
  async use(manager: EntityManager, challenge: string): Promise<boolean> {
    const expiresAt = new Date(this.clock.now().getTime() + ANSWER_WITHIN_MS);
    const used = await execute(
      manager,
      `INSERT INTO used_passkey_challenges (digest, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [hash('sha256', Buffer.from(challenge, 'base64url'), 'buffer'), expiresAt],
    );
    return used === 1;
  }
}

function signed(body: Buffer, purpose: ChallengePurpose, holder: string): Buffer {
  return Buffer.concat([body, Buffer.from(`${purpose}\n${holder}`)]);
}
