import { Injectable } from '@nestjs/common';
import { TokenBuckets } from '../../http/requests/token-buckets';
import type { CallRefusal } from '../calls/call-failures';
import { type Holder, personBehind } from '../upstreams/shares';

/**
 * Calls that go to servers: of one principal at one bundle, of all access tokens of one person there, and of everyone; in a minute,
 * of all processes together.
 */
export const CALL_RATES = { principal: 600, person: 4_800, bundle: 6_000 } as const;

const TOKENS_TOGETHER = 'All access tokens of one person together can make';

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
  /** Only of access tokens: with one of their own each, ten would leave nothing of the bundle for anyone else. */
  private readonly ofPeople = this.bucketsOf(CALL_RATES.person);
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
  take(holder: Holder, bundleId: string): CallRefusal | undefined {
    const { principal } = holder;
    const person = personBehind(holder);
    const { principal: ofPrincipal, person: ofPerson, bundle: ofBundle } = CALL_RATES;
    return (
      this.takeOf(this.ofPrincipals, `${principal} ${bundleId}`, 'mcp-calls', ofPrincipal, 'You can make') ??
      (person === principal
        ? undefined
        : this.takeOf(this.ofPeople, `${person} ${bundleId}`, 'mcp-person-calls', ofPerson, TOKENS_TOGETHER)) ??
      this.takeOf(this.ofBundles, bundleId, 'mcp-bundle-calls', ofBundle, 'Everyone together can make')
    );
  }

  private takeOf(
    buckets: TokenBuckets,
    key: string,
    name: string,
    quota: number,
    who: string,
  ): CallRefusal | undefined {
    const replicas = this.replicas();
    if (buckets.take(key, replicas) !== undefined) return undefined;
    return refusal(name, quota, who, buckets.secondsUntil(1, key, replicas));
  }

  private bucketsOf(perMinute: number): TokenBuckets {
    return new TokenBuckets({ perMinute, burst: perMinute }, MAX_BUCKETS, () => this.now());
  }
}

function refusal(name: string, quota: number, who: string, seconds: number): CallRefusal {
  const detail = `${who} ${quota} calls per minute through this bundle. Try again in ${seconds} s.`;
  return { seconds, detail, policy: { name, quota, seconds: 60 } };
}
