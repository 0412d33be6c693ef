import type { RequestRates } from '../../config/limits';
import { RateLimitedError, type RatePolicy } from '../../errors/errors';
import { type BucketRate, TokenBuckets } from '../../http/requests/token-buckets';

/** What is counted: the label of the metric. */
export type LimitKind = 'principal' | 'address' | 'failed_authentication';

/** Keys with a bucket of their own, for each kind: about 15 MB if all are in use. */
const MAX_BUCKETS = 100_000;

/** One of the limits on requests. */
export interface Limit {
  readonly kind: LimitKind;
  readonly buckets: TokenBuckets;
  readonly policy: RatePolicy;
  /** @param cost as how many requests it counts @returns the error for a request that has to wait */
  readonly refusal: (seconds: number, cost: number) => RateLimitedError;
}

/** @returns the limits; undefined for those that the operator has turned off */
export function limitsOf(rates: RequestRates): Readonly<Record<LimitKind, Limit | undefined>> {
  const { principal, address, failedAuthentication: failed } = rates;
  return {
    principal: limit('principal', principal, `You can send ${principal.perMinute} requests per minute.`),
    address: limit(
      'address',
      address,
      `A network can send ${address.perMinute} requests per minute that are not signed in.`,
    ),
    failed_authentication: limit(
      'failed_authentication',
      failed,
      `Too many requests of this network had a wrong credential: more than ${failed.perMinute} per minute.`,
    ),
  };
}

function limit(kind: LimitKind, rate: BucketRate, sentence: string): Limit | undefined {
  const { perMinute, burst } = rate;
  if (perMinute === 0) return undefined;
  // In the time in which an empty bucket fills. Who sends no more than that in such a time is never refused, which does
  // not hold for the requests of a minute if the bucket is smaller.
  const policy = { name: kind.replace('_', '-'), quota: burst, seconds: Math.ceil((burst * 60) / perMinute) };
  const buckets = new TokenBuckets(rate, MAX_BUCKETS);
  return {
    kind,
    buckets,
    policy,
    refusal: (seconds, cost) => {
      const counts = cost > 1 ? ` This one counts as ${cost}.` : '';
      return new RateLimitedError(`${sentence}${counts} Try again in ${seconds} s.`, seconds, policy);
    },
  };
}
