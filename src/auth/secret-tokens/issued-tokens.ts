import type { Counter, Metrics } from '../../metrics/metrics';

/**
 * Declares the tokens that a part of the service issues. Each part counts its own, after the commit.
 *
 * @param kinds their kinds, as in the documentation of the metric
 */
export function issuedTokens<Kind extends string>(
  metrics: Metrics,
  ...kinds: readonly Kind[]
): Counter<{ kind: readonly Kind[] }> {
  return metrics.counter('toolyard_tokens_issued_total', 'Tokens that this process issued.', { kind: kinds });
}
