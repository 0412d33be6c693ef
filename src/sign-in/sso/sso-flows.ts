import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import { HostCookie } from '../../http/host-cookie';
import type { Proofs } from './relying-party';

const LIFETIME_MS = 600_000;
const SEED_BYTES = 16;
/** A path of ours has at most 1,000 characters, and up to 4 bytes each. */
const MAX_STATE_LENGTH = 8_192;

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
  private readonly keys: Keyring;
  private readonly proofKeys: Keyring;

  constructor(
    secrets: Secrets,
    { publicUrl }: Environment,
    private readonly clock: Clock,
  ) {
    this.cookie = new HostCookie('toolyard-sso', publicUrl);
    this.keys = secrets.derive('sso flows');
    this.proofKeys = secrets.derive('sso proofs');
  }

  /** Begins a sign-in, and gives the browser the cookie that completes it. */
  begin(request: Request, response: Response, purpose: FlowPurpose): Proofs {
    const browser = this.cookie.read(request) ?? randomBytes(32).toString('base64url');
    this.cookie.write(response, browser, LIFETIME_MS / 1_000);
    const seed = randomBytes(SEED_BYTES).toString('base64url');
    const flow: SealedFlow = { ...purpose, startedAt: this.clock.now().getTime(), seed };
    const state = sealText(this.keys, browser, JSON.stringify(flow)).toString('base64url');
    return { state, ...proofsOf(this.proofKeys.current, browser, seed) };
  }

  /**
   * @param state as the provider returned it
   * @returns undefined unless this browser began that sign-in at this provider within the last ten minutes
   */
  resume(request: Request, providerId: string, state: string | undefined): ResumedFlow | undefined {
    const browser = this.cookie.read(request);
    if (browser === undefined || state === undefined || state.length > MAX_STATE_LENGTH) return undefined;
    const opened = tryUnsealText(this.keys, browser, Buffer.from(state, 'base64url'));
    // The proofs are from the key that sealed the state, also when another one seals now.
    const proofKey = opened && this.proofKeys.all[opened.keyIndex];
    // Changed, of another browser, or of an unknown SECRETS_KEY.
    if (!proofKey) return undefined;
    const flow = JSON.parse(opened.text) as SealedFlow;
    if (flow.providerId !== providerId) return undefined;
    const age = this.clock.now().getTime() - flow.startedAt;
    // Replicas' clocks differ a little.
    if (age > LIFETIME_MS || age < -30_000) return undefined;
    return { ...flow, state, ...proofsOf(proofKey, browser, flow.seed) };
  }
}

function proofsOf(key: Buffer, browser: string, seed: string): Omit<Proofs, 'state'> {
  const derive = (what: string) => createHmac('sha256', key).update(`${what}\n${browser}\n${seed}`).digest('base64url');
  return { nonce: derive('nonce'), codeVerifier: derive('verifier') };
}
