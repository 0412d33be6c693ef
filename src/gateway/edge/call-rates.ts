import { Injectable } from '@nestjs/common';
import { TokenBuckets } from '../../http/requests/token-buckets';
import type { CallRefusal } from '../calls/call-failures';

/** Calls that go to servers: of one principal at one bundle, and of everyone there; in a minute, of all processes together. */
export const CALL_RATES = { principal: 600, bundle: 6_000 } as const;

/** Keys with a bucket of their own, for each kind. */
const MAX_BUCKETS = 50_000;

/**
 * How often servers are called: by token buckets in the memory of each process, which has its share of the rate (ADR 32), so
 * that no call costs a statement.
 */
@Injectable()
export class CallRates {
  private replicas: () => number = () => 1;
  private now: () => number = () => performance.now();
  private readonly ofPrincipals = this.bucketsOf(CALL_RATES.principal);
  private readonly ofBundles = this.bucketsOf(CALL_RATES.bundle);

  /** @param replicas how many processes share the rates now */
  shareAmong(replicas: () => number): void {
    this.replicas = replicas;
  }

  /** @param now milliseconds of a clock that never goes back; tests have one of their own */
  measureBy(now: () => number): void {
    this.now = now;
  }

  /** Counts a call. @returns why it has to wait; undefined if it may go on */
  take(principal: string, bundleId: string): CallRefusal | undefined {
    const replicas = this.replicas();
    const own = `${principal} ${bundleId}`;
    if (this.ofPrincipals.take(own, replicas) === undefined)
      return refusal(
        'mcp-calls',
        CALL_RATES.principal,
        'You can make',
        this.ofPrincipals.secondsUntil(1, own, replicas),
      );
    if (this.ofBundles.take(bundleId, replicas) !== undefined) return undefined;
    return refusal(
      'mcp-bundle-calls',
      CALL_RATES.bundle,
      'Everyone together can make',
      this.ofBundles.secondsUntil(1, bundleId, replicas),
    );
  }

  private bucketsOf(perMinute: number): TokenBuckets {
    return new TokenBuckets({ perMinute, burst: perMinute }, MAX_BUCKETS, () => this.now());
  }
}

function refusal(name: string, quota: number, who: string, seconds: number): CallRefusal {
  const detail = `${who} ${quota} calls per minute through this bundle. Try again in ${seconds} s.`;
  return { seconds, detail, policy: { name, quota, seconds: 60 } };
}
