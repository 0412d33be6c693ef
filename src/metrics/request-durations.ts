import { Histogram, type Registry } from 'prom-client';
import { BoundedDurations } from './bounded-durations';

/** Seconds: 5 ms … 10 s. Six, because each costs a series for every route, method and status. */
const BUCKETS_S = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Combinations of route, method and status with series of their own: 9 each, so that all stays below 2,000 series. */
const MAX_COMBINATIONS = 150;

const LABELS = ['http_route', 'http_request_method', 'http_response_status_code'] as const;

/** For all other combinations: an API where almost everything fails in its own way is not seen by route any more. */
const OTHERS = { http_route: 'others', http_request_method: '_OTHER', http_response_status_code: '0' };

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** @returns the method, or `_OTHER`, the convention's name for one that is not a known one */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}

/**
 * How long requests took, named as the semantic conventions of OpenTelemetry name it (HTTP metrics, stable). The route is
 * a template of the document, never a path, and the number of series is bounded.
 */
export class RequestDurations {
  private readonly durations: BoundedDurations<(typeof LABELS)[number]>;

  constructor(registry: Registry) {
    const histogram = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'From the first byte of a request to the last one of its answer.',
      labelNames: [...LABELS],
      buckets: BUCKETS_S,
      registers: [registry],
    });
    this.durations = new BoundedDurations(histogram, LABELS, MAX_COMBINATIONS, OTHERS);
  }

  /**
   * @param route the template that the path matches; undefined if it matches none
   * @param status 499 if the client went away
   */
  observe(route: string | undefined, method: string, status: number, seconds: number): void {
    const labels = {
      http_route: route ?? '',
      http_request_method: knownMethod(method),
      http_response_status_code: String(status),
    };
    this.durations.observe(labels, seconds);
  }
}
