import type { Registry } from 'prom-client';
import { DurationHistogram, type DurationSeries } from './duration-histogram';

/** Seconds: 5 ms … 10 s. Six, because each costs a series for every route, method and status. */
const BUCKETS_S = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Combinations of route, method and status with series of their own: 9 each, so that all stays below 2,000 series. */
const MOST_COMBINATIONS = 150;

const LABELS = ['http_route', 'http_request_method', 'http_response_status_code'] as const;

/** For all other combinations: an API where almost everything fails in its own way is not seen by route any more. */
const OTHERS = { http_route: 'others', http_request_method: '_OTHER', http_response_status_code: '0' };

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** @returns the method, or `_OTHER`, the convention's name for one that is not a known one */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}

const NONE: readonly never[] = [];

/** One of a route, which has few, so looking through them is faster than a table. */
interface Combination {
  method: string;
  status: number;
  series: DurationSeries;
}

/**
 * How long requests took, named as the semantic conventions of OpenTelemetry name it (HTTP metrics, stable). The route is
 * a template of the document, never a path, and the number of series is bounded.
 */
export class RequestDurations {
  private readonly histogram: DurationHistogram<(typeof LABELS)[number]>;
  private readonly byRoute = new Map<string | undefined, Combination[]>();
  private combinations = 0;
  private others?: DurationSeries;

  constructor(registry: Registry) {
    this.histogram = new DurationHistogram({
      name: 'http_server_request_duration_seconds',
      help: 'From the first byte of a request to the last one of its answer.',
      labelNames: [...LABELS],
      buckets: BUCKETS_S,
      registers: [registry],
    });
  }

  /**
   * @param route the template that the path matches; undefined if it matches none
   * @param status 499 if the client went away
   */
  observe(route: string | undefined, method: string, status: number, seconds: number): void {
    (this.known(route, method, status) ?? this.find(route, knownMethod(method), status)).observe(seconds);
  }

  private known(route: string | undefined, method: string, status: number): DurationSeries | undefined {
    // A loop, because `find` would be given a function of its own for each request.
    for (const one of this.byRoute.get(route) ?? NONE) {
      if (one.status === status && one.method === method) return one.series;
    }
    return undefined;
  }

  private find(route: string | undefined, method: string, status: number): DurationSeries {
    const known = this.known(route, method, status);
    if (known) return known;
    if (this.combinations >= MOST_COMBINATIONS) return (this.others ??= this.histogram.series(OTHERS));
    this.combinations++;
    const labels = { http_route: route ?? '', http_request_method: method, http_response_status_code: String(status) };
    const series = this.histogram.series(labels);
    const ofRoute = this.byRoute.get(route);
    if (ofRoute) ofRoute.push({ method, status, series });
    else this.byRoute.set(route, [{ method, status, series }]);
    return series;
  }
}
