import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KoaContextWithOIDC } from 'oidc-provider';

/** What a client waits between two polls unless the server says another time (RFC 8628, section 3.5). */
const INTERVAL_MS = 5_000;
/** By as much the interval grows with each poll that came too early. */
const STEP_MS = 5_000;
/** Clocks of clients are not exact, and networks hold some requests up. */
const LEEWAY_MS = 500;
/** Device codes that wait at the same time. */
const MAX_CODES = 10_000;
/** As long as a code. */
const LIFE_MS = 10 * 60_000;

interface Polls {
  /** Milliseconds since the epoch. */
  lastAt: number;
  intervalMs: number;
}

/**
 * When each device code was last asked about. Of this process only: with several replicas a client has to ask that many
 * times too often before it is answered so, which is what bounds the work.
 */
export class DevicePolls {
  private readonly polls = new LRUCache<string, Polls>({ max: MAX_CODES, ttl: LIFE_MS });

  /**
   * @param code a device code that exists, and that nobody has confirmed yet
   * @param now milliseconds since the epoch
   * @returns whether the client asks too often
   */
  isTooOften(code: string, now: number): boolean {
    const key = hash('sha256', code, 'base64');
    const { lastAt = -Infinity, intervalMs = INTERVAL_MS } = this.polls.get(key) ?? {};
    const isEarly = now - lastAt < intervalMs - LEEWAY_MS;
    this.polls.set(key, { lastAt: now, intervalMs: isEarly ? intervalMs + STEP_MS : intervalMs });
    return isEarly;
  }
}

/** The library has the error `slow_down` and never says it: this replaces `authorization_pending` for hasty clients. */
export function slowDown(polls: DevicePolls) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const { body } = ctx as { body?: { error?: unknown } };
    if (ctx.oidc?.route !== 'token' || typeof body !== 'object' || body.error !== 'authorization_pending') return;
    if (!polls.isTooOften(String(ctx.oidc.params?.device_code), Date.now())) return;
    ctx.body = { error: 'slow_down', error_description: 'wait five seconds longer between two requests from now on' };
  };
}
