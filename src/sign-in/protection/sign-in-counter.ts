import { RateLimitedError } from '../../errors/errors';
import type { Metrics } from '../../metrics/metrics';

const RESULTS = ['succeeded', 'failed', 'limited', 'error'] as const;

/** How people prove who they are. */
type Way = 'password' | 'passkey' | 'recovery_code' | 'company';

/** Counts tries to sign in by their result. */
export type SignInCounter<Ways extends Way> = <T>(
  way: Ways,
  signIn: () => Promise<T>,
  isRejected: (outcome: unknown) => boolean,
) => Promise<T>;

/**
 * Declares the ways to sign in that a part of the service offers.
 *
 * @returns a function that runs a try and counts it: `failed` if its outcome or error is a rejection, `limited` if there
 *   were too many tries before, `error` if something here failed, such as the database
 */
export function signInCounter<Ways extends Way>(metrics: Metrics, ...ways: readonly Ways[]): SignInCounter<Ways> {
  const tries = metrics.counter('toolyard_sign_ins_total', 'Tries to sign in.', { way: ways, result: RESULTS });
  return async (way, signIn, isRejected) => {
    try {
      const outcome = await signIn();
      tries.add({ way, result: isRejected(outcome) ? 'failed' : 'succeeded' });
      return outcome;
    } catch (error) {
      const result = error instanceof RateLimitedError ? 'limited' : isRejected(error) ? 'failed' : 'error';
      tries.add({ way, result });
      throw error;
    }
  };
}
