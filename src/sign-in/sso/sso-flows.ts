import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { Secrets } from '../../config/secrets';
import { HostCookie } from '../../http/host-cookie';
import type { Proofs } from './relying-party';

const LIFETIME_MS = 600_000;
const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES, SEED_BYTES] = [12, 16, 16];
/** A path of ours has at most 1,000 characters, and up to 4 bytes each. */
const LONGEST_STATE = 8_192;

/** What a sign-in is for. */
export interface FlowPurpose {
  providerId: string;
  /** A path of ours. */
  returnTo: string;
  /** The session whose account gets the identity, if that is what the person wants. */
  linkSessionId?: string;
  /** The session whose person proves again who they are. */
  confirmSessionId?: string;
}

/** A sign-in that came back. */
export interface ResumedFlow extends FlowPurpose, Proofs {
  /** Milliseconds since the epoch. */
  startedAt: number;
}

interface SealedFlow extends FlowPurpose {
  startedAt: number;
  seed: string;
}

/**
 * Sign-ins that are under way at a provider. Nothing is stored: what a sign-in is for travels in `state`, encrypted, and
 * opens only with the cookie of the browser in which it began, within ten minutes, on any replica. Nonce and PKCE verifier
 * are derived from that cookie and a seed in `state`, so that several tabs share the cookie, but no two sign-ins a value.
 */
@Injectable()
export class SsoFlows {
  private readonly cookie: HostCookie;
  private readonly key: Buffer;
  private readonly proofKey: Buffer;

  constructor(
    secrets: Secrets,
    { publicUrl }: Environment,
    private readonly clock: Clock,
  ) {
    this.cookie = new HostCookie('toolyard-sso', publicUrl);
    this.key = secrets.derive('sso flows');
    this.proofKey = secrets.derive('sso proofs');
  }

  /** Begins a sign-in, and gives the browser the cookie that completes it. */
  begin(request: Request, response: Response, purpose: FlowPurpose): Proofs {
    const browser = this.cookie.read(request) ?? randomBytes(32).toString('base64url');
    this.cookie.write(response, browser, LIFETIME_MS / 1_000);
    const seed = randomBytes(SEED_BYTES).toString('base64url');
    const flow: SealedFlow = { ...purpose, startedAt: this.clock.now().getTime(), seed };
    return { state: this.seal(flow, browser), ...this.proofsOf(browser, seed) };
  }

  /**
   * @param state as the provider returned it
   * @returns undefined unless this browser began that sign-in at this provider within the last ten minutes
   */
  resume(request: Request, providerId: string, state: string | undefined): ResumedFlow | undefined {
    const browser = this.cookie.read(request);
    if (browser === undefined || state === undefined || state.length > LONGEST_STATE) return undefined;
    const flow = this.open(state, browser);
    if (!flow || flow.providerId !== providerId) return undefined;
    const age = this.clock.now().getTime() - flow.startedAt;
    // Replicas' clocks differ a little.
    if (age > LIFETIME_MS || age < -30_000) return undefined;
    return { ...flow, state, ...this.proofsOf(browser, flow.seed) };
  }

  private proofsOf(browser: string, seed: string): Omit<Proofs, 'state'> {
    const derive = (what: string) =>
      createHmac('sha256', this.proofKey).update(`${what}\n${browser}\n${seed}`).digest('base64url');
    return { nonce: derive('nonce'), codeVerifier: derive('verifier') };
  }

  private seal(flow: SealedFlow, browser: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv).setAAD(Buffer.from(browser));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(flow), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  private open(state: string, browser: string): SealedFlow | undefined {
    const bytes = Buffer.from(state, 'base64url');
    const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    if (tag.length < TAG_BYTES) return undefined;
    try {
      const decipher = createDecipheriv(CIPHER, this.key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(browser))
        .setAuthTag(tag);
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as SealedFlow;
    } catch {
      // Changed, of another browser, or of another SECRETS_KEY.
      return undefined;
    }
  }
}
